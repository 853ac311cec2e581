"""Skyscrapers, told by fewer states where digits differ."""

from collections.abc import Sequence
from itertools import permutations

from satdoku.puzzle.constraints import Machine
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.outside import OutsideRule
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.questions import count, find_solutions
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, SMALL

SIX = Geometry(2, 3)


def machines_of(text: str, lowest: int) -> tuple[OutsideRule, Machine, Machine]:
    """A rule of a line of six, its machine, and the one for digits that differ."""
    rule, _ = read_rules([text, f"digits:{lowest}-{lowest + 5}"], SIX)
    (machine,) = rule.constraints(SIX)
    assert isinstance(rule, OutsideRule)
    assert isinstance(machine, Machine)
    assert isinstance(machine.by_cases, Machine)
    return rule, machine, machine.by_cases


def is_read(machine: Machine, digits: Sequence[int]) -> bool:
    state = 0
    for layer, digit in zip(machine.layers, digits, strict=True):
        state = layer[state][digit] if state >= 0 else -1
    return state >= 0


@for_each("kind", ["skyscraper", "hidden-skyscraper"])
@for_each("lowest", [0, 1, 2])
def test_fewer_states_say_the_same_of_digits_that_differ(kind: str, lowest: int) -> None:
    for number in range(lowest, lowest + 6):
        rule, machine, other = machines_of(f"{kind}:row1={number}", lowest)
        for digits in permutations(range(1, 7)):
            is_kept = rule.is_kept(SIX, 0, [rule.value(digit) for digit in digits])
            assert is_read(other, digits) is is_read(machine, digits) is is_kept


@for_each("kind", ["skyscraper", "hidden-skyscraper"])
def test_they_are_fewer(kind: str) -> None:
    _, machine, other = machines_of(f"{kind}:row1=3", 1)
    assert sum(map(len, other.layers)) < sum(map(len, machine.layers))


def test_digits_that_may_be_equal_are_read_by_the_machine_for_all() -> None:
    """Without columns, 2 may stand in one twice and be seen once, and is hidden later on."""
    for text in ("skyscraper:col1=2", "hidden-skyscraper:col1=2"):
        (rule,) = read_rules([text], SMALL)
        grid = Grid.empty(SMALL).with_digits({0: 2, 4: 3, 8: 2})
        puzzle = Puzzle(grid, rules=(LINES_ONLY[0], rule))
        assert not find_fault(next(iter(find_solutions(puzzle))), puzzle)


def test_lines_of_more_cells_than_digits_have_skyscrapers() -> None:
    board = Geometry.parse("board:1x4:raw:digits=2")
    rules = read_rules(["skyscraper:row1=2"], board)
    # A 1 at first, and a 2 behind it: 1222, 1122, 1112, 1221, 1212, 1121 and 1211.
    assert count(Puzzle(Grid.empty(board)).with_rules(rules)).number == 7
