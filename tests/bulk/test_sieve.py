"""The sieve excludes what singles and bands exclude, candidate by candidate, and nothing else."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.bulk.sieve import Sieve
from satdoku.bulk.tuning import Tuning
from satdoku.deducing.layout import Sifted
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.grid import Grid
from tests.boards import HARD, clashing_puzzle, full_grid, random_puzzle, spoil, thin_out
from tests.encoding.small.candidates import (
    Candidate,
    beside_singles,
    exclude_one_by_one,
    groups_of,
    layout_of,
    left_of,
    require_known_digits_settled,
    solutions_in,
)

SHAPES = [Geometry(*shape) for shape in ((1, 2), (4, 1), (2, 2), (2, 3), (4, 2), (3, 3), (2, 5))]
shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@cache
def sieve_of(geometry: Geometry, most_rounds: int = Tuning().most_rounds) -> Sieve:
    return Sieve(layout_of(geometry), Tuning(most_rounds=most_rounds))


def sift(*grids: Grid) -> list[Sifted]:
    return list(sieve_of(grids[0].geometry).sift([bytes(grid.digits) for grid in grids]))


def bands_of(geometry: Geometry) -> Iterator[list[Unit]]:
    """Lines that go through the same boxes, if these have several lines and columns."""
    if geometry.box_rows > 1 and geometry.box_columns > 1:
        for lines, height in (
            (geometry.rows, geometry.box_rows),
            (geometry.columns, geometry.box_columns),
        ):
            for first in range(0, geometry.size, height):
                band = list(lines[first : first + height])
                # The sieve leaves wide bands alone: they have too many ways through.
                if height <= 4:
                    yield band


def off_every_way(geometry: Geometry, left: set[Candidate]) -> set[Candidate]:
    excluded = set()
    for band, digit in product(bands_of(geometry), range(1, geometry.size + 1)):
        segments: dict[tuple[int, int], set[Candidate]] = defaultdict(set)
        for number, line in enumerate(band):
            for cell in line.cells:
                if (cell, digit) in left:
                    segments[number, geometry.box_of(cell)].add((cell, digit))
        boxes = sorted({geometry.box_of(cell) for cell in band[0].cells})
        every_way = (list(enumerate(order)) for order in permutations(boxes))
        ways = [way for way in every_way if all(segments.get(place) for place in way)]
        reached = {place for way in ways for place in way}
        for place, candidates in segments.items():
            if place not in reached:
                excluded |= candidates
    return excluded


def excluded_of(geometry: Geometry, left: set[Candidate]) -> set[Candidate]:
    return beside_singles(geometry, left) | off_every_way(geometry, left)


def boards_of(geometry: Geometry, count: int) -> list[Grid]:
    rng = Random(4)
    fewest = 0.2 if geometry.size < 9 else 0.28
    return [random_puzzle(rng, geometry, fewest, most=0.6).grid for _ in range(count)]


@shapes
def test_what_is_left_is_what_a_loop_over_candidates_leaves(geometry: Geometry) -> None:
    sieve = sieve_of(geometry, most_rounds=100)
    boards = boards_of(geometry, 12 if geometry.size < 9 else 5)
    compared = 0
    for grid, sifted in zip(
        boards, sieve.sift([bytes(grid.digits) for grid in boards]), strict=True
    ):
        left = exclude_one_by_one(grid, excluded_of)
        is_sound = all(group & left for group in groups_of(geometry))
        if is_sound and len(left) > geometry.cell_count:
            assert left_of(geometry, sifted) == left
            compared += 1
        assert left_of(geometry, sifted) >= left
    assert compared or geometry.size < 4


@shapes
def test_known_digits_exclude_nothing_that_is_open(geometry: Geometry) -> None:
    for sifted in sift(*boards_of(geometry, 20)):
        require_known_digits_settled(geometry, sifted)


@settings(deadline=None)
@given(st.integers(), st.sampled_from(SHAPES[:-2]), st.floats(0.15, 0.9))
def test_no_candidate_of_a_solution_is_excluded(seed: int, geometry: Geometry, most: float) -> None:
    grid = random_puzzle(Random(seed), geometry, 0.1, most).grid
    (sifted,) = sift(grid)
    for solution in solutions_in(grid):
        assert solution <= left_of(geometry, sifted)


def test_every_9x9_solution_passes() -> None:
    rng = Random(1)
    solutions = [full_grid(rng, Geometry()) for _ in range(300)]
    boards = [thin_out(rng, solution, rng.randint(17, 50)) for solution in solutions]
    for solution, sifted in zip(solutions, sift(*boards), strict=True):
        assert set(enumerate(solution.digits)) <= left_of(Geometry(), sifted)


@shapes
def test_a_board_is_handed_on_before_it_is_full(geometry: Geometry) -> None:
    rng = Random(2)
    boards = [
        thin_out(rng, full_grid(rng, geometry), geometry.cell_count - empty)
        for empty in (1, 2, geometry.size)
        for _ in range(20)
    ]
    assert all(any(sifted.open) for sifted in sift(*boards))


def test_no_boards_are_nothing() -> None:
    assert list(sieve_of(Geometry()).sift([])) == []


def test_a_full_board_has_nothing_to_hand_on() -> None:
    grid = full_grid(Random(1), Geometry())
    (sifted,) = sift(grid)
    assert left_of(Geometry(), sifted) == set(enumerate(grid.digits))


@shapes
def test_of_contradictions_the_givens_are_handed_on(geometry: Geometry) -> None:
    grid = clashing_puzzle(geometry).grid
    (sifted,) = sift(grid)
    assert not any(sifted.known)
    for cell, digit in enumerate(grid.digits):
        candidates = {d for c, d in left_of(geometry, sifted) if c == cell}
        assert candidates == ({digit} if digit else set(range(1, geometry.size + 1)))


def test_boards_do_not_depend_on_those_beside_them() -> None:
    rng = Random(6)
    boards = [thin_out(rng, full_grid(rng, Geometry()), rng.randint(20, 40)) for _ in range(30)]
    boards += [spoil(rng, grid) for grid in boards[:10]]
    boards += [HARD.grid, clashing_puzzle(Geometry()).grid, full_grid(rng, Geometry())]
    together = sift(*boards)
    assert together == [sifted for grid in boards for sifted in sift(grid)]
    assert list(reversed(together)) == sift(*reversed(boards))
