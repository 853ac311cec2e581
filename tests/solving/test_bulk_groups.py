"""The small formula says of open candidates what a loop over them says."""

from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.solving.bulk import groups as module
from satdoku.solving.bulk.groups import GroupBuilder, SmallFormula
from satdoku.solving.bulk.octets import NUMBERS, Octets
from satdoku.solving.bulk.places import Places
from tests.boards import random_puzzle
from tests.solving.candidates import (
    SHAPES,
    Candidate,
    boards_of,
    candidates_in_octets,
    eliminate_givens,
    open_in,
)

LINES = ["row", "column"]
EVERY_KIND = [*LINES, "box"]

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@cache
def builder_of(geometry: Geometry) -> GroupBuilder:
    return GroupBuilder(Octets(Places(geometry)))


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
    places = Places(geometry)
    groups = formula.clauses if is_clause else formula.exclusive
    return {
        frozenset(candidates_in_octets(places, formula.true_ones(list(group)))) for group in groups
    }


@shapes
@pytest.mark.parametrize("is_hard", [True, False], ids=["hard", "easy"])
def test_groups_are_those_of_the_open_candidates(geometry: Geometry, is_hard: bool) -> None:
    for grid in boards_of(geometry):
        formula = builder_of(geometry).build(eliminate_givens(grid).open_bits, is_hard)
        candidates = open_in(grid)
        needed, exclusive = LINES, EVERY_KIND
        if not is_hard and len(candidates) <= module.LARGEST_BYTE_FORMULA:
            needed, exclusive = ["box"], LINES
        clauses = read_groups(geometry, formula, is_clause=True)
        assert clauses == groups_in(geometry, candidates, needed)
        expected = groups_in(geometry, candidates, exclusive)
        assert read_groups(geometry, formula, is_clause=False) == expected
        numbers = {number for group in formula.clauses for number in group}
        count = len(candidates)
        in_order = NUMBERS if count <= module.LARGEST_BYTE_FORMULA else range(1, count + 1)
        assert numbers == set(in_order[:count]) <= formula.numbers


@shapes
def test_lists_say_the_same_as_bytes(geometry: Geometry, monkeypatch: pytest.MonkeyPatch) -> None:
    for grid in boards_of(geometry):
        open_bits = eliminate_givens(grid).open_bits
        by_bytes = builder_of(geometry).build(open_bits, is_hard=True)
        with monkeypatch.context() as patch:
            patch.setattr(module, "LARGEST_BYTE_FORMULA", -1)
            by_lists = builder_of(geometry).build(open_bits, is_hard=True)
        assert all(isinstance(group, list | range) for group in by_lists.exclusive)
        for is_clause in (True, False):
            expected = read_groups(geometry, by_bytes, is_clause)
            assert read_groups(geometry, by_lists, is_clause) == expected
        assert len(by_lists.exclusive) == len(by_bytes.exclusive)


def test_both_number_the_cells_with_fewest_candidates_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = Places(Geometry())
    grid = random_puzzle(Random(3), Geometry(), 0.35, 0.4).grid
    open_bits = eliminate_givens(grid).open_bits
    candidates = open_in(grid)

    def in_order() -> list[Candidate]:
        formula = builder_of(Geometry()).build(open_bits, is_hard=True)
        numbers = sorted({number for group in formula.clauses for number in group})
        return [candidates_in_octets(places, formula.true_ones([n]))[0] for n in numbers]

    order = in_order()
    counts = [sum(other == cell for other, _ in candidates) for cell, _ in order]
    assert counts == sorted(counts, reverse=True)
    monkeypatch.setattr(module, "LARGEST_BYTE_FORMULA", -1)
    assert order == in_order()


@shapes
def test_a_hard_formula_has_every_group_that_is_not_empty(geometry: Geometry) -> None:
    builder = builder_of(geometry)
    for grid in boards_of(geometry):
        board = eliminate_givens(grid)
        formula = builder.build(board.open_bits, is_hard=True)
        placed = board.placed_bits.bit_count()
        assert builder.group_count == 4 * geometry.cell_count
        assert len(formula.exclusive) == 4 * (geometry.cell_count - placed)
