"""A record can travel, and a fault gets its place once: where it was found first."""

import pickle

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.record import PUZZLE_NAMES, Record, with_place


def test_a_record_begins_at_the_left_margin_and_has_no_name_unless_said() -> None:
    assert Record(3, "1234") == Record(3, "1234", "", 1)


def test_records_travel_to_other_processes() -> None:
    record = Record(3, "1234", "Grid 01", 7)
    assert pickle.loads(pickle.dumps(record)) == record


def test_names_of_puzzles_are_small_and_none_stands_twice() -> None:
    assert all(name == name.lower() for name in PUZZLE_NAMES)
    assert len(set(PUZZLE_NAMES)) == len(PUZZLE_NAMES)


def test_a_fault_without_a_place_gets_one() -> None:
    assert str(with_place(FormatError("odd"), "f", (3, 4))) == "f:3:4: odd"
    assert str(with_place(SatdokuError("odd"), "f", (3, 4))) == "f:3:4: odd"


def test_a_fault_keeps_its_place() -> None:
    assert str(with_place(FormatError("odd", "f", 1, 2), "g", (3, 4))) == "f:1:2: odd"
