"""Links of penpa-edit: a drawing, of which givens, borders of regions and cages have a meaning.

A link has `p=` and deflated text in base64. Its first line has the kind and the size of the
drawing, then `Title: ` and `Author: ` with their texts, a source, and the rules in words. The
second line has its margins in rows and columns, the fourth a JSON object of what is drawn, with
short names: `zN` has numbers by their cells, `zE` borders, `z6` cages, `z1` small numbers in
corners.

Cells are numbered row by row on a drawing that is two cells wider at each side. After them, in the
same order, come their bottom right corners; a border is named by the two corners that it joins.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from satdoku.errors import CutShortError, RuleError, quote
from satdoku.notation.exchange.foreign import ForeignBoard, geometry_of
from satdoku.notation.exchange.seen import LONGEST_PACKED
from satdoku.puzzle.puzzle import Publication

PROGRAM = "penpa-edit"

# Longest inflated text, in characters: no drawing of a board is as long, and a short link can be
# inflated to any length.
_LONGEST_TEXT = 1 << 20
_AROUND = 2
_THICK = (2, 21)
"""The styles of borders that separate regions; thinner ones only decorate."""
_DRAWN = {
    "zS": "coloured cells",
    "zY": "symbols",
    "zL": "lines",
    "zF": "free lines",
    "z2": "free borders",
    "zT": "thermometers",
    "z7": "thermometers without bulbs",
    "z3": "arrows",
    "zD": "directions",
    "z0": "frames",
    "z5": "polygons",
    "zW": "walls",
    "zC": "cage borders",
}


class _Sheet(NamedTuple):
    """The drawing: its width with the surroundings, and where the board begins on it."""

    width: int
    height: int
    top: int
    left: int
    size: int

    def cell(self, index: int) -> int | None:
        """Return the cell of the board at a place of the drawing; None outside of it."""
        row, column = index // self.width - self.top, index % self.width - self.left
        is_inside = 0 <= row < self.size and 0 <= column < self.size
        return row * self.size + column if is_inside else None


def read_penpa(packed: str) -> ForeignBoard:
    """Return the contents of the drawing; a RuleError if it is no square board, or unclear."""
    lines = _inflate(packed).split("\n")
    if len(lines) < 4:
        raise RuleError("the packed text of this link is no drawing")
    sheet = _sheet_of(lines[0], _json(lines[1]))
    # penpa-edit shortens `null` and the usual keys to letters after a `z`.
    drawing = _json(lines[3].replace("zO", "null"))
    if not isinstance(drawing, dict):
        raise RuleError("the packed text of this link is no drawing")
    foreign = ForeignBoard(PROGRAM, geometry_of(sheet.size))
    foreign.name, author, rules_text = _words(lines[0])
    foreign.publication = Publication(author, rules_text)
    others = _read_numbers(foreign, sheet, _entries(drawing, "zN"))
    _read_regions(foreign, sheet, _entries(drawing, "zE"))
    cages = drawing.get("z6") or []
    others += _read_cages(foreign, sheet, cages, _entries(drawing, "z1"))
    kinds = [words for key, words in _DRAWN.items() if drawing.get(key)]
    kinds += ["some numbers or cages"] if others else []
    if kinds:
        foreign.drawn.append(f"drawings ({', '.join(kinds)})")
    return foreign


def _inflate(packed: str) -> str:
    if len(packed) > LONGEST_PACKED:
        raise RuleError(
            f"this link has {len(packed):,} characters; up to {LONGEST_PACKED:,} are read"
        )
    try:
        # A plus becomes a blank if a link is decoded as a form, and padding is often left out.
        data = base64.b64decode(packed.replace(" ", "+") + "=" * (-len(packed) % 4))
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        text = inflater.decompress(data, _LONGEST_TEXT)
    except (ValueError, zlib.error):
        raise RuleError("the packed text of this link is damaged") from None
    if inflater.unconsumed_tail:
        raise RuleError("the packed text of this link is longer than any board")
    if not inflater.eof:
        raise CutShortError
    return text.decode("utf-8", "replace")


_TITLE, _AUTHOR = "Title: ", "Author: "
_RULES_BEHIND_AUTHOR = 2
# Signs that would end a field of the first line or the address, by the codes that stand for them.
_SIGNS = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}


def _words(header: str) -> tuple[str, str, str]:
    """Return title, author and rules of the first line; empty texts where it has none."""
    fields = header.split(",")
    title = next((field for field in fields if field.startswith(_TITLE)), _TITLE)
    at = next((n for n, field in enumerate(fields) if field.startswith(_AUTHOR)), len(fields))
    author, rules = ("".join(fields[n : n + 1]) for n in (at, at + _RULES_BEHIND_AUTHOR))
    found = (title.removeprefix(_TITLE), author.removeprefix(_AUTHOR), rules)
    return tuple(map(_with_signs, found))  # type: ignore[return-value]


def _with_signs(text: str) -> str:
    for written, sign in _SIGNS.items():
        text = text.replace(written, sign)
    return text.strip()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RuleError("the packed text of this link is no drawing") from None


def _sheet_of(header: str, margins: Any) -> _Sheet:
    kind, *numbers = header.split(",")
    sides = numbers[:2]
    if kind not in ("square", "sudoku") or not all(n.isdecimal() and len(n) < 3 for n in sides):
        raise RuleError(f"a drawing of the kind {quote(kind)} is no board of squares")
    columns, rows = map(int, sides)
    is_margin = isinstance(margins, list) and len(margins) == 4
    if not is_margin or not all(type(n) is int and n >= 0 for n in margins):
        raise RuleError("the margins of this drawing are not four numbers")
    top, bottom, left, right = margins
    height, width = rows - top - bottom, columns - left - right
    if height != width:
        raise RuleError(f"satdoku does not read a board of {height} rows and {width} columns")
    around = 2 * _AROUND
    return _Sheet(columns + around, rows + around, top + _AROUND, left + _AROUND, width)


def _entries(drawing: Mapping[str, Any], key: str) -> dict[int | tuple[int, ...], Any]:
    """Return the entries of an object by place: a number, or two of them."""
    found: dict[int | tuple[int, ...], Any] = {}
    listed = drawing.get(key) or {}
    for name, value in listed.items() if isinstance(listed, dict) else ():
        numbers = name.split(",")
        if all(number.isdecimal() and len(number) < 7 for number in numbers):
            place = tuple(map(int, numbers))
            found[place[0] if len(place) == 1 else place] = value
    return found


def _read_numbers(foreign: ForeignBoard, sheet: _Sheet, numbers: Mapping[Any, Any]) -> int:
    """Add the givens; return the number of other texts."""
    others = 0
    for index, value in numbers.items():
        text = str(value[0]) if isinstance(value, list) and value else ""
        cell = sheet.cell(index)
        if cell is None or not text.isdecimal():
            others += bool(text.strip())
        else:
            foreign.add_digit(*divmod(cell, sheet.size), text)
    return others


def _read_regions(foreign: ForeignBoard, sheet: _Sheet, borders: Mapping[Any, Any]) -> None:
    """Read regions as cells not separated by thick borders; usual boxes if there are none."""
    thick = {tuple(sorted(corners)) for corners, style in borders.items() if style in _THICK}
    region_of: list[int | None] = [None] * sheet.size**2
    count = 0
    for start in range(sheet.size**2):
        if region_of[start] is None:
            count += 1
            waiting = [start]
            while waiting:
                cell = waiting.pop()
                if region_of[cell] is None:
                    region_of[cell] = count
                    waiting += _neighbours(cell, sheet, thick)
    if count > 1:
        foreign.set_regions(region_of)


def _neighbours(cell: int, sheet: _Sheet, thick: set[tuple[int, ...]]) -> Iterator[int]:
    """Yield the cells beside a cell that no thick border separates from it."""
    row, column = divmod(cell, sheet.size)
    # The corner at the bottom right of the cell, numbered after all cells.
    corner = sheet.width * (sheet.height + row + sheet.top) + column + sheet.left
    left, above = corner - 1, corner - sheet.width
    beside = {
        (above, corner): (row, column + 1),
        (above - 1, left): (row, column - 1),
        (left, corner): (row + 1, column),
        (above - 1, above): (row - 1, column),
    }
    for border, (to_row, to_column) in beside.items():
        is_inside = 0 <= to_row < sheet.size and 0 <= to_column < sheet.size
        if is_inside and border not in thick:
            yield to_row * sheet.size + to_column


def _read_cages(
    foreign: ForeignBoard, sheet: _Sheet, cages: Any, corners: Mapping[Any, Any]
) -> int:
    """Add the cages with a sum in a corner; return how many cages and small numbers are left."""
    sums = {}
    for index, value in corners.items():
        text = str(value[0]).strip() if isinstance(value, list) and value else ""
        # Each cell has four places for small numbers, numbered after four kinds of points.
        cell = sheet.cell(index // 4 - sheet.width * sheet.height)
        if text.isdecimal() and cell is not None:
            sums[cell] = text
    left = 0
    for number, cage in enumerate(cages if isinstance(cages, list) else [], 1):
        places = cage if isinstance(cage, list) else []
        cells = [sheet.cell(index) if type(index) is int else None for index in places]
        names = [foreign.geometry.name_of(cell) for cell in cells if cell is not None]
        total = next((sums.pop(cell) for cell in cells if cell in sums), None)
        if total is None or len(names) != len(cells):
            left += 1
        else:
            foreign.add_rule("killer", f"{total}={','.join(names)}", f"cage {number}")
    return left + len(sums)
