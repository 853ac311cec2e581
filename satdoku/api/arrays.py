"""The calls about arrays of boards: numbers for numbers, without an object for each puzzle."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import prod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from satdoku.api.calling import SettingKeywords, make_hints, settings_of
from satdoku.api.many import AnsweredBoards, Read, ReadBoards, answer_source
from satdoku.api.sources import (
    BOARDS_AT_ONCE,
    Boards,
    Source,
    library_of,
    open_source,
    shape_of_boards,
)
from satdoku.batch.row import Row
from satdoku.errors import SatdokuError
from satdoku.notation.spelling import size_of_count
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    Bytes = bytes | bytearray | memoryview
    Numbers = npt.NDArray[np.uint8]

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


_CODES = {verdict: VerdictCode[verdict.name] for verdict in Verdict}


@dataclass(frozen=True, eq=False)
class CheckedArray(Generic[ArrayT]):
    """The answers to many boards, as numbers.

    `verdict` has a `VerdictCode` for each board, and `solution` the digits of its only solution, or
    zeros. So many boards were `compared`: answered by the compiled library and a solver too.
    """

    verdict: ArrayT
    solution: ArrayT
    compared: int


@overload
def check_array(
    boards: "Bytes",
    box: Geometry | None = None,
    settings: Settings | None = None,
    *,
    jobs: int | None = 1,
    **keywords: "Unpack[SettingKeywords]",
) -> CheckedArray[bytes]: ...
@overload
def check_array(
    boards: Any,
    box: Geometry | None = None,
    settings: Settings | None = None,
    *,
    jobs: int | None = 1,
    **keywords: "Unpack[SettingKeywords]",
) -> "CheckedArray[Numbers]": ...
def check_array(
    boards: Any,
    box: Geometry | None = None,
    settings: Settings | None = None,
    *,
    jobs: int | None = 1,
    **keywords: "Unpack[SettingKeywords]",
) -> CheckedArray[Any]:
    """Whether each of many boards has one solution, several or none, in arrays of `uint8`.

    `boards` are numbers with 0 for empty cells: an array of numpy, (n, 81) or (n, 9, 9), of any
    size; what has `__array_interface__` or `__dlpack__`; nested lists; or a single board, (9, 9)
    or (81,). Or they are texts: a list, or a column of pandas, polars or pyarrow. Or they are
    bytes, a digit each, of boards behind one another, of 9x9 without a `box`; then bytes come back,
    and numpy is not needed. Without `jobs=None` or a number, this process does all of the work.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> checked = check_array(boards, Geometry(2, 2))
    >>> [VerdictCode(code).name for code in checked.verdict], checked.solution[:16].hex()
    (['UNIQUE', 'MULTIPLE'], '01020403030402010403010202010304')
    """
    settings = settings_of(settings, keywords) or Settings()
    if isinstance(boards, bytes | bytearray | memoryview):
        filled = _Filled(box or Geometry())
        source = Source(_boards_of(bytes(boards), box or Geometry()))
        count = len(bytes(boards)) // (box or Geometry()).cell_count
        filled.take_all(answer_source(source, settings, jobs), count)
        return CheckedArray(bytes(filled.verdicts), bytes(filled.solutions), filled.compared)
    np = _numpy()
    source, geometry, before = _open(np, boards, box)
    filled = _Filled(geometry)
    # Of numbers the geometry has been read with the box.
    hints = make_hints(box if geometry is None else None, None, ())
    filled.take_all(answer_source(source, settings, jobs, hints=hints), prod(before.boards))
    cells = before.cells or (0 if filled.geometry is None else filled.geometry.cell_count,)
    return CheckedArray(
        np.frombuffer(filled.verdicts, np.uint8).reshape(before.boards),
        np.frombuffer(filled.solutions, np.uint8).reshape(before.boards + cells),
        filled.compared,
    )


def solve_array(boards: Any, box: Geometry | None = None) -> Any:
    """The only solution of each of many boards, in an array of the same shape.

    It takes what `check_array` takes, and returns its `solution`: a board without solution, or with
    several, has zeros, and the `verdict` of `check_array` says which.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> solve_array(boards, Geometry(2, 2)).hex(" ", 16)
    '01020403030402010403010202010304 00000000000000000000000000000000'
    """
    return check_array(boards, box).solution


class _Shape(NamedTuple):
    """The shape of an array: how boards are ordered, and the cells of each; of texts no cells."""

    boards: tuple[int, ...]
    cells: tuple[int, ...] = ()


class _Filled:
    """The answers to boards of one geometry; None until the first text that can be read."""

    def __init__(self, geometry: Geometry | None) -> None:
        self.geometry = geometry
        self.verdicts, self.solutions = bytearray(), bytearray()
        self.compared = 0

    def take_all(self, answers: Iterable[tuple[Read, Row]], count: int) -> None:
        """Take the answers to so many boards; after a stop the others are undecided."""
        for read, row in answers:
            self.compared += row.compared
            if isinstance(read, ReadBoards):
                self._take_boards(read.boards, row.result)
            elif isinstance(read, SatdokuError):
                self.verdicts.append(VerdictCode.UNREADABLE)
                self.solutions += bytes(self._width)
            else:
                self._require(read.geometry)
                self.verdicts.append(_CODES[row.result.verdict])
                self.solutions += _only_digits(row.result)
        left = count - len(self.verdicts)
        self.verdicts += bytes([VerdictCode.UNDECIDED]) * left
        self.solutions += bytes(left * self._width)

    def _take_boards(self, boards: Boards, found: AnsweredBoards) -> None:
        self._require(boards.geometry)
        begin, width = len(self.verdicts), boards.geometry.cell_count
        self.verdicts += found.is_unique
        self.solutions += found.cells
        for number, outcome in found.others.items():
            place = begin + number
            self.verdicts[place] = _CODES[outcome.verdict]
            self.solutions[place * width : (place + 1) * width] = _only_digits(outcome)

    @property
    def _width(self) -> int:
        return 0 if self.geometry is None else self.geometry.cell_count

    def _require(self, geometry: Geometry) -> None:
        """Refuse a board of another geometry; the first one of texts says which there is."""
        if self.geometry is None:
            self.geometry = geometry
            self.solutions = bytearray(len(self.verdicts) * geometry.cell_count)
        if geometry != self.geometry:
            raise SatdokuError(
                f"boards[{len(self.verdicts)}] has boxes of {geometry}, and those before it boxes "
                f"of {self.geometry}; check_many takes both"
            )


def _only_digits(outcome: Outcome) -> bytes:
    geometry = outcome.puzzle.geometry
    is_only = outcome.verdict is Verdict.UNIQUE and outcome.solution is not None
    return bytes(outcome.solution.digits if is_only and outcome.solution else geometry.cell_count)


def _numpy() -> Any:
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
