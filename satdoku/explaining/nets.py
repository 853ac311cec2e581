"""Nets: a candidate that, when supposed, leaves nothing of some truth."""

from satdoku.explaining.board import candidates_of
from satdoku.explaining.consequences import Consequences
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.stories import Telling
from satdoku.explaining.suppositions import Change, Supposition
from satdoku.solving.limits import Budget


class Nets:
    """The search for nets on one board; `find` may be asked again after each step.

    What was found out about a supposition is kept until a step changes it. On 16x16 boards nets
    follow nets, hundreds of them, and most steps change few suppositions.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._consequences = Consequences(position, budget)
        self._left = position.left
        self._failing: dict[int, Supposition] = {}
        self._findings: dict[int, Finding] = {}

    def find(self) -> Finding | None:
        """Of the candidates that fail after the fewest layers, the one with the fewest truths."""
        self._consequences.update()
        self._forget_changed()
        for start in candidates_of(self._consequences.failing & self._position.left):
            if start not in self._failing:
                self._failing[start] = Supposition(start)
        found = map(self._finding, self._soonest())
        return min(found, key=lambda finding: (len(finding.truths), finding.excludes), default=None)

    def _forget_changed(self) -> None:
        """Drops what the steps since the last time have changed."""
        position = self._position
        gone = self._left & ~position.left
        self._left = position.left
        changes = [
            Change(truth.members & self._left, truth.members & gone)
            for truth in position.open_truths
            if truth.members & gone
        ]
        for start, supposition in list(self._failing.items()):
            if gone >> start & 1 or supposition.is_touched(changes):
                del self._failing[start]
        for start, finding in list(self._findings.items()):
            is_narrower = any(truth.members & gone for truth in finding.truths)
            if is_narrower or start not in self._failing:
                del self._findings[start]

    def _soonest(self) -> list[int]:
        """The candidates that fail after the fewest layers."""
        layers = 0
        soonest: list[int] = []
        while self._failing and not soonest:
            self._budget.require()
            layers += 1
            links = self._position.board.links
            soonest = [
                start
                for start, supposition in self._failing.items()
                if supposition.fails_within(layers, self._consequences, links)
            ]
        return soonest

    def _finding(self, start: int) -> Finding:
        if start not in self._findings:
            position = self._position
            telling = Telling(position.board, position.left, position.open_truths, self._budget)
            story = telling.follow(start)
            assert story is not None, "it fails"
            self._findings[start] = finding_of(story, Technique.NET)
        return self._findings[start]


def finding_of(story: Story, technique: Technique) -> Finding:
    """What a story shows: its supposition does not hold."""
    truths = {truth.number: truth for truth in story.truths()}
    ordered = tuple(truths[index] for index in sorted(truths))
    return Finding(technique, ordered, excludes=(story.suppose,), story=story)
