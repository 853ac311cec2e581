import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from satdoku.errors import SolverError
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving import race as race_module
from satdoku.solving import solvers
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.boards import HARD, HARD_SOLUTION, TOO_HARD, pigeonhole_puzzle
from tests.crossing import sampled
from tests.waiting import SOON

PORTFOLIO = ("minicard", "cadical195", "kissat404")


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before = children()
    yield
    assert multiprocessing.active_children() == []
    assert children() <= before


def children() -> set[str]:
    """The processes that this one has started and not buried, where the system lists them."""
    lists = Path("/proc/self/task").glob("*/children")
    return {number for each in lists for number in each.read_text().split()}


def test_a_portfolio_gives_a_decided_answer() -> None:
    outcome = check(HARD, Settings(portfolio=PORTFOLIO))
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, HARD_SOLUTION)
    assert outcome.statistics.solver in PORTFOLIO


def test_the_fastest_decides_and_the_slow_are_stopped() -> None:
    """Only kissat decides this board within seconds; minicard would take minutes."""
    started = time.perf_counter()
    outcome = check(pigeonhole_puzzle(7, 16), Settings(portfolio=("lingeling", "kissat404")))
    assert outcome.verdict is Verdict.NONE
    assert time.perf_counter() - started < SOON


@pytest.mark.parametrize("portfolio", [PORTFOLIO, ("minicard",)])
def test_a_portfolio_stops_at_its_timeout(portfolio: tuple[str, ...]) -> None:
    started = time.perf_counter()
    limits = Limits(timeout=0.3)
    outcome = check(TOO_HARD, Settings(portfolio=portfolio, limits=limits))
    assert time.perf_counter() - started < SOON
    assert (outcome.verdict, outcome.reason) == (Verdict.UNDECIDED, "not decided within 0.3 s")


def test_a_portfolio_stops_after_its_conflicts() -> None:
    settings = Settings(portfolio=("minicard", "cadical195"), limits=Limits(conflicts=200))
    outcome = check(TOO_HARD, settings)
    assert (outcome.verdict, outcome.reason) == (
        Verdict.UNDECIDED,
        "not decided within 200 conflicts",
    )


def test_a_portfolio_whose_member_cannot_keep_the_limit_is_refused() -> None:
    with pytest.raises(SolverError, match="kissat404 cannot be stopped after a number"):
        check(HARD, Settings(portfolio=PORTFOLIO, limits=Limits(conflicts=200)))


def tell_the_process(puzzle: Puzzle, settings: Settings, *_: object) -> Outcome:
    return Outcome(puzzle, Verdict.UNIQUE, reason=str(os.getpid()))


@sampled(
    3,
    "settings, is_own",
    [
        (Settings(solver="lingeling", limits=Limits(timeout=20)), True),
        (Settings(solver="kissat404", limits=Limits(timeout=20)), True),
        (Settings(solver="lingeling"), True),
        (Settings(solver="minicard", limits=Limits(timeout=20)), False),
        (Settings(solver="cadical195"), False),
        (Settings(portfolio=("minicard",)), True),
    ],
    ids=["lingeling limited", "kissat limited", "lingeling", "minicard", "cadical", "portfolio"],
)
def test_what_only_death_can_stop_has_a_process_of_its_own(
    settings: Settings, is_own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.processes.start_method", lambda: "fork")
    monkeypatch.setattr(race_module, "decide", tell_the_process)
    monkeypatch.setattr("satdoku.solving.questions.decide", tell_the_process)
    assert (check(HARD, settings).reason != str(os.getpid())) is is_own


@pytest.mark.parametrize("solver", ["lingeling", "kissat404"])
def test_a_process_of_its_own_gives_the_same_answers(solver: str) -> None:
    limited = Settings(solver=solver, limits=Limits(timeout=60))
    assert check(HARD, limited).solution == HARD_SOLUTION
    assert check(pigeonhole_puzzle(5, 12), limited).verdict is Verdict.NONE


def test_a_killed_solver_is_an_error_and_no_answer() -> None:
    def kill_children(_: int, __: FrameType | None) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    previous = signal.signal(signal.SIGALRM, kill_children)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(SolverError, match=r"lingeling died \(exit code -9\)"):
            check(TOO_HARD, Settings(solver="lingeling", limits=Limits(timeout=20)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_an_error_in_the_other_process_arrives_here() -> None:
    with pytest.raises(SolverError, match="there is no solver 'minisudoku'"):
        check(HARD, Settings(portfolio=("minisudoku",)))


def test_the_methods_for_large_boards_race_as_solvers_do() -> None:
    outcome = check(pigeonhole_puzzle(12, 26), Settings(portfolio=solvers.PORTFOLIO))
    assert outcome.verdict is Verdict.NONE
    assert outcome.statistics.method == "pruning"
    assert outcome.statistics.solver in solvers.PORTFOLIO
