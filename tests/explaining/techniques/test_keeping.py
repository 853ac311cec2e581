"""Searches that keep what they found out find the same as those that begin anew at every step."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.position import Finding, Locked, Position, find_singles
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.chains import Chains
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.subsets import HallSets, Subsets
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from tests.boards import HARD, full_grid, thin_out
from tests.explaining.samples import of_file, ruled_puzzle

# So many further steps are compared at most.
_MOST = 12

Find = Callable[[], Finding | None]


def place_singles(position: Position) -> bool:
    """Places all singles one after the other; whether anything is open then."""
    while True:
        empty, single = position.sort_out()
        assert empty is None
        if not single:
            return bool(position.open_truths)
        for finding in find_singles(position, single):
            position.apply(finding)


def exclude_wrong(position: Position, solution: Grid) -> bool:
    """Excludes the first candidate that the solution has not, if there is any."""
    placements = position.board.placements
    for candidate in candidates_of(position.left):
        cell, digit = placements[candidate]
        if solution.digits[cell] != digit:
            position.apply(Finding(Technique.CASES, (), excludes=(candidate,)))
            return True
    return False


def compare(puzzle: Puzzle, solution: Grid, most: int) -> set[Technique]:
    """Asks kept searches and new ones at every step; returns the techniques that came up."""
    position = Position(build_board(puzzle))
    chains, nets = Chains(position, Budget()), Nets(position, Budget())

    def find_chain(chains: Chains) -> Finding | None:
        simple = chains.find_simple()
        return simple or chains.find_with_sets() or chains.find_finned(nets.refuted())

    kept: Sequence[tuple[Find, Find]] = [
        (Locked(position).find, lambda: Locked(position).find()),
        (Subsets(position).find, lambda: Subsets(position).find()),
        (HallSets(position).find, lambda: HallSets(position).find()),
        (lambda: find_chain(chains), lambda: find_chain(Chains(position, Budget()))),
        (nets.find, nets.find),
    ]
    seen = set()
    for _ in range(most):
        if not place_singles(position):
            break
        # All are asked, and the easiest finding is carried out: so each search also meets changes
        # between two questions that it had no part in.
        found = [find() for find, _ in kept]
        assert found == [find_anew() for _, find_anew in kept]
        findings = [finding for finding in found if finding is not None]
        if findings:
            seen.add(findings[0].technique)
            position.apply(findings[0])
        elif not exclude_wrong(position, solution):
            break
    return seen


@pytest.mark.parametrize(
    "puzzle",
    [
        HARD,
        *(pytest.param(each, marks=pytest.mark.slow) for each in of_file("stubborn", 2)),
        ruled_puzzle("anti-knight", 0),
    ],
    ids=["hard", "stubborn", "another", "anti-knight"],
)
@pytest.mark.parametrize("most", [_MOST, pytest.param(100, marks=pytest.mark.slow)])
def test_on_small_boards(puzzle: Puzzle, most: int) -> None:
    solution = check(puzzle).solution
    assert solution is not None
    assert len(compare(puzzle, solution, most)) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("geometry", "givens", "most"),
    [
        (Geometry(3, 3), 22, _MOST),
        (Geometry(4, 4), 100, 10),  # it has hundreds, which take seconds
        pytest.param(Geometry(4, 4), 100, 320, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_with_several_solutions(geometry: Geometry, givens: int, most: int) -> None:
    rng = Random(0)
    solution = full_grid(rng, geometry)
    seen = compare(Puzzle(thin_out(rng, solution, givens)), solution, most)
    assert len(seen) > 2 or most < _MOST
