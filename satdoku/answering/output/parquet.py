"""Write a table as Parquet: CSV rows come in, typed columns go out.

The rows of every command with `--csv` come as text, so each command can write Parquet. Columns of a
Parquet input are read from it again and keep their types; the form gives the types of our own
columns. The file appears under its name when it is whole: at the end, or on an interruption with
the rows so far.
"""

import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from satdoku.answering.asked import RULES, ColumnKind
from satdoku.answering.output.output import (
    Output,
    Text,
    as_str,
    begin_rejects,
    closed_on_error,
    require_free,
)
from satdoku.answering.plan import SourceRows
from satdoku.errors import SatdokuError
from satdoku.files import as_path, require_writable
from satdoku.notation.fields import as_text, find_delimiter, split_fields, write_fields
from satdoku.notation.parquet_file import import_pyarrow, open_parquet, read_all
from satdoku.notation.record import distinct_names
from satdoku.signals import signals_held

# Rows in a row group, which is read and written as a whole: a few megabytes for 9x9 boards with
# solutions.
_ROWS_A_GROUP = 20_000
# The most rows in memory from which those of a group are picked.
_MOST_PASSED = 100_000


_TYPES: Mapping[ColumnKind, Callable[[Any], Any]] = {
    ColumnKind.TEXT: lambda pyarrow: pyarrow.string(),
    ColumnKind.WHOLE: lambda pyarrow: pyarrow.int64(),
    ColumnKind.DECIMAL: lambda pyarrow: pyarrow.float64(),
    ColumnKind.TRUTH: lambda pyarrow: pyarrow.bool_(),
    ColumnKind.WORDS: lambda pyarrow: pyarrow.list_(pyarrow.string()),
}
"""The pyarrow type of each kind of column."""


def _column_of(texts: Iterable[str], kind: Any) -> Any:
    """Return a column of a pyarrow type; an empty text is null, since CSV has no null.

    `pyarrow.array` of a list imports pandas (50 MB); a builder does not.
    """
    pyarrow = import_pyarrow()
    builder = pyarrow.lib.StringBuilder()
    builder.append_values([text or None for text in texts])
    column = builder.finish()
    if pyarrow.types.is_list(kind):
        return import_module("pyarrow.compute").utf8_split_whitespace(column)
    return column if kind == column.type else column.cast(kind)


class InputTable(NamedTuple):
    """An input table: its header and delimiter, and the files that know the column types.

    Each of its rows has as many rows of output as `answers` says. Only rows that were read
    are copied: `sources` counts them.
    """

    columns: tuple[str, str] | None = None
    sources: Sequence[SourceRows] = ()
    answers: int = 1


class InputColumns:
    """The columns of Parquet inputs, read a second time to copy them with their types.

    Each row is repeated `times` times, one after the other.
    """

    def __init__(self, sources: Sequence[SourceRows], times: int = 1) -> None:
        with open_parquet(as_path(sources[0].source)) as file:
            schema = file.schema_arrow
        # Hugging Face's metadata describes all columns, and would be wrong with ours added.
        about = {k: v for k, v in (schema.metadata or {}).items() if k != b"huggingface"}
        # Rows that cannot be read are null.
        fields = [field.with_nullable(True) for field in schema]
        self.schema = import_pyarrow().schema(fields, about)
        self._sources, self._times = sources, times
        self._position, self._taken = -1, 0
        self._batches: Iterator[Any] = iter(())
        self._rest: Any = None

    def take(self, count: int) -> Any:
        """Return the columns of the next `count` rows that were read, as a table."""
        parts = []
        while count:
            left = self._left_of_source()
            batch = self._rest if self._rest is not None else next(self._batches)
            part = batch.slice(0, min(count, left))
            self._rest = batch.slice(part.num_rows) if part.num_rows < batch.num_rows else None
            self._taken += part.num_rows
            count -= part.num_rows
            parts.append(part)
        return import_pyarrow().Table.from_batches(parts, self.schema)

    def _left_of_source(self) -> int:
        """Return how many read rows are left of this source, or of the next one that has some."""
        while self._position < 0 or self._taken == self._sources[self._position].rows:
            self._position, self._taken, self._rest = self._position + 1, 0, None
            read = self._read(as_path(self._sources[self._position].source))
            self._batches = read if self._times == 1 else self._repeated(read)
        return self._sources[self._position].rows - self._taken

    def _read(self, path: Path) -> Iterator[Any]:
        for batch, _ in read_all(path):  # faults were reported in the first reading
            yield self._cast(batch, path)

    def _repeated(self, batches: Iterator[Any]) -> Iterator[Any]:
        times = self._times
        for batch in batches:
            most = max(1, batch.num_rows // times)
            for begin in range(0, batch.num_rows, most):
                part = batch.slice(begin, most)
                yield part.take(_numbers(n for n in range(part.num_rows) for _ in range(times)))

    def _cast(self, batch: Any, path: Path) -> Any:
        pyarrow = import_pyarrow()
        try:
            return pyarrow.Table.from_batches([batch]).cast(self.schema).to_batches()[0]
        except pyarrow.ArrowException as error:
            reason = " ".join(str(error).split())
            message = f"{path} has columns of other types than the first file ({reason})"
            raise SatdokuError(message) from None


def _numbers(numbers: Iterable[int]) -> Any:
    """Return numbers of rows as pyarrow takes them; a list would import pandas."""
    pyarrow = import_pyarrow()
    values = array("q", numbers)
    parts = [None, pyarrow.py_buffer(values)]
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(values), parts)


class ParquetSink:
    """A sink of CSV rows; the first `known` columns of the header are those of the input.

    These are written as text, unless a `source` provides them with their types: then the rows are
    without them.
    """

    def __init__(
        self,
        path: Path,
        header: str,
        known: int = 0,
        source: InputColumns | None = None,
        kinds: Mapping[str, ColumnKind] = MappingProxyType({}),
        rows_a_group: int = _ROWS_A_GROUP,
    ) -> None:
        pyarrow = import_pyarrow()
        if not header.strip():
            raise SatdokuError(
                f"{path} cannot be written: the columns of a Parquet file have names, and no "
                "header was read in the input"
            )
        self._path = path
        # The file is in the same folder, because a rename is atomic only within a file system.
        self._unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self._delimiter = find_delimiter(header)
        self._source = source
        names = distinct_names(self._split(as_text(header)))
        left_out = 0 if source is None else known
        ours = [kinds.get(_own_name(name), ColumnKind.TEXT) for name in names[known:]]
        types = [_TYPES[kind](pyarrow) for kind in [ColumnKind.TEXT] * known + ours]
        self._types = types[left_out:]
        theirs = pyarrow.schema([]) if source is None else source.schema
        fields = map(pyarrow.field, names[left_out:], self._types)
        self._schema = pyarrow.schema([*theirs, *fields], theirs.metadata)
        self._rows: list[list[str]] = []
        self._rows_a_group = rows_a_group
        # The writer is created with the first group: by then the caller holds this sink, and
        # removes its file on a signal. A file that is created here could be left behind.
        self._writer: Any = None
        self._is_sound = True
        with signals_held():  # report a read-only folder before the first answer
            self._unfinished.touch()
            self._unfinished.unlink()

    def write(self, text: Text, rows: int = 1) -> None:
        for line in as_text(as_str(text)).split("\n")[:rows]:
            fields = self._split(line)
            if len(fields) != len(self._types):
                found = f"a row of {len(fields)} fields, where the header has {len(self._types)}"
                raise SatdokuError(f"{self._path} cannot hold {found}")
            self._rows.append(fields)
            if len(self._rows) >= self._rows_a_group:
                self._write_group()

    def roll_back(self) -> None:
        """No-op: row groups are written atomically, so nothing is ever half written."""

    def suspend(self) -> None:
        """Complete the file with the rows so far: a Parquet file cannot be resumed.

        After a failed write, as on a full disk, it would be damaged, so it does not appear.
        """
        if self._is_sound:
            self.finish()

    def finish(self) -> None:
        self._write_group()
        with self._writing() as writer:
            writer.close()
        self._unfinished.replace(self._path)

    def close(self) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._unfinished.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Lend the writer, and note if it fails: afterwards its file can no longer be completed."""
        self._is_sound = False
        try:
            if self._writer is None:
                pyarrow = import_pyarrow()
                self._writer = pyarrow.parquet.ParquetWriter(self._unfinished, self._schema)
            yield self._writer
        except OSError as error:
            if error.errno is None:
                raise
            # pyarrow adds words about bytes.
            raise OSError(error.errno, os.strerror(error.errno)) from None
        self._is_sound = True

    def _split(self, text: str) -> list[str]:
        if '"' not in text:
            return text.rstrip("\n").split(self._delimiter)
        return [field.text for field in split_fields(text.rstrip("\n"), self._delimiter)]

    def _write_group(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        pyarrow = import_pyarrow()
        theirs = [] if self._source is None else self._source.take(len(rows)).columns
        ours = map(_column_of, zip(*rows, strict=True), self._types)
        with self._writing() as writer:
            writer.write_table(pyarrow.table([*theirs, *ours], schema=self._schema))


class PickedRows(ParquetSink):
    """A sink of numbers of rows, in order from 1, which are copied from a Parquet file."""

    def __init__(self, path: Path, source: Path) -> None:
        columns = InputColumns([SourceRows(str(source), sys.maxsize)])
        names = columns.schema.names
        super().__init__(path, write_fields(names), len(names), columns)
        self._picked: list[int] = []
        self._passed = 0

    def write(self, text: Text, rows: int = 1) -> None:
        for line in as_str(text).splitlines():
            row = int(line) - 1
            if row - self._passed >= _MOST_PASSED:
                self._write_group()
            while row - self._passed >= _MOST_PASSED:
                assert self._source is not None
                self._source.take(_MOST_PASSED)
                self._passed += _MOST_PASSED
            self._picked.append(row - self._passed)
            if len(self._picked) >= _ROWS_A_GROUP:
                self._write_group()

    def _write_group(self) -> None:
        picked, self._picked = self._picked, []
        if picked:
            assert self._source is not None
            passed = self._source.take(picked[-1] + 1)
            self._passed += picked[-1] + 1
            with self._writing() as writer:
                writer.write_table(passed.take(_numbers(picked)))


@contextmanager
def picked_table(path: Path, source: Path, force: bool = False) -> Iterator[PickedRows]:
    """Open a Parquet file for rows of another one; it gets its name when it is complete."""
    require_writable(path, force)
    try:
        with closing(PickedRows(path, source)) as sink:
            yield sink
            sink.finish()
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror or error}") from None


class HeadedTable:
    """A text file that takes a CSV table, header first, and writes it as Parquet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.sink: ParquetSink | None = None

    def write(self, text: str, rows: int = 1) -> None:
        """Take the header, then one row in each call."""
        for line in text.splitlines():
            if self.sink is None:
                self.sink = ParquetSink(self._path, line, kinds=dict([RULES]))
            else:
                self.sink.write(line)

    def flush(self) -> None:
        """Do nothing, as rows are written to the file in groups."""


@contextmanager
def new_table(path: Path, force: bool = False) -> Iterator[HeadedTable]:
    """Open a Parquet file that appears under its name only when it is complete."""
    require_writable(path, force)
    import_pyarrow()
    table = HeadedTable(path)
    try:
        yield table
        if table.sink is not None:
            table.sink.finish()
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        if table.sink is not None:
            table.sink.close()


def _own_name(name: str) -> str:
    """Return the name of one of our columns without the suffix that avoided a name clash."""
    return name.replace("_found", "")


def parquet_output(
    path: Path,
    opening: str,
    kinds: Mapping[str, ColumnKind] = MappingProxyType({}),
    table: InputTable | None = None,
    rejects: Path | None = None,
    force: bool = False,
) -> Output:
    """Open an output that writes CSV rows to a Parquet file, with column types from `kinds`.

    If the input is a `table`, the output has all of its columns, too. They keep their types if the
    sources are Parquet files.
    """
    require_writable(path, force)
    require_free(rejects, force)
    table = table or InputTable()
    header, delimiter = table.columns or ("", "")
    known = len(split_fields(header, delimiter)) if header else 0
    source = InputColumns(table.sources, table.answers) if table.sources else None
    make = partial(ParquetSink, path, opening, known, source, kinds)
    return _output_of(make, path, rejects)


def picked_output(
    path: Path, source: Path, rejects: Path | None = None, force: bool = False
) -> Output:
    """Open an output that takes numbers of the rows of a Parquet file, and copies these rows."""
    require_writable(path, force)
    require_free(rejects, force)
    return _output_of(partial(PickedRows, path, source), path, rejects)


def _output_of(make: Callable[[], ParquetSink], path: Path, rejects: Path | None) -> Output:
    try:
        sink = make()
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
    with closed_on_error(sink):
        return Output(sink, str(path), begin_rejects(rejects))
