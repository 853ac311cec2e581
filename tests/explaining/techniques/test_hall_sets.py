"""Hall sets of five and more on boards above 9x9."""

import random

import pytest

from satdoku.explaining.board import build_board
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.prover import Prover
from satdoku.explaining.step import Deduction
from satdoku.explaining.techniques.subsets import HallSets, Subsets
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import describe_subset
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.solving.limits import Budget

TWELVE = Geometry(3, 4)


def position_with(geometry: Geometry, digits_of: dict[int, set[int]]) -> Position:
    """An empty board in which some cells have only these digits."""
    empty = Puzzle(Grid.empty(geometry))
    return Position(build_board(empty.with_rules([Candidates.of(digits_of)])))


def prove(position: Position, finding: Finding) -> Deduction:
    """The step of a finding, once a solver has found it right."""
    step = position.apply(finding)
    prover = Prover(position.board, Budget())
    prover.require(step)
    prover.close()
    return step


def circle(cells: list[int]) -> dict[int, set[int]]:
    """Cells each of which has two digits, the second one that of the next cell."""
    count = len(cells)
    return {cell: {n + 1, (n + 1) % count + 1} for n, cell in enumerate(cells)}


def test_five_cells_with_five_digits_are_found_where_no_smaller_set_is() -> None:
    position = position_with(TWELVE, circle([0, 2, 4, 6, 8]))
    assert Subsets(position).find() is None
    found = HallSets(position).find()
    assert found is not None
    assert len(found.truths) == 5
    board = position.board
    excluded = {board.placements[number] for number in found.excludes}
    assert excluded == {(cell, digit) for cell in (1, 3, 5, 7, 9, 10, 11) for digit in range(1, 6)}
    text = describe_subset(Names(position.board), prove(position, found))
    assert text.startswith(
        "in row 1, r1c1, r1c3, r1c5, r1c7 and r1c9 can only be 1, 2, 3, 4 or 5, so they"
    )


def test_seven_cells_are_told_as_five_digits_beside_them() -> None:
    position = position_with(TWELVE, circle([0, 1, 2, 4, 6, 8, 10]))
    found = HallSets(position).find()
    assert found is not None
    assert sorted(truth.digit for truth in found.truths) == [8, 9, 10, 11, 12]
    text = describe_subset(Names(position.board), prove(position, found))
    assert text.startswith("in row 1, 8, 9, 10, 11 and 12 can only be in r1c4, r1c6, r1c8, r1c10")


@pytest.mark.slow
def test_random_sets_follow_whenever_one_is_found() -> None:
    rng = random.Random(3)
    found = 0
    for _ in range(40):
        cells = rng.sample(range(12), rng.randint(5, 9))
        digits = range(1, rng.randint(len(cells), 11) + 1)
        position = position_with(TWELVE, {c: set(rng.sample(digits, 3)) for c in cells})
        finding = HallSets(position).find()
        if finding is not None:
            found += 1
            prove(position, finding)
    assert found >= 5


def test_small_boards_have_no_room_for_them() -> None:
    assert HallSets(position_with(Geometry(3, 3), circle([0, 2, 4, 6, 8]))).find() is None
