"""Strings of ISS as trees of classes."""

import pytest

from satdoku.errors import FormatError, RuleError
from satdoku.notation.exchange.iss.items import parse_items, unfolded
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.grid import Geometry


def test_classes_hold_classes() -> None:
    (either,) = parse_items(".Or.And.X~R1C1~R1C2.End.V.End")
    assert [item.name for item in either.items] == ["And", "V"]
    assert either.items[0].items[0].args == ["R1C1", "R1C2"]


def test_templates_are_moved_with_what_they_hold() -> None:
    items = parse_items(".Replicate~I~R2C2.Or.~R2C2_5.Thermo~R2C2~R3C3.End.End")
    (moved,) = unfolded(items, Geometry())
    assert [item.args for item in moved.items] == [["R2C5_5"], ["R2C5", "R3C6"]]


def test_templates_in_templates_are_bounded() -> None:
    text = f".Replicate~{'_' * 13}" + ".~R1C1_1" * 300 + ".End"
    with pytest.raises(RuleError, match=r"Replicate \d: there are too many classes"):
        read_iss(text)


def test_a_string_of_megabytes_is_refused() -> None:
    with pytest.raises(FormatError, match="up to 1,048,576 are read"):
        read_iss(".Cage~9~R1C1" * 500_000)
