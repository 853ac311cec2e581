"""Asks which givens and which clues puzzles need, one puzzle after the other.

Clues are cages, lines, dots, and whatever other rule speaks of some cells.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from satdoku.errors import SatdokuError
from satdoku.making.deletion import (
    Deleted,
    Group,
    Necessity,
    OnTested,
    delete_many,
    delete_redundant,
    find_needs,
    may_delete_many,
    untold,
)
from satdoku.making.fewest import (
    Fewest,
    OnBounds,
    find_all_minimal,
    find_fewest,
    find_witnesses,
)
from satdoku.making.full_grid import Chance
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import Shown
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched
from satdoku.solving.questions import check
from satdoku.solving.session import Closable
from satdoku.solving.solvers import Settings


@dataclass(frozen=True, repr=False)
class Minimized(Shown):
    """A puzzle with fewer givens and the same single solution.

    Where the fewest givens were asked for, it is proven that no fewer than `lower` are enough, and
    `reason` says why no more is proven.
    """

    puzzle: Puzzle
    solution: Grid
    lower: int | None = None
    reason: str = ""

    def __repr__(self) -> str:
        return f"<Minimized {self.puzzle!r}>"

    @property
    def givens(self) -> int:
        return len(self.puzzle.givens)

    @property
    def is_fewest(self) -> bool:
        """Whether it is proven that fewer givens are not enough."""
        return self.lower == self.givens


class Minimizer(Closable):
    """Keeps a solver for the rules that it saw last.

    All questions are about puzzles with one solution, given with it: `Minimizer.check` first.
    `limits` are what the next question may take; `watch` is told what is going on.
    """

    def __init__(self, solver: str | None = None, limits: Limits | None = None) -> None:
        self._solver = solver
        self.limits = limits or Limits()
        self.watch: Watch = unwatched
        self._rules: RuleSolver | None = None
        self._board: Puzzle | None = None

    def check(self, puzzle: Puzzle) -> Outcome:
        """How many solutions there are; whatever else is asked makes sense only for one."""
        return check(puzzle, Settings(limits=self.limits))

    def minimize(
        self,
        outcome: Outcome,
        seed: str = "0",
        keep: Collection[int] = (),
        symmetry: Symmetry = Symmetry.NONE,
        on_tested: OnTested = untold,
    ) -> Minimized:
        """One minimal puzzle; other seeds lead to others.

        Givens of the cells in `keep` go last: they stay unless what was needed beside them is
        enough without them. With a symmetry, givens that it maps to each other stay or go together.
        """
        puzzle, solution = _require_unique(outcome)
        order = _order(puzzle, seed, keep, symmetry)
        deletion = delete_redundant(self._load(puzzle), solution, order, on_tested=on_tested)
        return Minimized(_only(puzzle, deletion.cells), solution)

    def minimize_many(
        self,
        outcomes: Sequence[Outcome],
        seed: str = "0",
        keep: Collection[int] = (),
        symmetry: Symmetry = Symmetry.NONE,
    ) -> Iterator[tuple[Minimized, bool]]:
        """The same of many puzzles, those of 9x9 side by side where there is the compiled library.

        Beside each stands whether a solver was asked about what the library says of it.
        """
        unique = list(map(_require_unique, outcomes))
        found: list[Deleted | None] = []
        # Who names a solver is to get its answers, and not those of the library.
        if self._solver is None and all(may_delete_many(puzzle) for puzzle, _ in unique):
            orders = [_order(puzzle, seed, keep, symmetry)[::-1] for puzzle, _ in unique]
            found = delete_many([bytes(puzzle.grid.digits) for puzzle, _ in unique], orders)
        for outcome, deleted in zip_longest(outcomes, found):
            puzzle, solution = _require_unique(outcome)
            # The library has found the solution anew; where that is another one, the solver has the
            # word.
            if deleted is not None and deleted.solution == bytes(solution.digits):
                minimal = Minimized(_only(puzzle, deleted.deletion.cells), solution)
                yield minimal, deleted.is_compared
            else:
                yield self.minimize(outcome, seed, keep, symmetry), False

    def find_redundant(self, outcome: Outcome) -> list[int]:
        """The cells whose givens are redundant, each for itself."""
        puzzle, solution = _require_unique(outcome)
        needs = find_needs(self._load(puzzle), solution, list(puzzle.givens))
        return [cell for cell, need in needs.items() if need is Necessity.REDUNDANT]

    def find_all(self, outcome: Outcome) -> Iterator[Minimized]:
        """All minimal puzzles, as soon as each is found; LimitReachedError where time ends."""
        puzzle, solution = _require_unique(outcome)
        for cells in find_all_minimal(self._load(puzzle), solution, list(puzzle.givens)):
            yield Minimized(_only(puzzle, cells), solution)

    def find_fewest(
        self, outcome: Outcome, on_bounds: OnBounds = lambda lower, upper: None
    ) -> Minimized:
        """The puzzle with the fewest givens, or the best found, and what is proven of it."""
        puzzle, solution = _require_unique(outcome)
        rules = self._load_anew(puzzle)
        fewest: Fewest = find_fewest(rules, solution, list(puzzle.givens), on_bounds)
        return Minimized(_only(puzzle, fewest.cells), solution, fewest.lower, fewest.reason)

    def find_witnesses(self, puzzle: Puzzle) -> Mapping[int, Grid]:
        """For each given that a puzzle with one solution needs, a solution that it excludes."""
        return find_witnesses(self._load_anew(puzzle), puzzle, list(puzzle.givens))

    def close(self) -> None:
        if self._rules is not None:
            self._rules.close()
            self._rules = None

    def _load(self, puzzle: Puzzle) -> RuleSolver:
        """The solver for the rules of a puzzle, with all the time that one question may take."""
        # Without a budget a question is asked without looking at the clock.
        budget = None if self.limits == Limits() else Budget(self.limits)
        # Without givens, which every question assumes: so one solver serves all puzzles of these
        # rules.
        board = Puzzle(Grid.empty(puzzle.geometry), rules=puzzle.rules)
        if self._rules is None or self._board != board:
            self.close()
            self._board, self._rules = board, RuleSolver(board, self._solver, budget)
        self._rules.budget, self._rules.watch = budget, self.watch
        return self._rules

    def _load_anew(self, puzzle: Puzzle) -> RuleSolver:
        """The same without what it learned from other puzzles, which would be seen in the answer.

        Which solution a solver finds depends on that; so would which of several smallest sets.
        """
        rules = self._load(puzzle)
        rules.start_again()
        return rules


def _order(puzzle: Puzzle, seed: str, keep: Collection[int], symmetry: Symmetry) -> list[Group]:
    """The groups of givens that stay or go together, in their order: the last is tested first."""
    digits = puzzle.grid.digits
    if symmetry is Symmetry.NONE:
        groups: list[Group] = [(cell,) for cell, digit in enumerate(digits) if digit]
    else:
        orbits = symmetry.orbits(puzzle.geometry)
        found = (tuple(cell for cell in orbit if digits[cell]) for orbit in orbits)
        groups = [group for group in found if group]
    order = [groups[number] for number in _shuffled_numbers(seed, len(groups))]
    # Those to be kept are tested last. The others stay in their order.
    return sorted(order, key=lambda group: set(group).isdisjoint(keep)) if keep else order


@lru_cache(maxsize=128)
def _shuffled_numbers(seed: str, count: int) -> tuple[int, ...]:
    """The numbers below this one in the random order of a seed: the same for all puzzles."""
    return tuple(Chance(seed, 0).shuffled(range(count)))


def _require_unique(outcome: Outcome) -> tuple[Puzzle, Grid]:
    if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
        raise SatdokuError("only a puzzle with exactly one solution has givens that it needs")
    return outcome.puzzle, outcome.solution


def _only(puzzle: Puzzle, cells: Collection[int]) -> Puzzle:
    """The puzzle with the givens of these cells alone."""
    digits = [EMPTY] * len(puzzle.grid.digits)
    for cell in cells:
        digits[cell] = puzzle.grid.digits[cell]
    return puzzle.with_grid(Grid(puzzle.geometry, tuple(digits)))


# They say how the board is made, and all others depend on them.
_OF_THE_BOARD = ("regions", "digits")


def clues_of(puzzle: Puzzle) -> list[Rule]:
    """The rules that could be left out one by one: those that name cells, lines or numbers."""
    return [
        rule
        for rule in puzzle.further_rules
        if rule.argument(puzzle.geometry) and rule.name not in _OF_THE_BOARD
    ]


def drop_clues(found: Minimized, seed: str, budget: Budget) -> Minimized:
    """A puzzle without the clues that it does not need; other seeds lead to others.

    A given that was needed beside all clues is needed beside fewer, so givens go first and none
    has to be looked at again.
    """
    clues = Chance(seed, 0).shuffled(clues_of(found.puzzle))
    return replace(found, puzzle=without_spare(found.puzzle, clues, budget))


def without_spare(puzzle: Puzzle, clues: Sequence[Rule], budget: Budget) -> Puzzle:
    """The puzzle without those of the clues that it can do without, tried in this order."""
    for clue in clues:
        fewer = replace(puzzle, rules=tuple(rule for rule in puzzle.rules if rule is not clue))
        outcome = check(fewer, Settings(limits=budget.rest()))
        if outcome.verdict is Verdict.UNDECIDED:
            raise LimitReachedError(outcome.reason)
        if outcome.verdict is Verdict.UNIQUE:
            puzzle = fewer
    return puzzle
