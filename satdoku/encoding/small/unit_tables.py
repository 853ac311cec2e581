"""Gathers the candidates of every row, column and box of a board, without a loop over them.

`bytes.translate` replaces each byte b of its text by the entry b of a table of 256 bytes. Here the
text is the list of all units' cells, which stays the same, and the table is made of the board: at
the number of a cell stands what the board has there. So one call lays all units side by side:

    text    0 1 2 3 mark 4 5 6 7 mark ...     the cells of row 1, of row 2, ...
    table   what the board has in cell 0, in cell 1, ...

That is done for each digit on its own; a table has room for 3 digits of 81 cells.
"""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.deducing.layout import MARK, ByteLayout
from satdoku.puzzle.geometry import Geometry, Unit

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
