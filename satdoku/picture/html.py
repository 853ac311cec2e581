"""Boards as HTML: drawings to stand in a page, with words above them."""

from collections.abc import Sequence
from zlib import crc32

from satdoku.picture.figure import draw
from satdoku.picture.picture import Picture
from satdoku.picture.svg import escaped, style_sheet, svg_element

# A cell of 9x9 is then as large as a line of text is high, twice; a phone is as wide as one board.
_BOARD_WIDTH = 340


def boards_html(pictures: Sequence[Picture], words: str = "") -> str:
    """Drawings beside each other where there is room, for a cell of a notebook.

    All of it stands in one element, with a style sheet that touches nothing else.
    """
    boards = "".join(
        f'<div style="flex:0 1 {_BOARD_WIDTH}px">{_board(picture)}</div>' for picture in pictures
    )
    told = f"<p>{escaped(words)}</p>" if words else ""
    return (
        f"<div><style>{style_sheet()}</style>{told}"
        f'<div style="display:flex;flex-wrap:wrap;gap:24px">{boards}</div></div>'
    )


def _board(picture: Picture) -> str:
    """A drawing whose ids are like those of no other drawing of the page, unless it is the same."""
    figure = draw(picture)
    told = f"{figure.title} {figure.description}"
    # A number of what is drawn, so that the same cell of a notebook run again gives the same ids;
    # `hash` differs from run to run.
    number = crc32(told.encode(errors="replace"))
    return svg_element(figure, f"board-{number:08x}-")
