from dataclasses import replace
from itertools import combinations

import pytest

from satdoku import api
from satdoku.errors import SatdokuError
from satdoku.making.minimizer import Minimized, Minimizer, clues_of
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import check
from tests.boards import HARD
from tests.commands import require_failure, run
from tests.crossing import sampled
from tests.making.boards import is_unique, only, thinned

SMALL, MIDDLE, USUAL = Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)


def all_minimal_by_trying(grid: Grid) -> set[tuple[int, ...]]:
    """Subsets by size: one that is unique and contains no smaller one that is."""
    redundant = [cell for cell in grid.givens if is_unique(grid.with_digits({cell: EMPTY}))]
    needed = set(grid.givens) - set(redundant)
    found: list[set[int]] = []
    for count in range(len(redundant) + 1):
        for chosen in combinations(redundant, count):
            cells = needed.union(chosen)
            if not any(smaller <= cells for smaller in found) and is_unique(
                only(grid, tuple(cells))
            ):
                found.append(cells)
    return {tuple(sorted(cells)) for cells in found}


def cells_of(minimized: Minimized) -> tuple[int, ...]:
    return tuple(minimized.puzzle.givens)


@sampled(2, "geometry, givens", [(SMALL, 11), (SMALL, 9), (MIDDLE, 14), (USUAL, 27)])
def test_all_and_fewest_are_those_that_trying_finds(geometry: Geometry, givens: int) -> None:
    with Minimizer() as minimizer:
        for seed in range(1 if geometry is USUAL else 2):
            grid, _ = thinned(seed, geometry, givens)
            outcome = minimizer.check(Puzzle(grid))
            expected = all_minimal_by_trying(grid)
            found = [cells_of(each) for each in minimizer.find_all(outcome)]
            assert len(found) == len(set(found))
            assert set(found) == expected
            fewest = minimizer.find_fewest(outcome)
            assert fewest.is_fewest
            assert fewest.givens == min(map(len, expected))
            assert cells_of(fewest) in expected


def test_seeds_lead_to_different_minimal_puzzles_and_always_to_the_same() -> None:
    grid, solution = thinned(1, USUAL, 40)
    with Minimizer() as minimizer:
        outcome = minimizer.check(Puzzle(grid, name="kept"))
        found = [minimizer.minimize(outcome, seed) for seed in "abcabc"]
    assert found[:3] == found[3:]
    assert len({each.puzzle for each in found}) > 1
    for each in found:
        assert each.puzzle.name == "kept"
        assert each.solution == solution
        assert is_unique(each.puzzle.grid)


def test_cells_to_keep_go_last() -> None:
    """Where they are enough, nothing else stays."""
    grid, _ = thinned(2, MIDDLE, 18)
    with Minimizer() as minimizer:
        outcome = minimizer.check(Puzzle(grid))
        for each in minimizer.find_all(outcome):
            assert minimizer.minimize(outcome, keep=cells_of(each)) == each


def test_symmetric_givens_go_together() -> None:
    _, solution = thinned(2, MIDDLE, 36)
    with Minimizer() as minimizer:
        outcome = minimizer.check(Puzzle(solution))
        cells = cells_of(minimizer.minimize(outcome, symmetry=Symmetry.ROTATE180))
    assert {35 - cell for cell in cells} == set(cells)


@pytest.mark.parametrize("grid", [Grid.empty(SMALL), Grid.empty(SMALL).with_digits({0: 1, 1: 1})])
def test_puzzles_without_one_solution_are_refused(grid: Grid) -> None:
    with Minimizer() as minimizer:
        outcome = minimizer.check(Puzzle(grid))
        assert outcome.verdict is not Verdict.UNIQUE
        with pytest.raises(SatdokuError, match="exactly one solution"):
            minimizer.minimize(outcome)


def test_each_witness_is_excluded_by_its_given_alone() -> None:
    with Minimizer() as minimizer:
        fewest = minimizer.find_fewest(minimizer.check(Puzzle(thinned(4, MIDDLE, 18)[0])))
        witnesses = minimizer.find_witnesses(fewest.puzzle)
    assert set(witnesses) == set(fewest.puzzle.givens)
    for cell, witness in witnesses.items():
        fewer = fewest.puzzle.with_grid(fewest.puzzle.grid.with_digits({cell: EMPTY}))
        assert find_fault(witness, fewer) == ""
        assert witness.digits[cell] != fewest.puzzle.grid.digits[cell]


def test_a_redundant_given_has_no_witness() -> None:
    grid, _ = thinned(4, MIDDLE, 20)
    with Minimizer() as minimizer:
        redundant = minimizer.find_redundant(minimizer.check(Puzzle(grid)))
        assert redundant
        assert set(minimizer.find_witnesses(Puzzle(grid))) == set(grid.givens) - set(redundant)


def test_bounds_come_closer_and_meet() -> None:
    seen: list[tuple[int, int]] = []
    with Minimizer() as minimizer:
        outcome = minimizer.check(Puzzle(thinned(6, USUAL, 34)[0]))
        fewest = minimizer.find_fewest(outcome, lambda lower, upper: seen.append((lower, upper)))
    lowers, uppers = zip(*seen, strict=True)
    assert list(lowers) == sorted(lowers)
    assert list(uppers) == sorted(uppers, reverse=True)
    assert seen[-1] == (fewest.givens, fewest.givens)


def test_a_limit_leaves_bounds_and_a_reason() -> None:
    _, solution = thinned(1, USUAL, 81)
    limits = Limits(conflicts=20)
    with Minimizer(limits=limits) as minimizer:
        outcome = check(Puzzle(solution))
        fewest = minimizer.find_fewest(outcome)
        assert not fewest.is_fewest
        assert "20 conflicts" in fewest.reason
        assert fewest.lower is not None
        assert fewest.lower < fewest.givens <= 81
        assert is_unique(fewest.puzzle.grid)
        with pytest.raises(LimitReachedError):
            list(minimizer.find_all(outcome))


def test_a_minimizer_turns_to_other_rules() -> None:
    geometry = Geometry(2, 3)
    rules = [read_rule("diagonals", geometry)]
    classic = Puzzle(thinned(1, geometry, 36)[1])
    with Minimizer() as minimizer:
        for puzzle in (classic, HARD, classic):
            minimized = minimizer.minimize(minimizer.check(puzzle))
            assert is_unique(minimized.puzzle.grid)
        diagonal = Puzzle(Grid.empty(geometry)).with_rules(rules)
        solution = check(diagonal).solution
        assert solution is not None
        minimized = minimizer.minimize(minimizer.check(diagonal.with_grid(solution)))
        assert check(minimized.puzzle).verdict is Verdict.UNIQUE
        assert minimized.puzzle.rules == diagonal.rules


def test_many_are_minimized_as_one_by_one() -> None:
    for geometry in (Geometry(), Geometry(2, 2)):
        puzzles = [
            Puzzle(thinned(seed, geometry, geometry.cell_count // 2)[0]) for seed in range(3)
        ]
        with Minimizer() as minimizer, Minimizer("cadical153") as by_solver:
            outcomes = [minimizer.check(puzzle) for puzzle in puzzles]
            for wishes in (
                {},
                {"seed": "b", "keep": (0, 1, 2, 3)},
                {"symmetry": Symmetry.ROTATE180},
            ):
                one_by_one = [by_solver.minimize(outcome, **wishes) for outcome in outcomes]
                many = minimizer.minimize_many(outcomes, **wishes)
                assert [found for found, _ in many] == one_by_one


RULES = [
    "killer:6=r1c1-3",
    "killer:5=r1-2c4",
    "killer:10=r2-4c1,r3c2",
    "killer:7=r2c2-3,r3c3",
    "killer:5=r3-4c4",
    "killer:7=r4c2-3",
    "thermo:r2c3,r1c4",
    "even:r1c1",
]
LINE = "2134" + "." * 12


def is_needed(puzzle: Puzzle) -> bool:
    return check(puzzle).verdict is Verdict.MULTIPLE


@sampled(2, "seed", ["0", "1", "2", "3"])
def test_nothing_that_is_left_can_go(seed: str) -> None:
    puzzle = Puzzle.from_line(LINE, rules=RULES)
    found = api.minimize(puzzle, seed=seed, clues=True)
    assert check(found.puzzle).solution == found.solution == check(puzzle).solution
    left = clues_of(found.puzzle)
    assert set(left) < set(clues_of(puzzle))
    for clue in left:
        rules = tuple(rule for rule in found.puzzle.rules if rule != clue)
        assert is_needed(replace(found.puzzle, rules=rules))
    for cell in found.puzzle.givens:
        assert is_needed(found.puzzle.with_grid(found.puzzle.grid.with_digits({cell: EMPTY})))
    assert api.minimize(puzzle, seed=seed, clues=True).puzzle == found.puzzle


def test_the_command_says_which_clues_are_left() -> None:
    options = [word for rule in RULES for word in ("--rule", rule)]
    found = run("minimize", LINE, *options, "--clues", "--json")
    assert found.code == 0
    all_rules = run("minimize", LINE, *options, "--json").stdout
    assert '"clues": [' in found.stdout
    assert '"clues"' not in all_rules
    require_failure(run("minimize", LINE, "--clues", "--fewest"), "--clues", code=2)


def test_regions_and_digits_are_no_clues() -> None:
    rules = ["digits:0-3", "regions:AABB/ABBC/ADCC/DDDC", "odd:r1c1", "anti-knight"]
    assert [clue.name for clue in clues_of(Puzzle.from_line("." * 16, rules=rules))] == ["odd"]
