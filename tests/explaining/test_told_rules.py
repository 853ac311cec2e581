"""What is said of steps with rules: dots, lines, sums and places, each with what it leaves."""

import random
from itertools import product

import pytest

from satdoku.explaining.board import build_board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.step import Level, Technique
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.explaining.words.sums import _least
from satdoku.explaining.words.supposed import Reasons
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from tests.each import for_each
from tests.explaining.judging import StepJudge
from tests.explaining.samples import basic_way

SMALL, USUAL = Geometry(2, 2), Geometry(3, 3)


def told(
    geometry: Geometry, *rules: str, givens: dict[int, int] | None = None, most: int | None = None
) -> list[str]:
    """The steps of the level basic, or the first of them, in words."""
    grid = Grid.empty(geometry).with_digits(givens or {})
    puzzle = Puzzle(grid).with_rules(read_rules(rules, geometry))
    return list(Teller(basic_way(puzzle, most)).tell())


def told_all(geometry: Geometry, *rules: str) -> list[str]:
    """The steps of all levels, in words."""
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(read_rules(rules, geometry))
    return list(Teller(explain(puzzle).way).tell())


@for_each(
    "rules, first",
    [
        (
            ["ratio:2=r1c1,r1c2"],
            "Ratio: r1c1 and r1c2 have the ratio 2; so r1c1≠5/7/9, r1c2≠5/7/9.",
        ),
        (
            ["greater:r5c5,r6c5"],
            "Greater: r5c5 is greater than r6c5; so r5c5≠1, r6c5≠9.",
        ),
        (
            ["little-killer:r1c6.dr=30"],
            "Little killer: the diagonal from r1c6 down and right sums to 30: r1c6 and r4c9 are "
            "each at least 4 (the others come to at most 26) and r2c7 and r3c8 are each at least 3 "
            "(the others come to at most 27); so r1c6 and r4c9 are 4 to 9 and r2c7≠1/2, r3c8≠1/2.",
        ),
        (
            ["sum:12=r1c1,r5c1"],
            "Sum: the digits in r1c1,r5c1 sum to 12: r1c1,r5c1 are only {3,9}, {4,8} or "
            "{5,7}; so r1c1≠1/2/6, r5c1≠1/2/6.",
        ),
        (
            ["zipper:r1c1,r1c2,r1c3"],
            "Zipper: r1c1+r1c3 = r1c2, on a zipper: r1c1 and r1c3 are each at most 8 "
            "(r1c2 is at most 9 and the other is at least 1) and r1c2 is at least 3 (r1c1 and r1c3 "
            "come to at least 3); so r1c1≠9, r1c2≠1/2, r1c3≠9.",
        ),
        (
            [
                "arrow:r8c6,r8c7=r9c8,r9c9,r8c9,r7c9,r6c9,r5c9,r4c9,r3c9,r2c9,r1c9,r1c8,r1c7,"
                "r1c6,r1c5"
            ],
            "Arrow: the digits along the arrow r9c8,r9c9,r8c9,r7c9 and 10 more cells sum to the "
            "number in its pill r8c6,r8c7: the 14 cells from r9c8 to r1c5 come to at least 56, so "
            "the number in r8c6,r8c7 is at least 56; the 14 cells from r9c8 to r1c5 come to at "
            "most 84, so the number in r8c6,r8c7 is at most 84; so r8c6 is 5 to 8.",
        ),
        (
            # The middle cell counts twice.
            ["sequence:r4c3,r3c3,r4c4"],
            "Sequence: r3c3 is the middle of r4c3 and r4c4, on a sequence line: r4c3 and r4c4 come "
            "to at least 3, so twice r3c3 is at least 3; r4c3 and r4c4 come to at most 17, so "
            "twice r3c3 is at most 17; so r3c3≠1/9.",
        ),
        (
            ["contain:1=r1c4,r2c5,r4c9", "candidates:r4c9=2/3"],
            "Contain: r1c4,r2c5,r4c9 contain 1: only r1c4 or r2c5 can be 1, both in box 2; so "
            "r1c5≠1, r1c6≠1, r2c4≠1, r2c6≠1, r3c4≠1, r3c5≠1, r3c6≠1.",
        ),
        (
            ["contain:1/2=r1c4,r2c5,r3c6"],
            "Contain: r1c4,r2c5,r3c6 contain 1 and 2; r1c4, r2c5 and r3c6 are all in box 2; so "
            "r1c5≠1/2, r1c6≠1/2, r2c4≠1/2, r2c6≠1/2, r3c4≠1/2, r3c5≠1/2.",
        ),
        (
            ["column-indexer:r3c1", "candidates:r3c6=2/3/4/5/6/7/8/9"],
            "Column indexer: r3c1 says in which column of row 3 the 1 stands: if r3c1 is 6, r3c6 "
            "is 1, but r3c6 cannot be 1; so r3c1≠6.",
        ),
        (
            ["column-indexer:r2c9", "candidates:r2c9=4/7"],
            "Column indexer: r2c9 says in which column of row 2 the 9 stands: if it is 4, it is "
            "the 4 of row 2 and r2c4 is 9; if it is 7, it is the 7 of row 2 and r2c7 is 9; so "
            "r2c4≠7, r2c7≠4.",
        ),
        (
            ["counting-circles:r1c1,r5c5,r9c9"],
            "Counting circles: 4 stands in none of the 3 circles; so r1c1≠4, r5c5≠4, r9c9≠4.",
        ),
        (
            ["difference:1=r1c1,r1c2", "odd:r1c1"],
            "Difference: r1c1 is 1, 3, 5, 7 or 9; r1c1 and r1c2 differ by 1; so r1c2≠1/3/5/7/9.",
        ),
        (
            ["sum:14=r1c1,r1c2,r1c3", "candidates:r1c2=1/3/5/7/9,r1c3=1/3/5/7/9"],
            "Sum: the digits in r1c1,r1c2,r1c3 sum to 14: with 1, 3, 5, 7 or 9 in r1c1 the others "
            "would come to 13, 11, 9, 7 or 5, which they cannot; so r1c1≠1/3/5/7/9.",
        ),
        (
            ["arrow:r1c1=r1c2,r1c3", "candidates:r1c2=1/3/5/7/9,r1c3=1/3/5/7/9"],
            "Arrow: the digits along the arrow r1c2,r1c3 sum to the number in its circle r1c1: "
            "r1c2 and r1c3 are 1, 3, 5, 7 or 9; so r1c1 is 4, 6 or 8 and r1c2≠9, r1c3≠9.",
        ),
        (
            ["killer:20=r6c6,r7c6,r7c7", "candidates:r7c6=3/5/9,r7c7=5/6/8"],
            "Killer cage: the cage r6c6,r7c6,r7c7 holds different digits that sum to 20: only "
            "{3,8,9}, {5,6,9} or {5,7,8}; with 8 in r6c6 the others would be {3,9} (r7c7 can be "
            "neither) or {5,7} (none of them can be 7); so r6c6≠1/2/4/8.",
        ),
        (
            ["contain-exact:5/5=r1c1,r5c8,r5c9"],
            "Contain exact: r1c1,r5c8,r5c9 contain exactly two 5s: if r1c1 is not 5, only r5c8 and "
            "r5c9 can be 5, at most 1 of them at once; so r1c1=5.",
        ),
        (
            ["extra-region:r1c1,r5c5,r9c9,r2c7", "candidates:r1c1=1/2,r5c5=1/2"],
            "Naked pair: r1c1 and r5c5, in the extra region at r1c1, can only be 1 or 2, so they "
            "take both of these digits; r1c5 and r5c1 see both of them; so r1c5≠1/2, r2c7≠1/2, "
            "r5c1≠1/2, r9c9≠1/2.",
        ),
        (
            # A 6 is in one of the combinations, but the 8 beside it is gone.
            ["killer:14=r1c1,r1c2", "candidates:r1c1=6/7/8/9,r1c2=5/6/7"],
            "Killer cage: the cage r1c1,r1c2 holds different digits that sum to 14: only {5,9} or "
            "{6,8}; "
            "with 6 in r1c1 the other would be 8, which it cannot be; so r1c1≠6/7, r1c2≠7.",
        ),
        (
            ["either:candidates:r2c6=8|skyscraper:col6.up=8"],
            "Either: either r2c6 holds 8, or in column 6 from below, 8 digits are seen, each "
            "greater than all before: if r4c6, r5c6, r6c6, r7c6, r8c6 or r9c6 is 8, the first "
            "fails as r2c6 cannot be 8, and the second as fewer than 8 digits would be seen; so "
            "r4c6≠8, r5c6≠8, r6c6≠8, r7c6≠8, r8c6≠8, r9c6≠8.",
        ),
        (
            ["either:candidates:r2c6=8|skyscraper:col6.up=8", "candidates:r2c6=1/2/3/9"],
            "Either: either r2c6 holds 8, or in column 6 from below, 8 digits are seen, each "
            "greater than all before: with each of the digits excluded here, the first fails as "
            "r2c6 cannot be 8, and the second as fewer than 8 digits would be seen; so "
            "r3c6 is 7 or 8, r4c6 is 6 or 7, r5c6 is 5 or 6, "
            "r6c6 is 4 or 5, r7c6 is 3 or 4, r8c6 is 2 or 3 and r9c6 is 1 or 2.",
        ),
        (
            # One of many reasons.
            ["either:sum:0=r5c2,r5c3,-10*r5c1,-r5c9|sum:0=r5c2,r5c3,-r5c1,-10*r5c9"],
            "Either: either r5c2+r5c3 = 10*r5c1+r5c9, or r5c2+r5c3 = r5c1+10*r5c9: if r5c2 or r5c3 "
            "is 2, r5c1 and r5c9 would hold the same digit, but both are in row 5; the reasons for "
            "the other digits are left out here; so r5c1≠8/9, r5c2≠1/2, r5c3≠1/2, r5c9≠8/9.",
        ),
        (
            # What is said of two cells comes before what three rules come to.
            ["sum:5=r5c5,r6c5", "greater:r5c5,r6c5"],
            "Greater: r5c5 is greater than r6c5; so r5c5≠1, r6c5≠9.",
        ),
    ],
)
def test_a_rule_is_told_with_what_it_leaves(rules: list[str], first: str) -> None:
    assert told(USUAL, *rules, most=1)[0] == first


def test_a_digit_of_the_ways_of_an_x_sum_that_goes_fits_none_of_them() -> None:
    _, second = told(USUAL, "x-sum:row1=10", "candidates:r1c1=3,r1c2=1/2")
    assert second == (
        "X-sum: in row 1 the first X digits sum to 10, X the first one: with 3 in r1c1, r1c2,r1c3 "
        "are only {1,6} or {2,5}; with 1 or 2 in r1c3 none of them fits; so r1c3 is 5 or 6."
    )


def test_the_ways_of_an_x_sum_name_the_cells_that_hold_their_digits() -> None:
    [first] = told(USUAL, "x-sum:row1=10", "candidates:r1c1=3/4", most=1)
    assert first == (
        "X-sum: in row 1 the first X digits sum to 10, X the first one: with 3 in r1c1, r1c2,r1c3 "
        "are only {1,6} or {2,5}; with 4 in r1c1, r1c2,r1c3,r1c4 are only {1,2,3}; "
        "so r1c2≠4/7/8/9, r1c3≠4/7/8/9, r1c5≠3, r1c6≠3, r1c7≠3, r1c8≠3, r1c9≠3."
    )


@pytest.mark.parametrize(
    ("rules", "givens", "first"),
    [
        (
            "between:r1c1,r2c2,r3c3",
            {0: 3},
            "Between: the digits on the line r1c1,r2c2,r3c3 lie between those at its ends: r1c1 is "
            "3; so r2c2≠1/9, r3c3≠2/4.",
        ),
        (
            "between:r1c1,r1c2,r2c2,r3c3",
            {1: 6, 20: 2, 10: 7},
            "Between: the digits on the line r1c1,r1c2,r2c2,r3c3 lie between those at its ends: "
            "with r1c2=6, r2c2=7 and r3c3=2, r1c1 is only 8 or 9; so r1c1 is 8 or 9.",
        ),
        (
            "quadruple:3/5=r1c1",
            {0: 1, 1: 2, 45: 5},
            "Quadruple: r1c1,r1c2,r2c1,r2c2 contain 3 and 5: only r2c2 can be 5; so r2c2=5.",
        ),
        (
            "sum:16=r2c7,r3c7,r3c8",
            {25: 6},
            "Sum: the digits in r2c7,r3c7,r3c8 sum to 16: with r3c8=6, r2c7,r3c7 are only {1,9}, "
            "{2,8} or {3,7}; so r2c7≠4/5, r3c7≠4/5.",
        ),
        (
            "sum:31=r1c1,r2c2,r3c3,r4c4",
            {0: 9},
            "Sum: the digits in r1c1,r2c2,r3c3,r4c4 sum to 31: r2c2 and r3c3 are each at least 5 "
            "(the others come to at most 26) and r4c4 is at least 7 (the others come to at most "
            "24); so r2c2 and r3c3 are 5 to 8 and r4c4 is 7 to 9.",
        ),
    ],
)
def test_what_is_given_takes_part(rules: str, givens: dict[int, int], first: str) -> None:
    assert told(USUAL, rules, givens=givens, most=1)[0] == first


def test_large_cages_come_before_what_follows_from_them_unless_that_is_a_single_cell() -> None:
    two = told(USUAL, "killer:3=r1c1-2", "killer:35=r1c3-7", most=2)
    assert [text.partition(":")[0] for text in two[:2]] == ["Killer cage"] * 2
    one = told(USUAL, "killer:3=r1c1-2", "killer:37=r1c3-8", most=1)
    assert one[0].startswith(
        "Rule of 45: row 1 adds up to 45, and the cages within it add up to 40, so r1c9 is 5"
    )


def test_places_of_a_digit_name_what_keeps_it_from_others() -> None:
    first = told(SMALL, "anti-king", givens={0: 1}, most=1)[0]
    assert first == (
        "Locked candidates: in row 1, 2 can only be in r1c2, r1c3 or r1c4, each of which sees "
        "r2c3 (r1c2 a king's move away, r1c3 and r1c4 in box 2); so r2c3≠2."
    )


def test_rules_told_together_name_nothing_that_has_no_part() -> None:
    rules = ["renban:r1c1,r2c2,r3c3", "greater:r1c1,r2c2", "sum:9=r1c1,r3c3,r4c4"]
    puzzle = Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))
    way = explain(puzzle, Scope(Level.BASIC)).way
    StepJudge(puzzle).judge(way)
    texts = [
        text
        for step, text in zip(way.steps, Teller(way).tell(), strict=True)
        if step.technique in (Technique.TOGETHER, Technique.SUM)
    ]
    # With 1 in r3c3, r1c1 is 2 or 3 by the line alone, and the sum is not reached.
    assert texts
    assert not any("r1c1 is greater than r2c2" in text for text in texts)


def test_the_least_of_cells_that_differ_is_that_of_all_their_fillings() -> None:
    chance = random.Random(11)
    for _ in range(300):
        masks = [chance.randrange(2, 32, 2) for _ in range(chance.randint(1, 4))]
        worths = [0, *chance.sample(range(-9, 10), 4)]
        ways = [way for way in product(*map(digits_of, masks)) if len({*way}) == len(way)]
        if ways:
            assert _least(masks, worths) == min(sum(worths[d] for d in way) for way in ways)


def test_only_what_is_said_of_two_cells_that_takes_part_is_told() -> None:
    """The first of these rests on neighbours, the second on the box alone."""
    steps = told(Geometry(2, 3), "non-consecutive", "arrow:r2c2=r3c2,r3c3", givens={27: 6})
    arrow = (
        "Rules together: the digits along the arrow r3c2,r3c3 sum to the number in its circle r2c2"
    )
    assert [text for text in steps if text.startswith(arrow)] == [
        f"{arrow}; r6c2 is not 5; r5c2 is 1 to 5; r3c2 and each of r3c3 and r4c2 share a side and "
        "cannot be consecutive; r5c2 and each of r4c2 and r6c2 share a side and cannot be "
        "consecutive.\n  If r4c2 is 4, r2c2,r3c2,r3c3 are only 615 in this order, so r3c2 is 1 and "
        "r2c2 is 6, so r5c2≠1, r6c2≠6; then r6c2 is 1, 2 or 3, so r5c2≠2; then r5c2 has no digit "
        "left; so r4c2≠4.",
        f"{arrow}; r4c2 is 1, 5 or 6.\n  If r3c3 is 5, r2c2,r3c2 are only 61 in this order, so "
        "r3c2 is 1 and r2c2 is 6, so r4c2≠1/6; then r4c2 has no digit left; so r3c3≠5.",
    ]


def test_a_digit_without_partner_is_not_told_as_one_that_stands_twice() -> None:
    """Two cells of a column have the ratio 2, which says nothing of the same digit in both."""
    steps = told(USUAL, "kropki:black=r1c6,r1c7/black=r1c7,r2c7", most=2)
    # What is left in r1c7 takes no part, as 5, 7 and 9 have no partner at all.
    assert steps[1] == "Kropki: r1c7 and r2c7 have the ratio 2; so r2c7≠5/7/9."


def test_cells_that_differ_for_one_of_two_digits_only_are_no_remote_pair() -> None:
    """In r4c1 and r2c3, four steps apart, 4 cannot stand twice, but 1 can."""
    steps = told_all(SMALL, "anti-taxicab")
    assert not any(text.startswith("Remote pair") for text in steps)
    assert (
        "XY-chain: if r4c1 is not 1, then r4c1=4 (only digit left), so r2c3 is not 4 (r2c3 and "
        "r4c1 are not both 4, 4 steps apart), then r2c3=1 (only digit left). So r4c1=1 or r2c3=1; "
        "r2c1 and r4c3 see both, so r2c1≠1, r4c3≠1."
    ) in steps


def test_places_of_a_digit_name_what_none_of_them_can_be() -> None:
    """Only 2 is left of the low digits of an area, so the cells that see all its places lose 2."""
    left = "r1c1=4/5/6,r1c2=2/4/5/7/8,r2c1=2/4/6/7/8,r2c2=2/5/6/7/9"
    [first] = told(USUAL, "global-entropy", f"candidates:{left}", most=1)
    assert (
        "hold a low digit (1, 2 or 3): only 2 is left, in r1c2, r2c1 or r2c2, all in box 1; so"
        in first
    )
    assert "besides" not in first


def test_the_other_of_two_places_is_told_if_a_rule_about_them_says_what_it_is() -> None:
    own = [f"{c}=2/3/5/6/8/9" for c in ("r5c6", "r6c6")] + ["r5c5=2/3/7/8", "r6c5=2/3/7/8"]
    rules = "global-modular", "pair-sum:10=r5c5,r6c5", f"candidates:{','.join(own)}"
    [first] = told(USUAL, *rules, most=1)
    assert (
        "r5c5,r5c6,r6c5,r6c6 hold one of 1, 4, 7: only 7 is left, in r5c5 or r6c5; r5c5 and r6c5 "
        "sum to 10, so one of them is 7 and the other 3; so r5c5≠2/8, r5c6≠3, r6c5≠2/8, r6c6≠3."
    ) in first


def test_several_rules_are_numbered_and_each_conclusion_names_its_own() -> None:
    rules = ["arrow:r2c1=r2c2,r3c3", "contain-exact:3/4=r2c1,r2c3,r4c4"]
    assert (
        "Rules together: (1) the digits along the arrow r2c2,r3c3 sum to the number in its circle "
        "r2c1; (2) r2c1,r2c3,r4c4 contain exactly one 3 and one 4.\n  If r4c4 is 4, by (2), r2c3 "
        "is 2 and r2c1 is 3, so r2c2≠2/3, r3c3≠2; then by (1), r2c2 and r3c3 come to 2 but r2c1 "
        "is 3; so r4c4≠4."
    ) in told_all(SMALL, *rules)


def test_cells_that_are_to_hold_different_digits_are_told_one_by_one() -> None:
    """Above a 2 stands a 1, or below it a 4; neither cell is said to lack the other's digit."""
    steps = told(SMALL, "dutch-flatmates", "candidates:r2c1=1/3")
    assert any("r2c1 cannot be 4, so r1c1 is not 2; so r1c1≠2" in text for text in steps), steps
    assert not any("none of" in text for text in told_all(SMALL, "dutch-flatmates"))


@for_each(
    "rules, expected",
    [
        (
            ["either:candidates:r1c1=2|candidates:r1c2=2", "candidates:r1c2=1/3/4"],
            "Either: either r1c1 holds 2, or r1c2 holds 2: only r1c1 can be 2; so r1c1=2.",
        ),
        (
            ["arrow:r1c1=r1c2,r3c3", "candidates:r1c2=1/2,r1c1=2/3/4"],
            "Arrow: the digits along the arrow r1c2,r3c3 sum to the number in its circle r1c1: "
            "r1c1,r1c2,r3c3 are only 211, 312, 321, 413 or 422 in this order, none with 4 in "
            "r3c3; so r3c3≠4.",
        ),
        (
            ["digits:0-3", "arrow:r3c3=r1c1,r3c1", "candidates:r1c1=0/1"],
            "Arrow: the digits along the arrow r1c1,r3c1 sum to the number in its circle r3c3: "
            "r3c3,r1c1,r3c1 are only 110 or 312 in this order, each with 1 in r1c1; so r1c1=1.",
        ),
    ],
)
def test_what_clashes_is_named(rules: list[str], expected: str) -> None:
    assert told(SMALL, *rules)[0] == expected


def test_digits_left_for_a_cage_are_told_with_what_they_come_to() -> None:
    steps = told(USUAL, "killer:15=r3c9,r4c9", "killer:13=r6c9,r7c9", "candidates:r7c9=4/5/6/7")
    text = next(each for each in steps if each.startswith("Rules together"))
    assert "r6c9,r7c9 have only 4, 5 and 6 left, which come to at most 11" in text
    assert "r6c9,r7c9 have only 7 and 8 left, which come to 15" in text


@for_each(
    "geometry, rules, expected",
    [
        (
            Geometry(2, 3),
            ["numbered-room:row1=1", "numbered-room:row1.left=6", "candidates:r1c2=2/3/4/5"],
            "in row 1, 1 stands at the place that the first digit says: if r1c1 is 2, r1c2 is 1; "
            "in row 1 from the right, 6 stands at the place that the first digit says: if r1c6 is "
            "5, r1c2 is 6, but r1c2 cannot be 1 or 6; so r1c1≠2, r1c6≠5.",
        ),
        (
            Geometry(2, 3),
            ["numbered-room:column1=1", "numbered-room:column1.up=6"],
            "if r6c1 is 6, r1c1 is 6; 6 goes only with 6, but r1c1 and r6c1 are both in column 1; "
            "6 in r1c1 needs 1 in r6c1, but r6c1 cannot be 1; so r1c1≠6, r6c1≠6.",
        ),
        (
            Geometry(2, 3),
            ["numbered-room:column5=2", "candidates:r1c5=4/6"],
            "the first digit says: r1c5 is 4 or 6; if r1c5 is 4, r4c5 is 2 and column 5 has its "
            "4; if r1c5 is 6, r6c5 is 2 and column 5 has its 6; so r4c5≠6, r6c5≠4.",
        ),
        (
            Geometry(2, 3),
            ["numbered-room:column4=6", "numbered-room:column4.up=6"],
            "if r6c4 is 6, r1c4 is 6; 6 goes only with 6, but r1c4 and r6c4 are both in column 4; "
            "so r1c4≠6, r6c4≠6.",
        ),
        (
            USUAL,
            [
                "machine:r1c1,r5c5,r9c9:@next:1>1,2>2,3>3;2>4;3>4;4>4;123456789>5;!",
                "candidates:r1c1=1/2/3,r5c5=3/4",
            ],
            'follow the rule "next": if r1c1 is 1, the automaton allows only 2 in r5c5, which '
            "cannot hold it; so r1c1≠1.",
        ),
        (
            USUAL,
            ["quadruple:2/2/5/6=r7c6"],
            "r8c7 can be only one of the two 2s, so another is in r7c6, r7c7 or r8c6; r7c4 and "
            "r7c5 see all of these",
        ),
        (
            USUAL,
            ["either:numbered-room:row3=8|x-sum:row3=8", "candidates:r3c1=9,r3c9=2/8"],
            "if r3c9 is 2, the first fails as r3c9 would be 8, as r3c1 is 9, and the second as 9 "
            "digits with 9 among them come to at least 45, not 8; so r3c9≠2, which leaves only 8.",
        ),
        (
            USUAL,
            ["row-indexer:r8c7", "candidates:r8c7=1/8,r1c7=1/2/3/4/6/7/8/9"],
            "if r8c7 is 1, r1c7 is 8: with 8 in r1c7, column 7 has its 8; with any other digit "
            "there, r8c7 (1 or 8) would be 8; either way r2c7≠8",
        ),
        (
            USUAL,
            ["dutch-flatmates", "candidates:r6c5=5,r7c5=2/3/4"],
            "or a 9 directly below: r6c5 is 5 and r7c5 cannot be 9, so r5c5 is 1.",
        ),
        (
            USUAL,
            ["whispers:6=r2c3,r3c2,r4c1", "candidates:r3c2=1/2/3/4,r4c1=1/7/8/9"],
            "2 needs 8 or 9 and 3 needs 9; and 1 in r4c1 needs 7, 8 or 9, but r3c2 cannot be 7",
        ),
        (
            # What goes first leaves a cell fewer digits.
            USUAL,
            [
                "whispers:2=r7c8,r7c7,r8c7,r9c7",
                "pair:r6c7,r7c7:a*b==16",
                "pair:r8c7,r8c8:a*b==56",
            ],
            "r7c7 is 2 or 8 and r8c7 is 7 or 8; so r7c7≠8, r9c7≠7/8; so r7c8≠1/2/3.",
        ),
        (
            USUAL,
            ["greater:r5c5,r6c5", "candidates:r5c5=2/3/5/7/8/9"],
            "Greater: r5c5 is greater than r6c5; so r6c5≠9.",
        ),
        (
            USUAL,
            ["x-sum:column2=27", "candidates:r1c2=4,r2c2=1/6/8,r3c2=1/6/7/8,r4c2=6/7/3/9/8"],
            "the cells r2c2, r3c2 and r4c2 would hold",
        ),
    ],
)
def test_what_links_a_rule_to_its_exclusions_is_told(
    geometry: Geometry, rules: list[str], expected: str
) -> None:
    steps = told(geometry, *rules, most=3)
    assert any(expected in text for text in steps), steps


def test_a_cell_that_a_bound_leaves_one_of_few_digits_is_told_with_these() -> None:
    puzzle = Puzzle(Grid.empty(SMALL))
    told_by = Reasons(Names(build_board(puzzle)), 0)
    assert told_by._in_cells([0], [3], {0: 0b1010}) == "r1c1, which is 1 or 3, is 3"
    assert told_by._in_cells([0], [3], {}) == "r1c1 is 3"


def test_cases_of_several_cells_are_parted_from_the_digits_before_them() -> None:
    sums = ["sum:9=r1c4,r3c4,r4c2,r3c1", "sum:7=r3c4,r1c1,r3c1,r3c2"]
    assert any(
        "if r3c1 is 2, or if r3c2 or r3c4 is 3, 2 digits with 2 among them come to" in text
        for text in told_all(SMALL, *sums, "x-sum:row3=7")
    )


def test_each_lettered_choice_fails_with_what_it_says_of_single_cells() -> None:
    choices = ["sum:8=r7c5&between:r6c5,r7c5,r8c4,r8c5", "sum:8=r7c5,r8c5"]
    choices += ["sum:8=r8c5&between:r7c5,r8c5,r6c5,r8c4"]
    left = "candidates:r8c5=2/3/4/5/6/8,r7c5=1/2/3/4/5/6,r8c4=2/8,r6c5=2/6/9"
    (first,) = told(USUAL, f"either:{'|'.join(choices)}", left, most=1)
    assert (
        "if r7c5 is 1, (b) fails as r8c5 would be 7, which it cannot, and (c) fails as r8c5 is 8, "
        "so r8c4 would be 9, which it cannot"
    ) in first
