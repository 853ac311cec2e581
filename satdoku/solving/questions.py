"""The questions about a puzzle: is it unique, which are its solutions, how many are there.

A `Search` finds the solutions of a puzzle one after another.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from satdoku.encoding.choices import Status
from satdoku.errors import SolverError
from satdoku.puzzle.constraints import HiddenRegions, Sets, Some
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault, require_judged
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched
from satdoku.solving.session import Closable, Loaded, Session, load
from satdoku.solving.solvers import (
    PATIENCE,
    PATIENCE_WITH_RULES,
    STAGES,
    STEADY,
    STEADY_PARAMETERS,
    Can,
    Settings,
    find_solver,
)

if TYPE_CHECKING:
    from satdoku.solving.external import ExternalSession
    from satdoku.solving.large.ladder import Ladder


# Find the solutions of a puzzle one after another, and decide whether there are none, one or
# several.
#
# `open_search` chooses the method: one solver, or on large boards several methods in turn.

# Conflicts before redundant clauses are added. Writing them takes as long as some hundred
# conflicts, and easy puzzles have fewer.
_PATIENCE_BEFORE_IMPLIED = 1_000


class Search(Closable):
    """The search for solutions of a puzzle: each is judged, then excluded by a blocking clause.

    `method` names the method of searches that have several; empty here, where the settings name the
    solver.
    """

    method = ""

    def __init__(
        self,
        puzzle: Puzzle,
        settings: Settings,
        budget: Budget,
        patience: int = PATIENCE,
        is_for_verdict: bool = False,
    ) -> None:
        """Start a search in which a solver gives way to the next one after `patience` conflicts.

        `is_for_verdict` promises that at most two solutions are requested.
        """
        self.puzzle = puzzle
        self._patience = patience
        self._settings = settings
        self._budget = budget
        self._blocked: list[list[int]] = []
        self._pending: list[int] | None = None
        self._is_finished = False
        # The counters of the solvers that gave way.
        self._counted: dict[str, int] = {}
        self._stages = list(settings.stages)
        if not puzzle.is_classic:
            # gluecard4 is as fast as minicard on light puzzles with sums, lines or machines, where
            # making the formula takes longer than loading it, and faster on all others.
            if puzzle.constraints.wider:
                del self._stages[:-1]
            if is_for_verdict and settings.leaves_method_open and _counts_nothing(puzzle):
                self._stages[1:] = [STEADY]
            self._patience = min(patience, PATIENCE_WITH_RULES)
        # Whether redundant clauses may be added later, if the search takes long.
        self._has_implied = bool(puzzle.constraints.wider) and not settings.command
        self._session, self._formula = self._begin()

    def next_solution(self) -> Grid | None:
        """Return a further solution, or None if there is no other.

        Raise LimitReachedError if the budget ends first.
        """
        if self._is_finished:
            return None
        self._block_pending()
        if self._ask() is Status.UNSATISFIABLE:
            if self._settings.command:
                self._doubt()
            self._is_finished = True
            return None
        solution, placed = self._read()
        self._require_solution(solution)
        self._pending = [-literal for literal in placed]
        if self._settings.command and self._pending in self._blocked:
            raise SolverError(f"{self._settings.command!r} repeats an answer that was excluded")
        # A full grid has no open cell that could differ.
        self._is_finished = not placed
        return solution

    def block_agreeing(self, cells: Collection[int]) -> None:
        """Exclude all solutions that agree with the last one in these open cells.

        For callers that have found all of these solutions by other means.
        """
        if self._pending is None:
            return
        chosen = frozenset(cells)
        cell_of = self._formula.cell_of
        self._pending = [literal for literal in self._pending if cell_of(-literal) in chosen]
        self._is_finished = not self._pending

    def counters(self) -> dict[str, int]:
        """Return the sum of all solvers' counters."""
        counted, before = self._session.counters(), self._counted
        if not before:
            return counted
        return {name: before.get(name, 0) + counted.get(name, 0) for name in {**before, **counted}}

    def __iter__(self) -> Iterator[Grid]:
        while (solution := self.next_solution()) is not None:
            yield solution

    def close(self) -> None:
        self._session.close()

    def _begin(self) -> "tuple[Session | ExternalSession, Loaded]":
        """Return a solver with the puzzle's formula, without the solutions found so far."""
        settings = self._settings
        if self._stages[0] == STEADY != settings.solver:
            session: Session | ExternalSession
            session = Session(find_solver(STEADY), parameters=STEADY_PARAMETERS)
            # This solver takes at-most-one constraints as clauses.
            settings = Settings(STEADY, limits=settings.limits)
        else:
            session = _open_session(settings, self._stages[0])
        try:
            return session, load(self.puzzle, settings, session, self._budget)
        except BaseException:
            session.close()
            raise

    def _ask(self) -> Status:
        """Ask the solver; change to the next one if the puzzle proves hard."""
        while len(self._stages) > 1:
            status = self._session.solve(self._budget, self._patience)
            if status is not Status.UNKNOWN:
                return status
            self._stages.pop(0)
            self._start_again()
        if self._has_implied:
            status = self._session.solve(self._budget, _PATIENCE_BEFORE_IMPLIED)
            if status is not Status.UNKNOWN:
                return status
            self._has_implied = False
            self._formula.add_implied()
        return self._session.solve(self._budget)

    def _read(self) -> tuple[Grid, list[int]]:
        """Return the solution that was found, and the literals of its open cells."""
        return self._formula.read(self._session.model())

    def _block_pending(self) -> None:
        """Block the last solution. This is delayed until here, as the caller may not want another
        one.
        """
        if self._pending is None:
            return
        self._blocked.append(self._pending)
        if self._session.can_continue:
            self._session.add_clause(self._pending)
        else:
            self._start_again()
        self._pending = None

    def _require_solution(self, solution: Grid) -> None:
        """Judge a solution: if it is wrong, satdoku or an external solver has a bug."""
        if not self._settings.command:
            require_judged(solution, self.puzzle)
            return
        fault = find_fault(solution, self.puzzle)
        if fault:
            raise SolverError(f"the answer of {self._settings.command!r} is wrong: {fault}")

    def _doubt(self) -> None:
        """Check an external solver's claim that there is no other solution, for a limited time."""
        limits = Limits(self._budget.seconds_left, self._patience, self._budget.limits.stop)
        settings = Settings(solver=STAGES[0], limits=limits)
        known = len(self._blocked)
        try:
            with Search(self.puzzle, settings, Budget(limits)) as own:
                count = sum(1 for _ in islice(own, known + 1))
        except LimitReachedError:
            return
        if count > known:
            name = self._settings.command
            raise SolverError(
                f"{name!r} found no {'other ' * bool(known)}solution, but there is one"
            )

    def _start_again(self) -> None:
        """Start a new solver, with the solutions found so far blocked."""
        self._counted = self.counters()
        self._session.close()
        self._session, self._formula = self._begin()
        for clause in self._blocked:
            self._session.add_clause(clause)


def _open_session(settings: Settings, solver: str) -> "Session | ExternalSession":
    if settings.command:
        # Imported late: modules for processes and temporary files would slow down the start.
        from satdoku.solving.external import ExternalSession

        return ExternalSession(settings.command)
    return Session(find_solver(solver))


# The limits of boards for which `STEADY` is faster, measured on 9x9. With longer lines, sums or
# machines, solvers with native constraints are as fast or twice as fast, and STEADY cannot
# warm-start for lists of many solutions.
_MOST_DIGITS, _MOST_CELLS = 9, 3


def _counts_nothing(puzzle: Puzzle) -> bool:
    """Whether a small board's formula has no cardinality constraints beyond at-most-one."""
    return puzzle.geometry.size <= _MOST_DIGITS and all(
        isinstance(each, Some) or (isinstance(each, Sets) and len(each.cells) <= _MOST_CELLS)
        for each in puzzle.constraints.wider
    )


_NUMBER_OF_SOLUTIONS = {0: Verdict.NONE, 1: Verdict.UNIQUE, 2: Verdict.MULTIPLE}


def decide(puzzle: Puzzle, settings: Settings, watch: Watch = unwatched) -> Outcome:
    """Decide whether a puzzle has no, one or several solutions, with solutions as evidence.

    `watch` is called with the name of each method that starts, if there are several.
    """
    budget = Budget(settings.limits)
    found: list[Grid] = []
    counters: dict[str, int] = {}
    method = reason = ""
    try:
        with open_search(puzzle, settings, budget, watch, is_for_verdict=True) as search:
            try:
                found.extend(islice(search, 2))
            finally:
                counters, method = search.counters(), search.method
        verdict = _NUMBER_OF_SOLUTIONS[len(found)]
    except LimitReachedError as limit:
        verdict, reason = Verdict.UNDECIDED, str(limit)
    statistics = Statistics(
        settings.engine, settings.encoding.value, budget.seconds, counters, method
    )
    solution, second, *_ = [*found, None, None]
    return Outcome(puzzle, verdict, solution, second, reason, statistics)


def open_search(
    puzzle: Puzzle,
    settings: Settings,
    budget: Budget,
    watch: Watch = unwatched,
    is_for_verdict: bool = False,
) -> "Search | Ladder":
    """Return a search with one solver, or on large boards with several methods in turn.

    `is_for_verdict` promises that at most two solutions are requested.

    `watch` is called with the name of each method that starts, if there are several.
    """
    if settings.has_ladder(puzzle.geometry.size):
        # Imported late: most runs have small boards, and start faster without it.
        from satdoku.solving.large.ladder import Ladder

        return Ladder(puzzle, settings, budget, watch)
    kind = Search
    divided = sum(isinstance(each, HiddenRegions) for each in puzzle.constraints.wider)
    if settings.leaves_method_open and divided == 1:
        # Imported late: only puzzles with hidden regions need it.
        from satdoku.solving.divided import DividedSearch as kind
    return kind(puzzle, settings, budget, is_for_verdict=is_for_verdict)


# Created once: for a small puzzle, creating the settings takes a tenth of the time.
_USUAL = Settings()


class Count(NamedTuple):
    """The number of solutions counted so far.

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
    """Decide whether a puzzle has no, one or several solutions, with solutions as evidence.

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
    """Return the result of `check` with default settings, within the rest of a budget."""
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
    """Yield the solutions; without a chosen method, those of a classic 9x9 board in digit order.

    The order compares digits cell by cell. This is for callers that want several solutions: the
    first one may take longer than with `find_solutions`.
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
    is_of_board: bool = False,
) -> Count:
    """Count the solutions; stop at `limit`.

    `on_number` is called with the number so far, whenever it grows. With `is_of_board`, solutions
    that differ only in cells beside the board are counted as one.
    """
    if limit is not None and not (isinstance(limit, int) and limit >= 0):
        raise SolverError(f"counting cannot stop at {limit!r}")
    number = 0
    try:
        is_of_board &= puzzle.geometry.board_count < puzzle.geometry.cell_count
        find = _boards if is_of_board else _counts
        for more in find(puzzle, settings or _USUAL, limit):
            number += more
            on_number(number)
            if limit is not None and number > limit:
                break
    except LimitReachedError as reached:
        return Count(number, reason=str(reached))
    if limit is not None and number > limit:
        return Count(limit, is_at_limit=True, reason=f"counting stopped at {limit:,}")
    return Count(number, is_complete=True)


def _boards(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int]:
    """Yield 1 for each filling of the cells on the board that some digits beside it complete."""
    if settings.portfolio or settings.command:
        raise SolverError("boards are counted by one solver, and not by several or an own one")
    # The search adds blocking clauses after an answer: a chosen solver has to support this; other
    # methods start again with all clauses.
    with open_search(puzzle, settings, Budget(settings.limits)) as search:
        assert isinstance(search, Search)
        cells = range(puzzle.geometry.board_count)
        while search.next_solution() is not None:
            search.block_agreeing(cells)
            yield 1


def _counts(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int]:
    """Yield numbers whose sum is the count, or more than the limit."""
    # Imported late: few questions need a count.
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

    False in workers of a run: Ctrl-C does not reach them. On systems that have to spawn a process,
    Ctrl-C waits for the solver instead.
    """
    if settings.command or Can.SLICE in find_solver(settings.solver).can:
        return False
    if settings.limits.timeout is not None or settings.limits.stop is not None:
        return True
    from satdoku.processes import may_fork

    return may_fork()
