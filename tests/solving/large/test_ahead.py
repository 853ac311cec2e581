"""What CaDiCaL does ahead of its turn, while local search is at work."""

import multiprocessing
from collections.abc import Iterator, Sequence

import pytest

from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.large import ladder as contender
from satdoku.solving.large import ladder as rungs_module
from satdoku.solving.large.ladder import Ladder, Rung, Rungs, TurnLengths
from satdoku.solving.limits import Budget, LimitReachedError, Limits, unwatched
from satdoku.solving.solvers import Settings
from tests.boards import HARD, TOO_HARD
from tests.solving.large.boards import SHORT, thinned

ROOMY = thinned(Geometry(4, 4), 0.85)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def set_idle(monkeypatch: pytest.MonkeyPatch, is_idle: bool) -> list[int]:
    """Says whether there is an idle core; returns the turns that are begun ahead from then on."""
    begun: list[int] = []
    work_ahead = Rungs.work_ahead

    def watched(self: Rungs, known: Sequence[Grid], turn: int) -> None:
        work_ahead(self, known, turn)
        if multiprocessing.active_children():
            begun.append(turn)

    monkeypatch.setattr(rungs_module, "has_idle_core", lambda: is_idle)
    monkeypatch.setattr(Rungs, "work_ahead", watched)
    return begun


def first_solution(puzzle: Puzzle, pace: TurnLengths) -> tuple[Grid | None, str]:
    with Ladder(puzzle, Settings(), Budget(), unwatched, pace) as ladder:
        return ladder.next_solution(), ladder.method


@pytest.mark.parametrize("moves", [1, SHORT.moves])
def test_the_answer_is_the_same_with_one_core(monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    pace = SHORT._replace(first_solver=0, moves=moves)
    answers = []
    for is_idle in (True, False):
        with monkeypatch.context() as patch:
            begun = set_idle(patch, is_idle)
            answers.append(first_solution(ROOMY, pace))
        assert begun == [0] * is_idle
    assert answers[0] == answers[1]
    assert answers[0][1] == ("stable CaDiCaL" if moves == 1 else "local search")


def test_each_turn_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = set_idle(monkeypatch, True)
    pace = TurnLengths(first_solver=0, moves=1, stable=1, prover=1)
    budget = Budget(Limits(timeout=60))
    with Ladder(HARD, Settings(solver="auto"), budget, unwatched, pace) as ladder:
        rungs = ladder._rungs
        rungs.prune(())
        for turn in range(3):
            rungs.work_ahead((), turn)
            rungs.take_turn(Rung.STABLE_CADICAL, (), turn)
    assert begun == [0, 1, 2]


def test_a_limit_ends_what_works_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    set_idle(monkeypatch, True)
    budget = Budget(Limits(timeout=3600))
    rungs = Rungs(TOO_HARD, budget, 0, TurnLengths(moves=1, stable=1 << 29))
    rungs.prune(())
    rungs.work_ahead((), 0)
    budget.started -= 3600
    with pytest.raises(LimitReachedError):
        rungs.take_turn(Rung.STABLE_CADICAL, (), 0)
    rungs.close()


def test_an_interrupt_ends_what_works_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = set_idle(monkeypatch, True)

    def watch(turn: str) -> None:
        if turn == "local search":
            assert multiprocessing.active_children()
            raise KeyboardInterrupt

    pace = TurnLengths(first_solver=1, moves=1, stable=1 << 29)
    with (
        Ladder(HARD, Settings(solver="auto"), Budget(), watch, pace) as ladder,
        pytest.raises(KeyboardInterrupt),
    ):
        list(ladder)
    assert begun


def test_workers_do_not_work_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contender, "available_processors", lambda: 8)
    assert contender.has_idle_core()
    monkeypatch.setattr(multiprocessing, "parent_process", multiprocessing.current_process)
    assert not contender.has_idle_core()
    monkeypatch.undo()
    monkeypatch.setattr(contender, "available_processors", lambda: 1)
    assert not contender.has_idle_core()
