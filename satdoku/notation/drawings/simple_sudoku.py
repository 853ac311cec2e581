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

from satdoku.notation.detection import first_data
from satdoku.notation.drawings.blocks import split_blocks
from satdoku.notation.drawings.board import read_drawing
from satdoku.notation.drawings.frame import align
from satdoku.notation.drawings.row import plain
from satdoku.notation.drawings.rows import RowsFormat
from satdoku.notation.format import cell_separator, cell_texts
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_BLANKS = frozenset(".0_-*?xX")


class SimpleSudokuFormat(RowsFormat):
    """A framed board, perhaps followed by later states of the same one."""

    name: ClassVar[str] = "ss"
    description: ClassVar[str] = "Simple Sudoku: a board framed by *-----------*"
    between: ClassVar[str] = "\n"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        first = plain(lines[first_data(lines)]).strip()
        return first.startswith("*-") and first.endswith("-*")

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        shown: list[str] | None = None
        for record in split_blocks(lines, hints.size):
            cells = _characters_of(record, hints)
            if shown is None or not _is_later_state(cells, shown):
                shown = cells
                yield record

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        geometry = puzzle.geometry
        texts = align(cell_texts(puzzle.grid, hints))
        separator = cell_separator(geometry.size, hints)
        lines = []
        for row in range(geometry.size):
            if row and row % geometry.box_rows == 0:
                lines.append("border")
            cells = [texts[cell] for cell in geometry.row_cells(row)]
            step = geometry.box_columns
            boxes = [separator.join(cells[at : at + step]) for at in range(0, len(cells), step)]
            lines.append(f"|{'|'.join(boxes)}|")
        inner = "+".join(["-" * len(boxes[0])] * len(boxes))
        frame = f"*{'-' * len(inner)}*"
        lines = [f"|{inner}|" if line == "border" else line for line in lines]
        return "\n".join([frame, *lines, frame]) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return self.write(Puzzle(solution), self.hints_of(record, hints), number)


def _characters_of(record: Record, hints: Hints) -> list[str]:
    drawing = read_drawing(record.text, hints.size)
    return [cell for line in drawing.lines for cell in line.row.cells(drawing.size) or ()]


def _is_later_state(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Whether a board shows the same givens as the first, or candidates instead of cells."""
    if len(cells) != len(first):
        return False
    longest_digit = len(str(isqrt(len(first))))
    has_candidates = any(len(cell) > longest_digit for cell in cells)
    return has_candidates or all(
        given in _BLANKS or given == cell for given, cell in zip(first, cells, strict=True)
    )
