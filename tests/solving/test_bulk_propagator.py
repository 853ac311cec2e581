"""The propagator derives all that the whole encoding implies, and no more."""

from collections.abc import Iterator
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.encoding.encode import Encoding, encode
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk.calls import public_calls
from satdoku.solving.bulk.propagator import Propagator
from tests.boards import clashing_puzzle, full_grid, random_puzzle, thin_out

SHAPES = [Geometry(*shape) for shape in ((1, 3), (2, 2), (2, 3), (3, 3), (3, 4))]


def boards_of(geometry: Geometry) -> Iterator[Grid]:
    rng = Random(4)
    yield clashing_puzzle(geometry).grid
    for share in (0.25, 0.35, 0.45, 0.6):
        for _ in range(5):
            yield thin_out(rng, full_grid(rng, geometry), round(geometry.cell_count * share))
            yield random_puzzle(rng, geometry, share, share).grid


@pytest.mark.parametrize("geometry", SHAPES, ids=str)
@pytest.mark.parametrize("encoding", [Encoding.TRIADS, Encoding.EXTENDED], ids=lambda e: e.value)
def test_it_derives_what_all_clauses_imply(geometry: Geometry, encoding: Encoding) -> None:
    propagator = Propagator(geometry, encoding, public_calls())
    groups = encode(Grid.empty(geometry), encoding)
    with Solver(
        "minisat22", [list(clause) for group in groups for clause in group.clauses]
    ) as all_:
        for grid in boards_of(geometry):
            givens = [cell * geometry.size + digit for cell, digit in grid.givens.items()]
            is_consistent, expected = all_.propagate(assumptions=givens)
            found = propagator.propagate(bytes(grid.digits))
            assert found[0] == is_consistent
            if is_consistent:
                assert {-literal for literal in found[1]} == set(expected)


@pytest.mark.parametrize("geometry", [Geometry(), Geometry(2, 3), Geometry(2, 2)], ids=str)
def test_a_complete_set_of_placements_is_a_grid(geometry: Geometry) -> None:
    grid = full_grid(Random(2), geometry)
    propagator = Propagator(geometry, Encoding.TRIADS, public_calls())
    _, literals = propagator.propagate(bytes(grid.digits))
    assert len(literals) == propagator.variable_count
    placements = propagator.placements.intersection(literals)
    assert propagator.read_grid(placements) == bytes(grid.digits)
    assert propagator.read_solution(placements) == bytes(grid.digits)
