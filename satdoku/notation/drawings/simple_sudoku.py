"""Simple Sudoku's `.ss`, also what many programs copy to the clipboard.

    *-----------*
    |8..|4..|...|
    |.65|...|.42|
    |9..|.8.|1.6|
    |---+---+---|
         ...

A second grid with the digits placed so far, and a third with candidates, may follow; only the first
is the puzzle.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import ClassVar

from satdoku.notation.detection import Head
from satdoku.notation.drawings.blocks import split_blocks
from satdoku.notation.drawings.drawing import read_drawing
from satdoku.notation.drawings.rows import RowsFormat
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, align, split_every
from satdoku.notation.symbols import is_blank
from satdoku.puzzle.puzzle import Puzzle


class SimpleSudokuFormat(RowsFormat):
    """A framed board, perhaps followed by later states of the same one."""

    name: ClassVar[str] = "ss"
    description: ClassVar[str] = "Simple Sudoku: a board framed by *-----------*"
    between: ClassVar[str] = "\n"
    draws_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        first = head.first.plain.strip()
        return first.startswith("*-") and first.endswith("-*")

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        shown: list[str] | None = None
        for record in split_blocks(lines, hints.size):
            cells = _cells_of(record, hints)
            if shown is None or not _is_later_state(cells, shown):
                shown = cells
                yield record

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        geometry = puzzle.geometry
        separator = spelling.separator(geometry.size)
        rows = [
            [separator.join(box) for box in split_every(cells, geometry.box_columns)]
            for cells in split_every(align(spelling.texts(puzzle.grid)), geometry.size)
        ]
        dashes = "+".join("-" * len(box) for box in rows[0])
        frame = f"*{'-' * len(dashes)}*"
        lines = [frame]
        for number_of_row, boxes in enumerate(rows):
            if number_of_row > 0 and number_of_row % geometry.box_rows == 0:
                lines.append(f"|{dashes}|")
            lines.append(f"|{'|'.join(boxes)}|")
        return "\n".join([*lines, frame]) + "\n"


def _cells_of(record: Record, hints: Hints) -> list[str]:
    drawing = read_drawing(record.text, hints.size)
    return [cell for row in drawing.rows for cell in row.row.cells(drawing.size) or ()]


def _is_later_state(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Whether a board shows the same givens as the first, or candidates instead of cells."""
    if len(cells) != len(first):
        return False
    # A cell with more characters than the largest digit has is a list of candidates.
    longest_digit = len(str(isqrt(len(first))))
    has_candidates = any(len(cell) > longest_digit for cell in cells)
    return has_candidates or all(
        is_blank(given) or given == cell for given, cell in zip(first, cells, strict=True)
    )
