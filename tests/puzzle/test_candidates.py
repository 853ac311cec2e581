from random import Random

import pytest

from satdoku.puzzle.candidates import digits_of, find_candidates, find_missing
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from tests.boards import SHAPES, full_grid, random_puzzle, stuck_puzzle

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


def candidates_of(grid: Grid) -> dict[int, list[int]]:
    return {cell: digits_of(mask) for cell, mask in find_candidates(grid, find_missing(grid))}


@shapes
def test_candidates_are_what_no_peer_excludes(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for _ in range(10):
        grid = random_puzzle(rng, geometry).grid
        expected = {
            cell: [
                digit
                for digit in range(1, geometry.size + 1)
                if digit not in {grid.digits[peer] for peer in geometry.peers_of(cell)}
            ]
            for cell in range(geometry.cell_count)
            if grid.digits[cell] == EMPTY
        }
        assert candidates_of(grid) == expected


@shapes
def test_a_unit_misses_the_digits_that_none_of_its_cells_has(geometry: Geometry) -> None:
    grid = random_puzzle(Random(str(geometry)), geometry).grid
    missing = find_missing(grid)
    for units, masks in zip(
        (geometry.rows, geometry.columns, geometry.boxes), missing, strict=True
    ):
        for unit, mask in zip(units, masks, strict=True):
            there = {grid.digits[cell] for cell in unit.cells}
            assert set(digits_of(mask)) == set(range(1, geometry.size + 1)) - there


@shapes
def test_an_empty_board_leaves_every_digit_open_and_a_full_one_none(geometry: Geometry) -> None:
    every = list(range(1, geometry.size + 1))
    assert candidates_of(Grid.empty(geometry)) == dict.fromkeys(range(geometry.cell_count), every)
    assert candidates_of(full_grid(Random(1), geometry)) == {}


def test_a_cell_may_be_left_without_candidates() -> None:
    assert candidates_of(stuck_puzzle(Geometry()).grid)[0] == []
