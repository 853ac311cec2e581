"""Find which givens and clues of puzzles are needed.

Clues are cages, lines, dots, and all other rules about some of the cells.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from itertools import compress, zip_longest
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS, Found, order_of, own_bank
from satdoku.making.full_grid import Chance
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.value import Shown, value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.assumptions import (
    FixedGivens,
    HittingSets,
    RuleSolver,
    SmallestHittingSets,
    count_held_out,
    shrink,
)
from satdoku.solving.bulk import bulk_of
from satdoku.solving.kept import kept_here
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched
from satdoku.solving.questions import check
from satdoku.solving.session import Closable
from satdoku.solving.solvers import Settings

# One minimal set of givens, by deletion
#
# Givens are deleted in groups: single cells, or the orbits of a symmetry. The order of the groups
# decides which of many minimal sets is found: the first groups are deleted last. Tests use a
# solver's verdict and never a model, so the same order gives the same set on every machine.
#
# `find_needs` tests each given by itself, and deletes none.

Group = tuple[int, ...]
"""Cells whose givens are deleted together."""


class Necessity(Enum):
    """Whether a given can be deleted from a puzzle."""

    REDUNDANT = "redundant"
    NEEDED = "needed"
    UNDECIDED = "undecided"


OnTested = Callable[[int], None]
"""A callback with the number of cells still to test, called at each change."""


def untold(untested: int) -> None:
    """Ignore the number; the default callback."""


Test = Callable[[Sequence[int], Sequence[int]], Necessity]
"""A test whether the literals of the first list are enough without those of the second.

Both lists together are enough; the second list is empty if that is not known. The literals to be
deleted next are last in the first list; the test may make use of that.
"""

_NEED_OF = {
    Status.SATISFIABLE: Necessity.NEEDED,
    Status.UNSATISFIABLE: Necessity.REDUNDANT,
    Status.UNKNOWN: Necessity.UNDECIDED,
}


class Deletion(NamedTuple):
    """The cells that keep their givens.

    `undecided` are those cells that were kept only because the solver reached a limit. If there are
    none, all of these givens are needed.
    """

    cells: tuple[int, ...]
    undecided: tuple[int, ...] = ()


def delete_redundant(
    rules: RuleSolver,
    solution: Grid,
    groups: Sequence[Group],
    enough: int = 0,
    most_tests: int | None = None,
    on_tested: OnTested = untold,
) -> Deletion:
    """Keep as few of the groups as the uniqueness of `solution` needs.

    The groups together must have no other solution. Deletion stops as soon as at most `enough`
    cells are left, and after `most_tests` groups; the groups not tested stay undecided.
    """
    if rules.may_ask_lanes and most_tests is None:
        deletion = _delete_by_library(rules, solution, groups, enough)
        if deletion is not None:
            on_tested(0)
            return deletion
    with rules.excluding(solution) as other, UniquenessTest(rules, solution, other.literal) as test:
        literal_of = rules.literals(solution)
        return delete_groups(literal_of, groups, test, enough, most_tests, rules.watch, on_tested)


def _delete_by_library(
    rules: RuleSolver, solution: Grid, groups: Sequence[Group], enough: int
) -> Deletion | None:
    """Run `delete_redundant` in the compiled library; None without it, or if a test is too hard.

    A given is needed if the library found another grid, which was judged. That the solution stays
    unique relies on the library's search until a solver checks it at the end.
    """
    if rules.budget is not None:
        rules.budget.require()
    given = {cell for group in groups for cell in group}
    digits = bytes(digit if cell in given else 0 for cell, digit in enumerate(solution.digits))
    # The library tests the first group first, so the order is reversed.
    found = delete_many([digits], [groups[::-1]], enough)
    if not found or found[0] is None:
        return None
    literal_of = rules.literals(solution)
    kept = [literal_of[cell] for cell in found[0].deletion.cells]
    if rules.find_other(solution, kept) is Status.SATISFIABLE:
        raise SatdokuError(_WRONGLY_DELETED)
    return found[0].deletion


_WRONGLY_DELETED = (
    "this is a bug, please report it: the compiled library deleted a given that a puzzle needs;"
    " SATDOKU_LANES=0 does without the library"
)


class Deleted(NamedTuple):
    """The remaining givens of one of many puzzles, with its unique solution, one byte per digit.

    `is_compared` tells that a solver checked the uniqueness too.
    """

    deletion: Deletion
    solution: bytes
    is_compared: bool


def may_delete_many(puzzle: Puzzle) -> bool:
    """Whether `delete_many` supports a puzzle."""
    return puzzle.is_classic and puzzle.geometry == Geometry()


def delete_many(
    puzzles: Sequence[bytes], orders: Iterable[Sequence[Group]], enough: int = 0
) -> list[Deleted | None]:
    """Delete givens of 9x9 puzzles with one solution, together in the compiled library.

    A puzzle has one byte per digit; the first group of its order is tested first. The library
    searches all solutions of the result again, and a solver checks one puzzle in a thousand. None
    if a test is too hard for the library; an empty list without it.
    """
    bank = own_bank(is_for_one=len(puzzles) == 1)
    if bank is None:
        return []
    answers = bank.delete(b"".join(puzzles), b"".join(map(order_of, orders)), enough)
    proofs = bank.answer(bytes(answers.solutions))
    results: list[Deleted | None] = []
    for number, found in enumerate(zip(answers.found, proofs.found, strict=True)):
        if Found.OVER_BUDGET in found:
            results.append(None)
            continue
        part = slice(CELLS * number, CELLS * (number + 1))
        left, solution = bytes(answers.solutions[part]), bytes(proofs.solutions[part])
        is_chosen = found[1] == Found.CHOSEN
        if found[0] != Found.ONE or found[1] not in (Found.ONE, Found.CHOSEN):
            raise SatdokuError(_WRONGLY_DELETED)
        if is_chosen:
            bulk_of(Geometry()).compare(left, solution)
        cells = tuple(compress(range(CELLS), left))
        results.append(Deleted(Deletion(cells), solution, is_chosen))
    return results


def delete_groups(
    literal_of: Sequence[int],
    groups: Sequence[Group],
    test: Test,
    enough: int = 0,
    most_tests: int | None = None,
    watch: Watch = unwatched,
    on_tested: OnTested = untold,
) -> Deletion:
    """Keep as few of the groups as the test requires; `literal_of` has a literal for every cell.

    The test must be monotone: supersets of enough givens are enough.
    """
    kept = list(groups[: _count_needed(literal_of, groups, test)])
    needed: list[int] = []
    undecided: list[int] = []
    literals = [literal_of[cell] for group in kept for cell in group]
    on_tested(len(literals))
    while kept and len(needed) + len(literals) > enough:
        if most_tests is not None:
            if most_tests == 0:
                undecided += (cell for group in kept for cell in group)
                break
            most_tests -= 1
        group = kept.pop()
        mine = literals[-len(group) :]
        del literals[-len(group) :]
        watch(f"{len(needed):,} givens are needed, {len(literals):,} are still to be tested")
        need = test([*needed, *literals], mine)
        if need is not Necessity.REDUNDANT:
            needed += mine
        if need is Necessity.UNDECIDED:
            undecided += group
        on_tested(len(literals))
    is_kept = {*needed, *literals}
    cells = (cell for cell, literal in enumerate(literal_of) if literal in is_kept)
    return Deletion(tuple(cells), tuple(sorted(undecided)))


class UniquenessTest(Closable):
    """The test that a solution stays unique; `other` is the literal that excludes it."""

    def __init__(self, rules: RuleSolver, solution: Grid, other: int) -> None:
        self._rules = rules
        self._solution = solution
        self._other = other
        self._held_out = count_held_out(solution.geometry)
        self._fixes = rules.can_fix_givens
        self._fixed: FixedGivens | None = None

    def __call__(self, kept: Sequence[int], deleted: Sequence[int]) -> Necessity:
        if self._fixes and deleted:
            return _NEED_OF[self._fix(kept).find_other(kept, deleted)]
        # If only one cell was deleted, any other solution has another digit there. One literal
        # states that, and is decided sooner than a clause of all 81 cells.
        difference = -deleted[0] if len(deleted) == 1 else self._other
        return _NEED_OF[self._rules.decide([difference, *kept])]

    def _fix(self, kept: Sequence[int]) -> FixedGivens:
        """Return a solver in which some of the kept literals are fixed, and no others.

        The last literals are not fixed, because they are deleted next.
        """
        if self._fixed is None or not self._fixed.fixed.issubset(kept):
            self.close()
            self._fixed = self._rules.fix(self._solution, kept[: -self._held_out])
        return self._fixed

    def close(self) -> None:
        if self._fixed is not None:
            self._fixed.close()
            self._fixed = None


def _count_needed(literal_of: Sequence[int], groups: Sequence[Group], test: Test) -> int:
    """Return how many leading groups are needed, by binary search.

    With 81 cells that takes six tests, which delete about 35 givens.
    """
    low, high = -1, len(groups)
    while high - low > 1:
        middle = (low + high) // 2
        literals = [literal_of[cell] for group in groups[:middle] for cell in group]
        if test(literals, ()) is Necessity.REDUNDANT:
            high = middle
        else:
            low = middle
    return high


def find_needs(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> dict[int, Necessity]:
    """Return, for each given cell of a puzzle with one solution, whether its given is needed.

    Each is tested by itself. Of two redundant givens perhaps only one can be deleted, as that can
    make the other one needed.
    """
    literal_of = rules.literals(solution)
    literals = [literal_of[cell] for cell in cells]
    needs = dict.fromkeys(_find_needed(rules, solution, cells), Necessity.NEEDED)
    # All cells are tested one by one, for which no grid has to be excluded as a whole.
    with UniquenessTest(rules, solution, other=0) as test:
        for place in reversed(range(len(cells))):
            if cells[place] not in needs:
                rest = [*literals[place + 1 :], *literals[:place]]
                needs[cells[place]] = test(rest, [literals[place]])
    return {cell: needs[cell] for cell in cells}


def _find_needed(rules: RuleSolver, solution: Grid, cells: Sequence[int]) -> list[int]:
    """Return the cells without whose given the library found two grids, both of them judged.

    A solver decides about all other cells.
    """
    bank = own_bank(is_for_one=True) if rules.may_ask_lanes else None
    if bank is None:
        return []
    if rules.budget is not None:
        rules.budget.require()
    given = set(cells)
    digits = bytes(digit if cell in given else 0 for cell, digit in enumerate(solution.digits))
    found = bank.answer(
        b"".join([digits[:cell] + b"\0" + digits[cell + 1 :] for cell in cells])
    ).found
    return [cell for cell, each in zip(cells, found, strict=True) if each == Found.SEVERAL]


# The fewest givens with a proof; all minimal sets; witnesses
#
# Every other solution of the board differs from the right one in some givens; at least one of these
# must be kept, or the other solution remains. So:
#
# 1. Choose as few givens as possible that meet all differences known so far.
# 2. If the choice has another solution, its difference is a new one to meet. Go on with 1.
# 3. If it has none, it is an answer, and no smaller one exists: even the known differences cannot
#    be met with fewer.
#
# Meanwhile the size of the choice is a lower bound. (This is the method of implicit hitting sets.)
# Differences are shrunk first: small ones exclude more.
#
# All minimal sets of givens (enough for one solution, none redundant) are found in a similar way,
# and a difference also shows why a given is needed: by the solution that it excludes. A map records
# decided sets of givens: supersets of a minimal set are enough, and subsets of a set with another
# solution are not. In each round a set that the map does not decide is tested. If it is enough, it
# is shrunk and reported; if not, it is grown. The result is added to the map, until the map decides
# all sets (the MARCO algorithm).

# Minimal sets, at a millisecond each, of which the best is the first upper bound. That bound is
# needed only if time runs out.
_MINIMAL_SETS = 3


class Fewest(NamedTuple):
    """The best set of givens found, and a lower bound: no set of fewer than `lower` is enough."""

    cells: tuple[int, ...]
    lower: int
    reason: str = ""
    """Why the search ended early; empty if it did not."""

    @property
    def upper(self) -> int:
        return len(self.cells)

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that no smaller set exists."""
        return self.lower == self.upper


OnBounds = Callable[[int, int], None]


def find_fewest(
    rules: RuleSolver,
    solution: Grid,
    cells: Sequence[int],
    on_bounds: OnBounds = lambda lower, upper: None,
    differences: list[frozenset[int]] | None = None,
) -> Fewest:
    """Return the fewest of these given cells; `on_bounds` is called with each better bound.

    `differences` collects all differences found, each as a set of literals.

    At the limit of `rules` the search ends with the current bounds. Which of several smallest sets
    is found may depend on the solver; their size does not.
    """
    best = Fewest(tuple(cells), 0)
    try:
        for found in _improve(rules, solution, cells, [] if differences is None else differences):
            if found != best:
                on_bounds(found.lower, found.upper)
            best = found
    except LimitReachedError as reached:
        best = best._replace(reason=str(reached))
    return best


def _improve(
    rules: RuleSolver, solution: Grid, cells: Sequence[int], met: list[frozenset[int]]
) -> Iterator[Fewest]:
    """Yield better and better bounds, up to a proven optimum."""
    best = tuple(cells)
    for attempt in range(_MINIMAL_SETS):
        order = [(cell,) for cell in Chance("fewest", attempt).shuffled(cells)]
        best = min(best, delete_redundant(rules, solution, order).cells, key=len)
        yield Fewest(best, 0)
    literal_of = rules.literals(solution)
    place_of = {literal_of[cell]: place for place, cell in enumerate(cells)}
    differences = SmallestHittingSets(len(cells), rules.budget or Budget())
    with differences, rules.excluding(solution) as other:
        for cell, need in find_needs(rules, solution, cells).items():
            if need is Necessity.NEEDED:
                met.append(frozenset([literal_of[cell]]))
                differences.add([place_of[literal_of[cell]]])
        while True:
            chosen = differences.smallest() or []
            yield Fewest(best, len(chosen))
            if len(chosen) == len(best):
                return
            question = [other.literal, *(literal_of[cells[place]] for place in chosen)]
            # With unlimited patience, since UNKNOWN would be taken for a proof.
            if rules.decide(question, is_patient=True) is Status.UNSATISFIABLE:
                yield Fewest(tuple(sorted(cells[place] for place in chosen)), len(chosen))
                return
            met.append(find_smallest_difference(rules, other.literal, place_of))
            differences.add(sorted(place_of[literal] for literal in met[-1]))


# This solver takes hints, by which it tries large sets first: a large set that is not enough
# excludes more.
_MAP_SOLVER = "minisat22"


def find_all_minimal(
    rules: RuleSolver, solution: Grid, cells: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield every minimal subset of these given cells, as soon as it is found.

    The order may depend on the solver; the sets do not. Raise LimitReachedError if the budget of
    `rules` ends before all are known.
    """
    literal_of = rules.literals(solution)
    cell_of = {literal_of[cell]: cell for cell in cells}
    place_of = {cell: place for place, cell in enumerate(cells)}
    known = HittingSets(len(cells), rules.budget or Budget(), _MAP_SOLVER)
    with known, rules.excluding(solution) as other:
        known.prefer_many()
        while (chosen := known.any()) is not None:
            literals = [literal_of[cells[place]] for place in chosen]
            # With unlimited patience, since UNKNOWN gives no solution to learn from.
            if rules.decide([other.literal, *literals], is_patient=True) is Status.UNSATISFIABLE:
                # Givens outside the core are redundant.
                core = set(rules.core())
                enough = [(cell_of[literal],) for literal in literals if literal in core]
                minimal = delete_redundant(rules, solution, enough).cells
                known.exclude(place_of[cell] for cell in minimal)
                yield minimal
            else:
                difference = find_smallest_difference(rules, other.literal, cell_of)
                known.add(place_of[cell_of[literal]] for literal in difference)


def find_smallest_difference(
    rules: RuleSolver, other: int, givens: Collection[int]
) -> frozenset[int]:
    """Return the givens in which another solution differs, shrunk to a minimal set.

    Call this after a satisfiable query with the literal `other`; the solution found there is
    changed, given by given, to agree with as many givens as possible. `givens` are literals.
    """

    def differing() -> list[int]:
        return sorted(set(givens).difference(rules.solution_literals()))

    def differs(rest: Sequence[int], given: int) -> list[int] | None:
        agreed = sorted(set(givens).difference(rest, [given]))
        is_enough = rules.decide([other, *agreed, given]) is Status.SATISFIABLE
        return differing() if is_enough else None

    return frozenset(shrink(reversed(differing()), differs))


def find_witnesses(rules: RuleSolver, puzzle: Puzzle, cells: Sequence[int]) -> dict[int, Grid]:
    """Return, for each needed cell, a solution that appears when its given is deleted.

    The puzzle has one solution; a cell that is not in the result is redundant.
    """
    literal_of = dict(zip(puzzle.givens, rules.literals(puzzle.grid), strict=True))
    witnesses = {}
    for cell in cells:
        rest = [literal for given, literal in literal_of.items() if given != cell]
        if rules.decide([-literal_of[cell], *rest]) is Status.SATISFIABLE:
            fewer = puzzle.with_grid(puzzle.grid.with_digits({cell: 0}))
            witnesses[cell] = require_solution(rules.solution(), fewer)
    return witnesses


@value(frozen=True, repr=False)
class Minimized(Shown):
    """A puzzle with fewer givens and the same unique solution.

    If the fewest givens were requested, it is proven that fewer than `lower` are not enough, and
    `reason` says why no better bound is proven.
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
    """Minimizes puzzles; keeps the solver of the last rules.

    All methods need puzzles with one solution and that solution: call `Minimizer.check` first.
    `limits` apply to the next call; `watch` is called with a description of the current work.
    """

    def __init__(self, solver: str | None = None, limits: Limits | None = None) -> None:
        self._solver = solver
        self.limits = limits or Limits()
        self.watch: Watch = unwatched
        self._rules: RuleSolver | None = None
        self._board: Puzzle | None = None

    def check(self, puzzle: Puzzle) -> Outcome:
        """Decide how many solutions a puzzle has; all other methods require exactly one."""
        return check(puzzle, Settings(limits=self.limits))

    def minimize(
        self,
        outcome: Outcome,
        seed: str = "0",
        keep: Collection[int] = (),
        symmetry: Symmetry = Symmetry.NONE,
        on_tested: OnTested = untold,
    ) -> Minimized:
        """Return one minimal puzzle; other seeds give other puzzles.

        Givens of the cells in `keep` are tested last: they stay unless the needed givens are enough
        without them. With a symmetry, givens that it maps to each other stay or go together.
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
        """Yield a minimal puzzle for each of many, made together in the compiled library if
        possible.

        Each comes with a flag: whether a solver checked the library's result.
        """
        unique = list(map(_require_unique, outcomes))
        found: list[Deleted | None] = []
        # A caller that chooses a solver gets the results of that solver, not those of the library.
        if self._solver is None and all(may_delete_many(puzzle) for puzzle, _ in unique):
            orders = [_order(puzzle, seed, keep, symmetry)[::-1] for puzzle, _ in unique]
            found = delete_many([bytes(puzzle.grid.digits) for puzzle, _ in unique], orders)
        for outcome, deleted in zip_longest(outcomes, found):
            puzzle, solution = _require_unique(outcome)
            # The library found the solution itself; if it differs from ours, the solver decides.
            if deleted is not None and deleted.solution == bytes(solution.digits):
                minimal = Minimized(_only(puzzle, deleted.deletion.cells), solution)
                yield minimal, deleted.is_compared
            else:
                yield self.minimize(outcome, seed, keep, symmetry), False

    def find_redundant(self, outcome: Outcome) -> list[int]:
        """Return the cells whose givens are redundant, each taken by itself."""
        puzzle, solution = _require_unique(outcome)
        needs = find_needs(self._load(puzzle), solution, list(puzzle.givens))
        return [cell for cell, need in needs.items() if need is Necessity.REDUNDANT]

    def find_all(self, outcome: Outcome) -> Iterator[Minimized]:
        """Yield all minimal puzzles as they are found; raise LimitReachedError at a limit."""
        puzzle, solution = _require_unique(outcome)
        for cells in find_all_minimal(self._load(puzzle), solution, list(puzzle.givens)):
            yield Minimized(_only(puzzle, cells), solution)

    def find_fewest(
        self, outcome: Outcome, on_bounds: OnBounds = lambda lower, upper: None
    ) -> Minimized:
        """Return the puzzle with the fewest givens, or the best one found, and the proven bound."""
        puzzle, solution = _require_unique(outcome)
        rules = self._load_anew(puzzle)
        fewest: Fewest = find_fewest(rules, solution, list(puzzle.givens), on_bounds)
        return Minimized(_only(puzzle, fewest.cells), solution, fewest.lower, fewest.reason)

    def find_witnesses(self, puzzle: Puzzle) -> Mapping[int, Grid]:
        """Return, for each needed given, a solution that it excludes."""
        return find_witnesses(self._load_anew(puzzle), puzzle, list(puzzle.givens))

    def close(self) -> None:
        if self._rules is not None:
            self._rules.close()
            self._rules = None

    def _load(self, puzzle: Puzzle) -> RuleSolver:
        """Return the solver for the rules of a puzzle, with the full limits for one call."""
        # Without a budget, solver calls skip the checks of the clock.
        budget = None if self.limits == Limits() else Budget(self.limits)
        # The board has no givens, which are assumptions of each call: so one solver serves all
        # puzzles with these rules.
        board = Puzzle(Grid.empty(puzzle.geometry), rules=puzzle.rules)
        if self._rules is None or self._board != board:
            self.close()
            self._board, self._rules = board, RuleSolver(board, self._solver, budget)
        self._rules.budget, self._rules.watch = budget, self.watch
        return self._rules

    def _load_anew(self, puzzle: Puzzle) -> RuleSolver:
        """Return a new solver, so that clauses learned from other puzzles do not affect the result.

        These affect which solution a solver finds, and which of several smallest sets.
        """
        rules = self._load(puzzle)
        rules.start_again()
        return rules


def _order(puzzle: Puzzle, seed: str, keep: Collection[int], symmetry: Symmetry) -> list[Group]:
    """Return the groups of givens that stay or go together; the last is tested first."""
    digits = puzzle.grid.digits
    if symmetry is Symmetry.NONE:
        groups: list[Group] = [(cell,) for cell, digit in enumerate(digits) if digit]
    else:
        orbits = symmetry.orbits(puzzle.geometry)
        found = (tuple(cell for cell in orbit if digits[cell]) for orbit in orbits)
        groups = [group for group in found if group]
    order = [groups[number] for number in _shuffled_numbers(seed, len(groups))]
    # Cells of `keep` are tested last; all others stay in their order.
    return sorted(order, key=lambda group: set(group).isdisjoint(keep)) if keep else order


@lru_cache(maxsize=128)
def _shuffled_numbers(seed: str, count: int) -> tuple[int, ...]:
    """Return the numbers below `count` in the random order of a seed, which is the same for all
    puzzles.
    """
    return tuple(Chance(seed, 0).shuffled(range(count)))


def _require_unique(outcome: Outcome) -> tuple[Puzzle, Grid]:
    if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
        raise SatdokuError("only a puzzle with exactly one solution has givens that it needs")
    return outcome.puzzle, outcome.solution


def _only(puzzle: Puzzle, cells: Collection[int]) -> Puzzle:
    """Return the puzzle with the givens of these cells only."""
    digits = [EMPTY] * len(puzzle.grid.digits)
    for cell in cells:
        digits[cell] = puzzle.grid.digits[cell]
    return puzzle.with_grid(Grid(puzzle.geometry, tuple(digits)))


def clues_of(puzzle: Puzzle) -> list[Rule]:
    """Return the rules that may be dropped one by one: those that name cells, lines or numbers."""
    return [
        rule
        for rule in puzzle.further_rules
        if rule.argument(puzzle.geometry) and not rule.is_of_the_board
    ]


def drop_clues(found: Minimized, seed: str, budget: Budget) -> Minimized:
    """Return the puzzle without redundant clues; other seeds give other puzzles.

    A given that is needed with all clues is needed with fewer clues too, so givens are deleted
    first, and none is tested again.
    """
    clues = Chance(seed, 0).shuffled(clues_of(found.puzzle))
    return replace(found, puzzle=without_spare(found.puzzle, clues, budget))


def find_redundant_clues(outcome: Outcome, budget: Budget) -> list[Rule]:
    """Return the clues of a puzzle with one solution that can each be dropped alone."""
    puzzle, clues = outcome.puzzle, clues_of(outcome.puzzle)
    kept = kept_here().of(puzzle, budget) if clues else None
    if kept is not None and outcome.solution is not None:
        needless = kept.find_needless(outcome.solution).rules
        return [clue for clue in clues if clue in needless]
    return [clue for clue in clues if without_spare(puzzle, [clue], budget) != puzzle]


def without_spare(puzzle: Puzzle, clues: Sequence[Rule], budget: Budget) -> Puzzle:
    """Return the puzzle without those of these clues that are redundant; they are tried in this
    order.
    """
    for clue in clues:
        fewer = replace(puzzle, rules=tuple(rule for rule in puzzle.rules if rule is not clue))
        outcome = check(fewer, Settings(limits=budget.rest()))
        if outcome.verdict is Verdict.UNDECIDED:
            raise LimitReachedError(outcome.reason)
        if outcome.verdict is Verdict.UNIQUE:
            puzzle = fewer
    return puzzle
