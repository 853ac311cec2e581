"""A record is a plain value, so that it can travel."""

import pickle

from satdoku.notation.record import PUZZLE_NAMES, Record


def test_a_record_begins_at_the_left_margin_and_has_no_name_unless_said() -> None:
    assert Record(3, "1234") == Record(3, "1234", "", 1)


def test_records_travel_to_other_processes() -> None:
    record = Record(3, "1234", "Grid 01", 7)
    assert pickle.loads(pickle.dumps(record)) == record


def test_names_of_puzzles_are_small_and_none_stands_twice() -> None:
    assert all(name == name.lower() for name in PUZZLE_NAMES)
    assert len(set(PUZZLE_NAMES)) == len(PUZZLE_NAMES)
