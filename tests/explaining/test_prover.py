"""Steps that do not follow are refused."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from satdoku.explaining.board import Board, build_board
from satdoku.explaining.prover import Prover, WrongStepError
from satdoku.explaining.step import Deduction, Level, Way
from satdoku.explaining.way import find_way
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from tests.boards import HARD
from tests.explaining.samples import of_file, shared_board, way_of


@pytest.fixture(scope="module")
def way() -> Way:
    return way_of(HARD)


def prove(way: Way, changed: Deduction) -> int:
    """Proves the way up to a step that takes the place of the one with its number.

    Returns how many steps were proved; one that is refused raises.
    """
    steps = (*way.steps[: changed.number - 1], changed)
    prover = Prover(way.board, Budget())
    try:
        for step in steps:
            prover.require(step)
    finally:
        prover.close()
    return len(steps)


def test_every_step_of_a_way_is_proved_alone(way: Way) -> None:
    assert prove(way, way.steps[-1]) == len(way.steps) > 50


def test_a_step_needs_every_truth_that_it_names(way: Way) -> None:
    for step in way.steps[:20]:
        for truth in step.truths:
            fewer = tuple(other for other in step.truths if other is not truth)
            if step.stories:
                continue
            with pytest.raises(WrongStepError, match="does not follow from what it names"):
                prove(way, step._replace(truths=fewer))


def test_a_step_about_another_candidate_is_refused(way: Way) -> None:
    solution = {step.places for step in way.steps if step.places is not None}
    right = min(candidate for candidate in solution if candidate)
    with pytest.raises(WrongStepError, match="this is a bug, please report it"):
        prove(way, way.steps[0]._replace(places=None, excludes=(right,)))


def test_a_step_cannot_come_before_what_it_rests_on(way: Way) -> None:
    late = next(step for step in way.steps if len(step.rests_on) > 2 and step.places)
    prover = Prover(way.board, Budget())
    with pytest.raises(WrongStepError):
        prover.require(late)
    prover.close()


@pytest.mark.parametrize("find", [build_board, shared_board])
def test_singles_that_are_proved_together_have_to_come_in_their_order(
    find: Callable[[Puzzle], Board],
) -> None:
    board = find(of_file("easy", 1)[0])
    steps = find_way(board, Level.SINGLES, Budget()).steps
    require_all(board, steps)
    late = next(step for step in steps if step.rests_on)
    others = [step for step in steps if step is not late]
    early = late.rests_on[-1] - 1
    swapped = [*others[:early], late, *others[early:]]
    with pytest.raises(WrongStepError):
        require_all(board, swapped)


@pytest.mark.parametrize("find", [build_board, shared_board])
def test_a_wrong_single_among_right_ones_is_refused(find: Callable[[Puzzle], Board]) -> None:
    board = find(of_file("easy", 1)[0])
    steps = find_way(board, Level.SINGLES, Budget()).steps
    for n, (step, following) in enumerate(pairwise(steps)):
        # What the next step places does not follow from the truth of this one.
        wrong = step._replace(places=following.places)
        with pytest.raises(WrongStepError):
            require_all(board, (*steps[:n], wrong, *steps[n + 1 :]))


@pytest.mark.parametrize("find", [build_board, shared_board])
def test_a_single_that_stands_alone_is_proved_too(find: Callable[[Puzzle], Board]) -> None:
    board = find(of_file("easy", 1)[0])
    first, second, *_ = find_way(board, Level.SINGLES, Budget()).steps
    require_all(board, [first])
    with pytest.raises(WrongStepError):
        require_all(board, [first._replace(places=second.places)])


def test_what_was_proved_for_one_puzzle_is_not_known_to_the_next() -> None:
    one, other = (shared_board(puzzle) for puzzle in of_file("easy", 2))
    assert one.root is other.root
    steps = find_way(one, Level.ALL, Budget()).steps
    with pytest.raises(WrongStepError):
        require_all(other, steps)


def require_all(board: Board, steps: Sequence[Deduction]) -> None:
    prover = Prover(board, Budget())
    try:
        prover.require_all(steps)
    finally:
        prover.close()
