"""Answers as rows of a table; what came as a table keeps its columns."""

from collections.abc import Sequence

from satdoku.notation.reading import Parser
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.objects import COLUMNS
from satdoku.reporting.task import Task


def csv_opening(parser: Parser) -> str:
    """The header of the table that `--csv` writes for this input."""
    return parser.format.header_with(COLUMNS)


def columns_of(parser: Parser) -> tuple[str, str] | None:
    """The header and delimiter of an input that is a table: alike, one table can hold both."""
    return parser.format.columns


def write_row(task: Task, columns: Sequence[str], puzzle: Puzzle | None = None) -> str:
    """A row with further columns; before them stands the puzzle, or its text if it is none."""
    return task.parser.format.row_with(task.record, columns, puzzle)
