"""The calls that count, rate, arrange and make many boards, in arrays as `check_array` has them."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, overload

from satdoku.answering.many import may_use_bulk, solve_blocks
from satdoku.api.calling import LimitKeywords, SettingKeywords, limits_of, settings_of
from satdoku.api.making import generate
from satdoku.api.many import Read, ReadBoards, read_source
from satdoku.api.numbers import (
    CODES,
    ArrayT,
    FilledGrids,
    OpenedBoards,
    VerdictCode,
    import_numpy,
)
from satdoku.errors import SatdokuError
from satdoku.making.canonical import canonical_form, canonical_forms
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import rate_all
from satdoku.solving import questions
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from satdoku.api.numbers import Bytes, Counts, Numbers


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

    It takes what `check_array` takes. `limit` stands for that many or more, and -1 for a board that
    cannot be read, or was not counted within the limits of the settings.

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

    `verdict` has a `VerdictCode` for each board. `rating` is that of a board with one solution, and
    255 for all others, and where the rating is above 9.
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
    """Rate many boards as `rate` does, in arrays of `uint8`; it takes what `check_array` takes.

    >>> rated = rate_array(bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16), Geometry(2, 2))
    >>> list(rated.verdict), list(rated.rating)
    ([1, 2], [0, 255])
    """
    opened = OpenedBoards(boards, box)
    verdicts, ratings = bytearray(), bytearray()
    # Each puzzle has a rating, in order; those that cannot be read are put in between.
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
    """Yield all puzzles; `waiting` gets for each that was read whether there is one."""
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

    It takes what `check_array` takes, and says what `canonical` says; a text that cannot be read,
    or a board whose givens clash, has zeros.

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
    """Return the form of a puzzle; zeros where givens clash, as there is none."""
    if next(find_clashes(puzzle), None) is not None:
        return bytes(puzzle.geometry.cell_count)
    return bytes(canonical_form(puzzle).grid.digits)


class GeneratedArray(NamedTuple):
    """Puzzles and their solutions, in arrays of `uint8` with a row for each."""

    puzzle: "Numbers"
    solution: "Numbers"


def generate_array(count: int, **options: Any) -> GeneratedArray:
    """Make so many puzzles as `generate` does, from the same options, as numbers.

    >>> made = generate_array(2, seed=1, box=Geometry(2, 2))
    >>> made.puzzle.shape, rate_array(made.puzzle).verdict.tolist()
    ((2, 16), [1, 1])
    """
    np = import_numpy()
    puzzles, solutions = bytearray(), bytearray()
    width = 0
    for made in generate(count, **options):
        if not made.puzzle.is_classic:
            raise SatdokuError("arrays have no rules beside their boards; generate has them")
        width = made.puzzle.geometry.cell_count
        puzzles += bytes(made.puzzle.grid.digits)
        solutions += bytes(made.solution.digits)
    rows = len(puzzles) // width if width else 0
    both = (np.frombuffer(data, np.uint8).reshape(rows, width) for data in (puzzles, solutions))
    return GeneratedArray(*both)
