from itertools import combinations

import pytest

from satdoku.errors import SatdokuError
from satdoku.making.minimizer import Minimized, Minimizer
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import check
from tests.boards import HARD
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


@pytest.mark.parametrize(
    ("geometry", "givens"), [(SMALL, 11), (SMALL, 9), (MIDDLE, 14), (USUAL, 27)]
)
def test_all_and_fewest_are_those_that_trying_finds(geometry: Geometry, givens: int) -> None:
    with Minimizer() as minimizer:
        for seed in range(3):
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
