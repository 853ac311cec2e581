"""Answers as rows of a table; what came as a table keeps its columns."""

from collections.abc import Sequence

from satdoku.notation.lines.line import write_cells
from satdoku.notation.reading import Parser
from satdoku.notation.record import Hints
from satdoku.notation.tables.csv_format import CsvFormat
from satdoku.notation.tables.fields import quote_field
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.objects import COLUMNS
from satdoku.reporting.task import Task


def csv_opening(parser: Parser) -> str:
    """The header of the table that `--csv` writes for this input."""
    table = parser.format
    if not isinstance(table, CsvFormat):
        return ",".join(("puzzle", *COLUMNS)) + "\n"
    return table.extend_header(COLUMNS)


def columns_of(parser: Parser) -> tuple[str, str] | None:
    """The header and delimiter of an input that is a table: alike, one table can hold both."""
    table = parser.format
    return (table.header, table.delimiter) if isinstance(table, CsvFormat) else None


def write_row(task: Task, columns: Sequence[str], puzzle: Puzzle | None = None) -> str:
    """A row with further columns; before them stands the puzzle, or its text if it is none."""
    table = task.parser.format
    if isinstance(table, CsvFormat):
        return table.extend_row(task.record.text, columns)
    first = task.record.text if puzzle is None else write_cells(puzzle.grid, Hints())
    return ",".join(map(quote_field, [first, *columns])) + "\n"
