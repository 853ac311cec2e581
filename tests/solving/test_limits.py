import itertools
import time
from types import SimpleNamespace

import pytest

from satdoku.encoding.choices import Encoding, Status
from satdoku.errors import SolverError, TooLargeError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import limits as limits_module
from satdoku.solving import session as session_module
from satdoku.solving.limits import (
    Budget,
    LimitReachedError,
    Limits,
    estimate_memory,
    require_memory_for_proof,
)
from satdoku.solving.questions import check, count, find_solutions
from satdoku.solving.session import Session
from satdoku.solving.solvers import SOLVERS, Can, Settings
from tests.boards import HARD, HARD_SOLUTION, TOO_HARD, pigeonhole_puzzle, read_grid
from tests.each import for_each
from tests.solvers import INSTALLED, LIMITABLE, every_limitable_solver, every_solver
from tests.waiting import SOON

EASY = Puzzle(
    read_grid("530070000600195000098000060800060003400803001700020006060000280000419005000080079")
)


@every_solver
def test_every_solver_stops_at_its_timeout(solver: str) -> None:
    """The puzzle is impossible, but nobody can know: `none` would be a guess."""
    started = time.perf_counter()
    outcome = check(TOO_HARD, Settings(solver=solver, limits=Limits(timeout=0.05)))
    assert 0.05 <= time.perf_counter() - started < SOON
    assert outcome.verdict is Verdict.UNDECIDED
    assert outcome.reason == "not decided within 0.05 s"
    assert outcome.solution is None


# Those made from Glucose take the longest, and are one another's likes.
GLUCOSES = [name for name in LIMITABLE if name.startswith("glu")]


@pytest.mark.parametrize(
    "solvers",
    [
        [name for name in LIMITABLE if name not in GLUCOSES[1:]],
        pytest.param(GLUCOSES[1:], marks=pytest.mark.slow),
    ],
    ids=["one Glucose", "the others"],
)
def test_every_limitable_solver_stops_after_its_conflicts(solvers: list[str]) -> None:
    for solver in solvers:
        require_stop_after_conflicts(solver)


def require_stop_after_conflicts(solver: str) -> None:
    outcome = check(pigeonhole_puzzle(9, 19), Settings(solver=solver, limits=Limits(conflicts=100)))
    assert outcome.verdict is Verdict.UNDECIDED
    assert outcome.reason == "not decided within 100 conflicts"
    # Those made from Glucose look at their budget only when they restart.
    most = 5_000 if solver in GLUCOSES else 115
    assert 0 < outcome.statistics.counters["conflicts"] <= most


@pytest.mark.parametrize("solver", [n for n in INSTALLED if Can.SLICE not in SOLVERS[n].can])
def test_conflict_limits_are_refused_by_solvers_that_cannot_keep_them(solver: str) -> None:
    settings = Settings(solver=solver, limits=Limits(conflicts=100))
    words = f"{solver} cannot be stopped after a number of conflicts; these can: "
    with pytest.raises(SolverError, match=words):
        check(HARD, settings)
    with pytest.raises(SolverError, match=words):
        count(HARD, settings=settings)
    with pytest.raises(SolverError, match=words):
        next(find_solutions(HARD, settings))


@every_limitable_solver
def test_solving_in_many_slices_gives_the_right_answers(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "_FIRST_SLICE", 1)
    monkeypatch.setattr(session_module, "_CONFLICTS_BY_VARIABLES", 0)
    settings = Settings(solver=solver, limits=Limits(timeout=100))
    outcome = check(HARD, settings)
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, HARD_SOLUTION)
    assert check(pigeonhole_puzzle(4, 10), settings).verdict is Verdict.NONE


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["minicard", "cadical195"])
def test_a_slow_machine_takes_the_same_way(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long slices took must not matter: the same puzzle is to get the same answer."""
    settings = Settings(solver=solver, limits=Limits(conflicts=1000))
    counters = []
    for seconds_a_look in (1e-7, 100.0):
        clock = SimpleNamespace(perf_counter=itertools.count(0, seconds_a_look).__next__)
        monkeypatch.setattr(session_module, "time", clock)
        counters.append(check(TOO_HARD, settings).statistics.counters)
    assert counters[0]["conflicts"] >= 1000
    assert counters[0] == counters[1]


@every_limitable_solver
@for_each("limits", [Limits(timeout=0.0), Limits(conflicts=0), Limits(timeout=-1)])
def test_no_time_is_no_answer(solver: str, limits: Limits) -> None:
    assert check(EASY, Settings(solver=solver, limits=limits)).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("solver", ["minicard", "cadical195", "glucose4"])
def test_conflicts_that_did_not_happen_are_not_charged(solver: str) -> None:
    """Unit propagation decides this puzzle, so ten conflicts are more than enough."""
    outcome = check(EASY, Settings(solver=solver, limits=Limits(conflicts=10)))
    assert outcome.verdict is Verdict.UNIQUE


def test_a_limit_between_two_solutions_keeps_the_first() -> None:
    """Some number of conflicts finds the solution of the hard puzzle, but not that it is alone."""
    seen = set()
    for conflicts in range(10, 400, 10):
        outcome = check(HARD, Settings(solver="minicard", limits=Limits(conflicts=conflicts)))
        seen.add((outcome.verdict, outcome.solution is not None))
        if outcome.solution is not None:
            assert outcome.solution == HARD_SOLUTION
        assert outcome.second is None
    assert (Verdict.UNIQUE, True) in seen
    assert seen <= {
        (Verdict.UNDECIDED, False),
        (Verdict.UNDECIDED, True),
        (Verdict.UNIQUE, True),
    }


def test_counting_stops_at_the_timeout_with_what_it_has() -> None:
    empty = Puzzle(Grid.empty(Geometry()))
    for seconds in (0.3, 3, 30):  # a busy machine may need all of the first for a beginning
        number = count(empty, settings=Settings(limits=Limits(timeout=seconds)))
        assert not number.is_complete
        assert number.reason == f"not decided within {seconds} s"
        if number.number > 10:
            break
    assert number.number > 10
    assert str(number) == f"{number.number}+"


def test_solutions_stop_with_an_error_that_is_no_answer() -> None:
    empty = Puzzle(Grid.empty(Geometry()))
    solutions = find_solutions(empty, Settings(limits=Limits(timeout=0.1)))
    with pytest.raises(LimitReachedError, match=r"not decided within 0\.1 s"):
        for _ in solutions:
            pass
    assert list(solutions) == []


def test_a_budget_without_limits_never_ends() -> None:
    budget = Budget()
    budget.spend_conflicts(10**9)
    budget.require()
    assert budget.seconds_left is None
    assert budget.conflicts_left is None


def test_a_budget_of_conflicts_is_used_up() -> None:
    budget = Budget(Limits(conflicts=12_000))
    budget.spend_conflicts(11_999)
    budget.require()
    budget.spend_conflicts(1)
    with pytest.raises(LimitReachedError, match="not decided within 12,000 conflicts"):
        budget.require()


def test_a_budget_of_seconds_runs_from_its_making(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    budget = Budget(Limits(timeout=2.5))
    now = 102.0
    budget.require()
    assert (budget.seconds, budget.seconds_left) == (2.0, 0.5)
    now = 102.5
    with pytest.raises(LimitReachedError, match=r"not decided within 2\.5 s"):
        budget.require()


def test_a_session_without_limits_is_asked_only_once() -> None:
    with Session(SOLVERS["minicard"]) as session:
        session.add_clause([1])
        assert session.solve(Budget()) is Status.SATISFIABLE
        session.add_clause([-1])
        assert session.solve(Budget()) is Status.UNSATISFIABLE


@for_each("encoding", Encoding)
def test_a_board_that_does_not_fit_is_refused_in_one_sentence(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: 100_000_000)
    empty = Puzzle(Grid.empty(Geometry(6, 6)))
    with pytest.raises(TooLargeError, match=r"36x36 board has .* GB of memory; 0\.1 GB are free"):
        check(empty, Settings(solver="glucose4", encoding=encoding))
    assert check(HARD, Settings(solver="glucose4", encoding=encoding)).verdict is Verdict.UNIQUE


def test_nothing_is_refused_where_the_system_does_not_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: None)
    assert check(HARD).verdict is Verdict.UNIQUE


def test_pairs_take_more_than_native_constraints() -> None:
    geometry = Geometry(5, 5)
    native, pairs = (estimate_memory(geometry, 25**3, is_native) for is_native in (True, False))
    assert 25_000_000 < native < pairs


def test_a_proof_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: 100_000_000)
    require_memory_for_proof(Geometry(), 10_000)
    with pytest.raises(TooLargeError, match=r"36x36 board has 3,000,000 clauses and would take"):
        require_memory_for_proof(Geometry(6, 6), 3_000_000)
