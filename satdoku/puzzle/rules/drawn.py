"""The shapes that rules are drawn with; every renderer supports all of them.

A rule returns its shapes (`Rule.drawing`) and explains them in words (`Rule.caption`), so that a
new rule can be drawn without a change to any renderer.
"""

from enum import Enum
from typing import Literal, NamedTuple


class Border(NamedTuple):
    """A thick line around cells: a box, or a region in place of one."""

    cells: tuple[int, ...]


class Shade(NamedTuple):
    """Cells on a darker ground; `has_outline` adds a fine line around them."""

    cells: tuple[int, ...]
    has_outline: bool = True


class Stroke(NamedTuple):
    """A fine straight line from the first to the last of these cells."""

    cells: tuple[int, ...]


class MarkShape(Enum):
    """The shape of a mark around the digit of a cell."""

    CIRCLE = "circle"
    SQUARE = "square"


class Mark(NamedTuple):
    """Cells with a circle or a square around the digit; `is_filled` fills it."""

    cells: tuple[int, ...]
    shape: MarkShape
    is_filled: bool = False


class Pencil(NamedTuple):
    """A cell with small digits: those that it may hold."""

    cell: int
    digits: tuple[int, ...]


class Cage(NamedTuple):
    """Cells within a dashed line, with a text in the corner of the first cell."""

    cells: tuple[int, ...]
    text: str = ""


# Names, not values: paper, the page and dark screens each define their own shades.
Tint = Literal["grey", "green", "purple", "blue", "orange", "teal", "yellow"]
"""The colours of lines that players know."""


class Line(NamedTuple):
    """A broad line through cells, with an optional bulb at its start or circles at its ends."""

    cells: tuple[int, ...]
    tint: Tint
    has_bulb: bool = False
    has_ends: bool = False


class Shaft(NamedTuple):
    """An arrow: the cells of its circle or pill, and the cells that its shaft runs through.

    A shaft that `is_short` only shows a direction, and ends before the middle of its cell.
    """

    circle: tuple[int, ...]
    cells: tuple[int, ...]
    is_short: bool = False


class Dot(NamedTuple):
    """A mark between two cells or at the corner of four: filled, a circle, or only a text."""

    cells: tuple[int, ...]
    text: str = ""
    is_filled: bool = False
    has_circle: bool = True


class Outside(NamedTuple):
    """A text outside the board, beside a border cell, about the cells in one direction."""

    cell: int
    # The step to the next cell; a diagonal has both a step down and a step right.
    down: int
    right: int
    text: str


Drawn = Border | Shade | Stroke | Mark | Pencil | Cage | Line | Shaft | Dot | Outside
