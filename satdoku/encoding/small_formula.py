"""The small formula of a board: exactly one of each group of open candidates is true.

The variables are the open candidates, numbered from 1: 9x9 rarely has more than 250, instead of the
729 of a whole board.

The candidates of every row, column and box are gathered without a Python loop. `bytes.translate`
replaces each byte b of a text by entry b of a 256-byte table. The text is the constant list of the
cells of all units; the table holds the board, with the value of each cell at the index of that
cell. So one call lays out all units side by side:

    text   0 1 2 3 mark 4 5 6 7 mark ...   the cells of row 1, of row 2, ...
    table  the value of cell 0, of cell 1, ...

This is done for each digit; a table has room for 3 digits of 81 cells.
"""

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from itertools import accumulate, chain, compress, pairwise, product
from operator import itemgetter, sub
from typing import NamedTuple, TypeVar

from satdoku.deducing.sifter import MARK, NUMBERS, ByteLayout, Sifted
from satdoku.puzzle.grid import Geometry, Unit

# Variable order of hard formulas: cell by cell, the best cell to branch on last
#
# The SAT solvers of the bulk solver branch on the highest variable first, and the best first
# decision has the fewest alternatives and the most consequences. So cells with many candidates come
# first and cells with two come last. On the hardest puzzles, where few cells have two candidates,
# cells are sorted by a score: candidates count against a cell, the exclusions that they cause among
# its peers count for it. That takes 12 % fewer conflicts on hardest and 14 % on forum1106 than
# sorting by candidates with exclusions as the tie-break; the bulk solver is 2 and 7 % faster.
# Easier collections gain nothing.

Cell = TypeVar("Cell", bound=Sized)

_WEIGHT_OF_A_CANDIDATE = 12
"""The number of exclusions that outweigh one candidate of a cell. Of 6 to 15, tried on 550 of the
hardest puzzles, 11 to 15 took the fewest conflicts, 57 to 64 a puzzle; 9 took 63 to 73, 6 more than
90.
"""


class FormulaTuning(NamedTuple):
    """Tuning parameters of small formulas; none of them changes a verdict.

    The defaults were the fastest over all collections that benchmarks/README.md names, in processor
    time of the bulk solver.
    """

    hard_share: float = 2
    """A board is hard if its open candidates are more than this times its cells (9x9: over 162).

    Hard formulas are ordered and get redundant constraints, which cost more than they save on easy
    formulas: with all formulas hard, 17clue takes 5 to 9 % longer; with none, the two hardest
    collections take 66 to 88 % longer.
    """

    few_pairs: int = 2
    """If at most this many cells have two candidates, cells are sorted by exclusions too, see
    `CellOrder`. With more such cells, as in 84 % of magictour and in 5 % of the two hardest
    collections, the order of cells matters little.
    """

    largest_byte_formula: int = 249
    """Formulas with more variables are built as lists of numbers, because a byte has room for 249
    different ones. Lists for all formulas would cost 79 % on 17clue, 21 % on magictour and 11 % on
    hardest. 10 % of magictour and 17 % of forum1106 need lists; without lists these puzzles could
    not be solved in bulk, which takes three times as long.
    """


class _Blocks(NamedTuple):
    """Blocks of one shape that tile the board, over each of which the numbers of its cells are
    summed.

    The numbers of all cells of all digits form one long integer, a byte per cell, the first cell
    lowest. Shifted by a step, the integer has the number of a further cell at the first cell of
    each block. As in `_Kind` of `sifter.py`, a few steps add up the first few cells, and further
    steps the rest.
    """

    steps: Sequence[Sequence[int]]
    first_cells: int

    def sum_up(self, numbers: int) -> int:
        """Return an integer that holds, for every cell, the sum over its block."""
        for steps in self.steps:
            total = numbers
            for step in steps:
                total += numbers >> step
            numbers = total
        numbers &= self.first_cells
        for steps in self.steps:
            total = numbers
            for step in steps:
                total += numbers << step
            numbers = total
        return numbers


class CellOrder:
    """Sorts the cells of a board by how good they are to branch on; for boards of one geometry."""

    def __init__(self, geometry: Geometry, few_pairs: int = FormulaTuning().few_pairs) -> None:
        size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
        self._few_pairs = few_pairs
        self._size, self._cell_count = size, geometry.cell_count
        # Counts are capped so that the sum over all digits of a cell fits a byte. On 9x9 the cap is
        # never reached, as a cell has 20 peers.
        self._capped = bytes([min(number, 255 // size) for number in range(256)])
        right, down = range(1, box_columns), range(size, size * box_rows, size)
        boxes_right = range(box_columns, size, box_columns)
        boxes_down = range(size * box_rows, size * size, size * box_rows)
        self._blocks = [
            _tile(geometry, *steps)
            for steps in (
                (right, boxes_right),
                (down, boxes_down),
                (right, down),
                (right,),
                (down,),
            )
        ]

    def sort(self, cells: Sequence[Cell], open_: bytes) -> list[Cell]:
        """Return the cells that have candidates, ordered so that the best cell to branch on is the
        last.

        The length of each item of `cells` is its number of candidates; `open_` tells for each
        candidate whether it is open, as in `Sifted`. Of equally good cells, the first of the board
        comes last.
        """
        # Sorting is stable: cells are sorted in reverse order of the board, so that of equal cells
        # the first of the board comes last.
        from_last = [cell for cell in reversed(cells) if cell]
        counts = bytes(map(len, from_last))
        if counts.count(1) + counts.count(2) > self._few_pairs:
            return sorted(from_last, key=len, reverse=True)
        excluded = compress(reversed(self._count_excluded(open_)), reversed(bytes(map(len, cells))))
        weights = list(map(sub, excluded, map(_WEIGHT_OF_A_CANDIDATE.__mul__, counts)))
        return [from_last[n] for n in sorted(range(len(weights)), key=weights.__getitem__)]

    def _count_excluded(self, open_: bytes) -> bytes:
        """Return, for each cell, its number of candidates plus the exclusions that they cause."""
        rows, columns, boxes, row_segments, column_segments = self._blocks
        planes = b"".join(open_[digit :: self._size + 1] for digit in range(self._size))
        numbers = int.from_bytes(planes, "little")
        around = rows.sum_up(numbers) + columns.sum_up(numbers) + boxes.sum_up(numbers)
        # Subtract the peers that share both a line and the box, which were counted twice.
        around -= row_segments.sum_up(numbers) + column_segments.sum_up(numbers)
        # Keep only the counts of open candidates.
        around &= numbers * 255
        count = self._cell_count
        excluded = around.to_bytes(len(planes), "little").translate(self._capped)
        of_digits = (excluded[begin : begin + count] for begin in range(0, len(planes), count))
        total = sum(int.from_bytes(of_digit, "little") for of_digit in of_digits)
        return total.to_bytes(count, "little")


def _tile(geometry: Geometry, *steps: Sequence[int]) -> _Blocks:
    """Return the blocks; `steps` are lists of offsets from a first cell, combined in every way."""
    further = {sum(distances) for distances in product(*((0, *some) for some in steps))}
    # The lowest cell that is in no block yet is the first cell of the next block.
    cells = set(range(geometry.cell_count))
    first_cells = []
    while cells:
        first_cells.append(min(cells))
        cells -= {first_cells[-1] + distance for distance in further}
    return _Blocks(
        steps=[[8 * step for step in some] for some in steps],
        first_cells=sum(
            [
                255 << 8 * (geometry.cell_count * digit + cell)
                for digit in range(geometry.size)
                for cell in first_cells
            ]
        ),
    )


_BYTE_NUMBERS = frozenset(NUMBERS)
_INDEX_OF_NUMBER = bytes.maketrans(NUMBERS, bytes(range(len(NUMBERS))))

# Each cell is in four kinds of groups, and so is each placed digit: the candidates of its cell, and
# the places of the digit in its row, its column and its box.
_KINDS = 4


class SmallFormula(NamedTuple):
    """The groups of a board; in each exactly one number is true.

    A solver gets "at least one" for the groups in `clauses` and "at most one" for those in
    `exclusive`. Not every group needs both: if each cell has one digit, each box has each digit,
    and no line has a digit twice, it follows by counting that no box has a digit twice and every
    line has each digit.

    `numbers` are the numbers of candidates; other numbers in a model have no meaning. `true_places`
    converts the true numbers of a model to indices of candidates.
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
        self._places = tuple(range(layout.width))  # a range would create new ints
        self._group_count = _KINDS * geometry.cell_count
        self._most_easy = tuning.hard_share * geometry.cell_count
        # A byte has room for no more numbers: a larger formula would lose candidates.
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
        """Return the formula of the open candidates, with an empty clause if a group is empty.

        Empty groups are not listed; they show in the number of groups: a known digit settles one
        group of each kind, and all other groups must be listed.
        """
        places = list(compress(self._places, sifted.open))
        is_small = len(places) <= self._most_in_bytes
        build = self._build_bytes if is_small else self._build_lists
        formula, group_count = build(places, sifted.open)
        known_count = len(sifted.known) - sifted.known.count(0)
        # The empty clause makes the solver report that there is no solution.
        if group_count != self._group_count - _KINDS * known_count:
            return formula._replace(clauses=[b""])
        return formula

    def _build_bytes(self, places: Sequence[int], open_: bytes) -> tuple[SmallFormula, int]:
        """Build groups as `bytes` of variable numbers, without a Python loop over the elements.

        A hard formula gets the better variable order and every redundant constraint, which saves
        conflicts. An easy formula gets only the necessary constraints.
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
            # With few open candidates many groups are equal, such as a cell with two candidates and
            # a row with the same two; duplicates are removed. In hard formulas finding duplicates
            # costs more than it saves. A dict keeps the order of the groups; the order of a set
            # would differ between processes, and with it the solutions found.
            clauses, exclusive = dict.fromkeys(cells + boxes), dict.fromkeys(cells + lines)

        def true_places(true: Collection[int]) -> Iterable[int]:
            return map(places.__getitem__, bytes(true).translate(index_of))

        return SmallFormula(clauses, exclusive, _BYTE_NUMBERS, true_places), group_count

    def _renumber(self, numbered: bytes, open_: bytes) -> tuple[bytes, bytes]:
        """Return the board's bytes renumbered in the order of `CellOrder`, and each number's
        candidate.
        """
        in_order = b"".join(self._order.sort(_split_cells(numbered), open_))
        numbers = NUMBERS[: len(in_order)]
        renumbering = bytes.maketrans(in_order, numbers)
        index_of = bytes.maketrans(
            numbers.translate(renumbering), numbers.translate(_INDEX_OF_NUMBER)
        )
        return numbered.translate(renumbering), index_of

    def _build_lists(self, places: Sequence[int], open_: bytes) -> tuple[SmallFormula, int]:
        """Build groups as lists of ints, for any number of variables."""
        layout = self._layout
        counts = [
            open_.count(1, begin, begin + layout.stride) for begin in self._places[:: layout.stride]
        ]
        cells = self._order.sort(_slice(places, counts), open_)
        in_order = list(chain.from_iterable(cells))
        number_of = [0] * layout.width
        for number, place in enumerate(in_order, 1):
            number_of[place] = number
        # The length of each group is computed on bytes, which are faster to count.
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
    """Cut items into consecutive slices of these lengths."""
    return [items[begin:end] for begin, end in pairwise(accumulate(lengths, initial=0))]


def _split_cells(numbered: bytes) -> list[bytes]:
    """Return the numbers of each cell, up to the mark behind them; empty for a cell without
    numbers.
    """
    return numbered.translate(None, b"\0").split(MARK)[:-1]


# The byte in a text that selects the last entry of a table, which is the mark.
MARKED = 255


def supports(geometry: Geometry) -> bool:
    """Whether boards of a geometry have small formulas: several cells, with numbers below the
    mark's.

    >>> supports(Geometry(3, 5)), supports(Geometry(4, 4)), supports(Geometry(1, 1))
    (True, False, False)
    """
    return geometry.size > 1 and geometry.cell_count <= MARKED


class _Table(NamedTuple):
    """How the units of some digits are laid out side by side.

    `digits` selects the planes of the board (all cells of one digit) that form the table; `padding`
    fills it to 256 bytes. `lines` and `boxes` are texts.
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
        """Return the numbers of each group that is not empty, for lines and for boxes.

        `numbered` has, for each open candidate, the number of its variable, and 0 for all others.
        """
        planes = [numbered[digit :: self._stride] for digit in range(self._stride - 1)]
        lines, boxes = [], []
        for table in self._tables:
            number_at = b"".join(planes[table.digits]) + table.padding
            lines.append(table.lines.translate(number_at))
            boxes.append(table.boxes.translate(number_at))
        return split_at_marks(b"".join(lines)), split_at_marks(b"".join(boxes))


def split_at_marks(laid_out: bytes) -> list[bytes]:
    """Return the pieces between marks, without zeros; empty pieces are omitted."""
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
