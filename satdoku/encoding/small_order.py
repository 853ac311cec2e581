"""In which order the variables of a hard formula are numbered: cell by cell, the hardest last.

Solvers of this kind decide the highest variable first, and the choice with the fewest alternatives,
whose consequences reach farthest, is the best to begin with. So cells with many candidates come
first and those with two come last. On the hardest puzzles, where hardly any cell has two, each cell
is weighed: candidates count against it, and for it whatever its candidates exclude among its peers.
That takes 12 % fewer conflicts on hardest and 14 % on forum1106 than to sort by candidates and,
among equals only, by what the peers have; the bulk solver is 2 and 7 % faster for it. On easier
collections it gains nothing.
"""

from collections.abc import Sequence, Sized
from itertools import compress, product
from operator import sub
from typing import NamedTuple, TypeVar

from satdoku.puzzle.geometry import Geometry

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
