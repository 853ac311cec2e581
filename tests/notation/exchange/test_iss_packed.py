"""Relations and automata, packed here by other means than the ones that unpack them."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss import read_iss
from satdoku.notation.exchange.iss_packed import (
    Expressions,
    PairTables,
    read_pairs,
    unpack_automaton,
    write_pairs,
)
from tests.each import for_each


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_relations_come_back(pairs: set[tuple[int, int]]) -> None:
    assert set(read_pairs(write_pairs(sorted(pairs), range(6)), range(6))) == pairs


def test_a_relation_is_packed_as_iss_does() -> None:
    """Digits that differ by eight, as ISS has it in its own strings."""
    assert read_pairs("AEAAAAAAAAAAB", range(1, 10)) == [(1, 9), (9, 1)]
    assert write_pairs([(1, 9), (9, 1)], range(1, 10)) == "AEAAAAAAAAAAB"[:13]


def test_expressions_come_back() -> None:
    (argument,) = Expressions().read(["WzEyXSoz", "R1C1", "R1C2"], 9)
    assert argument == "r1c1,r1c2:[12]*3"
    assert Expressions().write(argument, 9) == [["WzEyXSoz", "R1C1", "R1C2"]]


def test_expressions_of_old_strings_are_read() -> None:
    assert list(Expressions().read(["%5B12%5D", "R1C1"], 9)) == ["r1c1:[12]"]


def test_groups_of_cells_have_names_and_gaps() -> None:
    found = PairTables().read(["C", "_a", "R1C1", "R1C2", "", "R2C1", "R2C2", "_b", "R3C1"], 4)
    assert [each.partition(":")[0] for each in found] == ["r1c1,r1c2", "r2c1,r2c2", "r3c1"]


def test_a_sign_that_is_none_is_named() -> None:
    with pytest.raises(RuleError, match=r"'\.' is no sign"):
        read_pairs("A.", range(1, 10))


Ways = list[list[tuple[int, int]]]

# Two states, the first of which begins and may end; digits are counted from 0.
EVEN: Ways = [[(0, 1), (1, 0), (2, 1), (3, 0)], [(0, 0), (1, 1), (2, 0), (3, 1)]]


def pack(bits: str) -> str:
    data = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def head(form: int, starts: int = 1, ends: int = 0, which: str = "1", bits: int = 1) -> str:
    numbers = f"{form:02b}{bits - 1:04b}{3:04b}{starts:0{bits}b}{ends:0{bits}b}"
    return numbers + which


def dense(ways: Ways, bits: int = 1) -> str:
    found = ""
    for state in ways:
        known = sum(1 << digit for digit, _ in state)
        found += f"{known:04b}" + "".join(f"{behind:0{bits}b}" for _, behind in state)
    return found


def sparse(ways: Ways, bits: int = 1) -> str:
    found = f"{3:04b}"
    for state in ways:
        found += f"{len(state):03b}"
        found += "".join(f"{digit:02b}{behind:0{bits}b}" for digit, behind in state)
    return found


@pytest.mark.parametrize(
    "packed", [pack(head(1) + dense(EVEN)), pack(head(0) + sparse(EVEN))], ids=["dense", "sparse"]
)
def test_both_forms_are_unpacked(packed: str) -> None:
    assert unpack_automaton(packed, 1, 4).startswith("@!13>1,24>0;13>0,24>1")
    assert unpack_automaton(packed, 0, 4).startswith("@!02>1,13>0;02>0,13>1")
    (rule,) = read_iss(f".Shape~4x4.NFA~{packed}~_even~R1C1~R1C2").puzzle().rule_texts
    assert rule.startswith("machine:r1c1,r1c2:@!13>1,24>0;13>0,24>1")


def test_several_beginnings_become_one() -> None:
    ways: Ways = [[(0, 2)], [(1, 2)], []]
    packed = pack(head(1, starts=2, ends=1, which="00", bits=2) + dense(ways, 2))
    assert unpack_automaton(packed, 1, 4).startswith("@1>3,2>3;1>3;2>3;!") or unpack_automaton(
        packed, 1, 4
    ).startswith("@12>3;1>3;2>3;!")


@for_each(
    "packed, fault",
    [
        ("", "is cut short"),
        ("!", "'!' is no packed automaton"),
        (pack(head(1) + dense(EVEN))[:2], "is cut short"),
        (pack(head(3)), "or of another form"),
        (pack("01" + "0000" + "1111" + "1" * 20), "this automaton is of 16 digits"),
        ("A" * 30_000, "an automaton of 30,000 characters is not read"),
    ],
)
def test_faults_are_told(packed: str, fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        unpack_automaton(packed, 1, 4)
    assert fault in str(caught.value)


def test_older_strings_have_the_last_signs_the_other_way_round() -> None:
    new = read_iss(".Pair~-_I~R1C1~R1C2").puzzle().rule_texts
    assert read_iss(".Binary~_-I~R1C1~R1C2").puzzle().rule_texts == new
    (rule,) = read_iss(".Shape~4x4.BinaryX~AE~~R1C1~R1C2~R2C1").puzzle().rule_texts
    assert rule == "each-pair:r1c1,r1c2,r2c1:3-1"
