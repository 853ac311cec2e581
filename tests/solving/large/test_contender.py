import multiprocessing
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from satdoku.deducing.prune import prune
from satdoku.encoding.choices import Status
from satdoku.errors import TooLargeError
from satdoku.processes import Child
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving import formulas
from satdoku.solving.large import ladder as contender
from satdoku.solving.large.ladder import (
    Contender,
    ContenderQuestion,
    Engine,
    Reply,
    ask_apart,
    ask_here,
    contend,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import count
from tests.boards import HARD, HARD_SOLUTION, TOO_HARD
from tests.crossing import sampled
from tests.solving.large.boards import thinned

ENGINES = [
    Engine("minicard"),
    Engine("gluecard4"),
    Engine("cadical195", {"stabilizeonly": 1, "seed": 3}),
    Engine("cadical195", is_sliced=False),
]
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)


@every_engine
@sampled(2, "is_pruned", [False, True])
def test_it_finds_each_solution_that_is_not_known(engine: Engine, is_pruned: bool) -> None:
    puzzle = thinned(Geometry(2, 2), 0.8)
    expected = count(puzzle).number
    assert expected > 2
    known: list[Grid] = []
    with contend(puzzle, engine, Budget(), prune(puzzle) if is_pruned else None) as contender:
        while contender.find(known, Budget()) is Status.SATISFIABLE:
            known.append(contender.solution())
            assert not find_fault(known[-1], puzzle)
    assert len(set(known)) == len(known) == expected


@every_engine
def test_solutions_that_others_found_are_excluded_too(engine: Engine) -> None:
    with contend(HARD, engine, Budget(), None) as contender:
        assert contender.find([HARD_SOLUTION], Budget()) is Status.UNSATISFIABLE
        assert not contender.has_found(HARD_SOLUTION)


def test_its_patience_ends() -> None:
    with contend(HARD, Engine("minicard"), Budget(), None) as contender:
        assert contender.find([], Budget(), 1) is Status.UNKNOWN
        assert contender.counters()["conflicts"] >= 1
        assert contender.find([], Budget()) is Status.SATISFIABLE
        assert contender.solution() == HARD_SOLUTION


def test_a_board_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TooLargeError("no room")

    monkeypatch.setattr(formulas, "require_memory", refuse)
    large = Puzzle(Grid.empty(Geometry(4, 4)))
    with pytest.raises(TooLargeError):
        Contender(large, Engine("minicard"), Budget())


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
    monkeypatch.setattr(contender, "_answer", die)
    assert ask_apart(question(), Budget()) == Reply(Status.UNKNOWN)


def _ask_and_tell(connection: Any) -> None:
    connection.send(ask_apart(question(), Budget(Limits(timeout=60))).status)


def test_a_process_that_may_start_none_asks_itself() -> None:
    child: Child = Child(_ask_and_tell, (), (), True)
    try:
        assert child.connection.recv() is Status.SATISFIABLE
    finally:
        child.end(1)
