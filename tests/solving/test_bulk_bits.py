"""Whole-board elimination leaves what a loop over candidates leaves."""

from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.solving.bulk.places import Places
from tests.boards import clashing_puzzle, full_grid, thin_out
from tests.solving.candidates import (
    SHAPES,
    Candidate,
    bits_of,
    boards_of,
    candidates_in,
    eliminate_givens,
    open_in,
)

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_elimination_leaves_what_the_peers_leave(geometry: Geometry) -> None:
    places = Places(geometry)
    for grid in boards_of(geometry):
        board = eliminate_givens(grid)
        assert set(candidates_in(places, board.open_bits)) == open_in(grid)
        assert dict(candidates_in(places, board.placed_bits)) == grid.givens
        assert not board.has_clash


@shapes
def test_clashing_givens_are_seen(geometry: Geometry) -> None:
    assert eliminate_givens(clashing_puzzle(geometry).grid).has_clash


@shapes
def test_naked_singles_are_counted_by_cell(geometry: Geometry) -> None:
    bits = bits_of(geometry)
    for grid in boards_of(geometry):
        cells = [cell for cell, _ in open_in(grid)]
        expected = sum(cells.count(cell) == 1 for cell in range(geometry.cell_count))
        assert bits.count_naked_singles(eliminate_givens(grid).open_bits) == expected


@shapes
def test_hidden_singles_are_counted_by_box(geometry: Geometry) -> None:
    bits = bits_of(geometry)
    for grid in boards_of(geometry):
        candidates = open_in(grid)
        expected = sum(
            sum((cell, digit) in candidates for cell in box.cells) == 1
            for box in geometry.boxes
            for digit in range(1, geometry.size + 1)
        )
        assert bits.count_hidden_singles(eliminate_givens(grid).open_bits) == expected


def locked_out(geometry: Geometry, candidates: set[Candidate]) -> set[Candidate]:
    """What a line with a digit in one box only excludes from the rest of that box."""
    excluded = set()
    for line in geometry.rows + geometry.columns:
        for digit in range(1, geometry.size + 1):
            cells = [cell for cell in line.cells if (cell, digit) in candidates]
            boxes = {geometry.box_of(cell) for cell in cells}
            if len(boxes) == 1:
                others = set(geometry.boxes[boxes.pop()].cells).difference(line.cells)
                excluded |= {(cell, digit) for cell in others} & candidates
    return excluded


@shapes
def test_locked_candidates_are_excluded(geometry: Geometry) -> None:
    places, bits = Places(geometry), bits_of(geometry)
    for grid in boards_of(geometry):
        candidates = open_in(grid)
        left = bits.exclude_locked(eliminate_givens(grid).open_bits)
        assert set(candidates_in(places, left)) == candidates - locked_out(geometry, candidates)


def test_some_boards_have_singles_and_locked_candidates() -> None:
    grid = thin_out(Random(6), full_grid(Random(6), Geometry()), 40)
    bits, open_bits = bits_of(Geometry()), eliminate_givens(grid).open_bits
    assert bits.count_hidden_singles(open_bits) > 5
    assert bits.count_naked_singles(open_bits) > 0
    assert len(locked_out(Geometry(), open_in(grid))) > 5
