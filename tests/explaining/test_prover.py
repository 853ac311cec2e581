"""Steps that do not follow are refused."""

from dataclasses import replace

import pytest

from satdoku.explaining.prover import Prover, WrongStepError
from satdoku.explaining.step import Step
from satdoku.explaining.way import Way
from satdoku.solving.limits import Budget
from tests.boards import HARD
from tests.explaining.samples import way_of


@pytest.fixture(scope="module")
def way() -> Way:
    return way_of(HARD)


def prove(way: Way, changed: Step) -> int:
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
            if step.story is not None:
                continue
            with pytest.raises(WrongStepError, match="does not follow from what it names"):
                prove(way, replace(step, truths=fewer))


def test_a_step_about_another_candidate_is_refused(way: Way) -> None:
    solution = {step.places for step in way.steps if step.places is not None}
    right = min(candidate for candidate in solution if candidate)
    with pytest.raises(WrongStepError, match="this is a bug, please report it"):
        prove(way, replace(way.steps[0], places=None, excludes=(right,)))


def test_a_step_cannot_come_before_what_it_rests_on(way: Way) -> None:
    late = next(step for step in way.steps if len(step.rests_on) > 2 and step.places)
    prover = Prover(way.board, Budget())
    with pytest.raises(WrongStepError):
        prover.require(late)
    prover.close()
