"""Chaos construction in strings of ISS."""

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.notation.exchange.iss.automata import pack_automaton
from satdoku.notation.exchange.iss.items import write_pairs
from satdoku.notation.exchange.iss.writing import write_iss
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.automaton import Automaton
from satdoku.puzzle.rules.classic import Boxes
from tests.each import for_each

BOARD = ".Shape~4x4.NoBoxes.ChaosConstruction"


def rule_of(text: str) -> str:
    [rule] = satdoku.parse(text).rule_texts
    return rule.removeprefix("hidden-regions:")


@for_each(
    "text, argument",
    [
        ("", "no-boxes"),
        (".ChaosCount~R1C2", "count=r1c2,r1c1,r1c3,r2c1,r2c2,r2c3"),
        (".ChaosCount~R1C1~0~CC1~CC2~CC5", "count=r1c1,r1c2,r2c1"),
        (".ChaosCount~R1C1~1~CC1~CC2", "count-beside=r1c1,r1c2"),
        (".ChaosArrow~R1C1~~CC1~CC2~-~CC1~CC5", "reach=r1c1,r1c2+r2c1"),
        (".ChaosArrow~R1C1~0~CC1~-~CC1~CC5~CC9", "reach=r1c1,r2c1,r3c1"),
        (".SameValues~3~CC1~CC2~CC6", "same=r1c1,r1c2,r2c2"),
        (".AllDifferent~CC1~CC16", "apart=r1c1,r4c4"),
        (".CountDistinct~R1C1~CC1~CC2~CC3", "regions=r1c1,r1c1,r1c2,r1c3"),
    ],
)
def test_classes_are_clues_and_written_again(text: str, argument: str) -> None:
    puzzle = satdoku.parse(BOARD + text)
    assert rule_of(BOARD + text) == argument
    assert Boxes() not in puzzle.rules
    assert satdoku.parse(write_iss(puzzle)) == puzzle


def test_boxes_stand_beside_them_unless_the_string_says_otherwise() -> None:
    puzzle = satdoku.parse(".Shape~4x4.ChaosConstruction.AllDifferent~CC1~CC3")
    assert puzzle.rule_texts == ["hidden-regions:apart=r1c1,r1c3/boxes"]
    assert Boxes() in puzzle.rules
    assert satdoku.parse(write_iss(puzzle)) == puzzle


def test_regions_of_a_template_are_moved_with_it() -> None:
    assert rule_of(BOARD + ".And.AllDifferent~CC1~CC3.End.AllDifferent~CC1~CC4") == (
        "apart=r1c1,r1c3/apart=r1c1,r1c4"
    )


@for_each(
    "text, fault",
    [
        (".Shape~4x4.ChaosCount~R1C1", "no hidden regions without ChaosConstruction"),
        (f"{BOARD}.Thermo~CC1~CC2", "Thermo 1: hidden regions in Thermo cannot be read"),
        (f"{BOARD}.ChaosCount~R1C1~0~CC2~CC3", "r1c1 says something of another cell's region"),
        (f"{BOARD}.ChaosCount~R1C1~2~CC1~CC3", "'2' is neither 0 nor 1"),
        (f"{BOARD}.ChaosCount~R1C1~0~CC1~CC17", "'CC17' is not the region of a cell, CC1 to CC16"),
        (f"{BOARD}.ChaosArrow~R1C1~0~CC1", "there are no cells beside r1c1"),
        (f"{BOARD}.Or.AllDifferent~CC1~CC2.AllDifferent~CC1~CC3.End", "in Or cannot be read"),
        (f"{BOARD}.CountDistinct~R1C1~CC2~R1C3", "'R1C3' is not the region of a cell"),
        (".Shape~4x4.NoBoxes.ChaosConstruction~3", "ChaosConstruction 1: '3' is not understood"),
        (f"{BOARD}.ChaosArrow", "is not a cell of a board"),
        (f"{BOARD}.CountDistinct", "is not a cell of a board"),
        (f"{BOARD}.SameValues", "hidden regions|SameValues"),
    ],
)
def test_what_is_not_read_is_named(text: str, fault: str) -> None:
    with pytest.raises(SatdokuError, match=fault):
        satdoku.parse(text)


def test_a_relation_of_regions_is_refused() -> None:
    packed = write_pairs([(1, 2)], range(1, 5))
    with pytest.raises(SatdokuError, match="hidden regions in Pair cannot be read"):
        satdoku.parse(f"{BOARD}.Pair~{packed}~_x~CC1~CC2")


def test_an_automaton_that_counts_is_a_clue() -> None:
    packed = _counter(4, 3)
    counted = satdoku.parse(f"{BOARD}.NFA~{packed}~_suns~R1C1~CC1~CC2~CC5")
    assert counted.rule_texts == ["hidden-regions:count=r1c1,r1c2,r2c1"]
    assert isinstance(counted, Puzzle)
    with pytest.raises(SatdokuError, match="can be read only if it counts cells"):
        satdoku.parse(f"{BOARD}.NFA~{packed}~_suns~R1C1~CC1~CC2~CC5~CC6")


def _counter(size: int, cells: int) -> str:
    """An automaton of ISS that reads a number and the regions of so many cells, and counts."""
    digits = range(1, size + 1)
    # A state is what was read so far.
    states: list[tuple[int, ...]] = [()]
    ways = []
    for state in states:
        behind = [(*state, digit) for digit in digits] if len(state) <= cells else []
        states += behind
        ways.append([(each[-1], states.index(each)) for each in behind])
    ends = [
        number
        for number, state in enumerate(states)
        if len(state) == cells + 1 and state[1:].count(state[1]) == state[0]
    ]
    return pack_automaton(Automaton(ways, ends), digits)
