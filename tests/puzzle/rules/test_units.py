"""The cells of units, told apart from how the rules work them out."""

import pytest

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.classic import UnitRule
from satdoku.puzzle.rules.registry import read_rule
from tests.each import for_each


def drawing_of(text: str, geometry: Geometry) -> list[str]:
    """A letter for each cell of a rule's units; a dot for cells in none."""
    rule = read_rule(text, geometry)
    assert isinstance(rule, UnitRule)
    letters = ["."] * geometry.cell_count
    for letter, unit in zip("abcdefghi", rule.units(geometry), strict=False):
        for cell in unit.cells:
            assert letters[cell] == "."
            letters[cell] = letter
    size = geometry.size
    return ["".join(letters[row * size : (row + 1) * size]) for row in range(size)]


@for_each(
    "text, shape, drawing",
    [
        ("diagonal:/", (2, 2), "...a ..a. .a.. a..."),
        ("diagonal:\\", (2, 2), "a... .a.. ..a. ...a"),
        ("windoku", (2, 2), ".... .aa. .aa. ...."),
        ("disjoint-groups", (2, 2), "abab cdcd abab cdcd"),
        ("disjoint-groups", (2, 3), "abcabc defdef abcabc defdef abcabc defdef"),
        ("extra-region:r1c1,r2c2", (2, 2), "a... .a.. .... ...."),
        ("regions:AABB/ABBC/ADCC/DDDC", (2, 2), "aabb abbc adcc dddc"),
        ("boxes", (2, 3), "aaabbb aaabbb cccddd cccddd eeefff eeefff"),
        (
            "windoku",
            (3, 3),
            "......... .aaa.bbb. .aaa.bbb. .aaa.bbb. "
            "......... .ccc.ddd. .ccc.ddd. .ccc.ddd. .........",
        ),
    ],
)
def test_units_have_the_cells_that_players_expect(
    text: str, shape: tuple[int, int], drawing: str
) -> None:
    assert drawing_of(text, Geometry(*shape)) == drawing.split()


def test_a_cell_outside_all_regions_is_in_no_unit() -> None:
    geometry = Geometry(2, 2)
    rule = read_rule("regions:AAAA/..../..../BBBB", geometry)
    assert isinstance(rule, UnitRule)
    assert [unit.cells for unit in rule.units(geometry)] == [(0, 1, 2, 3), (12, 13, 14, 15)]


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_windows_leave_a_border_and_gaps_of_one_cell(side: int) -> None:
    geometry = Geometry(side, side)
    rule = read_rule("windoku", geometry)
    assert isinstance(rule, UnitRule)
    units = rule.units(geometry)
    assert len(units) == (side - 1) ** 2
    assert all(len(unit.cells) == geometry.size for unit in units)
    rows = {geometry.row_of(cell) for unit in units for cell in unit.cells}
    assert set(range(geometry.size)) - rows == set(range(0, geometry.size, side + 1))
