"""Whole-board counting and numbering agrees with a loop over candidates."""

from collections import Counter
from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk import fields as module
from satdoku.solving.bulk.fields import MARK, NUMBERS, Fields
from satdoku.solving.bulk.layout import Layout
from tests.boards import full_grid, random_puzzle
from tests.solving.candidates import (
    SHAPES,
    boards_of,
    candidates_in,
    candidates_in_field,
    eliminate_givens,
    open_in,
)

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_a_field_has_a_byte_for_every_bit(geometry: Geometry) -> None:
    layout = Layout(geometry)
    for grid in boards_of(geometry):
        board = eliminate_givens(grid)
        for bits in (board.open_bits, board.placed_bits):
            field = Fields(layout).expand(bits)
            assert candidates_in_field(layout, field) == candidates_in(layout, bits)
            assert set(field.to_bytes(layout.width, "big")) <= {0, 1}


@shapes
def test_candidates_are_numbered_in_order(geometry: Geometry) -> None:
    layout = Layout(geometry)
    every = [(cell, digit) for cell in layout.cells for digit in layout.digits]
    some = Random(1).sample(every, min(len(NUMBERS), len(every)))
    fields = Fields(layout)
    ones = fields.expand(sum(layout.bit(cell, digit) for cell, digit in some))
    field = fields.number_candidates(ones).translate(None, b"\0")
    assert b"".join(field.split()) == NUMBERS[: len(some)]
    assert field.count(MARK) == geometry.cell_count


def test_numbers_are_no_white_space() -> None:
    assert len(NUMBERS) == 249
    assert NUMBERS.split() == [NUMBERS]
    assert not set(MARK) & set(NUMBERS)


@shapes
def test_candidates_are_counted_by_cell(geometry: Geometry) -> None:
    fields = Fields(Layout(geometry))
    for grid in boards_of(geometry):
        counts = Counter(cell for cell, _ in open_in(grid))
        found = fields.count_candidates(fields.expand(eliminate_givens(grid).open_bits))
        assert list(found) == [counts[cell] for cell in range(geometry.cell_count)]


def sort_one_by_one(grid: Grid, pairs_are_few: bool) -> list[list[int]]:
    """The open digits of the cells, those with most candidates first."""
    geometry = grid.geometry
    digits_of: dict[int, list[int]] = {cell: [] for cell in range(geometry.cell_count)}
    for cell, digit in sorted(open_in(grid)):
        digits_of[cell].append(digit)

    def rank(cell: int) -> tuple[int, int, int]:
        around = sum(len(digits_of[peer]) for peer in geometry.peers_of(cell))
        return -len(digits_of[cell]), around if pairs_are_few else 0, -cell

    return [digits_of[cell] for cell in sorted(digits_of, key=rank) if digits_of[cell]]


@pytest.mark.parametrize("geometry", [s for s in SHAPES if s.size <= 9], ids=str)
@pytest.mark.parametrize("pairs_are_few", [True, False], ids=["few-pairs", "many-pairs"])
def test_cells_come_in_the_order_of_their_candidates(
    geometry: Geometry, pairs_are_few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEW_PAIRS", 1_000 if pairs_are_few else -1)
    fields = Fields(Layout(geometry))
    grids = [*boards_of(geometry), random_puzzle(Random(3), geometry, 0.35, 0.4).grid]
    for grid in grids:
        ones = fields.expand(eliminate_givens(grid).open_bits)
        digits_of: list[list[int]] = [[] for _ in range(geometry.cell_count)]
        for cell, digit in sorted(open_in(grid)):
            digits_of[cell].append(digit)
        cells = list(filter(None, digits_of))
        assert fields.sort_cells(ones, cells) == sort_one_by_one(grid, pairs_are_few)


def test_large_cells_do_not_overflow_their_bytes() -> None:
    geometry = Geometry(3, 5)
    fields = Fields(Layout(geometry))
    ones = fields.expand(eliminate_givens(Grid.empty(geometry)).open_bits)
    cells = [[cell] * 15 for cell in range(geometry.cell_count)]
    assert len(fields.sort_cells(ones, cells)) == geometry.cell_count


@shapes
def test_a_full_field_is_the_grid(geometry: Geometry) -> None:
    grid = full_grid(Random(1), geometry)
    fields = Fields(Layout(geometry))
    placed = eliminate_givens(grid).placed_bits
    assert fields.fill_grid(fields.expand(placed)) == bytes(grid.digits)
