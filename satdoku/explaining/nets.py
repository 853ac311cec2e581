"""Nets: a candidate that, when supposed, leaves nothing of some truth."""

from satdoku.explaining.bits import Propagation
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.stories import Telling
from satdoku.solving.limits import Budget


def find_net(position: Position, budget: Budget) -> Finding | None:
    """Of the candidates that fail after the fewest layers, the one that needs the fewest truths."""
    board, left = position.board, position.left
    masks = (truth.members & left for truth in position.open_truths)
    followed = Propagation(masks, board.linked_to)
    followed.suppose_each()
    refuted = followed.first_refuted(budget)
    if not refuted:
        return None
    telling = Telling(board, left, position.open_truths, budget)
    stories = [telling.follow(candidate) for candidate in refuted]
    return min(
        (finding_of(story, Technique.NET) for story in stories if story is not None),
        key=lambda finding: (len(finding.truths), finding.excludes),
    )


def finding_of(story: Story, technique: Technique) -> Finding:
    """What a story shows: its supposition does not hold."""
    truths = {truth.number: truth for truth in story.truths()}
    ordered = tuple(truths[index] for index in sorted(truths))
    return Finding(technique, ordered, excludes=(story.suppose,), story=story)
