"""What rules look like on a board: a few shapes that every renderer knows.

A rule draws itself (`Rule.drawing`) and says in words what its shapes mean (`Rule.caption`), so
that a new rule is drawn without any renderer being changed.
"""

from enum import Enum
from typing import NamedTuple


class Border(NamedTuple):
    """A thick line around cells: a box, or a region in place of one."""

    cells: tuple[int, ...]


class Shade(NamedTuple):
    """Cells on a darker ground, with a fine line around them unless another shape tells them."""

    cells: tuple[int, ...]
    has_outline: bool = True


class Stroke(NamedTuple):
    """A fine line from the first to the last of some cells that lie on a straight line."""

    cells: tuple[int, ...]


class MarkShape(Enum):
    """What is drawn around the digit of a cell."""

    CIRCLE = "circle"
    SQUARE = "square"


class Mark(NamedTuple):
    """Cells that have a circle or a square around their digit."""

    cells: tuple[int, ...]
    shape: MarkShape


class Pencil(NamedTuple):
    """A cell with the digits written small that it may hold."""

    cell: int
    digits: tuple[int, ...]


Drawn = Border | Shade | Stroke | Mark | Pencil
