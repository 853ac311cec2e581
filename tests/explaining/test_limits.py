"""Limits hold while the links of a board are built: minutes and gigabytes on a huge board."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import pytest

from satdoku.errors import TooLargeError
from satdoku.explaining.board import build_board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.position import Position
from satdoku.explaining.techniques.cores import CoreSolver
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import limits as limits_module
from satdoku.solving.limits import Budget, LimitReachedError, Limits

OPEN = Puzzle(Grid.empty(Geometry(5, 5)))
CLASHING = Puzzle(OPEN.grid.with_digits({0: 1, 1: 1}))
SHORT = Limits(timeout=1e-9)

# Enough to solve a board of 25x25, and too little for its links.
LITTLE = 60_000_000

T = TypeVar("T")


class Ending(Budget):
    """A budget whose time is over at the beginning of a loop, or when work is noted."""

    def __init__(self, loops: int) -> None:
        super().__init__()
        self._loops = loops

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        self._count()
        return super().watch(items)

    def work(self, amount: int) -> None:
        self._count()
        super().work(amount)

    def _count(self) -> None:
        self._loops -= 1
        if self._loops == 0:
            self.limits = SHORT


@pytest.mark.parametrize("loop", [1, 2, 3])
def test_the_clock_is_looked_at_in_each_loop_over_candidates_or_groups(loop: int) -> None:
    with pytest.raises(LimitReachedError):
        build_board(OPEN, Ending(loop))


def test_an_explanation_that_is_not_begun_is_undecided() -> None:
    explanation = explain(OPEN, Scope(limits=SHORT))
    assert (explanation.verdict, explanation.is_complete) == (Verdict.UNDECIDED, False)
    assert explanation.way.steps == ()
    assert explanation.reason == "not decided within 1e-09 s"


def test_no_memory_for_links_is_said_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: LITTLE)
    sentence = r"15,625 candidates to explain"
    for ask in (explain, find_hint):
        with pytest.raises(TooLargeError, match=sentence):
            ask(OPEN)
    with pytest.raises(TooLargeError, match=sentence):
        find_true_candidates(OPEN, Budget())


def test_givens_that_clash_are_told_even_where_the_smallest_clash_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: LITTLE)
    explanation = explain(CLASHING)
    assert explanation.verdict is Verdict.NONE
    assert len(explanation.clashes) > 0
    assert (explanation.smallest, explanation.is_complete) == (None, False)
    assert "candidates to explain" in explanation.reason


class Looks:
    """A stop that is not set until it was asked so often."""

    def __init__(self, most: int = 10**9) -> None:
        self.count = 0
        self._most = most

    def is_set(self) -> bool:
        self.count += 1
        return self.count > self._most


def test_a_stop_is_heard_while_the_formula_of_a_large_board_is_loaded() -> None:
    position = Position(build_board(Puzzle(Grid.empty(Geometry(4, 4)))))
    with pytest.raises(LimitReachedError):
        CoreSolver(position, Budget(Limits(stop=Looks(5))))


def test_a_stop_is_looked_for_while_suppositions_are_followed() -> None:
    position = Position(build_board(Puzzle(Grid.empty(Geometry(4, 4)))))
    with pytest.raises(LimitReachedError):
        Nets(position, Budget(Limits(stop=Looks(0)))).find()
