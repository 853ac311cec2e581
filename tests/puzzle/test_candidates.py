from random import Random

from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from tests.boards import SHAPES, full_grid, random_puzzle, stuck_puzzle
from tests.each import for_each

shapes = for_each("geometry", SHAPES)


def candidates_of(grid: Grid) -> dict[int, list[int]]:
    puzzle = Puzzle(grid)
    found = find_candidates(puzzle, find_missing(puzzle))
    return {cell: digits_of(mask) for cell, mask in found}


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
    puzzle = random_puzzle(Random(str(geometry)), geometry)
    units = puzzle.constraints.units
    for unit, mask in zip(units, find_missing(puzzle), strict=True):
        there = {puzzle.grid.digits[cell] for cell in unit.cells}
        assert set(digits_of(mask)) == set(range(1, geometry.size + 1)) - there


@shapes
def test_an_empty_board_leaves_every_digit_open_and_a_full_one_none(geometry: Geometry) -> None:
    every = list(range(1, geometry.size + 1))
    assert candidates_of(Grid.empty(geometry)) == dict.fromkeys(range(geometry.cell_count), every)
    assert candidates_of(full_grid(Random(1), geometry)) == {}


def test_a_cell_may_be_left_without_candidates() -> None:
    assert candidates_of(stuck_puzzle(Geometry()).grid)[0] == []
