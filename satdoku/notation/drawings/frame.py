"""Drawing a board with its boxes, for files and for eyes.

+-----+-----+
| 1 2 | 3 4 |
| 3 4 | 1 2 |
+-----+-----+
| 2 1 | 4 3 |
| 4 3 | 2 1 |
+-----+-----+
"""

from collections.abc import Collection, Sequence

from satdoku.notation.spelling import split_every
from satdoku.puzzle.geometry import Geometry


def draw_board(
    geometry: Geometry, cells: Sequence[str], width: int, marked: Collection[int] = ()
) -> list[str]:
    """The lines of a boxed board; every cell must be seen `width` wide, marked ones get a star.

    The star takes the place of the space behind the cell, so nothing moves.
    """
    with_ends = [text + ("*" if cell in marked else " ") for cell, text in enumerate(cells)]
    border = _border(geometry, width)
    lines = []
    for row, texts in enumerate(split_every(with_ends, geometry.size)):
        if row % geometry.box_rows == 0:
            lines.append(border)
        boxes = map("".join, split_every(texts, geometry.box_columns))
        lines.append("| " + "| ".join(boxes) + "|")
    return [*lines, border]


def board_width(geometry: Geometry, width: int) -> int:
    """How many characters wide such a board is."""
    return len(_border(geometry, width))


def _border(geometry: Geometry, width: int) -> str:
    """The line between two bands: each box is a space, and its cells with a space behind them."""
    dashes = "-" * (1 + geometry.box_columns * (width + 1))
    boxes_beside = geometry.size // geometry.box_columns
    return "+" + f"{dashes}+" * boxes_beside
