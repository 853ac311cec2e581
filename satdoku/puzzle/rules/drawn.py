"""What rules look like on a board: a few shapes that every renderer knows.

A rule draws itself (`Rule.drawing`) and says in words what its shapes mean (`Rule.caption`), so
that a new rule is drawn without any renderer being changed.
"""

from enum import Enum
from typing import Literal, NamedTuple


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
    """Cells that have a circle or a square around their digit, or filled behind it."""

    cells: tuple[int, ...]
    shape: MarkShape
    is_filled: bool = False


class Pencil(NamedTuple):
    """A cell with the digits written small that it may hold."""

    cell: int
    digits: tuple[int, ...]


class Cage(NamedTuple):
    """Cells within a dashed line, with a text in the corner of the first of them."""

    cells: tuple[int, ...]
    text: str = ""


# Names and no values: paper, the page and a dark screen have a shade each of their own.
Tint = Literal["grey", "green", "purple", "blue", "orange", "teal", "yellow"]
"""The colours of lines, as players know them."""


class Line(NamedTuple):
    """A broad line through cells; with a bulb where it begins, or with circles at its ends."""

    cells: tuple[int, ...]
    tint: Tint
    has_bulb: bool = False
    has_ends: bool = False


class Shaft(NamedTuple):
    """An arrow: the cells of its circle or pill, and those that it runs through.

    One that `is_short` shows a direction only, and ends before the middle of its cell.
    """

    circle: tuple[int, ...]
    cells: tuple[int, ...]
    is_short: bool = False


class Dot(NamedTuple):
    """A mark between two cells, or where four of them meet: filled, a circle, or a text alone."""

    cells: tuple[int, ...]
    text: str = ""
    is_filled: bool = False
    has_circle: bool = True


class Outside(NamedTuple):
    """A text outside the board, beside a cell at its border, about the cells in some direction."""

    cell: int
    # The step to the next of these cells; a diagonal goes down and right at once.
    down: int
    right: int
    text: str


Drawn = Border | Shade | Stroke | Mark | Pencil | Cage | Line | Shaft | Dot | Outside
