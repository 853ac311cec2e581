"""Whole-board counting and numbering agrees with a loop over candidates."""

from collections import Counter
from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk import octets as module
from satdoku.solving.bulk.octets import MARK, NUMBERS, Octets
from satdoku.solving.bulk.places import Places
from tests.boards import full_grid, random_puzzle, thin_out
from tests.solving.candidates import (
    SHAPES,
    boards_of,
    candidates_in,
    candidates_in_octets,
    eliminate_givens,
    open_in,
)

shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)


@shapes
def test_a_field_has_a_byte_for_every_bit(geometry: Geometry) -> None:
    places = Places(geometry)
    for grid in boards_of(geometry):
        board = eliminate_givens(grid)
        for bits in (board.open_bits, board.placed_bits):
            ones = Octets(places).expand(bits)
            assert candidates_in_octets(places, ones) == candidates_in(places, bits)
            assert set(ones.to_bytes(places.width, "big")) <= {0, 1}


@shapes
def test_candidates_are_numbered_in_order(geometry: Geometry) -> None:
    places = Places(geometry)
    every = [(cell, digit) for cell in places.cells for digit in places.digits]
    some = Random(1).sample(every, min(len(NUMBERS), len(every)))
    octets = Octets(places)
    ones = octets.expand(sum(places.bit(cell, digit) for cell, digit in some))
    numbered = octets.number_candidates(ones).translate(None, b"\0")
    assert b"".join(numbered.split()) == NUMBERS[: len(some)]
    assert numbered.count(MARK) == geometry.cell_count


def test_numbers_are_no_white_space() -> None:
    assert len(NUMBERS) == 249
    assert NUMBERS.split() == [NUMBERS]
    assert not set(MARK) & set(NUMBERS)


@shapes
def test_candidates_are_counted_by_cell(geometry: Geometry) -> None:
    octets = Octets(Places(geometry))
    for grid in boards_of(geometry):
        counts = Counter(cell for cell, _ in open_in(grid))
        found = octets.sum_cells(octets.expand(eliminate_givens(grid).open_bits))
        assert list(found) == [counts[cell] for cell in range(geometry.cell_count)]


def sort_one_by_one(grid: Grid, few: int) -> tuple[list[list[int]], bool]:
    """The open digits of the cells, those with most candidates first, and if pairs are few."""
    geometry = grid.geometry
    digits_of: dict[int, list[int]] = {}
    for cell, digit in sorted(open_in(grid)):
        digits_of.setdefault(cell, []).append(digit)
    pairs = sum(len(digits) <= 2 for digits in digits_of.values())
    pairs_are_few = pairs <= few < len(digits_of)

    def rank(cell: int) -> tuple[int, int, int]:
        around = sum(len(digits_of.get(peer, [])) for peer in geometry.peers_of(cell))
        return -len(digits_of[cell]), around if pairs_are_few else 0, -cell

    return [digits_of[cell] for cell in sorted(digits_of, key=rank)], pairs_are_few


@pytest.mark.parametrize("geometry", [s for s in SHAPES if 3 < s.size <= 9], ids=str)
def test_cells_come_in_the_order_of_their_candidates(
    geometry: Geometry, monkeypatch: pytest.MonkeyPatch
) -> None:
    octets = Octets(Places(geometry))
    kinds = set()
    for few in (0, 2, 10):
        monkeypatch.setattr(module, "FEW_PAIRS", few)
        for grid in [*boards_of(geometry), random_puzzle(Random(3), geometry, 0.2, 0.3).grid]:
            ones = octets.expand(eliminate_givens(grid).open_bits)
            digits_of: dict[int, list[int]] = {}
            for cell, digit in sorted(open_in(grid)):
                digits_of.setdefault(cell, []).append(digit)
            expected, pairs_are_few = sort_one_by_one(grid, few)
            assert octets.sort_cells(ones, digits_of.values()) == expected
            kinds.add(pairs_are_few)
    assert kinds == {False, True}


def test_large_cells_do_not_overflow_their_bytes() -> None:
    geometry = Geometry(3, 5)
    octets = Octets(Places(geometry))
    ones = octets.expand(eliminate_givens(Grid.empty(geometry)).open_bits)
    cells = [[cell] * 15 for cell in range(geometry.cell_count)]
    assert len(octets.sort_cells(ones, cells)) == geometry.cell_count


@shapes
def test_a_full_field_is_the_grid(geometry: Geometry) -> None:
    grid = full_grid(Random(1), geometry)
    octets = Octets(Places(geometry))
    placed = octets.expand(eliminate_givens(grid).placed_bits)
    assert octets.fill_grid(bytes(geometry.cell_count), placed) == bytes(grid.digits)
    thinned = bytes(thin_out(Random(1), grid, geometry.cell_count // 2).digits)
    rest = bytes(0 if known else digit for known, digit in zip(thinned, grid.digits, strict=True))
    missing = eliminate_givens(Grid(geometry, tuple(rest))).placed_bits
    assert octets.fill_grid(thinned, octets.expand(missing)) == bytes(grid.digits)
