"""Rules are told as players think of them, and every number in these sentences adds up."""

import random
import re
from itertools import combinations, product

import pytest

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.way import find_way
from satdoku.explaining.words.headings import heading_of
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget
from tests.crossing import sampled
from tests.each import for_each
from tests.explaining.judging import StepJudge, require_true
from tests.explaining.samples import basic_way
from tests.explaining.samples import way_of as way_of_puzzle
from tests.explaining.test_told_singles import VARIANTS

USUAL, SMALL = Geometry(3, 3), Geometry(2, 2)


def way_of(
    *rules: str,
    givens: dict[int, int] | None = None,
    geometry: Geometry = USUAL,
    most: int | None = None,
) -> Way:
    """The steps of the level basic, or the first of them."""
    grid = Grid.empty(geometry).with_digits(givens or {})
    return basic_way(Puzzle(grid).with_rules(read_rules(rules, geometry)), most)


def told(*rules: str, givens: dict[int, int] | None = None, most: int | None = None) -> list[str]:
    return list(Teller(way_of(*rules, givens=givens, most=most)).tell())


@for_each(
    "rules, text",
    [
        (
            ["whispers:5=r5c5,r4c6,r6c6"],
            "Whisper: r4c6 and each of r5c5 and r6c6 differ by at least 5: with 4 in r4c6, r5c5 "
            "and r6c6 would both be 9 and with 6 they would both be 1, both in box 5; so r4c6≠4/6.",
        ),
        (
            ["ratio:2=r5c8,r6c8", "candidates:r5c8=2/4,r6c8=2/4/8"],
            "Ratio: r5c8 and r6c8 have the ratio 2: r5c8 is 2 or 4; with 2 in r5c8, r6c8 (2, 4 "
            "or 8) would be 4; either way r1c8≠4, r2c8≠4, r3c8≠4, r4c7≠4, r4c8≠4, r4c9≠4, r5c7≠4, "
            "r5c9≠4, r6c7≠4, r6c9≠4, r7c8≠4, r8c8≠4, r9c8≠4.",
        ),
        (
            ["ratio:2=r9c4,r9c5", "candidates:r9c7=3/6,r9c4=1/2/3/4/6/8,r9c5=1/2/3/4/6/8"],
            "Ratio: r9c4 and r9c5 have the ratio 2: 3 in r9c5 needs 6 in r9c4 and 6 needs 3; then "
            "r9c7, which is 3 or 6, would have no digit left; so r9c5≠3/6.",
        ),
        (
            ["numbered-room:row1=3"],
            "Numbered room: in row 1, 3 stands at the place that the first digit says: r1c1 is not "
            "1 or 3, so one of r1c2, r1c4, r1c5, r1c6, r1c7, r1c8 and r1c9 is 3; so r1c3≠3.",
        ),
        (
            ["pair-sum:10=r1c1,r5c5", "candidates:r1c1=1/2/4/6/8/9"],
            "Pair sum: r1c1 and r5c5 sum to 10: 3 in r5c5 needs 7 in r1c1, 5 needs 5 and 7 needs "
            "3, but r1c1 cannot be 3, 5 or 7; so r5c5≠3/5/7.",
        ),
        (
            ["contain-exact:9=r1c1,r5c5,r9c9", "odd:r1c1", "even:r5c5", "even:r9c9"],
            "Contain exact: r1c1,r5c5,r9c9 contain exactly one 9: only r1c1 can be 9; so r1c1=9.",
        ),
        (
            ["x-sum:row1=27"],
            "X-sum: in row 1 the first X digits sum to 27, X the first one: 3 digits that begin "
            "with 3 come to at most 20; 7 digits that begin with 7 come to at least 28; so r1c1 is "
            "4 to 6.",
        ),
        (
            ["whispers:5=r7c2,r8c3,r9c3", "candidates:r9c3=1/2/9"],
            "Whisper: r8c3 and r9c3 differ by at least 5: r8c3 is not 4, 5 or 6; with 1, 2 or 3 in "
            "r8c3, r9c3 (1, 2 or 9) would be 9; with 7, 8 or 9 in r8c3, r7c2≠9 at once (r7c2 and "
            "r8c3 differ by at least 5); in each case r7c2≠9.",
        ),
        (
            ["contain-exact:6/7=r2c7,r3c7,r3c8"],
            "Contain exact: r2c7,r3c7,r3c8 contain exactly one 6 and one 7: 6 is in r2c7, r3c7 or "
            "r3c8, all in box 3; so r1c7≠6, r1c8≠6, r1c9≠6, r2c8≠6, r2c9≠6, r3c9≠6.",
        ),
        (
            ["quadruple:1/4/6/7=r1c1"],
            "Quadruple: r1c1,r1c2,r2c1,r2c2 contain 1, 4, 6 and 7, one in each cell; so "
            "r1c1, r1c2, r2c1 and r2c2 are 1, 4, 6 or 7 and r1c3, r2c3, r3c1, r3c2 and r3c3 are "
            "2, 3, 5, 8 or 9.",
        ),
    ],
)
def test_a_rule_is_told_in_the_words_of_a_player(rules: list[str], text: str) -> None:
    assert text in told(*rules)


def test_a_line_names_what_its_cells_have_lost_that_takes_part() -> None:
    assert (
        "Thermometer: digits rise along the thermometer r1c1,r4c4,r7c7,r8c9, and r4c4 is 4 "
        "to 7; so r7c7≠3/4, r8c9≠4/5."
    ) in told("thermo:r1c1,r4c4,r7c7,r8c9", "killer:13=r4c4-5")


def test_a_sandwich_is_told_with_what_it_holds_and_its_ends() -> None:
    first = told("sandwich:row1=35", most=1)[0]
    assert "sum to 35: only {2,3,4,5,6,7,8}; 1 and 9 are in r1c1 and r1c9; so " in first


@for_each(
    "rule, result",
    [
        ("x-sum:row1=45", "are only {1,2,3,4,5,6,7,8}; so r1c1=9."),
        ("sandwich:row1=35", "so r1c1 and r1c9 are 1 or 9 and r1c2≠1/9, r1c3≠1/9, r1c4≠1/9, "),
        (
            "skyscraper:row1=9",
            "fewer than 9 digits would be seen; so r1c1 is 1, r1c2 is 2, r1c3 is 3, ",
        ),
    ],
)
def test_a_clue_concludes_all_that_it_says_in_one_step(rule: str, result: str) -> None:
    first, *others = told(rule)
    assert result in first
    assert [text for text in others if text.startswith(first[:6])] == []


def test_a_settled_cell_of_a_cage_says_what_took_its_other_digits() -> None:
    assert told("killer:6=r7c7-8", givens={15: 4, 54: 1, 62: 5}, most=1)[0] == (
        "Killer cage: the cage r7c7,r7c8 holds different digits that sum to 6: only {2,4}; "
        "r7c7 cannot be 4 (the 4 in r2c7); so r7c7=2."
    )


def test_cells_that_are_equal_lose_their_digits_in_one_step() -> None:
    rules = "palindrome:r2c4,r5c5,r5c9", "palindrome:r5c9,r6c1,r7c2", "odd:r7c2"
    first = told(*rules)
    assert first == [
        "Equal cells: r5c9 and each of r2c4 and r7c2 are equal, on a palindrome; r7c2 cannot be "
        "2, 4, 6 or 8; so r2c4≠2/4/6/8, r5c9≠2/4/6/8."
    ]


def test_what_a_sum_takes_goes_from_equal_cells_in_the_same_step() -> None:
    way = way_of("killer:3=r1c1-2", "palindrome:r1c1,r2c2,r5c5", most=1)
    text = next(Teller(way).tell())
    assert text.endswith("so r1c1 and r1c2 are 1 or 2; r1c1 and r5c5 are equal, so r5c5 is 1 or 2.")
    StepJudge(way.board.puzzle).judge(way)


def test_a_sum_that_is_settled_places_its_digits() -> None:
    way = way_of("killer:3=r1c1-2", "killer:37=r1c3-8", most=1)
    step = way.steps[0]
    assert step.places == way.board.number_of[Placement(8, 5)]
    assert next(Teller(way).tell()) == (
        "Rule of 45: row 1 adds up to 45, and the cages within it add up to 40, so r1c9 is 5."
    )
    StepJudge(way.board.puzzle).judge(way)


STAYS = re.compile(r"((?:r\d+c\d+(?:, | and )?)+) (?:is|are) ((?:(?!r\d)[^≠])*)")
GOES = re.compile(r"(r\d+c\d+)≠([^, ;.]+)")
CELL = re.compile(r"r\d+c\d+")


class Reader:
    """The results of steps, read as they are printed."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.way = way_of_puzzle(puzzle, Level.BASIC)
        self.names = Names(self.way.board)
        geometry = puzzle.geometry
        self.cells = {geometry.name_of(cell): cell for cell in range(geometry.cell_count)}
        self.digits = {puzzle.name_of_digit(d): d for d in range(1, geometry.size + 1)}

    def excluded(self, text: str, before: int) -> set[Placement]:
        """What a result excludes from cells that had these candidates left."""
        left = self.way.board.digits_in(before)
        found = {
            Placement(self.cells[cell], self.digits[digit])
            for cell, digits in GOES.findall(text)
            for digit in digits.split("/")
        }
        stay = GOES.sub("", text)
        for cells, digits in STAYS.findall(stay):
            stays = self.listed(CELL.sub("", digits))
            for cell in map(self.cells.__getitem__, CELL.findall(cells)):
                found |= {Placement(cell, d) for d in digits_of(left[cell]) if d not in stays}
        return found

    def listed(self, text: str) -> set[int]:
        span = re.match(r"(\S+) to (\S+?),?(?: |$)", text)
        if span is not None:
            low, high = self.digits[span[1]], self.digits[span[2]]
            return set(range(low, high + 1))
        parts = re.split(r"\bor\b|\band\b|,", text)
        return {self.digits[each.strip()] for each in parts if each.strip() in self.digits}

    def check(self) -> int:
        """Compares each result with its step; returns how many were said by what stays."""
        stayed = 0
        placements = self.way.board.placements
        for step in self.way.steps:
            if step.places is None:
                text = self.names.result(step.excludes, step.before)
                stayed += bool(STAYS.search(GOES.sub("", text)))
                gone = {placements[candidate] for candidate in step.excludes}
                assert self.excluded(text, step.before) == gone, text
        return stayed


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_what_stays_and_what_goes_is_what_the_step_excludes(step: int) -> None:
    assert sum(Reader(variant.puzzle).check() for variant in VARIANTS[::step]) > 2 // step


LIST = r"\w+(?:, (?!but )\w+)*(?: or \w+)?"
NEEDS = re.compile(
    rf"(\w+)(?: in ((?:{LIST})|one of them))? needs ({LIST})(?: in (\w+|the other))?"
)
BOTH = re.compile(r"(r\d+c\d+) and (r\d+c\d+) ")


def needs_of(text: str) -> list[tuple[str, str, str, list[str]]]:
    """Each digit with its cell, the cell that it looks at, and what it needs there."""
    found: list[tuple[str, str, str, list[str]]] = []
    for clause in text.split(";"):
        cells, other = [""], ""
        for digit, own, needed, there in NEEDS.findall(clause):
            cells, other = CELL.findall(own) or cells, there or other
            wanted = re.split(", | or ", needed)
            ways = [(cell, other) for cell in cells]
            if own == "one of them":
                [(first, second)] = BOTH.findall(text)[:1]
                ways = [(first, second), (second, first)]
            found += [(digit, *way, wanted) for way in ways]
    return found


def test_what_a_digit_needs_is_all_that_the_rules_allow_beside_it() -> None:
    chance = random.Random(3)
    seen = 0
    rules = ["pair-sum:7", "pair-sum:5", "difference:3", "ratio:2", "difference:1", "whispers:2"]
    for rule in rules * 4:
        digits = "/".join(map(str, sorted(chance.sample(range(1, 7), 3))))
        where = f"candidates:r1c1={digits}", f"candidates:r4c4={digits}/6"
        way = way_of(f"{rule}=r1c1,r4c4", *where, geometry=Geometry(2, 3))
        reader = Reader(way.board.puzzle)
        for text in Teller(way).tell():
            for digit, cell, other, wanted in needs_of(text):
                here, there = reader.cells[cell], reader.cells[other]
                allowed = {
                    str(each)
                    for each in range(1, 7)
                    if not any(
                        rule.forbids_both(way.board.puzzle.geometry, here, int(digit), there, each)
                        for rule in way.board.puzzle.rules
                    )
                }
                assert allowed == {*wanted}, text
                seen += 1
    assert seen > 5


def test_digits_of_a_set_that_lie_in_a_further_unit_are_told_with_their_places() -> None:
    marks = "candidates:r1c1=1/2/3,r1c2=1/2/3,r1c4=2/3"
    (text,) = (text for text in told(marks) if text.startswith("Naked triple"))
    assert text.startswith(
        "Naked triple: in row 1, r1c1, r1c2 and r1c4 can only be 1, 2 or 3, so they take all of "
        "these digits; 1 is in r1c1 or r1c2, both also in box 1; so r1c3≠1/2/3, r1c5≠1/2/3,"
    )
    (text,) = told("candidates:r1c1=1/2,r5c5=1/2", "diagonals", "candidates:r9c9=1/2/3")[:1]
    assert "the falling diagonal" in text
    # A unit in which nothing is excluded is not named.
    (text,) = told("killer:3=r1c1-2", "candidates:r1c1=1/2,r1c2=1/2")[:1]
    assert text.startswith("Locked pair: in row 1 and box 1, r1c1 and r1c2 can only be 1 or 2")


# All pairs of different digits but 4 with 5, and 1 with 8 or 9.
PAIRS = "/".join(
    f"{a}-{b}"
    for a, b in product(range(1, 10), repeat=2)
    if a != b and {a, b} not in ({4, 5}, {1, 8}, {1, 9})
)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            ["non-consecutive", "candidates:r1c1=1/2,r1c2=1/2/3"],
            "Non-consecutive: r1c1 and r1c2 share a side and cannot be consecutive, and r1c1 is 1 "
            "or 2, and r1c2 is 1 to 3; so r1c1≠2, r1c2≠1/2.",
        ),
        (
            [
                "non-consecutive",
                "candidates:"
                + ",".join(f"r{r}c{c}=1/2/3/4/6/7/8/9" for r in (1, 2, 3) for c in (2, 3)),
                "candidates:r3c1=1/2/3/4/6/7/8/9",
            ],
            "Pointing: in box 1, 5 can only be in r1c1 or r2c1, both in column 1; so r4c1≠5, "
            "r5c1≠5, r6c1≠5, r7c1≠5, r8c1≠5, r9c1≠5; if r1c1 or r2c1 is 4 or 6, neither r1c1 nor "
            "r2c1 can be 5 (r1c1 and r2c1 share a side and cannot be consecutive), and box 1 would "
            "have no place for 5; so r1c1≠4/6, r2c1≠4/6.",
        ),
        (
            [
                "candidates:"
                + ",".join(f"r{r}c{c}=1/2/3/4/6/7/8/9" for r in (1, 2, 3) for c in (2, 3)),
                "candidates:r3c1=1/2/3/4/6/7/8/9",
                "pair:r1c1,r2c1:" + PAIRS,
            ],
            "Pointing: in box 1, 5 can only be in r1c1 or r2c1, both in column 1; so r4c1≠5, "
            "r5c1≠5, r6c1≠5, r7c1≠5, r8c1≠5, r9c1≠5; if r1c1 or r2c1 is 4, neither r1c1 nor r2c1 "
            "can be 5 (the pairs of digits that they may hold have no 4 beside a 5), and box 1 "
            "would have no place for 5; so r1c1≠4, r2c1≠4.",
        ),
        (
            ["xv:x=r1c1,r2c1", "candidates:r1c1=1/3/4/5/7"],
            "XV: r1c1 and r2c1 sum to 10: 5 goes only with 5, but r1c1 and r2c1 are both in column "
            "1; 1 in r2c1 needs 9 in r1c1, 2 needs 8, 4 needs 6 and 8 needs 2, but r1c1 cannot be "
            "2, 6, 8 or 9; so r1c1≠5, r2c1≠1/2/4/5/8.",
        ),
        (
            ["xv:x=r1c1,r1c2/v=r1c2,r1c3", "candidates:r1c2=1/2/3,r1c1=6/7/8/9,r1c3=1/2/3/4"],
            "XV: r1c1 and r1c2 sum to 10; r1c2 and r1c3 sum to 5: 6 in r1c1 needs 4 in r1c2; and 1 "
            "in r1c3 needs 4, but r1c2 cannot be 4",
        ),
        (
            ["either:candidates:r1c1=4|candidates:r5c5=4/5", "odd:r1c1"],
            "Either: either r1c1 holds 4, or r5c5 holds 4 or 5: r1c1 cannot be 4, so r5c5 is 4 or",
        ),
        (
            ["xv:v=r1c1,r2c1", "candidates:r1c1=1/2/3,r2c1=1/2/3"],
            "XV: r1c1 and r2c1 sum to 5: 1 in one of them needs 4 in the other, but neither can "
            "be 4; so r1c1≠1, r2c1≠1.",
        ),
        (
            ["pair:r1c1,r1c2:1-2/2-4/3-8/4-1/5-7/6-9/7-3/8-1/8-5/8-6/9-1/9-2/9-3/9-4", "odd:r1c2"],
            "Relation: r1c1 and r1c2 hold one of 14 pairs of digits: 1 in r1c1 needs 2 in r1c2, "
            "2 needs 4 and 3 needs 8, but r1c2 cannot be 2, 4 or 8; so r1c1≠1/2/3.",
        ),
    ],
)
def test_a_digit_that_lacks_its_partner_says_which(rules: list[str], said: str) -> None:
    assert told(*rules, most=1)[0].startswith(said)


def test_no_step_about_two_cells_or_a_clue_goes_against_the_solution() -> None:
    told_as: set[str] = set()
    for variant in VARIANTS:
        way = way_of_puzzle(variant.puzzle, Level.BASIC)
        require_true(way, variant.solution.digits)
        names = Names(way.board)
        told_as |= {heading_of(names, step) for step in way.steps}
    assert len(told_as) > 40


@sampled(2, "number", [5, 10, 13, 21, 27])
def test_the_combinations_of_an_x_sum_are_all_there_are(number: int) -> None:
    every = {
        (first, *rest)
        for first in range(1, 10)
        for rest in combinations([d for d in range(1, 10) if d != first], first - 1)
        if first + sum(rest) == number
    }
    for text in told(f"x-sum:row1={number}"):
        listed = set()
        for first, others, sets in re.findall(
            r"with (\d) in r1c1, ([rc\d,]+) (?:is|are) only (\d+(?:(?:, | or )\d+)*)", text
        ):
            assert others.split(",") == [f"r1c{n}" for n in range(2, int(first) + 1)]
            for each in re.findall(r"\d+", sets):
                listed.add((int(first), *map(int, each)))
        assert not listed or listed == every
        for count, first, end, amount in re.findall(
            r"(\d) digits that begin with (\d) come to at (most|least) (\d+)", text
        ):
            sums = [
                int(first) + sum(rest)
                for rest in combinations(
                    [d for d in range(1, 10) if d != int(first)], int(count) - 1
                )
            ]
            assert int(amount) == (max if end == "most" else min)(sums)
            assert int(amount) < number if end == "most" else int(amount) > number


def test_neighbours_are_found_wherever_they_exclude_something() -> None:
    """Compared with a plain search over all cells on one line."""
    chance = random.Random(5)
    for _ in range(20):
        cells = chance.sample(range(16), 3)
        line = ",".join(map(SMALL.name_of, cells))
        way = way_of(f"difference:2={line}", geometry=SMALL)
        StepJudge(way.board.puzzle).judge(way)
        steps = [step for step in way.steps if step.technique is Technique.NEIGHBOURS]
        for step in steps:
            assert_between(way, step)


def test_digits_of_partners_are_used_wherever_they_exclude_something() -> None:
    """Of a cell's digits each excludes what all exclude, some by the digit left to a partner."""
    chance = random.Random(7)
    found: set[Technique] = set()
    for _ in range(20):
        lines = [",".join(map(SMALL.name_of, chance.sample(range(16), 2))) for _ in range(4)]
        kinds = chance.sample(["difference:1", "ratio:2", "pair-sum:5", "whispers:2"], 2)
        way = way_of(*(f"{chance.choice(kinds)}={line}" for line in lines), geometry=SMALL)
        StepJudge(way.board.puzzle).judge(way)
        found |= {step.technique for step in way.steps}
        left = way.board.every_candidate
        for step in way.steps:
            left &= ~mask_of(step.excludes)
            left &= ~(0 if step.places is None else way.board.links[step.places])
        for pair in way.board.puzzle.constraints.pairs if way.dead_end is None else ():
            assert_no_partner_excludes(way, left, *pair[:2])
    way = way_of("ratio:2=r9c4,r9c5", "candidates:r9c7=3/6,r9c4=1/2/3/6,r9c5=1/2/3/6")
    StepJudge(way.board.puzzle).judge(way)
    found |= {step.technique for step in way.steps}
    assert {Technique.PARTNERS, Technique.NEEDED} <= found


def assert_no_partner_excludes(way: Way, left: int, cell: int, other: int) -> None:
    """Whatever the first cell holds, it and the single digit left to the other exclude nothing."""
    board = way.board
    common = left
    here, there = (
        [c for c in candidates_of(left) if board.placements[c].cell == each]
        for each in (cell, other)
    )
    for candidate in here:
        kept = [c for c in there if not board.links[candidate] >> c & 1]
        common &= board.links[candidate] | (board.links[kept[0]] if len(kept) == 1 else 0)
    assert not common or len(here) < 2


def assert_between(way: Way, step: Deduction) -> None:
    board = way.board
    for candidate in step.excludes:
        left = [
            candidates_of(truth.members & step.before & ~board.links[candidate])
            for truth in step.truths
        ]
        assert all(len(each) == 1 for each in left)
        assert board.links[left[0][0]] & mask_of(left[1])


def test_a_chain_says_by_which_rule_one_end_excludes_another() -> None:
    puzzle = next(each.puzzle for each in VARIANTS if each.name == "3 non-consecutive 3x3")
    way = find_way(build_board(puzzle), Level.PATTERNS, Budget())
    told = [text for step, text in zip(way.steps, Teller(way).tell(), strict=True) if step.chain]
    said = r"so r\dc\d is not \d \(r\dc\d and r\dc\d share a side and cannot be consecutive\), then"
    assert any(re.search(said, text) for text in told)
