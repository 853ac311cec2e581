"""Junior and double exocets: the digits of two base cells must also be those of two target cells.

The *base* are two cells in a line of a box, with three or four candidate digits together. The
*targets* lie in the two other boxes along that line, one in each, in the other two lines of the
band. In each target's crossing line, the band's third cell, neither the target nor in the base's
line, has no digit of the base. Outside the band, in the three lines that cross at the targets and
at the third cell of the base's line, two lines (in either direction) cover all places of each base
digit. So the targets hold the two digits of the base, and their other candidates are excluded;
which pairs of digits can be placed at all excludes more.

The truths of an exocet are the two cells of the base, and each base digit in the three crossing
lines. Candidates that every choice of their members excludes are excluded, which covers compatible
pairs, mirrors and cover lines without rules of their own.

A *double exocet* is a pair of exocets in one band with the same digits and crossing lines: the four
base cells, and these digits in these lines, exclude more together.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of

_FEWEST_DIGITS, _MOST_DIGITS = 3, 4

# Explanations search for exocets only on boards with at least this many open cells: later there are
# none.
_FEWEST_OPEN = 54

# The most choices to examine: many pairs of digits may be placed in many ways.
_MOST_CHOICES = 4_000


class _Exocet(NamedTuple):
    """The cells of the base and the targets, the digits as a mask, and the crossing lines.

    `kind` is the kind of the crossing lines; `lines` are their numbers.
    """

    base: tuple[int, int]
    targets: tuple[int, int]
    digits: int
    kind: str
    lines: tuple[int, int, int]


class _Sheet:
    """The candidates of a position, cell by cell, seen along rows or along columns."""

    def __init__(self, position: Position, is_turned: bool) -> None:
        board = position.board
        geometry = board.puzzle.geometry
        self.size = geometry.size
        self.kind = "row" if is_turned else "column"
        self._is_turned = is_turned
        self.height, self.width = geometry.box_rows, geometry.box_columns
        if is_turned:
            self.height, self.width = self.width, self.height
        digits = list(board.puzzle.grid.digits)
        for candidate in candidates_of(position.placed):
            cell, digit = board.placements[candidate]
            digits[cell] = digit
        self.open = board.digits_in(position.left & ~position.placed)
        for cell, digit in enumerate(digits):
            if digit:
                self.open.pop(cell, None)
        filled = {cell: 1 << digit for cell, digit in enumerate(digits) if digit}
        # The digits that each cell may hold, as a mask.
        self.may_be = self.open | filled

    def cell(self, along: int, across: int) -> int:
        """Return the cell where a line and a crossing line meet."""
        return across * self.size + along if self._is_turned else along * self.size + across


def _exocets(sheet: _Sheet) -> Iterator[_Exocet]:
    """Yield the exocets along the lines of a sheet."""
    for first in range(0, sheet.size, sheet.height):
        band = range(first, first + sheet.height)
        for line, start in product(band, range(0, sheet.size, sheet.width)):
            crossing = range(start, start + sheet.width)
            for pair in combinations(crossing, 2):
                one, two = (sheet.cell(line, across) for across in pair)
                digits = sheet.open.get(one, 0) | sheet.open.get(two, 0)
                both_open = one in sheet.open and two in sheet.open
                if both_open and _FEWEST_DIGITS <= digits.bit_count() <= _MOST_DIGITS:
                    escape = next(across for across in crossing if across not in pair)
                    yield from _with_targets(sheet, band, line, (one, two), escape, digits)


def _with_targets(
    sheet: _Sheet,
    band: Sequence[int],
    line: int,
    base: tuple[int, int],
    escape: int,
    digits: int,
) -> Iterator[_Exocet]:
    """Yield the exocets of a base, one for each pair of targets."""
    boxes: dict[int, list[tuple[int, int]]] = {}
    own = escape // sheet.width
    for across in range(sheet.size):
        if across // sheet.width != own:
            cells = [sheet.cell(along, across) for along in band if along != line]
            having = [cell for cell in cells if sheet.may_be.get(cell, 0) & digits]
            if len(having) == 1 and having[0] in sheet.open:
                boxes.setdefault(across // sheet.width, []).append((across, having[0]))
    # The targets lie in different boxes, other than the base's.
    for (across, target), (across_2, target_2) in _each_two(list(boxes.values())):
        lines = (escape, across, across_2)
        if all(_is_covered(sheet, band, lines, digit) for digit in digits_of(digits)):
            yield _Exocet(base, (target, target_2), digits, sheet.kind, lines)


def _each_two(
    boxes: Sequence[list[tuple[int, int]]],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for one, two in combinations(boxes, 2):
        yield from product(one, two)


def _is_covered(sheet: _Sheet, band: Sequence[int], lines: Sequence[int], digit: int) -> bool:
    """Whether two lines cover a digit's places outside a band in these crossing lines."""
    outside = [along for along in range(sheet.size) if along not in band]
    places = {
        (along, across)
        for along, across in product(outside, lines)
        if sheet.may_be.get(sheet.cell(along, across), 0) >> digit & 1
    }
    rows = {along for along, _ in places}
    columns = {across for _, across in places}
    if len(rows) <= 2 or len(columns) <= 2:
        return True
    return any(
        len({along for along, other in places if other != across}) <= 1 for across in columns
    )


def _every(around: Around) -> Iterator[Finding]:
    """Yield the findings of all exocets, single ones and double ones."""
    position = around.position
    board = position.board
    geometry = board.puzzle.geometry
    is_square = geometry.is_plain and geometry.box_columns == geometry.box_rows
    if not is_square or geometry.size != geometry.box_rows * 3:
        return
    cells = {t.cell: t for t in position.open_truths if t.unit is None}
    lines = {
        (t.unit.kind, t.unit.number, t.digit): t for t in position.open_truths if t.unit is not None
    }
    for is_turned in (False, True):
        exocets = list(_exocets(_Sheet(position, is_turned)))
        doubles = [pair for pair in combinations(exocets, 2) if _are_double(*pair)]
        for some in (*((exocet,) for exocet in exocets), *doubles):
            around.budget.require()
            wanted = product(digits_of(some[0].digits), sorted(some[0].lines))
            crossing = (lines.get((some[0].kind, line, digit)) for digit, line in wanted)
            bases = (cells[cell] for exocet in some for cell in exocet.base)
            finding = _finding(around, (*bases, *filter(None, crossing)), len(some) > 1)
            if finding is not None:
                yield finding


def _are_double(one: _Exocet, other: _Exocet) -> bool:
    """Whether two exocets have the same digits and crossing lines, but bases in two boxes."""
    return (
        one.digits == other.digits
        and set(one.lines) == set(other.lines)
        and one.lines[0] != other.lines[0]
    )


def _finding(around: Around, truths: tuple[Truth, ...], is_double: bool) -> Finding | None:
    """Return the exclusions of these truths; None if there are none (kept until members go)."""
    position = around.position
    masks = tuple(truth.members & position.left for truth in truths)
    key = tuple(truth.number for truth in truths)
    if around.tried.get(key) == masks:
        return None
    excluded = excluded_by(masks, position.board.links, position.left, _MOST_CHOICES)
    if not excluded:
        around.tried[key] = masks
        return None
    name = Technique.DOUBLE_EXOCET if is_double else Technique.JUNIOR_EXOCET
    return Finding(name, truths, excludes=tuple(candidates_of(excluded)))


def _find(around: Around) -> Finding | None:
    """Return the exocet that excludes most; ties go to the one with fewer truths."""
    if around.position.open_in[-1] < _FEWEST_OPEN:
        return None
    return max(
        _every(around),
        key=lambda finding: (len(finding.excludes), -len(finding.truths)),
        default=None,
    )


def _tell(names: Names, step: Step) -> str:
    """Return a sentence with the base, its digits, and the lines in which these must be placed."""
    base = [truth.cell for truth in step.truths if truth.unit is None]
    digits = {truth.digit for truth in step.truths if truth.unit is not None}
    units = {t.unit.number or 0: t.unit for t in step.truths if t.unit is not None}
    name, where = names.digits(digits, "or"), names.units([units[n] for n in sorted(units)])
    return (
        f"{names.cells(base)} can only be {name}, and each of these digits has a place in {where}; "
        f"of all ways to place them there, none leaves room for what goes; "
        f"so {names.without(step.excludes)}"
    )


SEARCH = Search(
    {
        Technique.JUNIOR_EXOCET: ("SudokuWiki: exocet", "Sunnie: junior exocet"),
        Technique.DOUBLE_EXOCET: ("SudokuWiki: double exocet", "Sunnie: double exocet"),
    },
    Level.PATTERNS,
    _find,
    _every,
    _tell,
)
