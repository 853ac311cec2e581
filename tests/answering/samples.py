"""Tasks and forms to try answerers with."""

from collections.abc import Iterable

from satdoku.answering.checker import Checker
from satdoku.answering.fact_finder import Csv, Json
from satdoku.answering.form import Boards, Form, Grids, Nothing, Verdicts
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from tests.commands import AMBIGUOUS, CLASHING, EASY

LINES = [EASY, AMBIGUOUS, CLASHING, EASY[1:]]
"""A puzzle for each of these endings."""
ENDINGS = [Ending.UNIQUE, Ending.MULTIPLE, Ending.NONE, Ending.UNREADABLE]

WRITING: list[Form] = [Boards(), Grids(), Verdicts(), Json(has_statistics=False), Csv()]
FORMS = [*WRITING, Nothing()]
GRID_FORMS: list[Form] = [Boards(), Grids()]


def tasks_of(
    lines: Iterable[str], hints: Hints | None = None, format_name: str | None = None
) -> list[Task]:
    reader = PuzzleReader(lines, "input", format_name, hints)
    return [Task(reader.parser, record, number) for number, record in enumerate(reader, 1)]


def answer_all(form: Form, lines: Iterable[str] = LINES, hints: Hints | None = None) -> list[Row]:
    """The rows of these records."""
    return list(Checker(form).answers(tasks_of(lines, hints)))


def answer(line: str, checker: Checker) -> Row:
    """The row of one record."""
    [row] = checker.answers(tasks_of([line]))
    return row
