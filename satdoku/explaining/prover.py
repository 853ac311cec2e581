"""The check of every step: a solver must find it right, from the truths that the step names."""

import atexit
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.errors import SatdokuError
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.formula import SOLVER, WIDER_SOLVER, BoardFormula
from satdoku.explaining.innies import Implied
from satdoku.explaining.kinds import MOST_KINDS
from satdoku.explaining.step import Step
from satdoku.puzzle.constraints import Sets, Total, Wider, digits_of, mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget


class WrongStepError(SatdokuError):
    """A step that does not follow from what it names: a bug of ours, never the user's fault."""


class Prover:
    """A solver that knows the links of a board, and what was proved so far.

    What the solver knows is the same for all boards of a kind, so they share it. It is only asked
    what follows by unit propagation, which leaves nothing behind in it; nearly all steps follow
    like that. For the others there is a solver of this board's own, which searches.
    """

    def __init__(self, board: Board, budget: Budget) -> None:
        self._board = board
        self._budget = budget
        self._shared = _new_formula(board) if board.root is None else _formula_of(board.root)
        self._own = self._shared if board.root is None else None
        self._placed = board.givens
        self._excluded = 0
        self._solution: Grid | None = None
        # The wider truths that were found to be stated, or to follow, by their numbers.
        self._warranted: set[int] = set()

    def assume_only(self, solution: Grid) -> None:
        """Lets steps rest on it that this is the only solution."""
        self._solution = solution

    def require(self, step: Step) -> None:
        """Raises WrongStepError unless the step follows from its truths and earlier steps."""
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

    def require_all(self, steps: Iterable[Step]) -> None:
        """The same for several steps, each of which may rest on those before it."""
        for is_single, some in groupby(steps, lambda step: step.places is not None):
            made = list(some)
            # To list all that follows on the board takes five times as long as to ask about one.
            if is_single and len(made) > 1:
                self._require_singles(made)
            else:
                for step in made:
                    self.require(step)

    def _require_singles(self, steps: Sequence[Step]) -> None:
        """The same for steps that place what is left of a truth each, with a single question.

        The truths are assumed one after the other. What a solver finds to follow it names in the
        order in which it finds it: so what a step places has to come after its own truth and before
        the next one. The truths of steps before it add nothing, since they hold already.
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
        """Whether the only solution has another digit in some cell of a rectangle."""
        if self._solution is None or truth.unit is None:
            return False
        return any(self._solution.digits[cell] not in truth.swapped for cell in truth.unit.cells)

    def _is_warranted(self, truth: Truth, constraint: Wider) -> bool:
        """Whether the rules state a wider truth, or it is a sum that adds up from what they do."""
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

    def _facts_about(self, step: Step) -> list[int]:
        """Why the step's truths have no more members left: placed candidates, and exclusions."""
        gone = 0
        for truth in step.truths:
            gone |= truth.members & ~step.before
        facts = []
        for candidate in candidates_of(gone):
            blocking = self._board.links[candidate] & self._placed
            if blocking:
                # One placed candidate beside which it cannot hold is reason enough, whichever it
                # is.
                facts.append(blocking.bit_length() - 1)
            elif self._excluded >> candidate & 1:
                facts.append(-candidate)
        return list(dict.fromkeys(facts))

    def _follows(self, literal: int, facts: Iterable[int], truths: Iterable[Truth]) -> bool:
        """Whether there is no model in which the opposite of a literal holds."""

        def assumed(formula: BoardFormula) -> list[int]:
            return [*facts, *map(formula.selector, truths), -literal]

        if self._shared.session.propagate(assumed(self._shared)) is None:
            return True
        if self._own is None:
            self._own = _new_formula(self._board.root or self._board)
        answer = self._own.session.solve(self._budget, assumptions=assumed(self._own))
        return answer is Status.UNSATISFIABLE

    def note(self, step: Step) -> None:
        """Keeps a step that was proved, for later steps to rest on."""
        if step.places is None:
            self._excluded |= mask_of(step.excludes)
        else:
            self._placed |= 1 << step.places


class _Linear(NamedTuple):
    """What digits come to: each cell's as often as its factor says."""

    factors: Mapping[int, int]
    amount: int


def adds_up(puzzle: Puzzle, implied: Implied) -> bool:
    """Whether a sum is what whole units hold less what stated sums do, cell by cell.

    Digits are counted from 1 here, whatever a puzzle calls them: so a unit that has every digit
    holds 1 + 2 + ... once.
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
    """What a constraint says of the sum of its cells; None where it leaves that open."""
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


def _come_in_turn(
    found: Sequence[int], selectors: Sequence[int], places: Sequence[int | None]
) -> bool:
    """Whether each selector comes before what its step places, and the next one after that."""
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
    """The links of all boards of a kind, and the truths that were asked about so far."""
    return _new_formula(root)


def _new_formula(board: Board) -> BoardFormula:
    """The links of a board in a solver that suits its rules."""
    return BoardFormula(board, WIDER_SOLVER if board.wider else SOLVER)


# python-sat cannot give a solver back any more when the interpreter has taken its modules apart.
atexit.register(_formula_of.cache_clear)
