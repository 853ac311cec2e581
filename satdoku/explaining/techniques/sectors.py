"""Multi-sector locked sets and SK loops: n cells whose rows, columns and boxes allow just n digits.

For each digit, its places in the set are covered by some units, each of which holds the digit at
most once. If the numbers of units, over all digits, sum to the number of cells, each unit has its
digit inside the set, so none has it outside.

The cells of a multi-sector locked set lie in four rows and four columns, and each digit is counted
in the rows or in the columns, whichever are fewer. The cells of an SK loop lie around the corners
of a rectangle in four boxes: at each corner two in its row and two in its column, within its box.
Each digit is counted in a chain of lines and boxes around the loop.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import NamedTuple

from satdoku.errors import join, word_of
from satdoku.explaining.board import LINES, Board, candidates_of, has_boxes_of_nine
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Unit

_SIZE = 9
_LINES = 4

# The fewest open cells of a set: a smaller one is usually a subset, which has its own name.
_FEWEST_CELLS = 14

# Explanations search for sets only on boards with at least this many open cells: later there are
# hardly any.
_FEWEST_OPEN = 57
_LOOKED = (-1,)

# The candidate digits of each open cell, as masks.
_Digits = Mapping[int, int]

# A digit, and all choices of the fewest units that cover its places in a set.
_Cover = tuple[int, tuple[tuple[Unit, ...], ...]]


class _Lanes(NamedTuple):
    """Tables over all choices of four columns, as integers with a byte for each choice.

    For a mask of columns, `having` has the number of them in each choice, `meeting` whether there
    is any. `guards` has the highest bit of each byte.
    """

    choices: list[tuple[int, ...]]
    having: list[int]
    meeting: list[int]
    guards: int


@lru_cache(maxsize=1)
def _lanes() -> _Lanes:
    choices = list(combinations(range(_SIZE), _LINES))
    lane = [
        sum(1 << 8 * place for place, choice in enumerate(choices) if column in choice)
        for column in range(_SIZE)
    ]
    having, meeting = [0], [0]
    for mask in range(1, 1 << _SIZE):
        rest, lowest = mask & (mask - 1), lane[(mask & -mask).bit_length() - 1]
        having.append(having[rest] + lowest)
        meeting.append(meeting[rest] | lowest)
    return _Lanes(choices, having, meeting, sum(128 << 8 * n for n in range(len(choices))))


def _sectors(digits_in: _Digits) -> Iterator[list[int]]:
    """Yield the cells of four rows and columns that can hold only as many digits as cells."""
    lanes = _lanes()
    guards, having, meeting = lanes.guards, lanes.having, lanes.meeting
    # For each row and digit the columns of the digit's places as a mask; at 0 those of any digit.
    places = [[0] * (_SIZE + 1) for _ in range(_SIZE)]
    for cell, mask in digits_in.items():
        row, column = divmod(cell, _SIZE)
        for digit in (0, *digits_of(mask)):
            places[row][digit] |= 1 << column
    for rows in combinations(range(_SIZE), _LINES):
        cells = sum(having[places[row][0]] for row in rows)
        needed = 0
        for digit in range(1, _SIZE + 1):
            in_rows = across = 0
            for row in rows:
                across |= places[row][digit]
                in_rows += meeting[places[row][digit]]
            in_columns = having[across]
            # Bytes with all bits set if the digit lies in fewer rows than columns.
            fewer = ~((in_rows | guards) - in_columns) & guards
            fewer = (fewer << 1) - (fewer >> 7)
            needed += in_columns ^ (in_rows ^ in_columns) & fewer
        # A byte keeps its guard if the two numbers are the same.
        tight = ~((needed ^ cells) + guards - (guards >> 7)) & guards
        for lane in digits_of(tight):
            four = lanes.choices[lane // 8]
            found = [row * _SIZE + column for row, column in product(rows, four)]
            yield [cell for cell in found if cell in digits_in]


def _covers_of_sector(digits_in: _Digits, units: "_Units", cells: Iterable[int]) -> list[_Cover]:
    """Return for each digit the rows or the columns that cover it, whichever are fewer, or both."""
    covers = []
    held = {cell: digits_in[cell] for cell in cells}
    for digit in digits_of(reduce(or_, held.values(), 0)):
        places = [cell for cell, mask in held.items() if mask >> digit & 1]
        rows = {cell // _SIZE for cell in places}
        columns = {cell % _SIZE for cell in places}
        ways = [
            tuple(units["row", row] for row in sorted(rows)),
            tuple(units["column", column] for column in sorted(columns)),
        ]
        fewest = min(len(rows), len(columns))
        covers.append((digit, tuple(way for way in ways if len(way) == fewest)))
    return covers


class _Loop(NamedTuple):
    """The eight pieces of a loop, each of two cells, and the eight units between them in turn.

    Each piece lies both in the unit before it and in the unit after it.
    """

    pieces: tuple[tuple[int, int], ...]
    units: tuple[tuple[str, int], ...]

    @property
    def cells(self) -> list[int]:
        return [cell for piece in self.pieces for cell in piece]


def _loop(corners: Iterable[int]) -> _Loop:
    """Return the loop around the corners, given in turn, of a rectangle in four boxes."""
    pieces: list[tuple[int, int]] = []
    units = []
    for number, corner in enumerate(corners):
        row, column = divmod(corner, _SIZE)
        along, across = _pieces(corner)
        # At every second corner the loop arrives along a row and leaves along a column.
        pieces += (along, across) if number % 2 else (across, along)
        box = ("box", row // 3 * 3 + column // 3)
        units += [box, ("column", column) if number % 2 else ("row", row)]
    return _Loop(tuple(pieces), tuple(units))


def _pieces(corner: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the two cells beside a corner in its row and the two in its column, within its box."""
    row, column = divmod(corner, _SIZE)
    one, two = (row * _SIZE + other for other in _others_of_three(column))
    three, four = (other * _SIZE + column for other in _others_of_three(row))
    return (one, two), (three, four)


def _others_of_three(line: int) -> list[int]:
    return [other for other in range(line // 3 * 3, line // 3 * 3 + 3) if other != line]


@lru_cache(maxsize=256)
def _fewest_units(pieces: int) -> tuple[int, ...]:
    """Return the smallest sets of the eight units of a loop that cover some of its cell groups.

    `pieces` is the mask of these groups; group n lies in the units n - 1 and n.
    """
    ways = [w for w in range(256) if not pieces & ~(w | w << 1 | w >> 7)]
    fewest = min(map(int.bit_count, ways))
    return tuple(way for way in ways if way.bit_count() == fewest)


def _covers_of_loop(digits_in: _Digits, units: "_Units", loop: _Loop) -> list[_Cover]:
    """Return for each digit the smallest choices of units around a loop that cover it."""
    return [
        (
            digit,
            tuple(
                tuple(units[loop.units[n]] for n in digits_of(way)) for way in _fewest_units(pieces)
            ),
        )
        for digit, pieces in _pieces_with(digits_in, loop).items()
    ]


def _pieces_with(digits_in: _Digits, loop: _Loop) -> dict[int, int]:
    """Return for each digit around a loop the mask of the pieces that have it."""
    masks = [_either_digit(digits_in, piece) for piece in loop.pieces]
    return {
        digit: sum(1 << place for place, mask in enumerate(masks) if mask >> digit & 1)
        for digit in digits_of(reduce(or_, masks, 0))
    }


def _either_digit(digits_in: _Digits, piece: tuple[int, int]) -> int:
    """Return the mask of the digits that one or both cells of a piece may hold."""
    return digits_in.get(piece[0], 0) | digits_in.get(piece[1], 0)


def _tight_loops(digits_in: _Digits) -> Iterator[_Loop]:
    """Yield the loops that can hold only as many digits as cells, with a cell in every piece."""
    # For each corner the number of open cells beside it, and of digits in its two pieces.
    beside: dict[int, tuple[int, int]] = {}
    for corner in range(_SIZE * _SIZE):
        pieces = _pieces(corner)
        masks = [_either_digit(digits_in, piece) for piece in pieces]
        if all(masks):
            cells = sum(cell in digits_in for piece in pieces for cell in piece)
            beside[corner] = cells, sum(map(int.bit_count, masks))
    apart = [(one, two) for one, two in combinations(range(_SIZE), 2) if one // 3 != two // 3]
    for (top, bottom), (left, right) in product(apart, apart):
        rows = top * _SIZE, bottom * _SIZE
        corners = rows[0] + left, rows[0] + right, rows[1] + right, rows[1] + left
        found = [beside[corner] for corner in corners if corner in beside]
        # A unit covers a digit in two pieces at most.
        if len(found) == len(corners) and sum(d - 2 * cells for cells, d in found) <= 0:
            loop = _loop(corners)
            pieces_of_digits = _pieces_with(digits_in, loop).values()
            needed = sum(_fewest_units(each)[0].bit_count() for each in pieces_of_digits)
            if needed == sum(cells for cells, _ in found):
                yield loop


# The units of a board by kind and number.
_Units = Mapping[tuple[str, int], Unit]


def _units_of(board: Board) -> _Units:
    units = board.puzzle.constraints.units
    return {(unit.kind, unit.number): unit for unit in units if unit.number is not None}


def _every(around: Around) -> Iterator[Finding]:
    """Yield the findings of all sets that exclude something, loops first."""
    position = around.position
    board = position.board
    units = _units_of(board)
    # The last column tells 9x9 from boards of 9 digits with shorter rows.
    has_lines = {(LINES[0], 0), (LINES[1], _SIZE - 1)} <= units.keys()
    if board.puzzle.geometry.size != _SIZE or not has_lines:
        return
    # Cells beside the board, which a rule may use, are in no row.
    truths = {t.cell: t for t in position.open_truths if t.unit is None and t.cell < _SIZE**2}
    in_cells = board.digits_in(position.left)
    digits_in = {cell: in_cells[cell] for cell in truths}
    for technique, cells, covers in _every_set(digits_in, units):
        around.budget.require()
        gone = _outside(board, digits_in, set(cells), covers)
        if gone:
            found = tuple(truths[cell] for cell in sorted(cells))
            yield Finding(technique, found, excludes=tuple(candidates_of(gone)))


def _every_set(
    digits_in: _Digits, units: _Units
) -> Iterator[tuple[Technique, list[int], list[_Cover]]]:
    """Yield the cells and covers of each set that has enough cells."""
    if has_boxes_of_nine(units.values()):
        for loop in _tight_loops(digits_in):
            inside = [cell for cell in loop.cells if cell in digits_in]
            if len(inside) >= _FEWEST_CELLS:
                yield Technique.SK_LOOP, inside, _covers_of_loop(digits_in, units, loop)
    for cells in _sectors(digits_in):
        if len(cells) >= _FEWEST_CELLS:
            yield Technique.LOCKED_LINES, cells, _covers_of_sector(digits_in, units, cells)


def _outside(board: Board, digits_in: _Digits, inside: set[int], covers: list[_Cover]) -> int:
    """Return the mask of the candidates that a set excludes in its units outside of its cells."""
    gone = set()
    for digit, ways in covers:
        gone |= {
            board.number_of[cell, digit]  # type: ignore[index]
            for way in ways
            for unit in way
            for cell in unit.cells
            if cell not in inside and digits_in.get(cell, 0) >> digit & 1
        }
    return mask_of(gone)


def _find(around: Around) -> Finding | None:
    """Return the set that excludes most; None if the board has too few open cells for sets."""
    if around.position.open_in[-1] < _FEWEST_OPEN or _LOOKED in around.tried:
        return None
    # Ties go to loops, which come first.
    found = max(_every(around), key=lambda finding: len(finding.excludes), default=None)
    if found is None:
        around.tried[_LOOKED] = ()
    return found


def _covers_told(names: Names, step: Deduction) -> list[_Cover]:
    """Return the digits of a set with their units."""
    cells = sorted(truth.cell for truth in step.truths)
    in_cells = names.board.digits_in(step.before)
    digits_in = {cell: in_cells[cell] for cell in cells}
    units = _units_of(names.board)
    if step.technique is Technique.LOCKED_LINES:
        return _covers_of_sector(digits_in, units, cells)
    loop = next(loop for loop in _tight_loops(digits_in) if set(cells) <= set(loop.cells))
    return _covers_of_loop(digits_in, units, loop)


def _tell(names: Names, step: Deduction) -> str:
    """Return a sentence with the cells, how often they can hold each digit, and why they must."""
    cells = {truth.cell for truth in step.truths}
    told = []
    for digit, (way, *_) in _covers_told(names, step):
        kinds: dict[str, list[Unit]] = {}
        for unit in way:
            kinds.setdefault(unit.kind, []).append(unit)
        where = " and ".join(map(names.units, kinds.values()))
        number = f"one {names.digit(digit)}"
        if len(way) > 1:
            number = f"{word_of(len(way))} {names.digit(digit)}s"
        told.append(f"{number} ({where})")
    has_boxes = step.technique is Technique.SK_LOOP
    each, units = ("line or box", "lines and boxes") if has_boxes else ("line", "lines")
    return (
        f"{_where(names, step, cells)}. No {each} has a digit twice, so these cells hold at most "
        f"{join(told)}. That is {len(cells)} digits for {len(cells)} cells, so none can be "
        f"missing: each of the {units} in brackets has its digit in these cells and nowhere else; "
        f"so {names.without(step.excludes)}"
    )


def _where(names: Names, step: Deduction, cells: set[int]) -> str:
    """Name the cells of a set by the lines that cross there, or else one by one."""
    rows = {cell // _SIZE for cell in cells}
    columns = {cell % _SIZE for cell in cells}
    left = names.board.digits_in(step.before)
    crossings = {row * _SIZE + column for row, column in product(rows, columns)}
    if {cell for cell in crossings if left.get(cell, 0).bit_count() > 1} != cells:
        return f"look at the {len(cells)} cells {names.cells(cells)}"
    listed = (join([str(line + 1) for line in sorted(lines)]) for lines in (rows, columns))
    return "rows {} cross columns {} in {} open cells".format(*listed, len(cells))


SEARCH = Search(
    {
        Technique.SK_LOOP: ("SudokuWiki: SK loop", "Sunnie: domino loop"),
        Technique.LOCKED_LINES: ("Sunnie: multi-sector locked set",),
    },
    Level.PATTERNS,
    _find,
    _every,
    _tell,
)
