"""Tables of puzzles: CSV with or without a header line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from satdoku.errors import FormatError, RuleError, SatdokuError, SolutionError
from satdoku.notation.cells import find_cells, read_cells, spelling_of_line
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import is_link, puzzle_of_link, unread_of_link
from satdoku.notation.fields import (
    Field,
    Rows,
    as_text,
    has_open_quote,
    has_puzzle_name,
    has_raw_bytes,
    is_board,
    is_header,
    quote_field,
    split_few_fields,
    split_fields,
    write_fields,
)
from satdoku.notation.format import AnsweredInRows
from satdoku.notation.hints import NO_COLUMN, Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import (
    PUZZLE_NAMES,
    Record,
    distinct_names,
    find_name,
    free_name,
    with_place,
)
from satdoku.notation.rule_entries import (
    SHAPE_COLUMNS,
    VARIANT_COLUMNS,
    names_rules_of_others,
    refuse_rules_beside,
    variants_applied,
    with_rule_entries,
    with_shape,
)
from satdoku.notation.spelling import Spelling, read_number, shows_regions, write_cells
from satdoku.notation.stated_rules import says_variant, words_of_rules
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.notation.plain_rows import TextRows


_NO_UTF_8 = (
    "this text is not UTF-8; such bytes stay in CSV and are lost in other forms, unless the file "
    "is converted, for example by iconv -f windows-1252 -t utf-8"
)


@value(frozen=True)
class CsvFormat(AnsweredInRows):
    """A table with puzzles in one column, and rules and boxes in others.

    Columns are counted from 0 here; `header` is the first line, empty if there is none.
    """

    name: ClassVar[str] = "csv"
    description: ClassVar[str] = "a table with the puzzle in a column, with or without a header"
    is_linewise: ClassVar[bool] = True
    has_fields: ClassVar[bool] = True

    header: str = ""
    delimiter: str = ","
    puzzle_column: int = 0
    solution_column: int | None = None
    name_column: int | None = None
    comment_column: int | None = None
    shape_columns: tuple[tuple[str, int], ...] = ()
    variant_columns: tuple[tuple[str, int], ...] = ()
    """The columns with a word for the kind of each puzzle, which may name a rule."""
    unread_columns: tuple[tuple[str, int], ...] = ()
    """Columns named like rules, from which none are read; a row with an entry there is refused."""
    width: int = 0
    """The number of columns of the header; 0 without one."""

    def matches(self, head: Head) -> bool:
        # If the user chooses columns, the text is a table, whatever it looks like.
        if head.hints.column is not None or head.hints.solution_column is not None:
            return True
        fields = head.first.fields
        if head.first.has_column_names:
            is_table = len(fields) > 1 and has_puzzle_name(fields)
            if is_table and head.first.delimiter == "|":
                # A title may have a bar too, as in `Sudoku | easy` above a board.
                return head.second is not None and _has_board_between_bars(head.second.text)
            return is_table or (head.second is not None and any(head.second.boards))
        if len(fields) < 2 or not any(head.first.boards):
            return False
        # `BOARD,BOARD` or `BOARD,` are a table; `BOARD,easy` is a line with a name.
        is_last_empty = len(fields) == 2 and not fields[1].text.strip()
        return any(head.first.boards[1:]) or is_last_empty

    def prepare(self, head: Head, source: str) -> "CsvFormat | None":
        first, hints = head.first, head.hints
        if not is_header(first.fields):
            names: list[str] = []
            puzzle_column = _first_board(first.boards)
        elif head.second is None and not head.is_whole:
            return None  # the column with the boards is found by the line below the header
        else:
            names = [field.text.strip() for field in first.fields]
            below = head.second or first
            known = [column for column, name in enumerate(names) if name.lower() in PUZZLE_NAMES]
            puzzle_column = known[0] if known else _first_board(below.boards)
        columns = _Columns(names, len(first.fields), source, first.number)
        puzzle_column = columns.place_of(hints.column) if hints.column else puzzle_column
        shape_columns = columns.shape_columns(hints.rules_column)
        shown = (head.second or first) if names else first
        layout = _regions_beside(split_few_fields(shown.text, first.delimiter), puzzle_column)
        shape_columns = {"regions": layout, **shape_columns}
        taken = {puzzle_column, *shape_columns.values()}
        unread = [
            (name, column)
            for column, name in enumerate(names)
            if hints.rules_column is None and column not in taken and names_rules_of_others(name)
        ]
        return CsvFormat(
            first.text if names else "",
            first.delimiter,
            puzzle_column,
            columns.place_of(hints.solution_column) if hints.solution_column else None,
            columns.place_named("name"),
            columns.place_named("comment"),
            tuple((name, column) for name, column in shape_columns.items() if column is not None),
            () if hints.rules_column is not None else columns.variant_columns(),
            tuple(unread),
            len(names),
        )

    def is_unmistakable(self, head: Head) -> bool:
        """Whether the header has a usual name, and the row below it a board or an open quote."""
        below = head.second
        if below is None or self.width < 2:
            return False
        names = split_fields(self.header, self.delimiter)
        fields = split_few_fields(below.text, self.delimiter)
        board = _text_at(fields, self.puzzle_column)
        is_row = is_board(board, head.hints.size) or has_open_quote(below.text, fields[-1])
        return is_row and has_puzzle_name(names)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        is_header_due = bool(self.header)
        rows = Rows(lines, self.delimiter, self.width, self.puzzle_column)
        for number, line in rows:
            # The header is the first line that is neither empty nor a comment.
            if is_data(line):
                if not is_header_due:
                    yield Record(number, rows.completed(line))
                is_header_due = False

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        fields = split_fields(record.text, self.delimiter)
        if has_open_quote(record.text, fields[-1]):
            message = "this quote is not closed on its line"
            raise FormatError(message, source, record.line, fields[-1].start)
        if len(fields) > self.width > 0:
            self._require_no_more(fields, record, source)
        hints = self._with_shape(hints, fields, record, source)
        name = as_text(_text_at(fields, self.name_column))
        comment = as_text(_text_at(fields, self.comment_column))
        if is_link(link := _text_at(fields, self.puzzle_column)):
            place = record.line, record.column + fields[self.puzzle_column].start
            puzzle = puzzle_of_link(link, source, place, hints, name, comment)
        else:
            grid = _read_field(fields, self.puzzle_column, record, hints, source)
            puzzle = Puzzle(grid, name, comment)
        # The name of a variant is compared with the rules, so these are read first.
        said = [each for each in self.variant_columns if says_variant(_text_at(fields, each[1]))]
        for name, column in (*self.shape_columns, *said):
            try:
                puzzle = with_rule_entries(puzzle, {name: _text_at(fields, column)})
            except SatdokuError as error:
                place = record.line, record.column + fields[column].start
                raise with_place(error, source, place) from None
        if self.unread_columns:
            self._refuse_unread(fields, record, source)
        return puzzle

    def _require_no_more(self, fields: Sequence[Field], record: Record, source: str) -> None:
        """Refuse a row with more fields than columns: it is unknown which of them is which.

        Rules were probably split at their commas, and a part of a rule is another rule.
        """
        further = next((f for f in fields[self.width :] if f.text.strip()), None)
        if further is None:
            return
        place = source, record.line, record.column + further.start
        if any(name in ("rules", "rule") for name, _ in self.shape_columns):
            message = "this row has more fields than columns; put rules with commas in quotes"
            raise RuleError(message, *place)
        raise FormatError(f"{len(fields)} fields where the header has {self.width}", *place)

    def _refuse_unread(self, fields: Sequence[Field], record: Record, source: str) -> None:
        for name, column in self.unread_columns:
            try:
                refuse_rules_beside({name: _text_at(fields, column)}, ("rules",))
            except SatdokuError as error:
                place = record.line, record.column + fields[column].start
                raise with_place(error, source, place) from None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        if self.solution_column is None:
            return None
        fields = split_fields(record.text, self.delimiter)
        if not _text_at(fields, self.solution_column):
            return None
        hints = self._with_shape(hints, fields, record, source)
        try:
            return _read_field(fields, self.solution_column, record, hints, source)
        except FormatError as error:
            message = f"the known solution: {error.message}"
            raise SolutionError(message, error.source, error.line, error.column) from None

    def _with_shape(
        self, hints: Hints, fields: Sequence[Field], record: Record, source: str
    ) -> Hints:
        if not self.shape_columns:
            return hints
        shape = {name: _text_at(fields, column) for name, column in self.shape_columns}
        try:
            return with_shape(hints, shape)
        except SatdokuError as error:
            raise with_place(error, source, (record.line, record.column)) from None

    def unread(self, record: Record, hints: Hints) -> str:
        applied = self._variants_applied(record)
        if has_raw_bytes(record.text):
            return "; ".join(filter(None, [applied, _NO_UTF_8]))
        # Fast path: tables have millions of rows, and few have links.
        if applied or ("/" not in record.text and "N4" not in record.text):
            return applied
        link = _text_at(split_fields(record.text, self.delimiter), self.puzzle_column)
        return unread_of_link(link) if is_link(link) else ""

    def _variants_applied(self, record: Record) -> str:
        """Return a sentence about a puzzle's kind that was read as a rule; empty if none was."""
        # Fast path: tables have millions of rows, and few have a word that names a rule.
        if not self.variant_columns:
            return ""
        text = record.text.lower()
        if not any(word in text for word in words_of_rules()):
            return ""
        fields = split_fields(record.text, self.delimiter)
        said = {name: _text_at(fields, column) for name, column in self.variant_columns}
        return variants_applied(said)

    def fields_of(self, record: Record) -> dict[str, Any]:
        """Return the fields by column name; empty for a table without a header.

        A second column of the same name has a number behind it, so that none takes the place of the
        puzzle.
        """
        text = as_text(record.text)
        names = _names_of(as_text(self.header), self.delimiter)
        texts = [field.text for field in split_fields(text, self.delimiter)]
        texts += [""] * (len(names) - len(texts))
        # An unreadable row may be longer than the header.
        return dict(zip(names, texts, strict=False)) if self.header else {}

    def rows_like(self, record: Record, hints: Hints) -> "TextRows | None":
        # Imported here, so that runs without tables do not load it.
        from satdoku.notation.plain_rows import (
            KNOWN,
            PUZZLE,
            VARIANT,
            CsvRows,
            Part,
            any_field,
            field_with,
            model_of,
        )

        fields = split_fields(record.text, self.delimiter)
        names = [field.text.strip() for field in split_fields(self.header, self.delimiter)]
        board = model_of(record, _text_at(fields, self.puzzle_column))
        if board is None or (self.header and len(names) != len(fields)):
            return None
        # Columns that say more about a puzzle must have the same text as in this row.
        equal = {column for _, column in (*self.shape_columns, *self.unread_columns)}
        variants = {column for _, column in self.variant_columns}
        has_quotes = '"' in record.text
        parts = [Part(r"(?![\s#])")]
        for column, field in enumerate(fields):
            is_quoted = record.text[field.start - 1 : field.start] == '"'
            if column == self.puzzle_column:
                parts += field_with(board.pattern, is_quoted, PUZZLE)
            elif column in equal:
                parts += field_with(re.escape(field.text.strip()), is_quoted)
            else:
                group = KNOWN if column == self.solution_column else ""
                group = VARIANT if column in variants else group
                parts.append(Part(any_field(self.delimiter, has_quotes), group))
            parts.append(Part(re.escape(self.delimiter)))
        parts[-1] = Part(r"\r?\n")
        if self.solution_column is not None and KNOWN not in [part.group for part in parts]:
            return None
        apart = (("name", self.name_column), ("comment", self.comment_column))
        return CsvRows(
            board.geometry,
            tuple(parts),
            len(record.text) + 1,
            self.delimiter,
            tuple(names) if self.header else (),
            any(column is not None and name not in names for name, column in apart),
        )

    def opening(self) -> str:
        return "puzzle,name,comment\n"

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return write_fields((write_cells(puzzle.grid, spelling), puzzle.name, puzzle.remark))

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        fields = split_fields(record.text, self.delimiter)
        return spelling_of_line(fields[self.puzzle_column].text.strip(), hints, size)

    @property
    def columns(self) -> tuple[str, str] | None:
        return self.header, self.delimiter

    def header_with(self, names: Sequence[str]) -> str:
        """Return the header with further columns, or ''. A name that is taken gets a suffix.

        >>> CsvFormat(header="puzzle,solution").header_with(["verdict", "solution"])
        'puzzle,solution,verdict,solution_found\\n'
        """
        if not self.header:
            return ""
        taken = {field.text.strip() for field in split_fields(self.header, self.delimiter)}
        return self._extend(self.header, [free_name(name, taken) for name in names])

    def row_with(self, record: Record, texts: Sequence[str], puzzle: Puzzle | None = None) -> str:
        """Return the row as it was read, with further fields."""
        return self._extend(record.text, texts)

    def _extend(self, row: str, texts: Sequence[str]) -> str:
        """Return a row with further fields, which stand under their names."""
        return self.delimiter.join([self._whole(row), *map(quote_field, texts)]) + "\n"

    def _whole(self, row: str) -> str:
        """Return a row on one line, with as many fields as the header.

        An open quote, which would include further fields, is closed.
        """
        bare = row.rstrip().replace("\n", " ")
        # Fast path: without quotes the fields can be counted.
        if '"' not in bare:
            count = bare.count(self.delimiter) + 1
        else:
            fields = split_fields(bare, self.delimiter)
            count = len(fields)
            bare += '"' if has_open_quote(bare, fields[-1]) else ""
        if count > self.width > 0:
            kept = split_fields(bare, self.delimiter)[: self.width]
            return self.delimiter.join(quote_field(field.text) for field in kept)
        return bare + self.delimiter * (self.width - count)


class _Columns(NamedTuple):
    """The columns that a user can name."""

    names: Sequence[str]
    width: int
    source: str
    line: int

    def place_named(self, name: str) -> int | None:
        found = find_name(self.names, name)
        return None if found is None else self.names.index(found)

    def place_of(self, wanted: str) -> int:
        """Return the index of the column with that name or number."""
        # Names are tried before numbers, as a column may be called 3 and have another number.
        by_name = self.place_named(wanted.strip())
        if by_name is not None:
            return by_name
        place = read_number(wanted)
        if place is not None and 1 <= place <= self.width:
            return place - 1
        found = ", ".join(self.names) if self.names else f"1 to {self.width}"
        raise FormatError(f"there is no column {wanted!r}, only {found}", self.source, self.line, 1)

    def variant_columns(self) -> tuple[tuple[str, int], ...]:
        """Return the columns with a word for the kind of each puzzle."""
        found = ((name, self.place_named(name)) for name in VARIANT_COLUMNS)
        return tuple((name, column) for name, column in found if column is not None)

    def shape_columns(self, rules_column: str | None) -> dict[str, int | None]:
        """Return the columns that define the puzzle besides its cells, by their usual names."""
        found = {
            name: column for name in SHAPE_COLUMNS if (column := self.place_named(name)) is not None
        }
        if rules_column is not None:
            # If the user chooses a column of rules, other columns with usual names for rules hold
            # something else.
            found = {name: found[name] for name in found if name in ("regions", "box")}
            if rules_column.strip().lower() != NO_COLUMN or self.place_named(NO_COLUMN) is not None:
                found["rules"] = self.place_of(rules_column)
        if "rules" in found:
            found.pop("rule", None)
        return dict(found)


def _has_board_between_bars(line: str) -> bool:
    return any(is_board(field.text.strip(), None) for field in split_few_fields(line, "|"))


def _first_board(boards: Sequence[bool]) -> int:
    """Return the first column that holds a board; 0 if none does."""
    return boards.index(True) if True in boards else 0


def _regions_beside(fields: Sequence[Field], column: int) -> int | None:
    """Return the column with a layout of regions, whatever its name; None if there is none."""
    cells = len(_text_at(fields, column))
    # `shows_regions` is false for a second board: its digits do not form regions.
    others = ((n, field.text.strip()) for n, field in enumerate(fields) if n != column)
    return next((n for n, text in others if shows_regions(text, cells)), None)


@lru_cache(maxsize=16)
def _names_of(header: str, delimiter: str) -> Sequence[str]:
    """Return the names of the columns, no two of them equal."""
    return distinct_names([field.text.strip() for field in split_fields(header, delimiter)])


def _text_at(fields: Sequence[Field], column: int | None) -> str:
    return fields[column].text.strip() if column is not None and column < len(fields) else ""


def _read_field(
    fields: Sequence[Field], column: int, record: Record, hints: Hints, source: str
) -> Grid:
    if column >= len(fields) or not fields[column].text.strip():
        place = len(record.text.rstrip()) + 1 if column >= len(fields) else fields[column].start + 1
        raise FormatError(f"no puzzle in column {column + 1}", source, record.line, place)
    text = fields[column].text
    start = record.column + fields[column].start + len(text) - len(text.lstrip())
    return read_cells(find_cells(text.strip(), hints.size), hints, source, (record.line, start))
