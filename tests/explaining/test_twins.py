"""Symmetric twins are equally hard, as far as steps are patterns and chains.

What the steps of a level exclude in the end does not depend on their order, so neither does how far
a level leads, nor the biggest step that is needed. Which of several nets or cases comes first does.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.explaining.board import build_board
from satdoku.explaining.step import Level
from satdoku.explaining.trace import digits_after
from satdoku.explaining.way import find_way
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.explaining.samples import of_file, shaped_puzzle, way_of
from tests.random_twins import random_twin

STUBBORN = of_file("stubborn", 6)
OTHERS = [shaped_puzzle(Geometry(2, 3), seed) for seed in range(4)]
LEVELS = [Level.SINGLES, Level.BASIC, Level.CHAINS]


def hardness(puzzle: Puzzle, level: Level, is_known: bool) -> tuple[int, int, bool]:
    """The biggest step, how many cells have their digit in the end, and whether that are all."""
    way = way_of(puzzle, level) if is_known else find_way(build_board(puzzle), level, Budget())
    filled = sum(map(bool, digits_after(way, len(way.steps))))
    return way.biggest, filled, way.is_full


def require_equally_hard(puzzle: Puzzle, level: Level, seed: int) -> None:
    twin: Grid = random_twin(Random(seed), puzzle.grid)
    assert hardness(Puzzle(twin), level, False) == hardness(puzzle, level, True)


@settings(max_examples=settings().max_examples // 2)
@given(st.sampled_from([*STUBBORN, *OTHERS]), st.sampled_from(LEVELS), st.integers(0, 9999))
def test_twins_are_equally_hard(puzzle: Puzzle, level: Level, seed: int) -> None:
    require_equally_hard(puzzle, level, seed)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(st.sampled_from(of_file("stubborn", 100)), st.sampled_from(LEVELS), st.integers(0, 9999))
def test_many_twins_are_equally_hard(puzzle: Puzzle, level: Level, seed: int) -> None:
    require_equally_hard(puzzle, level, seed)


def test_some_of_the_puzzles_need_each_level() -> None:
    ends = {way_of(puzzle, level).is_full for puzzle in STUBBORN for level in LEVELS}
    assert ends == {False, True}
