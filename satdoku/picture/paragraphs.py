"""Lines of text on drawings, cut by the mean width of letters, since no font is at hand."""

import textwrap
from collections.abc import Iterator, Sequence

from satdoku.picture.shapes import Text

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
