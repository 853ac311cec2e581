from random import Random

import pytest

from satdoku.deducing.prune import prune
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.everywhere import AntiKnight, NonConsecutive
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.large.walk import Neighbours, count_neighbours
from tests.deducing.boards import jigsaw
from tests.solving.large.boards import pruned, thinned

SMALL = Geometry(2, 3)


def puzzles() -> list[Puzzle]:
    rng = Random(4)
    return [thinned(SMALL, 0.6), jigsaw(rng, SMALL, 14), jigsaw(rng, SMALL, 16)]


@pytest.mark.parametrize("rules", [[], [AntiKnight()], [NonConsecutive()]], ids=str)
def test_neighbours_are_the_candidates_that_the_judge_does_not_bear_together(
    rules: list[Rule],
) -> None:
    for puzzle in puzzles():
        board = puzzle.with_grid(Grid.empty(SMALL)).with_rules(rules)
        candidates = prune(puzzle) or {}
        require_neighbours_of_judge(board, Neighbours(board, candidates))


def require_neighbours_of_judge(board: Puzzle, neighbours: Neighbours) -> None:
    empty = Grid.empty(SMALL)
    everyone = range(len(neighbours.cell_of))
    for candidate in everyone:
        cell, digit = place(neighbours, candidate)
        expected = []
        for other in everyone:
            other_cell, other_digit = place(neighbours, other)
            both = empty.with_digits({cell: digit, other_cell: other_digit})
            if other_cell != cell and next(find_clashes(board, both), None):
                expected.append(other)
        assert list(neighbours.of[candidate]) == expected


def place(neighbours: Neighbours, candidate: int) -> tuple[int, int]:
    return neighbours.cells[neighbours.cell_of[candidate]], neighbours.digit_of[candidate]


def test_cells_with_one_digit_are_left_out() -> None:
    puzzle = thinned(SMALL, 0.5)
    candidates = pruned(puzzle)
    neighbours = Neighbours(puzzle, candidates)
    assert neighbours.cells == [cell for cell, mask in candidates.items() if mask.bit_count() > 1]
    for cell, own in zip(neighbours.cells, neighbours.slices, strict=True):
        digits = neighbours.digit_of[own]
        assert sum(1 << digit for digit in digits) == candidates[cell]


def test_the_count_is_never_too_small() -> None:
    for puzzle in puzzles():
        candidates = prune(puzzle) or {}
        made = Neighbours(puzzle, candidates)
        assert count_neighbours(puzzle, candidates) >= sum(map(len, made.of))
