"""Telling the rows of one drawn board from its borders, and what boxes the borders show."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.errors import FormatError
from satdoku.notation.drawings.row import Row, read_row
from satdoku.notation.line_kind import LineKind, kind_of, plain
from satdoku.puzzle.geometry import Geometry


class DrawnRow(NamedTuple):
    """A row with its plain text and its place in the record, counted from 0."""

    position: int
    text: str
    row: Row


class Drawing(NamedTuple):
    """The rows of a drawn board, and how many rows each band between borders has."""

    rows: Sequence[DrawnRow]
    size: int
    bands: Sequence[int]

    @property
    def shown_box(self) -> Geometry | None:
        """The box shape that bars, borders and gaps show, if they do."""
        rows, columns = self._shown_box_rows(), self._shown_box_columns()
        # Groups that do not divide a row of this size show no boxes: one of the two is wrong.
        if not (rows or columns) or (columns and self.size % columns):
            return None
        box = Geometry(rows or self.size // columns, columns or self.size // rows)
        if box.size != self.size:
            raise FormatError(
                f"the borders show boxes of {box}, which do not make {self.size}x{self.size}"
            )
        return box

    def _shown_box_rows(self) -> int:
        """How many rows stand between borders; 0 if that differs, or if each row has a border."""
        is_banded = 1 < len(self.bands) < self.size
        return self.bands[0] if is_banded and len(set(self.bands)) == 1 else 0

    def _shown_box_columns(self) -> int:
        """The width of all groups of cells, 0 unless it is the same in all rows."""
        groups = {row.row.group for row in self.rows}
        return groups.pop() if len(groups) == 1 else 0


def read_drawing(text: str, size: int | None = None) -> Drawing:
    """Tell rows from borders; `size` is the number of rows, where it is known."""
    rows: list[DrawnRow] = []
    dashes: list[DrawnRow] = []
    for position, line in enumerate(text.split("\n")):
        drawn = plain(line)
        kind = kind_of(drawn)
        if kind is LineKind.CELLS:
            rows.append(DrawnRow(position, drawn, read_row(drawn)))
        elif kind is LineKind.DASHES:
            dashes.append(DrawnRow(position, drawn, read_row(drawn)))
    if size is None:
        size = _likely_size(rows, dashes)
    # Where dashes are blanks, a line of as many dashes as cells is an empty row, and no border.
    if not rows or any("-" in row.text for row in rows):
        rows = sorted(rows + [line for line in dashes if line.text.count("-") == size])
    return Drawing(rows, size, _count_bands([row.position for row in rows]))


def join_rows(rows: Sequence[Sequence[str]]) -> str | list[str]:
    """The cells of all rows: one string where every row is one, of characters side by side."""
    if all(isinstance(row, str) for row in rows):
        return "".join(map("".join, rows))
    return [cell for row in rows for cell in row]


def _likely_size(rows: Sequence[DrawnRow], dashes: Sequence[DrawnRow]) -> int:
    """How many cells most rows have; where all lines are dashes, each dash is a cell."""
    sizes = [row.row.size for row in rows] or [line.text.count("-") for line in dashes]
    return Counter(sizes).most_common(1)[0][0] if sizes else 0


def _count_bands(positions: Sequence[int]) -> list[int]:
    """How many rows follow each other without a line between them.

    >>> _count_bands([0, 1, 4, 5, 6])
    [2, 3]
    """
    bands: list[int] = []
    above = None
    for position in positions:
        # A line between two rows, a border or an empty one, begins a band.
        if position - 1 == above:
            bands[-1] += 1
        else:
            bands.append(1)
        above = position
    return bands
