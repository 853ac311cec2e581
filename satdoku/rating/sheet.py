"""What is left of a board, and the steps of Sudoku Explainer on lines, boxes and single digits.

Each function looks over a sheet for one technique and yields every move that it allows, with the
number that the program gives it. So where a number or a bound here seems odd, it is that program's:
an estimate is to go wrong where the program does.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import and_, or_
from typing import NamedTuple

from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.geometry import Geometry

# Sudoku Explainer knows no other board. Masks of cells have a bit for each cell.
_BOARD = Geometry(3, 3)
CELLS = _BOARD.cell_count
ALL_CELLS = (1 << CELLS) - 1
_BOXES, _ROWS, _COLUMNS = (
    [mask_of(unit.cells) for unit in units] for units in (_BOARD.boxes, _BOARD.rows, _BOARD.columns)
)
# A unit's place in this list, divided by nine, is its kind.
UNITS = [*_BOXES, *_ROWS, *_COLUMNS]
CELLS_OF = [digits_of(unit) for unit in UNITS]
UNITS_OF = [[n for n, unit in enumerate(UNITS) if unit >> cell & 1] for cell in range(CELLS)]
PEERS = [mask_of(_BOARD.peers_of(cell)) for cell in range(CELLS)]
_BOX, _ROW, _COLUMN = range(3)
_CROSSINGS = [
    (box, line, kind)
    for kind, lines in ((_ROW, _ROWS), (_COLUMN, _COLUMNS))
    for box in _BOXES
    for line in lines
    if box & line
]


class Move(NamedTuple):
    """A step with its number: it places a digit in a cell, or excludes candidates.

    `gone` has bit 81 * digit + cell for each of them; digits count from 0 here.
    """

    number: float
    gone: int = 0
    places: tuple[int, int] | None = None


class Sheet:
    """What is left of a 9x9 board: for each digit its cells, and for each cell its digits."""

    def __init__(self, places: Sequence[int]) -> None:
        self.places = list(places)

    @cached_property
    def digits(self) -> list[int]:
        """The digits of each cell as a mask; none where the cell is filled."""
        found = [0] * CELLS
        for digit, cells in enumerate(self.places):
            for cell in digits_of(cells):
                found[cell] |= 1 << digit
        return found

    @cached_property
    def empty(self) -> int:
        """The cells that are not filled."""
        return reduce(or_, self.places)

    @cached_property
    def pairs(self) -> list[int]:
        """The cells with two digits."""
        return [cell for cell, digits in enumerate(self.digits) if digits.bit_count() == 2]

    def after(self, move: Move) -> "Sheet":
        """The sheet without what a move takes away."""
        places = [
            cells & ~(move.gone >> CELLS * d & ALL_CELLS) for d, cells in enumerate(self.places)
        ]
        if move.places is not None:
            cell, digit = move.places
            places = [cells & ~(1 << cell) for cells in places]
            places[digit] &= ~PEERS[cell]
        return Sheet(places)

    def candidates(self, digits: int, cells: int) -> int:
        """The candidates of some digits in some cells, as in a move."""
        found = 0
        for digit in digits_of(digits):
            found |= (self.places[digit] & cells) << CELLS * digit
        return found


def seen_by_all(cells: int) -> int:
    """The cells that see each of some cells."""
    return reduce(and_, [PEERS[cell] for cell in digits_of(cells)], ALL_CELLS)


def hidden_singles(sheet: Sheet) -> Iterator[Move]:
    """The last cell of a unit (1.0), then the last place of a digit in a box (1.2), in a line."""
    # Of equally easy moves the first is taken, so the order in which they are found here is part
    # of the estimate.
    for unit in UNITS:
        last = unit & sheet.empty
        if last and not last & (last - 1):
            cell = last.bit_length() - 1
            yield Move(1.0, places=(cell, sheet.digits[cell].bit_length() - 1))
    for number, unit in enumerate(UNITS):
        for digit, cells in enumerate(sheet.places):
            last = cells & unit
            if last and not last & (last - 1):
                is_box = number // 9 == _BOX
                yield Move(1.2 if is_box else 1.5, places=(last.bit_length() - 1, digit))


def naked_singles(sheet: Sheet) -> Iterator[Move]:
    for cell, digits in enumerate(sheet.digits):
        if digits and not digits & (digits - 1):
            yield Move(2.3, places=(cell, digits.bit_length() - 1))


def _locked(sheet: Sheet, is_pointing: bool) -> Iterator[tuple[int, int, int]]:
    """Digits whose places in a box lie in one line, or the other way round, and what they lose.

    The last number is the kind of the unit that they lie in.
    """
    for digit, cells in enumerate(sheet.places):
        for box, line, kind in _CROSSINGS:
            one, other = (box, line) if is_pointing else (line, box)
            if cells & box & line and not cells & one & ~other and cells & other & ~one:
                yield digit, cells & other & ~one, _BOX if is_pointing else kind


def locked(sheet: Sheet) -> Iterator[Move]:
    for number, is_pointing in ((2.6, True), (2.8, False)):
        for digit, gone, _ in _locked(sheet, is_pointing):
            yield Move(number, gone << CELLS * digit)


def direct_locked(sheet: Sheet) -> Iterator[Move]:
    """Locked candidates that leave their digit a single place in another unit of that kind."""
    for number, is_pointing in ((1.7, True), (1.9, False)):
        for digit, gone, kind in _locked(sheet, is_pointing):
            for unit in UNITS[9 * kind : 9 * kind + 9]:
                left = sheet.places[digit] & unit & ~gone
                if gone & unit and left and not left & (left - 1):
                    yield Move(number, places=(left.bit_length() - 1, digit))


def _coverings(
    rows: Sequence[int], size: int, fewest: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Choices of `size` rows whose bits lie in as many columns: their numbers, and the columns.

    Nothing where fewer than `fewest` rows have any bits. In a unit, the other rows with the other
    columns are then a set of the other kind that is no larger, and was tried before; and of a fish
    nothing would lie outside.
    """
    # A row with more than `size` bits is in no choice. It is left out first, since the number of
    # choices grows fast with the number of rows.
    narrow = [number for number, row in enumerate(rows) if 0 < row.bit_count() <= size]
    if sum(1 for row in rows if row) < fewest:
        return
    for chosen in combinations(narrow, size):
        union = 0
        for number in chosen:
            union |= rows[number]
        if union.bit_count() == size:
            yield chosen, union


def naked_sets(sheet: Sheet, size: int, number: float) -> Iterator[Move]:
    """Cells of a unit that have as many digits together as they are."""
    for unit, listed in zip(UNITS, CELLS_OF, strict=True):
        for chosen, digits in _coverings([sheet.digits[cell] for cell in listed], size, 2 * size):
            others = unit & ~sum(1 << listed[place] for place in chosen)
            if gone := sheet.candidates(digits, others):
                yield Move(number, gone)


def hidden_sets(sheet: Sheet, size: int, number: float, is_direct: bool = False) -> Iterator[Move]:
    """Digits with as many places in a unit; direct ones leave another digit one place there."""
    # With few open digits, a naked set of the other cells has said the same before; but not as
    # direct, for direct hidden sets come before all naked ones.
    fewest = size + 1 if is_direct else 2 * size + 1
    for unit in UNITS:
        for chosen, cells in _coverings([cells & unit for cells in sheet.places], size, fewest):
            others = 0b111111111 & ~sum(1 << digit for digit in chosen)
            gone = sheet.candidates(others, cells)
            if gone and not is_direct:
                yield Move(number, gone)
            for digit in digits_of(others) if gone and is_direct else ():
                left = sheet.places[digit] & unit & ~cells
                if left and not left & (left - 1):
                    yield Move(number, places=(left.bit_length() - 1, digit))


def fish(sheet: Sheet, size: int, number: float) -> Iterator[Move]:
    """X-wings and larger fish: some rows have a digit in as many columns as they are, so that it
    stands nowhere else in these columns; and the same with rows and columns swapped."""
    for digit, cells in enumerate(sheet.places):
        by_row = [cells >> 9 * row & 0b111111111 for row in range(9)]
        by_column = [sum(1 << row for row in range(9) if by_row[row] >> c & 1) for c in range(9)]
        for rows, lines, crossing in ((by_row, _ROWS, _COLUMNS), (by_column, _COLUMNS, _ROWS)):
            # Where all rows with the digit are chosen, no candidate is left outside of them.
            for chosen, covered in _coverings(rows, size, size + 1):
                inside = reduce(or_, [lines[place] for place in chosen])
                over = reduce(or_, [crossing[place] for place in digits_of(covered)])
                if gone := cells & over & ~inside:
                    yield Move(number, gone << CELLS * digit)


class _Link(NamedTuple):
    """A digit in a unit has its place in one of two parts; 0 is a box, 1 a row, 2 a column."""

    one: int
    other: int
    kind: int


# What chains of so many links begin at, and what is added where parts have several cells.
_STRONG_LINKS = {2: 4.0, 3: 5.4, 4: 5.8}
_GROUPED = 0.3


def strong_links(sheet: Sheet, count: int) -> Iterator[Move]:
    """Chains of so many strong links of one digit: one of their two ends holds."""
    for digit, cells in enumerate(sheet.places):
        links = list(_links_of(cells))
        following = [
            [n for n, link in enumerate(links) if not link.one & ~seen_by_all(before.other)]
            for before in links
        ]
        for start, link in enumerate(links):
            seen = {start}
            paths: list[tuple[int, ...]] = [(start,)]
            for _ in range(count - 1):
                further = []
                for path in paths:
                    # To follow all ways would take too long: from each start, a link is reached on
                    # a shortest one only.
                    new = [n for n in following[path[-1]] if n not in seen]
                    seen.update(new)
                    further += [(*path, n) for n in new]
                paths = further
            for path in paths:
                end = links[path[-1]].other
                if gone := cells & seen_by_all(link.one) & seen_by_all(end):
                    number = _STRONG_LINKS[count] + _added_for_links([links[n] for n in path])
                    yield Move(number, gone << CELLS * digit)


def _added_for_links(path: Sequence[_Link]) -> float:
    """Links of one kind of lines are the easiest, those with several cells the hardest."""
    # Each digit of the number stands for one thing, so groups count once, however many.
    if any((end & (end - 1)) for link in path for end in (link.one, link.other)):
        return _GROUPED
    return (len({link.kind for link in path}) - 1) / 10


def _links_of(cells: int) -> Iterator[_Link]:
    """The strong links of a digit with these places, both ways."""
    for number, unit in enumerate(UNITS):
        here = cells & unit
        kind = number // 9
        for one in _parts(here, kind):
            other = here & ~one
            yield _Link(one, other, kind)
            yield _Link(other, one, kind)


def _parts(here: int, kind: int) -> Iterator[int]:
    """The ways to part the places in a unit in two that other cells may see."""
    if here.bit_count() < 2:
        return
    if here.bit_count() == 2:
        yield here & -here
        return
    across = _BOXES if kind else _ROWS
    others = _BOXES if kind else _COLUMNS
    for line in across:
        part, rest = here & line, here & ~line
        if part and rest and any(not rest & ~other for other in others):
            yield part
            # A line is parted by boxes: its other part would be the second box, and part it alike.
            if kind:
                return
