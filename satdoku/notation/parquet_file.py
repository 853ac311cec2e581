"""Parquet files, read in batches of rows.

A row is a record whose columns are the entries of a JSON object. This is the only file that imports
pyarrow, except for the reader of .zst files.
"""

import json
import os
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from zlib import crc32

from satdoku.errors import FormatError, SatdokuError, UnlikeLinesError, UnseenFileError
from satdoku.files import readable
from satdoku.notation.detection import Head
from satdoku.notation.fields import is_board, quote_field, write_fields
from satdoku.notation.format import AnsweredInRows
from satdoku.notation.hints import NO_COLUMN, Hints
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import FileLines, plain_board, plain_lines
from satdoku.notation.plain_rows import Model, RowsRead, TextRows, model_of
from satdoku.notation.record import PUZZLE_NAMES, Record, find_name, free_name
from satdoku.notation.rule_entries import VARIANT_COLUMNS, says_more, with_shape
from satdoku.notation.spelling import Spelling, read_number
from satdoku.notation.stated_rules import says_variant
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value

# Sizes of a block and of a batch, in rows, and of a batch in bytes: large enough to read quickly,
# but only a few megabytes.
_ROWS_OF_BLOCK, _FEWEST_OF_BLOCK = 500, 16
_ROWS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16 << 20

# A Parquet file has equal values only once, so a few kilobytes may hold terabytes of text. Distinct
# boards shrink to a third.
_LEAST_UNPACKED, _MOST_TIMES = 64 << 20, 250

# Columns of a row group are read in parts of this size.
_BYTES_READ = 1 << 16

# The values of rows that are read by their place may take this many times as much as those of the
# rows before, which were looked at, and some more.
_TIMES_LARGER, _BYTES_MORE = 2, 1 << 16

# The first and the last bytes of every file; for encrypted ones, which are not read, others.
_MARK = b"PAR1"

# At most this many boards of a batch are tried as the model of plain boards.
_BOARDS_LOOKED_AT = 3

# The size of these first rows decides how many rows a batch has.
_ROWS_LOOKED_AT = 3


def import_pyarrow() -> Any:
    """Return the library, or raise an error that says how to install it."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise SatdokuError("Parquet needs pyarrow: pip install 'satdoku[parquet]'") from None
    return pyarrow


def read_batches(path: Path) -> Iterator[Any]:
    """Yield the rows of a file in batches; a FormatError if it is damaged."""
    read = 0
    for batch, fault in read_all(path):
        if fault:
            loss = f", so rows after {read:,} are not read" if read else ""
            raise FormatError(f"{fault}{loss}", str(path))
        read += batch.num_rows
        yield batch


def read_all(path: Path) -> Iterator[tuple[Any, str]]:
    """Yield the rows of a file in batches; rows that cannot be read are null, with the reason."""
    with closing(OpenRows(path)) as opened:
        yield from opened.read(0, opened.number)


def _rows_at_once(first: Any) -> int:
    """Return the rows of a batch: fewer if the first rows of the file are long."""
    size = _size_of(first) if first is not None else 0
    return max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE * _ROWS_LOOKED_AT // (size + 1)))


def _size_of(batch: Any) -> int:
    """Return about how many bytes the values of a batch take."""
    size: int = batch.nbytes
    for column in batch.columns:
        if hasattr(column, "dictionary"):
            size += len(column) * column.dictionary.nbytes // max(1, len(column.dictionary))
    return size


def open_parquet(path: Path) -> Any:
    """Return the opened file of pyarrow; an error if its column names cannot be read."""
    pyarrow = import_pyarrow()
    with readable(path), _damage_told(path):
        # Otherwise pyarrow reads all row groups ahead, and keeps them until the end.
        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_BYTES_READ)
        try:
            _ = file.schema_arrow.names
        except BaseException:
            file.close()
            raise
        return file


def rows_of(batch: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a batch, with Python values."""
    columns = map(_values_of, batch.columns)
    for row in zip(*columns, strict=True):
        yield dict(zip(batch.schema.names, row, strict=True))


def _values_of(column: Any) -> list[Any]:
    """Return the values of a column; numbers or bytes if there are no Python values for them.

    That happens for times beyond the year 9999, unknown time zones, and text that is not UTF-8. A
    column that is not used must not keep the puzzles from being read.
    """
    if hasattr(column, "dictionary"):
        known = _values_of(column.dictionary)
        return [None if n is None else known[n] for n in column.indices.to_pylist()]
    pyarrow = import_pyarrow()
    for kind in (None, pyarrow.int64(), pyarrow.int32(), pyarrow.large_binary()):
        try:
            values: list[Any] = (column if kind is None else column.cast(kind)).to_pylist()
        except (pyarrow.ArrowException, ValueError, OverflowError):
            continue
        return values
    return [None] * len(column)


PartOfTable = tuple[Record, int, "ColumnRows | TableLines | None"]
"""A record, the number of its rows, and for a block the rows or their place.

A single row has the place of several rows, among which its line tells it.
"""


def _are_nearly_all(flags: bytes) -> bool:
    """Whether at least nine of ten flags are set."""
    return 10 * flags.count(1) >= 9 * len(flags)


def _stamp_of(path: str) -> bytes:
    """Return a checksum of the end of a file, which says where all of its values are."""
    with open(path, "rb") as file:
        file.seek(-8, os.SEEK_END)
        size = int.from_bytes(file.read(4), "little")
        file.seek(-8 - size, os.SEEK_END)
        return crc32(file.read()).to_bytes(4, "little")


class Rows(NamedTuple):
    """The columns of some rows, whose values take `size` bytes.

    `lost` says of rows that cannot be read, by their index, why that is so.
    """

    columns: dict[str, list[Any]]
    lost: dict[int, str]
    size: int

    def record(self, index: int, line: int) -> Record:
        """Return a row as text; one that cannot be read has the reason as its name."""
        row = {name: values[index] for name, values in self.columns.items()}
        return Record(line, row_as_json(row), self.lost.get(index, ""))


class TableLines(FileLines):
    """A range of rows of a Parquet file; `begin` is the index of its first row.

    `first` is the stamp of the file, which tells whether it has changed since.
    """

    __slots__ = ()

    @property
    def is_table(self) -> bool:
        return True

    def row(self, record: Record) -> Record:
        return self._rows.record(record.line - 1 - self.begin, record.line)

    def parts(self, parser: Parser) -> Iterator[PartOfTable]:
        """Yield blocks of the plain rows, and the other rows one by one.

        UnlikeLinesError if one of the others has a puzzle.
        """
        format = parser.format
        assert isinstance(format, ParquetFormat)
        plain = format.are_plain(self._rows.columns, parser)
        flags = bytes(self.number) if plain is None else plain[1]
        for record, count, rows in format.parts_of(self._rows, plain, self.begin, self.number):
            # A few plain rows between others are no block.
            if rows is None and not flags[record.line - 1 - self.begin]:
                self._require_unreadable(parser, record)
            yield record, count, rows

    def _require_unreadable(self, parser: Parser, record: Record) -> None:
        with suppress(FormatError):
            parser(record)
            raise UnlikeLinesError(f"{self.path} has rows of another kind")

    @property
    def _rows(self) -> Rows:
        """Return the rows at this place; UnlikeLinesError if they are longer than they should be.

        They are kept, as the next row that is asked for is probably one of them.
        """
        known: tuple[TableLines, Rows] | None = getattr(_LAST, "rows", None)
        if known is not None and (known[0] is self or known[0] == self):
            return known[1]
        rows = self.read()
        if rows.size > _TIMES_LARGER * self.size + _BYTES_MORE:
            raise UnlikeLinesError(f"{self.path} has longer rows")
        _LAST.rows = self, rows
        return rows

    def read(self) -> Rows:
        """Return the rows at this place."""
        batches: list[tuple[Any, str]] = []
        with self._opened() as opened:
            batches += opened.read(self.begin, self.begin + self.number)
        columns: dict[str, list[Any]] = {name: [] for name in batches[0][0].schema.names}
        lost: dict[int, str] = {}
        size = read = 0
        for batch, fault in batches:
            size += _size_of(batch)
            for name, column in zip(columns, batch.columns, strict=True):
                columns[name] += _values_of(column)
            if fault:
                lost |= dict.fromkeys(range(read, read + batch.num_rows), fault)
            read += batch.num_rows
        return Rows(columns, lost, size)

    @property
    def rows_at_once(self) -> int:
        with self._opened() as opened:
            return opened.rows_at_once

    @contextmanager
    def _opened(self) -> "Iterator[OpenRows]":
        """Lend the open file; UnseenFileError if it is another one, or cannot be read."""
        # After an error, nothing is read on in this file.
        known, _LAST.opened = getattr(_LAST, "opened", None), None
        try:
            # A process that was forked does not read on in what its parent has opened.
            found = os.stat(self.path)
            state = (*self[:1], self.first, found.st_ino, found.st_size, found.st_mtime_ns)
            if known is None or known[0] != (*state, os.getpid()):
                if _stamp_of(self.path) != self.first:
                    raise UnseenFileError(f"{self.path} has changed while it was read")
                known = (*state, os.getpid()), OpenRows(Path(self.path))
            yield known[1]
        except UnseenFileError:
            raise
        except SatdokuError as error:  # such as no pyarrow on a machine of a cluster
            raise UnseenFileError(str(error)) from None
        except OSError as error:
            raise UnseenFileError(f"{self.path} cannot be read: {error.strerror}") from None
        if known[1].are_more:
            _LAST.opened = known


# The file that this thread has read last, as it reads on there, and the rows.
_LAST = threading.local()


class OpenRows:
    """An open file, whose rows are read on from where the last ones ended, if others follow.

    Where batches begin depends on the file alone, and so which rows are lost in a damaged one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open_parquet(path)
        metadata = self._file.metadata
        counts = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
        self._begins = list(accumulate(counts, initial=0))
        self.number: int = self._begins[-1]
        with suppress(FormatError), _damage_told(path, OSError, RuntimeError):
            first = next(self._file.iter_batches(_ROWS_LOOKED_AT), None)
            self.rows_at_once = _rows_at_once(first)
        self._batches: Iterator[Any] = iter(())
        self._next = self.number
        self._rest: tuple[Any, str] | None = None

    rows_at_once = _ROWS_AT_ONCE
    """How many rows a batch has."""

    @property
    def are_more(self) -> bool:
        return bool(self._next < self.number)

    def read(self, begin: int, end: int) -> Iterator[tuple[Any, str]]:
        """Yield the rows from `begin` to `end` in batches; what is lost is null, with a reason."""
        start = self._begins[self._group_of(begin)]
        if not start <= self._next <= begin:
            self._next, self._rest = start, None
        while self._next < end:
            # A row group is read from its beginning. To pass a row takes a fiftieth of an answer.
            batch, fault = self._rest or self._read_batch()
            passed = min(max(0, begin - self._next), batch.num_rows)
            part = batch.slice(passed, end - self._next - passed)
            taken = passed + part.num_rows
            self._rest = (batch.slice(taken), fault) if taken < batch.num_rows else None
            self._next += taken
            if part.num_rows:
                yield part, fault

    def _read_batch(self) -> tuple[Any, str]:
        """Return the next batch of a row group, or all that is left of a damaged one."""
        group = self._group_of(self._next)
        left = self._begins[group + 1] - self._next
        try:
            with _damage_told(self._path, OSError, RuntimeError, StopIteration):
                if self._next == self._begins[group]:
                    some = self._file.iter_batches(self.rows_at_once, [group], use_threads=False)
                    self._batches = some
                return next(self._batches).slice(0, left), ""
        except FormatError as error:
            pyarrow, schema = import_pyarrow(), self._file.schema_arrow
            columns = [pyarrow.nulls(left, field.type) for field in schema]
            return pyarrow.RecordBatch.from_arrays(columns, schema=schema), error.message

    def _group_of(self, row: int) -> int:
        return bisect_right(self._begins, row) - 1

    def close(self) -> None:
        self._file.close()


class ParquetReader:
    """The puzzles of a Parquet file, a record for each row; a row's number is its line.

    `note` is called with the fraction of the file that was read.
    """

    def __init__(
        self, path: Path, hints: Hints, note: Callable[[float], object] = lambda share: None
    ) -> None:
        self._path = path
        self._hints = hints
        self._note = note

    @cached_property
    def parser(self) -> Parser:
        """Return the parser for the rows."""
        with open_parquet(self._path) as file:
            names = file.schema_arrow.names
        # A row becomes an object, in which a second column of the same name would replace the
        # first.
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise FormatError(f"two columns are called {twice!r}", str(self._path))
        hints = self._hints
        if hints.rules_column is not None and hints.rules_column.strip().lower() != NO_COLUMN:
            hints = replace(hints, rules_column=self._find(names, hints.rules_column))
        column = self._find(names, hints.column) if hints.column else self._puzzle_column(names)
        solution = self._find(names, hints.solution_column) if hints.solution_column else None
        return Parser(ParquetFormat(tuple(names), column, solution), str(self._path), hints)

    def __iter__(self) -> Iterator[Record]:
        return (record for record, *_ in self.tasks(by_block=False))

    def tasks(
        self, by_block: bool, is_trusted: bool = False, is_quick: bool = True
    ) -> Iterator[PartOfTable]:
        """Yield records and, with `by_block`, blocks of rows that are plain boards.

        Each item has the record, the number of its rows, and for a block the rows, else None. The
        record of a block has the boards of all its rows. If the file `is_trusted`, most items are
        the place of rows at which nobody has looked; blocks are large if answers come `is_quick`.
        """
        with open_parquet(self._path) as file:
            total = file.metadata.num_rows
        if not total:
            raise FormatError("no puzzle found", str(self._path))
        path = os.path.abspath(self._path)
        whole = TableLines(path, 0, 0, total, Geometry(), _stamp_of(path), b"")
        number = unpacked = 0
        most = max(_LEAST_UNPACKED, _MOST_TIMES * self._path.stat().st_size)
        while number < total:
            count = min(whole.rows_at_once, total - number)
            rows = whole._replace(begin=number, number=count).read()
            unpacked += rows.size
            if unpacked > most:
                raise self._too_much_of(number)
            plain = self._format.are_plain(rows.columns, self.parser) if by_block else None
            # The form of the output may depend on whether there is a second record.
            yield from self._format.parts_of(rows, plain, number, _ROWS_OF_BLOCK, number == 0)
            number += count
            self._note(number / total)
            width = rows.size // count + 1
            if is_trusted and _TIMES_LARGER * width * total <= most:
                geometry = plain[0] if plain and _are_nearly_all(plain[1]) else None
                rest = whole._replace(begin=number, number=total - number)
                yield from self._places(rest, width, geometry, is_quick)
                return

    def _places(
        self, rest: TableLines, width: int, geometry: Geometry | None, is_quick: bool
    ) -> Iterator[PartOfTable]:
        """Yield the places of these rows, whose values take `width` bytes each.

        They are blocks of plain boards with this geometry, or without one single rows.
        """
        # Without the compiled library, as many rows as are answered soon enough for Ctrl-C.
        is_fast = is_quick and geometry is not None and plain_lines(geometry).has_library
        most = min(_ROWS_AT_ONCE if is_fast else _ROWS_OF_BLOCK, max(1, _BYTES_AT_ONCE // width))
        begin, end = rest.begin, rest.begin + rest.number
        while begin < end:
            # A row that is left over is no block.
            count = end - begin if end - begin < most + _FEWEST_OF_BLOCK else most
            place = rest._replace(begin=begin, number=count, size=width * count)
            if geometry is not None and count > 1:
                yield Record(begin + 1, ""), count, place._replace(geometry=geometry)
            else:
                yield from ((Record(begin + n + 1, ""), 1, place) for n in range(count))
            begin += count
            self._note(begin / end)

    @property
    def _format(self) -> "ParquetFormat":
        format = self.parser.format
        assert isinstance(format, ParquetFormat)
        return format

    def _too_much_of(self, rows: int) -> FormatError:
        times = f"{_MOST_TIMES} times the size of the file"
        message = f"rows after {rows:,} are not read, as the values take more than {times}"
        return FormatError(message, str(self._path))

    def _find(self, names: list[str], wanted: str) -> str:
        """Return the column of that name or number."""
        found = find_name(names, wanted.strip())
        number = read_number(wanted)
        if found is None and number is not None and 1 <= number <= len(names):
            found = names[number - 1]
        if found is None:
            message = f"there is no column {wanted!r}, only {', '.join(names)}"
            raise FormatError(message, str(self._path))
        return found

    def _puzzle_column(self, names: list[str]) -> str:
        """Return the column with a usual name for puzzles, or else the first that has boards."""
        usual = next((name for name in names if name.strip().lower() in PUZZLE_NAMES), None)
        if usual is not None:
            return usual
        batch = next(read_batches(self._path), None)
        rows = [] if batch is None else list(rows_of(batch))
        for name in names:
            text = next((row[name] for row in rows if row[name]), None)
            if isinstance(text, str) and is_board(text.strip(), self._hints.size):
                return name
        message = f"no column holds puzzles; --column names it, of {', '.join(names)}"
        raise FormatError(message, str(self._path))


@contextmanager
def _damage_told(path: Path, *others: type[Exception]) -> Iterator[None]:
    """Turn errors of pyarrow over a damaged file, or one that is no Parquet, into FormatErrors."""
    pyarrow = import_pyarrow()
    try:
        yield
    # Damage also shows as text that is not UTF-8, and as numbers that are too large.
    except (pyarrow.ArrowException, ValueError, OverflowError, *others) as error:
        reason = " ".join(str(error).split()) or "rows are missing"
        fault = _fault_of_ends(path) or f"damaged data ({reason})"
        raise FormatError(fault, str(path)) from None


def _fault_of_ends(path: Path) -> str:
    """Return what is wrong with a file by its first and last bytes; empty if they are right."""
    with suppress(OSError), path.open("rb") as file:
        if file.read(len(_MARK)) != _MARK:
            return "this is no Parquet file"
        file.seek(-len(_MARK), os.SEEK_END)
        if file.read() != _MARK:
            return "its end is missing, so no row can be read; perhaps it was not copied whole"
    return ""


class ColumnRows(RowsRead):
    """Rows of a block that were read by columns; the text of the block has the puzzles alone."""

    def __init__(
        self, geometry: Geometry, columns: dict[str, list[Any]], column: str, known: str | None
    ) -> None:
        self.geometry = geometry
        self.keys = tuple(columns)
        self._columns = columns
        self._column = column
        self._known = known

    def read(self, text: str) -> RowsRead:
        return self

    @property
    def puzzles(self) -> Sequence[str]:
        return self._columns[self._column]

    @property
    def known(self) -> Sequence[str] | None:
        return None if self._known is None else self._columns[self._known]

    def record(self, index: int, line: int) -> Record:
        return Record(line, row_as_json(self._row(index)))

    def table_rows(self) -> Sequence[str]:
        return list(map(",".join, zip(*map(_as_fields, self._columns.values()), strict=True)))

    def objects(self, is_ascii: bool = True) -> Sequence[str]:
        # Rows of this format are answered as rows of a table, so only ASCII is asked for here.
        return [row_as_json(self._row(n))[:-1] + ", " for n in range(len(self.puzzles))]

    def _row(self, index: int) -> dict[str, Any]:
        return {name: values[index] for name, values in self._columns.items()}


def _as_fields(values: Sequence[Any]) -> Sequence[str]:
    """Return the values of a column as fields of a CSV row."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return list(map(str, values))
    if kinds == {str}:
        # Fast path: most columns need no quotes, and no change of spaces.
        whole = "\n".join(values)
        needs_quotes = any(sign in whole for sign in '",;|')
        if not needs_quotes and whole.split("\n") == [" ".join(each.split()) for each in values]:
            return values
    as_read = (json.loads(row_as_json({"": each}))[""] for each in values)
    return [quote_field(_text_of_value(each)) for each in as_read]


def _as_text(value: object) -> str:
    """Return text for values that JSON cannot represent: times, decimals, bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


# The encoder is made once, as `dumps` would make one for each row.
_ENCODE = json.JSONEncoder(default=_as_text, allow_nan=False).encode


def row_as_json(row: dict[str, Any]) -> str:
    try:
        return _ENCODE(row)
    except ValueError:  # rare, so that rows are not searched for NaN before
        return json.dumps(_without_nan(row), default=_as_text)


def _without_nan(value: Any) -> Any:
    """Return the value with None in place of floats that JSON cannot represent."""
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_without_nan, value))
    return None if isinstance(value, float) and not isfinite(value) else value


@value(frozen=True)
class ParquetFormat(AnsweredInRows, JsonFormat):
    """The rows of one file; `column` has the puzzles, `solution_column` known solutions.

    Its rows are answered as text like those of a CSV table. No text is read in this format.
    """

    name: ClassVar[str] = "parquet"

    names: tuple[str, ...] = ()
    column: str = ""
    solution_column: str | None = None

    def matches(self, head: Head) -> bool:
        return False

    def rows_like(self, record: Record, hints: Hints) -> TextRows | None:
        return None

    def parts_of(
        self,
        rows: Rows,
        plain: tuple[Geometry, bytes] | None,
        number: int,
        most: int,
        is_first_alone: bool = False,
    ) -> "Iterator[PartOfTable]":
        """Yield blocks of the plain rows, as `are_plain` found them, and the other rows one by one.

        `number` is that of the rows before, and a block has at most `most` rows.
        """
        columns = rows.columns
        count = len(columns[self.column])
        geometry, flags = plain or (Geometry(), b"")
        begin = 0
        while begin < count:
            end = 1 if is_first_alone and not begin else min(begin + most, count)
            bad = flags.find(0, begin, end)
            end = end if bad < 0 else bad
            if plain is not None and end - begin >= _FEWEST_OF_BLOCK:
                part = {name: values[begin:end] for name, values in columns.items()}
                block = ColumnRows(geometry, part, self.column, self.solution_column)
                text = "".join([f"{puzzle}\n" for puzzle in block.puzzles])
                yield Record(number + begin + 1, text), end - begin, block
            else:
                end += bad >= 0
                for index in range(begin, end):
                    yield rows.record(index, number + index + 1), 1, None
            begin = end

    def are_plain(
        self, columns: dict[str, list[Any]], parser: Parser
    ) -> tuple[Geometry, bytes] | None:
        """Return the geometry of the plain boards in these columns, and a flag for each row.

        The flag is 1 for a plain board whose other fields say the same about the puzzle as those of
        the first plain board, else 0. None if there is no plain board.
        """
        hints = parser.hints
        if hints.rules or hints.geometry or hints.alphabet:
            return None
        puzzles = columns[self.column]
        model = self._model(columns, parser)
        if model is None:
            return None
        first, geometry = model
        matches = re.compile(Model(geometry).pattern).fullmatch
        plain = [type(each) is str and matches(each) is not None for each in puzzles]
        for name, values in columns.items():
            is_right: Callable[[Any], bool] | None = None
            if name != self.column and says_more(name, hints):
                is_right = _same_as(values[first])
            elif name.strip().lower() in VARIANT_COLUMNS:
                is_right = _says_no_variant
            if is_right is not None:
                pairs = zip(plain, map(is_right, values), strict=True)
                plain = [is_so and is_right_too for is_so, is_right_too in pairs]
        return geometry, bytes(plain)

    def _model(self, columns: dict[str, list[Any]], parser: Parser) -> tuple[int, Geometry] | None:
        """Return the index and the geometry of the first plain board."""
        left = _BOARDS_LOOKED_AT
        for index, text in enumerate(columns[self.column]):
            if type(text) is not str or plain_board(text) is None:
                continue
            record = Record(1, row_as_json({name: each[index] for name, each in columns.items()}))
            model = model_of(record, text)
            with suppress(SatdokuError):
                puzzle = parser(record) if model is not None else None
                if puzzle and model and puzzle.is_classic and puzzle.geometry == model.geometry:
                    return index, model.geometry
            left -= 1
            if not left:
                break
        return None

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        if record.name:
            raise FormatError(record.name, source, record.line)
        try:
            return super().parse(record, self._chosen(hints), source)
        except FormatError as error:
            # Only the row number is the place: the user does not see the JSON made of the row.
            raise FormatError(error.message, source, record.line) from None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        try:
            return super().parse_solution(record, self._chosen(hints), source)
        except FormatError as error:
            raise type(error)(error.message, source, record.line) from None

    def _with_shape(self, hints: Hints, value: object) -> Hints:
        # This is as in other tables, not as in JSON: a column called box may hold something else.
        return with_shape(hints, value if isinstance(value, dict) else {})

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return super().spelling_of(record, self._chosen(hints), size)

    @property
    def columns(self) -> tuple[str, str]:
        return write_fields(self.names).removesuffix("\n"), ","

    def header_with(self, names: Sequence[str]) -> str:
        return write_fields([*self.names, *(free_name(name, self.names) for name in names)])

    def as_it_came(self, record: Record) -> str:
        return self.row_with(record, [])

    def row_with(self, record: Record, texts: Sequence[str], puzzle: Puzzle | None = None) -> str:
        values = json.loads(record.text).values()
        return write_fields([*map(_text_of_value, values), *texts])

    def _chosen(self, hints: Hints) -> Hints:
        return replace(hints, column=self.column, solution_column=self.solution_column)


def _same_as(model: Any) -> Callable[[Any], bool]:
    said = repr(model)  # 1 and True are equal
    return lambda value: repr(value) == said


def _says_no_variant(value: Any) -> bool:
    return value is None or (type(value) is str and not _says_variant(value))


_says_variant = lru_cache(maxsize=4096)(says_variant)


def _text_of_value(value: object) -> str:
    """Return a value as a CSV field: empty for null, and JSON for lists and structs."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
