"""Steps that are had one by one: the same as those of a whole way, each as soon as it is proved."""

from itertools import islice

import pytest

from satdoku.explaining.explain import Scope, walk
from satdoku.explaining.slides import show_of, slide_of
from satdoku.explaining.step import Level
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import LimitReachedError, Limits
from tests.commands import AMBIGUOUS, CLASHING, IMPOSSIBLE
from tests.crossing import sampled
from tests.explaining.samples import way_of
from tests.explaining.test_slides import HARDER, LINES, shown


@sampled(2, "line", [*LINES.values(), AMBIGUOUS, IMPOSSIBLE])
def test_each_item_has_a_step_more_and_the_last_is_the_way(line: str) -> None:
    puzzle = Puzzle.from_line(line)
    *ways, last = walk(puzzle)
    assert [len(way.steps) for way in ways] == list(range(1, len(last.steps) + 1))
    whole = way_of(puzzle)
    told = [(step.technique, step.places, step.excludes) for step in last.steps]
    assert told == [(step.technique, step.places, step.excludes) for step in whole.steps]
    assert (last.is_full, last.is_complete) == (whole.is_full, True)
    for way in ways:
        assert way.steps == last.steps[: len(way.steps)]


def test_a_step_is_given_before_the_next_ones_are_looked_for() -> None:
    looked = 0

    class Counting:
        def is_set(self) -> bool:
            nonlocal looked
            looked += 1
            return False

    ways = walk(Puzzle.from_line(HARDER), Scope(limits=Limits(stop=Counting())))
    list(islice(ways, 1))
    first = looked
    list(ways)
    assert looked > 3 * first


def test_a_level_ends_it_and_a_limit_is_an_error() -> None:
    *_, last = walk(Puzzle.from_line(HARDER), Scope(Level.SINGLES))
    assert not last.is_full
    with pytest.raises(LimitReachedError):
        list(walk(Puzzle.from_line(HARDER), Scope(limits=Limits(timeout=0))))


def test_givens_that_clash_have_no_steps() -> None:
    assert list(walk(Puzzle.from_line(CLASHING))) == []


@sampled(2, "line", LINES.values(), ids=LINES)
def test_a_slide_of_a_step_is_the_one_of_the_whole_show(line: str) -> None:
    explanation, _ = shown(line)
    *ways, _ = walk(explanation.puzzle)
    if len(ways) == len(explanation.way.steps):
        slides = show_of(explanation).slides[1:-1]
        assert [slide_of(way) for way in ways] == list(slides)
