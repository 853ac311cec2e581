import pytest

from satdoku.errors import SatdokuError
from satdoku.making.request import find_reason_against, read_mask
from satdoku.puzzle.grid import Geometry
from tests.oracle import count_solutions, solutions_of


def test_rows_may_be_separated_and_any_symbol_is_a_given() -> None:
    assert read_mask("#.0_/-x*./\n..5./...A", Geometry(2, 2)) == (0, 5, 10, 15)


def test_a_mask_of_another_size_is_refused() -> None:
    with pytest.raises(SatdokuError, match="a mask for 9x9 has 81 cells, not 5"):
        read_mask("#....", Geometry())


def test_two_empty_columns_in_a_stack_are_found() -> None:
    cells = [cell for cell in range(81) if cell % 9 not in (6, 7)]
    assert "column 7 and column 8 are both empty" in find_reason_against(Geometry(), cells)


def test_empty_lines_in_different_bands_are_no_reason() -> None:
    cells = [cell for cell in range(81) if cell // 9 not in (0, 3, 8)]
    assert find_reason_against(Geometry(), cells) == ""


def test_what_is_refused_on_4x4_is_impossible() -> None:
    """All 288 grids, each mask of 4 and 5 cells: a refused one is never unique."""
    geometry = Geometry(2, 2)
    grids = list(solutions_of(2, 2, [0] * 16))[::24]
    masks = [m for m in range(1 << 16) if bin(m).count("1") in (3, 4, 5)][::23]
    refused = 0
    for mask in masks:
        cells = [cell for cell in range(16) if mask >> cell & 1]
        if find_reason_against(geometry, cells):
            refused += 1
            for grid in grids:
                digits = [digit if cell in cells else 0 for cell, digit in enumerate(grid)]
                assert count_solutions(2, 2, digits, 2) == 2
    assert refused > 20
