"""The calls about solutions: the only one, several, their number, or whether it is unique."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from satdoku.api.calling import AnyPuzzle, Progress, Reporter, SettingKeywords, parse, settings_of
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.json_format import list_cells, write_lists
from satdoku.notation.outcomes import sentence
from satdoku.notation.spelling import spelling_of
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving import questions
from satdoku.solving.questions import Count
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack


class UnsolvedError(SatdokuError):
    """A puzzle has no unique solution, or none within the limits; `outcome` says which."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(sentence(outcome))
        self.outcome = outcome

    def __reduce__(self) -> tuple[type["UnsolvedError"], tuple[Outcome]]:
        """Pickle with the outcome; by default an exception is rebuilt from its message alone."""
        return type(self), (self.outcome,)


def solve(
    puzzle: AnyPuzzle, settings: Settings | None = None, **keywords: "Unpack[SettingKeywords]"
) -> Grid:
    """Return the only solution; raise UnsolvedError if there is none, several, or time ran out.

    >>> solve("1.....2..3.....4").rows
    [(1, 2, 4, 3), (3, 4, 2, 1), (4, 3, 1, 2), (2, 1, 3, 4)]
    """
    outcome = check(puzzle, settings, **keywords)
    if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
        raise UnsolvedError(outcome)
    return outcome.solution


def solve_in_place(
    board: list[list[Any]], settings: Settings | None = None, **keywords: "Unpack[SettingKeywords]"
) -> None:
    """Fill the blanks of a board of characters or numbers in place, as coding contests ask for.

    >>> board = [list("1..."), list("..2."), list(".3.."), list("...4")]
    >>> solve_in_place(board)
    >>> board[0]
    ['1', '2', '4', '3']
    """
    if not (isinstance(board, list) and all(isinstance(row, list) for row in board)):
        raise FormatError("only a list of lists can be filled in place", "puzzle")
    puzzle = parse(board)
    solution = solve(puzzle, settings, **keywords)
    # Numbers are filled in on a board of numbers, letters on a board of letters.
    spelling = spelling_of(list_cells(board, puzzle.geometry.size), puzzle.geometry.size, None)
    found: Any = write_lists(board, solution, spelling)
    # Write only after success, so that a board without a unique solution stays unchanged.
    for row, given, full in zip(board, puzzle.grid.rows, found, strict=True):
        for column, digit in enumerate(given):
            if digit == EMPTY:
                row[column] = full[column]


def check(
    puzzle: AnyPuzzle, settings: Settings | None = None, **keywords: "Unpack[SettingKeywords]"
) -> Outcome:
    """Check whether a puzzle has one solution, several or none, and return the evidence.

    >>> outcome = check("11..............")
    >>> outcome.verdict.value, str(outcome.clashes[0])
    ('none', 'r1c1 and r1c2 are both 1, in row 1')
    """
    return questions.check(parse(puzzle), settings_of(settings, keywords))


def solutions(
    puzzle: AnyPuzzle, settings: Settings | None = None, **keywords: "Unpack[SettingKeywords]"
) -> Iterator[Grid]:
    """Yield the solutions, each found on demand.

    Raise LimitReachedError if a limit is reached before the last one. Solutions of a classic 9x9
    board come in lexicographic order, unless the settings name a solver or an encoding.

    >>> sum(1 for _ in solutions("." * 16))
    288
    """
    return questions.list_solutions(parse(puzzle), settings_of(settings, keywords))


def count(
    puzzle: AnyPuzzle,
    limit: int | None = None,
    settings: Settings | None = None,
    *,
    progress: Callable[[Progress], object] | None = None,
    **keywords: "Unpack[SettingKeywords]",
) -> Count:
    """Count the solutions, up to `limit`.

    `progress` is called from time to time with the number so far; its total is the limit.

    >>> str(count("." * 16, limit=100))
    '100+'
    """
    reporter = Reporter(progress, limit)

    def tell(number: int) -> None:
        # Solutions are counted in groups, so the number may overshoot the limit.
        reporter.reach(number if limit is None else min(number, limit))

    found = questions.count(parse(puzzle), limit, settings_of(settings, keywords), tell)
    reporter.finish()
    return found
