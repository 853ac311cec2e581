"""From the signs of a pasted text to usual ones: digits of any script, any blanks, markup.

Of a page in HTML its text is taken, with tabs between the cells of a table.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser
from typing import NamedTuple

from satdoku.notation.line_kind import plain
from satdoku.notation.pastes.ordering import by_boxes
from satdoku.notation.sizes import size_of_count
from satdoku.puzzle.geometry import Geometry

# Quotes and separators of other scripts, which never stand for a cell.
_BESIDE_CELLS = dict.fromkeys("“”„«»″", '"') | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
_BESIDE_CELLS |= {"\u061b": ";"} | dict.fromkeys("\u060c\u066b\u3001", ",")
# Marks of direction, joiners, variants of emoji, keycaps, control characters: nothing to be seen.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Cs", "Co", "Cn"}
# What is none of the above, and is no letter, is drawn in an empty cell: a box, a circle, a cross.
_DRAWN = {"So", "Sm", "Sc", "Sk", "Po"}
EMPTY_SIGNS = frozenset(
    "\u25a0\u25a1\u25a2\u25aa\u25ab\u25ac\u25ad\u25af\u25cb\u25cc\u25cf\u25ef\u25fb\u25fc\u25fd\u25fe\u2610\u26aa\u26ab"
    "\u2b1b\u2b1c\u2b55\u274c\u2753\u2754\u2715\u2717\u00d7\u2796\u00b7\u2022\u2219\u22c5\u2591\u2592\u2593\u2423"
    "\u2800\u2824\u2836\u283f\U0001f532\U0001f533"
)
"""Squares, circles, crosses and the like, which people draw into an empty cell."""

# What a terminal takes for a colour: `ESC[1;33m`, also with the escape spelled out.
_COLOUR = re.compile(r"(?:\x1b|\\(?:033|e|x1[bB]|u001[bB])|\^\[)\[[0-9;]*[A-Za-z]")
# Spreadsheets have `="5"` for a digit that is text, and `5,0` where the comma is the decimal sign.
_TEXT_FIELD = re.compile(r"""(?<![\w"'])"?="{1,2}([0-9]?)"{1,2}"?(?![\w"'])""")
_DECIMAL = re.compile(r"""(?<![^\s;|"])([0-9]),0{1,6}(?![^\s;|"])""")
_OTHER_COMMA = re.compile("[0-9],[1-9]|,,")
_FEWEST_DECIMALS = 8

_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_SHORTCODE = re.compile(r":([\w+-]+): ?")
_FEWEST_SHORTCODES = 16  # the smallest board has so many cells
# Line ends and tabs as programs write them in a string.
_ESCAPED = re.compile(r"\\r\\n|\\n(?![a-z])|\\r(?![a-z])")

# In LaTeX: `\textbf{9}` is a 9, and `\begin{tabular}{|c|c|}`, `\hline` and `\\` are no cells.
_TEX = re.compile(r"\\(?:hline|\\|begin\b|[ck]?line\b|node\b|setrow\b)")
_TEX_GAP = re.compile(r"(?<=\\\\)\[[^\]\n]{0,20}\]")
_TEX_AROUND = re.compile(
    r"\\(?:multicolumn\{\d\}\{[^{}]*\}|(?:text)?color\{[^{}]*\})(?=\{)|(?<=\{)\\[a-z]+ "
)
# The number of a row stands before its nine cells.
_TEX_ROW = re.compile(r"\\setrow\s*\{[0-9]\}(?=(?:\s*\{[^{}]?\}){9})")
_TEX_EMPTY = re.compile(r"\{ ?\}")
_TEX_STYLED = re.compile(r"\\[a-z]+\{([^{}]{1,2})\}", re.IGNORECASE)
_TEX_COMMAND = re.compile(r"\\(?:begin|end)(?:\{[^{}]*\}|\[[^\]]*\])*|\\[a-z]+|\\\\|[${}]|\|\.\s*$")

_TAG_OF_PAGE = re.compile(
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
    text = without_colours("\n".join(lines))
    if not text.isascii() or not text.isprintable():
        text = text.translate(_usual_signs(text))
    if is_shortcoded(text) and len(pictured_in(text)) <= _MOST_BLANKS:
        text = _SHORTCODE.sub(_read_shortcode, text)
    text = _without_spreadsheets(without_markup(text))
    if _TEX.search(text):
        text = _without_tex(text)
    return _ESCAPED.sub("\n", text).split("\n")


def without_colours(text: str) -> str:
    """Return the text without the escape codes that colour it in a terminal."""
    return _COLOUR.sub("", text)


def without_markup(text: str) -> str:
    """Return what a page or a table of a forum shows; any other text as it is."""
    text = _FORUM_TAG.sub(r"<\1\2>", text)
    if len(_TAG_OF_PAGE.findall(text)) > 1:
        text = read_markup(text).replace("\u00a0", " ")
    return unescape(text).replace("\u00a0", " ") if "&" in text else text


def is_shortcoded(text: str) -> bool:
    """Whether a text has names of pictures, such as `:apple:`, in place of its cells."""
    return len(_SHORTCODE.findall(text)) >= _FEWEST_SHORTCODES


def pictured_in(text: str) -> set[str]:
    """Return the names between colons that are no digits."""
    return {name for name in _SHORTCODE.findall(text) if _digit_of(name) is None}


# An empty cell has one sign; two where boxes are told by them. More signs are symbols of a puzzle.
_MOST_BLANKS = 2


def _usual_signs(text: str) -> dict[int, str]:
    """Return what each sign of a text becomes; signs that may be symbols stay what they are.

    Beside digits a sign that is drawn is an empty cell. Beside none, more than two kinds of sign
    are the symbols of a puzzle, and so are two of which one is no usual sign for an empty cell.
    """
    usual = {sign: _usual_sign(sign) for sign in set(text)}
    drawn = {sign for sign, to in usual.items() if to == "." and not sign.isascii()}
    drawn -= set(_DOTS)
    others = drawn - EMPTY_SIGNS
    is_bare = not any(to.isdecimal() for to in usual.values()) and len(drawn) > 1
    if len(others) > _MOST_BLANKS or (is_bare and (others or len(drawn) > _MOST_BLANKS)):
        usual |= {sign: sign for sign in drawn}
    return {ord(sign): to for sign, to in usual.items()}


# Dots of other scripts, which no picture is.
_DOTS = "\u00b7\u2022\u2219\u22c5\u30fb"


def _without_spreadsheets(text: str) -> str:
    """Return the text with 5 for `="5"` and for `5,0`."""
    if '="' in text:
        text = _TEXT_FIELD.sub(r"\1", text)
    if len(_DECIMAL.findall(text)) >= _FEWEST_DECIMALS and not _OTHER_COMMA.search(text):
        text = _DECIMAL.sub(r"\1", text)
    return text


def _usual_sign(sign: str) -> str:
    """A sign of ASCII that means the same in a cell, or around it.

    >>> [_usual_sign(sign) for sign in "９⑨٩九░│…"]
    ['9', '9', '9', '9', '.', '|', '...']
    """
    if sign in "\n\t" or (sign.isascii() and sign.isprintable()):
        return sign
    drawn = _BESIDE_CELLS.get(sign) or plain(sign)
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
    digit = _digit_of(match[1])
    return "." if digit is None else str(digit)


def _digit_of(name: str) -> int | None:
    """Return the digit that the name of a picture says; None where it says none."""
    name = name.removeprefix("number_").removeprefix("keycap_").lower()
    return _NAMES.index(name) if name in _NAMES else None


def _without_tex(text: str) -> str:
    text = _TEX_AROUND.sub("", _TEX_GAP.sub("", text))
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


_CELL_TAGS = {"td", "th"}
_LINES = {"tr", "br", "p", "div", "li", "ul", "ol", "table", "pre", "form", "body"}
_LINES |= {f"h{level}" for level in range(1, 7)}
_UNSEEN = {"style", "script", "title", "head"}
_VOID = {"br", "input", "hr", "img", "meta", "link", "col", "wbr"}
# What a page calls the elements around the cells of a box, and what it has read aloud of a cell.
_BOX = re.compile(
    r"(?:^|[\s_-])(?:box|block|subgrid|sub-?grid|nonet|region|quadrant|3x3)(?:[\s_-]?[0-9]+)?(?=$|[\s_-])",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"(?:row|r) ?[0-9].*(?:column|col|c) ?[0-9]", re.IGNORECASE)
# A board of 4x4 may be a table of anything.
_FEWEST_CELLS_OF_PAGE = 16
# One digit, or what stands for none.
_CELL = re.compile(r"[0-9._-]?")


def read_markup(text: str) -> str:
    """What a page shows: lines, tabs in tables, and the values of its inputs.

    81 elements of a kind that have a digit each, or nothing, are cells on one line.
    """
    page = _Page()
    page.feed(text)
    page.close()
    if len(page.labels) >= _FEWEST_CELLS_OF_PAGE:
        return "\n".join(page.labels)
    boards = {tuple(cells) for cells in map(_board_of, page.elements.values()) if cells}
    if len(boards) == 1:
        return " ".join(cell or "." for cell in boards.pop())
    # The lines of tables in tables are those of boxes, and no rows.
    return "" if page.has_nested_tables else "".join(page.shown)


class _Element(NamedTuple):
    """What may be a cell: its text, and the numbers of its row and of the box around it.

    `is_table` says that the box may as well be anything else, as it is a table.
    """

    row: int
    box: int
    is_table: bool
    text: str


def _board_of(elements: list[_Element]) -> list[str]:
    """Return the texts of elements in the order of a board, if they are one; else none."""
    cells = [each.text for each in elements]
    has_digits = any(cell.isdigit() and cell != "0" for cell in cells)
    in_rows = Counter(each.row for each in elements)
    size = size_of_count(len(cells))
    if (
        not has_digits
        or len({*in_rows.values()}) != 1
        or size is None
        or len(cells) < _FEWEST_CELLS_OF_PAGE
    ):
        return []
    in_boxes = Counter(each.box for each in elements)
    # Around a table of rows there is one box, or a box for each cell; a table may be a row.
    is_listed = len(in_rows) == size and elements[0].is_table
    if {*in_boxes.values()} != {size} or is_listed:
        return cells if len(cells) > _FEWEST_CELLS_OF_PAGE else []
    geometry = Geometry.of_size(size)
    is_even = len(in_rows) in (1, size) or {*in_rows.values()} == {geometry.box_columns}
    return by_boxes(cells, geometry) if is_even else []


class _Page(HTMLParser):
    """A page: what it shows, and the texts of its innermost elements, by tag and by class."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        # Each with the number of its row: of the element around it, or of the line of an input.
        self.elements: dict[str, list[_Element]] = {}
        # What is read aloud of cells: `Row 1 Column 3 empty`.
        self.labels: list[str] = []
        self.has_nested_tables = False
        self._count = self._line = 0
        # Of each element that is open: its tag, its class, its text, its value; and their numbers.
        self._open: list[list[str]] = []
        self._numbers: list[int] = []
        self._outer: set[int] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        label = found.get("aria-label") or ""
        if _SPOKEN.search(label):
            self.labels.append(label)
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
            self.has_nested_tables |= tag == "table" and any(e[0] in _CELL_TAGS for e in self._open)
            names = found.get("class") or ""
            is_named = _BOX.search(f"{names} {found.get('id') or ''}") is not None
            kind = "box" if is_named else "table" if tag == "table" else ""
            value = found.get("data-value") or found.get("data-digit") or ""
            self._open.append([tag, names.split(" ")[0], "", kind, value])

    def handle_endtag(self, tag: str) -> None:
        if any(element[0] == tag for element in self._open):
            while self._open[-1][0] != tag:
                self._end_element()
            self._end_element()
        if tag in _CELL_TAGS:
            self.shown.append("\t")
        elif tag in _LINES:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if any(element[0] in _UNSEEN for element in self._open):
            return
        in_cell = any(element[0] in _CELL_TAGS for element in self._open)
        in_table = any(element[0] == "table" for element in self._open)
        if in_cell or not in_table or data.strip():
            self.shown.append(" ".join(data.split()) if in_cell else data)
        for element in self._open:
            element[2] += data

    def _close(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._end_element()

    def _end_element(self) -> None:
        tag, kind, text, _, value = self._open.pop()
        number = self._numbers.pop()
        text = text if text.strip() else value
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
                self.elements.setdefault(name, []).append(_Element(row, *self._box(), cell))

    def _box(self) -> tuple[int, bool]:
        """Return the number of the innermost element around that may be a box (0 without one), and
        whether it is a table.
        """
        boxes = ((n, e[3]) for n, e in zip(self._numbers, self._open, strict=True) if e[3])
        number, kind = max(boxes, default=(0, ""))
        return number, kind == "table"

    def _end_line(self) -> None:
        if self.shown and not self.shown[-1].endswith("\n"):
            self.shown.append("\n")
            self._line += 1
