"""A row of a Parquet file as a record: its columns are the entries of a JSON object."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from satdoku.errors import FormatError
from satdoku.notation.detection import Head
from satdoku.notation.hints import Hints
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.record import Record, free_name
from satdoku.notation.rule_entries import with_shape
from satdoku.notation.spelling import Spelling, write_cells
from satdoku.notation.tables.fields import write_fields
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class ParquetFormat(JsonFormat):
    """The rows of one file; `column` has the puzzles, `solution_column` known solutions.

    As text its rows are answered as those of a CSV table are. No text is read in this format.
    """

    name: ClassVar[str] = "parquet"

    names: tuple[str, ...] = ()
    column: str = ""
    solution_column: str | None = None

    def matches(self, head: Head) -> bool:
        return False

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        try:
            return super().parse(record, self._chosen(hints), source)
        except FormatError as error:
            # The number of the row is the whole place: nobody sees the JSON that we made of it.
            raise FormatError(error.message, source, record.line) from None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        try:
            return super().parse_solution(record, self._chosen(hints), source)
        except FormatError as error:
            raise FormatError(error.message, source, record.line) from None

    def _with_shape(self, hints: Hints, value: object) -> Hints:
        # As in other tables, and not as in JSON: a column called box may hold something else.
        return with_shape(hints, value if isinstance(value, dict) else {})

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return super().spelling_of(record, self._chosen(hints), size)

    def answer_opening(self) -> str:
        return self.header_with(["solution"])

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.row_with(record, [write_cells(solution, spelling)])

    def missing_answer(self, record: Record | None = None) -> str:
        return "\n" if record is None else self.row_with(record, [""])

    @property
    def columns(self) -> tuple[str, str]:
        return write_fields(self.names).removesuffix("\n"), ","

    def header_with(self, names: Sequence[str]) -> str:
        return write_fields([*self.names, *(free_name(name, self.names) for name in names)])

    def row_with(self, record: Record, texts: Sequence[str], puzzle: Puzzle | None = None) -> str:
        values = json.loads(record.text).values()
        return write_fields([*map(_text_of_value, values), *texts])

    def _chosen(self, hints: Hints) -> Hints:
        return replace(hints, column=self.column, solution_column=self.solution_column)


def _text_of_value(value: object) -> str:
    """A value as a field of CSV: nothing for null, and JSON for what has parts."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
