"""A solver at work, and its calls in a thread of their own."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest

from satdoku.encoding.choices import Encoding, Status
from satdoku.errors import SolverError
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.session import Session, run_beside
from satdoku.solving.solvers import AUTOMATIC, find_solver
from tests.boards import HARD, TOO_HARD
from tests.formulas import clauses_of_grid
from tests.solvers import INSTALLED
from tests.waiting import SOON

PROGRAM = """
import sys
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.boards import TOO_HARD
for _ in range(2):
    print("asking", flush=True)
    try:
        check(TOO_HARD, Settings(solver=sys.argv[1]))
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.parametrize(
    "solver",
    [
        *(AUTOMATIC, "cadical195", "lingeling"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in INSTALLED),
    ],
)
def test_ctrl_c_stops_every_solver_at_once_and_again_the_next_time(solver: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, solver],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            for _ in range(2):
                assert process.stdout.readline() == "asking\n"
                time.sleep(0.15)
                started = time.perf_counter()
                process.send_signal(signal.SIGINT)
                assert process.stdout.readline() == "stopped\n"
                assert time.perf_counter() - started < SOON
            assert process.wait(timeout=SOON) == 0
        finally:
            process.kill()


def test_a_session_takes_parameters_of_the_solver() -> None:
    """In its stable mode CaDiCaL searches in another way, so it counts other numbers."""
    counted = []
    for parameters in (None, {"stabilizeonly": 1}):
        with Session(find_solver("cadical195"), parameters=parameters) as session:
            session.add_clauses(clauses_of_grid(HARD.grid, Encoding.EXTENDED))
            assert session.solve(Budget()) is Status.SATISFIABLE
            counted.append(session.counters())
    assert counted[0] != counted[1]


def test_a_session_that_is_not_sliced_still_ends_with_its_patience() -> None:
    with Session(find_solver("cadical195"), is_sliced=False) as session:
        session.add_clauses(clauses_of_grid(TOO_HARD.grid, Encoding.REDUCED))
        assert session.solve(Budget(), patience=300) is Status.UNKNOWN
        assert 300 <= session.counters()["conflicts"] < 400


def test_python_sat_does_not_answer_ctrl_c_while_it_propagates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would jump out of a solver that is asked again later."""
    from pysat.solvers import Glucose4, MainThread

    answers = []

    def spy(solver: Glucose4, assumptions: list[int], *options: object) -> tuple[bool, list[int]]:
        answers.append(MainThread.check())
        return True, assumptions

    monkeypatch.setattr(Glucose4, "propagate", spy)
    with Session(find_solver("glucose4"), with_assumptions=True) as session:
        assert session.propagate([1]) == [1]
    assert answers == [False]
    assert MainThread.check()


# Whoever waits for it in vain should not wait for ever.
SECONDS = 60


def test_what_a_call_returns_or_raises_comes_back() -> None:
    assert run_beside(lambda: 7, lambda: None, Budget()) == 7
    with pytest.raises(ZeroDivisionError):
        run_beside(lambda: 1 // 0, lambda: None, Budget())


def test_a_budget_that_ends_interrupts_the_call() -> None:
    stop, interrupted = Event(), Event()

    def call() -> bool:
        stop.set()
        return interrupted.wait(SECONDS)

    with pytest.raises(LimitReachedError):
        run_beside(call, interrupted.set, Budget(Limits(stop=stop)))
    assert interrupted.is_set()


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than there are holes: hard to refute."""
    places = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [
        [-one, -other]
        for column in zip(*places, strict=True)
        for place, one in enumerate(column)
        for other in column[place + 1 :]
    ]
    return places + pairs


class LaterStop:
    """Is set from the second look on, when the search has begun."""

    def __init__(self) -> None:
        self._looks = 0

    def is_set(self) -> bool:
        self._looks += 1
        return self._looks > 1


def test_a_session_beside_is_stopped_in_its_search_and_can_be_asked_again() -> None:
    with Session(find_solver("minicard"), with_assumptions=True, is_beside=True) as session:
        session.add_clauses(pigeons(12))
        with pytest.raises(LimitReachedError, match="stopped on request"):
            session.solve(Budget(Limits(stop=LaterStop())))
        assert session.solve(Budget(), patience=5) is Status.UNKNOWN
        with pytest.raises(LimitReachedError, match="3 conflicts"):
            session.solve(Budget(Limits(conflicts=3)))


def test_a_solver_that_cannot_be_interrupted_is_refused() -> None:
    with pytest.raises(SolverError, match="cadical153 cannot be interrupted"):
        Session(find_solver("cadical153"), is_beside=True)
