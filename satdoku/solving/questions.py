"""The questions about a puzzle: is it unique, which are its solutions, how many are there."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from satdoku.errors import SolverError
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.search import decide, open_search
from satdoku.solving.solvers import Can, Settings, find_solver

# Created once: for a small puzzle, creating it takes a tenth of the time.
_USUAL = Settings()


class Count(NamedTuple):
    """The number of solutions counted.

    `is_complete` if there are no more, `is_at_limit` if counting stopped at its limit; neither if
    time ran out.
    """

    number: int
    is_complete: bool = False
    is_at_limit: bool = False
    reason: str = ""

    def __str__(self) -> str:
        return str(self.number) if self.is_complete else f"{self.number}+"


def check(
    puzzle: Puzzle,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> Outcome:
    """Decide whether a puzzle has no, one or several solutions, with these as evidence.

    On large boards several methods take turns; `watch` is called with the name of each method that
    starts in this process.
    """
    settings = settings or _USUAL
    _require_limitable(settings)
    if settings.portfolio or _needs_own_process(settings):
        from satdoku.solving.race import race

        names = settings.portfolio or (settings.solver,)
        entrants = [replace(settings, solver=name, portfolio=()) for name in names]
        return race(puzzle, entrants, settings.limits)
    return decide(puzzle, settings, watch)


def check_within(puzzle: Puzzle, budget: Budget) -> Outcome:
    """Return what `check` returns with default settings, within the rest of a budget."""
    limits = budget.rest()
    return check(puzzle, _USUAL if limits == _USUAL.limits else Settings(limits=limits))


def find_solutions(puzzle: Puzzle, settings: Settings | None = None) -> Iterator[Grid]:
    """Yield the solutions; raise LimitReachedError if a limit ends the search early."""
    settings = settings or _USUAL
    _require_limitable(settings)
    if settings.portfolio:
        raise SolverError("a portfolio decides uniqueness; several solutions need one solver")
    if _needs_own_process(settings):
        from satdoku.solving.race import find_solutions_apart

        yield from find_solutions_apart(puzzle, settings)
        return
    with open_search(puzzle, settings, Budget(settings.limits)) as search:
        yield from search


def list_solutions(puzzle: Puzzle, settings: Settings | None = None) -> Iterator[Grid]:
    """Yield the solutions; if no method is chosen, those of a classic 9x9 board in digit order.

    The order compares digits cell by cell. For callers that want several solutions: the first one
    may take longer.
    """
    from satdoku.solving.counting import can_be_several, solutions_in_order

    settings = settings or _USUAL
    if can_be_several(puzzle, settings):
        return solutions_in_order(puzzle, settings)
    return find_solutions(puzzle, settings)


def count(
    puzzle: Puzzle,
    limit: int | None = None,
    settings: Settings | None = None,
    on_number: Callable[[int], None] = lambda number: None,
) -> Count:
    """Count the solutions; stop at `limit`.

    `on_number` is called with the number so far, whenever it grows.
    """
    if limit is not None and not (isinstance(limit, int) and limit >= 0):
        raise SolverError(f"counting cannot stop at {limit!r}")
    number = 0
    try:
        for more in _counts(puzzle, settings or _USUAL, limit):
            number += more
            on_number(number)
            if limit is not None and number > limit:
                break
    except LimitReachedError as reached:
        return Count(number, reason=str(reached))
    if limit is not None and number > limit:
        return Count(limit, is_at_limit=True, reason=f"counting stopped at {limit:,}")
    return Count(number, is_complete=True)


def _counts(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int]:
    """Yield numbers that sum to the count, or to more than the limit."""
    # Imported late: few questions count.
    from satdoku.solving.counting import counts_of

    _require_limitable(settings)
    if not (settings.portfolio or _needs_own_process(settings)):
        counts = counts_of(puzzle, settings, limit)
        if counts is not None:
            return counts
    return (1 for _ in find_solutions(puzzle, settings))


def _require_limitable(settings: Settings) -> None:
    if settings.limits.conflicts is None or settings.command:
        return
    for name in settings.portfolio or (settings.solver,):
        find_solver(name).require(Can.SLICE, "be stopped after a number of conflicts")


def _needs_own_process(settings: Settings) -> bool:
    """Whether only killing the solver can stop it, at a time limit or on Ctrl-C.

    False in workers of a run: Ctrl-C does not reach them. Where a process would have to be spawned,
    Ctrl-C waits for the solver.
    """
    if settings.command or Can.SLICE in find_solver(settings.solver).can:
        return False
    if settings.limits.timeout is not None or settings.limits.stop is not None:
        return True
    from satdoku.processes import may_fork

    return may_fork()
