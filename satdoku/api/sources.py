"""Collections of puzzles in a program: lists, arrays, series, or a column of a frame.

Libraries of arrays and frames are recognized by the module names of their types and never imported:
a caller with such a value has imported its library.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import Any, NamedTuple

from satdoku.api.calling import AnyPuzzle
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.record import PUZZLE_NAMES, find_name
from satdoku.notation.rule_entries import (
    SHAPE_COLUMNS,
    VARIANT_COLUMNS,
    names_rules_of_others,
    with_chosen_rules,
)
from satdoku.notation.spelling import shows_regions, size_of_count
from satdoku.notation.stated_rules import says_variant
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

# A column without a usual name is recognized by its first rows.
_ROWS_LOOKED_AT = 100
BOARDS_AT_ONCE = 1 << 9
"""Most boards in a block. With this many, the work for each board is small, and Ctrl-C or a stop
still acts soon: without the compiled library a block takes 0.1 s.
"""

_MOST_IN_A_BYTE = 255


class Shaped(NamedTuple):
    """A puzzle of a frame with the values of its rules and box columns, by column name."""

    puzzle: AnyPuzzle
    shape: dict[str, Any]


class Boards(NamedTuple):
    """Classic boards of one geometry, which follow one another; `text` has a byte for each cell."""

    geometry: Geometry
    text: bytes

    @property
    def number(self) -> int:
        """Return the number of boards."""
        return len(self.text) // self.geometry.cell_count

    def part_of(self, cells: bytes, index: int) -> bytes:
        """Return the digits of one board, of these cells or of others in the same order."""
        width = self.geometry.cell_count
        return cells[index * width : (index + 1) * width]

    def grid(self, index: int) -> Grid:
        return Grid(self.geometry, tuple(self.part_of(self.text, index)))


class Source(NamedTuple):
    """Puzzles in order: the caller's own values, or blocks of boards made from them.

    `name` refers to the collection in messages; `length` is None if it is unknown.
    """

    items: Iterable[AnyPuzzle | Boards | Shaped]
    name: str = "puzzles"
    length: int | None = None


def library_of(value: object) -> str:
    """Return the name of the library that a value comes from."""
    return type(value).__module__.partition(".")[0]


def open_source(
    value: Any, column: str | None, box: Geometry | None, rules_column: str | None = None
) -> Source:
    """Return the puzzles of a collection; raise SatdokuError if the value is no collection."""
    value = as_frame(value)
    if is_frame(value):
        name = puzzle_column(value, column)
        return Source(_frame_items(value, name, rules_column), name, len(value))
    for what, named in (("column", column), ("rules_column", rules_column)):
        if named is not None:
            raise SatdokuError(f"{what}={named!r} is for frames; this is {_kind_of(value)}")
    # Compare names, because numpy need not be installed.
    if library_of(value) == "numpy":
        return Source(_array_items(value, box), length=len(value))
    if library_of(value) in ("pandas", "polars", "pyarrow"):
        return Source(_values_of(value), length=len(value))
    if isinstance(value, str | bytes | Mapping | Puzzle | Grid) or not isinstance(value, Iterable):
        raise SatdokuError(
            f"expected a list or another collection of puzzles; this is {_kind_of(value)}"
        )
    return Source(value, length=len(value) if isinstance(value, Sequence) else None)


def is_lazy_frame(value: Any) -> bool:
    """Whether a value is a lazy frame of polars."""
    has_rows = hasattr(type(value), "__len__")
    return library_of(value) == "polars" and not has_rows and hasattr(value, "collect")


def as_frame(value: Any) -> Any:
    """Return the frame of a lazy frame, or a table of an object that gives its rows to pyarrow.

    Other values are returned unchanged.
    """
    if is_lazy_frame(value):
        return value.collect()
    if library_of(value) in ("pandas", "polars", "pyarrow") or not hasattr(
        value, "__arrow_c_stream__"
    ):
        return value
    # Imported here: few programs have such a value.
    from satdoku.notation.parquet_file import import_pyarrow

    pyarrow = import_pyarrow()
    try:
        return pyarrow.RecordBatchReader.from_stream(value).read_all()
    except pyarrow.ArrowException as error:
        reason = " ".join(str(error).split())
        raise SatdokuError(f"{_kind_of(value)} is no table ({reason})") from None


def is_frame(value: object) -> bool:
    """Whether a value is a table: a frame of pandas or polars, or a table of pyarrow."""
    # Look at the class: a series has its labels as attributes, and one may be called `columns`.
    return library_of(value) in ("pandas", "polars", "pyarrow") and hasattr(type(value), "columns")


def column_names(frame: Any) -> list[str]:
    """Return the column names of a frame as texts."""
    # In pyarrow, `columns` holds the data, and the names have another attribute.
    is_arrow = library_of(frame) == "pyarrow"
    return [str(name) for name in (frame.column_names if is_arrow else frame.columns)]


def column_values(frame: Any, name: str) -> list[Any]:
    """Return the values of a column, with None for missing ones."""
    names = column_names(frame)
    place = names.index(name)
    if library_of(frame) == "pandas":
        return _values_of(frame.iloc[:, place])
    if library_of(frame) == "polars":
        return _values_of(frame.to_series(place))
    return _values_of(frame.column(place))


def find_column(frame: Any, wanted: str) -> str:
    """Return the column of that name; case matters only if several names differ by case alone."""
    names = column_names(frame)
    found = find_name(names, str(wanted))
    if found is None:
        raise SatdokuError(f"there is no column {wanted!r}, only {', '.join(names) or 'none'}")
    return found


def puzzle_column(frame: Any, wanted: str | None) -> str:
    """Return the puzzle column: as wanted, by its usual name, or the first with boards."""
    if wanted is not None:
        return find_column(frame, wanted)
    names = column_names(frame)
    usual = [name for name in names if name.strip().lower() in PUZZLE_NAMES]
    if usual:
        return usual[0]
    head = frame[:_ROWS_LOOKED_AT]
    for name in names:
        texts = [value for value in column_values(head, name) if value]
        if texts and all(_looks_like_board(text) for text in texts):
            return name
    if not names:
        raise SatdokuError("this frame has no columns")
    raise SatdokuError(f"no column holds puzzles; pass column= with one of {', '.join(names)}")


def _looks_like_board(value: object) -> bool:
    return isinstance(value, str) and size_of_count(len(value.strip())) is not None


def _values_of(series: Any) -> list[Any]:
    """Return the values of a series or a pyarrow array, with None for NaN."""
    library = library_of(series)
    values = {"pandas": "tolist", "polars": "to_list", "pyarrow": "to_pylist"}[library]
    found = getattr(series, values)()
    if library != "pandas":
        return list(found)
    return [None if type(value) is not str and _is_missing(value) else value for value in found]


def _is_missing(value: object) -> bool:
    # NaN is the only float that is not equal to itself.
    is_nan = isinstance(value, float) and value != value
    # The missing values of pandas.
    return is_nan or type(value).__name__ in ("NAType", "NaTType")


def _frame_items(frame: Any, column: str, rules_column: str | None) -> Iterable[AnyPuzzle | Shaped]:
    """Return the puzzles of a column, each with its rules and its box if there are such columns."""
    puzzles = column_values(frame, column)
    names = {name.strip().lower(): name for name in column_names(frame) if name != column}
    shaping = {
        key: name
        for key, name in names.items()
        if key in SHAPE_COLUMNS or names_rules_of_others(key)
    }
    if rules_column is not None:
        # If the rules column is chosen by the caller, other columns with a rule's name are ignored.
        every = {name: name for name in column_names(frame)}
        chosen = with_chosen_rules({**every, **shaping}, Hints(rules_column=rules_column))
        shaping = {key: name for key, name in chosen.items() if key in SHAPE_COLUMNS}
    found = {key: column_values(frame, name) for key, name in shaping.items()}
    for key in VARIANT_COLUMNS if rules_column is None else ():
        said = column_values(frame, names[key]) if key in names else []
        if any(says_variant(text) for text in {each for each in said if isinstance(each, str)}):
            found[key] = said
    if "regions" not in found and (layout := _column_of_regions(frame, puzzles, names.values())):
        found = {"regions": column_values(frame, layout)} | found
        found.pop(layout.strip().lower(), None)
    if not found:
        return puzzles
    rows = zip(puzzles, *found.values(), strict=True)
    return (Shaped(puzzle, dict(zip(found, shape, strict=True))) for puzzle, *shape in rows)


def _column_of_regions(frame: Any, puzzles: Sequence[Any], names: Iterable[str]) -> str | None:
    """Return the column with layouts of regions, recognized by its first row, not by its name."""
    for name in names if puzzles and isinstance(puzzles[0], str) else ():
        [text, *_] = column_values(frame[:1], name)
        if isinstance(text, str) and shows_regions(text.strip(), len(puzzles[0].strip())):
            return name
    return None


def _array_items(array: Any, box: Geometry | None) -> Iterator[AnyPuzzle | Boards]:
    """Yield the puzzles of an array: texts, rows of all cells, or boards; numbers as `Boards`."""
    if array.ndim not in (1, 2, 3):
        raise SatdokuError(
            f"an array of puzzles has the shape (n, 81) or (n, 9, 9), not {array.shape}"
        )
    if array.ndim == 1:
        return iter(array.tolist())
    if array.dtype.kind not in "iu":
        # Other arrays go to `parse` board by board, which reads 5.0 as 5, and NaN as an empty cell.
        return iter(array)
    geometry = shape_of_boards(array, box)
    return _number_boards(array.reshape(len(array), geometry.cell_count), geometry)


def shape_of_boards(array: Any, box: Geometry | None) -> Geometry:
    """Return the geometry of the boards in an array of numbers.

    Raise SatdokuError if there is none.
    """
    if array.ndim not in (2, 3):
        raise SatdokuError(
            f"an array of boards has the shape (n, 81) or (n, 9, 9), not {array.shape}"
        )
    size = array.shape[-1] if array.ndim == 3 else isqrt(array.shape[1])
    _require_boards(array.shape, size, box)
    return box or Geometry.of_size(size)


def _require_boards(shape: tuple[int, ...], size: int, box: Geometry | None) -> None:
    cells = size * size
    is_board = shape[1:] in ((cells,), (size, size))
    if not is_board or size_of_count(cells, None if box is None else box.size) is None:
        expected = "" if box is None else f" with boxes of {box}"
        raise SatdokuError(f"an array of the shape {shape} has no boards{expected} in its rows")


def _number_boards(array: Any, geometry: Geometry) -> Iterator[AnyPuzzle | Boards]:
    """Yield blocks of boards from rows of numbers, and a list for each row that is no board.

    The fault of such a list is reported when it is read.
    """
    for begin in range(0, len(array), BOARDS_AT_ONCE):
        part = array[begin : begin + BOARDS_AT_ONCE]
        # Numbers that do not fit into a byte are wrong in any case.
        is_right = ((part >= 0) & (part <= min(geometry.size, _MOST_IN_A_BYTE))).all(axis=1)
        if is_right.all():
            yield Boards(geometry, part.astype("uint8").tobytes())
            continue
        for row, is_board in zip(part, is_right.tolist(), strict=True):
            yield Boards(geometry, row.astype("uint8").tobytes()) if is_board else row.tolist()


def _kind_of(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
