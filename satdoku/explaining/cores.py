"""Cases: where no net is left, a solver says which truths exclude a candidate together.

The solver's own set of truths (its core) is four times as large as it need be. So the shortest
cores are made smaller one truth at a time, a story is told of each, and the shortest story wins: it
reads better than the one with the fewest truths.
"""

from satdoku.dimacs.status import Status
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import Formula
from satdoku.explaining.nets import finding_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.stories import Telling
from satdoku.solving.limits import Budget

# glucose4 finds cores with the fewest truths of the solvers tried.
SOLVER = "glucose4"

# How many of the shortest cores are worth a story. With 4 the stories of the hardest puzzles are a
# quarter longer, with 16 they are hardly shorter and take twice the time.
_CORES = 8

# How many candidates are told with all truths where no core has a story; each may take 0.3 s.
_WITH_ALL_TRUTHS = 3

# A story is told in this many placements at most; where every core needs more, cases may stand
# inside cases. One story without such a limit took 20 s for a single puzzle.
_LONGEST = 200

Core = tuple[int, list[Truth]]


class CoreFinder:
    """A solver that keeps what it learned from step to step of one explanation."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._budget = budget
        self._formula = Formula(position.board, SOLVER, position.board.truths)
        self._known = 0
        # Candidates that stand in some solution: no core excludes them.
        self._possible = 0
        self._core_of: dict[int, list[Truth]] = {}

    def find(self) -> Finding | None:
        """The candidate with the shortest story, if the truths exclude any candidate at all."""
        self._learn()
        cores = sorted(self._cores(), key=lambda core: (len(core[1]), core[0]))
        small = [(candidate, self._shrink(candidate, core)) for candidate, core in cores[:_CORES]]
        if not small:
            return None
        # All truths offer more cases that fail at once than a core does, so they come before cases
        # inside cases; but a story of few truths is easier to follow, so it comes first.
        story = self._shortest_story(small, 1)
        for candidate, _ in small[:_WITH_ALL_TRUTHS]:
            story = story or self._tell(candidate, self._position.open_truths, _LONGEST, 1)
        deepest = 1
        while story is None:
            deepest += 1
            story = self._shortest_story(small, deepest)
        return finding_of(story, Technique.CASES)

    def close(self) -> None:
        self._formula.close()

    def _learn(self) -> None:
        """Tells the solver what the steps have settled since it was asked last."""
        position = self._position
        settled = (position.board.every_candidate & ~position.left | position.placed) & ~self._known
        self._known |= settled
        for candidate in candidates_of(settled):
            is_placed = position.placed >> candidate & 1
            self._formula.session.add_clause([candidate if is_placed else -candidate])

    def _cores(self) -> list[Core]:
        """For each candidate that the truths exclude, the truths that the solver names.

        A core found for an earlier step still holds. Asking about its truths alone takes a third of
        the time, and what was settled since makes it smaller.
        """
        position, session = self._position, self._formula.session
        left = position.left
        every = sorted(
            position.open_truths, key=lambda t: ((t.members & left).bit_count(), t.number)
        )
        cores = []
        for candidate in candidates_of(left & ~position.placed & ~self._possible):
            if self._possible >> candidate & 1:
                continue
            truths = self._core_of.get(candidate, every)
            if self._ask(candidate, truths) is Status.UNSATISFIABLE:
                core = self._formula.truths_of(session.core())
                self._core_of[candidate] = core
                cores.append((candidate, core))
            else:
                for literal in session.model():
                    if 0 < literal < len(position.board.placements):
                        self._possible |= 1 << literal
        return cores

    def _ask(self, candidate: int, truths: list[Truth]) -> Status:
        """Whether the candidate can hold when these truths do."""
        assumptions = [candidate, *map(self._formula.selector, truths)]
        return self._formula.session.solve(self._budget, assumptions=assumptions)

    def _shrink(self, candidate: int, core: list[Truth]) -> list[Truth]:
        """The core without what it can do without; truths with many members are tried first."""
        left = self._position.left
        untried = sorted(core, key=lambda t: ((t.members & left).bit_count(), t.number))
        needed: list[Truth] = []
        while untried:
            truth = untried.pop()
            if self._ask(candidate, needed + untried) is Status.UNSATISFIABLE:
                named = {t.number for t in self._formula.truths_of(self._formula.session.core())}
                untried = [t for t in untried if t.number in named]
                needed = [t for t in needed if t.number in named]
            else:
                needed.append(truth)
        self._core_of[candidate] = needed
        return needed

    def _shortest_story(self, cores: list[Core], deepest: int) -> Story | None:
        best: Story | None = None
        for candidate, core in cores:
            longest = _LONGEST * deepest if best is None else best.length
            story = self._tell(candidate, core, longest, deepest)
            if story is not None and (best is None or story.length < best.length):
                best = story
        return best

    def _tell(
        self, candidate: int, truths: list[Truth], longest: int, deepest: int
    ) -> Story | None:
        position = self._position
        telling = Telling(position.board, position.left, truths, self._budget)
        return telling.tell(candidate, longest, deepest)
