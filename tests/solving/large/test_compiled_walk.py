import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.moves import AntiKnight
from satdoku.solving.large.compiled_walk import CompiledWalk
from satdoku.solving.large.walk import Walk
from tests.boards import HARD
from tests.solving.large.boards import neighbours_of, thinned

PUZZLES = [
    HARD,
    thinned(Geometry(2, 2), 1),
    thinned(Geometry(4, 5), 0.55),
    thinned(Geometry(6, 6), 0.48),
    Puzzle(thinned(Geometry(3, 3), 1).grid).with_rules([AntiKnight()]),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=["9x9", "4x4", "20x20", "36x36", "anti-knight"])
@pytest.mark.parametrize(("seed", "share"), [("0", 0.5), ("1", 0.6)])
def test_the_moves_are_those_of_a_plain_walk(puzzle: Puzzle, seed: str, share: float) -> None:
    neighbours = neighbours_of(puzzle)
    plain, compiled = (Walk(neighbours, seed, share) for _ in range(2))
    walk = CompiledWalk(compiled)
    # 10,000 moves in one go use up the lots drawn in advance, so that others are drawn.
    for end in (1, 50, 51, 12_000, 25_000):
        plain.advance(end)
        walk.advance(end)
        assert walk.moves == plain.moves
        assert walk.held == plain.held
        assert walk.in_conflict == plain.in_conflict
