"""Boards with a line for each row, characters or numbers, bare or in a frame."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from satdoku.notation.detection import Head, Shape
from satdoku.notation.drawings.blocks import split_blocks
from satdoku.notation.drawings.board import join_rows, read_board, read_drawing
from satdoku.notation.drawings.frame import draw_board
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, align, spelling_of, write_rows
from satdoku.puzzle.puzzle import Puzzle


class RowsFormat(Format):
    """A row a line; an empty line between two boards."""

    name: ClassVar[str] = "rows"
    description: ClassVar[str] = "a line for each row, characters or separated numbers"
    between: ClassVar[str] = "\n"

    def matches(self, head: Head) -> bool:
        return head.shape is Shape.ROWS

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_blocks(lines, hints.size)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        return Puzzle(read_board(record, hints, source), record.name)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return "\n".join(write_rows(puzzle.grid, spelling)) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        rows = [row.row for row in read_drawing(record.text, size).rows]
        cells = join_rows([row.cells(size) or () for row in rows])
        spelling = spelling_of(cells, size, hints.alphabet)
        # As its first row is, with or without something between the cells.
        return spelling._replace(is_spaced=len(rows[0].tokens) == size)


class GridFormat(RowsFormat):
    """A board in a frame that shows its boxes."""

    name: ClassVar[str] = "grid"
    description: ClassVar[str] = "a board with its boxes drawn by + - and |"
    draws_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        first = head.first_row
        return first is not None and (head.has_border_above or "|" in first.plain)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        texts = align(spelling.texts(puzzle.grid))
        return "\n".join(draw_board(puzzle.geometry, texts, len(texts[0]))) + "\n"
