from random import Random

import pytest

from satdoku.encoding.variables import (
    Auxiliaries,
    Placement,
    blocking_clause,
    decode,
    placement,
    variable,
    variable_count,
    variable_name,
)
from satdoku.errors import SolverError
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES, full_grid, random_puzzle
from tests.each import for_each

shapes = for_each("geometry", SHAPES)


@shapes
def test_variables_count_from_one_without_gaps_and_lead_back(geometry: Geometry) -> None:
    numbers = []
    for cell in range(geometry.cell_count):
        for digit in range(1, geometry.size + 1):
            number = variable(geometry, cell, digit)
            assert placement(geometry, number) == Placement(cell, digit)
            numbers.append(number)
    assert numbers == list(range(1, variable_count(geometry) + 1))


def test_the_9x9_board_has_the_documented_numbers() -> None:
    geometry = Geometry()
    assert variable_count(geometry) == 729
    assert variable(geometry, 0, 1) == 1
    assert variable(geometry, 80, 9) == 729
    assert variable_name(geometry, 5) == "r1c1=5"
    assert variable_name(geometry, 729) == "r9c9=9"


def test_auxiliaries_lie_above_and_are_handed_out_once() -> None:
    auxiliaries = Auxiliaries(64)
    assert list(auxiliaries.take(3)) == [65, 66, 67]
    assert list(auxiliaries.take(0)) == []
    assert list(auxiliaries.take(1)) == [68]
    assert auxiliaries.highest == 68


@shapes
def test_true_variables_become_digits_and_auxiliaries_are_ignored(geometry: Geometry) -> None:
    grid = full_grid(Random(str(geometry)), geometry)
    true = {variable(geometry, cell, digit) for cell, digit in grid.givens.items()}
    highest = variable_count(geometry)
    model = [n if n in true else -n for n in range(1, highest + 1)]
    assert decode(geometry, [*model, highest + 1, -highest - 2]) == grid
    assert decode(geometry, reversed(model)) == grid


@shapes
def test_a_cell_that_the_model_leaves_open_stays_empty(geometry: Geometry) -> None:
    grid = random_puzzle(Random(str(geometry)), geometry).grid
    model = [variable(geometry, cell, digit) for cell, digit in grid.givens.items()]
    assert decode(geometry, model) == grid


def test_two_digits_in_a_cell_are_an_error() -> None:
    geometry = Geometry(2, 2)
    model = [variable(geometry, 6, 1), variable(geometry, 6, 4)]
    with pytest.raises(SolverError, match="the model has both 1 and 4 in r2c3"):
        decode(geometry, model)


@shapes
def test_the_blocking_clause_denies_the_open_cells_of_a_solution(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    solution = full_grid(rng, geometry)
    open_cells = sorted(rng.sample(range(geometry.cell_count), (geometry.cell_count + 1) // 2))
    puzzle = solution.with_digits(dict.fromkeys(open_cells, 0))
    assert blocking_clause(solution, Puzzle(puzzle)) == tuple(
        -variable(geometry, cell, solution.digits[cell]) for cell in open_cells
    )


@shapes
def test_where_all_is_given_the_blocking_clause_contradicts_the_givens(geometry: Geometry) -> None:
    """Not an empty clause: many readers of DIMACS refuse one."""
    solution = full_grid(Random(1), geometry)
    assert blocking_clause(solution, Puzzle(solution)) == tuple(
        -variable(geometry, cell, digit) for cell, digit in solution.givens.items()
    )
