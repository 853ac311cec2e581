"""Slides as a page of HTML that needs nothing beside it: no network, no file, no library.

`boards_html` makes the part of a page that a notebook shows.
"""

from collections.abc import Sequence
from importlib.resources import files
from zlib import crc32

from satdoku.picture.figure import draw
from satdoku.picture.picture import Picture, Show, Slide
from satdoku.picture.svg import escaped, style_sheet, svg_element


def write_page(shows: Sequence[Show]) -> str:
    """The page: for each puzzle its summary, and its slides folded below it."""
    title = shows[0].title if len(shows) == 1 else f"{len(shows)} puzzles"
    template = files("satdoku.picture").joinpath("page.html").read_text("utf-8")
    body = "\n".join(_section(show, number) for number, show in enumerate(shows, 1))
    # The body goes in last: what it says of puzzles may look like a place to fill.
    filled = template.replace("{{title}}", escaped(title)).replace("{{style}}", style_sheet())
    return filled.replace("{{body}}", body)


def _section(show: Show, number: int) -> str:
    slides = "\n".join(
        _slide(slide, f"p{number}-s{place}") for place, slide in enumerate(show.slides)
    )
    return (
        f'<section id="p{number}"><h2>{escaped(show.title)}</h2>\n'
        f"<p>{escaped(show.summary)}</p>\n{slides}</section>"
    )


def _slide(slide: Slide, name: str) -> str:
    number = name.rpartition("-s")[2]
    text = f"<p>{escaped(slide.text)}</p>\n" if slide.text else ""
    rest = f'<p class="rest">{escaped(slide.details)}</p>\n' if slide.details else ""
    return (
        f'<details class="step" id="{name}"><summary>{number}. {escaped(slide.heading)}</summary>\n'
        f"{text}<figure>{svg_element(draw(slide.picture), f'{name}-')}</figure>\n{rest}</details>"
    )


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
