import multiprocessing
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from satdoku.encoding.files.status import Status
from satdoku.processes import Child
from satdoku.solving.large import apart
from satdoku.solving.large.apart import ask_apart, ask_here
from satdoku.solving.large.contender import ContenderQuestion, Engine, Reply
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.boards import HARD, HARD_SOLUTION, TOO_HARD

STABLE = Engine("cadical195", {"stabilizeonly": 1})


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def question(patience: int = 100_000, **changes: Any) -> ContenderQuestion:
    return ContenderQuestion(HARD, STABLE, None, (), patience)._replace(**changes)


@pytest.mark.parametrize("ask", [ask_here, ask_apart])
def test_a_question_is_answered_here_and_there(ask: Any) -> None:
    reply = ask(question(), Budget())
    assert (reply.status, reply.solution) == (Status.SATISFIABLE, HARD_SOLUTION)
    assert reply.counters["conflicts"] > 0
    assert ask(question(known=[HARD_SOLUTION]), Budget()).status is Status.UNSATISFIABLE
    assert ask(question(2), Budget()).status is Status.UNKNOWN


def test_the_time_limit_ends_the_process() -> None:
    endless = question(1 << 29, puzzle=TOO_HARD)
    with pytest.raises(LimitReachedError, match=r"within 0\.3 s"):
        ask_apart(endless, Budget(Limits(timeout=0.3)))


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_has_not_decided_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_answer", die)
    assert ask_apart(question(), Budget()) == Reply(Status.UNKNOWN)


def _ask_and_tell(connection: Any) -> None:
    connection.send(ask_apart(question(), Budget(Limits(timeout=60))).status)


def test_a_process_that_may_start_none_asks_itself() -> None:
    child: Child = Child(_ask_and_tell, (), (), True)
    try:
        assert child.connection.recv() is Status.SATISFIABLE
    finally:
        child.end(1)
