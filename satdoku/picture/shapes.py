"""What drawings on paper and screen are made of; `paint` is a name in `palette.PAINTS`.

Lengths are in units of the board, from the top left corner on; y grows downwards.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

# What no XML file may contain, however it is escaped, and halves of pairs, which no file can hold.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def writable(text: str) -> str:
    """A text as any kind of drawing can hold it; names of puzzles may contain what none can."""
    return _UNWRITABLE.sub("\ufffd", text)


class Rect(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float
    paint: str


class Circle(NamedTuple):
    """A circle by its centre."""

    x: float
    y: float
    radius: float
    paint: str


class Path(NamedTuple):
    """Lines from point to point, several of them if they are apart; filled if the paint says so."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    paint: str


class Text(NamedTuple):
    """A text whose middle, or whose beginning unless `is_centred`, is at x, its base line at y."""

    x: float
    y: float
    text: str
    size: float
    paint: str
    is_centred: bool = True


class Group(NamedTuple):
    """Shapes that belong together, moved and then scaled; `name` is an id without blanks.

    The names of groups in a group that `is_board` begin with its own, since boards have the same
    cells.
    """

    name: str
    shapes: "Sequence[Shape]"
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    is_board: bool = False


Shape = Rect | Circle | Path | Text | Group


class Figure(NamedTuple):
    """A whole drawing with its size, a title and a description for who cannot see it."""

    width: float
    height: float
    shapes: Sequence[Shape]
    title: str = ""
    description: str = ""
