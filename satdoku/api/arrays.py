"""The calls about arrays of boards: numbers for numbers, without an object for each puzzle."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Generic, overload

from satdoku.api.calling import SettingKeywords, settings_of
from satdoku.api.many import AnsweredBoards, Read, ReadBoards, answer_source
from satdoku.api.numbers import CODES, ArrayT, FilledGrids, OpenedBoards, VerdictCode
from satdoku.api.sources import Boards
from satdoku.batch.row import Row
from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from satdoku.api.numbers import Bytes, Numbers


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
    """The only solution of each of many boards, in an array of the same shape.

    It takes what `check_array` takes, and returns its `solution`: a board without solution, or with
    several, has zeros, and the `verdict` of `check_array` says which.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> solve_array(boards, Geometry(2, 2)).hex(" ", 16)
    '01020403030402010403010202010304 00000000000000000000000000000000'
    """
    return check_array(boards, box).solution


def _take_all(filled: FilledGrids, answers: Iterable[tuple[Read, Row]], count: int) -> int:
    """Take the answers to so many boards; after a stop the others are undecided."""
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
