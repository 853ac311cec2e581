"""Boards with hidden regions and few clues, which solvers alone take minutes for."""

from itertools import islice

import pytest

import satdoku
from satdoku.puzzle.constraints import HiddenRegions
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.divided import DividedSearch, Walk, jigsaws
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import Search, check, find_solutions, open_search
from satdoku.solving.solvers import Settings
from tests.crossing import crossed


def board(clues: str, *more: str, box: str = "3x3") -> Puzzle:
    geometry = Geometry.parse(box)
    return Puzzle(Grid.empty(geometry)).with_rules(
        read_rules([f"hidden-regions:{clues}", *more], geometry)
    )


FEW = [
    board("same=r2c2,r4c2"),
    board("reach=r7c8"),
    board("count=r6c4/apart=r3c7,r1c9/same=r6c4,r4c2/same=r5c6,r5c3"),
    board("regions=r1c2,r1c1-3/same=r1c1,r2c1", "digits:0-8"),
]


@crossed(2, puzzle=FEW)
def test_with_few_clues_two_solutions_are_found(puzzle: Puzzle) -> None:
    outcome = check(puzzle)
    assert outcome.verdict is Verdict.MULTIPLE
    assert outcome.solution != outcome.second


@pytest.mark.slow
def test_solutions_differ_and_are_the_same_each_time() -> None:
    found = list(islice(find_solutions(FEW[1]), 3))
    assert len(set(found)) == 3
    assert list(islice(find_solutions(FEW[1]), 3)) == found


def test_who_names_a_solver_gets_no_guesses() -> None:
    limits = Limits(conflicts=50)
    for settings in (Settings(solver="minicard"), Settings(limits=limits)):
        with open_search(FEW[0], settings, Budget(settings.limits)) as search:
            assert type(search) is Search
    with open_search(FEW[0], Settings(), Budget(Limits())) as search:
        assert type(search) is DividedSearch


def test_a_walk_keeps_regions_whole_and_counts_their_faults() -> None:
    puzzle = board("same=r1c1,r3c3/count=r2c2", box="2x3")
    [hidden] = puzzle.constraints.wider
    assert isinstance(hidden, HiddenRegions)
    walk = Walk(puzzle, hidden.clues)
    for _ in range(400):
        walk.step()
        assert sorted(cell for region in walk.regions for cell in region) == list(range(36))
        assert all(
            len(region) == 6 and walk.hangs_together(n) for n, region in enumerate(walk.regions)
        )
        assert (walk.faults == 0) == (
            any({0, 14} <= region for region in walk.regions)
            and len(next(r for r in walk.regions if 7 in r) & {0, 1, 2, 6, 7, 8, 12, 13, 14}) <= 6
        )


def test_what_is_guessed_has_the_numbers_of_clues_for_givens() -> None:
    puzzle = board("count=r1c1/reach-beside=r9c9", "digits:0-8")
    jigsaw = next(jigsaws(puzzle, Budget(Limits())))
    assert {0, 80} <= set(jigsaw.givens)
    assert "hidden-regions" not in [rule.name for rule in jigsaw.rules]
    solution = satdoku.check(jigsaw).solution
    if solution is not None:
        assert not list(puzzle.rules[2].find_clashes(puzzle.geometry, solution.digits))


def test_two_divisions_of_a_board_are_left_to_a_solver() -> None:
    rules = ["hidden-regions:same=r1c1,r2c1/boxes", "hidden-regions:same=r1c1,r1c2/boxes"]
    puzzle = Puzzle(Grid.empty(Geometry(2, 2))).with_rules(read_rules(rules, Geometry(2, 2)))
    assert check(puzzle).verdict is Verdict.MULTIPLE


def test_a_clue_without_a_digit_leaves_nothing_to_guess() -> None:
    puzzle = board("count=r1c1", "candidates:r1c1=9", "odd:r1c1", "anti-king", "even:r2c2")
    given = puzzle.with_grid(puzzle.grid.with_digits({1: 9}))
    assert check(given).verdict is Verdict.NONE
