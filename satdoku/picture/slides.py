"""Slides as JSON objects, for the page that walks through them on one board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from satdoku.picture.figure import draw
from satdoku.picture.picture import Picture, Slide
from satdoku.picture.shapes import Figure, Rect
from satdoku.picture.svg import svg_element
from satdoku.puzzle.rules.drawn import Shade


class SlideObjects:
    """The slides of one puzzle as objects, each with what is new on its board.

    A board with all its candidates has a thousand numbers, and a step changes few of them.
    `own_shades` is how many shades the rules have themselves, which the board shows anyway.
    """

    def __init__(self, own_shades: int) -> None:
        self._own_shades = own_shades
        self._digits: Sequence[int] = ()
        self._candidates: Mapping[int, Sequence[int]] = {}

    def of(self, slide: Slide) -> dict[str, Any]:
        """The words of a slide, the changes of its board, and what is pointed out."""
        words = {"text": slide.text, "details": slide.details}
        return {
            "heading": slide.heading,
            **{name: text for name, text in words.items() if text},
            "board": self._changes(slide.picture),
            **self._marks(slide.picture),
        }

    def _changes(self, picture: Picture) -> dict[str, Any]:
        """The cells that have another content now: a digit, or the list of their candidates."""
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
    """The drawing of an empty board, and where in it the cells are: left, top and side."""
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
