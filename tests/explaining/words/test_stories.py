"""Stories are told once for all candidates that they refute, and say which supposition fails."""

import re

from satdoku.explaining.board import excluded_by
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.stories import _grouped, describe_stories
from tests.boards import HARD
from tests.explaining.samples import way_of


def steps_with_stories() -> list[Step]:
    return [step for step in way_of(HARD).steps if step.stories]


def test_a_story_is_told_once_for_all_candidates_that_it_refutes() -> None:
    board = way_of(HARD).board
    numbers = []
    for step in steps_with_stories():
        groups = list(_grouped(board, step.stories, step.before))
        numbers += [len(some.supposed) for some in groups]
        assert sorted(c for some in groups for c in some.supposed) == sorted(step.excludes)
        for some in groups:
            masks = [truth.members for truth in some.story.truths()]
            excluded = excluded_by(masks, board.links, step.before, 10_000)
            assert excluded is not None
            assert all(excluded >> candidate & 1 for candidate in some.supposed)
    assert max(numbers) > 1


def test_each_supposition_is_said_to_fail() -> None:
    names = Names(way_of(HARD).board)
    told = [describe_stories(names, step) for step in steps_with_stories()]
    supposed = [line for text in told for line in text.splitlines() if "lines below" in line]
    failed = re.findall(r"^  So .* fails?: r", "\n".join(told), re.MULTILINE)
    assert 0 < len(supposed) <= len(failed)
    assert any("then either way" in text for text in told)
