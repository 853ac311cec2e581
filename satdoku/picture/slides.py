"""Pictures with words, one after the other, as a page walks through them."""

from dataclasses import replace
from typing import NamedTuple

from satdoku.picture.picture import Picture
from satdoku.picture.sketch import Sketch


class Slide(NamedTuple):
    """A picture with a heading on one line, what it shows in words, and what that rests on."""

    picture: Picture
    heading: str
    text: str = ""
    details: str = ""


class Show(NamedTuple):
    """The slides about one puzzle, with a title, and a few sentences about all of them."""

    title: str
    summary: str
    slides: tuple[Slide, ...]

    def sketch(self) -> Sketch:
        """The slides as boards with their words above and below."""
        return Sketch(tuple(_board(slide, n) for n, slide in enumerate(self.slides)))


def _board(slide: Slide, number: int) -> Picture:
    captions = (*slide.picture.captions, *slide.text.splitlines())
    return replace(slide.picture, title=f"{number}. {slide.heading}", captions=captions)
