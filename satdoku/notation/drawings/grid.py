"""Boards in a frame that shows their boxes, as terminals and programs draw them."""

from typing import ClassVar

from satdoku.notation.detection import Head
from satdoku.notation.drawings.frame import draw_board
from satdoku.notation.drawings.rows import RowsFormat
from satdoku.notation.spelling import Spelling, align
from satdoku.puzzle.puzzle import Puzzle


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
