"""Relations and expressions, as ISS packs them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.automata import Expressions
from satdoku.notation.exchange.iss.items import PairTables, read_pairs, write_pairs
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.grid import Geometry


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_relations_come_back(pairs: set[tuple[int, int]]) -> None:
    assert set(read_pairs(write_pairs(sorted(pairs), range(6)), range(6))) == pairs


def test_a_relation_is_packed_as_iss_does() -> None:
    """Digits that differ by eight, as ISS has it in its own strings."""
    assert read_pairs("AEAAAAAAAAAAB", range(1, 10)) == [(1, 9), (9, 1)]
    assert write_pairs([(1, 9), (9, 1)], range(1, 10)) == "AEAAAAAAAAAAB"[:13]


def test_expressions_come_back() -> None:
    (argument,) = Expressions().read(["WzEyXSoz", "R1C1", "R1C2"], Geometry())
    assert argument == "r1c1,r1c2:[12]*3"
    assert Expressions().write(argument, Geometry()) == [["WzEyXSoz", "R1C1", "R1C2"]]


def test_expressions_of_old_strings_are_read() -> None:
    assert list(Expressions().read(["%5B12%5D", "R1C1"], Geometry())) == ["r1c1:[12]"]


def test_groups_of_cells_have_names_and_gaps() -> None:
    found = PairTables().read(
        ["C", "_a", "R1C1", "R1C2", "", "R2C1", "R2C2", "_b", "R3C1"], Geometry(2, 2)
    )
    assert [each.partition(":")[0] for each in found] == ["r1c1,r1c2", "r2c1,r2c2", "r3c1"]


def test_a_relation_along_a_loop_is_read() -> None:
    found = read_iss(".Shape~4x4.Pair~AE~_~R1C1~R1C2~R2C2~R1C1").puzzle().rule_texts
    assert [text.rpartition(":")[0] for text in found] == ["pair:r1c1,r1c2,r2c2", "pair:r2c2,r1c1"]


def test_a_sign_that_is_none_is_named() -> None:
    with pytest.raises(RuleError, match=r"'\.' is no sign"):
        read_pairs("A.", range(1, 10))


def test_older_strings_have_the_last_signs_the_other_way_round() -> None:
    new = read_iss(".Pair~-_I~R1C1~R1C2").puzzle().rule_texts
    assert read_iss(".Binary~_-I~R1C1~R1C2").puzzle().rule_texts == new
    (rule,) = read_iss(".Shape~4x4.BinaryX~AE~~R1C1~R1C2~R2C1").puzzle().rule_texts
    assert rule == "each-pair:r1c1,r1c2,r2c1:3-1"
