"""A board is sifted as a loop over its candidates would do it, and never loses a solution."""

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.deducing.sifter import Sifted, Sifter
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import clashing_puzzle, full_grid, random_puzzle, stuck_puzzle, thin_out
from tests.each import for_each
from tests.encoding.small_boards import (
    SHAPES,
    Candidate,
    beside_locked,
    beside_singles,
    candidates_in,
    exclude_one_by_one,
    groups_of,
    layout_of,
    left_of,
    open_in,
    require_known_digits_settled,
    solutions_in,
)

shapes = for_each("geometry", SHAPES)


@cache
def sifter_of(geometry: Geometry) -> Sifter:
    return Sifter(layout_of(geometry))


def sift(grid: Grid) -> Sifted | None:
    return sifter_of(grid.geometry).sift(bytes(grid.digits))


def beside_singles_and_locked(geometry: Geometry, left: set[Candidate]) -> set[Candidate]:
    return beside_singles(geometry, left) or beside_locked(geometry, left)


@pytest.mark.parametrize(
    "geometry",
    [pytest.param(s, marks=[pytest.mark.slow] * (s.size > 10)) for s in SHAPES],
    ids=str,
)
def test_what_is_left_is_what_a_loop_over_candidates_leaves(geometry: Geometry) -> None:
    rng = Random(4)
    for _ in range(12 if geometry.size < 9 else 4):
        grid = random_puzzle(rng, geometry, fewest=0.25, most=0.6).grid
        sifted, left = sift(grid), exclude_one_by_one(grid, beside_singles_and_locked)
        if sifted is None:
            assert next(find_clashes(Puzzle(grid)))
        elif not all(group & left for group in groups_of(geometry)):
            # A contradiction: it was handed on as it came.
            assert sifted.known == bytes(grid.digits)
        elif len(left) == geometry.cell_count:
            # It was handed on before it was full.
            assert left_of(geometry, sifted) >= left
        else:
            assert left_of(geometry, sifted) == left


def test_locked_candidates_go_where_singles_find_nothing() -> None:
    only_in_row_1 = Grid.from_line("." * 9 + "456......" + "789......" + "." * 54)
    sifted = sift(only_in_row_1)
    assert sifted is not None
    assert not any(sifted.known[:9])
    assert not {(cell, digit) for cell in range(3, 9) for digit in (1, 2, 3)} & candidates_in(
        Geometry(), sifted.open
    )


@shapes
def test_known_digits_exclude_nothing_that_is_open(geometry: Geometry) -> None:
    rng = Random(5)
    for _ in range(20):
        sifted = sift(random_puzzle(rng, geometry).grid)
        if sifted is not None:
            require_known_digits_settled(geometry, sifted)


@settings(deadline=None)
@given(st.integers(), st.sampled_from(SHAPES[:-2]), st.floats(0.15, 0.9))
def test_no_candidate_of_a_solution_is_excluded(seed: int, geometry: Geometry, most: float) -> None:
    grid = random_puzzle(Random(seed), geometry, 0.1, most).grid
    sifted = sift(grid)
    for solution in solutions_in(grid):
        assert sifted is not None
        assert solution <= left_of(geometry, sifted)


@shapes
def test_a_board_is_handed_on_before_it_is_full(geometry: Geometry) -> None:
    rng = Random(2)
    for empty in (1, 2, geometry.size):
        sifted = sift(thin_out(rng, full_grid(rng, geometry), geometry.cell_count - empty))
        assert sifted is not None
        assert any(sifted.open)


def test_an_empty_board_stays_as_it_is() -> None:
    sifted = sift(Grid.empty(Geometry()))
    assert sifted is not None
    assert not any(sifted.known)
    assert len(candidates_in(Geometry(), sifted.open)) == 729


def test_of_a_full_board_nothing_is_open() -> None:
    grid = full_grid(Random(1), Geometry())
    sifted = sift(grid)
    assert sifted is not None
    assert sifted.known == bytes(grid.digits)
    assert not any(sifted.open)


@shapes
def test_a_board_that_clashes_is_left_to_others(geometry: Geometry) -> None:
    assert sift(clashing_puzzle(geometry).grid) is None


@shapes
def test_a_board_without_solution_is_handed_on_as_the_givens_leave_it(geometry: Geometry) -> None:
    if geometry.size > 2:
        stuck = stuck_puzzle(geometry).grid
        sifted = sift(stuck)
        assert sifted is not None
        assert left_of(geometry, sifted) == open_in(stuck) | set(enumerate(stuck.digits)) - {
            (cell, 0) for cell in range(geometry.cell_count)
        }
