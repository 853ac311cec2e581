"""The four answers to "has this puzzle exactly one solution?", and what comes with them."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from satdoku.errors import count_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.value import Shown, value


class Verdict(Enum):
    """How many solutions a puzzle has, as far as that was decided."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    UNDECIDED = "undecided"


class Statistics(NamedTuple):
    """What a verdict cost, and which method found it, where several worked in turn."""

    solver: str = ""
    encoding: str = ""
    seconds: float = 0.0
    counters: Mapping[str, int] = {}
    method: str = ""


NO_STATISTICS = Statistics()


@value(frozen=True, repr=False)
class Outcome(Shown):
    """The verdict on a puzzle and its evidence.

    `solution` may be known although uniqueness is undecided; `reason` says why it is.
    """

    puzzle: Puzzle
    verdict: Verdict
    solution: Grid | None = None
    second: Grid | None = None
    reason: str = ""
    statistics: Statistics = NO_STATISTICS

    def __repr__(self) -> str:
        size, count = self.puzzle.geometry.size, len(self.puzzle.givens)
        return f"<Outcome {self.verdict.value}: {size}x{size} with {count_of(count, 'given')}>"

    @property
    def solutions(self) -> tuple[Grid | None, Grid | None]:
        """The solution and the second one, as far as they were found."""
        return self.solution, self.second

    @property
    def differences(self) -> tuple[int, ...]:
        """The cells in which the two solutions differ."""
        if self.solution is None or self.second is None:
            return ()
        return self.solution.differences(self.second)

    @property
    def clashes(self) -> tuple[Clash, ...]:
        """The givens that clash directly; a puzzle may be impossible without any.

        A puzzle with a solution has none, so nothing is searched then.
        """
        if self.solution is not None:
            return ()
        return tuple(find_clashes(self.puzzle))
