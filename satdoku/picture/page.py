"""Slides as a page of HTML that needs nothing beside it: no network, no file, no library."""

from collections.abc import Sequence
from importlib.resources import files

from satdoku.picture.figure import draw
from satdoku.picture.slides import Show, Slide
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
