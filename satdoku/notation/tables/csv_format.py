"""Tables of puzzles: CSV with or without a header line."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from satdoku.errors import FormatError
from satdoku.notation.detection import is_comment
from satdoku.notation.digits import read_number
from satdoku.notation.format import Format
from satdoku.notation.lines.line import alphabet_of, locate_cells, read_grid, write_cells
from satdoku.notation.record import Hints, Record
from satdoku.notation.tables.fields import (
    PUZZLE_NAMES,
    Field,
    find_delimiter,
    has_column_names,
    has_open_quote,
    has_puzzle_name,
    is_board,
    is_header_line,
    quote_field,
    split_fields,
)
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class CsvFormat(Format):
    """A puzzle in a column of a table.

    The columns are counted from 0 here; `header` is the first line, empty where there is none.
    """

    name: ClassVar[str] = "csv"
    description: ClassVar[str] = "a table with the puzzle in a column, with or without a header"

    header: str = ""
    delimiter: str = ","
    puzzle_column: int = 0
    solution_column: int | None = None
    name_column: int | None = None
    comment_column: int | None = None

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        if hints.column is not None or hints.solution_column is not None:
            return True
        first, *others = [line for line in lines if line.strip() and not is_comment(line)]
        fields = _split(first)
        boards = [is_board(field.text, hints.size) for field in fields]
        if has_column_names(first):
            is_table = len(fields) > 1 and has_puzzle_name(first)
            return is_table or any(_has_board(line, hints) for line in others[:1])
        has_further_columns = any(boards[1:]) or (len(fields) == 2 and not fields[1].text.strip())
        return len(fields) > 1 and any(boards) and has_further_columns

    def prepare(
        self, lines: Sequence[str], is_whole: bool, hints: Hints, source: str
    ) -> "CsvFormat | None":
        numbered = [(n, x) for n, x in enumerate(lines, 1) if x.strip() and not is_comment(x)]
        number, first = numbered[0]
        fields = _split(first)
        if not is_header_line(first):
            names: list[str] = []
            puzzle_at = _first_board(fields, hints)
        elif len(numbered) < 2 and not is_whole:
            return None
        else:
            names = [field.text.strip().lower() for field in fields]
            below = _split(numbered[-1][1])
            known = [n for n, name in enumerate(names) if name in PUZZLE_NAMES]
            puzzle_at = known[0] if known else _first_board(below, hints)
        columns = _Columns(names, len(fields), source, number)
        return CsvFormat(
            first if names else "",
            find_delimiter(first),
            columns.index(hints.column) if hints.column else puzzle_at,
            columns.index(hints.solution_column) if hints.solution_column else None,
            names.index("name") if "name" in names else None,
            names.index("comment") if "comment" in names else None,
        )

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        is_header_due = bool(self.header)
        for number, line in enumerate(lines, 1):
            if line.strip() and not is_comment(line):
                if not is_header_due:
                    yield Record(number, line)
                is_header_due = False

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        fields = split_fields(record.text, self.delimiter)
        if has_open_quote(record.text, fields[-1]):
            message = "this quote is not closed on its line"
            raise FormatError(message, source, record.line, fields[-1].start)
        grid = _read_field(fields, self.puzzle_column, record, hints, source)
        return Puzzle(
            grid, _text_at(fields, self.name_column), _text_at(fields, self.comment_column)
        )

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        if self.solution_column is None:
            return None
        fields = split_fields(record.text, self.delimiter)
        if not _text_at(fields, self.solution_column):
            return None
        try:
            return _read_field(fields, self.solution_column, record, hints, source)
        except FormatError as error:
            message = f"the known solution: {error.message}"
            raise FormatError(message, error.source, error.line, error.column) from None

    def opening(self, hints: Hints) -> str:
        return "puzzle,name,comment\n"

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        fields = (write_cells(puzzle.grid, hints), puzzle.name, puzzle.comment)
        return ",".join(map(quote_field, fields)) + "\n"

    def answer_opening(self) -> str:
        return self.extend_header(["solution"])

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        cells = write_cells(solution, self.hints_of(record, hints))
        return self.extend_row(record.text, [cells])

    def extend_header(self, names: Sequence[str]) -> str:
        """The header with further columns; a name that is taken gets an ending. Empty without one.

        >>> CsvFormat(header="puzzle,solution").extend_header(["verdict", "solution"])
        'puzzle,solution,verdict,solution_found\\n'
        """
        taken = {field.text.strip() for field in split_fields(self.header, self.delimiter)}
        free = [f"{name}_found" if name in taken else name for name in names]
        return self.extend_row(self.header, free) if self.header else ""

    def extend_row(self, row: str, texts: Sequence[str]) -> str:
        """A row of the table with further columns behind its own; an open quote would take them."""
        is_open = has_open_quote(row, split_fields(row, self.delimiter)[-1])
        whole = row.rstrip() + '"' * is_open
        return self.delimiter.join([whole, *map(quote_field, texts)]) + "\n"

    def hints_of(self, record: Record, hints: Hints) -> Hints:
        fields = split_fields(record.text, self.delimiter)
        return alphabet_of(locate_cells(fields[self.puzzle_column].text.strip(), hints), hints)


@dataclass(frozen=True)
class _Columns:
    """The columns that a user can name."""

    names: Sequence[str]
    count: int
    source: str
    line: int

    def index(self, wanted: str) -> int:
        """The column with that name or number."""
        if wanted.strip().lower() in self.names:
            return self.names.index(wanted.strip().lower())
        number = read_number(wanted)
        if number is not None and 1 <= number <= self.count:
            return number - 1
        found = ", ".join(self.names) if self.names else f"1 to {self.count}"
        raise FormatError(f"there is no column {wanted!r}, only {found}", self.source, self.line, 1)


def _split(line: str) -> list[Field]:
    return split_fields(line, find_delimiter(line))


def _has_board(line: str, hints: Hints) -> bool:
    return any(is_board(field.text, hints.size) for field in _split(line))


def _first_board(fields: Sequence[Field], hints: Hints) -> int:
    return next((n for n, field in enumerate(fields) if is_board(field.text, hints.size)), 0)


def _text_at(fields: Sequence[Field], column: int | None) -> str:
    return fields[column].text.strip() if column is not None and column < len(fields) else ""


def _read_field(
    fields: Sequence[Field], column: int, record: Record, hints: Hints, source: str
) -> Grid:
    if column >= len(fields) or not fields[column].text.strip():
        place = len(record.text.rstrip()) + 1 if column >= len(fields) else fields[column].start + 1
        raise FormatError(f"no puzzle in column {column + 1}", source, record.line, place)
    text = fields[column].text
    start = fields[column].start + len(text) - len(text.lstrip())
    found = locate_cells(text.strip(), hints)
    return read_grid(found, hints, source, record.line, record.column + start)
