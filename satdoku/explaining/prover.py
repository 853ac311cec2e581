"""Check every step with a solver: it must follow from the truths that the step names."""

import atexit
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import Auxiliaries, Clause, Placement
from satdoku.encoding.wider.write import guarded_clauses
from satdoku.errors import SatdokuError
from satdoku.explaining.board import MOST_KINDS, Board, Truth, candidates_of
from satdoku.explaining.innies import Implied
from satdoku.explaining.step import Deduction
from satdoku.puzzle.constraints import Sets, Total, Wider, digits_of, mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions import Bound
from satdoku.solving.limits import Budget
from satdoku.solving.session import Closable, Session
from satdoku.solving.solvers import Can, find_solver

# A board as a formula: links are plain clauses, truths are enabled by assumptions
#
# `Asker` searches for solutions of the whole board with some candidates assumed.


class BoardFormula:
    """A session with the links of a board, and each of its truths behind a selector.

    A selector is a variable whose assumption enables its truth. Candidates are variables with their
    own numbers. `truths` are loaded at the start, others when their selectors are first used.
    """

    def __init__(
        self, board: Board, solver: str, truths: Iterable[Truth] = (), budget: Budget | None = None
    ) -> None:
        budget = budget or Budget()
        info = find_solver(solver)
        self.board = board
        self.session = Session(info, with_assumptions=True)
        self._first = len(board.placements)
        self._own = len(board.truths) + len(board.wider)
        self.highest = self._first - 1 + self._own
        # The selectors of truths that are not of the board; then the board's truths already loaded.
        self._others: dict[int, int] = {}
        self._known: set[int] = set()
        # The candidates, besides the givens, whose truth values were added to the solver.
        self._settled = 0
        for truth in truths:
            self.selector(truth)
        # Most boards are small: the calls for each group take half of the time to load a board.
        add_at_most_one = self.session.add_at_most_one
        is_native = Can.NATIVE in info.can
        for group in board.groups:
            if is_native:
                add_at_most_one(group)
            else:
                # A clause for each pair: on 16x16 that takes long enough to check the time limit
                # here.
                budget.work(len(group) * len(group))
                self.session.add_clauses(_pairs(group))
        for first, second in board.pairs:
            self.session.add_clause([-first, -second])
        for given in candidates_of(board.givens):
            self.session.add_clause([given])

    def selector(self, truth: Truth) -> int:
        """Return the selector of a truth; on first use, add the truth's clauses."""
        selector = self._first + truth.number
        if truth.number >= self._own:
            # The variables of wider truths follow those of the board.
            if truth.number not in self._others:
                self._others[truth.number] = self.fresh()
            selector = self._others[truth.number]
        if selector not in self._known:
            self._known.add(selector)
            if truth.wider is None:
                self.session.add_clause([*truth.listed, -selector])
            else:
                self.session.add_clauses(self._clauses_of(truth, truth.wider, selector))
        return selector

    def fresh(self) -> int:
        """Return an unused variable."""
        self.highest += 1
        return self.highest

    def _clauses_of(self, truth: Truth, constraint: Wider, selector: int) -> list[Clause]:
        """Return the clauses of a wider truth and of its cells' truths, under its selector."""
        board = self.board
        given = {board.placements[n].cell: n for n in candidates_of(board.givens)}
        numbers: dict[tuple[int, int], int] = {
            (board.placements[n].cell, board.placements[n].digit): n
            for n in (*truth.listed, *given.values())
        }
        auxiliaries = Auxiliaries(self.highest)
        clauses = guarded_clauses(board.puzzle, constraint, numbers, selector, auxiliaries)
        self.highest = auxiliaries.highest
        return clauses

    def learn(self, left: int, placed: int) -> None:
        """Add as unit clauses the candidates that steps excluded or placed since the last call."""
        settled = (self.board.every_candidate & ~left | placed) & ~self._settled
        self._settled |= settled
        for candidate in candidates_of(settled):
            self.session.add_clause([candidate if placed >> candidate & 1 else -candidate])

    def truths_of(self, literals: Iterable[int]) -> list[Truth]:
        """Return the truths whose selectors are among some literals, in the order of the board."""
        # Called for every core, so attributes are read once before the loop.
        first, truths = self._first, self.board.truths
        last = first + len(truths)
        return [truths[each - first] for each in sorted(literals) if first <= each < last]

    def close(self) -> None:
        self.session.close()


def _pairs(group: Sequence[int]) -> list[list[int]]:
    return [[-one, -other] for n, one in enumerate(group) for other in group[:n]]


# This solver starts fastest, and has native at-most-one for the links.
SOLVER = "minicard"

# Of the solvers tried, this one learns the most between queries, and it has native at-most-one.
# With wider rules, queries take many conflicts: minicard took three times as long to prove steps
# with long sums.
WIDER_SOLVER = "gluecard4"


class Asker(Closable):
    """A solver with all truths and links of a board, for queries about digits in cells."""

    def __init__(self, board: Board, budget: Budget, solver: str = SOLVER) -> None:
        self.board = board
        self._budget = budget
        truths = (*board.truths, *board.wider)
        self._formula = BoardFormula(board, solver, truths)
        self.session = self._formula.session
        self._highest = self._formula.highest
        for truth in truths:
            self.session.add_clause([self._formula.selector(truth)])

    def learn(self, left: int, placed: int) -> None:
        """Add as unit clauses the candidates that steps have excluded or placed."""
        self._formula.learn(left, placed)

    def candidate(self, cell: int, digit: int) -> int:
        """Return the literal of a digit in a cell; it must be an open candidate."""
        return self.board.number_of[Placement(cell, digit)]

    def new_variable(self) -> int:
        self._highest += 1
        return self._highest

    def bound(self, literals: Sequence[int], most: int) -> Bound:
        """Return a bound on how many of these literals hold, for values up to `most`."""
        bound = Bound(self.session, literals, most, self._highest)
        self._highest = bound.highest
        return bound

    def ask(self, patience: int | None = None) -> Status:
        """Decide whether there is a solution; UNKNOWN after `patience` conflicts."""
        return self.session.solve(self._budget, patience)

    def has_solution(self, assumptions: Sequence[int]) -> bool:
        """Whether some solution satisfies the assumptions."""
        return self.session.solve(self._budget, assumptions=assumptions) is Status.SATISFIABLE

    def solution(self, assumptions: Sequence[int] = ()) -> Grid | None:
        """Return a judged solution that satisfies the assumptions, or None."""
        return self.read() if self.has_solution(assumptions) else None

    def read(self) -> Grid:
        """Return the grid of the last model, judged."""
        return self.judged(self.placed())

    def judged(self, placed: Iterable[int]) -> Grid:
        """Return the grid with the givens and these candidates, after judging it."""
        puzzle = self.board.puzzle
        grid = puzzle.grid.with_digits(dict(map(self.board.placements.__getitem__, placed)))
        return require_solution(grid, puzzle)

    def placed(self) -> list[int]:
        """Return the candidates that hold in the last model."""
        # Models list their variables in order, and candidates have the first numbers.
        model = self.session.model()[: len(self.board.placements) - 1]
        return [literal for literal in model if literal > 0]

    def literals_of(self, grid: Grid) -> dict[int, int]:
        """Return for each open cell the literal of its digit in a grid."""
        number_of = self.board.number_of
        givens = self.board.puzzle.grid.digits
        # A plain tuple of cell and digit equals a placement, and is created faster.
        return {
            place[0]: number_of[place]  # type: ignore[index]
            for place in enumerate(grid.digits)
            if not givens[place[0]]
        }

    def require_other_than(self, literals: Iterable[int]) -> int:
        """Return a literal that, when assumed, makes at least one of these literals false."""
        switch = self.new_variable()
        self.session.add_clause([-switch, *(-literal for literal in literals)])
        return switch

    def close(self) -> None:
        self.session.close()


class WrongStepError(SatdokuError):
    """A step that does not follow from its truths: a bug of ours, never the user's fault."""


class Prover:
    """A solver with the links of a board, and the steps proved so far.

    The first solver has the same clauses for all boards of a kind, so they share it. It does only
    unit propagation, which proves nearly all steps and leaves no learned clauses. The other steps
    go to a solver of this board alone, which searches.
    """

    def __init__(self, board: Board, budget: Budget) -> None:
        self._board = board
        self._budget = budget
        self._shared = _new_formula(board) if board.root is None else _formula_of(board.root)
        self._own = self._shared if board.root is None else None
        self._placed = board.givens
        self._excluded = 0
        self._solution: Grid | None = None
        # The numbers of the wider truths known to be stated by a rule or to follow from stated
        # ones.
        self._warranted: set[int] = set()

    def assume_only(self, solution: Grid) -> None:
        """Allow steps to use the fact that this is the only solution."""
        self._solution = solution

    def require(self, step: Deduction) -> None:
        """Raise WrongStepError unless the step follows from its truths and earlier steps."""
        for truth in step.truths:
            is_assumed = truth.swapped and not self._holds(truth)
            if is_assumed or (truth.wider and not self._is_warranted(truth, truth.wider)):
                raise WrongStepError(
                    f"this is a bug, please report it: the {step.technique.value} assumes what is "
                    "not so"
                )
        facts = self._facts_about(step)
        literals = [-candidate for candidate in step.excludes]
        if step.places is not None:
            literals.append(step.places)
        for literal in literals:
            if not self._follows(literal, facts, step.truths):
                name = self._board.name_of(abs(literal), "=" if literal > 0 else "!=")
                raise WrongStepError(
                    f"this is a bug, please report it: the {step.technique.value} for {name} "
                    f"does not follow from what it names"
                )
        self.note(step)

    def require_all(self, steps: Iterable[Deduction]) -> None:
        """Check several steps in turn, each of which may use those before it."""
        for is_single, some in groupby(steps, _is_single):
            made = list(some)
            # A single propagation with all selectors takes five times as long as the query for one
            # step.
            if is_single and len(made) > 1:
                self._require_singles(made)
            else:
                for step in made:
                    self.require(step)

    def _require_singles(self, steps: Sequence[Deduction]) -> None:
        """Check steps that place the last candidate of a truth each, with a single propagation.

        The truths are assumed in order. The solver lists propagated literals in the order of
        derivation, so a step's candidate must come after its own truth's selector and before the
        next one. Truths of earlier steps add nothing, since a placed candidate satisfies them.
        """
        selectors = [self._shared.selector(step.truths[0]) for step in steps]
        known = candidates_of(self._placed)
        known += [-candidate for candidate in candidates_of(self._excluded)]
        found = self._shared.session.propagate([*known, *selectors])
        if found is not None and _come_in_turn(found, selectors, [s.places for s in steps]):
            for step in steps:
                self.note(step)
        else:
            for step in steps:
                self.require(step)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def _holds(self, truth: Truth) -> bool:
        """Whether the only solution has a candidate of this unique rectangle truth."""
        if self._solution is None:
            return False
        places = map(self._board.placements.__getitem__, truth.listed)
        return any(self._solution.digits[cell] == digit for cell, digit in places)

    def _is_warranted(self, truth: Truth, constraint: Wider) -> bool:
        """Whether the rules state a wider truth, or its sum follows from stated ones."""
        if truth.number not in self._warranted:
            puzzle = self._board.puzzle
            if truth.implied is None:
                is_so = constraint in puzzle.constraints.wider
            else:
                is_so = constraint == truth.implied.total and adds_up(puzzle, truth.implied)
            if not is_so:
                return False
            self._warranted.add(truth.number)
        return True

    def _facts_about(self, step: Deduction) -> list[int]:
        """Return literals settled before that remove other members of the step's truths."""
        gone = 0
        for truth in step.truths:
            gone |= truth.members & ~step.before
        facts = []
        for candidate in candidates_of(gone):
            blocking = self._board.links[candidate] & self._placed
            if blocking:
                # One placed candidate that excludes the member is enough, no matter which.
                facts.append(blocking.bit_length() - 1)
            elif self._excluded >> candidate & 1:
                facts.append(-candidate)
        return list(dict.fromkeys(facts))

    def _follows(self, literal: int, facts: Iterable[int], truths: Iterable[Truth]) -> bool:
        """Whether facts and truths imply a literal, so that its negation gives a conflict."""

        def assumed(formula: BoardFormula) -> list[int]:
            return [*facts, *map(formula.selector, truths), -literal]

        if self._shared.session.propagate(assumed(self._shared)) is None:
            return True
        if self._own is None:
            self._own = _new_formula(self._board.root or self._board)
        answer = self._own.session.solve(self._budget, assumptions=assumed(self._own))
        return answer is Status.UNSATISFIABLE

    def note(self, step: Deduction) -> None:
        """Record the placements and exclusions of a proved step, for later steps to use."""
        if step.places is None:
            self._excluded |= mask_of(step.excludes)
        else:
            self._placed |= 1 << step.places


class _Linear(NamedTuple):
    """A weighted sum of cells: each digit is multiplied by the factor of its cell."""

    factors: Mapping[int, int]
    amount: int


def adds_up(puzzle: Puzzle, implied: Implied) -> bool:
    """Whether an implied sum equals its units' sums less stated sums, compared cell by cell.

    Digits are counted from 1 here, whatever their names, so the digits of a full unit sum to 1 + 2
    + ... + N.
    """
    constraints = puzzle.constraints
    factors: Counter[int] = Counter()
    amount = 0
    for unit in implied.units:
        if unit not in constraints.units or not constraints.has_every_digit(unit):
            return False
        factors.update(unit.cells)
        amount += sum(range(1, puzzle.geometry.size + 1))
    for cage in implied.cages:
        known = _linear(cage) if cage in constraints.wider else None
        if known is None:
            return False
        factors.subtract(known.factors)
        amount -= known.amount
    told = _linear(implied.total)
    left = {cell: factor for cell, factor in factors.items() if factor}
    other = {cell: -factor for cell, factor in left.items()}
    return told in (_Linear(left, amount), _Linear(other, -amount))


def _linear(constraint: Wider) -> _Linear | None:
    """Return a constraint as an equation for a weighted sum of its cells, or None if it is none."""
    factors: Counter[int] = Counter()
    if isinstance(constraint, Sets):
        amounts = {sum(digits_of(each)) for each in constraint.sets}
        factors.update(constraint.cells)
        return _Linear(factors, amounts.pop()) if len(amounts) == 1 else None
    if not isinstance(constraint, Total) or constraint.low != constraint.high:
        return None
    amount = constraint.low
    for cell, (_, first, *others) in zip(constraint.cells, constraint.worths, strict=True):
        factor = others[0] - first
        if any(worth != first + n * factor for n, worth in enumerate(others, 1)):
            return None
        factors[cell] += factor
        amount -= first - factor
    return _Linear(factors, amount)


def _is_single(step: Deduction) -> bool:
    """Whether a step places the last candidate of a cell or of a digit in a unit."""
    return step.places is not None and step.truths[0].wider is None


def _come_in_turn(
    found: Sequence[int], selectors: Sequence[int], places: Sequence[int | None]
) -> bool:
    """Whether `found` has selectors and placements of the steps in turn, each before the next."""
    try:
        at = found.index(selectors[0])
        for place, following in zip(places, [*selectors[1:], None], strict=True):
            until = len(found) if following is None else found.index(following, at)
            found.index(place, at, until)
            at = until
    except ValueError:
        return False
    return True


@lru_cache(maxsize=MOST_KINDS)
def _formula_of(root: Board) -> BoardFormula:
    """Return the formula shared by all boards of a kind, which gains truths as they are used."""
    return _new_formula(root)


def _new_formula(board: Board) -> BoardFormula:
    """Return a formula with the links of a board, in a solver that suits its rules."""
    return BoardFormula(board, WIDER_SOLVER if board.wider else SOLVER)


# Free the solvers before the interpreter unloads python-sat's modules; later it cannot.
atexit.register(_formula_of.cache_clear)
