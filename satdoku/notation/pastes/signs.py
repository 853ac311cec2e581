"""From the signs of a pasted text to usual ones: digits of any script, any blanks, markup.

Of a page in HTML its text is taken, with tabs between the cells of a table.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser

from satdoku.notation.line_kind import plain
from satdoku.notation.sizes import size_of_count

# Signs that stand in words of people and programs, and never for a cell.
_QUOTES = dict.fromkeys("“”„«»″", '"') | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
# Marks of direction, joiners, variants of emoji, keycaps, control characters: nothing to be seen.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Cs", "Co", "Cn"}
# What is none of the above, and is no letter, is drawn in an empty cell: a box, a circle, a cross.
_DRAWN = {"So", "Sm", "Sc", "Sk", "Po"}

_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_SHORTCODE = re.compile(r":(\w+): ?")
_FEWEST_SHORTCODES = 16  # the smallest board has so many cells
# Line ends and tabs as programs write them in a string.
_ESCAPED = re.compile(r"\\r\\n|\\n(?![a-z])|\\r(?![a-z])")

# In LaTeX: `\textbf{9}` is a 9, and `\begin{tabular}{|c|c|}`, `\hline` and `\\` are no cells.
_TEX = re.compile(r"\\(?:hline|\\|begin\b|[ck]?line\b|node\b|setrow\b)")
# The number of a row stands before its nine cells.
_TEX_ROW = re.compile(r"\\setrow\s*\{[0-9]\}(?=(?:\s*\{[^{}]?\}){9})")
_TEX_EMPTY = re.compile(r"\{ ?\}")
_TEX_STYLED = re.compile(r"\\[a-z]+\{([^{}]{1,2})\}", re.IGNORECASE)
_TEX_COMMAND = re.compile(r"\\(?:begin|end)(?:\{[^{}]*\}|\[[^\]]*\])*|\\[a-z]+|\\\\|[${}]|\|\.\s*$")

_TAG = re.compile(
    r"</?(?:(?:t[dr]|div|input|span|li|br|p|button)\b[^>]{0,500}|row|cell)>", re.IGNORECASE
)

# Tables as forums have them: `[tr][td]5[/td][td][/td][/tr]`.
_FORUM_TAG = re.compile(r"\[(/?)(table|t[dr])\]", re.IGNORECASE)


# What programs write for nothing.
_NOTHING = re.compile(r"\b(?:None|null|nil|nan|NaN|NA|NULL|Null|undefined|Nothing)\b")
# As numpy shows a row of floats.
_FLOATS = re.compile(r"[^0-9.]*(?:[0-9]\.[^0-9.]+)+")
_FLOAT = re.compile(r"(?<![^\s,;|\[(])([0-9])\.0(?![^\s,;|\])])")


def with_usual_signs(lines: Sequence[str]) -> list[str]:
    """The lines of a text as they would be in ASCII, and with tables in place of markup.

    >>> with_usual_signs(["①②…", "\\u200b۳\\u00a0□", "5&nbsp;6"])
    ['12...', '3 .', '5 6']
    """
    text = "\n".join(lines)
    if not text.isascii() or not text.isprintable():
        text = text.translate({ord(sign): _usual_sign(sign) for sign in set(text)})
    if len(_SHORTCODE.findall(text)) >= _FEWEST_SHORTCODES:
        text = _SHORTCODE.sub(_read_shortcode, text)
    text = _FORUM_TAG.sub(r"<\1\2>", text)
    if len(_TAG.findall(text)) > 1:
        text = read_markup(text).replace("\u00a0", " ")
    if "&" in text:
        text = unescape(text).replace("\u00a0", " ")
    if _TEX.search(text):
        text = _without_tex(text)
    return _ESCAPED.sub("\n", text).split("\n")


def _usual_sign(sign: str) -> str:
    """A sign of ASCII that means the same in a cell, or around it.

    >>> [_usual_sign(sign) for sign in "９⑨٩九░│…"]
    ['9', '9', '9', '9', '.', '|', '...']
    """
    if sign in "\n\t" or (sign.isascii() and sign.isprintable()):
        return sign
    drawn = _QUOTES.get(sign) or plain(sign)
    usual = drawn if drawn.isascii() else unicodedata.normalize("NFKC", sign)
    if usual.isascii() and usual.isprintable():
        return usual
    category = unicodedata.category(sign)
    # 0 to 9 in all scripts, and circles with digits in them.
    number = unicodedata.numeric(sign, -1)
    if number in range(10):
        return str(int(number))
    if category in _INVISIBLE:
        return ""
    if category[0] == "Z":
        return " "
    return "." if category in _DRAWN else sign


def _read_shortcode(match: "re.Match[str]") -> str:
    """`:seven:` is a 7, and any other picture is a blank."""
    name = match[1].removeprefix("number_").lower()
    return str(_NAMES.index(name)) if name in _NAMES else "."


def _without_tex(text: str) -> str:
    text = _TEX_EMPTY.sub(".", _TEX_ROW.sub("", text))
    lines = text.split("\n")
    bare = (_TEX_COMMAND.sub("", _TEX_STYLED.sub(r"\1", line)) for line in lines)
    # A line of commands alone is none of the drawing; an empty one would be a gap in it.
    return "\n".join(new for new, old in zip(bare, lines, strict=True) if new.strip() or not old)


def with_dots(text: str) -> str:
    """The text with dots for what programs write for nothing, and 9 for 9.0.

    >>> with_dots("NaN 9.0 None")
    '. 9 .'
    """
    if _FLOATS.fullmatch(text):
        text = text.replace(".", "")
    return _FLOAT.sub(r"\1", _NOTHING.sub(".", text))


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
