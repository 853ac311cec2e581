"""The small formula of a board: of each group of open candidates exactly one is true.

The open candidates are numbered from 1, and these numbers are the variables: on 9x9 there are
seldom more than 250, instead of the 729 of a whole board.

The candidates of every row, column and box are gathered without a loop over them.
`bytes.translate` replaces each byte b of its text by the entry b of a table of 256 bytes. Here the
text is the list of all units' cells, which stays the same, and the table is made of the board: at
the number of a cell stands what the board has there. So one call lays all units side by side:

    text    0 1 2 3 mark 4 5 6 7 mark ...     the cells of row 1, of row 2, ...
    table   what the board has in cell 0, in cell 1, ...

That is done for each digit on its own; a table has room for 3 digits of 81 cells.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, chain, compress, pairwise
from operator import itemgetter
from typing import NamedTuple

from satdoku.deducing.layout import MARK, NUMBERS, ByteLayout, Sifted
from satdoku.encoding.small_order import CellOrder, FormulaTuning
from satdoku.puzzle.geometry import Geometry, Unit

_BYTE_NUMBERS = frozenset(NUMBERS)
_INDEX_OF_NUMBER = bytes.maketrans(NUMBERS, bytes(range(len(NUMBERS))))

# Each cell is in four kinds of groups, and so is each placed digit: that of its cell, and those of
# the digit in its row, its column and its box.
_KINDS = 4


class SmallFormula(NamedTuple):
    """The groups of a board, in each of which exactly one number is true.

    A solver gets "at least one" for the groups in `clauses` and "at most one" for those in
    `exclusive`. Not every group has to be in both. When each cell has one digit, each box has each
    digit, and no line has a digit twice, then, by counting, no box has one twice and every line has
    each.

    `numbers` holds the numbers that stand for candidates; a model may have others, which say
    nothing. `true_places` turns the true numbers of a model into places of candidates.
    """

    clauses: Collection[Sequence[int]]
    exclusive: Collection[Sequence[int]]
    numbers: frozenset[int]
    true_places: Callable[[Collection[int]], Iterable[int]]


class FormulaBuilder:
    """Builds the small formulas of one geometry."""

    def __init__(self, layout: ByteLayout, tuning: FormulaTuning | None = None) -> None:
        tuning = tuning or FormulaTuning()
        geometry = layout.geometry
        self._layout = layout
        self._order = CellOrder(geometry, tuning.few_pairs)
        self._units = UnitTables(layout)
        self._places = tuple(range(layout.width))  # a range would make each number anew
        self._group_count = _KINDS * geometry.cell_count
        self._most_easy = tuning.hard_share * geometry.cell_count
        # A byte has no more numbers: a larger formula would lose candidates.
        self._most_in_bytes = min(tuning.largest_byte_formula, len(NUMBERS))
        self._units_of_places = [
            itemgetter(
                *[
                    layout.places[cell][index]
                    for index in range(geometry.size)
                    for unit in units
                    for cell in unit.cells
                ]
            )
            for units in (geometry.rows + geometry.columns, geometry.boxes)
        ]

    def build(self, sifted: Sifted) -> SmallFormula:
        """The formula of what is open, with an empty clause where nothing is left of a group.

        Groups that are empty are not built, so that one is missing shows in their number: a known
        digit settles one group of each kind, and every other group has to be there.
        """
        places = list(compress(self._places, sifted.open))
        is_small = len(places) <= self._most_in_bytes
        build = self._build_bytes if is_small else self._build_lists
        formula, group_count = build(places, sifted.open)
        known_count = len(sifted.known) - sifted.known.count(0)
        # No assignment satisfies a clause of nothing, so the solver says that there is no solution.
        if group_count != self._group_count - _KINDS * known_count:
            return formula._replace(clauses=[b""])
        return formula

    def _build_bytes(self, places: Sequence[int], open_: bytes) -> tuple[SmallFormula, int]:
        """Groups as `bytes`, whose elements are the numbers: built without a loop over them.

        A hard formula gets a better order of its variables, and every constraint there is: the
        redundant ones spare its solver conflicts. An easy one gets no more than it needs.
        """
        numbered, index_of = self._layout.number(places), _INDEX_OF_NUMBER
        is_hard = len(places) > self._most_easy
        if is_hard:
            numbered, index_of = self._renumber(numbered, open_)
        cells = split_at_marks(numbered)
        lines, boxes = self._units.split(numbered)
        group_count = len(cells) + len(lines) + len(boxes)
        clauses: Collection[bytes]
        exclusive: Collection[bytes]
        if is_hard:
            clauses, exclusive = cells + lines, [*cells, *lines, *boxes]
        else:
            # Where little is open, many groups are equal: a cell with two candidates, say, and the
            # row in which these are the last ones. In hard formulas finding them costs more than it
            # saves. A dict keeps their order; a set has another order in each process, with which
            # a solver would find other solutions.
            clauses, exclusive = dict.fromkeys(cells + boxes), dict.fromkeys(cells + lines)

        def true_places(true: Collection[int]) -> Iterable[int]:
            return map(places.__getitem__, bytes(true).translate(index_of))

        return SmallFormula(clauses, exclusive, _BYTE_NUMBERS, true_places), group_count

    def _renumber(self, numbered: bytes, open_: bytes) -> tuple[bytes, bytes]:
        """The same bytes numbered in the order of `CellOrder`, and the index of each number."""
        in_order = b"".join(self._order.sort(_split_cells(numbered), open_))
        numbers = NUMBERS[: len(in_order)]
        renumbering = bytes.maketrans(in_order, numbers)
        index_of = bytes.maketrans(
            numbers.translate(renumbering), numbers.translate(_INDEX_OF_NUMBER)
        )
        return numbered.translate(renumbering), index_of

    def _build_lists(self, places: Sequence[int], open_: bytes) -> tuple[SmallFormula, int]:
        """A formula of lists of numbers, not bytes, so that it may have any number of variables."""
        layout = self._layout
        counts = [
            open_.count(1, begin, begin + layout.stride) for begin in self._places[:: layout.stride]
        ]
        cells = self._order.sort(_slice(places, counts), open_)
        in_order = list(chain.from_iterable(cells))
        number_of = [0] * layout.width
        for number, place in enumerate(in_order, 1):
            number_of[place] = number
        # How many numbers each group has is known from bytes, which are the quicker way to count.
        lines, boxes = (
            _slice(list(filter(None, take_units(number_of))), map(len, groups))
            for take_units, groups in zip(
                self._units_of_places, self._units.split(open_), strict=True
            )
        )
        numbers = range(1, len(places) + 1)
        clauses = [*_slice(numbers, map(len, cells)), *lines]
        exclusive = [*clauses, *boxes]

        def true_places(true: Collection[int]) -> Iterable[int]:
            return (in_order[number - 1] for number in true)

        formula = SmallFormula(clauses, exclusive, frozenset(numbers), true_places)
        return formula, len(exclusive)


def _slice(items: Sequence[int], lengths: Iterable[int]) -> list[Sequence[int]]:
    """Neighbouring items, as many in each slice as its length says."""
    return [items[begin:end] for begin, end in pairwise(accumulate(lengths, initial=0))]


def _split_cells(numbered: bytes) -> list[bytes]:
    """The numbers of each cell, of a cell without any too: what stands before its mark."""
    return numbered.translate(None, b"\0").split(MARK)[:-1]


# The last entry of each table is a mark, so this is where the text has a mark.
MARKED = 255


def supports(geometry: Geometry) -> bool:
    """Whether boards fit: each cell's number a byte that is not that of the mark, and some choice.

    >>> supports(Geometry(3, 5)), supports(Geometry(4, 4)), supports(Geometry(1, 1))
    (True, False, False)
    """
    return geometry.size > 1 and geometry.cell_count <= MARKED


class _Table(NamedTuple):
    """How the units of some digits are laid side by side.

    `digits` says which of the board's planes (what it has of one digit in all cells) make up the
    table, `padding` completes it to 256. `lines` and `boxes` are texts.
    """

    digits: slice
    padding: bytes
    lines: bytes
    boxes: bytes


class UnitTables:
    """The tables and texts of one geometry."""

    def __init__(self, layout: ByteLayout) -> None:
        self._stride = layout.stride
        self._tables = _make_tables(layout.geometry)

    def split(self, numbered: bytes) -> tuple[list[bytes], list[bytes]]:
        """The numbers of each group of the lines, and of the boxes, that is not empty.

        `numbered` has the number of its variable for each open candidate, and 0 for others.
        """
        planes = [numbered[digit :: self._stride] for digit in range(self._stride - 1)]
        lines, boxes = [], []
        for table in self._tables:
            number_at = b"".join(planes[table.digits]) + table.padding
            lines.append(table.lines.translate(number_at))
            boxes.append(table.boxes.translate(number_at))
        return split_at_marks(b"".join(lines)), split_at_marks(b"".join(boxes))


def split_at_marks(laid_out: bytes) -> list[bytes]:
    """The pieces between marks, without their zeros; empty pieces are left out."""
    return laid_out.translate(None, b"\0").split()


def _make_tables(geometry: Geometry) -> list[_Table]:
    size, count = geometry.size, geometry.cell_count
    digits_a_table = MARKED // count

    def lay_out(units: Sequence[Unit], digits: int) -> bytes:
        return b"".join(
            [
                bytes([*map((digit * count).__add__, unit.cells), MARKED])
                for digit in range(digits)
                for unit in units
            ]
        )

    tables = []
    for first in range(0, size, digits_a_table):
        digits = min(digits_a_table, size - first)
        tables.append(
            _Table(
                digits=slice(first, first + digits),
                padding=bytes(MARKED - digits * count) + MARK,
                lines=lay_out(geometry.rows + geometry.columns, digits),
                boxes=lay_out(geometry.boxes, digits),
            )
        )
    return tables
