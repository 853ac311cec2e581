"""Automata over digits, compared with what they are meant to be, and tables made of machines."""

from itertools import pairwise, product

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.automaton import read_automaton
from satdoku.puzzle.rules.machine_rule import build_layers
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.each import for_each

# An even number of odd digits; and lines in which 3 comes right behind 1 somewhere.
EVEN = "@!13>1,24>0;13>0,24>1"
ONE_THREE = "@1234>0,1>1;3>2;!1234>2"


def test_an_automaton_takes_what_it_is_made_for() -> None:
    even, one_three = (read_automaton(text, range(1, 5)) for text in (EVEN, ONE_THREE))
    for line in product(range(1, 5), repeat=4):
        assert even.accepts(line) == (sum(digit % 2 for digit in line) % 2 == 0)
        assert one_three.accepts(line) == ((1, 3) in pairwise(line))


def test_digits_may_be_letters_and_begin_at_zero() -> None:
    assert read_automaton("@AC>1;!", range(1, 17)).accepts([12])
    assert read_automaton("@0>1;!", range(4)).accepts([0])
    assert not read_automaton("@9>1;!", range(1, 5)).accepts([9])


def test_the_rule_is_solved_as_it_is_judged() -> None:
    geometry = Geometry(2, 2)
    text = f"machine:r1c1,r2c3,r3c2,r4c4:{ONE_THREE}"
    puzzle = Puzzle(Grid.empty(geometry)).with_rules([read_rule(text, geometry)])
    assert puzzle.rule_texts == [text]
    outcome = check(puzzle)
    assert outcome.verdict is Verdict.MULTIPLE
    assert "follow a pattern, given as an automaton of 3 states" in puzzle.further_rules[
        0
    ].sentence(geometry)


@for_each(
    "text, fault",
    [
        ("@1>7", "'1>7' leads to no state; the last is 0"),
        ("@1>" + "9" * 5000, "leads to no state"),
        ("@1", "'1' is not digits and a state such as 12>1"),
        ("@>0", "is not digits and a state"),
        ("@é>0", "is not digits and a state"),
        ("@1>x", "is not digits and a state"),
        ("@" + ";" * 5000, "an automaton has at most 4,096 states"),
        ("@" + "1>0," * 30_000, "an automaton has at most 4,096 states and 100,000 signs"),
    ],
)
def test_faults_are_told(text: str, fault: str) -> None:
    with pytest.raises(SatdokuError) as caught:
        read_automaton(text, range(1, 5))
    assert fault in str(caught.value)


def test_a_machine_that_no_first_digit_enters_has_a_table() -> None:
    dead = ((-1, -1, -1),)
    assert (
        build_layers(3, range(1, 3), 0, lambda _state, _digit: None, lambda _state: True)
        == (dead,) * 3
    )


@for_each(
    "expression, fault",
    [
        ("", "the expression is missing"),
        ("[4-1]", "4-1 runs backwards in the expression '[4-1]'"),
        ("[]", "a pair of brackets allows no digit"),
        ("[^1-4]", "a pair of brackets allows no digit"),
        ("5", "5 is no digit of this board, in the expression '5'"),
        ("1A", "'A' is not understood in the expression '1A'; digits from 10 on stand in angles"),
        ("(1", "the end is not understood in the expression '(1'"),
        ("(" * 60 + "1", "nested too deeply"),
        ("(.{0,99}){99}", "repeats too much"),
        ("1" * 300, "an expression has at most 200 characters"),
    ],
)
def test_faults_of_expressions_are_told(expression: str, fault: str) -> None:
    with pytest.raises(SatdokuError) as caught:
        read_rule(f"machine:r1c1,r1c2:{expression}", Geometry(2, 2))
    assert fault in str(caught.value)
