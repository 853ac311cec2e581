import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.foreign import ForeignBoard, cells_board, geometry_of
from satdoku.puzzle.grid import Geometry
from tests.each import for_each
from tests.notation.exchange.boards import GRID
from tests.notation.samples import LINE


def test_the_parts_become_a_puzzle() -> None:
    foreign = ForeignBoard("somewhere", Geometry(2, 2), name="Tea")
    foreign.add_digit(0, 0, "3")
    foreign.allow(3, 3, [1, 2])
    foreign.add_rule("odd", "r1c1", "odd 1")
    foreign.set_regions([1, 1, 2, 2, 1, 2, 2, 3, 1, 4, 3, 3, 4, 4, 4, 3])
    puzzle = foreign.puzzle()
    assert puzzle.name == "Tea"
    assert puzzle.givens == {0: 3}
    assert puzzle.rule_texts == ["regions:AABB/ABBC/ADCC/DDDC", "odd:r1c1", "candidates:r4c4=1/2"]


def test_an_unknown_rule_is_named_with_its_place() -> None:
    with pytest.raises(RuleError, match="here: satdoku has no rule 'whale'"):
        ForeignBoard("somewhere", Geometry(2, 2)).add_rule("whale", "", "here")


def test_cells_are_a_board() -> None:
    assert cells_board(LINE, "here").puzzle().grid == GRID
    assert cells_board(LINE.replace(".", "0"), "here").puzzle().grid == GRID


@for_each("size", [0, -1, 37, 9.0, "9", None, True])
def test_a_size_that_is_none_is_refused(size: object) -> None:
    with pytest.raises(RuleError, match="boards of the size"):
        geometry_of(size)
