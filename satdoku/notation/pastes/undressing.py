"""Remove what is copied along with a board from its lines: quote marks, fences, tags, labels."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from html import unescape
from html.parser import HTMLParser
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, TypeVar

from satdoku.notation.exchange.seen import is_link
from satdoku.notation.line_kind import is_border, is_empty_header, is_sentence, plain
from satdoku.notation.spelling import size_of_count
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

# Boards whose cells are listed box by box or column by column.

T = TypeVar("T")


class Order(Enum):
    """What each line or list of a text holds: a row, a box or a column."""

    ROWS = "rows"
    BOXES = "boxes"
    COLUMNS = "columns"
    UNCLEAR = "rows or boxes, and nothing says which"


_BOX = r"(?:box(?:es)?|blocks?|sub-?grids?|nonets?|regions?3x3|quadrants?)"
_COLUMN = r"(?:columns?|cols?)"
# `{"boxes": [[5, 3`, `boxes = [`, `blocks:` above a list. For columns, lists or cells must follow,
# as tables have a list of the columns' names.
_BEFORE_LIST = r"""["']?\s*(?::=|[:=])\s*"""
_BOX_LIST = re.compile(rf"\b{_BOX}{_BEFORE_LIST}(?:[\[{{(]|\n\s*-)", re.IGNORECASE)
_COLUMN_LIST = re.compile(
    rf"\b{_COLUMN}{_BEFORE_LIST}[\[{{(]\s*(?:[\[{{(]|[\"'][0-9._]{{4}})", re.IGNORECASE
)
# `Box 1: 53.6...98` or `"col1": [5, 6, ...]`. Lists of givens that name a column before its rows
# are read earlier.
_BOX_LABEL = re.compile(rf"\b{_BOX}[\s_-]?#?[0-9]\b[\"']?\s*[:.=)-]", re.IGNORECASE)
_COLUMN_LABEL = re.compile(rf"\b(?:{_COLUMN}|c)[\s_-]?#?[0-9]\b[\"']?\s*[:.=)]", re.IGNORECASE)
_FEWEST_LABELS = 4
# R, Julia and Fortran fill arrays column by column; `a.reshape` in Python goes by rows.
_FILLED = re.compile(r"\b(?:matrix|array)\s*\(\s*c\s*\(|(?<![.\w])reshape\s*\(\s*\(?[\[/]")
_BY_ROW = re.compile(r"\bbyrow\s*=\s*T|(?:np|numpy)\.|\border\s*=", re.IGNORECASE)


def order_of(lines: Sequence[str]) -> Order:
    """Return in which order a text says that it lists cells."""
    text = "\n".join(lines)
    if _BOX_LIST.search(text) or len(_BOX_LABEL.findall(text)) >= _FEWEST_LABELS:
        return Order.BOXES
    if _COLUMN_LIST.search(text) or len(_COLUMN_LABEL.findall(text)) >= _FEWEST_LABELS:
        return Order.COLUMNS
    if _FILLED.search(text) and not _BY_ROW.search(text):
        return Order.COLUMNS
    return Order.UNCLEAR if _are_short(lines) else Order.ROWS


def _are_short(lines: Sequence[str]) -> bool:
    """Whether all lines have three cells: 27 such lines are boxes, or wrapped rows."""
    shown = [len(re.findall(r"[0-9._*?-]", line)) for line in lines if line.strip()]
    return len(shown) == 27 and {*shown} == {3}


def in_order(puzzle: Puzzle, order: Order) -> Puzzle:
    """Return a puzzle that was read as if its cells were in rows, with each cell in its place."""
    if order is Order.ROWS:
        return puzzle
    geometry, digits = puzzle.geometry, puzzle.grid.digits
    if order is Order.BOXES:
        digits = tuple(by_boxes(digits, geometry))
    else:
        columns = (digits[column :: geometry.size] for column in range(geometry.size))
        digits = tuple(chain.from_iterable(columns))
    return puzzle.with_grid(Grid(geometry, digits))


def by_boxes(cells: Sequence[T], geometry: Geometry) -> list[T]:
    """Return cells that were listed box by box in row order."""
    places = chain.from_iterable(map(geometry.box_cells, range(geometry.size)))
    return [cell for _, cell in sorted(zip(places, cells, strict=True), key=itemgetter(0))]


# Replace the signs of a pasted text by usual ones: digits of any script, any blanks, markup.
#
# An HTML page is replaced by its text, with tabs between the cells of a table.

# Quotes and separators of other scripts, which never stand for a cell.
_BESIDE_CELLS = dict.fromkeys("“”„«»″", '"') | dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
_BESIDE_CELLS |= {"\u061b": ";"} | dict.fromkeys("\u060c\u066b\u3001", ",")
# Invisible characters: marks of direction, joiners, emoji variants, keycaps, control characters.
_INVISIBLE = {"Cc", "Cf", "Mn", "Me", "Cs", "Co", "Cn"}
# Other characters that are no letters are drawings in an empty cell: a box, a circle, a cross.
_DRAWN = {"So", "Sm", "Sc", "Sk", "Po"}
EMPTY_SIGNS = frozenset(
    "\u25a0\u25a1\u25a2\u25aa\u25ab\u25ac\u25ad\u25af\u25cb\u25cc\u25cf\u25ef\u25fb\u25fc\u25fd\u25fe\u2610\u26aa\u26ab"
    "\u2b1b\u2b1c\u2b55\u274c\u2753\u2754\u2715\u2717\u00d7\u2796\u00b7\u2022\u2219\u22c5\u2591\u2592\u2593\u2423"
    "\u2800\u2824\u2836\u283f\U0001f532\U0001f533"
)
"""Squares, circles, crosses and the like, which people draw into an empty cell."""

# Colour codes of terminals: `ESC[1;33m`, also with the escape spelled out.
_COLOUR = re.compile(r"(?:\x1b|\\(?:033|e|x1[bB]|u001[bB])|\^\[)\[[0-9;]*[A-Za-z]")
# Spreadsheets have `="5"` for a digit that is text, and `5,0` if the comma is the decimal sign.
_TEXT_FIELD = re.compile(r"""(?<![\w"'])"?="{1,2}([0-9]?)"{1,2}"?(?![\w"'])""")
_DECIMAL = re.compile(r"""(?<![^\s;|"])([0-9]),0{1,6}(?![^\s;|"])""")
_OTHER_COMMA = re.compile("[0-9],[1-9]|,,")
_FEWEST_DECIMALS = 8

_NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_SHORTCODE = re.compile(r":([\w+-]+): ?")
_FEWEST_SHORTCODES = 16  # the cells of the smallest board
# Line ends and tabs as programs write them in a string.
_ESCAPED = re.compile(r"\\r\\n|\\n(?![a-z])|\\r(?![a-z])")

# In LaTeX, `\textbf{9}` is a 9, and `\begin{tabular}{|c|c|}`, `\hline` and `\\` are no cells.
_TEX = re.compile(r"\\(?:hline|\\|begin\b|[ck]?line\b|node\b|setrow\b)")
_TEX_GAP = re.compile(r"(?<=\\\\)\[[^\]\n]{0,20}\]")
_TEX_AROUND = re.compile(
    r"\\(?:multicolumn\{\d\}\{[^{}]*\}|(?:text)?color\{[^{}]*\})(?=\{)|(?<=\{)\\[a-z]+ "
)
# The number of a row before its nine cells.
_TEX_ROW = re.compile(r"\\setrow\s*\{[0-9]\}(?=(?:\s*\{[^{}]?\}){9})")
_TEX_EMPTY = re.compile(r"\{ ?\}")
_TEX_STYLED = re.compile(r"\\[a-z]+\{([^{}]{1,2})\}", re.IGNORECASE)
_TEX_COMMAND = re.compile(r"\\(?:begin|end)(?:\{[^{}]*\}|\[[^\]]*\])*|\\[a-z]+|\\\\|[${}]|\|\.\s*$")

_TAG_OF_PAGE = re.compile(
    r"</?(?:(?:t[dr]|div|input|span|li|br|p|button)\b[^>]{0,500}|row|cell)>", re.IGNORECASE
)

# Tables as forums have them: `[tr][td]5[/td][td][/td][/tr]`.
_FORUM_TAG = re.compile(r"\[(/?)(table|t[dr])\]", re.IGNORECASE)


# Words for no value in programs.
_NOTHING = re.compile(r"\b(?:None|null|nil|nan|NaN|NA|NULL|Null|undefined|Nothing)\b")
# A row of floats as numpy prints it.
_FLOATS = re.compile(r"[^0-9.]*(?:[0-9]\.[^0-9.]+)+")
_FLOAT = re.compile(r"(?<![^\s,;|\[(])([0-9])\.0(?![^\s,;|\])])")


def with_usual_signs(lines: Sequence[str]) -> list[str]:
    """Return the lines in ASCII, and with tables in place of markup.

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
    """Return the visible text of a page or of a forum table; other texts unchanged."""
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


# Most signs for an empty cell in a board: one, or two that show the boxes. More signs are the
# symbols of a puzzle.
_MOST_BLANKS = 2


def _usual_signs(text: str) -> dict[int, str]:
    """Return the replacement of each sign of a text; signs that may be symbols are kept.

    Beside digits, a drawn sign is an empty cell. Without digits, more than two kinds of sign are
    the symbols of a puzzle, and so are two kinds if one is no usual sign for an empty cell.
    """
    usual = {sign: _usual_sign(sign) for sign in set(text)}
    drawn = {sign for sign, to in usual.items() if to == "." and not sign.isascii()}
    drawn -= set(_DOTS)
    others = drawn - EMPTY_SIGNS
    is_bare = not any(to.isdecimal() for to in usual.values()) and len(drawn) > 1
    if len(others) > _MOST_BLANKS or (is_bare and (others or len(drawn) > _MOST_BLANKS)):
        usual |= {sign: sign for sign in drawn}
    return {ord(sign): to for sign, to in usual.items()}


# Dots of other scripts, which are no pictures.
_DOTS = "\u00b7\u2022\u2219\u22c5\u30fb"


def _without_spreadsheets(text: str) -> str:
    """Return the text with 5 for `="5"` and for `5,0`."""
    if '="' in text:
        text = _TEXT_FIELD.sub(r"\1", text)
    if len(_DECIMAL.findall(text)) >= _FEWEST_DECIMALS and not _OTHER_COMMA.search(text):
        text = _DECIMAL.sub(r"\1", text)
    return text


def _usual_sign(sign: str) -> str:
    """Return the ASCII sign with the same meaning in a cell, or around it.

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
    """Return 7 for `:seven:`, and a blank for any other picture."""
    digit = _digit_of(match[1])
    return "." if digit is None else str(digit)


def _digit_of(name: str) -> int | None:
    """Return the digit that a picture's name means, such as 7 for `seven`; None if it has none."""
    name = name.removeprefix("number_").removeprefix("keycap_").lower()
    return _NAMES.index(name) if name in _NAMES else None


def _without_tex(text: str) -> str:
    text = _TEX_AROUND.sub("", _TEX_GAP.sub("", text))
    text = _TEX_EMPTY.sub(".", _TEX_ROW.sub("", text))
    lines = text.split("\n")
    bare = (_TEX_COMMAND.sub("", _TEX_STYLED.sub(r"\1", line)) for line in lines)
    # A line that was only commands is dropped; kept empty, it would be a gap in the drawing.
    return "\n".join(new for new, old in zip(bare, lines, strict=True) if new.strip() or not old)


def with_dots(text: str) -> str:
    """Return the text with dots for a program's words for no value, and 9 for 9.0.

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
# Class names of the elements around the cells of a box in pages, and labels for screen readers.
_BOX_CLASS = re.compile(
    r"(?:^|[\s_-])(?:box|block|subgrid|sub-?grid|nonet|region|quadrant|3x3)(?:[\s_-]?[0-9]+)?(?=$|[\s_-])",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"(?:row|r) ?[0-9].*(?:column|col|c) ?[0-9]", re.IGNORECASE)
# A smaller board may be a table of anything.
_FEWEST_CELLS_OF_PAGE = 16
# One digit, or a blank.
_CELL = re.compile(r"[0-9._-]?")


def read_markup(text: str) -> str:
    """Return the visible text of a page: lines, tabs in tables, and the values of its inputs.

    81 elements of a kind with a digit each, or nothing, become cells on one line.
    """
    page = _Page()
    page.feed(text)
    page.close()
    if len(page.labels) >= _FEWEST_CELLS_OF_PAGE:
        return "\n".join(page.labels)
    boards = {tuple(cells) for cells in map(_board_of, page.elements.values()) if cells}
    if len(boards) == 1:
        return " ".join(cell or "." for cell in boards.pop())
    # In nested tables, a line is one line of a box, and no row of the board.
    return "" if page.has_nested_tables else "".join(page.shown)


class _Element(NamedTuple):
    """A possible cell: its text, and the numbers of its row and of the box around it.

    `is_table` means that the box is a table, which may be something else.
    """

    row: int
    box: int
    is_table: bool
    text: str


def _board_of(elements: list[_Element]) -> list[str]:
    """Return the texts of elements in the order of a board, if they are one; else an empty list."""
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
    # No boxes are shown if one table has all cells, or each cell is a box, or each table is a row.
    is_listed = len(in_rows) == size and elements[0].is_table
    if {*in_boxes.values()} != {size} or is_listed:
        return cells if len(cells) > _FEWEST_CELLS_OF_PAGE else []
    geometry = Geometry.of_size(size)
    is_even = len(in_rows) in (1, size) or {*in_rows.values()} == {geometry.box_columns}
    return by_boxes(cells, geometry) if is_even else []


class _Page(HTMLParser):
    """A page: its visible text, and the texts of its innermost elements, by tag and by class."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        # Possible cells by tag and by class; a cell's row is the element around it, or an input's
        # line.
        self.elements: dict[str, list[_Element]] = {}
        # Labels of cells for screen readers: `Row 1 Column 3 empty`.
        self.labels: list[str] = []
        self.has_nested_tables = False
        self._count = self._line = 0
        # Tag, class, text and value of each open element; and the numbers of these elements.
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
            is_named = _BOX_CLASS.search(f"{names} {found.get('id') or ''}") is not None
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
        # An element that contains another of its kind is no cell.
        same = (n for n, element in enumerate(self._open) if element[0] == tag)
        self._outer.update(self._numbers[n] for n in same)

    def _note(self, tag: str, kind: str, text: str, row: int) -> None:
        """Store a possible cell."""
        cell = text.strip()
        if _CELL.fullmatch(cell):
            for name in {tag, f"{tag}.{kind}"}:
                self.elements.setdefault(name, []).append(_Element(row, *self._box(), cell))

    def _box(self) -> tuple[int, bool]:
        """Return the number of the innermost possible box (0 without) and whether it is a table."""
        boxes = ((n, e[3]) for n, e in zip(self._numbers, self._open, strict=True) if e[3])
        number, kind = max(boxes, default=(0, ""))
        return number, kind == "table"

    def _end_line(self) -> None:
        if self.shown and not self.shown[-1].endswith("\n"):
            self.shown.append("\n")
            self._line += 1


# `> 53..7....` in mail, `> > ` if it was quoted twice.
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
# Text before each line of a chat, `[12/03/24, 18:01:21] Ann: ` or `18:01 <ann> `, and before lines
# that grep found, `puzzle.txt:7:`.
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[AaPp]\.?[Mm]\.?)?\]?"
_SPEAKER = re.compile(
    rf"\s*\[?[0-9]{{1,4}}[/.-][0-9]{{1,2}}[/.-][0-9]{{2,4}},?\s+{_TIME}\s*(?:-\s)?[^:<>]{{1,40}}:\s"
    rf"|\s*\[?{_TIME}\s+(?:<[^<>]{{1,40}}>|(?=[^:]*[A-Za-z])[^:<>]{{1,40}}:)\s|[\w./-]{{1,80}}\.[a-z]{{1,5}}:[0-9]{{1,3}}:"
)
# ``` and ~~~ begin and end code in Markdown; [code] and [/code] in forums, <pre> in pages.
_FENCE = re.compile(r"\s*(?:`{3,8}|~{3,8})\s*\w*\s*$")
# `53..7....` among other words of Markdown.
_CODE = re.compile(r"`([^`]{4,200})`")
# A bound on the text in a tag keeps the search short if thousands are never closed.
_TAG = re.compile(
    r"\[/?(?:code|quote|pre|sudoku|tt|spoiler|hidden)\b[^\]]{0,500}\]"
    r"|</?(?:pre|code|p|br|div|span|blockquote)\b[^>]{0,500}>",
    re.IGNORECASE,
)
# Some forums and programs have other signs for bars: `! . . 9 ! 7 4 8 ! . . . !`.
_BARRED = re.compile(r"\s*([!:])(?: [^!:]* [!:]){2,}\s*")

# A board in an address is not one of the lines of another board. The pattern begins at `://` or
# `?`: to look for the beginning of an address at every character of a long word would take minutes.
_LINK = re.compile(r"\S://\S|\?\w+=[0-9.]{81}")

# Labels of rows: 1, A, r1, R1, `row 1`, perhaps with a dot, a colon or a bracket after them.
_ROW_LABEL = re.compile(
    r"\s*(?:\|\s*)?\**(?:row\s*|r|\[)?([0-9]{1,2}|[A-Z])(?:,?\])?\**(?:[.:)]?\s|\s*[|,;&=:])",
    re.IGNORECASE,
)
_COLUMN_LABEL_IN_TEXT = re.compile(
    r"(?:col(?:umn)?_?|[cxv]|\[,)?([0-9]{1,2}|[A-Za-z])\]?$", re.IGNORECASE
)


# A table in AMPL: `param p: 1 2 3 ... :=`, then lines that begin with their number, then `;`.
_AMPL = re.compile(r"^\s*(?:param\s+\w+\s*:(?!=)|(?:data|end)\s*;)|:=\s*$|;\s*$")


def undress(lines: Sequence[str]) -> list[str]:
    """Return the lines without quote marks, fences and tags, and with usual signs.

    >>> undress(["> [code]", "> 1□", "```"])
    ['', '1.', '']
    """
    bare = [_undress_line(line) for line in with_usual_signs(lines)]
    if any(line.lstrip().startswith("param ") for line in bare):
        bare = [_AMPL.sub("", line) for line in bare]
    shown = [n for n, line in enumerate(bare) if line.strip()]
    # Remove an empty header of a Markdown table, unless it is a row of the board.
    if len(shown) > 1 and is_empty_header(bare[shown[0]], bare[shown[1]]):
        del bare[: shown[1] + 1]
    return _with_usual_bars(_with_usual_cells(bare))


def _undress_line(line: str) -> str:
    line = _QUOTED.sub("", line, count=1)
    spoken = _SPEAKER.match(line)
    if spoken:
        line = line[spoken.end() :]
    if _FENCE.match(line):
        return ""
    if "[" in line or "<" in line:
        line = _TAG.sub("", line)
    return _CODE.sub(r"\1", line)


# Cells in brackets, `[5] [ ]`, and words and lines that stand for an empty cell.
_BOXED = re.compile(r"[\[(]([ 0-9._xX*-]?)[\])]")
_EMPTY = re.compile(
    r"\b(?:blank|empty|space|nothing|unfilled|dot|dash)\b|(?<![^\s|,;])_{2,3}(?![^\s|,;])",
    re.IGNORECASE,
)
_FEWEST_CELLS = 16  # of the smallest usual board
_USUAL_CELLS = 81  # of the usual board
_SPELLED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELLED_DIGIT = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE)


def _with_usual_cells(lines: list[str]) -> list[str]:
    """Return the lines without brackets around cells, and with dots for words that mean empty."""
    text = "\n".join(lines)
    if len(_HEX.findall(text)) >= _FEWEST_CELLS:
        text = _without_hex(text)
    if len(_EMPTY.findall(text)) >= _FEWEST_BLANKS:
        text = _EMPTY.sub(".", text)
    # Beside digits, words such as "one" are part of a sentence.
    if len(_SPELLED_DIGIT.findall(text)) >= _FEWEST_CELLS and not re.search("[0-9]", text):
        text = _SPELLED_DIGIT.sub(lambda word: str(_SPELLED.index(word[0].lower())), text)
    boxed = [_BOXED.findall(line) for line in text.split("\n")]
    count = sum(map(len, boxed))
    # With as many boxed cells on each line none is missing, so they are cells, whatever is beside
    # them.
    has_digits = any(cell.isdigit() for cells in boxed for cell in cells)
    if count == _USUAL_CELLS and has_digits and len({len(cells) for cells in boxed if cells}) == 1:
        return ["".join(cell.strip() or "." for cell in cells) for cells in boxed]
    if count >= _FEWEST_CELLS and not _BOXED.sub("", text).strip(" \n|,"):
        text = _BOXED.sub(lambda match: f"{match[1].strip() or '.'} ", text)
    return text.split("\n")


# `0xB` in a program, and the wide blanks beside it.
_HEX = re.compile(r"\b0[xX]([0-9A-Fa-f]{1,2})\b")
_WIDE = re.compile(r"(?<!\S)([._*?-])\1+(?!\S)")


def _without_hex(text: str) -> str:
    """Return the text with B for 0xB, or with 11 if there are numbers up to 0x10."""
    numbers = [int(digits, 16) for digits in _HEX.findall(text)]
    is_series = max(numbers) < 16
    text = _WIDE.sub(r"\1", text)
    return _HEX.sub(lambda found: f"{int(found[1], 16):{'X' if is_series else 'd'}}", text)


def _with_usual_bars(lines: list[str]) -> list[str]:
    """Return the lines with bars for a sign that is at both ends of all rows, and in them."""
    for sign in "!:":
        drawn = [line for line in lines if sign in line]
        if len(drawn) >= 4 and all(map(_BARRED.fullmatch, drawn)):
            return [line.replace(sign, "|") for line in lines]
    return lines


def without_labels(lines: Sequence[str]) -> list[str] | None:
    """Return the lines without the labels of columns above a board and of rows beside it.

    None if there are none. Labels of columns are all of 1, 2, 3 ... or A, B, C ...; labels of rows
    begin all lines with cells, in order. A line of labels is emptied, not dropped.
    """
    shown = [n for n, line in enumerate(lines) if re.search(r"[\w.]", line)]
    if not shown:
        return None
    # Labels of columns are above a board, below it, or both.
    column_labels = {n for n in (shown[0], shown[-1]) if is_column_labels(lines[n])}
    labelled = [n for n in shown if n not in column_labels]
    labels = [_ROW_LABEL.match(lines[n] + " ") for n in labelled]
    found = list(lines)
    for number in column_labels:
        found[number] = ""
    # 4x4 is the smallest board, and fewer numbers in order may be cells.
    if len(labels) >= 4 and _are_in_order([match[1] if match else "" for match in labels]):
        for number, match in zip(labelled, labels, strict=True):
            assert match is not None
            found[number] = " " * match.end() + lines[number][match.end() :]
        return found
    return found if column_labels else None


def is_column_labels(line: str) -> bool:
    """Whether a line has only the labels of columns, in order.

    >>> is_column_labels("   A B C  D E F"), is_column_labels("| | 1 | 2 | 3 | 4 |")
    (True, True)
    >>> is_column_labels("5 3 4 6 7 8 9 1 2")
    False
    """
    words = re.findall(r"\[,[0-9]+\]|[^\s|;,&\"'*+-]+", line)
    # A first word that names the row labels is dropped. A row label is not, or else a row with all
    # digits after its label would be taken for column labels.
    is_row = (
        _COLUMN_LABEL_IN_TEXT.match(words[0]) or _ROW_LABEL.match(f"{line} ") if words else None
    )
    if words and (words[0].lower() in ("row", "rows", "#") or not is_row):
        del words[0]
    matches = [_COLUMN_LABEL_IN_TEXT.match(word) for word in words]
    return len(words) >= 4 and _are_in_order([match[1] if match else "" for match in matches])


def _are_in_order(labels: Sequence[str]) -> bool:
    """Whether labels are 1, 2, 3 ..., or A, B, C ..., or 0, 1, 2 ..."""
    count = len(labels)
    numbers = [str(n) for n in range(1, count + 1)]
    letters = [chr(ord("A") + n) for n in range(min(count, 26))]
    found = [label.upper().lstrip("0") or label[:1] for label in labels]
    return found in (numbers, letters, [str(n) for n in range(count)])


def without_prose(lines: Sequence[str]) -> list[str] | None:
    """Return the lines with sentences emptied; None if there is no sentence.

    Rows of letters are one word, as in `ABC.DEF.`, and a name beside a board has cells before it.
    """
    found = ["" if is_sentence(with_dots(line)) or _NOISE.match(line) else line for line in lines]
    return found if found != list(lines) else None


# A date, a shell command, the types of columns in R, table heads of R and of diffs.
_NOISE = re.compile(
    r"\s*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|\$|\$ [a-z].*)\s*$"
    r"|\s*(?:<[a-z]{3}>\s*)+$|# A tibble: "
    r"|(?:diff --git|index [0-9a-f]|@@ |\+\+\+ |--- )"
)


def without_links(lines: Sequence[str]) -> list[str] | None:
    """Return the lines, emptied if they have an address; None if no line has one."""
    found = ["" if _LINK.search(line) else line for line in lines]
    return found if found != list(lines) else None


# Mail programs wrap lines at 60 characters or later.
_FEWEST_WRAPPED = 60


def with_whole_links(lines: Sequence[str]) -> list[str] | None:
    """Return the lines with the pieces of a wrapped link joined; None if there is no such link.

    All pieces but the last are as long as the first line; in some mail each ends in `=`.
    """
    bare = [_undress_line(line).strip() for line in lines]
    for number, line in enumerate(bare):
        before, _, link = line.rpartition(" ")
        if len(line) < _FEWEST_WRAPPED or not is_link(link):
            continue
        pieces = [link]
        for piece in bare[number + 1 :]:
            is_last = len(pieces) > 1 and len(pieces[-1]) < len(line)
            if is_last or not piece or " " in piece or len(piece) > len(line) or is_link(piece):
                break
            pieces.append(piece)
        if len(pieces) > 1:
            if all(piece.endswith("=") for piece in pieces[:-1]):
                pieces = [
                    piece[:-1].replace("=3D", "=") for piece in [*pieces[:-1], pieces[-1] + "="]
                ]
            return [*bare[:number], f"{before} {''.join(pieces)}", *bare[number + len(pieces) :]]
    return None


# Signs at the end of a label: `First row: ...`, `a) ...`, `row1 = ...`.
_MARKS = re.compile(
    r"(?=[^:=)]*[A-Za-z0-9])[^:=)0-9]{0,40}[0-9]{0,2}[^:=)0-9]{0,10}(?::|=|\))(?=[\s\"'\[{.0-9])"
)
# Text before every line of a list, a comment or a diff, and of data in BASIC: `10 DATA 5,3,0`. In
# Markdown each item of a list may be `1.`.
_PREFIX = re.compile(
    r"\s*(?:(?:[-+*#%;|$]+|//+)[ \t]*|1[.)][ \t]+(?=\S{4})|\.[ \t]+"
    r"|[0-9]{0,5}[ \t]*DATA[ \t]+)(?=\S)",
    re.IGNORECASE,
)


def without_marked_labels(lines: Sequence[str]) -> list[str] | None:
    """Return the lines after labels that end in a sign, if nearly all lines have one; else None."""
    return _cut_alike(lines, _MARKS)


def without_prefix(lines: Sequence[str]) -> list[str] | None:
    """Return the lines without their common prefix, as of a list; None if not all have one.

    >>> without_prefix(["- 12", "- 3.", "- .4", "- .."])
    ['12', '3.', '.4', '..']
    """
    return _cut_alike(lines, _PREFIX)


def _cut_alike(lines: Sequence[str], pattern: "re.Pattern[str]") -> list[str] | None:
    shown = [line for line in lines if line.strip()]
    matches = [pattern.match(line) for line in shown]
    if len(shown) < 4 or not all(matches):
        return None
    return [line[match.end() :] for line, match in zip(shown, matches, strict=True) if match]


# As a semicolon may separate cells, and dashes may be cells, a comment after these has a word.
_COMMENT = re.compile(r"\s*(?:#|//|%|<!--|\(|(?<=\s)(?:;|--)\s*[A-Za-z]{2}).*$")


def without_comments(lines: Sequence[str]) -> list[str] | None:
    """Return the lines without comments after cells; None if there are none."""
    found = [
        _COMMENT.sub("", line) if re.match(r"[\s\"'|]*[0-9.]", line) else line for line in lines
    ]
    return found if found != list(lines) else None


def with_dots_for(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines with dots for a sign that may be a blank, once for each such sign.

    An O beside digits is a zero. Any other sign is a blank only if there are no usual ones.
    """
    if any(map(is_link, lines)) or _OBJECT.match("\n".join(lines)):
        return  # packed text in a link, and keys, would be changed
    # Lines of borders are left out: if one of their signs were a blank, there would be empty rows.
    text = "\n".join(line for line in lines if not (is_border(line) and re.search("[|+]", line)))
    if not re.search("[0-9]", text) and re.search("[A-Za-z]", text):
        return  # nothing shows which letters are digits and which are blanks
    zeros = re.sub("[oO]", "0", text)
    if zeros != text and not re.search("[A-NP-Za-np-z]", text):
        yield zeros.split("\n")
    if any(re.search("[.0]", line) and not _WORD.search(line) for line in lines):
        return
    counts = Counter(text)
    for sign, count in counts.items():
        # A frequent sign may be the blank, as a puzzle usually has more empty cells than digits.
        is_sign = not (sign.isspace() or sign.isdecimal() or sign in _BRACKETS)
        if count >= _FEWEST_BLANKS and is_sign:
            yield text.replace(sign, ".").split("\n")


_FEWEST_BLANKS = 9
_BRACKETS = "()[]{}<>"
_OBJECT = re.compile(r'\s*\[?\s*\{\s*"')
# Letters beside digits and dots may be digits of a larger board.
_WORD = re.compile(r"(?<![A-Za-z0-9.])[A-Za-z]{3,}(?![A-Za-z0-9])")
