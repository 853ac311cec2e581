from itertools import combinations
from random import Random

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import measure, share_earlier_unit
from satdoku.encoding.variables import variable, variable_count
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.classic import CLASSIC
from tests.boards import (
    HARD,
    HARD_SOLUTION,
    SHAPES,
    clashing_puzzle,
    full_grid,
    random_puzzle,
    spoil,
    stuck_puzzle,
)
from tests.crossing import crossed
from tests.each import for_each
from tests.formulas import clauses_of_grid, models_of_grid

shapes = for_each("geometry", SHAPES)


@shapes
def test_pairs_are_said_exactly_when_an_earlier_unit_has_both_cells(geometry: Geometry) -> None:
    constraints = constraints_of(geometry, CLASSIC)
    for index, unit in enumerate(constraints.units):
        is_said = share_earlier_unit(constraints, index)
        for first, second in combinations(unit.cells, 2):
            expected = any({first, second} <= set(u.cells) for u in constraints.units[:index])
            for digit in (1, geometry.size):
                pair = variable(geometry, first, digit), variable(geometry, second, digit)
                assert (is_said is not None and is_said(*pair)) == expected


@crossed(5, geometry=SHAPES, method=Method)
def test_every_cell_variable_is_mentioned(geometry: Geometry, method: Method) -> None:
    rng = Random(str(geometry))
    full = full_grid(rng, geometry)
    for grid in (Grid.empty(geometry), full, spoil(rng, full), random_puzzle(rng, geometry).grid):
        clauses = clauses_of_grid(grid, Encoding.REDUCED, method)
        mentioned = {abs(literal) for clause in clauses for literal in clause}
        assert mentioned >= set(range(1, variable_count(geometry) + 1))


def test_a_full_right_grid_is_units_and_nothing_else() -> None:
    clauses = clauses_of_grid(HARD_SOLUTION, Encoding.REDUCED)
    assert {len(clause) for clause in clauses} == {1}
    assert len(clauses) == 729
    assert list(models_of_grid(HARD_SOLUTION, Encoding.REDUCED)) == [HARD_SOLUTION]


# The digit of a single cell is never wrong.
@for_each("geometry", [s for s in SHAPES if s.size > 1])
def test_a_full_wrong_grid_has_no_model(geometry: Geometry) -> None:
    rng = Random(str(geometry))
    for _ in range(10):
        wrong = spoil(rng, full_grid(rng, geometry))
        assert not list(models_of_grid(wrong, Encoding.REDUCED))


@for_each("geometry", [s for s in SHAPES if s.size > 1])
def test_a_clash_or_a_cell_without_candidates_has_no_model(geometry: Geometry) -> None:
    for puzzle in (clashing_puzzle(geometry), stuck_puzzle(geometry)):
        assert not list(models_of_grid(puzzle.grid, Encoding.REDUCED))


def test_it_is_smaller_the_more_is_given() -> None:
    reduced = measure(Puzzle(HARD.grid), Encoding.REDUCED).clauses
    assert reduced < measure(Puzzle(HARD.grid), Encoding.MINIMAL).clauses / 2
    empty = Grid.empty(Geometry())
    assert measure(Puzzle(empty), Encoding.REDUCED) == measure(Puzzle(empty), Encoding.EXTENDED)
