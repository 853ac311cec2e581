"""Classes of ISS are rules of ours, and name lines and their ends."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.notation.exchange.iss.table import (
    CLASSES,
    DOTS,
    LineAndEnds,
    NumberAndDiagonal,
    NumberAndLine,
)
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.registry import RULES
from tests.each import for_each


def test_a_clue_may_stand_at_both_ends() -> None:
    assert list(LineAndEnds().read(["RaC"[:2], "3", "4"], Geometry(4, 4))) == [
        "row10=3",
        "row10.left=4",
    ]
    assert list(LineAndEnds().read(["C2", "", "4"], Geometry())) == ["col2.up=4"]


@for_each("name", ["R1C1", "R1C9", "R5C1", "R1C5", "R5C9", "R9C5"])
def test_a_diagonal_has_one_name(name: str) -> None:
    shape = NumberAndDiagonal()
    (argument,) = shape.read(["20", name], Geometry())
    assert shape.write(argument, Geometry()) == [["20", name]]


def test_a_diagonal_read_from_the_other_end_is_the_same() -> None:
    assert NumberAndDiagonal().write("r9c5.ul=20", Geometry()) == [["20", "R5C1"]]


@pytest.mark.parametrize("argument", ["r2c2.dr=5", "r1c1.dl=5", "r5c5.ur=5"])
def test_a_diagonal_within_the_board_has_none(argument: str) -> None:
    with pytest.raises(SatdokuError, match="does not lead from border to border"):
        NumberAndDiagonal().write(argument, Geometry())


def test_a_sandwich_has_no_end() -> None:
    assert NumberAndLine().write("row3.left=5", Geometry()) == [["5", "R3"]]


def test_every_class_names_a_rule_of_ours() -> None:
    assert {entry.rule for entry in CLASSES} <= set(RULES)
    assert set(DOTS) <= {entry.name for entry in CLASSES}
