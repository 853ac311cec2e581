import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.foreign import (
    our_cell,
    our_cells,
    our_diagonal,
    our_line,
    row_and_column,
    their_cells,
    their_place,
)
from tests.each import for_each


def test_cells_have_two_spellings() -> None:
    assert our_cells(["R1C2", "r3c4"], 4) == "r1c2,r3c4"
    assert their_cells("r1c2,r3c4") == ["R1C2", "R3C4"]
    assert row_and_column("R10C0") == (10, 0)


@for_each("name", ["R1", "R1C", "C1R1", "R100C1", "R-1C1", "R1C1 ", "", None, 3, []])
def test_what_is_no_cell_is_named(name: object) -> None:
    with pytest.raises(RuleError, match="is not a cell such as R1C1"):
        our_cell(name, 9)


@pytest.mark.parametrize("size", [4, 9])
def test_lines_have_a_place_outside(size: int) -> None:
    for number in range(1, size + 1):
        for line in (f"row{number}", f"col{number}", f"row{number}.left", f"col{number}.up"):
            assert our_line(their_place(line, size), size) == line


@for_each("name", ["R0C0", "R10C10", "R1C1", "R0C10", "R11C1"])
def test_a_place_elsewhere_is_beside_no_line(name: str) -> None:
    with pytest.raises(RuleError, match="is not beside a board of 9x9"):
        our_line(name, 9)


def test_diagonals_begin_one_step_inside() -> None:
    assert our_diagonal("R0C3", "DL", 9) == "r1c2.dl"
    assert our_diagonal("R10C2", "UR", 9) == "r9c3.ur"


def test_a_diagonal_that_leads_away_is_a_fault() -> None:
    with pytest.raises(RuleError, match="is not on a board of 9x9 then"):
        our_diagonal("R0C3", "UR", 9)
    for direction in ("up", "dr"):
        with pytest.raises(RuleError, match=f"'{direction}' is no direction such as DR"):
            our_diagonal("R0C3", direction, 9)
