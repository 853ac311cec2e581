from itertools import permutations

import pytest

from satdoku.explaining.explain import explain
from satdoku.notation.outcomes import describe_clashes
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.own import read_expression
from satdoku.puzzle.rules.registry import read_rule, read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check
from tests.each import for_each
from tests.puzzle.rules.instances import NAMES, SMALL, example_of

SENTENCES = {
    "rows": "every digit stands once in each row",
    "columns": "every digit stands once in each column",
    "boxes": "every digit stands once in each box",
    "regions": "every digit stands once in each region",
    "diagonal": "every digit stands once on the rising diagonal",
    "diagonals": "every digit stands once on each diagonal",
    "windoku": "every digit stands once in the window inside the border",
    "disjoint-groups": "every digit stands once among the cells at the same place of their boxes",
    "extra-region": "no digit stands twice in the extra region r1c2,r2c3,r3c4",
    "anti-knight": "no two cells a knight's move apart hold the same digit",
    "anti-king": "no two cells a king's move apart hold the same digit",
    "anti-move": "no two cells a move of 1 by 3 apart hold the same digit",
    "non-consecutive": "no two cells that share a side hold consecutive digits",
    "no-difference": "no two cells that share a side differ by 2, but for r1c1,r1c2",
    "no-ratio": "no two cells that share a side have the ratio 3, but for r1c1,r1c2",
    "no-sum": "no two cells that share a side sum to 4, but for r1c1,r1c2",
    "odd": "r1c1,r2c4 hold odd digits",
    "even": "r1c1,r2c4 hold even digits",
    "candidates": "r1c1 holds 1 or 2; r3c4 holds 3",
    "minimum": "r1c1,r3c4: less than the cells at their sides, other such cells not counted",
    "maximum": "r1c1,r3c4: greater than the cells at their sides, other such cells not counted",
    "row-indexer": (
        "r1c1,r2c3: each says in which row of its column the number of its own row stands"
    ),
    "column-indexer": (
        "r1c1,r2c3: each says in which column of its row the number of its own column stands"
    ),
    "box-indexer": (
        "r1c1,r2c3: each says at which place of its box the number of its own place stands"
    ),
    "counting-circles": "each digit in r1c1,r2c3,r3c4 stands in as many of them as it says",
    "kropki": (
        "dots: 1 white one between consecutive digits, 1 black one where one is twice the other"
    ),
    "xv": "letters: 1 V between digits that sum to 5",
    "difference": "neighbours among r1c1,r1c2 differ by 1",
    "ratio": "neighbours among r1c1,r1c2 have the ratio 2",
    "pair-sum": "neighbours among r1c1,r1c2 sum to 5",
    "greater": "each cell is greater than the next of r1c1,r1c2",
    "quadruple": "r1c1,r1c2,r2c1,r2c2 contain 1 and 2",
    "killer": "the cage r1c1,r1c2,r2c2 holds different digits that sum to 7",
    "rellik": (
        "the cage r1c1,r1c2 holds different digits, and neither one nor several of them sum to 3"
    ),
    "equality-cage": (
        "the cage r1c1,r1c2 holds different digits, as many odd as even and low as high"
    ),
    "same-digits": "r1c1,r2c3 hold the same digits as r3c2,r4c4, each as often",
    "sequence": "the steps from digit to digit along the line r1c1,r2c2,r2c3 are equal",
    "sum-line": "the line r1c1,r1c2,r2c3 falls into parts that sum to 5 each",
    "hidden-skyscraper": ("in row 1 from the right, 2 is the first digit behind a greater one"),
    "dutch-flatmates": "every 2 has a 1 directly above it, or a 4 directly below",
    "sum": "the digits in r1c1,r2c2,r3c3 sum to 6",
    "arrow": "the digits along the arrow r2c2,r3c3 sum to the number in its circle r1c1",
    "little-killer": "the diagonal from r1c2 down and right sums to 7",
    "contain": "r1c1,r2c2,r3c3 contain 1 and 2",
    "contain-exact": "r1c1,r2c2,r3c3 contain exactly one 1 and one 2",
    "clone": "r1c1,r1c2 and r3c3,r4c4 hold the same digits, one by one",
    "thermo": "digits rise along the thermometer r1c1,r2c2,r3c3",
    "slow-thermo": "digits rise or stay along the slow thermometer r1c1,r2c2,r3c3",
    "whispers": "neighbours on the line r1c1,r1c2,r2c3 differ by at least 2",
    "renban": "the line r1c1,r2c1,r2c2 holds consecutive digits, in any order",
    "nabner": "no two digits on the line r1c1,r1c2 are equal or consecutive",
    "palindrome": "the line r1c1,r1c2,r2c3 reads the same from both ends",
    "modular": "any 3 in a row on the line r1c1,r1c2,r2c1 leave different remainders by 3",
    "between": "the digits on the line r1c1,r1c2,r2c1 lie between those at its ends",
    "lockout": (
        "the ends of the line r1c1,r2c1,r2c2 differ by at least 2, and no digit "
        "on it is one of them or between them"
    ),
    "region-sum": "the line r1c1,r1c2,r1c3 has the same sum in each region",
    "zipper": "each two cells as far from the middle of r1c1,r2c2,r3c3 sum to the digit there",
    "double-arrow": "both ends of r1c1,r2c2,r3c3,r4c4 sum to as much as the cells between them",
    "sandwich": "in row 2 the digits between 1 and 4 sum to 3",
    "x-sum": "in column 1 the first X digits sum to 6, X the first one",
    "skyscraper": "in row 1 from the right, 2 digits are seen, each greater than all before",
    "full-rank": (
        "read as a number, row 1 has place 4 from the lowest among all rows and columns read from "
        "both ends, and no other is equal"
    ),
    "no-equal-lines": "no row or column, read from either end, is the same number as another",
    "numbered-room": "in row 1, 3 stands at the place that the first digit says",
    "digits": "the digits are 0 to 3",
    "pair": "neighbours a and b on r1c1,r1c2: a+b>=5",
    "each-pair": "any two cells a and b of r1c1,r1c2,r2c3, in this order: a!=b+1",
    "machine": "the digits of r1c1,r2c2,r3c3 match the pattern [12]*3.* (. any digit, [ ] one of "
    "these, * any number of times)",
    "either": (
        "either the cage r1c1,r1c2 holds different digits that sum to 3, or digits "
        "rise along the thermometer r1c1,r2c2,r3c3 and r4c4 holds an odd digit"
    ),
}


def test_every_rule_says_what_it_is() -> None:
    sentences = {name: example_of(name).sentence(SMALL) for name in NAMES}
    assert sentences == sentences | SENTENCES
    # Words go on behind a name, so they begin like within a sentence and end without a full stop.
    assert all(text and text[0].islower() and text[-1] != "." for text in sentences.values())


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ("candidates:r1c1=1/2/3|thermo:r2c2,r3c3", "if r1c1 is 4, digits rise along the "),
        ("candidates:r1c1=1|thermo:r2c2,r3c3", "either r1c1 holds 1, or digits rise along the "),
        (
            "candidates:r1c1=1/2&clone:r1c2=r2c3|candidates:r1c1=3&odd:r4c4|candidates:r1c1=4",
            "if r1c1 is 1 or 2, r1c2 and r2c3 are equal, and if r1c1 is 3, r4c4 holds an odd digit",
        ),
        (
            "candidates:r1c1=1&odd:r4c4|candidates:r1c1=3&even:r4c4",
            "r1c1 is 1 or 3, and if r1c1 is 1, r4c4 holds an odd digit, and if r1c1 is 3, r4c4 ",
        ),
        ("candidates:r1c1=1/2&odd:r4c4|candidates:r1c1=2&even:r4c4", "either r1c1 holds 1 or 2 "),
        ("candidates:r1c1=1&odd:r4c4|candidates:r1c2=2&even:r4c4", "either r1c1 holds 1 and "),
        (
            "candidates:r1c1=1|thermo:r2c2,r3c3|odd:r4c4",
            "either (a) r1c1 holds 1, or (b) digits rise along the thermometer r2c2,r3c3, or (c) ",
        ),
    ],
)
def test_choices_by_the_digit_of_a_cell_are_conditions(choices: str, sentence: str) -> None:
    assert read_rule(f"either:{choices}", SMALL).sentence(SMALL).startswith(sentence)


def clash_in(text: str, **placed: int) -> str:
    """What is wrong with digits at cells of a 9x9 board that has a rule."""
    geometry = Geometry()
    digits = {(int(name[1]) - 1) * 9 + int(name[3]) - 1: digit for name, digit in placed.items()}
    puzzle = Puzzle(Grid.empty(geometry).with_digits(digits))
    (clash,) = find_clashes(puzzle.with_rules([read_rule(text, geometry)]))
    return str(clash)


def test_clashes_say_which_rule_is_broken_and_where() -> None:
    assert clash_in("anti-knight", r1c1=5, r2c3=5) == "r1c1 and r2c3 are both 5, in box 1"
    assert clash_in("anti-knight", r3c3=5, r4c5=5) == (
        "r3c3 and r4c5 are both 5, a knight's move apart"
    )
    assert clash_in("anti-king", r3c3=5, r4c4=5) == "r3c3 and r4c4 are both 5, a king's move apart"
    assert clash_in("non-consecutive", r3c3=4, r4c3=5) == (
        "r3c3 is 4 and r4c3 is 5, consecutive digits side by side"
    )
    assert clash_in("odd:r1c1", r1c1=4) == "r1c1 is 4, but it must be odd"
    assert clash_in("even:r1c1", r1c1=3) == "r1c1 is 3, but it must be even"
    assert clash_in("candidates:r1c1=1/2", r1c1=3) == "r1c1 is 3, but it must be 1 or 2"
    assert clash_in("diagonals", r1c1=3, r9c9=3) == (
        "r1c1 and r9c9 are both 3, on the falling diagonal"
    )
    assert clash_in("extra-region:r1c1,r5c5", r1c1=3, r5c5=3) == (
        "r1c1 and r5c5 are both 3, in the extra region at r1c1"
    )
    assert clash_in("windoku", r2c2=3, r4c4=3) == "r2c2 and r4c4 are both 3, in window 1"


def test_comparisons_in_a_chain_all_hold() -> None:
    pairs = [(a, b) for a in range(1, 10) for b in range(1, 10)]
    for text, meaning in (
        ("1<b-a<=3", lambda a, b: 1 < b - a <= 3),
        ("2 < a != b < 7", lambda a, b: 2 < a != b < 7),
        ("not 5>=a=b>1", lambda a, b: not 5 >= a == b > 1),
        ("(a<b)<1 and a<9", lambda a, b: a >= b and a < 9),
    ):
        holds = read_expression(text)
        assert [pair for pair in pairs if holds(*pair)] == [p for p in pairs if meaning(*p)]


def test_division_in_an_expression_is_exact() -> None:
    assert read_expression("(a+b)/2>2")(2, 3)
    assert not read_expression("(a+b)//2>2")(2, 3)
    assert read_expression("a/b=2")(4, 2)
    assert not read_expression("a/b=2")(5, 2)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("modular:3=r1c1-3", "any 3 in a row on the line r1c1,r1c2,r1c3 leave different"),
        ("modular:5=r1c1-3", "all digits on the line r1c1,r1c2,r1c3 leave different"),
        ("entropic:r1c1-2", "not both digits of r1c1,r1c2 are low, or middle, or high"),
    ],
)
def test_a_line_that_is_shorter_than_its_number_says_what_it_does(rule: str, sentence: str) -> None:
    geometry = Geometry(3, 3)
    assert read_rule(rule, geometry).sentence(geometry).startswith(sentence)


@for_each(
    "rule, is_impossible",
    [
        ("sandwich:row1=99", True),
        ("little-killer:r1c1.dr=900", True),
        ("sum:9=2*r1c1", True),
        ("difference:99=r1c1,r1c2", True),
        ("either:sum:99=r1c1|skyscraper:row1=77", True),
        ("either:sum:99=r1c1|skyscraper:row1=7", False),
        ("either:killer:99=r1c1|killer:3=r1c1,r1c2", False),
        ("either:killer:99=r1c1|killer:99=r1c1,r1c2", True),
        ("sandwich:row1=35", False),
        ("machine:r1c1-9:.*", False),
    ],
)
def test_a_rule_that_no_grid_keeps_is_told(rule: str, is_impossible: bool) -> None:
    puzzle = Puzzle(Grid.empty(Geometry(3, 3)))
    puzzle = puzzle.with_rules([read_rule(rule, puzzle.geometry)])
    found = puzzle.impossible_rule
    assert found == (puzzle.further_rules[0] if is_impossible else None)
    if is_impossible:
        told = describe_clashes(check(puzzle))
        assert told.startswith(f"no grid keeps the rule {puzzle.further_rules[0].name}: ")


@for_each(
    "rule, bounds",
    [
        ("x-sum:row1=46", "it can be 1, 3 or 5 to 45"),
        ("x-sum:col2.up=2", "it can be 1, 3 or 5 to 45"),
        ("sandwich:row1=36", "it can be 0, 2 to 33 or 35"),
        ("sandwich:row1=1", "it can be 0, 2 to 33 or 35"),
        ("skyscraper:row3.left=0", "it can be 1 to 9"),
        ("thermo:r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("renban:r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("killer:r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("killer:50=r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("rellik:20=r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("equality-cage:r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("extra-region:r1c1-9,r2c9", "10 cells need as many digits, and there are 9"),
        ("little-killer:r1c3.dl=30", "the sum can be 3 to 27"),
        ("sum:99=r1c1,r1c2", "the sum can be 2 to 18"),
        ("killer:99=r1c1,r1c2", "the sum of 2 cells can be 3 to 17"),
        ("killer:44=r1c1-9", "the sum of 9 cells is 45"),
        ("x-sum:row1=45", ""),
        ("sandwich:row1=35", ""),
        ("skyscraper:row1=9", ""),
        ("thermo:r1c1-9", ""),
        ("slow-thermo:r1c1-9,r2c9", ""),
        ("sum:0=r1c1,-r2c2", ""),
    ],
)
def test_the_bounds_that_a_clue_goes_beyond_are_told(rule: str, bounds: str) -> None:
    puzzle = Puzzle.from_line("." * 81, rules=[rule])
    assert puzzle.further_rules[0].why_impossible(puzzle.geometry) == bounds
    if bounds:
        outcome = check(puzzle)
        assert outcome.verdict is Verdict.NONE
        assert describe_clashes(outcome).endswith(f"; {bounds}")


@for_each("rule", ["killer:9=r1c1,r1c2", "sum:9=r1c1,r1c2"])
def test_an_impossible_sum_of_either_rule_is_explained(rule: str) -> None:
    puzzle = Puzzle.from_line("." * 16, rules=[rule])
    assert explain(puzzle).verdict is Verdict.NONE


@for_each("kind", ["x-sum", "sandwich", "skyscraper"])
def test_the_bounds_are_those_of_all_lines(kind: str) -> None:
    geometry = Geometry(2, 3)
    for digits in ("digits:0-5", "digits:1-6"):
        for number in range(23):
            rule, _ = read_rules([f"{kind}:row1={number}", digits], geometry)
            lines = permutations(range(1, 7))
            is_kept = any(
                not any(rule.find_clashes(geometry, (*line, *[0] * 30))) for line in lines
            )
            assert is_kept == (not rule.why_impossible(geometry)), (kind, number, digits)
