"""What pictures of steps show, and the pictures on the page about them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.marks import Role, marks_of
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.trace import digits_after
from satdoku.explaining.words.explanation import Style, describe
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import HARD, read_grid
from tests.explaining.samples import FOLDER, way_of

PAGE = Path(__file__).parents[2] / "docs" / "explaining.md"


@lru_cache
def pictured() -> Explanation:
    """The puzzle of the pictures on the page."""
    line = (FOLDER / "stubborn.txt").read_text().split()[5]
    return explain(Puzzle(read_grid(line)), Scope(assumes_unique=True))


def test_the_pictures_on_the_page_are_drawn_by_the_program() -> None:
    text = "\n".join(describe(pictured(), Style(has_boards=True)))
    blocks = re.findall(r"^```\w*\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    drawn = [block for block in blocks if "  |\n" in block or block.startswith("Hidden")]
    assert len(drawn) == 4
    for block in drawn:
        lines = block.splitlines()
        board = [line for line in lines if line[0] in "|+"]
        assert set(board) <= set(text.splitlines())
        assert " ".join(lines[len(board) :]) in text


def test_every_candidate_of_a_step_has_its_role() -> None:
    way = pictured().way
    for step, marks in zip(way.steps, marks_of(way), strict=True):
        excluded = {c for c, role in marks.roles.items() if role is Role.EXCLUDES}
        placed = {c for c, role in marks.roles.items() if role is Role.PLACES}
        assert excluded == set(step.excludes)
        assert placed == ({step.places} if step.places is not None else set())
        left = {c for t in step.truths for c in t.listed if step.before >> c & 1}
        assert left <= set(marks.roles)
        assert set(marks.roles) <= left | excluded


def test_blocking_cells_hold_what_they_keep_out() -> None:
    way = pictured().way
    seen = 0
    for step, marks in zip(way.steps, marks_of(way), strict=True):
        digits = digits_after(way, step.number - 1)
        for cell in marks.blocks:
            seen += 1
            (truth,) = step.truths
            assert digits[cell]
            assert truth.unit is None or digits[cell] == truth.digit
        assert step.places is not None or not marks.blocks
    assert seen > 20


def test_a_chain_has_a_link_to_and_from_each_of_its_candidates() -> None:
    way = pictured().way
    chains = [
        (step, marks) for step, marks in zip(way.steps, marks_of(way), strict=True) if step.chain
    ]
    assert Technique.XY_WING in {step.technique for step, _ in chains}
    for step, marks in chains:
        strong = [link for link in marks.links if link.is_strong]
        weak = [link for link in marks.links if not link.is_strong]
        assert [1 << link.second for link in strong] == [link.on & -link.on for link in step.chain]
        assert len(weak) == len(strong) - 1
        for link in weak:
            assert way.board.links[link.first] >> link.second & 1
        for before, after in zip(marks.links, marks.links[1:], strict=False):
            assert before.second == after.first


def told(story: Story) -> Iterator[tuple[int, int]]:
    """What a story supposes and places in turn, each with the members of its truth."""
    yield story.suppose, 0
    for item in story.items:
        if isinstance(item, Story):
            yield from told(item)
        else:
            yield item.candidate, item.truth.members


def test_a_story_has_links_from_what_holds_to_what_follows() -> None:
    way = way_of(HARD)
    stories = 0
    for step, marks in zip(way.steps, marks_of(way), strict=True):
        if not step.stories:
            continue
        stories += 1
        assert step.excludes == tuple(story.suppose for story in step.stories)
        members: dict[int, int] = {}
        for candidate, of_truth in (pair for story in step.stories for pair in told(story)):
            # Several stories of a net may place the same for another reason each.
            members[candidate] = members.get(candidate, 0) | of_truth
        assert marks.links or not any(story.items for story in step.stories)
        for link in marks.links:
            assert not link.is_strong
            assert link.first in members
            assert way.board.links[link.first] & members[link.second] & step.before
    assert stories
