"""Classes of ISS that stand for several rules, against what they say of every grid of 4x4."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.iss.reading import read_iss
from satdoku.puzzle.rules.classic import CLASSIC
from tests.each import for_each
from tests.puzzle.rules.instances import every_grid

LINE = "R1C1~R2C2~R2C4~R3C3~R4C1"


def _sandwiched(total: int) -> Callable[[Sequence[int]], bool]:
    def is_kept(digits: Sequence[int]) -> bool:
        one, other = sorted((digits.index(min(digits)), digits.index(max(digits))))
        return len(set(digits)) == len(digits) and sum(digits[one + 1 : other]) == total

    return is_kept


def _counted(**counts: int) -> Callable[[Sequence[int]], bool]:
    return lambda digits: all(Counter(digits)[int(d[1:])] == n for d, n in counts.items())


def _in_parts(total: int) -> Callable[[Sequence[int]], bool]:
    def is_kept(digits: Sequence[int]) -> bool:
        ends = list(accumulate(digits))
        return ends[-1] % total == 0 and set(range(total, ends[-1] + 1, total)) <= set(ends)

    return is_kept


def _in_a_loop(total: int) -> Callable[[Sequence[int]], bool]:
    return lambda digits: any(
        _in_parts(total)([*digits[start:], *digits[:start]]) for start in range(len(digits))
    )


def _pointing(digits: Sequence[int]) -> bool:
    value, control, *behind = digits
    return 1 <= control <= len(behind) and behind[control - 1] == value


@for_each(
    "text, is_kept, lowest",
    [
        ("Lunchbox~0~R1C1~R2C2~R3C3", _sandwiched(0), 1),
        ("Lunchbox~0~R1C1~R3C3", _sandwiched(0), 1),
        ("Lunchbox~2~R1C1~R2C2~R2C4", _sandwiched(2), 1),
        ("Lunchbox~3~R1C1~R2C2~R2C4~R3C3", _sandwiched(3), 1),
        ("Lunchbox~5~R1C1~R2C2~R2C4~R3C3", _sandwiched(5), 1),
        ("Lunchbox~2~R1C1~R2C2~R2C4~R3C3", _sandwiched(2), 0),
        (f"LookAndSay~21~{LINE}", _counted(d1=2), 1),
        (f"LookAndSay~1122~{LINE}", _counted(d1=1, d2=2), 1),
        (f"LookAndSay~0213~{LINE}", _counted(d2=0, d3=1), 1),
        (f"LookAndSay~04~{LINE}", _counted(d4=0), 1),
        (f"LookAndSay~10~{LINE}", _counted(d0=1), 0),
        (f"ValueIndexing~{LINE}", _pointing, 1),
        (f"ValueIndexing~{LINE}", _pointing, 0),
        ("ValueIndexing~R1C1~R2C2~R4C4", _pointing, 1),
        ("SumLine~5~R1C1~R1C2~R2C3", _in_parts(5), 1),
        ("SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP", _in_a_loop(5), 1),
        ("SumLine~4~R1C1~R1C2~R2C3~R3C2~LOOP", _in_a_loop(4), 1),
        ("SumLine~3~R1C1~R1C2~R2C3~R3C2~LOOP", _in_a_loop(3), 0),
        ("Cage~5~R1C1~R2C2~R2C2", lambda d: d[0] != d[1] and d[0] + 2 * d[1] == 5, 1),
    ],
)
def test_classes_say_the_same_of_every_grid(
    text: str, is_kept: Callable[[Sequence[int]], bool], lowest: int
) -> None:
    puzzle = read_iss(f".Shape~4x4~{lowest}-{lowest + 3}.{text}").puzzle()
    cells = [int(row) * 4 + int(column) - 5 for row, column in re.findall(r"R(\d)C(\d)", text)]
    found = []
    for grid in every_grid(CLASSIC):
        clashes = [c for r in puzzle.rules for c in r.find_clashes(puzzle.geometry, grid.digits)]
        shown = [grid.digits[cell] + lowest - 1 for cell in cells]
        assert (not clashes) == is_kept(shown), (grid, shown)
        found.append(not clashes)
    assert set(found) == {True, False}


def test_a_sum_that_cannot_be_is_kept_by_no_grid() -> None:
    puzzle = read_iss(".Shape~4x4.Lunchbox~4~R1C1~R2C2~R3C3").puzzle()
    for grid in every_grid(CLASSIC):
        assert any(any(r.find_clashes(puzzle.geometry, grid.digits)) for r in puzzle.rules)
    one = read_iss(".Shape~4x4.Or.Lunchbox~4~R1C1~R2C2~R3C3.~R1C1_1.End").puzzle()
    assert (
        sum(
            not any(one.rules[-1].find_clashes(one.geometry, g.digits)) for g in every_grid(CLASSIC)
        )
        == 72
    )


def test_a_cell_that_points_to_itself_says_no_more() -> None:
    (rule,) = read_iss(".Shape~4x4.ValueIndexing~R1C1~R2C2~R1C1~R1C2").puzzle().rule_texts
    assert rule == "either:candidates:r2c2=1|candidates:r2c2=2&clone:r1c1=r1c2"


@for_each(
    "text, fault",
    [
        ("Lunchbox~4~R1C1~R1C2", "Lunchbox 1: nothing between 2 cells sums to 4"),
        ("Lunchbox~9" + "~R1C1" * 10, "Lunchbox 1: 10 cells cannot hold 9 digits once"),
        (
            "SumLine~0~R1C1~R1C2~LOOP",
            "SumLine 1: parts of a loop may sum to 1 to 30, not to 0",
        ),
        (
            "SumLine~999999~R1C1~R1C2~LOOP",
            "SumLine 1: parts of a loop may sum to 1 to 30, not to 999999",
        ),
        ("SumLine~10~LOOP", "SumLine 1: cells are missing"),
        ("LookAndSay~123~R1C1", "LookAndSay 1: '123' is not counts"),
        ("LookAndSay~1121~R1C1~R2C2~R3C3", "LookAndSay 1: 1121 counts a digit twice"),
        ("ValueIndexing~R1C1~R2C2", "ValueIndexing 1: 2 cells are no line"),
    ],
)
def test_faults_are_named(text: str, fault: str) -> None:
    with pytest.raises(RuleError, match=fault):
        read_iss(f".{text}").puzzle()
