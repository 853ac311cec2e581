"""The text of one puzzle, before anybody has understood it, and places in it."""

from collections.abc import Callable, Collection, Container
from typing import NamedTuple

from satdoku.errors import FormatError, SatdokuError

PUZZLE_NAMES = (
    "puzzle",
    "puzzles",
    "quiz",
    "quizzes",
    "question",
    "sudoku",
    "grid",
    "board",
    "givens",
    "initial_board",
)
"""What columns of a table and keys of an object that hold puzzles are usually called."""


class Record(NamedTuple):
    """The raw text of one puzzle, cut out of a file but not yet understood.

    `line` and `column` say where the text begins, counted from 1; `name` comes from a title above
    the puzzle, such as `Grid 01`.
    """

    line: int
    text: str
    name: str = ""
    column: int = 1


def free_name(name: str, taken: Container[str]) -> str:
    """The name of an answer beside the fields of its record; one that is taken gets an ending.

    >>> free_name("solution", ["puzzle", "solution"])
    'solution_found'
    """
    while name in taken:
        name += "_found"
    return name


def find_name(names: Collection[str], wanted: str) -> str | None:
    """That of the names which is wanted; upper and lower case only matter where both are there.

    >>> find_name(["Puzzle"], "puzzle"), find_name(["Puzzle", "puzzle"], "puzzle")
    ('Puzzle', 'puzzle')
    >>> find_name([], "puzzle") is None
    True
    """
    if wanted in names:
        return wanted
    return next((name for name in names if name.lower() == wanted.lower()), None)


Place = tuple[int, int]
"""A line and a column, counted from 1."""

PlaceOf = Callable[[int], Place]
"""Finds the n-th cell of a board, from 0, in the text; asked only when there is a fault."""


def with_place(error: SatdokuError, source: str, place: Place) -> FormatError:
    """The same fault with its place; one that has a place already keeps it."""
    if isinstance(error, FormatError):
        return error if error.line else type(error)(error.message, source, *place)
    return FormatError(str(error), source, *place)
