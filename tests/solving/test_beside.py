"""Calls in a thread of their own."""

from threading import Event

import pytest

from satdoku.encoding.files.status import Status
from satdoku.errors import SolverError
from satdoku.solving.beside import run_beside
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

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
