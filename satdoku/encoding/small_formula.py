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

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from itertools import accumulate, chain, compress, pairwise, product
from operator import itemgetter, sub
from typing import NamedTuple, TypeVar

from satdoku.deducing.sifter import MARK, NUMBERS, ByteLayout, Sifted
from satdoku.puzzle.geometry import Geometry, Unit

# In which order the variables of a hard formula are numbered: cell by cell, the hardest last.
#
# Solvers of this kind decide the highest variable first, and the choice with the fewest
# alternatives, whose consequences reach farthest, is the best to begin with. So cells with many
# candidates come first and those with two come last. On the hardest puzzles, where hardly any cell
# has two, each cell is weighed: candidates count against it, and for it whatever its candidates
# exclude among its peers. That takes 12 % fewer conflicts on hardest and 14 % on forum1106 than to
# sort by candidates and, among equals only, by what the peers have; the bulk solver is 2 and 7 %
# faster for it. On easier collections it gains nothing.

Cell = TypeVar("Cell", bound=Sized)

_WEIGHT_OF_A_CANDIDATE = 12
"""As bad for a cell as this many exclusions are good. Of 6 to 15, tried on 550 of the hardest
puzzles, 11 to 15 took the fewest conflicts, 57 to 64 a puzzle; 9 took 63 to 73, 6 more than 90."""


class FormulaTuning(NamedTuple):
    """What may be tuned of small formulas; none of it changes a verdict.

    The defaults were the fastest over all collections that benchmarks/README.md names, in processor
    time of the bulk solver.
    """

    hard_share: float = 2
    """With more open candidates than `hard_share` times the cells a board counts as hard: on 9x9,
    with more than 162. Hard formulas are ordered and have redundant constraints, which would cost
    easy ones more than it saves: with all formulas hard, 17clue takes 5 to 9 % longer; with none,
    the two hardest collections take 66 to 88 % longer."""

    few_pairs: int = 2
    """Where no more cells than this have two candidates, cells are sorted by what they exclude too,
    see `CellOrder`. Where there are more such cells, as in 84 % of magictour and in 5 % of the two
    hardest collections, it matters little which is first."""

    largest_byte_formula: int = 249
    """Formulas with more variables are built as lists of numbers, because a byte has room for 249
    different ones. Lists for all formulas would cost 79 % on 17clue, 21 % on magictour and 11 % on
    hardest. They are needed for 10 % of magictour and 17 % of forum1106; the way without the bulk
    solver, which is the other choice for these, takes three times as long."""


class _Blocks(NamedTuple):
    """Rectangles of one shape that tile the board, for adding up what their cells have.

    The numbers of all cells are one long integer with a byte for each cell, the first cell lowest,
    and that for each digit. Moved back by a step, it has at the first cell of each block what
    further cells have. As with `_Kind` in `sifter.py` there are few steps to the first few cells,
    and further ones from these to the next.
    """

    steps: Sequence[Sequence[int]]
    first_cells: int

    def sum_up(self, numbers: int) -> int:
        """In every cell the sum over its block."""
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
    """Sorts the cells of boards of one geometry."""

    def __init__(self, geometry: Geometry, few_pairs: int = FormulaTuning().few_pairs) -> None:
        size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
        self._few_pairs = few_pairs
        self._size, self._cell_count = size, geometry.cell_count
        # Counts are capped so that the sum over all digits of a cell fits a byte. On 9x9 the cap is
        # above every count: a cell has 20 peers.
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
        """The cells that have candidates, the best to begin with last.

        Each item is as long as its cell has candidates; `open_` says of each candidate whether it
        is open, as `Sifted` does. Of cells that are equally good, the first of the board come last.
        """
        # Sorting is stable, so that from the last cell on, the first of equals come last.
        from_last = [cell for cell in reversed(cells) if cell]
        counts = bytes(map(len, from_last))
        if counts.count(1) + counts.count(2) > self._few_pairs:
            return sorted(from_last, key=len, reverse=True)
        excluded = compress(reversed(self._count_excluded(open_)), reversed(bytes(map(len, cells))))
        weights = list(map(sub, excluded, map(_WEIGHT_OF_A_CANDIDATE.__mul__, counts)))
        return [from_last[n] for n in sorted(range(len(weights)), key=weights.__getitem__)]

    def _count_excluded(self, open_: bytes) -> bytes:
        """For each cell: how many candidates its own would exclude, themselves among them."""
        rows, columns, boxes, row_segments, column_segments = self._blocks
        planes = b"".join(open_[digit :: self._size + 1] for digit in range(self._size))
        numbers = int.from_bytes(planes, "little")
        around = rows.sum_up(numbers) + columns.sum_up(numbers) + boxes.sum_up(numbers)
        # Peers that share a line and the box were counted twice.
        around -= row_segments.sum_up(numbers) + column_segments.sum_up(numbers)
        # Of candidates that are not open nothing counts.
        around &= numbers * 255
        count = self._cell_count
        excluded = around.to_bytes(len(planes), "little").translate(self._capped)
        of_digits = (excluded[begin : begin + count] for begin in range(0, len(planes), count))
        total = sum(int.from_bytes(of_digit, "little") for of_digit in of_digits)
        return total.to_bytes(count, "little")


def _tile(geometry: Geometry, *steps: Sequence[int]) -> _Blocks:
    """The blocks whose cells are so many cells behind their first one, or a sum of such steps."""
    further = {sum(distances) for distances in product(*((0, *some) for some in steps))}
    # The first cell that is in no block yet begins the next one.
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
