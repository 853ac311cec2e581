"""A table written as Parquet: rows of CSV come in, columns with types go out.

The rows of every command that has `--csv` come as its text, so each can write Parquet. Columns of a
Parquet file that was read are taken from it once more, and keep their types; what our own columns
hold, their form says. The file appears under its name when it is whole: at the end, or when
the run is interrupted, with the rows until then.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from satdoku.answering.asked import RULES, ColumnKind
from satdoku.answering.output.output import Output, begin_rejects, closed_on_error, require_free
from satdoku.errors import FormatError, SatdokuError
from satdoku.files import require_writable
from satdoku.notation.tables.fields import find_delimiter, split_fields
from satdoku.notation.tables.parquet_file import import_pyarrow, open_parquet, read_batches
from satdoku.processes import signals_held

# Rows are written, and later read, in groups of so many: some megabytes for 9x9 with solutions.
_ROWS_A_GROUP = 20_000


class _ColumnType(NamedTuple):
    """How a column is written: its type, of pyarrow's, and how a text becomes a value."""

    make_type: Callable[[Any], Any]
    value_of: Callable[[str], Any]


_TYPES: Mapping[ColumnKind, _ColumnType] = {
    ColumnKind.TEXT: _ColumnType(lambda pyarrow: pyarrow.string(), str),
    ColumnKind.WHOLE: _ColumnType(lambda pyarrow: pyarrow.int64(), int),
    ColumnKind.DECIMAL: _ColumnType(lambda pyarrow: pyarrow.float64(), float),
    ColumnKind.TRUTH: _ColumnType(
        lambda pyarrow: pyarrow.bool_(), lambda text: text.lower() == "true"
    ),
    ColumnKind.WORDS: _ColumnType(lambda pyarrow: pyarrow.list_(pyarrow.string()), str.split),
}


class InputTable(NamedTuple):
    """A table that is read: its header with the delimiter, and the files that know its types."""

    columns: tuple[str, str] | None = None
    sources: Sequence[Path] = ()


class InputColumns:
    """The columns of Parquet files that were read, row by row once more, as they were."""

    def __init__(self, paths: Sequence[Path]) -> None:
        with open_parquet(paths[0]) as file:
            schema = file.schema_arrow
        # Hugging Face's word on all columns would not be true with ours beside them.
        about = {k: v for k, v in (schema.metadata or {}).items() if k != b"huggingface"}
        self.schema = schema.with_metadata(about)
        self._batches = self._read(paths)
        self._rest: Any = None

    def take(self, count: int) -> Any:
        """The columns of the next rows, as a table."""
        parts = []
        while count:
            batch = self._rest if self._rest is not None else next(self._batches)
            part = batch.slice(0, count)
            self._rest = batch.slice(count) if part.num_rows < batch.num_rows else None
            count -= part.num_rows
            parts.append(part)
        return import_pyarrow().Table.from_batches(parts, self.schema)

    def _read(self, paths: Sequence[Path]) -> Iterator[Any]:
        """The batches of all files that have these columns; others were refused before."""
        for path in paths:
            with open_parquet(path) as file:
                if file.schema_arrow.names != self.schema.names:
                    continue
            with suppress(FormatError):  # told when it was read; rows behind the damage have none
                for batch in read_batches(path):
                    yield self._cast(batch, path)

    def _cast(self, batch: Any, path: Path) -> Any:
        pyarrow = import_pyarrow()
        try:
            return pyarrow.Table.from_batches([batch]).cast(self.schema).to_batches()[0]
        except pyarrow.ArrowException as error:
            reason = " ".join(str(error).split())
            message = f"{path} has columns of other types than the first file ({reason})"
            raise SatdokuError(message) from None


class ParquetSink:
    """Takes rows of CSV, the first `known` of whose fields are columns that came in.

    Those are texts, unless a `source` has them with their types.
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
                f"{path} cannot be written: the columns of a Parquet file have names, and the "
                "input has no header"
            )
        self._path = path
        # In the same folder: only within a file system a file gets its name in one step.
        self._unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self._delimiter = find_delimiter(header)
        self._source = source
        names = self._split(header)
        self._count = len(names)
        self._left_out = 0 if source is None else known
        ours = [kinds.get(_own_name(name), ColumnKind.TEXT) for name in names[known:]]
        types = [_TYPES[kind] for kind in [ColumnKind.TEXT] * known + ours]
        self._types = types[self._left_out :]
        theirs = pyarrow.schema([]) if source is None else source.schema
        fields = [
            pyarrow.field(name, each.make_type(pyarrow))
            for name, each in zip(names[self._left_out :], self._types, strict=True)
        ]
        self._schema = pyarrow.schema([*theirs, *fields], theirs.metadata)
        self._rows: list[list[str]] = []
        self._rows_a_group = rows_a_group
        # Made with the first group: whoever writes holds this sink, and removes the file when a
        # signal comes. A file that was made here would stay behind until somebody held it.
        self._writer: Any = None
        with signals_held():  # a folder where nobody may write is told before the first answer
            self._unfinished.touch()
            self._unfinished.unlink()

    def write(self, text: str, rows: int = 1) -> None:
        fields = self._split(text)
        if len(fields) != self._count:
            found = f"a row of {len(fields)} fields, where the header has {self._count}"
            raise SatdokuError(f"{self._path} cannot hold {found}")
        self._rows.append(fields[self._left_out :])
        if len(self._rows) >= self._rows_a_group:
            self._write_group()

    def roll_back(self) -> None:
        """Nothing: a group of rows is written as one."""

    def suspend(self) -> None:
        """What was written becomes a whole file: Parquet cannot be continued."""
        self.finish()

    def finish(self) -> None:
        self._write_group()
        self._begun_writer().close()
        self._unfinished.replace(self._path)

    def close(self) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._unfinished.unlink(missing_ok=True)

    def _begun_writer(self) -> Any:
        if self._writer is None:
            pyarrow = import_pyarrow()
            self._writer = pyarrow.parquet.ParquetWriter(self._unfinished, self._schema)
        return self._writer

    def _split(self, text: str) -> list[str]:
        return [field.text for field in split_fields(text.rstrip("\n"), self._delimiter)]

    def _write_group(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        pyarrow = import_pyarrow()
        theirs = [] if self._source is None else self._source.take(len(rows)).columns
        ours = [
            # CSV has no null; an empty field is what stands for one.
            pyarrow.array([each.value_of(text) if text else None for text in texts], field.type)
            for each, field, texts in zip(
                self._types, self._schema_of_ours, zip(*rows, strict=True), strict=True
            )
        ]
        self._begun_writer().write_table(pyarrow.table([*theirs, *ours], schema=self._schema))

    @property
    def _schema_of_ours(self) -> list[Any]:
        return list(self._schema)[self._left_out :]


class HeadedTable:
    """The text of a CSV table, header first, on its way into a Parquet file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.sink: ParquetSink | None = None

    def write(self, text: str, rows: int = 1) -> None:
        """Takes the header, then a row at a time."""
        for line in text.splitlines():
            if self.sink is None:
                self.sink = ParquetSink(self._path, line, kinds=dict([RULES]))
            else:
                self.sink.write(line)

    def flush(self) -> None:
        """Nothing: rows are written in groups."""


@contextmanager
def new_table(path: Path, force: bool = False) -> Iterator[HeadedTable]:
    """A Parquet file that appears under its name only when it is complete."""
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
    """The name of one of our columns without the ending that it got where another one had it."""
    return name.replace("_found", "")


def parquet_output(
    path: Path,
    opening: str,
    kinds: Mapping[str, ColumnKind] = MappingProxyType({}),
    table: InputTable | None = None,
    rejects: Path | None = None,
    force: bool = False,
) -> Output:
    """Rows of CSV go to a Parquet file, whose columns hold texts or what `kinds` says of them.

    Of a `table` that is read, the output has all columns too. They are taken with their types from
    its sources, where these are files of Parquet.
    """
    require_writable(path, force)
    require_free(rejects, force)
    table = table or InputTable()
    header, delimiter = table.columns or ("", "")
    known = len(split_fields(header, delimiter)) if header else 0
    source = InputColumns(table.sources) if table.sources else None
    try:
        sink = ParquetSink(path, opening, known, source, kinds)
    except OSError as error:
        raise SatdokuError(f"{path} cannot be written: {error.strerror}") from None
    with closed_on_error(sink):
        return Output(sink, str(path), begin_rejects(rejects))
