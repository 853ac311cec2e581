"""The four answers to "has this puzzle exactly one solution?", and their evidence."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from satdoku.errors import count_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.value import Shown, value


class Verdict(Enum):
    """How many solutions a puzzle has, as far as the search decided it."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    UNDECIDED = "undecided"


class Statistics(NamedTuple):
    """The work that a verdict took, and the method that decided it if several took turns."""

    solver: str = ""
    encoding: str = ""
    seconds: float = 0.0
    counters: Mapping[str, int] = {}
    method: str = ""


NO_STATISTICS = Statistics()


@value(frozen=True, repr=False)
class Outcome(Shown):
    """The verdict on a puzzle and its evidence.

    `solution` may be known although uniqueness is undecided; `reason` then says why it is
    undecided.
    """

    puzzle: Puzzle
    verdict: Verdict
    solution: Grid | None = None
    second: Grid | None = None
    reason: str = ""
    statistics: Statistics = NO_STATISTICS

    def __getattr__(self, name: str) -> Any:
        """Compute a missing field: the puzzle or the solution of an outcome made by `of_boards`."""
        boards = self.__dict__.get("_boards")
        if boards is None or name not in ("puzzle", "solution"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        geometry, givens, digits = boards
        made: Puzzle | Grid
        if name == "puzzle":
            made = Puzzle(Grid(geometry, tuple(givens)))
        else:
            made = Grid(geometry, tuple(digits))
        self.__dict__[name] = made
        return made

    @classmethod
    def of_boards(
        cls, geometry: Geometry, givens: bytes, solution: bytes, statistics: Statistics
    ) -> "Outcome":
        """Return the outcome of a classic puzzle with this only solution; boards have a byte per
        cell.

        The puzzle and the solution become objects when they are first read.
        """
        made = cls.__new__(cls)
        made.__dict__.update(
            verdict=Verdict.UNIQUE,
            second=None,
            reason="",
            statistics=statistics,
            _boards=(geometry, givens, solution),
        )
        return made

    def __repr__(self) -> str:
        size, count = self.puzzle.geometry.size, len(self.puzzle.givens)
        return f"<Outcome {self.verdict.value}: {size}x{size} with {count_of(count, 'given')}>"

    @property
    def solutions(self) -> tuple[Grid | None, Grid | None]:
        """Return the solution and a second one; None for each that was not found."""
        return self.solution, self.second

    @property
    def differences(self) -> tuple[int, ...]:
        """Return the cells in which the two solutions differ."""
        if self.solution is None or self.second is None:
            return ()
        return self.solution.differences(self.second)

    @property
    def clashes(self) -> tuple[Clash, ...]:
        """Return the clashes among the givens; a puzzle without clashes may still be impossible.

        Empty without a search if a solution is known, since then there are none.
        """
        if self.solution is not None:
            return ()
        return tuple(find_clashes(self.puzzle))


# The default is stored with the fields. As a class attribute it would be found before `__getattr__`
# is asked to make the solution.
del Outcome.solution
