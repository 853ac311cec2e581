"""A solver that stays loaded while a user edits a puzzle with rules.

Most of the time for a verdict on a killer is spent on stating its cages, and an edit changes only a
given or one rule. So a `KeptSolver` has the rules of the board (rows, columns, boxes or regions) as
clauses that always hold, and every other rule behind a selector: a variable that is assumed if the
rule applies. Givens are assumptions too. An added rule is stated once, a removed rule is simply not
assumed, and learned clauses stay valid.

    kept = kept_here().of(puzzle, budget)   None if the board is not for such a solver
    kept.outcome()                          what `check` returns; None if it is too hard

Solutions are remembered and tried first: if two of them fit the edited puzzle, the verdict needs no
search. Each was judged when found, and is judged again by every rule that it was not yet checked
against. Which solutions are found depends on earlier questions; verdicts, counts and proved sets do
not.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise
from typing import NamedTuple

from satdoku.encoding.choices import Encoding, Method, Status
from satdoku.encoding.constraint import AtMostOne
from satdoku.encoding.encode import constraints, write_clauses
from satdoku.encoding.variables import Auxiliaries, decode, variable, variable_count
from satdoku.encoding.wider.write import guarded_rule
from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import HiddenRegions
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes, require_solution
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.assumptions import (
    FixedGivens,
    SmallestHittingSets,
    count_held_out,
    shrink,
)
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within
from satdoku.solving.session import Closable, Session
from satdoku.solving.solvers import find_solver

# Of minicard, gluecard4, glucose4 and cadical153, this solver loads 20 cages fastest and takes the
# least time for the slowest verdict after an edit.
_SOLVER = "gluecard4"

# Larger boards take longer to load than to decide, for most puzzles.
_LARGEST_SIZE = 16
# Limits on clauses of rules that the puzzle no longer has, about 100 bytes each, and on questions,
# which leave useless clauses. Above either, a new solver replaces the old one.
_MOST_CLAUSES = 500_000
_MOST_QUESTIONS = 5_000
# The memory that a rule takes besides its clauses, counted in clauses.
_CLAUSES_OF_A_RULE = 200
# A verdict that takes more conflicts is left to `check`, which tries further solvers.
_PATIENCE = 3_000
_MOST_REMEMBERED = 300
# Hitting sets that are tried for a smaller clash; each takes a question for every rule. A clash of
# two rules is not reduced: among 20 cages it is found in 2 ms, and a proof that no single cage is
# impossible takes 70.
_MOST_HITTING_SETS = 100
_FEW = 2
_MOST_SOLVERS = 2


Digits = tuple[int, ...]


class _Remembered(NamedTuple):
    """A solution from an earlier question, and for each rule checked so far whether it is kept."""

    grid: Grid
    keeps: dict[Rule, bool]


class KeptSolver(Closable):
    """A solver with the rules of a board, other rules behind selectors, and the last solutions."""

    def __init__(self, geometry: Geometry, shape: tuple[Rule, ...], budget: Budget) -> None:
        self.geometry = geometry
        self.shape = shape
        self.session = Session(find_solver(_SOLVER), with_assumptions=True)
        self._auxiliaries = Auxiliaries(variable_count(geometry))
        self._selectors: dict[Rule, int | None] = {}
        self._clauses: dict[Rule, int] = {}
        self._questions = 0
        self._remembered: OrderedDict[tuple[int, ...], _Remembered] = OrderedDict()
        try:
            self._load(budget)
        except BaseException:
            self.session.close()
            raise

    def _load(self, budget: Budget) -> None:
        board = Puzzle(Grid.empty(self.geometry), rules=self.shape)
        for each in budget.watch(constraints(board, Encoding.EXTENDED, self._auxiliaries)):
            if isinstance(each, AtMostOne):
                self.session.add_at_most_one(each.literals)
            else:
                self.session.add_clauses(write_clauses(each, Method.PAIRWISE, self._auxiliaries))

    def is_full(self, rules: Iterable[Rule]) -> bool:
        """Whether clauses of rules other than these, or questions, exceed their limit."""
        asked = sum(self._clauses.get(rule, 0) for rule in rules)
        idle = sum(self._clauses.values()) - asked
        return idle > _MOST_CLAUSES or self._questions > _MOST_QUESTIONS

    def selector(self, rule: Rule, budget: Budget) -> int | None:
        """Return the selector of a rule, stating a new rule; None if the rule cannot be stated.

        If this raises LimitReachedError, the clauses so far do no harm: nothing assumes their
        selector.
        """
        if rule not in self._selectors:
            self._selectors[rule] = self._state(rule, budget)
        return self._selectors[rule]

    def _state(self, rule: Rule, budget: Budget) -> int | None:
        budget.require()
        # The clauses may rely on the rules of the board, but not on other rules behind selectors.
        if _has_hidden_regions(self.geometry, (*self.shape, rule)):
            return None
        own = constraints_of(self.geometry, (*self.shape, rule))
        known = constraints_of(self.geometry, self.shape)
        selector = self._auxiliaries.take(1)[0]
        stated = guarded_rule(own, known, self.literal, selector, self._auxiliaries)
        for clause in budget.watch(stated.clauses):
            self.session.add_clause(clause)
        for group in stated.exclusive:
            self.session.add_at_most_one(group)
        self._clauses[rule] = len(stated.clauses) + _CLAUSES_OF_A_RULE
        return selector

    def literal(self, cell: int, digit: int) -> int:
        return variable(self.geometry, cell, digit)

    def fresh(self) -> int:
        """Return an unused variable, for the clauses of one question."""
        self._questions += 1
        return self._auxiliaries.take(1)[0]

    def remember(self, grid: Grid, rules: Iterable[Rule]) -> None:
        """Remember a solution of these rules; the one unused for longest is dropped if there are
        too many.
        """
        found = self._remembered.setdefault(grid.digits, _Remembered(grid, {}))
        found.keeps.update(dict.fromkeys(rules, True))
        self._remembered.move_to_end(grid.digits)
        if len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def fitting(
        self, puzzle: Puzzle, rules: Sequence[Rule], most: int = 0
    ) -> Iterator[tuple[Grid, list[int | Rule]]]:
        """Yield remembered solutions that break at most `most` givens and rules, the latest first.

        Each solution comes with the broken rules, and with the cells of the broken givens.
        """
        givens = tuple(puzzle.givens.items())
        for digits, each in reversed(list(self._remembered.items())):
            cells = (cell for cell, digit in givens if digits[cell] != digit)
            broken: list[int | Rule] = list(islice(cells, most + 1))
            if len(broken) <= most:
                others = (rule for rule in rules if not self._keeps(each, rule))
                broken += islice(others, most + 1)
            if len(broken) <= most:
                yield each.grid, broken

    def _keeps(self, found: _Remembered, rule: Rule) -> bool:
        if rule not in found.keeps:
            clashes = rule.find_clashes(self.geometry, found.grid.digits)
            found.keeps[rule] = next(clashes, None) is None
        return found.keeps[rule]

    def close(self) -> None:
        self.session.close()


_Shape = tuple[Geometry, tuple[Rule, ...]]


class KeptSolvers(Closable):
    """The solvers of the last boards, each for one geometry and one set of board rules."""

    def __init__(self) -> None:
        self._solvers: OrderedDict[_Shape, KeptSolver] = OrderedDict()

    def of(self, puzzle: Puzzle, budget: Budget) -> "KeptPuzzle | None":
        """Return a puzzle with its solver; None for large boards and boards with hidden regions.

        Raise LimitReachedError if the budget ends while rules are stated.
        """
        if puzzle.geometry.size > _LARGEST_SIZE:
            return None
        loose = tuple(rule for rule in puzzle.further_rules if not _is_shape(rule))
        shape = tuple(rule for rule in puzzle.rules if rule not in loose)
        if _has_hidden_regions(puzzle.geometry, shape):
            return None
        try:
            solver = self._solver((puzzle.geometry, shape), loose, budget)
            selectors = [solver.selector(rule, budget) for rule in loose]
        except MemoryError:
            self.close()
            raise
        if None in selectors:
            return None
        selector_of = {rule: n for rule, n in zip(loose, selectors, strict=True) if n is not None}
        return KeptPuzzle(solver, puzzle, selector_of, budget)

    def _solver(self, key: _Shape, rules: Sequence[Rule], budget: Budget) -> KeptSolver:
        """Return the solver of a board; make a new one if there is none or it is full."""
        if key in self._solvers and self._solvers[key].is_full(rules):
            self._solvers.pop(key).close()
        if key not in self._solvers:
            self._solvers[key] = KeptSolver(*key, budget)
            if len(self._solvers) > _MOST_SOLVERS:
                self._solvers.popitem(last=False)[1].close()
        self._solvers.move_to_end(key)
        return self._solvers[key]

    def decide(self, puzzle: Puzzle, budget: Budget) -> Outcome:
        """Return the verdict of `check`, by a kept solver if possible."""
        try:
            # `check` decides classic boards as fast.
            kept = None if puzzle.is_classic else self.of(puzzle, budget)
            outcome = None if kept is None else kept.outcome()
            return check_within(puzzle, budget) if outcome is None else outcome
        except LimitReachedError as limit:
            return Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit))

    def close(self) -> None:
        for solver in self._solvers.values():
            solver.close()
        self._solvers.clear()


class _Here(threading.local):
    """The solvers of this thread, since a solver answers one question at a time."""

    def __init__(self) -> None:
        self.solvers = KeptSolvers()


_HERE = _Here()


def kept_here() -> KeptSolvers:
    """Return the solvers of this thread, for answers that do not depend on earlier questions.

    Examples are verdicts and exact counts, but not which of several clashes is found. Where that
    must be the same for the same puzzle, make new solvers.
    """
    return _HERE.solvers


def _has_hidden_regions(geometry: Geometry, rules: tuple[Rule, ...]) -> bool:
    """Whether the rules have hidden regions, for which `check` has a special search."""
    return any(isinstance(each, HiddenRegions) for each in constraints_of(geometry, rules).wider)


def _is_shape(rule: Rule) -> bool:
    return rule.is_of_the_board or rule.stands_in_for_boxes


class Needless(NamedTuple):
    """The givens, by cell, and the rules that are redundant while all others stay."""

    cells: list[int]
    rules: list[Rule]


class KeptPuzzle:
    """A puzzle with the kept solver of its board, which answers questions about the puzzle."""

    def __init__(
        self, solver: KeptSolver, puzzle: Puzzle, selector_of: dict[Rule, int], budget: Budget
    ) -> None:
        self.puzzle = puzzle
        self._solver = solver
        self._budget = budget
        self._selector_of = selector_of
        geometry = puzzle.geometry
        self._givens = {variable(geometry, *given): given[0] for given in puzzle.givens.items()}
        self._all = [*selector_of.values(), *self._givens]

    def outcome(self) -> Outcome | None:
        """Return the verdict with its evidence; None if it takes too many conflicts."""
        found = self.known(2)
        if next(find_clashes(self.puzzle), None) is not None:
            return self._outcome(Verdict.NONE, [])
        while len(found) < 2:
            with self._excluding(found) as other:
                status = self._ask([*other, *self._all], _PATIENCE)
            if status is Status.UNKNOWN:
                return None
            if status is Status.UNSATISFIABLE:
                return self._outcome(Verdict.UNIQUE if found else Verdict.NONE, found)
            found.append(self._read())
        return self._outcome(Verdict.MULTIPLE, found)

    def _outcome(self, verdict: Verdict, found: Sequence[Grid]) -> Outcome:
        statistics = Statistics(_SOLVER, Encoding.EXTENDED.value, self._budget.seconds)
        solution, second, *_ = [*found, None, None]
        return Outcome(self.puzzle, verdict, solution, second, statistics=statistics)

    def known(self, most: int) -> list[Grid]:
        """Return up to `most` solutions that are remembered."""
        fitting = self._solver.fitting(self.puzzle, tuple(self._selector_of))
        return [grid for grid, _ in islice(fitting, most)]

    def find_needless(self, solution: Grid) -> Needless:
        """Return the redundant givens and rules of a puzzle with this only solution.

        Each of them is redundant by itself, not all together. A core of the proof that there is no
        other solution has all that are needed. Each item of the core is left out in turn, which
        finds another solution, or a smaller core.
        """
        geometry = self.puzzle.geometry
        rule_of = {selector: rule for rule, selector in self._selector_of.items()}
        untried = set(self._all)
        with self._excluding([solution]) as other:
            if self._ask([*other, *self._all]) is Status.SATISFIABLE:
                raise SatdokuError("the puzzle has another solution")
            untried &= set(self._solver.session.core())
            needed = untried & self._known_to_be_needed()
            untried -= needed
            if not rule_of and count_held_out(geometry):
                needed |= self._needed_givens(solution, sorted(untried))
                untried.clear()
            while untried:
                left_out = untried.pop()
                rest = [literal for literal in self._all if literal != left_out]
                if self._ask([*other, *rest]) is Status.SATISFIABLE:
                    needed.add(left_out)
                    found = decode(geometry, self._solver.session.model())
                    kept = (rule for n, rule in rule_of.items() if n != left_out)
                    self._note(found, kept, self._without(rule_of.get(left_out), left_out))
                else:
                    untried &= set(self._solver.session.core())
        cells = sorted(c for literal, c in self._givens.items() if literal not in needed)
        rules = [rule for rule, n in self._selector_of.items() if n not in needed]
        return Needless(cells, rules)

    def _needed_givens(self, solution: Grid, untried: Sequence[int]) -> set[int]:
        """Return those of these givens that are needed, on a large board without further rules.

        Some are tested at a time in a formula in which all others are fixed, which is so much
        smaller that it takes less time although it is loaded for them alone.
        """
        board = self.puzzle.with_grid(Grid.empty(self.puzzle.geometry))
        step, needed = count_held_out(board.geometry), set[int]()
        for first in range(0, len(untried), step):
            some = untried[first : first + step]
            fixed = self._givens.keys() - some
            with FixedGivens(board, solution, fixed, None, self._budget) as rest:
                for literal in some:
                    kept = [other for other in some if other != literal]
                    if rest.find_other(kept, [literal]) is Status.SATISFIABLE:
                        needed.add(literal)
                        self._note(rest.other(), (), self._without(None, literal))
        return needed

    def _known_to_be_needed(self) -> set[int]:
        """Return each given or rule that some remembered solution breaks as the only one."""
        literal_of = {cell: literal for literal, cell in self._givens.items()}
        fitting = self._solver.fitting(self.puzzle, tuple(self._selector_of), 1)
        return {
            literal_of[each] if isinstance(each, int) else self._selector_of[each]
            for _, broken in fitting
            for each in broken
        }

    def _without(self, rule: Rule | None, given: int) -> Puzzle:
        """Return the puzzle without this rule or, if None, without the given of this literal."""
        if rule is None:
            cell = self._givens[given]
            return self.puzzle.with_grid(self.puzzle.grid.with_digits({cell: 0}))
        return _with_rules(self.puzzle, [each for each in self.puzzle.rules if each != rule])

    def clashing_rules(self) -> tuple[Rule, ...]:
        """Return rules that together exclude every grid, such that any of them may be dropped.

        The set is a smallest one, except that a set of two is not reduced and a long search ends
        early. Givens are ignored. Empty if some grid satisfies the rules, or if none satisfies the
        board's own rules.
        """
        selectors = list(self._selector_of.values())
        if self._ask(selectors) is Status.SATISFIABLE:
            return ()

        def core(rest: Sequence[int], _: int = 0) -> list[int] | None:
            return None if self._ask(rest) is Status.SATISFIABLE else self._core()

        found = shrink(self._core(), core)
        if len(found) > _FEW:
            found = self._smaller_clash(selectors, len(found)) or found
        return tuple(rule for rule, n in self._selector_of.items() if n in found)

    def _smaller_clash(self, selectors: Sequence[int], size: int) -> list[int] | None:
        """Return fewer than `size` selectors that exclude every grid; None if none are found.

        A clash contains an element of each set of rules without which there is a grid. So smallest
        hitting sets of these sets are tried until one is a clash, or is not smaller.
        """
        with SmallestHittingSets(len(selectors), self._budget) as hitting:
            for _ in range(_MOST_HITTING_SETS):
                chosen = hitting.smallest()
                if chosen is None or len(chosen) >= size:
                    return None
                literals = [selectors[place] for place in chosen]
                if self._ask(literals) is Status.UNSATISFIABLE:
                    return literals
                hitting.add(self._to_drop(selectors))
        return None

    def _to_drop(self, selectors: Sequence[int]) -> list[int]:
        """Return the indices of a few selectors without which there is a grid, starting from the
        last answer, which was a grid.
        """
        kept = self._held(selectors)
        for selector in selectors:
            is_new = selector not in kept
            if is_new and self._ask([*sorted(kept), selector]) is Status.SATISFIABLE:
                kept |= self._held(selectors)
        return [place for place, selector in enumerate(selectors) if selector not in kept]

    def _held(self, selectors: Sequence[int]) -> set[int]:
        """Return the selectors that are true in the last model; its grid keeps their rules."""
        return set(selectors).intersection(self._solver.session.model())

    def rules_to_drop(self) -> list[Rule]:
        """Return the rules of an impossible puzzle that make it possible if dropped, each by
        itself.
        """
        rule_of = {selector: rule for rule, selector in self._selector_of.items()}
        if self._ask(self._all) is Status.SATISFIABLE:
            return []
        # A rule outside some core cannot be such a rule.
        left, found = {*self._core()} & rule_of.keys(), list[Rule]()
        while left:
            selector = min(left)
            left.discard(selector)
            if self._ask([each for each in self._all if each != selector]) is Status.SATISFIABLE:
                found.append(rule_of[selector])
            else:
                left &= {*self._core()}
        return found

    def _core(self) -> list[int]:
        return sorted(self._solver.session.core())

    def count_candidates(self, cap: int) -> tuple[list[dict[int, int]], bool]:
        """Return, for each cell, how many solutions have each digit, up to `cap`.

        The second value is False if the budget ended first, so that the true numbers may be higher.
        """
        geometry = self.puzzle.geometry
        counts: list[dict[int, int]] = [{} for _ in range(geometry.cell_count)]
        below = {
            variable(geometry, cell, digit)
            for cell in range(geometry.cell_count)
            for digit in range(1, geometry.size + 1)
        }

        def note(grid: Grid) -> None:
            for cell, digit in enumerate(grid.digits):
                counts[cell][digit] = min(counts[cell].get(digit, 0) + 1, cap)
                if counts[cell][digit] == cap:
                    below.discard(variable(geometry, cell, digit))

        known = self.known(_MOST_REMEMBERED)
        for grid in known:
            note(grid)
        try:
            with self._excluding(known) as other:
                while below and (found := self._find_with(sorted(below), other)) is not None:
                    note(found)
                    self._exclude(found, other)
        except LimitReachedError:
            return counts, False
        return counts, True

    def _find_with(self, literals: Sequence[int], other: Sequence[int]) -> Grid | None:
        """Return a further solution in which at least one of the literals is true."""
        session, some = self._solver.session, self._solver.fresh()
        session.add_clause([-some, *literals])
        session.suggest(list(literals))
        try:
            found = self._ask([some, *other, *self._all]) is Status.SATISFIABLE
            return self._read() if found else None
        finally:
            session.add_clause([-some])

    def propagate(self, literals: Sequence[int]) -> Sequence[int] | None:
        """Return all literals that unit propagation derives; None on a conflict."""
        return self._solver.session.propagate([*self._all, *literals])

    def equal_cells(self) -> list[list[int]]:
        """Return groups of cells that hold equal digits in every solution.

        Cells with the same digit in all solutions are left out. Each group is proved: no solution
        has different digits in two of its cells.
        """
        grids = [grid.digits for grid in islice(self.solutions(), 2)]
        if len(grids) < 2:
            return []
        found: Grid | None
        while (found := self._find_unsettled(grids)) is not None:
            grids.append(found.digits)
        while (found := self._find_differing(_equal_cells(grids))) is not None:
            grids.append(found.digits)
        return _equal_cells(grids)

    def _find_unsettled(self, grids: Sequence[Digits]) -> Grid | None:
        """Return a solution that differs in a cell in which all these grids agree."""
        columns = enumerate(zip(*grids, strict=True))
        settled = ((cell, digits[0]) for cell, digits in columns if len({*digits}) == 1)
        literals = [-self._solver.literal(cell, digit) for cell, digit in settled]
        return self._find_with(literals, []) if literals else None

    def _find_differing(self, groups: Sequence[Sequence[int]]) -> Grid | None:
        """Return a solution with different digits in the cells of a group."""
        session, size = self._solver.session, self.puzzle.geometry.size
        differs = []
        for cells in groups:
            for one, other in pairwise(cells):
                differs.append(self._solver.fresh())
                for digit in range(1, size + 1):
                    both = (-self._solver.literal(cell, digit) for cell in (one, other))
                    session.add_clause([-differs[-1], *both])
        return self._find_with(differs, []) if differs else None

    def solutions(self) -> Iterator[Grid]:
        """Yield all solutions, remembered ones first.

        Do not use the solver for other questions in between.
        """
        known = self.known(_MOST_REMEMBERED)
        yield from known
        with self._excluding(known) as other:
            while self._ask([*other, *self._all]) is Status.SATISFIABLE:
                found = self._read()
                yield found
                self._exclude(found, other)

    def _read(self) -> Grid:
        """Decode, judge and remember the grid of the last answer."""
        found = decode(self.puzzle.geometry, self._solver.session.model())
        return self._note(found, self._selector_of, self.puzzle)

    def _note(self, found: Grid, rules: Iterable[Rule], puzzle: Puzzle) -> Grid:
        self._solver.remember(require_solution(found, puzzle), rules)
        return found

    def _ask(self, literals: Sequence[int], patience: int | None = None) -> Status:
        return self._solver.session.solve(self._budget, patience, literals)

    @contextmanager
    def _excluding(self, grids: Sequence[Grid]) -> Iterator[list[int]]:
        """Yield assumptions that exclude these grids, and that `_exclude` adds further grids to."""
        switch = self._solver.fresh()
        for grid in grids:
            self._exclude(grid, [switch])
        try:
            yield [switch]
        finally:
            # The unit clause lets the solver drop the excluding clauses.
            self._solver.session.add_clause([-switch])

    def _exclude(self, grid: Grid, other: Sequence[int]) -> None:
        literals = (-self._solver.literal(*place) for place in enumerate(grid.digits))
        self._solver.session.add_clause([*(-switch for switch in other), *literals])


def _equal_cells(grids: Sequence[Digits]) -> list[list[int]]:
    """Return groups of cells that are equal in each grid, but differ from grid to grid."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell, digits in enumerate(zip(*grids, strict=True)):
        groups.setdefault(digits, []).append(cell)
    return [cells for digits, cells in groups.items() if len(cells) > 1 and len({*digits}) > 1]


def _with_rules(puzzle: Puzzle, rules: Iterable[Rule]) -> Puzzle:
    return Puzzle(puzzle.grid, rules=tuple(rules), symbols=puzzle.symbols)
