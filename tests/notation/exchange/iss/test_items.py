"""Arguments of ISS classes and of our rules, and back."""

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.items import (
    edges_among,
    number_of,
    our_cell,
    place_of,
    their_cells,
    weighted_sum,
)
from satdoku.notation.exchange.iss.table import CLASSES
from satdoku.puzzle.grid import Geometry
from tests.each import for_each


def test_rows_above_nine_are_letters() -> None:
    assert our_cell("RaC7", Geometry(4, 4)) == our_cell("RAC7", Geometry(4, 4)) == "r10c7"
    assert their_cells("r10c7,r16c1") == ["RaC7", "RgC1"]


@for_each("name", ["R1", "R1C10", "R5C1", "VD", "", "R0C1", "R1C1_5"])
def test_what_is_no_cell_is_named(name: str) -> None:
    with pytest.raises(RuleError, match="is not a cell of a board of 4x4"):
        place_of(name, Geometry(2, 2))


def test_neighbours_are_cells_that_share_a_side() -> None:
    assert edges_among(["R1C1", "R2C2", "R1C2"], Geometry(2, 2)) == ["r1c1,r1c2", "r2c2,r1c2"]


def test_cells_of_both_sums_cancel() -> None:
    assert weighted_sum(3, iter([("r1c1", 2), ("r1c2", 1), ("r1c2", -1)])) == "3=2*r1c1"


@for_each("text", ["", "x", "1.5", "9" * 9, "²"])
def test_what_is_no_number_is_named(text: str) -> None:
    with pytest.raises(RuleError, match="is not a number"):
        number_of(text)


@for_each(
    "name, args",
    [
        ("Cage", ["9", "R1C1", "R1C2"]),
        ("Cage", ["0", "R1C1", "R1C2"]),
        ("Thermo", ["R1C1", "R1C2"]),
        ("Whisper", ["4", "R1C1", "R1C2"]),
        ("Sum", ["5", "R1C1", "R1C2"]),
        ("Sum", ["5_=_2_-1", "R1C1", "R1C2"]),
        ("Arrow", ["R1C1", "R1C2", "R1C3"]),
        ("PillArrow", ["2", "R1C1", "R1C2", "R1C3"]),
        ("LittleKiller", ["12", "R1C3"]),
        ("Sandwich", ["5", "R3"]),
        ("XSum", ["C2", "7"]),
        ("XSum", ["C2", "", "7"]),
        ("Quad", ["R1C1", "3", "4"]),
        ("ContainExact", ["2_2", "R1C1", "R1C2", "R1C3"]),
        ("WhiteDot", ["R1C1", "R1C2"]),
        ("GreaterThan", ["R1C1", "R1C2"]),
        ("SameValues", ["2", "R1C1", "R1C2"]),
        ("Indexing", ["R", "R1C1", "R1C2"]),
        ("Diagonal", ["-1"]),
    ],
)
def test_arguments_come_back(name: str, args: list[str]) -> None:
    read = [(c, a) for c in CLASSES if c.name == name for a in c.shape.read(args, Geometry())]
    ((entry, argument),) = read
    assert entry.shape.write(argument, Geometry()) == [args]
