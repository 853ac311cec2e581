"""What drawings on paper and screen are made of; `paint` is a name in `palette.PAINTS`.

Lengths are in units of the board, from the top left corner on; y grows downwards.

Text is cut into lines by the mean width of letters, since no font is at hand.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
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


LEADING = 1.35
"""The distance of two lines of text, in units of their size."""

# The mean width of a letter, in units of its size: that of Verdana, the widest of the usual fonts.
_LETTER = 0.6
# However narrow the board, a line has room for a word.
_FEWEST_LETTERS = 10


def lines_of(text: str, width: float, size: float) -> list[str]:
    """A text cut into lines that fit into a width."""
    return textwrap.wrap(text, max(_FEWEST_LETTERS, int(width / (_LETTER * size))))


def paragraph(lines: Sequence[str], x: float, y: float, size: float, paint: str) -> Iterator[Text]:
    """Lines of text below each other, from y on."""
    for number, line in enumerate(lines, 1):
        yield Text(x, y + number * LEADING * size, line, size, paint, is_centred=False)
