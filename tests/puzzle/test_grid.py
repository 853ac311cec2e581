import dataclasses
from random import Random

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import SHAPES, full_grid, thin_out
from tests.each import for_each

shapes = for_each("geometry", SHAPES)


@shapes
def test_an_empty_board_has_no_givens_and_a_full_one_has_all(geometry: Geometry) -> None:
    full = full_grid(Random(1), geometry)
    assert Grid.empty(geometry).givens == {}
    assert not Grid.empty(geometry).is_full
    assert full.is_full
    assert len(full.givens) == geometry.cell_count


@shapes
def test_rows_are_the_digits_in_order(geometry: Geometry) -> None:
    grid = full_grid(Random(2), geometry)
    assert len(grid.rows) == geometry.size
    assert tuple(digit for row in grid.rows for digit in row) == grid.digits


def test_with_digits_changes_a_copy() -> None:
    empty = Grid.empty(Geometry(2, 2))
    changed = empty.with_digits({0: 4, 15: 1})
    assert changed.givens == {0: 4, 15: 1}
    assert empty.givens == {}
    assert empty.differences(changed) == (0, 15)


def test_a_grid_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Grid.empty(Geometry(2, 2)).digits = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("digits", "words"),
    [
        ((0,) * 15, "a board of 4x4 has 16 cells, not 15"),
        ((0,) * 17, "a board of 4x4 has 16 cells, not 17"),
        ((0,) * 6 + (5,) + (0,) * 9, "5 at r2c3 is not a digit 1-4"),
        ((0,) * 15 + (-1,), "-1 at r4c4 is not a digit 1-4"),
    ],
)
def test_what_is_no_board_is_refused(digits: tuple[int, ...], words: str) -> None:
    with pytest.raises(SatdokuError, match=words):
        Grid(Geometry(2, 2), digits)


def test_a_puzzle_knows_its_givens_and_shape() -> None:
    grid = thin_out(Random(3), full_grid(Random(3), Geometry(2, 3)), 10)
    puzzle = Puzzle(grid, name="tenner")
    assert puzzle.geometry == Geometry(2, 3)
    assert puzzle.givens == grid.givens
    assert len(puzzle.givens) == 10
