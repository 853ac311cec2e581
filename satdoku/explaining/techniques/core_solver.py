"""A solver that says which truths exclude a candidate; it learns from one question to the next.

Where no story can be told of its answers, it excludes what keeps a truth from being settled: a
search. Puzzles with very few givens, which rules such as non-consecutive allow, begin with steps
that rest on nearly all truths of the board. Such a step is proved like any other, but nobody could
follow its cases. So few of them are made: each leaves as little as can be of the narrowest truth,
and mostly places a digit by that, from which easier steps lead on.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import BoardFormula
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.limits import Budget

# glucose4 finds cores with the fewest truths of the solvers tried.
SOLVER = "glucose4"


class Effort(NamedTuple):
    """What the stories of a puzzle may cost before searches take their place."""

    # Conflicts of a question. It took 98 at most on 40 of the hardest classic puzzles, 233 with the
    # rule anti-knight. Where it takes more than this, cores have 200 truths and more, and nobody
    # can follow a story of these.
    patience: int = 300

    # Conflicts of all questions together. Those 40 puzzles took 7,000 at most. Puzzles of few
    # givens would go on for minutes, with hundreds of stories that hardly lead on.
    conflicts: int = 20_000

    # Placements of a story; where every core needs more, cases may stand inside cases. One story
    # without such a limit took 20 s for a single puzzle.
    longest: int = 200

    # Boards of up to so many digits are asked about all candidates at every step; on larger ones
    # that takes half of the time (`known_cores.py`).
    asked_all: int = 9


USUAL = Effort()


class TooHardError(Exception):
    """A question that takes too much for a story to come out of its answer."""


class CoreSolver:
    """The truths of a position inside a solver, each behind its selector.

    `possible` are candidates that stand in some solution, as a mask: no truths exclude them.
    `spent` are the conflicts that the questions for stories took.
    """

    def __init__(self, position: Position, budget: Budget, patience: int = USUAL.patience) -> None:
        self.position = position
        self.budget = budget
        self.possible = 0
        self.spent = 0
        self._patience = patience
        self._formula = BoardFormula(position.board, SOLVER, position.board.truths, budget)
        self._selectors = list(map(self._formula.selector, position.board.truths))

    def learn(self) -> None:
        """Tells the solver what the steps have settled since it was told last."""
        self._formula.learn(self.position.left, self.position.placed)

    def to_ask_about(self, candidates: int) -> Iterator[int]:
        """Those of a mask that may be excluded: neither placed nor known to stand in a solution.

        What is noted as possible on the way is passed over.
        """
        for candidate in candidates_of(candidates & self.position.left & ~self.position.placed):
            if not self.possible >> candidate & 1:
                yield candidate

    def by_width(self, truths: Iterable[Truth]) -> list[Truth]:
        """Truths with few members left first."""
        left = self.position.left
        return sorted(truths, key=lambda t: ((t.members & left).bit_count(), t.number))

    def core(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        """Those of some truths that exclude a candidate; None where it can hold with them.

        Raises TooHardError when that takes more than a story can tell.
        """
        session = self._formula.session
        before = session.conflicts
        found = self._ask(candidate, truths, self._patience)
        self.spent += session.conflicts - before
        if found is Status.UNKNOWN:
            raise TooHardError
        return self._core(found)

    def search(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        """As `core`, but asks until there is an answer, however many conflicts that takes."""
        return self._core(self._ask(candidate, truths))

    def note_model(self) -> None:
        """Adds to `possible` what the solution has that the solver has just found.

        To be called after a question about all truths: only then is its model a solution.
        """
        self.possible |= self._held()

    def excluded_by_model(self, truths: Iterable[Truth]) -> int:
        """What the members of some truths exclude that hold in what the solver has just found.

        All else goes together with these truths, too.
        """
        links, held = self.position.board.links, self._held()
        chosen = excluded = 0
        for truth in truths:
            holding = truth.members & held
            if not holding & chosen:
                lowest = holding & -holding
                chosen |= lowest
                excluded |= links[lowest.bit_length() - 1]
        return excluded

    def needed_by_model(self, candidate: int, missing: Truth, rest: Sequence[Truth]) -> set[int]:
        """The numbers of truths that a core needs: without any of them it leaves the candidate.

        The solver has just found that this is so of one that is `missing` from a core. Where one of
        its members takes the place of those that it excludes, another truth alone may have nothing
        that holds: then that one is needed, too, and so on. So two of three questions are saved.
        """
        links = self.position.board.links
        possible = self.position.left & ~links[candidate]
        needed = {missing.number}
        waiting = [(missing, self._held())]
        core = [missing, *rest]
        while waiting:
            truth, held = waiting.pop()
            for member in candidates_of(truth.members & possible):
                instead = held & ~links[member] | 1 << member
                empty = [each for each in core if not each.members & instead]
                if len(empty) == 1 and empty[0].number not in needed:
                    needed.add(empty[0].number)
                    waiting.append((empty[0], instead))
        return needed

    def _held(self) -> int:
        """The candidates that hold in what the solver has just found."""
        # Candidates have the first numbers.
        model = self._formula.session.model()[: len(self.position.board.links) - 1]
        return mask_of(literal for literal in model if literal > 0)

    def close(self) -> None:
        self._formula.close()

    def _ask(self, candidate: int, truths: Iterable[Truth], patience: int | None = None) -> Status:
        """Whether the candidate can hold when these truths do."""
        selectors = self._selectors
        assumptions = [candidate, *[selectors[truth.number] for truth in truths]]
        return self._formula.session.solve(self.budget, patience, assumptions)

    def _core(self, found: Status) -> list[Truth] | None:
        session = self._formula.session
        if found is Status.UNSATISFIABLE:
            return self._formula.truths_of(session.core())
        return None


# A core becomes smaller when it is asked about alone, and after so many times hardly any more.
_TRIMMINGS = 4


def find_by_search(solver: CoreSolver) -> Finding | None:
    """What a solver excludes of the narrowest truth that it excludes anything of."""
    every = solver.by_width(solver.position.open_truths)
    for narrowest in every:
        rests_on: dict[int, Truth] = {}
        excluded = []
        for candidate in solver.to_ask_about(narrowest.members):
            core = _trimmed(solver, candidate, every)
            if core is not None:
                excluded.append(candidate)
                rests_on |= {truth.number: truth for truth in core}
        if excluded:
            truths = tuple(rests_on[number] for number in sorted(rests_on))
            return Finding(Technique.SEARCH, truths, excludes=tuple(excluded))
    return None


def _trimmed(solver: CoreSolver, candidate: int, every: list[Truth]) -> list[Truth] | None:
    """Truths that exclude a candidate; None where nothing does."""
    found = solver.search(candidate, every)
    if found is None:
        solver.note_model()
        return None
    for _ in range(_TRIMMINGS):
        found = solver.search(candidate, found) or found
    return found
