import ctypes
from collections.abc import Callable

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight
from satdoku.solving.large.walk import (
    BARRED,
    MOST_EXTRA,
    SAMPLE,
    CompiledWalk,
    LocalSearch,
    Neighbours,
    Walk,
    _Layout,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.boards import HARD, pigeonhole_puzzle
from tests.compiled import library, needs_library
from tests.crossing import sampled
from tests.each import for_each
from tests.solving.large.boards import neighbours_of, pruned, thinned

by_all_kinds_of_moves = for_each("is_compiled", [False, True])


def local_search(neighbours: Neighbours, is_compiled: bool) -> LocalSearch:
    return LocalSearch(neighbours, "0", library=library() if is_compiled else None)


def search(
    puzzle: Puzzle, seed: str, moves: int = 200_000, is_compiled: bool = False
) -> dict[int, int] | None:
    candidates = pruned(puzzle)
    local = LocalSearch(
        Neighbours(puzzle, candidates), seed, library=library() if is_compiled else None
    )
    digits = local.search(moves, Budget())
    if digits is None:
        return None
    settled = {c: m.bit_length() - 1 for c, m in candidates.items() if not m & (m - 1)}
    assert not find_fault(puzzle.grid.with_digits({**settled, **digits}), puzzle)
    return digits


@by_all_kinds_of_moves
@for_each("geometry", [Geometry(2, 3), Geometry(4, 4), Geometry(5, 6)])
@for_each("seed", ["0", "1", "2"])
def test_boards_with_many_solutions_are_filled(
    geometry: Geometry, seed: str, is_compiled: bool
) -> None:
    assert search(thinned(geometry, 0.4, int(seed)), seed, is_compiled=is_compiled) is not None


@by_all_kinds_of_moves
def test_rules_about_pairs_are_obeyed(is_compiled: bool) -> None:
    puzzle = Puzzle(thinned(Geometry(3, 3), 1).grid).with_rules([AntiKnight()])
    assert search(puzzle, "7", is_compiled=is_compiled) is not None


@by_all_kinds_of_moves
def test_a_board_with_one_solution_may_stay_unfilled_but_is_never_filled_wrongly(
    is_compiled: bool,
) -> None:
    found = [search(HARD, str(seed), 3_000, is_compiled) for seed in range(5)]
    assert all(digits is None or digits for digits in found)


@by_all_kinds_of_moves
def test_a_board_without_solution_is_never_filled(is_compiled: bool) -> None:
    puzzle = pigeonhole_puzzle(5, 12)
    full = dict.fromkeys((c for c, d in enumerate(puzzle.grid.digits) if d == 0), 0b1111110)
    local = local_search(Neighbours(puzzle, full), is_compiled)
    assert local.search(5_000, Budget()) is None
    assert local.moves == 5_000


@by_all_kinds_of_moves
def test_the_same_seed_walks_the_same_way_and_another_one_differs(is_compiled: bool) -> None:
    puzzle = thinned(Geometry(4, 4), 0.85)
    found = [search(puzzle, seed, is_compiled=is_compiled) for seed in ("3", "3", "4")]
    assert found[0] == found[1] != found[2]


@by_all_kinds_of_moves
def test_a_walk_in_two_parts_is_the_same_walk(is_compiled: bool) -> None:
    puzzle = thinned(Geometry(4, 6), 0.5)
    neighbours = neighbours_of(puzzle)
    whole = local_search(neighbours, is_compiled)
    digits = whole.search(200_000, Budget())
    assert digits is not None
    parts = local_search(neighbours, is_compiled)
    assert parts.search(whole.moves // 2, Budget()) is None
    assert parts.search(200_000, Budget()) == digits
    assert parts.moves == whole.moves


@by_all_kinds_of_moves
def test_counts_stay_true_on_the_way(is_compiled: bool) -> None:
    """What each move adds to and takes from the counts of its neighbours, counted anew."""
    neighbours = neighbours_of(thinned(Geometry(4, 4), 0.6))
    plain = Walk(neighbours, "5")
    walk = CompiledWalk(plain, library()) if is_compiled else plain
    for _ in range(30):
        walk.advance(walk.moves + 7)
        held = set(walk.held)
        clashing = {
            neighbours.cell_of[candidate]
            for candidate in held
            if held.intersection(neighbours.of[candidate])
        }
        assert set(walk.in_conflict) == clashing


@by_all_kinds_of_moves
def test_a_limit_ends_the_walk(is_compiled: bool) -> None:
    neighbours = neighbours_of(thinned(Geometry(5, 5), 0.5))
    with pytest.raises(LimitReachedError, match="not decided within 1e-09 s"):
        local_search(neighbours, is_compiled).search(10_000, Budget(Limits(timeout=1e-9)))


PUZZLES = [
    HARD,
    thinned(Geometry(2, 2), 1),
    thinned(Geometry(4, 5), 0.55),
    thinned(Geometry(6, 6), 0.48),
    Puzzle(thinned(Geometry(3, 3), 1).grid).with_rules([AntiKnight()]),
]


@needs_library
@sampled(2, "puzzle", PUZZLES, ids=["9x9", "4x4", "20x20", "36x36", "anti-knight"])
@pytest.mark.parametrize(
    ("seed", "share"), [("0", 0.5), pytest.param("1", 0.6, marks=pytest.mark.slow)]
)
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
