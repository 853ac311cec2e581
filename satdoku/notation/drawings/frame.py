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

from satdoku.puzzle.geometry import Geometry


def align(texts: Sequence[str]) -> list[str]:
    """The texts, all as wide as the widest, to the right."""
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]


def draw_board(
    geometry: Geometry, cells: Sequence[str], width: int, marked: Collection[int] = ()
) -> list[str]:
    """The lines of a boxed board; every cell must be seen `width` wide, marked ones get a star.

    The star takes the place of the space behind the cell, so nothing moves.
    """
    dashes = "-" * (geometry.box_columns * (width + 1) + 1)
    boxes_beside = geometry.size // geometry.box_columns
    border = "+".join(["", *[dashes] * boxes_beside, ""])
    lines = []
    for row in range(geometry.size):
        if row % geometry.box_rows == 0:
            lines.append(border)
        row_cells = geometry.row_cells(row)
        texts = [cells[cell] + (" *"[cell in marked]) for cell in row_cells]
        step = geometry.box_columns
        boxes = ["".join(texts[start : start + step]) for start in range(0, len(texts), step)]
        lines.append("| " + "| ".join(boxes) + "|")
    return [*lines, border]


def board_width(geometry: Geometry, width: int) -> int:
    """How many characters wide such a board is."""
    boxes_beside = geometry.size // geometry.box_columns
    return boxes_beside * (geometry.box_columns * (width + 1) + 2) + 1
