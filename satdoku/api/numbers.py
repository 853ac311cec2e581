"""Boards as numbers: arrays of callers in many shapes, and the answers that go back to them."""

from collections.abc import Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from satdoku.api.calling import make_hints
from satdoku.api.sources import (
    BOARDS_AT_ONCE,
    Boards,
    Source,
    library_of,
    open_source,
    shape_of_boards,
)
from satdoku.errors import SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.spelling import size_of_count
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.verdict import Verdict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bytes = bytes | bytearray | memoryview
    Numbers = npt.NDArray[np.uint8]
    Counts = npt.NDArray[np.int64]

# The first values of a list tell whether it has texts; some may be missing.
_LOOKED_AT = 100
_MOST_IN_A_BYTE = 255

ArrayT = TypeVar("ArrayT")


class VerdictCode(IntEnum):
    """What arrays have for a verdict: none, one or several solutions, or no answer.

    UNREADABLE is a text in a column that is no puzzle.
    """

    NONE = 0
    UNIQUE = 1
    MULTIPLE = 2
    UNDECIDED = 3
    UNREADABLE = 4


CODES = {verdict: VerdictCode[verdict.name] for verdict in Verdict}


class _Shape(NamedTuple):
    """The shape of an array: how boards are ordered, and the cells of each; of texts no cells."""

    boards: tuple[int, ...]
    cells: tuple[int, ...] = ()


class OpenedBoards:
    """Boards of a caller: their source, their geometry if it is known, and how answers come."""

    def __init__(self, boards: Any, box: Geometry | None) -> None:
        self._np: Any = None
        self.hints = Hints()
        if isinstance(boards, bytes | bytearray | memoryview):
            data, geometry = bytes(boards), box or Geometry()
            self.source = Source(_boards_of(data, geometry))
            self.geometry: Geometry | None = geometry
            self.shape = _Shape((len(data) // geometry.cell_count,))
            return
        self._np = import_numpy()
        self.source, self.geometry, self.shape = _open(self._np, boards, box)
        if self.geometry is None:
            self.hints = make_hints(box, None, ())

    def numbers(self, values: Any, kind: str = "uint8") -> Any:
        """Return a number for each board."""
        if self._np is None:
            return bytes(values) if isinstance(values, bytearray) else values
        if isinstance(values, bytearray):
            return self._np.frombuffer(values, kind).reshape(self.shape.boards)
        return self._np.array(values, kind).reshape(self.shape.boards)

    def grids(self, filled: "FilledGrids") -> Any:
        """Return the grid of each board."""
        if self._np is None:
            return bytes(filled.solutions)
        geometry = filled.geometry
        cells = self.shape.cells or (0 if geometry is None else geometry.cell_count,)
        found = self._np.frombuffer(filled.solutions, self._np.uint8)
        return found.reshape(self.shape.boards + cells)


class FilledGrids:
    """The answers to boards of one geometry; None until the first text that can be read."""

    def __init__(self, geometry: Geometry | None) -> None:
        self.geometry = geometry
        self.verdicts, self.solutions = bytearray(), bytearray()

    def add(self, geometry: Geometry | None, verdicts: bytes, digits: bytes = b"") -> None:
        """Add the answers to some boards; without a geometry they are unreadable."""
        if geometry is not None:
            self.require(geometry)
        self.verdicts += verdicts
        self.solutions += digits if geometry is not None else bytes(len(verdicts) * self.width)

    @property
    def width(self) -> int:
        return 0 if self.geometry is None else self.geometry.cell_count

    def require(self, geometry: Geometry) -> None:
        """Refuse a board of another geometry; the first one of texts says which there is."""
        if self.geometry is None:
            self.geometry = geometry
            self.solutions = bytearray(len(self.verdicts) * geometry.cell_count)
        if geometry != self.geometry:
            raise SatdokuError(
                f"boards[{len(self.verdicts)}] has boxes of {geometry}, and those before it boxes "
                f"of {self.geometry}; check_many takes both"
            )


def import_numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise SatdokuError("arrays need numpy; boards as bytes do without") from None
    return numpy


def _open(np: Any, boards: Any, box: Geometry | None) -> tuple[Source, Geometry | None, _Shape]:
    """The boards, their geometry and their shape; of texts the geometry is seen later."""
    if isinstance(boards, str):
        return Source([boards]), None, _Shape(())
    is_list = isinstance(boards, list | tuple)
    if library_of(boards) in ("pandas", "polars", "pyarrow") or (
        is_list and any(isinstance(each, str) for each in boards[:_LOOKED_AT])
    ):
        return open_source(boards, None, box), None, _Shape((len(boards),))
    array = _array_of(np, boards)
    if array.ndim == 1 and array.dtype.kind in "UO":
        return Source(array.tolist()), None, _Shape(array.shape)
    is_single = array.ndim == 1 or (array.ndim == 2 and _is_one_board(array.shape, box))
    many = array[np.newaxis] if is_single else array
    geometry = shape_of_boards(many, box)
    if geometry.size > _MOST_IN_A_BYTE:
        raise SatdokuError(f"arrays have digits up to {_MOST_IN_A_BYTE}; check_many takes others")
    source = Source(_boards_of(_digits_of(np, many).tobytes(), geometry))
    return source, geometry, _Shape(() if is_single else many.shape[:1], many.shape[1:])


def _array_of(np: Any, boards: Any) -> Any:
    try:
        has_dlpack = hasattr(boards, "__dlpack__") and library_of(boards) != "numpy"
        return np.from_dlpack(boards) if has_dlpack else np.asarray(boards)
    except (ValueError, TypeError, RuntimeError, BufferError) as error:
        raise SatdokuError(f"these are no boards of one size: {error}") from None


def _is_one_board(shape: tuple[int, ...], box: Geometry | None) -> bool:
    """Whether a square array is a board; 16 rows of 16 are sixteen boards of 4x4 without a box."""
    rows, columns = shape
    is_square = rows == columns
    return is_square and (columns == box.size if box else size_of_count(columns) is None)


def _digits_of(np: Any, array: Any) -> Any:
    """The digits as bytes; a float that is no number is an empty cell."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), 0, array)
    if array.dtype.kind not in "iuf":
        raise SatdokuError("boards are whole numbers, or texts in a list or a column")
    with np.errstate(invalid="ignore"):
        digits = array.astype(np.uint8, order="C")
    # A number that is too large for a byte is another one there.
    if (digits != array).any():
        raise SatdokuError("these boards have numbers that are no digits")
    return digits


def _boards_of(data: bytes, geometry: Geometry) -> Iterator[Boards]:
    """Boards behind one another, by the block."""
    count = geometry.cell_count
    if len(data) % count:
        raise SatdokuError(f"{len(data):,} bytes are no boards of {count} cells each")
    possible = bytes(range(geometry.size + 1))
    if data.translate(None, possible):
        place = next(place for place, digit in enumerate(data) if digit not in possible)
        raise SatdokuError(f"boards[{place // count}] has {data[place]}, which is no digit there")
    step = BOARDS_AT_ONCE * count
    return (Boards(geometry, data[at : at + step]) for at in range(0, len(data), step))
