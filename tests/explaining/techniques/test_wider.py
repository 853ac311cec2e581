"""Steps that follow from cages, arrows and other wider truths."""

import re

import pytest

from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.hint import find_hint
from satdoku.explaining.innies import implied_totals
from satdoku.explaining.prover import Prover, WrongStepError, adds_up
from satdoku.explaining.step import Level, Technique
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.puzzle.grid import Geometry, Grid, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check, find_solutions
from tests.crossing import crossed
from tests.explaining.judging import StepJudge
from tests.explaining.samples import basic_way
from tests.variants import Variant, ours

SMALL = Geometry(2, 2)
# A killer without givens.
CAGES = [
    *("killer:6=r1c1-3", "killer:5=r1-2c4", "killer:10=r2-4c1,r3c2"),
    *("killer:7=r2c2-3,r3c3", "killer:5=r3-4c4", "killer:7=r4c2-3"),
]


def ruled(*rules: str) -> Puzzle:
    return Puzzle(Grid.empty(SMALL)).with_rules(read_rules(rules, SMALL))


def test_a_killer_without_givens_is_told_to_its_end() -> None:
    puzzle = ruled(*CAGES)
    explanation = explain(puzzle)
    assert explanation.way.is_full
    assert explanation.solution == check(puzzle).solution
    told = list(Teller(explanation.way).tell())
    assert any(text.startswith(("Killer cage: ", "Rule of 45: ")) for text in told)


def test_a_cage_is_told_with_its_combinations() -> None:
    way = explain(ruled("killer:3=r1c1-2"), Scope(Level.BASIC)).way
    first = next(iter(Teller(way).tell()))
    assert first == (
        "Killer cage: the cage r1c1,r1c2 holds different digits that sum to 3: only {1,2}; "
        "so r1c1≠3/4, r1c2≠3/4."
    )
    assert way.steps[0].technique is Technique.SUM


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (
            ("digits:0-3", "killer:3=r1c1-3"),
            "row 1 adds up to 6, and the cage within it adds up to 3, so r1c4 is 3",
        ),
        (
            ("sum:7=r1c1-3", "sum:4=r3c1,r3c3"),
            "row 1 adds up to 10, and the cage within it adds up to 7",
        ),
        (
            ("sum:8=r1c1-3,r2c1", "killer:3=r3c3-4"),
            "row 1 adds up to 10, and the cage that covers all of it but r1c4, and also r2c1 "
            "outside, adds up to 8, so r1c4 is 2 more than r2c1",
        ),
        (
            ("sum:26=r1-2c1-4,r3c1-3",),
            "rows 1 to 3 add up to 30, and the cage within them adds up to 26, so r3c4 is 4",
        ),
    ],
)
def test_sums_of_any_digits_make_others(rules: tuple[str, ...], says: str) -> None:
    puzzle = ruled(*rules)
    lowest = 0 if rules[0].startswith("digits") else 1
    implied = implied_totals(puzzle)
    assert all(adds_up(puzzle, each) for each in implied)
    totals = [each.total for each in implied]
    assert any(total.sentence.startswith(says) for total in totals)
    solutions = list(find_solutions(puzzle))
    assert solutions
    for grid in solutions:
        for total in totals:
            tables = zip(total.cells, total.worths, strict=True)
            assert sum(table[grid.digits[cell]] for cell, table in tables) == total.low
            assert {table[1] for table in total.worths} <= {lowest, -lowest}


def test_a_sum_that_does_not_add_up_is_refused() -> None:
    puzzle = ruled("sum:7=r1c1-3", "sum:8=r2c1-3,r3c4")
    way = explain(puzzle, Scope(Level.BASIC)).way
    step = next(s for s in way.steps if s.technique is Technique.RULE_OF_45)
    (truth,) = step.truths
    implied = truth.implied
    assert implied is not None
    prover = Prover(way.board, Budget())
    prover.require_all(way.steps[: step.number])
    total = implied.total._replace(low=implied.total.low + 1, high=implied.total.high + 1)
    less = implied.total._replace(low=implied.total.low - 1)
    stranger = puzzle.constraints.wider[0]._replace(sentence="what no rule says")
    forged = [
        implied._replace(total=total),
        implied._replace(total=less),
        implied._replace(cages=()),
        implied._replace(cages=(*implied.cages, implied.cages[0])),
        implied._replace(cages=(stranger,)),
        implied._replace(units=()),
        implied._replace(units=(*implied.units, puzzle.constraints.units[-1])),
        implied._replace(units=(Unit("row", 0, implied.units[0].cells[:3]),)),
        None,
    ]
    for number, other in enumerate(forged):
        constraint = truth.wider if other is None else other.total
        wrong = truth._replace(number=truth.number + 1 + number, wider=constraint, implied=other)
        with pytest.raises(WrongStepError, match="assumes what is not so"):
            prover.require(step._replace(truths=(wrong,)))


def test_what_no_technique_tells_a_solver_finds() -> None:
    """Level `all` does not end before the board is full."""
    for total in range(8, 13):
        puzzle = ruled(f"sum:{total}=r1c1,r2c3,r3c4,r4c2", "sum:9=r1c2,r2c1,r3c3,r4c4")
        for solution in list(find_solutions(puzzle))[:2]:
            few = solution.with_digits({cell: 0 for cell in range(16) if cell % 5})
            explanation = explain(puzzle.with_grid(few))
            assert explanation.way.is_full or explanation.verdict is not Verdict.UNIQUE


# Two circles, and two shafts that share a cell.
ARROWS = ("arrow:r1c1=r2c3,r3c4", "arrow:r1c4=r2c3,r4c3")


def test_what_rules_exclude_beyond_themselves_and_together_a_second_judge_finds_too() -> None:
    puzzle = ruled(*ARROWS)
    way = explain(puzzle, Scope(Level.BASIC)).way
    StepJudge(puzzle).judge(way)
    told = list(Teller(way).tell())
    seen = ", so 1 is in r2c3 or r4c3, both seen by r1c3 and r3c3; 3 is in r1c4, r2c3 or r4c3, all "
    assert any(seen in text for text in told)
    assert any(text.startswith("Rules together: ") and "\n  If r2c3 is 3" in text for text in told)


@pytest.mark.parametrize(
    "rules",
    [
        ("x-sum:row1=6", "skyscraper:col2=3", "sandwich:row3=2"),
        ("renban:r1c1-3", "sum:9=r2c2,r3c3,r4c4", "quadruple:1/2=r2c2"),
        # Two sums, and cells or digits of a unit that they meet.
        ("arrow:r4c2=r3c2,r4c3", "sum:5=r2c2,r1c1", "arrow:r1c2=r3c2,r4c4"),
        ("sum:6=r1c2,r3c4,r1c1", "sum:7=r4c4,r4c2,r1c3", "sum:7=r3c3,r2c1"),
        ("sum:8=r1c1,r2c3,r3c4,r4c2", "sum:9=r1c2,r2c1,r3c3,r4c4"),
        CAGES,
    ],
)
def test_every_step_follows_from_what_it_names(rules: tuple[str, ...]) -> None:
    puzzle = ruled(*rules)
    way = explain(puzzle, Scope(Level.BASIC)).way
    assert way.steps
    StepJudge(puzzle).judge(way)


# Explanations refuse hidden regions by name.
EXPLAINED = [each for each in ours() if "hidden-regions" not in each.name]
# The judge takes half a minute for 4x4 with a mark for each cell, and over eight minutes for 9x9.
MARKED = [each for each in EXPLAINED if any(rule.makes_values for rule in each.puzzle.rules)]
PLAIN = [each for each in EXPLAINED if each not in MARKED]
LARGE = [
    *(each for each in PLAIN if each.puzzle.geometry.size > 8),
    *(each for each in MARKED if each.puzzle.geometry.size <= 8),
]
SMALLER = [each for each in PLAIN if each.puzzle.geometry.size <= 8]


@pytest.mark.slow
@pytest.mark.parametrize("variant", LARGE, ids=lambda each: each.name)
def test_every_step_on_large_boards_follows(variant: Variant) -> None:
    """The judge takes a second for the steps of a board of 9x9, and a minute for some."""
    require_every_step(variant)


@crossed(5, variant=SMALLER)
def test_every_step_with_further_rules_follows(variant: Variant) -> None:
    require_every_step(variant)


def require_every_step(variant: Variant) -> None:
    way = explain(variant.puzzle).way
    assert way.is_full
    StepJudge(variant.puzzle).judge(way)


@pytest.mark.parametrize(
    ("rules", "units"),
    [
        (("arrow:r1c4=r4c3,r2c4",), 0),
        # Two sums with cells in four units, of which none has two cells of a sum.
        (("sum:8=r1c1,r2c3,r3c4,r4c2", "sum:9=r1c2,r2c1,r3c3,r4c4"), 4),
    ],
)
def test_units_with_the_rules_that_meet_them_exclude_by_few_truths(
    rules: tuple[str, ...], units: int
) -> None:
    way = explain(ruled(*rules), Scope(Level.BASIC)).way
    step = next(
        step
        for step in way.steps
        if step.technique is Technique.TOGETHER
        and 2 < step.size <= 12
        and len({truth.unit for truth in step.truths if truth.unit}) >= units
    )
    prover = Prover(way.board, Budget())
    prover.require_all(way.steps[: step.number - 1])
    for spared in step.truths:
        few = tuple(truth for truth in step.truths if truth is not spared)
        with pytest.raises(WrongStepError):
            prover.require(step._replace(truths=few))
    prover.require(step)
    told = Teller(way).word(step, [0] * 16, Wording.USUAL)
    # Its rule, then an argument; or, where that is long, what cells hold and units need.
    assert re.search(r"\n  If .*, so .*; then |(needs|\b(are|is|may) ).*; so together", told)


def test_a_sum_says_what_its_sides_come_to() -> None:
    geometry = Geometry(3, 3)
    rules = read_rules(["arrow:r1c1=r1c2,r1c3,r1c4"], geometry)
    hint = find_hint(Puzzle(Grid.empty(geometry)).with_rules(rules))
    assert (
        "r1c1 is at least 6 (r1c2, r1c3 and r1c4 come to at least 6) and r1c2, r1c3 and r1c4 are "
        "each at most 6 (r1c1 is at most 9 and the others come to at least 3); so r1c1 is 6 to 9"
    ) in hint.how


def test_a_sum_says_what_follows_for_each_side() -> None:
    geometry = Geometry(3, 3)
    rules = read_rules(["killer:31=r1c1-3,r2c1-2", "killer:28=r1c4-8"], geometry)
    puzzle = Puzzle(Grid.empty(geometry)).with_rules(rules)
    way = basic_way(puzzle, 1)
    assert "r1c9 is at least 1, so r2c1 and r2c2 come to at least 15" in "".join(Teller(way).tell())
