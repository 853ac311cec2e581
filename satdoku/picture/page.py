"""Slides as a self-contained HTML page: no network, no further file, no library.

`SlideObjects` writes slides as JSON objects, for every page that steps through them on one board;
`boards_html` makes the HTML that a notebook shows.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any
from zlib import crc32

from satdoku.picture.figure import Figure, Rect, draw
from satdoku.picture.picture import Picture, Show, Slide
from satdoku.picture.svg import escaped, style_sheet, svg_element
from satdoku.puzzle.rules.drawn import Shade

# In the order of their imports, because they are joined into one script.
_MODULES = ("board.js", "state.js", "walk.js", "still.js")


def write_page(shows: Sequence[Show]) -> str:
    """Return a page that shows one board at a time and steps through the slides of each puzzle."""
    title = shows[0].title if len(shows) == 1 else f"{len(shows)} puzzles"
    filled = _file("still.html").replace("{{title}}", escaped(title))
    filled = filled.replace("{{style}}", _file("style.css") + style_sheet())
    filled = filled.replace("{{script}}", _script())
    # The texts of puzzles are inserted last, because they may look like a placeholder; "<" is
    # escaped, so that they cannot end the script element.
    told = json.dumps([_show_object(show) for show in shows], separators=(",", ":"))
    return filled.replace("{{shows}}", told.replace("<", "\\u003c"))


def _file(name: str) -> str:
    return files("satdoku.picture").joinpath("web", name).read_text("utf-8")


def _script() -> str:
    """Return the modules as one script, without imports and exports; top-level names are unique."""
    text = "\n".join(map(_file, _MODULES))
    return re.sub("^export |^import .*;\n", "", text, flags=re.MULTILINE)


def _show_object(show: Show) -> dict[str, Any]:
    first = show.slides[0].picture
    shades = sum(1 for _ in first.drawn_as(Shade))
    slides = SlideObjects(shades)
    geometry = first.geometry
    empty = replace(first, digits=(0,) * geometry.cell_count, candidates={}, has_labels=False)
    return {
        "title": show.title,
        "verdict": show.verdict,
        "summary": show.summary,
        "box": [geometry.box_rows, geometry.box_columns],
        "givens": sorted(first.givens),
        "captions": list(first.captions),
        **board_object(replace(empty, title="", captions=(), cells={}, places={}, arrows=())),
        "slides": [{"part": "step", **slides.of(slide)} for slide in show.slides],
    }


# The height of a 9x9 cell is then two lines of text; one board is as wide as a phone.
_BOARD_WIDTH = 340


def boards_html(pictures: Sequence[Picture], words: str = "") -> str:
    """Return drawings as HTML, side by side if there is room, for a cell of a notebook.

    All HTML is in one element, with a style sheet that affects nothing else.
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
    """Return a drawing with ids that are unique on the page, except for equal drawings."""
    figure = draw(picture)
    told = f"{figure.title} {figure.description}"
    # Use a checksum of the drawing, so that a notebook cell that runs again gives the same ids;
    # `hash` differs from run to run.
    number = crc32(told.encode(errors="replace"))
    return svg_element(figure, f"board-{number:08x}-")


class SlideObjects:
    """The slides of one puzzle as objects, each with what changed on its board.

    A board with all candidates has a thousand numbers, and a step changes few of them. `own_shades`
    is the number of shades that belong to the rules and are always shown.
    """

    def __init__(self, own_shades: int) -> None:
        self._own_shades = own_shades
        self._digits: Sequence[int] = ()
        self._candidates: Mapping[int, Sequence[int]] = {}

    def of(self, slide: Slide) -> dict[str, Any]:
        """Return the words of a slide, the changes of its board, and its highlights."""
        words = {"text": slide.text, "details": slide.details}
        return {
            "heading": slide.heading,
            **{name: text for name, text in words.items() if text},
            "board": self._changes(slide.picture),
            **self._marks(slide.picture),
        }

    def _changes(self, picture: Picture) -> dict[str, Any]:
        """Return the cells whose content has changed: a digit, or the list of candidates."""
        before, known = self._digits, self._candidates
        self._digits, self._candidates = picture.digits, picture.small_digits
        return {
            str(cell): content
            for cell, content in self._contents()
            if not before or content != (before[cell] or list(known.get(cell, ())))
        }

    def _contents(self) -> Iterator[tuple[int, int | list[int]]]:
        for cell, digit in enumerate(self._digits):
            yield cell, digit or list(self._candidates.get(cell, ()))

    def _marks(self, picture: Picture) -> dict[str, Any]:
        shades = [list(shade.cells) for shade in picture.drawn_as(Shade)][self._own_shades :]
        arrows = [[*arrow.start, *arrow.end, int(arrow.is_strong)] for arrow in picture.arrows]
        found: dict[str, Any] = {
            "cells": {str(cell): why.value for cell, why in picture.cells.items()},
            "places": [[*place, why.value] for place, why in picture.places.items()],
            "arrows": arrows,
            "shades": shades,
        }
        return {name: value for name, value in found.items() if value}


def board_object(picture: Picture) -> dict[str, Any]:
    """Return the drawing of an empty board, and the position of its cells: left, top and side."""
    figure: Figure = draw(picture)
    frame = next(
        [shape.x, shape.y, shape.width]
        for shape in figure.shapes
        if isinstance(shape, Rect) and shape.paint == "thick"
    )
    return {
        "svg": svg_element(figure, "board-"),
        "width": figure.width,
        "height": figure.height,
        "frame": frame,
    }
