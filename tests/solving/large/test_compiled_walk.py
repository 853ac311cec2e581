import ctypes
from collections.abc import Callable

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight
from satdoku.solving.large.compiled_walk import CompiledWalk, _Layout
from satdoku.solving.large.walk import BARRED, MOST_EXTRA, SAMPLE, Walk
from tests.boards import HARD
from tests.compiled import library, needs_library
from tests.solving.large.boards import neighbours_of, thinned

PUZZLES = [
    HARD,
    thinned(Geometry(2, 2), 1),
    thinned(Geometry(4, 5), 0.55),
    thinned(Geometry(6, 6), 0.48),
    Puzzle(thinned(Geometry(3, 3), 1).grid).with_rules([AntiKnight()]),
]


@needs_library
@pytest.mark.parametrize("puzzle", PUZZLES, ids=["9x9", "4x4", "20x20", "36x36", "anti-knight"])
@pytest.mark.parametrize(("seed", "share"), [("0", 0.5), ("1", 0.6)])
def test_the_moves_are_those_of_a_plain_walk(puzzle: Puzzle, seed: str, share: float) -> None:
    neighbours = neighbours_of(puzzle)
    plain, compiled = (Walk(neighbours, seed, share) for _ in range(2))
    walk = CompiledWalk(compiled, library())
    for end in (1, 50, 51, 12_000, 25_000):
        plain.advance(end)
        walk.advance(end)
        assert walk.moves == plain.moves
        assert walk.held == plain.held
        assert walk.in_conflict == plain.in_conflict


@needs_library
def test_numbers_and_layout_are_those_of_the_library() -> None:
    entries = library().entries
    assert [entries.walk_number(n) for n in range(3)] == [BARRED, SAMPLE, MOST_EXTRA]
    assert entries.walk_size() == ctypes.sizeof(_Layout)


@needs_library
@pytest.mark.parametrize(
    "spoil",
    [
        lambda walk: walk.held.__setitem__(0, 10**6),
        lambda walk: walk.held.__setitem__(0, -1),
        lambda walk: walk.in_conflict.__setitem__(0, 10**6),
        lambda walk: walk.place_of.__setitem__(0, 10**6),
        lambda walk: walk.neighbours.of.__setitem__(0, (10**6,)),
        lambda walk: walk.neighbours.of.__setitem__(0, (-7,)),
        lambda walk: walk.neighbours.cell_of.__setitem__(0, 3),
    ],
)
def test_what_points_outside_a_walk_is_refused(spoil: Callable[[Walk], None]) -> None:
    walk = Walk(neighbours_of(thinned(Geometry(3, 3), 0.6)), "0")
    spoil(walk)
    with pytest.raises(SatdokuError, match="local search"):
        CompiledWalk(walk, library())
