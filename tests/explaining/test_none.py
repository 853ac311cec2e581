"""Puzzles without solution: the smallest clash against brute force, repairs against the judges."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

import satdoku
from satdoku.explaining import clash
from satdoku.explaining.clash import (
    find_clashing_rules,
    find_repairs,
    find_rule_repairs,
    find_smallest_clash,
)
from satdoku.explaining.step import Technique
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check
from tests.boards import HARD, read_grid
from tests.crossing import few_or_many
from tests.each import for_each
from tests.explaining.samples import broken_puzzles, random_puzzles, shaped_puzzle
from tests.oracle import count_solutions
from tests.puzzle.rules.instances import LINES_ONLY, every_grid

FOUR = Geometry(2, 2)
SMALL = [
    puzzle
    for seed in range(12)
    for puzzle in broken_puzzles(shaped_puzzle(FOUR, seed, 55), random.Random(seed))
]


def has_solution(puzzle: Puzzle, givens: dict[int, int]) -> bool:
    """What the oracle says of a classic board with these givens."""
    digits = Grid.empty(puzzle.geometry).with_digits(givens).digits
    shape = puzzle.geometry
    return count_solutions(shape.box_rows, shape.box_columns, digits, 1) > 0


def test_there_are_enough_small_puzzles() -> None:
    assert len(SMALL) >= 10


@for_each("puzzle", SMALL)
def test_the_smallest_clash_is_as_small_as_brute_force_finds(puzzle: Puzzle) -> None:
    smallest = find_smallest_clash(puzzle, Budget())
    assert smallest is not None
    assert smallest.is_proven
    givens = puzzle.givens
    assert not has_solution(puzzle, {cell: givens[cell] for cell in smallest.cells})
    assert len(smallest.cells) == smallest.at_least
    for cells in combinations(givens, len(smallest.cells) - 1):
        assert has_solution(puzzle, {cell: givens[cell] for cell in cells})


@for_each("puzzle", SMALL)
def test_repairs_by_one_change_are_those_that_brute_force_finds(puzzle: Puzzle) -> None:
    repairs = find_repairs(puzzle, Budget())
    unique, others, dropped = set(), 0, set()
    for cell, digit in puzzle.givens.items():
        for other in range(1, 5):
            changed = puzzle.grid.with_digits({cell: other})
            count = count_solutions(2, 2, changed.digits, 2) if other != digit else 0
            if count:
                dropped.add((cell,))
            if count == 1:
                unique.add((cell, digit, other))
            others += count > 1
    if not dropped:
        pytest.skip("no single change mends this one")
    assert repairs.changed == 1
    assert repairs.is_complete
    assert {tuple(changes[0]) for changes in repairs.unique} == unique
    assert repairs.others == others
    assert set(repairs.dropped) == dropped


def test_the_digit_that_was_altered_is_among_the_repairs() -> None:
    broken = [b for seed in range(4) for b in broken_puzzles(HARD, random.Random(seed))]
    assert broken
    for puzzle in broken[:5]:
        (cell,) = HARD.grid.differences(puzzle.grid)
        repairs = find_repairs(puzzle, Budget())
        assert (cell, puzzle.grid.digits[cell], HARD.grid.digits[cell]) in {
            tuple(changes[0]) for changes in repairs.unique
        }
        for (change,) in repairs.unique:
            mended = puzzle.with_grid(puzzle.grid.with_digits({change.cell: change.after}))
            assert check(mended).verdict is Verdict.UNIQUE


def test_two_direct_clashes_apart_need_two_changes() -> None:
    puzzle = Puzzle(read_grid("11......." + "." * 9 + ".......22" + "." * 54))
    repairs = find_repairs(puzzle, Budget())
    assert repairs.changed == 2
    assert not repairs.unique
    assert (0, 25) in repairs.dropped
    assert repairs.others
    for cells in repairs.dropped:
        fewer = puzzle.with_grid(puzzle.grid.with_digits(dict.fromkeys(cells, EMPTY)))
        assert check(fewer).verdict is not Verdict.NONE


def test_ways_that_are_not_all_counted_are_told_as_a_lower_bound() -> None:
    """Without one of each pair of givens, the other two cells may change in 64 ways."""
    puzzle = Puzzle(read_grid("11......." + "." * 9 + ".......22" + "." * 54))
    told = satdoku.to_text(satdoku.explain(puzzle))
    assert "There are at least 200 ways to change 2 givens that leave several solutions." in told
    every = satdoku.to_text(satdoku.explain(Puzzle(read_grid("11" + "." * 79))))
    assert "There are 16 ways to change one given that leave several solutions." in every


def test_two_wrong_givens_of_a_unique_puzzle_are_mended_together() -> None:
    right = shaped_puzzle(Geometry(3, 3), 1, 45)
    first, second = list(right.givens)[3], list(right.givens)[-3]
    digits = right.grid.digits
    wrong = {cell: digits[cell] % 9 + 1 for cell in (first, second)}
    puzzle = right.with_grid(right.grid.with_digits(wrong))
    repairs = find_repairs(puzzle, Budget())
    assert repairs.changed == 2
    mended = {tuple((c.cell, c.after) for c in changes) for changes in repairs.unique}
    assert ((first, digits[first]), (second, digits[second])) in mended


def test_a_direct_clash_is_the_smallest() -> None:
    puzzle = Puzzle(read_grid("1..1............", FOUR))
    smallest = find_smallest_clash(puzzle, Budget())
    assert smallest is not None
    assert (smallest.cells, smallest.is_proven) == ((0, 3), True)


def test_a_given_that_a_rule_forbids_clashes_alone_and_is_changed() -> None:
    puzzle = Puzzle(read_grid("1.....2..3.....4", FOUR)).with_rules([read_rule("even:r1c1", FOUR)])
    smallest = find_smallest_clash(puzzle, Budget())
    assert smallest is not None
    assert smallest.cells == (0,)
    repairs = find_repairs(puzzle, Budget())
    assert repairs.dropped == [(0,)]
    assert {changes[0].after for changes in repairs.unique} <= {2, 4}


def fewest_that_clash(puzzle: Puzzle) -> int | None:
    """How many givens exclude every Latin square; None if one has all of them."""
    bare = puzzle.with_grid(Grid.empty(FOUR))
    left = [g for g in every_grid(LINES_ONLY) if next(find_clashes(bare, g), None) is None]
    givens = puzzle.givens
    for count in range(len(givens) + 1):
        for cells in combinations(givens, count):
            if not any(all(g.digits[cell] == givens[cell] for cell in cells) for g in left):
                return count
    return None


CLASHING_BESIDE_RULES = [
    ("..4...4.........", "whispers:3=r4c4,r3c4,r4c3", 0),
    ("11..............", "killer:3=r3c1,r3c2 killer:4=r4c1,r4c2", 0),
    ("12..............", "killer:4=r1c1,r1c2", 1),
    ("11.............2", "odd:r4c4", 1),
    ("11......3.......", "killer:3=r3c1,r3c2", 1),
    ("11..............", "killer:3=r3c1,r3c2", 2),
]


@for_each("givens, rules, fewest", CLASHING_BESIDE_RULES)
def test_givens_that_clash_directly_do_not_hide_a_smaller_clash(
    givens: str, rules: str, fewest: int
) -> None:
    puzzle = satdoku.parse(givens, rules=rules.split())
    assert fewest_that_clash(puzzle) == fewest
    found = satdoku.explain(puzzle)
    assert found.clashes
    assert found.smallest == find_smallest_clash(puzzle, Budget())
    assert found.smallest is not None
    assert (len(found.smallest.cells), found.smallest.is_proven) == (fewest, True)
    told = satdoku.to_text(found)
    assert ("The rules exclude every grid, whatever the givens: " in told) == (fewest == 0)
    assert bool(found.clashing_rules) == (fewest == 0)
    limited = find_smallest_clash(puzzle, Budget(Limits(timeout=0)))
    assert limited is not None
    assert (limited.is_proven, limited.at_least) == (False, 0)


@few_or_many("count", 30, 1500)
def test_the_smallest_clash_beside_random_rules_is_the_one_of_all_grids(count: int) -> None:
    for puzzle in random_puzzles(random.Random(3), count):
        fewest = fewest_that_clash(puzzle)
        if fewest is not None:
            found = find_smallest_clash(puzzle, Budget())
            assert found is not None
            assert found.is_proven
            assert len(found.cells) == found.at_least == fewest, (puzzle.givens, puzzle.rule_texts)


@for_each(
    "givens, rules, expected",
    [
        ("1" + "." * 15, "even:r1c1", "No solution: a rule forbids a given."),
        ("11" + "." * 14, "", "No solution: two givens clash directly."),
        ("11............32", "odd:r4c4", "No solution: givens clash directly."),
    ],
)
def test_how_givens_clash_directly_is_told(givens: str, rules: str, expected: str) -> None:
    explanation = satdoku.explain(satdoku.parse(givens, rules=rules.split()))
    assert satdoku.to_text(explanation).startswith(f"{expected}\n")
    heading = satdoku.slides(explanation).slides[-1].heading
    assert expected == f"No solution: {heading[0].lower()}{heading[1:]}."


def test_a_limit_leaves_bounds_and_no_false_proof() -> None:
    puzzle = next(b for seed in range(9) for b in broken_puzzles(HARD, random.Random(seed)))
    whole = find_smallest_clash(puzzle, Budget())
    assert whole is not None
    for conflicts in (1, 30, 100, 300):
        part = find_smallest_clash(puzzle, Budget(Limits(conflicts=conflicts)))
        if part is not None and not part.is_proven:
            assert part.at_least <= len(whole.cells) <= len(part.cells)
    assert not find_repairs(puzzle, Budget(Limits(conflicts=1))).is_complete


FULL = (
    "0249568731 1.87..0.65 560.8..394 875.134920 49130256.8 "
    "9835216407 7.64359812 6421.0358. 2.98647053 3570982146"
)


def test_repairs_by_many_changes_are_not_looked_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here six givens and more have to change; what a user's limit cuts short is told as that."""
    rules = ["digits:0-9", "double-arrow:r10c3,r9c2,r8c1"]
    puzzle = satdoku.parse(FULL.replace(" ", ""), box=Geometry(5, 2), rules=rules)
    limited = satdoku.explain(puzzle, "singles", limits=Limits(conflicts=1000))
    assert limited.reason == "not decided within 1,000 conflicts"
    monkeypatch.setattr(clash, "_MOST_CONFLICTS", 1000)
    explanation = satdoku.explain(puzzle, "singles")
    assert (explanation.is_complete, explanation.reason) == (True, "")
    assert explanation.repairs is not None
    assert (explanation.repairs.changed, explanation.repairs.is_complete) == (0, False)
    assert "No repair of givens was found before the search ended." in satdoku.to_text(explanation)


@pytest.mark.parametrize(
    "rules",
    [
        ["odd:r4c4", "killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4", "even:r4c1"],
        ["sandwich:row1=1", "odd:r1c1"],
        ["regions:AAAB/ACBB/CCBD/CDDD", "killer:4=r1c1,r1c2", "killer:4=r1c2,r1c3", "odd:r4c4"],
        ["anti-king", "odd:r1c1,r1c2,r2c1"],
    ],
)
def test_rules_clash_together_and_any_of_them_may_go(rules: list[str]) -> None:
    puzzle = satdoku.parse("1...............", rules=rules)
    found = find_clashing_rules(puzzle, Budget())
    assert found
    shape = [rule for rule in puzzle.rules if rule not in puzzle.further_rules]
    shape += [rule for rule in puzzle.further_rules if rule.stands_in_for_boxes]
    assert not set(found) & set(shape)
    bare = puzzle.with_grid(Grid.empty(FOUR))
    assert check(replace(bare, rules=(*shape, *found))).verdict is Verdict.NONE
    for dropped in found:
        kept = tuple(rule for rule in found if rule != dropped)
        assert check(replace(bare, rules=(*shape, *kept))).verdict is not Verdict.NONE
    assert find_clashing_rules(puzzle, Budget(Limits(timeout=0))) == ()


def test_a_wrong_sum_is_repaired() -> None:
    rules = ["killer:7=r2c3,r3c3", "killer:5=r3c1,r4c1", "even:r4c4"]
    puzzle = satdoku.parse("12" + "." * 14, rules=rules)
    assert check(puzzle).verdict is Verdict.NONE
    found = {repair.rule: repair for repair in find_rule_repairs(puzzle, Budget())}
    assert found
    for rule in puzzle.further_rules:
        rest = tuple(each for each in puzzle.rules if each != rule)
        may_go = check(replace(puzzle, rules=rest)).verdict is not Verdict.NONE
        assert (rule in found) == may_go
    for repair in found.values():
        for others, verdict in ((repair.unique, "unique"), (repair.several, "multiple")):
            for other in others:
                changed = tuple(other if each == repair.rule else each for each in puzzle.rules)
                assert check(replace(puzzle, rules=changed)).verdict.value == verdict
    told = satdoku.to_text(satdoku.explain(puzzle))
    assert "changed to" in told


def test_other_numbers_of_a_rule_are_told_as_ranges() -> None:
    rules = ["killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4"]
    told = satdoku.to_text(satdoku.explain(satdoku.parse("." * 81, rules=rules))).splitlines()
    assert told[-3:] == [
        "The rules exclude every grid, whatever the givens: killer:3=r1c1,r1c2 and "
        "killer:4=r1c3,r1c4 clash, and any of them may go.",
        "With 6 to 17 instead of 3 in killer:3=r1c1,r1c2 there are several solutions.",
        "With 7 to 17 instead of 4 in killer:4=r1c3,r1c4 there are several solutions.",
    ]


def test_a_single_rule_and_a_single_step_are_told_in_the_singular() -> None:
    puzzle = satdoku.parse("." * 81, rules=["whispers:5=r5c1-9"])
    told = satdoku.to_text(satdoku.explain(puzzle))
    assert "Row 5 has no place for 5: step 1 leaves none." in told
    assert "r5c9 does so by itself." in told
    names = [technique.singular for technique in (Technique.SUM, Technique.LOCKED)]
    assert names == ["combination", "locked candidate"]


def test_clues_whose_digits_fit_in_no_cell_or_no_sum_are_told() -> None:
    for rule, givens, expected in [
        ("quadruple:1/2=r2c2", "..1..........1..", "1 can be in none of them; so"),
        ("rellik:3=r1c2-4", "." * 16, "no combination fits; so r1c2, r1c3 and r1c4"),
    ]:
        told = satdoku.to_text(satdoku.explain(satdoku.parse(givens, rules=[rule])))
        assert expected in told


def test_an_explanation_names_the_rules_that_clash() -> None:
    rules = ["odd:r4c4", "killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4"]
    explanation = satdoku.explain(satdoku.parse("................", rules=rules))
    told = satdoku.to_text(explanation)
    assert "killer:3=r1c1,r1c2 and killer:4=r1c3,r1c4 clash, and any of them may go" in told
    assert satdoku.to_object(explanation)["clashing_rules"] == rules[1:]
