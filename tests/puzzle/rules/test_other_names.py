import re

import pytest

from satdoku.puzzle.rules.registry import RULES, meant_by, suggest
from tests.each import for_each

SETTERS_SAY = """
german-whispers, Dutch Whispers, whisper lines: whispers
knight, knight's move, antiknight: anti-knight
king: anti-king
Sudoku X, diagonal sudoku: diagonal
hyper: windoku
disjoint: disjoint-groups
Extra Regions, non-repeating, argyle: extra-region
jigsaw, irregular: regions
x-v, XV pairs, X, v: xv
dots, white dots, Black Dot, consecutive: kropki
odd/even, parity: odd
thermometers, Rossini: thermo
slow thermometer: slow-thermo
Parity Line, battenburg, product: pair
same difference lines: either
Region Sum Lines, box sum line: region-sum
ten lines, 10 line: sum-line
cages, killer-x, sum cage: killer
frame sum, magic square: sum
quads, Quadruple Circles: quadruple
little killer sums: little-killer
numbered rooms: numbered-room
x sums: x-sum
Sandwich Sums: sandwich
Skyscrapers: skyscraper
1-5-9: column-indexer
pill arrows: arrow
less than, inequalities, Greater Than: greater
regular expression, NFA: machine
max: maximum
"""
SAID = [
    (each.strip(), rule)
    for names, rule in (line.split(": ") for line in SETTERS_SAY.split("\n") if line)
    for each in names.split(",")
]


@for_each("name, rule", SAID)
def test_what_setters_call_a_rule_is_found(name: str, rule: str) -> None:
    meant = meant_by(name, RULES) or suggest(name, RULES)
    head = re.split("[: ]", meant)[0]
    assert head.startswith(rule)
    assert head in RULES


@pytest.mark.parametrize("name", ["fog", "", "=", "53..7....6..195....98....6.8", "x" * 99999])
def test_what_is_no_name_of_a_rule_is_taken_for_none(name: str) -> None:
    assert suggest(name, RULES) == ""


def test_an_argument_follows_a_name_of_ours_and_no_other_name() -> None:
    assert meant_by("killer 7 r1c1,r1c2", RULES) == "killer:7=r1c1,r1c2"
    assert meant_by("german whispers r1c1 r1c2", RULES) == "whispers:5=CELLS"
    assert meant_by("knight=r1c1", RULES) == "anti-knight"


def test_one_stands_for_many_and_many_for_one() -> None:
    assert meant_by("window", RULES) == "windoku"
    assert meant_by("circle", RULES) == "counting-circles:CELLS"
    assert meant_by("kings", RULES) == "anti-king"


def test_a_slip_in_a_name_is_told_by_the_nearest_one() -> None:
    assert suggest("wispers 5=r1c1,r1c2", RULES) == "whispers"
    assert meant_by("wispers", RULES) == ""
    assert suggest("killer=7", RULES) == "killer"
