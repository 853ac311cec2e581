"""Count, at each step of a way, the possible steps that are no harder than the one taken.

A step without an alternative is a bottleneck: every player has to find it.
"""

from collections import Counter
from collections.abc import Iterator

from satdoku.explaining.board import Board
from satdoku.explaining.explain import Explanation
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.way import Walker
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget

SINGLES = (Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE, Technique.NAKED_SINGLE)

# With this many open singles, players are free to go on where they like.
MANY_SINGLES = 5


@value(frozen=True)
class Point:
    """The counts of possible steps before a step of the way, by technique: all singles, and other
    steps no harder than the one taken.
    """

    number: int
    taken: Technique
    steps: dict[Technique, int]

    @property
    def singles(self) -> int:
        """Return the number of singles at this point."""
        return sum(self.steps.get(technique, 0) for technique in SINGLES)

    @property
    def width(self) -> int:
        """Return the number of steps that were possible at this point."""
        return sum(self.steps.values())


@value(frozen=True)
class Report:
    """The points of a way, one for each step."""

    points: tuple[Point, ...]

    @property
    def bottlenecks(self) -> tuple[int, ...]:
        """The numbers of the steps to which there was no alternative."""
        return tuple(point.number for point in self._contested if point.width == 1)

    @property
    def free(self) -> float:
        """The share of the points with many open singles."""
        many = sum(point.singles >= MANY_SINGLES for point in self.points)
        return many / len(self.points) if self.points else 0.0

    @property
    def _contested(self) -> tuple[Point, ...]:
        # The singles at the end of a way do not count: few cells are left, so few steps are
        # possible.
        last = len(self.points)
        while last and self.points[last - 1].taken in SINGLES:
            last -= 1
        return self.points[:last] if last else self.points[: -_LAST or None]


# In a way of singles only, this many last points do not count: they fill the last cells.
_LAST = 5


def report_of(explanation: Explanation, budget: Budget) -> Report:
    """Count the steps at each point of the way of an explanation.

    Raise LimitReachedError if the budget ends first.
    """
    way = explanation.way
    return Report(tuple(_points(way, budget)))


def _points(way: Way, budget: Budget) -> Iterator[Point]:
    order = list(Technique)
    for number, step in enumerate(way.steps, 1):
        budget.require()
        wanted = frozenset(order[: order.index(step.technique) + 1]) | {*SINGLES}
        found = _count(way.board, way.steps[: number - 1], wanted, budget)
        # The step taken counts, though some searches look only where easier ones have failed.
        found[step.technique] = max(1, found[step.technique])
        steps = {technique: found[technique] for technique in order if found[technique]}
        yield Point(number, step.technique, steps)


def _count(
    board: Board, steps: tuple[Deduction, ...], wanted: frozenset[Technique], budget: Budget
) -> Counter[Technique]:
    """Count, by technique, the steps that are possible after these steps."""
    with Walker(board, Level.ALL, budget) as walker:
        walker.go_along(steps)
        found = walker.every_step(wanted)
    return Counter(step.technique for step in found)
