"""The small formula says of open candidates what a loop over them says."""

from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from satdoku.bulk import groups as module
from satdoku.bulk.groups import GroupBuilder, SmallFormula
from satdoku.bulk.octets import NUMBERS
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from tests.boards import random_puzzle
from tests.bulk.candidates import (
    SHAPES,
    Candidate,
    boards_of,
    candidates_at,
    octets_of,
    open_in,
    sift_givens,
)

LINES = ["row", "column"]
EVERY_KIND = [*LINES, "box"]

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)
ways_to_build = pytest.mark.parametrize("largest", [249, -1], ids=["bytes", "lists"])


@cache
def builder_of(geometry: Geometry) -> GroupBuilder:
    return GroupBuilder(octets_of(geometry))


def groups_in(
    geometry: Geometry, candidates: set[Candidate], kinds: Iterable[str]
) -> set[frozenset[Candidate]]:
    """What is open of each cell, and of each digit in each unit of these kinds."""
    digits = range(1, geometry.size + 1)
    places = [[(cell, digit) for digit in digits] for cell in range(geometry.cell_count)]
    places += [
        [(cell, digit) for cell in unit.cells]
        for unit in geometry.units
        if unit.kind in kinds
        for digit in digits
    ]
    return {frozenset(candidates.intersection(group)) for group in places} - {frozenset()}


def read_groups(
    geometry: Geometry, formula: SmallFormula, is_clause: bool
) -> set[frozenset[Candidate]]:
    groups = formula.clauses if is_clause else formula.exclusive
    return {
        frozenset(candidates_at(geometry, formula.true_places(list(group)))) for group in groups
    }


def numbers_in(formula: SmallFormula) -> set[int]:
    return {number for group in formula.clauses for number in group}


@shapes
@ways_to_build
@pytest.mark.parametrize("share", [0, 99], ids=["hard", "easy"])
def test_groups_are_those_of_the_open_candidates(
    geometry: Geometry, largest: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST_BYTE_FORMULA", largest)
    monkeypatch.setattr(module, "HARD_SHARE", share)
    builder = GroupBuilder(octets_of(geometry))
    for grid in boards_of(geometry):
        formula = builder.build(sift_givens(grid))
        candidates = open_in(grid)
        count = len(candidates)
        needed, exclusive = LINES, EVERY_KIND
        if share and count <= largest:
            needed, exclusive = ["box"], LINES
        assert read_groups(geometry, formula, is_clause=True) == groups_in(
            geometry, candidates, needed
        )
        assert read_groups(geometry, formula, is_clause=False) == groups_in(
            geometry, candidates, exclusive
        )
        in_order = NUMBERS if count <= largest else range(1, count + 1)
        assert numbers_in(formula) == set(in_order[:count]) <= formula.numbers


def test_hard_formulas_number_the_cells_with_fewest_candidates_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = random_puzzle(Random(3), Geometry(), 0.35, 0.4).grid
    candidates = open_in(grid)
    assert 162 < len(candidates) <= module.LARGEST_BYTE_FORMULA

    def in_order() -> list[Candidate]:
        formula = builder_of(Geometry()).build(sift_givens(grid))
        numbers = sorted(numbers_in(formula))
        return [candidates_at(Geometry(), formula.true_places([n]))[0] for n in numbers]

    order = in_order()
    counts = [sum(other == cell for other, _ in candidates) for cell, _ in order]
    assert counts == sorted(counts, reverse=True)
    monkeypatch.setattr(module, "LARGEST_BYTE_FORMULA", -1)
    assert order == in_order()


@ways_to_build
def test_a_group_of_which_nothing_is_left_is_an_empty_clause(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """r1c1 sees every digit; the formula without its group could have solutions."""
    monkeypatch.setattr(module, "LARGEST_BYTE_FORMULA", largest)
    digits = [0] * 16
    digits[1], digits[4], digits[2], digits[8] = 1, 2, 3, 4
    sifted = sift_givens(Grid(Geometry(2, 2), tuple(digits)))
    clauses = builder_of(Geometry(2, 2)).build(sifted).clauses
    assert [list(clause) for clause in clauses] == [[]]
    one_less = sift_givens(Grid(Geometry(2, 2), tuple(digits[:8] + [0] * 8)))
    assert [] not in [list(clause) for clause in builder_of(Geometry(2, 2)).build(one_less).clauses]
