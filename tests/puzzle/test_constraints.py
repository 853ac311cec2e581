from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.puzzle.constraints import (
    Constraints,
    Pair,
    collect,
    digits_of,
    every_digit,
    mask_of,
    reversed_masks,
)
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.puzzle import constraints_of
from satdoku.puzzle.rules.classic import CLASSIC, arrange
from tests.boards import SHAPES
from tests.each import for_each
from tests.puzzle.rules.instances import SMALL, random_instances

Exclusion = tuple[int, int, int, int]


@given(st.sets(st.integers(1, 60)))
def test_masks_are_sets_of_digits(digits: set[int]) -> None:
    assert digits_of(mask_of(digits)) == sorted(digits)


@pytest.mark.parametrize("size", [1, 4, 9, 25])
def test_every_digit_is_one_to_the_size(size: int) -> None:
    assert digits_of(every_digit(size)) == list(range(1, size + 1))


def test_exclusions_can_be_asked_from_either_cell() -> None:
    """Less than: the first cell holds a smaller digit than the second."""
    excludes = (0, 0b0010, 0b0110, 0b1110)
    assert reversed_masks(excludes) == (0, 0b1110, 0b1100, 0b1000)
    assert reversed_masks(reversed_masks(excludes)) == excludes


@for_each("geometry", SHAPES)
def test_units_with_the_same_cells_are_one(geometry: Geometry) -> None:
    """Boxes of one row are rows, and a unit of one cell says nothing."""
    units = constraints_of(geometry, CLASSIC).units
    every = {frozenset(unit.cells) for unit in geometry.units if len(unit.cells) > 1}
    assert {frozenset(unit.cells) for unit in units} == every
    assert len(units) == len(every)


@for_each("geometry", SHAPES)
def test_a_cell_knows_its_units(geometry: Geometry) -> None:
    constraints = constraints_of(geometry, CLASSIC)
    for cell in range(geometry.cell_count):
        places = [n for n, unit in enumerate(constraints.units) if cell in unit.cells]
        assert list(constraints.units_of[cell]) == places


def said_by_units(constraints: Constraints) -> set[Exclusion]:
    """Every two candidates that a unit excludes, in both orders."""
    found = set()
    for unit in constraints.units:
        for one, other in combinations(unit.cells, 2):
            for digit in range(1, constraints.geometry.size + 1):
                found |= {(one, digit, other, digit), (other, digit, one, digit)}
    return found


@for_each("seed", range(30))
def test_pairs_say_just_what_nothing_before_them_says(seed: int) -> None:
    rules = arrange([*CLASSIC, *random_instances(Random(seed), 4)][:5])
    stated = [c for rule in rules for c in rule.constraints(SMALL) if isinstance(c, Pair)]
    constraints = constraints_of(SMALL, rules)
    said = said_by_units(constraints)
    wanted = {
        exclusion
        for pair in stated
        for digit, other in pair.digit_pairs()
        for exclusion in (
            (pair.first, digit, pair.second, other),
            (pair.second, other, pair.first, digit),
        )
    }
    for pair in constraints.pairs:
        for digit, other in pair.digit_pairs():
            exclusion = (pair.first, digit, pair.second, other)
            assert exclusion not in said
            said |= {exclusion, (pair.second, other, pair.first, digit)}
    assert wanted <= said
    assert said == wanted | said_by_units(constraints)


def test_only_a_unit_with_a_cell_for_each_digit_has_every_digit() -> None:
    whole, part = Unit("row", 0, (0, 1, 2, 3)), Unit("part", None, (0, 5))
    constraints = collect(SMALL, [whole, part])
    assert constraints.has_every_digit(whole)
    assert not constraints.has_every_digit(part)
