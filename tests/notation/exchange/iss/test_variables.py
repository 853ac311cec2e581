"""Variables of ISS: they say what a cell would say that holds the same digit."""

import pytest

import satdoku
from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.items import write_pairs
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.either import EitherRule
from tests.each import for_each

BOARD = ".Shape~4x4.~R1C2_3"


def count(text: str) -> int:
    return satdoku.count(read_iss(BOARD + text).puzzle()).number


@for_each(
    "text",
    [
        ".~VA_1_2",
        ".AllDifferent~R3C4~VA~R4C3",
        ".SameValues~3~R4C4~VA~R2C3",
        ".ValueIndexing~VA~R3C4~R2C1~R2C2~R2C3~R2C4",
        ".ValueIndexing~VA~R3C4~R2C3~R2C4",
        ".Pair~-9D~_x~R3C3~VA~R4C4~~R2C2~VA",
        ".PairX~-9D~_x~VA~R3C3",
        ".NFA~BNhsMmBjU0jYCXo~_x~R3C3~VA~R4C4~~R2C4~R3C2~R4C1",
        ".NFA~QO_XqA~_x~VA~~VA~R4C4",
        ".Sum~4_=_2_-1_1~R3C3~VA~R4C4",
        ".Sum~7_=_1_2_1~VA~R4C4~R4C2",
        ".Sum~9~VA~R2C3~R3C2~R4C4",
        ".EqualSum~VA~R2C4~-~R3C1~R4C2",
        ".Arrow~R4C4~VA~R2C2",
        ".Arrow~VA~R4C2~R3C3",
        ".Or.EqualSum~R2C3~-~R3C4~VA.EqualSum~R3C4~-~R2C3~VA.End",
        ".Or.EqualSum~R2C3~-~R3C4~VA.Sum~5_=_2_-1_1~R3C4~R2C3~VA.End",
        ".Or.And.EqualSum~R2C3~-~R3C4~VA.Sum~6~R2C3~R3C4~VA.End.EqualSum~R3C4~-~R2C3~VA.End",
        ".Or.~VA_1.~R4C4_2.End",
        ".Or.And.~VA_2~R4C4_1.End.AllDifferent~VA~R3C3.End",
        ".And.~VA_1_2.Sum~5~VA~R3C4.End",
    ],
)
def test_a_variable_says_what_its_cell_would(text: str) -> None:
    expected = count(text.replace("VA", "R1C1"))
    assert 0 < expected < count("")
    assert count(f".Var~A~name.SameValues~2~VA~R1C1{text}") == expected


def test_grids_are_counted_and_not_what_variables_hold() -> None:
    assert count(".Var~A~~3") == count("")
    assert count(".Var~A.~R4C4_2~VA_1~R4C1_1_2") == count(".~R4C4_2~R4C1_1_2")
    assert count(".Var~A~~3.AllDifferent~VA1~VA2.~VA1_1~VA3_2") == count("")
    assert count(".Var~A~~2.Sum~4~VA1~VA2~R1C1") == count(".~R1C1_1_2")
    assert count(".Var~A~~4.AllDifferent~VA1~VA2~VA3~VA4~R1C1") == 0


def test_a_cell_that_stands_there_twice_is_one_cell() -> None:
    pairs = write_pairs([(1, 2), (1, 3), (3, 3), (2, 4), (4, 2)], range(1, 5))
    assert count(f".Var~A.~VA_1.Pair~{pairs}~_~VA~R3C3~R3C3") == count(".~R3C3_3")
    assert count(".Var~A.~VA_1.EqualSum~VA~R2C3~-~R2C3~R4C4") == count(".~R4C4_1")


def test_digits_of_variables_that_do_not_go_together_leave_no_grid() -> None:
    foreign = read_iss(".Var~D.~VD_1.Or.~VD_2.~VD_3.End")
    verdict = satdoku.check(foreign.puzzle())
    assert verdict.verdict is satdoku.Verdict.NONE
    assert "no digits of VD go together" in str(verdict)


def test_automata_keep_their_names_where_variables_are_known() -> None:
    board = ".Shape~4x4.Var~D.~VD_1.NFA~BNhsMmBjU0jYCXo~_up%20hill~R1C1~VD"
    (rule,) = read_iss(board).puzzle().further_rules
    assert rule.sentence(Geometry(2, 2)).endswith("match the automaton up hill")


def test_a_difference_whichever_cell_is_greater_is_one_relation() -> None:
    (rule,) = (
        read_iss(".Var~D.~VD_3_4.Or.EqualSum~R1C1~-~R5C5~VD.EqualSum~R5C5~-~R1C1~VD.End")
        .puzzle()
        .further_rules
    )
    assert isinstance(rule, EitherRule)
    assert [[each.name for each in choice] for choice in rule.choices] == [["pair"], ["pair"]]


@for_each(
    "text, fault",
    [
        (".Var~D~x~2.Thermo~VD1~R1C1", "Thermo 1: a variable in Thermo is not read"),
        (".Var~D~x~8x8.AllDifferent~VD1~VD2~VD3~VD64", "VD1 to VD64: more than 5,000 choices"),
        (".Var~D~x~4.Sum~20~VD1~VD2~VD3~R1C1", "VD1 to VD3: 489 choices"),
        (".Var~D~x~2.Replicate~D~R1C1.Sum~5~R1C1~VD1.End", "a variable in Replicate is not read"),
        (".Var~D~x~9999", "Var 1: 9999 variables"),
        (".Var~D~x~0", "Var 1: 0 variables"),
        (".Var~D.ValueIndexing~R1C1~R1C2~VD~R1C4", "a variable is only read as its value"),
        (".Var~D~x~2.SameValues~2~VD1~VD2~R1C1~R1C2", "a variable in groups of SameValues"),
    ],
)
def test_what_is_not_read_is_said(text: str, fault: str) -> None:
    with pytest.raises(RuleError) as raised:
        read_iss(text).puzzle()
    assert fault in str(raised.value)
