"""Where in a text the fault of a puzzle is."""

from collections.abc import Callable

from satdoku.errors import FormatError, SatdokuError

Place = tuple[int, int]
"""A line and a column, counted from 1."""

PlaceOf = Callable[[int], Place]
"""Finds the n-th cell of a board, from 0, in the text; asked only when there is a fault."""


def with_place(error: SatdokuError, source: str, place: Place) -> FormatError:
    """The same fault with its place; one that has a place already keeps it."""
    if isinstance(error, FormatError):
        return error if error.line else type(error)(error.message, source, *place)
    return FormatError(str(error), source, *place)
