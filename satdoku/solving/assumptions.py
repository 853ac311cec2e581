"""Queries under assumptions: whether a board has a grid with these digits, and hitting sets.

`RuleSolver` and `FixedGivens` decide whether a grid satisfies the rules and some digits.
`SmallestHittingSets` finds the fewest givens that contain one of each of some sets of givens.
Each set is shrunk before it is added, since small sets exclude more.

>>> with SmallestHittingSets(4, Budget()) as sets:
...     for each in ({0, 1}, {1, 2}, {2, 3}):
...         sets.add(each)
...     len(sets.smallest() or ()), sets.at_least
(2, 2)

`shrink` deletes elements in turn as long as the rest is enough.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from satdoku.encoding.choices import Encoding, Method, Status
from satdoku.encoding.constraint import AtMostOne
from satdoku.encoding.encode import constraints, encode, write_clauses
from satdoku.encoding.variables import (
    Auxiliaries,
    Clause,
    decode,
    placement,
    variable,
    variable_count,
)
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, Watch, require_memory_for_rules, unwatched
from satdoku.solving.session import Closable, Session, load
from satdoku.solving.solvers import Can, Settings, find_solver

# minicard starts fastest, and the formulas are small.
_SOLVER = "minicard"


class Bound:
    """A counter of some literals, so that a bound on how many are true can be assumed.

    It supports bounds below `most`; `highest` is the highest variable that it uses.
    """

    def __init__(self, session: Session, literals: Sequence[int], most: int, highest: int) -> None:
        # python-sat's cardinality module takes 15 ms to import, and is rarely needed.
        from pysat.card import ITotalizer

        self._count = len(literals)
        with ITotalizer(lits=list(literals), ubound=most, top_id=highest) as totalizer:
            session.add_clauses(totalizer.cnf.clauses)
            self._outputs = list(totalizer.rhs)
            self.highest: int = max(highest, totalizer.top_id)

    def at_most(self, number: int) -> list[int]:
        """Return the assumptions for at most `number` true literals."""
        return [] if number >= self._count else [-self._outputs[number]]


class HittingSets(Closable):
    """Sets over the elements 0..n-1, and their hitting sets."""

    def __init__(self, count: int, budget: Budget, solver: str = _SOLVER) -> None:
        self._budget = budget
        self._variables = range(1, count + 1)
        self._session = Session(find_solver(solver), with_assumptions=True)
        # Each variable occurs in a tautology, so that a model has a value for it.
        self._session.add_clauses([[v, -v] for v in self._variables])

    def prefer_many(self) -> None:
        """Set the solver's first choice to true, so that it finds large hitting sets first."""
        self._session.suggest(list(self._variables))

    def add(self, elements: Iterable[int]) -> None:
        """Add a set that must be hit."""
        self._session.add_clause([element + 1 for element in elements])

    def exclude(self, elements: Iterable[int]) -> None:
        """Exclude a hitting set, and every superset of it."""
        self._session.add_clause([-element - 1 for element in elements])

    def any(self) -> list[int] | None:
        """Return a hitting set, or None if there is none."""
        return self._choose([])

    def _choose(self, assumptions: list[int]) -> list[int] | None:
        status = self._session.solve(self._budget, assumptions=assumptions)
        if status is not Status.SATISFIABLE:
            return None
        return [v - 1 for v in self._session.model() if 0 < v <= len(self._variables)]

    def close(self) -> None:
        self._session.close()


class SmallestHittingSets(HittingSets):
    """Hitting sets, and the smallest of them; `at_least` is a lower bound on their size."""

    def __init__(self, count: int, budget: Budget) -> None:
        super().__init__(count, budget)
        self._bound = Bound(self._session, self._variables, max(count - 1, 1), count)
        self.at_least = 0

    def smallest(self) -> list[int] | None:
        """Return a smallest hitting set, of size `at_least`; None if there is none."""
        while (chosen := self.smallest_with()) is None and self.at_least < len(self._variables):
            self.at_least += 1
        return chosen

    def smallest_with(
        self, wanted: Iterable[int] = (), left: Iterable[int] = ()
    ) -> list[int] | None:
        """Return a hitting set of `at_least` elements that contains `wanted` and no element of
        `left`.
        """
        return self._choose(
            [
                *(element + 1 for element in wanted),
                *(-element - 1 for element in left),
                *self._bound.at_most(self.at_least),
            ]
        )


Item = TypeVar("Item")


def shrink(
    items: Iterable[Item],
    is_enough: Callable[[Sequence[Item], Item], Collection[Item] | None],
) -> list[Item]:
    """Return a minimal subset of the items that is still enough, by deletion.

    `items` must be enough; the last items are tried first, so the first items are kept longest.
    `is_enough` gets the remaining items and the one that was deleted. It returns None if the
    remaining items are not enough, and otherwise a subset of them that is: all of them, or fewer if
    a solver returned a core. Supersets of enough items must be enough.

    >>> shrink([1, 2, 3, 4, 5], lambda rest, item: rest if sum(rest) >= 6 else None)
    [3, 2, 1]
    """
    untried, needed = list(items), list[Item]()
    while untried:
        item = untried.pop()
        rest = [*needed, *untried]
        found = is_enough(rest, item)
        if found is None:
            needed.append(item)
        elif len(found) < len(rest):
            untried = [other for other in untried if other in found]
            needed = [other for other in needed if other in found]
    return needed


# A solver with the rules of a board, and the givens as assumptions of each call.
#
# A search for redundant givens tests many subsets of the same givens. Here the rules are loaded
# once; givens are assumptions, which hold for one call. A literal is a variable of
# `encoding/variables.py`, negated if the cell must not hold the digit.
#
#     rules.decide([+r1c1=5, +r1c2=3])   is there a grid with 5 and 3 in these cells?
#     rules.decide([+r1c1=5, -r1c2=3])   is there one with 5 there, and not with 3 there?
#
# A solver's verdict does not depend on its history, but the model that it finds does. Code that
# must give the same result on every machine may therefore only call `decide`, never `solution`.

# A solver for the cells that some fixed givens leave open
#
# When givens are deleted in a known order, two kinds of givens hold in all further calls: those
# that are tested later, and those that were needed. With these fixed, a formula has only the
# remaining candidates, and a new solver for every few calls is faster than one that knows the whole
# board: on 16x16 a formula has 950 variables instead of 4,096 and is loaded in 4 milliseconds,
# while a call on the whole board takes 2.

SOLVER_OF_GIVENS = "minicard"
"""The fastest solver for such short-lived formulas: it has native at-most-one constraints, and
loads them four times as fast as other solvers load the clauses.
"""


class FixedGivens(Closable):
    """Queries about the givens of one solution when some of these givens are fixed.

    Literals are those of `encoding/variables.py` for digits of the solution. `board` has the rules
    and no givens. `is_beside` is as in `Session`.
    """

    def __init__(
        self,
        board: Puzzle,
        solution: Grid,
        fixed: Collection[int],
        solver: str | None,
        budget: Budget | None,
        is_beside: bool = False,
    ) -> None:
        geometry = board.geometry
        self.fixed = frozenset(fixed)
        self._budget = budget or Budget()
        name = solver or SOLVER_OF_GIVENS
        self._session = Session(find_solver(name), with_assumptions=True, is_beside=is_beside)
        try:
            givens = dict(placement(geometry, literal) for literal in fixed)
            puzzle = board.with_grid(board.grid.with_digits(givens))
            self._formula = load(puzzle, Settings(name), self._session, self._budget)
        except BaseException:
            self._session.close()
            raise
        # Candidates that follow from the fixed givens have no variable: no other solution differs
        # there.
        self._open: dict[int, int] = {}
        for number in self._formula.literals_of(solution):
            cell = self._formula.cell_of(number)
            self._open[variable(geometry, cell, solution.digits[cell])] = number
        self._session.add_clause([-number for number in self._open.values()])

    def find_other(self, kept: Sequence[int], deleted: Sequence[int]) -> Status:
        """Decide whether there is another solution with all kept literals and the fixed ones.

        With the deleted literals added, the solution must be unique, so that any other solution
        differs in a deleted literal.
        """
        assumptions = [self._open[literal] for literal in kept if literal in self._open]
        open_ = [self._open[literal] for literal in deleted if literal in self._open]
        if not open_:
            return Status.UNSATISFIABLE
        if len(open_) == 1:
            # The solution must differ in this only literal, which as an assumption is decided
            # sooner.
            assumptions.append(-open_[0])
        return self._session.solve(self._budget, assumptions=assumptions)

    def other(self) -> Grid:
        """Return the other solution that the last call found."""
        return self._formula.read(self._session.model())[0]

    def close(self) -> None:
        self._session.close()


# Smallest board on which fixed givens save time. With most givens fixed, a minimal puzzle takes
# 0.57 times as long on 16x16, 0.7 times on 15x15, as long on 14x14, and 1.2 times as long on 12x12.
_SMALLEST_SIZE_TO_FIX = 15
# The givens to be tested next are not fixed: one for this many cells of the board, 25 on 16x16. One
# for 5 cells takes a tenth longer there; 8, 13 and 16 make no difference.
_CELLS_FOR_ONE_HELD_OUT = 10


def count_held_out(geometry: Geometry) -> int:
    """Return how many givens to test with the same others fixed; 0 where that saves no time."""
    if geometry.size < _SMALLEST_SIZE_TO_FIX:
        return 0
    return geometry.cell_count // _CELLS_FOR_ONE_HELD_OUT


SOLVER = "cadical153"
"""The fastest solver here: it makes three times as many minimal puzzles as the next family."""

LARGEST_SIZE_IN_CLAUSES = 25
"""Largest board whose pairs of candidates become clauses. On larger boards these clauses take too
much memory, so `LARGE_SOLVER` is used.
"""
LARGE_SOLVER = "minicard"
"""A solver with native at-most-one constraints. So 225x225 fits into 2 GB, where clauses for pairs
would take hundreds, and is answered within seconds.
"""

# Grids that one session excludes before a new one starts: each leaves a dead clause and learned
# clauses. Between 50 and 1,000 the speed is the same; a new solver costs as much as five minimal
# puzzles.
GRIDS_A_SESSION = 200

_EASY_SIZE = 9


def is_large(geometry: Geometry) -> bool:
    """Whether a board is too large to have a clause for each pair of candidates."""
    return geometry.size > LARGEST_SIZE_IN_CLAUSES


class RuleSolver(Closable):
    """Decides whether a board has a grid that satisfies its rules and some literals.

    The default `solver` depends on the size of the board. Raise TooLargeError if memory is too
    small.

    Without `budget` and `patience` every call is decided, however long it takes. With a `budget`,
    loading the rules or a call raises LimitReachedError when the budget runs out. With `patience`,
    a call that takes more conflicts returns UNKNOWN. `watch` is called with a description of the
    current work.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        solver: str | None = None,
        budget: Budget | None = None,
        patience: int | None = None,
        encoding: Encoding = Encoding.EXTENDED,
    ) -> None:
        self.geometry = puzzle.geometry
        self.budget = budget
        self.watch: Watch = unwatched
        self._patience = patience
        self._chosen = solver
        has_many = is_large(puzzle.geometry)
        self._solver = find_solver(solver or (LARGE_SOLVER if has_many else SOLVER))
        self._is_native = has_many and Can.NATIVE in self._solver.can
        self._encoding = encoding
        self._variable_count = variable_count(puzzle.geometry)
        self.may_ask_lanes = (
            puzzle.is_classic and puzzle.geometry == Geometry() and not (solver or patience)
        )
        """Whether the compiled library may be used instead of the solver to test many givens."""
        # The number of `excluding` blocks in use; while it is positive, the session must stay.
        self._exclusions = 0
        # A call takes a millisecond, so limits and Ctrl-C need not be checked during the call.
        self._is_easy = puzzle.is_classic and puzzle.geometry.size <= _EASY_SIZE
        # Checked first: the further rules of huge boards take long to collect.
        require_memory_for_rules(self.geometry, self._is_native)
        self._board = puzzle.with_grid(Grid.empty(puzzle.geometry))
        pairs = self._board.constraints.count_pairs()
        require_memory_for_rules(self.geometry, self._is_native, pairs)
        self._clauses = [] if has_many else list(self._watched(self._encode()))
        # Rules about more than two cells have auxiliary variables above those of the cells.
        self._has_auxiliaries = bool(self._board.constraints.wider)
        self._session = self._begin()
        self._is_new = True

    def start_again(self) -> None:
        """Drop all learned clauses, so that earlier calls have no influence."""
        if not self._is_new:
            self._session.close()
            self._session = self._begin()
            self._is_new = True

    def literals(self, grid: Grid) -> list[int]:
        """Return the literals of a grid's digits, in the order of their cells."""
        return [
            variable(self.geometry, cell, digit)
            for cell, digit in enumerate(grid.digits)
            if digit != EMPTY
        ]

    def decide(self, literals: Sequence[int], is_patient: bool = False) -> Status:
        """Decide whether there is a grid that satisfies the rules and these literals.

        With `is_patient`, `patience` does not apply, so that the call is decided.
        """
        patience = None if is_patient else self._patience
        budget = self.budget
        self._is_new = False
        if self._is_easy and patience is None and (budget is None or budget.conflicts_left is None):
            if budget is not None:
                budget.require()
            found = self._session.decide(literals)
            return Status.SATISFIABLE if found else Status.UNSATISFIABLE
        return self._session.solve(budget or Budget(), patience, literals)

    def fills(self, literals: Sequence[int]) -> bool:
        """Whether unit propagation alone fills every cell.

        With the encoding `extended` this is the same as filling the board by singles, with
        `efficient` by naked singles.
        """
        if self.budget is not None:
            self.budget.require()
        settled = self._session.propagate(literals)
        if settled is not None and self._has_auxiliaries:
            settled = [literal for literal in settled if abs(literal) <= self._variable_count]
        return settled is not None and len(settled) >= self._variable_count

    def solution(self) -> Grid:
        """Return the grid of the last call; it depends on the solver's history."""
        return decode(self.geometry, self._session.model())

    def solution_literals(self) -> list[int]:
        """Return the literals of the last call's grid, in the order of its cells."""
        return [literal for literal in self._session.model()[: self._variable_count] if literal > 0]

    def find_all(self, literals: Sequence[int], most: int) -> list[list[int]]:
        """Return the literals of each grid that satisfies these literals, at most `most` grids.

        If there are no more than `most`, the set of grids does not depend on the solver's history.
        """
        found: list[list[int]] = []
        with self.excluding() as known:
            question = [known.literal, *literals]
            while len(found) < most and self.decide(question, True) is Status.SATISFIABLE:
                found.append(self.solution_literals())
                known.add(found[-1])
        return found

    @property
    def can_fix_givens(self) -> bool:
        """Whether `fix` is faster than other calls, with the same results.

        With limited patience the result would depend on the solver, so `fix` is not used.
        """
        return count_held_out(self.geometry) > 0 and self._patience is None

    def fix(self, solution: Grid, literals: Sequence[int]) -> FixedGivens:
        """Return a solver for the rules with these literals of a solution fixed."""
        return FixedGivens(
            self._board, solution, literals, self._chosen, self.budget, self._is_native
        )

    def find_other(self, solution: Grid, literals: Sequence[int]) -> Status:
        """Decide whether a grid other than this solution keeps the rules and these literals."""
        if self.can_fix_givens:
            with self.fix(solution, literals) as fixed:
                return fixed.find_other((), self.literals(solution))
        with self.excluding(solution) as other:
            return self.decide([other.literal, *literals])

    def core(self) -> Sequence[int]:
        """Return the core of the last call: literals that no grid satisfies together."""
        return self._session.core()

    @contextmanager
    def excluding(self, *grids: Grid) -> Iterator["Exclusion"]:
        """Yield an exclusion of grids, which applies to the calls that assume its literal."""
        if self._excluded >= GRIDS_A_SESSION and not self._exclusions:
            self.start_again()
        self._excluded += 1
        self._exclusions += 1
        self._is_new = False
        exclusion = Exclusion(self._session, self._auxiliaries.take(1)[0])
        for grid in grids:
            exclusion.add(self.literals(grid))
        try:
            yield exclusion
        finally:
            self._exclusions -= 1
            # The unit clause lets the solver drop the clauses with the literal.
            exclusion.session.add_clause([-exclusion.literal])

    def close(self) -> None:
        self._session.close()

    def _begin(self) -> Session:
        session = Session(self._solver, with_assumptions=True, is_beside=self._is_native)
        try:
            highest = self._load(session)
        except BaseException:
            session.close()
            raise
        self._auxiliaries = Auxiliaries(highest)
        self._excluded = 0
        return session

    def _load(self, session: Session) -> int:
        """Load the rules into a solver, and return the highest variable that they use.

        Raise LimitReachedError if the budget ends first.
        """
        auxiliaries = Auxiliaries(self._variable_count)
        if self._clauses:
            session.add_clauses(self._clauses)
            if self._has_auxiliaries:
                auxiliaries.highest = max(max(map(abs, clause)) for clause in self._clauses)
        elif not self._is_native and not self._has_auxiliaries:
            session.add_clauses(self._watched(self._encode()))
        else:
            for constraint in self._watched(constraints(self._board, self._encoding, auxiliaries)):
                if self._is_native and isinstance(constraint, AtMostOne):
                    session.add_at_most_one(constraint.literals)
                else:
                    session.add_clauses(write_clauses(constraint, Method.PAIRWISE, auxiliaries))
        return auxiliaries.highest

    def _encode(self) -> Iterator[Clause]:
        """Yield the rules, with every constraint as clauses."""
        for group in encode(self._board, self._encoding):
            yield from group.clauses

    def _watched(self, items: Iterable[Item]) -> Iterator[Item]:
        return (self.budget or Budget()).watch(items)


class Exclusion:
    """Excludes sets of literals in calls that assume `literal`: no set may hold as a whole."""

    def __init__(self, session: Session, literal: int) -> None:
        self.session = session
        self.literal = literal

    def add(self, literals: Sequence[int]) -> None:
        self.session.add_clause([-self.literal, *(-literal for literal in literals)])
