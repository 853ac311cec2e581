"""Nets: a candidate that, when supposed, leaves nothing of some truth."""

from satdoku.explaining.bits import Propagation
from satdoku.explaining.board import candidates_of
from satdoku.explaining.excluding import excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.stories import Telling
from satdoku.solving.limits import Budget


class Nets:
    """The search for nets on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget

    def find(self) -> Finding | None:
        """Of the candidates that fail after the fewest layers, one with few truths.

        Whatever else fails on the same truths is told with it, and of the nets with the fewest, or
        one more, the one that excludes most.
        """
        position = self._position
        telling = Telling(position.board, position.left, position.open_truths, self._budget)
        masks = (truth.members & position.left for truth in position.open_truths)
        followed = Propagation(masks, position.board.linked_to)
        soonest = followed.first_refuted(position.board.links, self._budget)
        found = []
        for start in soonest:
            story = telling.follow(start)
            assert story is not None, "it fails"
            found.append(finding_of((story,), Technique.NET))
        if not found:
            return None
        fewest = min(len(finding.truths) for finding in found)
        smallest = [self._whole(finding) for finding in found if len(finding.truths) <= fewest + 1]
        return max(smallest, key=lambda finding: len(finding.excludes))

    def _whole(self, finding: Finding) -> Finding:
        """The same with all that fails when it is followed through the same truths."""
        position = self._position
        masks = [truth.members for truth in finding.truths]
        every = excluded_by(masks, position.board.links, position.left)
        if every is None or not every & (every - 1):
            return finding
        telling = Telling(position.board, position.left, finding.truths, self._budget)
        told = [telling.follow(candidate) for candidate in candidates_of(every)]
        stories = [story for story in told if story is not None]
        first = finding.excludes[0]
        stories.sort(key=lambda story: (story.suppose != first, story.suppose))
        return finding_of(tuple(stories), finding.technique)


def finding_of(stories: tuple[Story, ...], technique: Technique) -> Finding:
    """What stories show: what each supposes does not hold."""
    truths = {truth.number: truth for story in stories for truth in story.truths()}
    ordered = tuple(truths[index] for index in sorted(truths))
    excludes = tuple(story.suppose for story in stories)
    return Finding(technique, ordered, excludes=excludes, stories=stories)
