"""The calls about arrays of boards: arrays of numbers in and out, and no object for each puzzle.

First come the accepted shapes of arrays, then the calls that check and solve, then those that
count, rate, arrange and make.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import repeat
from math import prod
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

from satdoku.answering.many import may_use_bulk, solve_blocks
from satdoku.api.calling import (
    LimitKeywords,
    SettingKeywords,
    limits_of,
    make_hints,
    require_geometry,
    settings_of,
)
from satdoku.api.making import generate
from satdoku.api.many import AnsweredBoards, Read, ReadBoards, answer_source, read_source
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
from satdoku.making.canonical import canonical_form, canonical_forms
from satdoku.notation.hints import Hints
from satdoku.notation.spelling import size_of_count
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rater import rate_all
from satdoku.solving import questions
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Unpack

    Bytes = bytes | bytearray | memoryview
    Numbers = npt.NDArray[np.uint8]
    Counts = npt.NDArray[np.int64]

# This many values at the head of a list are examined for texts, as some values may be missing.
_LOOKED_AT = 100
_MOST_IN_A_BYTE = 255

ArrayT = TypeVar("ArrayT")


class VerdictCode(IntEnum):
    """A verdict as a number in an array: none, one or several solutions, or undecided.

    UNREADABLE stands for a text in a column that is no puzzle.
    """

    NONE = 0
    UNIQUE = 1
    MULTIPLE = 2
    UNDECIDED = 3
    UNREADABLE = 4


CODES = {verdict: VerdictCode[verdict.name] for verdict in Verdict}


class _Shape(NamedTuple):
    """The shape of an array: of its boards, and of each board's cells (empty for texts)."""

    boards: tuple[int, ...]
    cells: tuple[int, ...] = ()


class OpenedBoards:
    """The boards of a caller: their source, geometry if known, and the shape of the answers."""

    def __init__(self, boards: Any, box: Geometry | None) -> None:
        require_geometry(box)
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
        """Return a number for each board, as an array, or as bytes if the boards are bytes."""
        if self._np is None:
            return bytes(values) if isinstance(values, bytearray) else values
        if isinstance(values, bytearray):
            return self._np.frombuffer(values, kind).reshape(self.shape.boards)
        return self._np.array(values, kind).reshape(self.shape.boards)

    def grids(self, filled: "FilledGrids") -> Any:
        """Return the grids of all boards, as an array, or as bytes if the boards are bytes."""
        if self._np is None:
            return bytes(filled.solutions)
        geometry = filled.geometry
        cells = self.shape.cells or (0 if geometry is None else geometry.cell_count,)
        found = self._np.frombuffer(filled.solutions, self._np.uint8)
        return found.reshape(self.shape.boards + cells)


class FilledGrids:
    """The answers to boards of one geometry, which is None until the first text is readable."""

    def __init__(self, geometry: Geometry | None) -> None:
        self.geometry = geometry
        self.verdicts, self.solutions = bytearray(), bytearray()

    def add(self, geometry: Geometry | None, verdicts: bytes, digits: bytes = b"") -> None:
        """Add the answers to some boards, which are unreadable if there is no geometry."""
        if geometry is not None:
            self.require(geometry)
        self.verdicts += verdicts
        self.solutions += digits if geometry is not None else bytes(len(verdicts) * self.width)

    @property
    def width(self) -> int:
        return 0 if self.geometry is None else self.geometry.cell_count

    def require(self, geometry: Geometry) -> None:
        """Raise an error for a board of another geometry; if none is known yet, take this one."""
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
    """Return the boards, their geometry and their shape; the geometry of texts is not known yet."""
    if isinstance(boards, str):
        return Source([boards]), None, _Shape(())
    is_list = isinstance(boards, list | tuple)
    is_texts = is_list and any(isinstance(each, str) for each in boards[:_LOOKED_AT])
    is_empty = is_list and not boards
    if is_texts or is_empty or library_of(boards) in ("pandas", "polars", "pyarrow"):
        return open_source(boards, None, box), None, _Shape((len(boards),))
    array = _array_of(np, boards)
    if array.ndim == 0:
        kind = type(boards).__name__
        raise SatdokuError(f"boards are an array or a list, not {kind}; check_many takes iterators")
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
    """Whether an array is one board, row by row, and not a board in each of its rows.

    Without a box that may be unclear: 16x16 numbers are then 16 boards of 4x4.
    """
    rows, columns = shape
    is_square = rows == columns
    return is_square and (columns == box.size if box else size_of_count(columns) is None)


def _digits_of(np: Any, array: Any) -> Any:
    """Return the digits as bytes; NaN is an empty cell."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), 0, array)
    if array.dtype.kind not in "iuf":
        raise SatdokuError("boards are whole numbers, or texts in a list or a column")
    with np.errstate(invalid="ignore"):
        digits = array.astype(np.uint8, order="C")
    # A number that does not fit into a byte has become another number.
    if (digits != array).any():
        raise SatdokuError("these boards have numbers that are no digits")
    return digits


def _boards_of(data: bytes, geometry: Geometry) -> Iterator[Boards]:
    """Yield the boards in `data`, which follow one another, in blocks."""
    count = geometry.cell_count
    if len(data) % count:
        raise SatdokuError(f"{len(data):,} bytes are no boards of {count} cells each")
    possible = bytes(range(geometry.size + 1))
    if data.translate(None, possible):
        place = next(place for place, digit in enumerate(data) if digit not in possible)
        raise SatdokuError(f"boards[{place // count}] has {data[place]}, which is no digit there")
    step = BOARDS_AT_ONCE * count
    return (Boards(geometry, data[at : at + step]) for at in range(0, len(data), step))


# Check and solve


@dataclass(frozen=True, eq=False)
class CheckedArray(Generic[ArrayT]):
    """The answers to many boards, as numbers.

    `verdict` has a `VerdictCode` for each board, and `solution` the digits of its only solution, or
    zeros. `compared` is the number of boards that were answered by the compiled library and by a
    solver too.
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
    """Check whether many boards have one solution, several or none, in arrays of `uint8`.

    `boards` are numbers with 0 for empty cells: a numpy array of shape (n, 81) or (n, 9, 9), or of
    another size; an object with `__array_interface__` or `__dlpack__`; nested lists; or a single
    board, (9, 9) or (81,). Or they are texts: a list, or a column of pandas, polars or pyarrow. Or
    they are bytes, one for each cell of boards that follow one another, 9x9 without a `box`; then
    bytes are returned, and numpy is not needed. By default this process does all of the work;
    `jobs=None` allows all processors.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> checked = check_array(boards, Geometry(2, 2))
    >>> [VerdictCode(code).name for code in checked.verdict], checked.solution[:16].hex()
    (['UNIQUE', 'MULTIPLE'], '01020403030402010403010202010304')
    """
    settings = settings_of(settings, keywords) or Settings()
    opened = OpenedBoards(boards, box)
    filled = FilledGrids(opened.geometry)
    rows = answer_source(opened.source, settings, jobs, hints=opened.hints)
    compared = _take_all(filled, rows, prod(opened.shape.boards))
    verdict, solution = opened.numbers(filled.verdicts), opened.grids(filled)
    return CheckedArray(verdict, solution, compared)


@overload
def solve_array(boards: "Bytes", box: Geometry | None = None) -> bytes: ...
@overload
def solve_array(boards: Any, box: Geometry | None = None) -> "Numbers": ...
def solve_array(boards: Any, box: Geometry | None = None) -> Any:
    """Return the only solution of each of many boards, in an array of the same shape.

    It takes the boards of `check_array`, and returns its `solution`. A board without solution, or
    with several, gets zeros; `check_array` tells these apart by `verdict`.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> solve_array(boards, Geometry(2, 2)).hex(" ", 16)
    '01020403030402010403010202010304 00000000000000000000000000000000'
    """
    return check_array(boards, box).solution


def _take_all(filled: FilledGrids, answers: Iterable[tuple[Read, Row]], count: int) -> int:
    """Take the answers to `count` boards; after a stop, the remaining boards are undecided."""
    compared = 0
    for read, row in answers:
        compared += row.compared
        if isinstance(read, ReadBoards):
            _take_boards(filled, read.boards, row.result)
        elif isinstance(read, SatdokuError):
            filled.add(None, bytes([VerdictCode.UNREADABLE]))
        else:
            code = CODES[row.result.verdict]
            filled.add(read.geometry, bytes([code]), _only_digits(row.result))
    left = count - len(filled.verdicts)
    filled.verdicts += bytes([VerdictCode.UNDECIDED]) * left
    filled.solutions += bytes(left * filled.width)
    return compared


def _take_boards(filled: FilledGrids, boards: Boards, found: AnsweredBoards) -> None:
    filled.require(boards.geometry)
    begin, width = len(filled.verdicts), boards.geometry.cell_count
    filled.verdicts += found.is_unique
    filled.solutions += found.cells
    for number, outcome in found.others.items():
        place = begin + number
        filled.verdicts[place] = CODES[outcome.verdict]
        filled.solutions[place * width : (place + 1) * width] = _only_digits(outcome)


def _only_digits(outcome: Outcome) -> bytes:
    geometry = outcome.puzzle.geometry
    is_only = outcome.verdict is Verdict.UNIQUE and outcome.solution is not None
    return bytes(outcome.solution.digits if is_only and outcome.solution else geometry.cell_count)


# Count, rate, arrange and make, with arrays as `check_array` has them


@overload
def count_array(
    boards: "Bytes",
    limit: int = 1000,
    box: Geometry | None = None,
    settings: Settings | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> list[int]: ...
@overload
def count_array(
    boards: Any,
    limit: int = 1000,
    box: Geometry | None = None,
    settings: Settings | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> "Counts": ...
def count_array(
    boards: Any,
    limit: int = 1000,
    box: Geometry | None = None,
    settings: Settings | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> Any:
    """Return the number of solutions of each board, as an array of `int64`; a list for bytes.

    It takes the boards of `check_array`. The number `limit` means that many or more, and -1 a board
    that cannot be read, or was not counted within the limits of the settings.

    >>> count_array(bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16), box=Geometry(2, 2))
    [1, 288]
    """
    if limit < 1:
        raise SatdokuError(f"limit={limit} is no number of solutions")
    settings = settings_of(settings, keywords) or Settings()
    opened = OpenedBoards(boards, box)
    counts: list[int] = []
    for read in read_source(opened.source, opened.hints):
        if isinstance(read, ReadBoards):
            counts += _counts_of(read, limit, settings)
        else:
            counts.append(-1 if isinstance(read, SatdokuError) else _count(read, limit, settings))
    return opened.numbers(counts, "int64")


def _counts_of(read: ReadBoards, limit: int, settings: Settings) -> Iterator[int]:
    boards = read.boards
    are_known = bytes(boards.number)
    if may_use_bulk(settings):
        [(_, are_known, _)] = solve_blocks(boards.geometry, [boards.text])
    for number, is_unique in enumerate(are_known):
        yield 1 if is_unique else _count(read.puzzle(number), limit, settings)


def _count(puzzle: Puzzle, limit: int, settings: Settings) -> int:
    found = questions.count(puzzle, limit, settings)
    return min(found.number, limit) if found.is_complete or found.is_at_limit else -1


@dataclass(frozen=True, eq=False)
class RatedArray(Generic[ArrayT]):
    """The ratings of many boards, as numbers.

    `verdict` has a `VerdictCode` for each board. `rating` is 255 for boards without exactly one
    solution, and for ratings above 9.
    """

    verdict: ArrayT
    rating: ArrayT


NO_RATING = 255


@overload
def rate_array(
    boards: "Bytes",
    box: Geometry | None = None,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> RatedArray[bytes]: ...
@overload
def rate_array(
    boards: Any,
    box: Geometry | None = None,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> "RatedArray[Numbers]": ...
def rate_array(
    boards: Any,
    box: Geometry | None = None,
    limits: Limits | None = None,
    **keywords: "Unpack[LimitKeywords]",
) -> RatedArray[Any]:
    """Rate many boards as `rate` does, in arrays of `uint8`; it takes the boards of `check_array`.

    >>> rated = rate_array(bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16), Geometry(2, 2))
    >>> list(rated.verdict), list(rated.rating)
    ([1, 2], [0, 255])
    """
    opened = OpenedBoards(boards, box)
    verdicts, ratings = bytearray(), bytearray()
    # Only readable puzzles are rated; `waiting` tells where the unreadable ones belong.
    waiting: deque[bool] = deque()
    for rated in rate_all(
        _puzzles_of(read_source(opened.source, opened.hints), waiting), limits_of(limits, keywords)
    ):
        _pass_unreadable(waiting, verdicts, ratings)
        waiting.popleft()
        number = None if rated.rating is None else rated.rating.number
        verdicts.append(VerdictCode.UNIQUE if rated.rating else CODES[rated.outcome.verdict])
        ratings.append(NO_RATING if number is None else number)
    _pass_unreadable(waiting, verdicts, ratings)
    return RatedArray(opened.numbers(verdicts), opened.numbers(ratings))


def _puzzles_of(reads: Iterable[Read], waiting: "deque[bool]") -> Iterator[Puzzle]:
    """Yield all puzzles; append to `waiting`, for each item, whether it is a puzzle."""
    for read in reads:
        if isinstance(read, ReadBoards):
            for number in range(read.boards.number):
                waiting.append(True)
                yield read.puzzle(number)
        elif isinstance(read, SatdokuError):
            waiting.append(False)
        else:
            waiting.append(True)
            yield read


def _pass_unreadable(waiting: "deque[bool]", verdicts: bytearray, ratings: bytearray) -> None:
    while waiting and not waiting[0]:
        waiting.popleft()
        verdicts.append(VerdictCode.UNREADABLE)
        ratings.append(NO_RATING)


@overload
def canonical_array(boards: "Bytes", box: Geometry | None = None) -> bytes: ...
@overload
def canonical_array(boards: Any, box: Geometry | None = None) -> "Numbers": ...
def canonical_array(boards: Any, box: Geometry | None = None) -> Any:
    """Return the canonical form of each of many boards, in an array of the same shape.

    It takes the boards of `check_array`, and returns the forms of `canonical`; a text that cannot
    be read, or a board whose givens clash, gets zeros.

    >>> boards = bytes([4,0,0,0, 0,0,3,0, 0,2,0,0, 0,0,0,1]) + bytes(16)
    >>> forms = canonical_array(boards, Geometry(2, 2))
    >>> forms == canonical_array(forms, Geometry(2, 2))
    True
    """
    opened = OpenedBoards(boards, box)
    filled = FilledGrids(opened.geometry)
    for read in read_source(opened.source, opened.hints):
        if isinstance(read, ReadBoards):
            forms = _forms_of(read)
            filled.add(read.boards.geometry, bytes(read.boards.number), b"".join(forms))
        elif isinstance(read, SatdokuError):
            filled.add(None, bytes(1))
        else:
            filled.add(read.geometry, bytes(1), _form_of(read))
    return opened.grids(filled)


def _forms_of(read: ReadBoards) -> Iterator[bytes]:
    boards = read.boards
    is_of_lanes = boards.geometry == Geometry()
    found = canonical_forms(boards.text, is_largest=False) if is_of_lanes else repeat(None)
    for number, form in zip(range(boards.number), found, strict=False):
        yield form.digits if form else _form_of(read.puzzle(number))


def _form_of(puzzle: Puzzle) -> bytes:
    """Return the canonical form of a puzzle; zeros if givens clash, as it has no form."""
    if next(find_clashes(puzzle), None) is not None:
        return bytes(puzzle.geometry.cell_count)
    return bytes(canonical_form(puzzle).grid.digits)


class GeneratedArray(NamedTuple):
    """Puzzles and their solutions, in arrays of `uint8` with a row for each."""

    puzzle: "Numbers"
    solution: "Numbers"


def generate_array(count: int, **options: Any) -> GeneratedArray:
    """Make `count` puzzles with `generate`, and return puzzles and solutions as arrays.

    >>> made = generate_array(2, seed=1, box=Geometry(2, 2))
    >>> made.puzzle.shape, rate_array(made.puzzle).verdict.tolist()
    ((2, 16), [1, 1])
    """
    np = import_numpy()
    puzzles, solutions = bytearray(), bytearray()
    box = options.get("box")
    require_geometry(box)
    width = (box or Geometry()).cell_count
    for made in generate(count, **options):
        if not made.puzzle.is_classic:
            raise SatdokuError("an array cannot hold further rules; `generate` can return them")
        width = made.puzzle.geometry.cell_count
        puzzles += bytes(made.puzzle.grid.digits)
        solutions += bytes(made.solution.digits)
    rows = len(puzzles) // width
    both = (np.frombuffer(data, np.uint8).reshape(rows, width) for data in (puzzles, solutions))
    return GeneratedArray(*both)
