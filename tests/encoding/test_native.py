from collections import Counter
from random import Random

import pytest

from satdoku.encoding.constraint import (
    AtLeastOne,
    AtMostOne,
    Clauses,
    ExactlyOne,
    NativeConstraint,
    NeverBoth,
)
from satdoku.encoding.files.kinds import native_constraints
from satdoku.encoding.size import count_terms, require_possible_natively
from satdoku.encoding.variables import variable
from satdoku.errors import TooLargeError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from tests.boards import SHAPES, random_puzzle
from tests.each import for_each
from tests.oracle import solutions_of

RULED = ["diagonals", "anti-king", "odd:r1c1,r2c2", "extra-region:r1c1,r2c2,r3c3"]


def ruled(*names: str) -> Puzzle:
    empty = Puzzle(Grid.empty(Geometry(2, 2)))
    return empty.with_rules(read_rule(name, empty.geometry) for name in names)


def holds(constraint: NativeConstraint, true: set[int]) -> bool:
    """What a constraint means, said once more."""
    if isinstance(constraint, (AtLeastOne, AtMostOne, ExactlyOne)):
        count = sum((abs(n) in true) is (n > 0) for n in constraint.literals)
        least, most = count >= 1, count <= 1
        return (least or isinstance(constraint, AtMostOne)) and (
            most or isinstance(constraint, AtLeastOne)
        )
    assert not isinstance(constraint, Clauses)
    return not any({one, other} <= true for one, other in constraint.pairs)


@for_each("seed", range(5))
@for_each("geometry", [Geometry(2, 2), Geometry(1, 4), Geometry(2, 3)])
def test_a_grid_keeps_the_constraints_exactly_when_it_is_a_solution(
    geometry: Geometry, seed: int
) -> None:
    rng = Random(f"{geometry} {seed}")
    puzzle = random_puzzle(rng, geometry)
    constraints = list(native_constraints(puzzle))
    solutions = list(solutions_of(geometry.box_rows, geometry.box_columns, puzzle.grid.digits))
    for digits in solutions[:20]:
        true = {variable(geometry, cell, digit) for cell, digit in enumerate(digits)}
        assert all(holds(constraint, true) for constraint in constraints)
        cell = rng.randrange(geometry.cell_count)
        wrong = true - {variable(geometry, cell, digits[cell])}
        for other in range(geometry.size + 1):
            placed = {variable(geometry, cell, other)} if other else set()
            if other != digits[cell]:
                assert not all(holds(constraint, wrong | placed) for constraint in constraints)


@pytest.mark.parametrize("rule", RULED)
def test_every_rule_is_among_them(rule: str) -> None:
    """Counted over all grids of 4x4 by the definition of the rule."""
    puzzle = ruled(rule)
    geometry = puzzle.geometry
    constraints = list(native_constraints(puzzle))
    for digits in solutions_of(2, 2, [0] * 16):
        true = {variable(geometry, cell, digit) for cell, digit in enumerate(digits)}
        is_solution = not find_fault(Grid(geometry, digits), puzzle)
        assert all(holds(constraint, true) for constraint in constraints) is is_solution


@for_each("geometry", SHAPES)
def test_nothing_is_said_twice_and_terms_are_counted_by_arithmetic(geometry: Geometry) -> None:
    for puzzle in (random_puzzle(Random(3), geometry), ruled(*RULED)):
        constraints = list(native_constraints(puzzle))
        if geometry.size > 1:
            assert max(Counter(constraints).values()) == 1
        terms = sum(
            2 * len(constraint.pairs)
            if isinstance(constraint, NeverBoth)
            else len(() if isinstance(constraint, Clauses) else constraint.literals)
            for constraint in constraints
        )
        assert terms == count_terms(puzzle)


def test_a_formula_of_billions_of_terms_is_refused() -> None:
    require_possible_natively(Puzzle(Grid.empty(Geometry(15, 15))))
    with pytest.raises(TooLargeError, match=r"about 4\.0 billion terms and take 60 GB$"):
        require_possible_natively(Puzzle(Grid.empty(Geometry(25, 40))))
