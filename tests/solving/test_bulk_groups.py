"""Whole-board arithmetic finds what a loop over candidates finds."""

from collections.abc import Iterator
from functools import cache
from operator import getitem
from random import Random

import pytest

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.solving.bulk import groups as module
from satdoku.solving.bulk.elimination import (
    OpenBoard,
    count_hidden_singles,
    eliminate,
    fill_grid,
    number_candidates,
)
from satdoku.solving.bulk.groups import GroupBuilder, SmallFormula
from satdoku.solving.bulk.tables import Tables, build_tables
from tests.boards import clashing_puzzle, full_grid, random_puzzle, thin_out

SHAPES = [Geometry(*shape) for shape in ((1, 2), (3, 1), (2, 2), (2, 3), (3, 3), (5, 2), (3, 5))]
shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)

Candidate = tuple[int, int]

tables_of = cache(build_tables)


def open_in(grid: Grid) -> set[Candidate]:
    """Cell and digit of what no given excludes, candidate by candidate."""
    digits, geometry = grid.digits, grid.geometry
    return {
        (cell, digit)
        for cell in range(geometry.cell_count)
        for digit in range(1, geometry.size + 1)
        if not digits[cell] and all(digits[peer] != digit for peer in geometry.peers_of(cell))
    }


def groups_in(geometry: Geometry, candidates: set[Candidate]) -> set[frozenset[Candidate]]:
    """What is open of each cell, and of each digit in each unit."""
    digits = range(1, geometry.size + 1)
    places = [[(cell, digit) for digit in digits] for cell in range(geometry.cell_count)]
    places += [
        [(cell, digit) for cell in unit.cells] for unit in geometry.units for digit in digits
    ]
    return {frozenset(candidates.intersection(group)) for group in places} - {frozenset()}


def boards_of(geometry: Geometry) -> Iterator[Grid]:
    rng = Random(2)
    yield full_grid(rng, geometry)
    for share in (0.3, 0.5, 0.7):
        yield thin_out(rng, full_grid(rng, geometry), round(geometry.cell_count * share))


def eliminate_givens(tables: Tables, grid: Grid) -> OpenBoard:
    return eliminate(tables, map(getitem, tables.effects, grid.digits))


def candidates_in(tables: Tables, ones: int) -> list[Candidate]:
    size = tables.geometry.size
    field = ones.to_bytes(tables.width, "big")
    places = [divmod(place, size + 1) for place, byte in enumerate(field) if byte]
    return [(cell, digit + 1) for cell, digit in places]


def read_groups(tables: Tables, formula: SmallFormula) -> set[frozenset[Candidate]]:
    return {
        frozenset(candidates_in(tables, formula.true_ones(list(group)))) for group in formula.groups
    }


@shapes
def test_elimination_leaves_what_the_peers_leave(geometry: Geometry) -> None:
    tables = tables_of(geometry)
    for grid in boards_of(geometry):
        board = eliminate_givens(tables, grid)
        assert set(candidates_in(tables, board.open_ones)) == open_in(grid)
        assert dict(candidates_in(tables, board.placed_ones)) == grid.givens
        assert not board.has_clash


@shapes
def test_clashing_givens_are_seen(geometry: Geometry) -> None:
    board = eliminate_givens(tables_of(geometry), clashing_puzzle(geometry).grid)
    assert board.has_clash


@shapes
def test_hidden_singles_are_counted_by_box(geometry: Geometry) -> None:
    tables = tables_of(geometry)
    for grid in boards_of(geometry):
        candidates = open_in(grid)
        expected = sum(
            sum((cell, digit) in candidates for cell in box.cells) == 1
            for box in geometry.boxes
            for digit in range(1, geometry.size + 1)
        )
        open_ones = eliminate_givens(tables, grid).open_ones
        assert count_hidden_singles(tables, open_ones) == expected


def test_some_boards_have_hidden_singles() -> None:
    grid = thin_out(Random(6), full_grid(Random(6), Geometry()), 40)
    tables = tables_of(Geometry())
    assert count_hidden_singles(tables, eliminate_givens(tables, grid).open_ones) > 5


@shapes
def test_numbers_have_no_gaps_up_to_254(geometry: Geometry) -> None:
    tables = tables_of(geometry)
    every = sorted(candidates_in(tables, tables.ones))
    some = Random(1).sample(every, min(254, len(every)))
    size = geometry.size
    ones = sum(1 << 8 * (tables.width - (size + 1) * cell - digit) for cell, digit in some)
    field = number_candidates(tables, ones).translate(None, b"\0\xff")
    assert field == bytes(range(1, len(some) + 1))


@shapes
@pytest.mark.parametrize("is_hard", [True, False], ids=["hard", "easy"])
def test_groups_are_those_of_the_open_candidates(geometry: Geometry, is_hard: bool) -> None:
    tables = tables_of(geometry)
    builder = GroupBuilder.of(tables)
    for grid in boards_of(geometry):
        board = eliminate_givens(tables, grid)
        formula = builder.build(board.open_ones, is_hard)
        assert read_groups(tables, formula) == groups_in(geometry, open_in(grid))
        numbers = {number for group in formula.groups for number in group}
        assert numbers == set(range(1, len(open_in(grid)) + 1))


@shapes
def test_lists_say_the_same_as_bytes(geometry: Geometry, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tables_of(geometry)
    builder = GroupBuilder.of(tables)
    for grid in boards_of(geometry):
        open_ones = eliminate_givens(tables, grid).open_ones
        by_bytes = builder.build(open_ones, is_hard=True)
        with monkeypatch.context() as patch:
            patch.setattr(module, "LARGEST_BYTE_FORMULA", -1)
            by_lists = builder.build(open_ones, is_hard=True)
        assert all(isinstance(group, tuple) for group in by_lists.groups)
        assert read_groups(tables, by_lists) == read_groups(tables, by_bytes)
        assert by_lists.empty == by_bytes.empty


def test_both_number_the_cells_with_fewest_candidates_last() -> None:
    tables = tables_of(Geometry())
    builder = GroupBuilder.of(tables)
    grid = random_puzzle(Random(3), Geometry(), 0.35, 0.4).grid
    open_ones = eliminate_givens(tables, grid).open_ones
    candidates = open_in(grid)
    formula = builder.build(open_ones, is_hard=True)
    order = [
        candidates_in(tables, formula.true_ones([n]))[0] for n in range(1, len(candidates) + 1)
    ]
    counts = [sum(other == cell for other, _ in candidates) for cell, _ in order]
    assert counts == sorted(counts, reverse=True)
    lists = builder._build_lists(open_ones)
    assert order == [
        candidates_in(tables, lists.true_ones([n]))[0] for n in range(1, len(order) + 1)
    ]


@shapes
def test_empty_groups_are_counted(geometry: Geometry) -> None:
    tables = tables_of(geometry)
    grid = full_grid(Random(1), geometry)
    formula = GroupBuilder.of(tables).build(eliminate_givens(tables, grid).open_ones, True)
    assert formula.empty == 4 * geometry.cell_count
    assert not formula.groups


@shapes
def test_a_full_field_is_the_grid(geometry: Geometry) -> None:
    grid = full_grid(Random(1), geometry)
    tables = tables_of(geometry)
    placed = eliminate_givens(tables, grid).placed_ones
    assert fill_grid(tables, placed) == bytes(grid.digits)
