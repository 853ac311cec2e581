"""The text of one puzzle before it is parsed, and places in it."""

from collections import Counter
from collections.abc import Callable, Collection, Container, Sequence
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
"""Usual names of columns and keys that hold puzzles."""


class Record(NamedTuple):
    """The raw text of one puzzle, cut out of a file but not yet parsed.

    `line` and `column` say where the text begins, counted from 1; `name` is a title above the
    puzzle, such as `Grid 01`.
    """

    line: int
    text: str
    name: str = ""
    column: int = 1


def free_name(name: str, taken: Container[str]) -> str:
    """Return a name for an answer beside the fields of its record; a taken one gets a suffix.

    >>> free_name("solution", ["puzzle", "solution"])
    'solution_found'
    """
    while name in taken:
        name += "_found"
    return name


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with a number behind each that was there before.

    >>> distinct_names(["note", "note", "note_2", "note"])
    ['note', 'note_3', 'note_2', 'note_4']
    """
    taken, count = set(names), Counter[str]()
    made = []
    for name in names:
        count[name] += 1
        free = name if count[name] == 1 else f"{name}_{count[name]}"
        while count[name] > 1 and free in taken:
            count[name] += 1
            free = f"{name}_{count[name]}"
        taken.add(free)
        made.append(free)
    return made


def find_name(names: Collection[str], wanted: str) -> str | None:
    """Return the matching name; case and spaces only matter if both spellings are there.

    >>> find_name(["Puzzle "], "puzzle"), find_name(["Puzzle", "puzzle"], "puzzle")
    ('Puzzle ', 'puzzle')
    >>> find_name([], "puzzle") is None
    True
    """
    if wanted in names:
        return wanted
    said = wanted.strip().lower()
    return next((name for name in names if name.strip().lower() == said), None)


Place = tuple[int, int]
"""A line and a column, counted from 1."""

PlaceOf = Callable[[int], Place]
"""Returns the place of the n-th cell of a board, from 0; only called for a fault."""


def with_place(error: SatdokuError, source: str, place: Place) -> FormatError:
    """Return the same fault with this place; a fault that has a place keeps it."""
    if isinstance(error, FormatError):
        return error if error.line else type(error)(error.message, source, *place)
    return FormatError(str(error), source, *place)
