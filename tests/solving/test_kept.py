"""A solver that stays loaded, against one that is made for each question."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import kept
from satdoku.solving.kept import KeptPuzzle, KeptSolvers
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check, find_solutions
from tests.crossing import crossed, sampled
from tests.variants import Variant, ours

RULES = [
    "killer:5=r1c1,r1c2", "killer:6=r2c1,r2c2,r3c1", "thermo:r4c1,r3c2,r2c3", "anti-king",
    "odd:r1c4", "extra-region:r1c1,r2c2,r3c3", "difference:1=r1c1,r1c2",
    "sandwich:row2=2", "sum:5=r4c3,r4c4", "whispers:2=r1c3,r1c4,r2c4", "candidates:r4c4=1/2/3",
    "quadruple:1/2=r2c2", "either:odd:r1c1|even:r4c4",
]  # fmt: skip
KILLER = Puzzle.from_line("." * 16, rules=["killer:3=r1c1,r1c2", "killer:4=r1c3,r1c4"])


def rules_to_draw() -> tuple[Rule, ...]:
    return Puzzle.from_line("." * 16, rules=RULES).further_rules


def edits(seed: int, count: int) -> Iterator[Puzzle]:
    """The puzzle after each of some edits of a digit or a rule."""
    chance, known = random.Random(seed), rules_to_draw()
    cells, rules = {}, chance.sample(known, 2)
    for _ in range(count):
        if chance.random() < 0.3:
            rules = [*chance.sample(rules, len(rules) - 1), chance.choice(known)]
        cells[chance.randrange(16)] = chance.choice([0, 0, 1, 2, 3, 4])
        bare = Puzzle(Grid.empty(Geometry(2, 2)).with_digits(cells))
        yield bare.with_rules(dict.fromkeys(rules))


def keep(solvers: KeptSolvers, puzzle: Puzzle) -> KeptPuzzle:
    found = solvers.of(puzzle, Budget())
    assert found is not None
    return found


def equal_cells(solutions: list[Grid]) -> list[list[int]]:
    found: dict[tuple[int, ...], list[int]] = {}
    for cell in range(16):
        found.setdefault(tuple(grid.digits[cell] for grid in solutions), []).append(cell)
    return [cells for key, cells in found.items() if len({*key}) > 1 and len(cells) > 1]


def without(puzzle: Puzzle, rule: Rule) -> Puzzle:
    return replace(puzzle, rules=tuple(each for each in puzzle.rules if each != rule))


@sampled(3, "seed", range(6))
def test_answers_are_those_of_a_fresh_solver(seed: int) -> None:
    with KeptSolvers() as solvers:
        for puzzle in edits(seed, 25):
            held, usual = keep(solvers, puzzle), check(puzzle)
            outcome = held.outcome()
            assert outcome is not None
            assert outcome.verdict is usual.verdict
            solutions = list(find_solutions(puzzle))
            assert {outcome.solution, outcome.second} <= {None, *solutions}
            counts, is_complete = held.count_candidates(3)
            assert is_complete
            for cell, found in enumerate(counts):
                digits = [grid.digits[cell] for grid in solutions]
                assert found == {digit: min(3, digits.count(digit)) for digit in digits}
            assert {*held.solutions()} == {*solutions}
            assert held.equal_cells() == equal_cells(solutions)
            if usual.solution is not None and usual.second is None:
                needless = held.find_needless(usual.solution)
                for rule in puzzle.further_rules:
                    is_spare = check(without(puzzle, rule)).verdict is Verdict.UNIQUE
                    assert (rule in needless.rules) == is_spare
                for cell in puzzle.givens:
                    left = puzzle.with_grid(puzzle.grid.with_digits({cell: 0}))
                    assert (cell in needless.cells) == (check(left).verdict is Verdict.UNIQUE)


def test_needless_givens_of_large_boards_are_tested_with_the_others_fixed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "count_held_out", lambda geometry: 3)
    solution = Puzzle.from_line("1234341221434321").grid
    chance = random.Random(7)
    for _ in range(8):
        cells = chance.sample(range(16), 7)
        puzzle = Puzzle(
            Grid.empty(Geometry(2, 2)).with_digits({c: solution.digits[c] for c in cells})
        )
        if check(puzzle).verdict is not Verdict.UNIQUE:
            continue
        with KeptSolvers() as solvers:
            held = keep(solvers, puzzle)
            found = held.find_needless(solution).cells
            spare = [puzzle.with_grid(puzzle.grid.with_digits({cell: 0})) for cell in sorted(cells)]
            unique = [check(each).verdict is Verdict.UNIQUE for each in spare]
            assert found == [
                cell for cell, is_spare in zip(sorted(cells), unique, strict=True) if is_spare
            ]
            # The other solutions are remembered: they decide what is needed after the next edit.
            assert len(held.known(9)) == 0
            for each, is_spare in zip(spare, unique, strict=True):
                assert len(keep(solvers, each).known(2)) == (0 if is_spare else 1)


@sampled(4, "seed", range(8))
def test_the_fewest_rules_that_clash_are_named(seed: int) -> None:
    chance, known = random.Random(seed), rules_to_draw()
    bare = Puzzle(Grid.empty(Geometry(2, 2)))
    with KeptSolvers() as solvers:
        for _ in range(5):
            rules = chance.sample(known, 6)
            found = keep(solvers, bare.with_rules(rules)).clashing_rules()
            clash = next(
                (
                    some
                    for size in range(1, len(rules) + 1)
                    for some in combinations(rules, size)
                    if check(bare.with_rules(some)).verdict is Verdict.NONE
                ),
                (),
            )
            assert len(found) == len(clash) or len(found) == 2
            assert not found or check(bare.with_rules(found)).verdict is Verdict.NONE


def test_two_solutions_that_still_fit_need_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    with KeptSolvers() as solvers:
        puzzle = without(KILLER, KILLER.further_rules[1])
        first = keep(solvers, puzzle).outcome()
        assert first is not None
        assert first.solution is not None
        assert first.second is not None
        same = next(c for c, d in enumerate(first.second.digits) if first.solution.digits[c] == d)
        given = puzzle.grid.with_digits({same: first.second.digits[same]})
        monkeypatch.setattr(KeptPuzzle, "_ask", None)
        again = keep(solvers, puzzle.with_grid(given)).outcome()
        assert again is not None
        assert again.verdict is Verdict.MULTIPLE


def test_a_board_without_a_kept_solver() -> None:
    with KeptSolvers() as solvers:
        assert solvers.of(Puzzle.from_line("." * 625), Budget()) is None
        hidden = Puzzle.from_line("." * 16, rules=["hidden-regions:same=r3c3,r4c3"])
        assert solvers.of(hidden, Budget()) is None


def test_a_solver_that_has_become_large_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_QUESTIONS", 3)
    with KeptSolvers() as solvers:
        for puzzle in edits(1, 20):
            outcome = keep(solvers, puzzle).outcome()
            assert outcome is not None
            assert outcome.verdict is check(puzzle).verdict
        [solver] = solvers._solvers.values()
        assert len(solver._selectors) < len(rules_to_draw())


def test_rules_that_are_no_longer_asked_for_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_CLAUSES", 2_000)
    with KeptSolvers() as solvers:
        for total in range(3, 8):
            for cells in ("r1c1,r1c2", "r2c1,r2c2", "r3c1,r3c2"):
                puzzle = Puzzle.from_line("." * 16, rules=[f"killer:{total}={cells}"])
                assert keep(solvers, puzzle).outcome() is not None
        [solver] = solvers._solvers.values()
        assert len(solver._selectors) < 15


def test_only_some_boards_are_kept() -> None:
    with KeptSolvers() as solvers:
        for size in (4, 6, 8, 9):
            rules = ["killer:3=r1c1,r1c2"]
            keep(solvers, Puzzle.from_line("." * size * size, rules=rules)).outcome()
        assert len(solvers._solvers) == kept._MOST_SOLVERS


class After:
    """A stop that is set after so many looks."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("looks", range(0, 12, 2))
def test_a_question_that_is_recalled_leaves_right_answers_behind(looks: int) -> None:
    with KeptSolvers() as solvers:
        for puzzle in edits(3, 12):
            try:
                held = solvers.of(puzzle, Budget(Limits(stop=After(looks))))
                assert held is not None
                held.outcome()
                held.count_candidates(2)
            except LimitReachedError:
                pass
            outcome = keep(solvers, puzzle).outcome()
            assert outcome is not None
            assert outcome.verdict is check(puzzle).verdict


def test_a_verdict_that_is_too_hard_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_PATIENCE", 0)
    with KeptSolvers() as solvers:
        assert keep(solvers, KILLER).outcome() is None


@crossed(9, variant=[each for each in ours() if each.puzzle.givens])
def test_the_verdict_on_puzzles_of_every_rule(variant: Variant) -> None:
    with KeptSolvers() as solvers:
        held = solvers.of(variant.puzzle, Budget())
        if held is None:
            return
        outcome = held.outcome()
        assert outcome is not None
        assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, variant.solution)
        cell = next(iter(variant.puzzle.givens))
        fewer = variant.puzzle.with_grid(variant.puzzle.grid.with_digits({cell: 0}))
        outcome = keep(solvers, fewer).outcome()
        assert outcome is None or outcome.verdict is check(fewer).verdict
