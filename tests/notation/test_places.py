"""A fault gets a place once: where it was found first."""

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.places import with_place


def test_a_fault_without_a_place_gets_one() -> None:
    assert str(with_place(FormatError("odd"), "f", (3, 4))) == "f:3:4: odd"
    assert str(with_place(SatdokuError("odd"), "f", (3, 4))) == "f:3:4: odd"


def test_a_fault_keeps_its_place() -> None:
    assert str(with_place(FormatError("odd", "f", 1, 2), "g", (3, 4))) == "f:1:2: odd"
