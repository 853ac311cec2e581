"""Multi-sector locked sets: cells of four rows and four columns whose digits just suffice.

A digit has places in the open cells of such a set in some of its rows, and in some of its columns.
Each row or column holds it at most once: so the set holds the digit at most as often as it has rows
with it, or columns, whichever are fewer. Where all digits together come to as many as there are
cells, each of these lines has its digit inside of the set, so none of them has it outside.

Many SK loops are such sets too, told by lines in place of boxes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import digits_of, mask_of

_LINES = 4

# With fewer open cells a set is as a rule a subset, which has a name of its own.
_FEWEST_CELLS = 14

# An explanation looks for sets once, and once more after each, on boards with as many open cells. A
# search takes as long as several nets; at each step it took half of the time, and found no more.
_FEWEST_OPEN = 57
_LOOKED = (-1,)

# Fields of four bits, one for each digit; three of them fit into a table.
_BITS, _FIELDS = 4, 3
_CHUNK = 1 << _BITS * _FIELDS


class _Cover(NamedTuple):
    """What lines take of a digit: rows, or columns."""

    digit: int
    are_rows: bool
    lines: tuple[int, ...]


class _Column(NamedTuple):
    """How many open cells a column has in four rows, and fields about its digits there.

    `having` has a bit for each of the rows, `once` one for all of them.
    """

    cells: int
    having: int
    once: int


@lru_cache(maxsize=1)
def _counts() -> list[int]:
    """Return for every three fields the number of bits in each of them, in such fields."""
    counts = [0] * _CHUNK
    for value in range(_CHUNK):
        for field in range(_FIELDS):
            bits = value >> _BITS * field & 15
            counts[value] |= bits.bit_count() << _BITS * field
    return counts


@lru_cache(maxsize=1 << 16)
def _fewer(one: int, other: int) -> int:
    """Return the sum over three fields of the smaller of two counts."""
    return sum(min(one >> _BITS * f & 15, other >> _BITS * f & 15) for f in range(_FIELDS))


def _sets(
    digits_in: Mapping[int, int], size: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the rows and columns of each set whose digits just suffice for its cells."""
    counts = _counts()
    chunks = range(0, _BITS * size, _BITS * _FIELDS)
    for rows in combinations(range(size), _LINES):
        columns = [_column(digits_in, rows, column, size) for column in range(size)]
        useful = [column for column in range(size) if columns[column].cells]
        for four in combinations(useful, _LINES):
            one, two, three, last = (columns[column] for column in four)
            cells = one.cells + two.cells + three.cells + last.cells
            if cells < _FEWEST_CELLS:
                continue
            of_rows = one.having | two.having | three.having | last.having
            of_columns = one.once + two.once + three.once + last.once
            needed = 0
            for chunk in chunks:
                count = counts[of_rows >> chunk & _CHUNK - 1]
                needed += _fewer(count, of_columns >> chunk & _CHUNK - 1)
            if needed == cells:
                yield rows, four


def _column(digits_in: Mapping[int, int], rows: Sequence[int], column: int, size: int) -> _Column:
    """Return what four rows have in a column."""
    masks = [digits_in.get(row * size + column, 0) for row in rows]
    having = once = 0
    for place, mask in enumerate(masks):
        for digit in digits_of(mask):
            having |= 1 << _BITS * (digit - 1) + place
            once |= 1 << _BITS * (digit - 1)
    return _Column(sum(map(bool, masks)), having, once)


def _covers(digits_in: Mapping[int, int], cells: Sequence[int], size: int) -> Iterator[_Cover]:
    """Yield for each digit the lines that it takes: the rows or the columns, or both if equal."""
    for digit in digits_of(_all_of(digits_in[cell] for cell in cells)):
        places = [cell for cell in cells if digits_in[cell] >> digit & 1]
        rows = tuple(sorted({cell // size for cell in places}))
        columns = tuple(sorted({cell % size for cell in places}))
        if len(rows) <= len(columns):
            yield _Cover(digit, True, rows)
        if len(columns) <= len(rows):
            yield _Cover(digit, False, columns)


def _all_of(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _every(around: Around) -> Iterator[Finding]:
    """Yield what each set excludes, where that is anything."""
    position = around.position
    board = position.board
    size = board.puzzle.geometry.size
    if size != 9 or {"row", "column"} - {unit.kind for unit in board.puzzle.constraints.units}:
        return
    truths = {t.cell: t for t in position.open_truths if t.unit is None}
    in_cells = board.digits_in(position.left)
    digits_in = {cell: in_cells[cell] for cell in truths}
    for rows, columns in _sets(digits_in, size):
        around.budget.require()
        cells = [row * size + column for row, column in product(rows, columns)]
        cells = [cell for cell in cells if cell in digits_in]
        inside = set(cells)
        gone = 0
        for digit, are_rows, lines in _covers(digits_in, cells, size):
            gone |= mask_of(
                board.number_of[cell, digit]  # type: ignore[index]
                for cell, mask in digits_in.items()
                if mask >> digit & 1
                and cell not in inside
                and (cell // size if are_rows else cell % size) in lines
            )
        if gone:
            found: tuple[Truth, ...] = tuple(truths[cell] for cell in cells)
            yield Finding(Technique.LOCKED_LINES, found, excludes=tuple(candidates_of(gone)))


def _find(around: Around) -> Finding | None:
    """Return the set that excludes most, where the board is still open enough for sets."""
    if around.position.open_in[-1] < _FEWEST_OPEN or _LOOKED in around.tried:
        return None
    found = max(_every(around), key=lambda finding: len(finding.excludes), default=None)
    if found is None:
        around.tried[_LOOKED] = ()
    return found


def _tell(names: Names, step: Step) -> str:
    """Return the cells, how often each digit is there at most, and that this is what they need."""
    size = names.board.puzzle.geometry.size
    in_cells = names.board.digits_in(step.before)
    cells = [truth.cell for truth in step.truths]
    digits_in = {cell: in_cells[cell] for cell in cells}
    told, seen = [], set[int]()
    for digit, are_rows, lines in _covers(digits_in, cells, size):
        if digit not in seen:
            seen.add(digit)
            kind = "row" if are_rows else "column"
            some = f"{kind}s" if len(lines) > 1 else kind
            told.append(f"{names.digit(digit)} in {some} {', '.join(str(n + 1) for n in lines)}")
    return (
        f"{names.cells(cells)} can hold {'; '.join(told)}, once in each line: that is just "
        f"{len(cells)} digits for {len(cells)} cells, so these lines have none of them elsewhere; "
        f"so {names.without(step.excludes)}"
    )


SEARCH = Search(
    {Technique.LOCKED_LINES: ("Sunnie: multi-sector locked set", "SudokuWiki: SK loop")},
    Level.PATTERNS,
    _find,
    _every,
    _tell,
)
