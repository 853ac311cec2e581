"""Cases: where no net is left, a solver says which truths exclude a candidate together.

The solver's own set of truths (its core) is four times as large as it need be. So the shortest
cores are made smaller one truth at a time, a story is told of each, and the shortest story wins: it
reads better than the one with the fewest truths.
"""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.techniques.core_solver import (
    USUAL,
    CoreSolver,
    Effort,
    TooHardError,
    find_by_search,
)
from satdoku.explaining.techniques.known_cores import KnownCores
from satdoku.explaining.techniques.nets import Telling, finding_of
from satdoku.solving.assumptions.hitting_sets import shrink
from satdoku.solving.limits import Budget

# How many of the shortest cores are worth a story. With 4 the stories of the hardest puzzles are a
# quarter longer, with 16 they are hardly shorter and take twice the time.
_CORES = 8

# How many candidates are told with all truths where no core has a story; each may take 0.3 s.
_TOLD_WITH_ALL_TRUTHS = 3

# Cases stand inside cases this deep at most. The hardest classic puzzles never need more.
_DEEPEST = 2

# Where more candidates than this are left, and open cells have on average more than this share of
# all digits, a search takes the place of stories. On such a board a story excludes one candidate
# and hardly ever leads on: for a puzzle with the rule non-consecutive 131 stories took 21 s, five
# searches 2 s. When cases began, the share was 0.49 at most on the hardest classic puzzles, and
# 0.57 on those with the rule anti-knight.
_MANY, _CROWDED = 300, 0.6

Core = tuple[int, list[Truth]]


class _Told(NamedTuple):
    """A story, with the depth and the members of truths that it was told with."""

    story: Story
    told_with: tuple[int, tuple[int, ...]]


class CoreFinder:
    """Finds cases, or a search where a puzzle would need too many of them to be followed.

    `possible` are candidates known to stand in some solution.
    """

    def __init__(
        self, position: Position, budget: Budget, possible: int = 0, effort: Effort = USUAL
    ) -> None:
        self._position = position
        self._budget = budget
        self._effort = effort
        self._solver = CoreSolver(position, budget, effort.patience)
        self._solver.possible = possible
        self._core_of: dict[int, list[Truth]] = {}
        self._asks_all = position.board.puzzle.geometry.size <= effort.asked_all
        self._known = KnownCores(position, self._core, self._shrink, self._tell_flat)
        # The last story of each candidate.
        self._told: dict[int, _Told] = {}

    def find(self) -> Finding | None:
        """The candidate with the shortest story, if the truths exclude any candidate at all."""
        self._solver.learn()
        if self._is_crowded():
            return find_by_search(self._solver)
        try:
            story = None if self._asks_all else self._known_story()
            if story is None:
                self._core_of |= self._known.truths()
                cores = self._cores()
                if not cores:
                    return None
                story = self._best_story(cores)
                if self._known:
                    self._known.keep(self._core_of.items())
            if story is not None:
                return self._whole(finding_of((story,), Technique.CASES))
        except TooHardError:
            pass
        return find_by_search(self._solver)

    def close(self) -> None:
        self._solver.close()

    def _whole(self, finding: Finding) -> Finding:
        """The same with all else that its truths exclude, in at most as many placements again."""
        if not self._asks_all:
            return finding
        [story] = finding.stories
        position = self._position
        near = 0
        for truth in finding.truths:
            for member in candidates_of(truth.members & position.left):
                near |= position.board.links[member]
        told = [story]
        longest = story.length
        asked = (
            near & position.left & ~(position.placed | self._solver.possible | 1 << story.suppose)
        )
        while asked and longest > 1:
            candidate = (asked & -asked).bit_length() - 1
            asked &= asked - 1
            if self._core(candidate, finding.truths) is None:
                # What goes together with an answer need not be asked about: that leaves one of ten.
                asked &= self._solver.excluded_by_model(finding.truths)
                continue
            other = self._tell(candidate, finding.truths, longest, max(1, story.depth))
            if other is not None:
                told.append(other)
                longest -= other.length
        return finding_of(tuple(told), finding.technique)

    def _is_crowded(self) -> bool:
        count = (self._position.left & ~self._position.placed).bit_count()
        cells = sum(truth.unit is None for truth in self._position.open_truths)
        return count > max(_MANY, _CROWDED * cells * self._position.board.puzzle.geometry.size)

    def _known_story(self) -> Story | None:
        """A short story without cases inside cases, where most cores are not asked for."""
        if not self._known:
            self._known.keep(self._cores())
        return self._known.best_story(
            self._solver.to_ask_about(self._position.left), self._effort.longest
        )

    def _best_story(self, cores: list[Core]) -> Story | None:
        small = self._smallest(cores)
        # All truths offer more cases that fail at once than a core does, so they come before cases
        # inside cases; but a story of few truths is easier to follow, so it comes first.
        story = self._shortest_story(small, 1)
        for candidate, _ in small[:_TOLD_WITH_ALL_TRUTHS]:
            story = story or self._tell(
                candidate, self._position.open_truths, self._effort.longest, 1
            )
        for deepest in range(2, _DEEPEST + 1):
            story = story or self._shortest_story(small, deepest)
        return story

    def _smallest(self, cores: list[Core]) -> list[Core]:
        """The shortest cores, without what they can do without."""
        cores = sorted(cores, key=lambda core: (len(core[1]), core[0]))
        return [(candidate, self._shrink(candidate, core)) for candidate, core in cores[:_CORES]]

    def _cores(self) -> list[Core]:
        """For each candidate that the truths exclude, the truths that the solver names.

        A core found for an earlier step still holds. Asking about its truths alone takes a third of
        the time, and what was settled since makes it smaller.
        """
        solver = self._solver
        every = solver.by_width(self._position.open_truths)
        cores = []
        for candidate in solver.to_ask_about(self._position.left):
            core = self._core(candidate, self._core_of.get(candidate, every))
            if core is None:
                solver.note_model()
            else:
                self._core_of[candidate] = core
                cores.append((candidate, core))
        return cores

    def _core(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        if self._solver.spent > self._effort.conflicts:
            raise TooHardError
        return self._solver.core(candidate, truths)

    def _shrink(self, candidate: int, core: list[Truth]) -> list[Truth]:
        """The core without what it can do without; truths with many members are tried first."""
        solver = self._solver
        needed: set[int] = set()

        def is_enough(rest: Sequence[Truth], truth: Truth) -> list[Truth] | None:
            if truth.number in needed:
                return None
            found = self._core(candidate, rest)
            if found is None:
                needed.update(solver.needed_by_model(candidate, truth, rest))
            return found

        small = self._core_of[candidate] = shrink(solver.by_width(core), is_enough)
        return small

    def _shortest_story(self, cores: list[Core], deepest: int) -> Story | None:
        best: Story | None = None
        for candidate, core in cores:
            longest = self._effort.longest * deepest if best is None else best.length
            if len(core) >= longest:
                # A story needs all truths of a core that can do without none, a placement for each.
                continue
            story = self._tell(candidate, core, longest, deepest)
            if story is not None and (best is None or story.length < best.length):
                best = story
        return best

    def _tell_flat(self, candidate: int, truths: Sequence[Truth], longest: int) -> Story | None:
        """A story without cases inside cases."""
        return self._tell(candidate, truths, longest, 1)

    def _tell(
        self, candidate: int, truths: Sequence[Truth], longest: int, deepest: int
    ) -> Story | None:
        position = self._position
        # Whatever else has changed, the same truths with the same members make the same story.
        told_with = deepest, tuple(truth.members & position.left for truth in truths)
        if candidate in self._told and self._told[candidate].told_with == told_with:
            return self._told[candidate].story
        telling = Telling(position.board, position.left, truths, self._budget)
        story = telling.tell(candidate, longest, deepest)
        if story is not None:
            self._told[candidate] = _Told(story, told_with)
        return story
