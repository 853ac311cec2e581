"""The text of one puzzle, before anybody has understood it."""

from collections.abc import Container, Mapping
from typing import Any, NamedTuple

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


def find_key(fields: Mapping[str, Any], name: str) -> str | None:
    """The key of that name; upper and lower case only matter where both are there.

    >>> find_key({"Puzzle": "12.."}, "puzzle"), find_key({}, "puzzle")
    ('Puzzle', None)
    """
    if name in fields:
        return name
    return next((key for key in fields if key.lower() == name.lower()), None)
