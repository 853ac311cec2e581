"""In which order the variables of a hard formula are numbered: cell by cell, the hardest last.

Solvers of this kind decide the highest variable first, and the choice with the fewest alternatives,
whose consequences reach farthest, is the best to begin with. So cells with many candidates come
first and those with two come last; among these, where it matters, last are those whose peers have
most candidates to lose. Numbered like this the hardest collections take 22 to 30 % fewer conflicts
than in the order of the board. To count the candidates of peers makes the bulk solver 22 % faster
on forum1106 and 5 to 8 % on hardest; on easier collections it gains nothing.
"""

from collections.abc import Sequence, Sized
from itertools import compress
from typing import NamedTuple, TypeVar

from satdoku.encoding.small.tuning import FormulaTuning
from satdoku.puzzle.geometry import Geometry

Cell = TypeVar("Cell", bound=Sized)


class _Blocks(NamedTuple):
    """Rectangles of one shape that tile the board, for adding up what their cells have.

    The numbers of all cells are one long integer with a byte for each cell, the last cell lowest.
    Times `spread`, the byte of the first cell of every block is the sum over the block. Moved by
    `shift` to its last cell and times `spread` again, the bytes of all its cells are.
    """

    spread: int
    first_cells: int
    shift: int

    def sum_up(self, numbers: int) -> int:
        """In every cell the sum over its block."""
        return ((numbers * self.spread & self.first_cells) >> self.shift) * self.spread


class CellOrder:
    """Sorts the cells of boards of one geometry."""

    def __init__(self, geometry: Geometry, few_pairs: int = FormulaTuning().few_pairs) -> None:
        size, box_rows, box_columns = geometry.size, geometry.box_rows, geometry.box_columns
        self._few_pairs = few_pairs
        # Counts are capped so that the sum over a cell and its peers, which are fewer than three
        # times the size, fits a byte.
        self._capped = bytes(min(number, 255 // (3 * size)) for number in range(256))
        shapes = ((1, size), (size, 1), (box_rows, box_columns), (1, box_columns), (box_rows, 1))
        self._blocks = [_tile(geometry, rows, columns) for rows, columns in shapes]

    def sort(self, cells: Sequence[Cell]) -> list[Cell]:
        """The cells that have candidates, the most first; each item is as long as its cell has.

        Of cells with equally many, the first of the board come last. But where no more than
        `few_pairs` cells have two candidates or fewer, which is where the hardest puzzles are,
        those come last of their equals whose peers have most candidates.
        """
        from_last = [cell for cell in reversed(cells) if cell]
        in_order = sorted(from_last, key=len, reverse=True)
        few = self._few_pairs
        if len(in_order) > few and len(in_order[-1 - few]) > 2:
            counts = bytes(map(len, cells))
            around = self._count_around(counts).to_bytes(len(counts), "little")
            rank_of = bytes(compress(around, reversed(counts))).__getitem__
            in_order = [from_last[place] for place in sorted(range(len(from_last)), key=rank_of)]
            in_order.sort(key=len, reverse=True)
        return in_order

    def _count_around(self, counts: bytes) -> int:
        """For each cell, in a byte: how many candidates it and its peers have together."""
        rows, columns, boxes, row_segments, column_segments = self._blocks
        numbers = int.from_bytes(counts.translate(self._capped), "big")
        around = rows.sum_up(numbers) + columns.sum_up(numbers) + boxes.sum_up(numbers)
        # Peers that share a line and the box were counted twice.
        return around - row_segments.sum_up(numbers) - column_segments.sum_up(numbers)


def _tile(geometry: Geometry, rows: int, columns: int) -> _Blocks:
    """The blocks of `rows` by `columns` cells."""
    size, last = geometry.size, geometry.cell_count - 1
    steps = [size * down + right for down in range(rows) for right in range(columns)]
    first_cells = [
        size * row + column for row in range(0, size, rows) for column in range(0, size, columns)
    ]
    return _Blocks(
        spread=sum(1 << 8 * step for step in steps),
        first_cells=sum(255 << 8 * (last - cell) for cell in first_cells),
        shift=8 * max(steps),
    )
