"""The text of a page in HTML, with tabs between the cells of a table."""

import re
from collections import Counter
from html.parser import HTMLParser

from satdoku.notation.sizes import size_of_count

_CELLS = {"td", "th"}
_LINES = {"tr", "br", "p", "div", "li", "ul", "ol", "table", "pre", "form", "body"}
_LINES |= {f"h{level}" for level in range(1, 7)}
_UNSEEN = {"style", "script", "title", "head"}
_VOID = {"br", "input", "hr", "img", "meta", "link", "col", "wbr"}
# One digit, or what stands for none.
# A board of 4x4 may be a table of anything.
_FEWEST_CELLS = 16
_CELL = re.compile(r"[0-9._-]?")


def read_markup(text: str) -> str:
    """What a page shows: lines, tabs in tables, and the values of its inputs.

    81 elements of a kind that have a digit each, or nothing, are cells on one line.
    """
    page = _Page()
    page.feed(text)
    page.close()
    boards = {tuple(cells) for cells in map(_board_of, page.elements.values()) if cells}
    if len(boards) == 1:
        return " ".join(cell or "." for cell in boards.pop())
    return "".join(page.shown)


def _board_of(elements: list[tuple[int, str]]) -> list[str]:
    """The texts of elements, each with the number of its row, if they are a board; else none."""
    cells = [cell for _, cell in elements]
    has_digits = any(cell.isdigit() and cell != "0" for cell in cells)
    in_rows = Counter(row for row, _ in elements)
    is_even = len({*in_rows.values()}) == 1
    is_board = size_of_count(len(cells)) is not None and len(cells) > _FEWEST_CELLS
    return cells if has_digits and is_even and is_board else []


class _Page(HTMLParser):
    """A page: what it shows, and the texts of its innermost elements, by tag and by class."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        # Each with the number of its row: of the element around it, or of the line of an input.
        self.elements: dict[str, list[tuple[int, str]]] = {}
        self._count = self._line = 0
        # Of each element that is open: its tag, its class, its text; and their numbers.
        self._open: list[list[str]] = []
        self._numbers: list[int] = []
        self._outer: set[int] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag == "input":
            self.handle_data(found.get("value") or "")
            self._note(tag, "", (found.get("value") or ""), self._line)
        elif tag in _LINES:
            self._end_line()
        if tag not in _VOID:
            if tag in ("td", "th", "tr", "li", "p"):
                self._close(tag)  # these may be left open
            self._count += 1
            self._numbers.append(self._count)
            self._open.append([tag, (found.get("class") or "").split(" ")[0], ""])

    def handle_endtag(self, tag: str) -> None:
        if any(element[0] == tag for element in self._open):
            while self._open[-1][0] != tag:
                self._end_element()
            self._end_element()
        if tag in _CELLS:
            self.shown.append("\t")
        elif tag in _LINES:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if any(element[0] in _UNSEEN for element in self._open):
            return
        in_cell = any(element[0] in _CELLS for element in self._open)
        in_table = any(element[0] == "table" for element in self._open)
        if in_cell or not in_table or data.strip():
            self.shown.append(" ".join(data.split()) if in_cell else data)
        for element in self._open:
            element[2] += data

    def _close(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._end_element()

    def _end_element(self) -> None:
        tag, kind, text = self._open.pop()
        number = self._numbers.pop()
        if number not in self._outer:
            self._note(tag, kind, text, self._numbers[-1] if self._numbers else 0)
        # What has another of its kind in it is no cell.
        same = (n for n, element in enumerate(self._open) if element[0] == tag)
        self._outer.update(self._numbers[n] for n in same)

    def _note(self, tag: str, kind: str, text: str, row: int) -> None:
        """Keep what may be a cell."""
        cell = text.strip()
        if _CELL.fullmatch(cell):
            for name in {tag, f"{tag}.{kind}"}:
                self.elements.setdefault(name, []).append((row, cell))

    def _end_line(self) -> None:
        if self.shown and not self.shown[-1].endswith("\n"):
            self.shown.append("\n")
            self._line += 1
