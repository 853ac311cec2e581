"""Puzzles that are wanted for the steps of their explanation."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.explaining.explain import explain
from satdoku.explaining.step import Technique
from satdoku.making.generator import generate_all
from satdoku.making.request import Need, WantedTechnique, read_needs, why_rare
from tests.making.requests import request


def test_each_puzzle_has_the_steps_that_were_asked_for() -> None:
    needs = read_needs(["naked-pair:1-2"], "naked pair")
    assert needs is not None
    wanted = request(seed="needs")
    for made in generate_all(wanted, iter(range(2)), needs=needs):
        techniques = [step.technique for step in explain(made.puzzle).way.steps]
        assert techniques.count(Technique.NAKED_PAIR) in (1, 2)
        order = list(Technique)
        assert max(techniques, key=order.index) is Technique.NAKED_PAIR
    again = list(generate_all(wanted, iter(range(1)), needs=needs))
    assert again == list(generate_all(wanted, iter(range(1)), needs=needs))


def test_wishes_are_read_by_the_names_of_the_steps() -> None:
    needs = read_needs(["x-wing", "XY-Wing:2", "naked-pair:0-3"], None)
    assert needs is not None
    assert needs.needs == (
        Need(Technique.X_WING),
        Need(Technique.XY_WING, 2),
        Need(Technique.NAKED_PAIR, 0, 3),
    )
    assert read_needs([], None) is None


@pytest.mark.parametrize(
    ("texts", "hardest", "sentence"),
    [
        (["xwing"], None, "'xwing' is no technique; did you mean x-wing"),
        (["magic"], None, "'magic' is no technique; there are full-house, hidden-single"),
        (["x-wing:"], None, "'x-wing:' is not a wish; write x-wing, x-wing:2 or x-wing:1-3"),
        (["x-wing:3-1"], None, "no number of steps is between 3 and 1"),
        (["xy-wing"], "x-wing", "XY-wing is harder than the hardest, X-wing"),
    ],
)
def test_wishes_that_nothing_meets_are_refused(
    texts: list[str], hardest: str | None, sentence: str
) -> None:
    with pytest.raises(SatdokuError, match=sentence):
        read_needs(texts, hardest)


def test_what_is_rare_is_said_before_an_hour_is_gone() -> None:
    assert "2 a higher one" in why_rare(request(), (10, None))
    assert not why_rare(request(), (4, 5))
    few = request(givens=(19, 19), technique=WantedTechnique.SINGLES)
    assert "very rare" in why_rare(few, None)
    assert why_rare(request(givens=(17, 17)), None) == (
        "puzzles of 17 givens are very rare: this may take minutes or hours; 20 givens take seconds"
    )
    assert not why_rare(request(givens=(20, 20)), None)
    assert not why_rare(request(givens=(17, 24)), None)
