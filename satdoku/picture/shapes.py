"""What drawings on paper and screen are made of: shapes, and the colours of them.

The `paint` of a shape is a name in `PAINTS`, whose colours are names in `LIGHT` and `DARK`. Lengths
are in units of the board, from the top left corner on; y grows downwards. Text is cut into lines by
the mean width of letters, since no font is at hand.

Colours never say anything alone: givens are bold, what is pointed out has a frame, a ring or a
stroke of its own. Every text has a contrast of at least 4.5 to 1 with every ground that it may
stand on, which a test computes.
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
_WIDTH_OF_LETTER = 0.6
# However narrow the board, a line has room for a word.
_FEWEST_LETTERS = 10


def lines_of(text: str, width: float, size: float) -> list[str]:
    """A text cut into lines that fit into a width."""
    return textwrap.wrap(text, max(_FEWEST_LETTERS, int(width / (_WIDTH_OF_LETTER * size))))


def paragraph(lines: Sequence[str], x: float, y: float, size: float, paint: str) -> Iterator[Text]:
    """Lines of text below each other, from y on."""
    for number, line in enumerate(lines, 1):
        yield Text(x, y + number * LEADING * size, line, size, paint, is_centred=False)


class Paint(NamedTuple):
    """How a shape is painted; colours are names of the scheme, widths are in units of the board."""

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    is_bold: bool = False


TINTS = ("grey", "green", "purple", "blue", "orange", "teal", "yellow")
"""The colours of lines; texts can be read on them."""

LIGHT = {
    "paper": "#ffffff",
    "ink": "#000000",
    # Dots are called white and black, so they are in the dark too.
    "white": "#ffffff",
    "black": "#000000",
    "found": "#173f8a",
    "small": "#3d3d3d",
    "goes": "#9c1010",
    "off": "#6b3a00",
    "line": "#8a8a8a",
    "figure": "#707070",
    "shade": "#e4e4e4",
    "placed": "#cdeccd",
    "used": "#d8e6ff",
    "excluded": "#ffe3cf",
    "clashing": "#ffd3cf",
    "different": "#ffedb0",
    "grey": "#c4c4c4",
    "green": "#b9e6b9",
    "purple": "#e6c4ee",
    "blue": "#bfe0f5",
    "orange": "#ffd9ae",
    "teal": "#b5e6e0",
    "yellow": "#f2ecae",
    "frame": "#173f8a",
    "fault": "#9c1010",
}

DARK = {
    "paper": "#15171b",
    "ink": "#ffffff",
    "white": "#ffffff",
    "black": "#000000",
    "found": "#a9ccff",
    "small": "#d2d5da",
    "goes": "#ffb3a8",
    "off": "#ffcf8a",
    "line": "#70757d",
    "figure": "#9a9fa8",
    "shade": "#31353c",
    "placed": "#1c4526",
    "used": "#1f3a63",
    "excluded": "#54301a",
    "clashing": "#5e2020",
    "different": "#4d410f",
    "grey": "#4b5059",
    "green": "#1d4a25",
    "purple": "#4a2a55",
    "blue": "#1c3f57",
    "orange": "#54361a",
    "teal": "#17484a",
    "yellow": "#4a4414",
    "frame": "#a9ccff",
    "fault": "#ffb3a8",
}

PAINTS = {
    # Grounds.
    "paper": Paint("paper"),
    "shade": Paint("shade"),
    "placed": Paint("placed"),
    "used": Paint("used"),
    "excluded": Paint("excluded"),
    "clashing": Paint("clashing"),
    "different": Paint("different"),
    # Lines that rules draw, and their bulbs and bends.
    **{tint: Paint(tint) for tint in TINTS},
    **{f"{tint}-line": Paint("", tint, 10.0) for tint in TINTS},
    "knob": Paint("paper", "figure", 1.3),
    "shaft": Paint("", "figure", 1.8),
    "cage": Paint("", "ink", 0.9, (3, 2)),
    "patch": Paint("paper"),
    "white-dot": Paint("white", "ink", 1.1),
    "black-dot": Paint("black", "ink", 1.1),
    # Lines of the board.
    "thin": Paint("", "line", 0.7),
    "thick": Paint("", "ink", 2.4),
    "fine": Paint("", "figure", 0.9),
    "figure": Paint("", "figure", 1.3),
    # Frames and strokes of what is pointed out.
    "frame-placed": Paint("", "frame", 2.2),
    "frame-used": Paint("", "frame", 1.2, (3, 2)),
    "frame-excluded": Paint("", "fault", 1.2, (1, 2)),
    "frame-clashing": Paint("", "fault", 2.2),
    "frame-different": Paint("", "ink", 1.4, (5, 2)),
    "ring": Paint("", "frame", 1.0),
    "ring-off": Paint("", "off", 1.0, (1.5, 1.5)),
    "struck": Paint("", "goes", 1.2),
    "strong": Paint("", "frame", 1.5),
    "weak": Paint("", "frame", 1.1, (3, 2)),
    "tip": Paint("frame"),
    # Texts.
    "given": Paint("ink", is_bold=True),
    "found": Paint("found"),
    "small": Paint("small"),
    "chosen": Paint("found", is_bold=True),
    "goes": Paint("goes", is_bold=True),
    "off": Paint("off"),
    "label": Paint("small"),
    "sign": Paint("ink", is_bold=True),
    "sign-on-white-dot": Paint("black", is_bold=True),
    "sign-on-black-dot": Paint("white", is_bold=True),
    "words": Paint("ink"),
    "title": Paint("ink", is_bold=True),
}


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of `#rrggbb`, from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
