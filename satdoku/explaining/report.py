"""How wide a way is: at each step, how many steps there were that are no harder than the one taken.

Where there was one only, every solver has to find it: a bottleneck.
"""

from collections import Counter
from collections.abc import Iterator

from satdoku.explaining.board import Board
from satdoku.explaining.explain import Explanation
from satdoku.explaining.step import Level, Step, Technique, Way
from satdoku.explaining.way import Walker
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget

SINGLES = (Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE, Technique.NAKED_SINGLE)

# So many open singles leave a solver free to go on where he likes.
MANY_SINGLES = 5


@value(frozen=True)
class Point:
    """The steps that there were before a step of the way, by technique: all singles, and else what
    is no harder than the step that was taken.
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
        """The numbers of the steps beside which there was no other."""
        return tuple(point.number for point in self._contested if point.width == 1)

    @property
    def free(self) -> float:
        """The share of the way with many singles open."""
        many = sum(point.singles >= MANY_SINGLES for point in self.points)
        return many / len(self.points) if self.points else 0.0

    @property
    def _contested(self) -> tuple[Point, ...]:
        # At the end of a way few cells are left, and so are few steps: nobody has to look for them.
        last = len(self.points)
        while last and self.points[last - 1].taken in SINGLES:
            last -= 1
        return self.points[:last] if last else self.points[: -_LAST or None]


# In a way of singles the last steps fill the last cells, and are no bottlenecks.
_LAST = 5


def report_of(explanation: Explanation, budget: Budget) -> Report:
    """Count the steps at each point of the way of an explanation.

    Raise LimitReachedError when the budget ends first.
    """
    way = explanation.way
    return Report(tuple(_points(way, budget)))


def _points(way: Way, budget: Budget) -> Iterator[Point]:
    order = list(Technique)
    for number, step in enumerate(way.steps, 1):
        budget.require()
        wanted = frozenset(order[: order.index(step.technique) + 1]) | {*SINGLES}
        found = _count(way.board, way.steps[: number - 1], wanted, budget)
        # Some searches look only where an easier one has failed.
        found[step.technique] = max(1, found[step.technique])
        steps = {technique: found[technique] for technique in order if found[technique]}
        yield Point(number, step.technique, steps)


def _count(
    board: Board, steps: tuple[Step, ...], wanted: frozenset[Technique], budget: Budget
) -> Counter[Technique]:
    """Count the steps of some techniques that there are after some steps."""
    with Walker(board, Level.ALL, budget) as walker:
        walker.go_along(steps)
        found = walker.every_step(wanted)
    return Counter(step.technique for step in found)
