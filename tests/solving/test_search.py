from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from satdoku.encoding.choices import Encoding, Status
from satdoku.encoding.variables import variable
from satdoku.errors import SolverError, WrongSolutionError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving import questions as search_module
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import Search, check, count, find_solutions
from satdoku.solving.session import Loaded, Session, load
from satdoku.solving.solvers import STAGES, STEADY, Settings
from tests.boards import HARD, HARD_SOLUTION, full_grid, thin_out
from tests.crossing import crossed
from tests.each import for_each
from tests.solvers import INSTALLED, every_solver


class LyingSession:
    """A solver that always finds the same model, whatever the formula says."""

    can_continue = True

    def __init__(self, model: Sequence[int]) -> None:
        self._model = model

    def add_clause(self, literals: Sequence[int]) -> None: ...

    def add_at_most_one(self, literals: Sequence[int]) -> None: ...

    def suggest(self, literals: Sequence[int]) -> None: ...

    def solve(self, budget: Budget, patience: int | None = None) -> Status:
        return Status.SATISFIABLE

    def model(self) -> Sequence[int]:
        return self._model

    def counters(self) -> dict[str, int]:
        return {}

    def close(self) -> None: ...


def model_of(grid: Grid) -> list[int]:
    return [variable(grid.geometry, cell, digit) for cell, digit in grid.givens.items()]


def swap_two_digits(grid: Grid) -> list[int]:
    first, second = 1, 2
    return model_of(grid.with_digits({first: grid.digits[second], second: grid.digits[first]}))


def change_a_given(grid: Grid) -> list[int]:
    """A board that obeys every rule, but belongs to another puzzle."""
    return model_of(Grid(grid.geometry, tuple(digit % 9 + 1 for digit in grid.digits)))


def drop_a_digit(grid: Grid) -> list[int]:
    return model_of(grid.with_digits({1: 0}))


def say_nothing(grid: Grid) -> list[int]:
    return []


@pytest.mark.parametrize("lie", [swap_two_digits, change_a_given, drop_a_digit, say_nothing])
def test_a_wrong_grid_is_a_loud_bug_and_never_returned(
    lie: Callable[[Grid], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = LyingSession(lie(HARD_SOLUTION))
    monkeypatch.setattr(search_module, "_open_session", lambda *_: session)
    settings = Settings(encoding=Encoding.EXTENDED)
    with pytest.raises(WrongSolutionError, match="this is a bug, please report it"):
        check(HARD, settings)
    with pytest.raises(WrongSolutionError, match="this is a bug, please report it"):
        count(HARD, settings=settings)
    with pytest.raises(WrongSolutionError, match="this is a bug, please report it"):
        next(find_solutions(HARD, settings))


def test_two_digits_in_a_cell_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    session = LyingSession([*model_of(HARD_SOLUTION), 10, 11])
    monkeypatch.setattr(search_module, "_open_session", lambda *_: session)
    with pytest.raises(SolverError, match="the model has both 1 and 2 in r1c2"):
        check(HARD, Settings(encoding=Encoding.EXTENDED))


def test_a_wrong_grid_of_open_candidates_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "_open_session", lambda *_: LyingSession([1, 2, 3]))
    with pytest.raises(WrongSolutionError):
        check(HARD, Settings())


@every_solver
def test_solutions_come_one_at_a_time_until_there_are_no_more(solver: str) -> None:
    puzzle = Puzzle(thin_out(Random(3), full_grid(Random(3), Geometry(2, 2)), 5))
    with Search(puzzle, Settings(solver=solver), Budget()) as search:
        found = []
        while (solution := search.next_solution()) is not None:
            found.append(solution)
        assert search.next_solution() is None
    assert len(found) == len(set(found)) == count(puzzle).number > 1


def test_the_first_solver_gives_way_and_nothing_is_found_twice() -> None:
    """With no patience at all, the second solver must know what the first one found."""
    for patience in (1, 3, 10, 40):
        with Search(HARD, Settings(), Budget(), patience) as search:
            assert list(search) == [HARD_SOLUTION]
        wide = Puzzle(thin_out(Random(6), HARD_SOLUTION, 24))
        with Search(wide, Settings(), Budget(), patience) as search:
            found = list(islice(search, 300))
        assert len(set(found)) == len(found)


@crossed(
    2, rule=["renban:r1c1,r1c2,r2c3", "non-consecutive", "killer:20=r1c1-4", "sandwich:row1=9"]
)
def test_where_rules_count_nothing_another_solver_decides(rule: str) -> None:
    """Each one begins with the formula anew, and with what was found before."""
    grid = Grid.empty(Geometry())
    puzzle = Puzzle(grid).with_rules(read_rules([rule], grid.geometry))
    for is_for_verdict in (True, False):
        with Search(puzzle, Settings(), Budget(), 1, is_for_verdict) as search:
            found = list(islice(search, 2))
            search._stages = search._stages[-1:]  # as after a long search
            search._start_again()
            found += islice(search, 2)
            counts_nothing = rule.startswith(("renban", "non-consecutive"))
            steady = counts_nothing and is_for_verdict
            assert isinstance(search._session, Session)
            assert search._session.solver.name == (STEADY if steady else STAGES[-1])
        assert len(set(found)) == 4
        assert not any(find_fault(solution, puzzle) for solution in found)


@pytest.mark.parametrize("end", [KeyboardInterrupt, LimitReachedError])
def test_the_second_solver_may_be_interrupted_before_it_has_the_formula(
    end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers: list[object] = []

    def load_once(*arguments: Any) -> Loaded:
        solvers.append(arguments[2])
        if len(solvers) > 1:
            raise end("not now")
        return load(*arguments)

    monkeypatch.setattr(search_module, "load", load_once)
    with Search(HARD, Settings(), Budget(), patience=1) as search:
        with pytest.raises(end):
            search.next_solution()
        assert search.counters()["conflicts"] >= 1


@for_each("solver", ["auto", *INSTALLED])
def test_a_full_grid_is_its_only_solution(solver: str) -> None:
    with Search(Puzzle(HARD_SOLUTION), Settings(solver=solver), Budget()) as search:
        assert list(search) == [HARD_SOLUTION]
