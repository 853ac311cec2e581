"""Judge claims about cells one by one, each on the board that the earlier ones have left.

A true claim is entered on the board, so the next one may rest on it; a wrong one is not.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError, count_of
from satdoku.explaining.board import build_board
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.trace import why_excluded, why_placed
from satdoku.explaining.way import Walker, find_way
from satdoku.explaining.why import Question, answer
from satdoku.explaining.words.steps import Teller
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within

if TYPE_CHECKING:
    from satdoku.notation.answers import Claim

_SINGLES = frozenset((Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE, Technique.NAKED_SINGLE))
# Techniques up to the largest subsets and fish, which a person can point at.
_AT_SIGHT = frozenset(takewhile(lambda each: each is not Technique.HALL_SET, Technique))


class Worth(Enum):
    """The value of a claim.

    WRONG: no solution agrees, or the board has another digit there. FILLED: the cell has this digit
    already. FOLLOWS: a single places the digit, or one pattern excludes it. UNSEEN: the claim is
    true, and other steps have to come before it. GUESS: the claim is true, and no step of the level
    leads to it. OPEN: some solutions agree and others do not.
    """

    WRONG = "wrong"
    FILLED = "filled"
    FOLLOWS = "follows"
    UNSEEN = "unseen"
    GUESS = "guess"
    OPEN = "open"


@value(frozen=True)
class Judged:
    """A claim with its `worth` and a sentence that says why.

    For FOLLOWS and UNSEEN, `steps` is the number of steps that come before the claim, and `largest`
    the number of cells and units that the largest step combines, the claim's own included.
    """

    claim: "Claim"
    worth: Worth
    text: str = ""
    steps: int | None = None
    largest: int | None = None


class ClaimJudge:
    """Judge of claims about one puzzle, taken in order; each true one is entered on the board."""

    def __init__(self, puzzle: Puzzle, level: Level, budget: Budget) -> None:
        self._puzzle, self._level, self._budget = puzzle, level, budget
        self._grid = puzzle.grid
        self._excluded: dict[int, int] = {}
        self._way: Way | None = None
        outcome = check_within(puzzle, budget)
        if outcome.verdict is Verdict.UNDECIDED:
            raise LimitReachedError(outcome.reason)
        if outcome.verdict is Verdict.NONE:
            raise SatdokuError("the puzzle has no solution, so no claim about it is true")
        self._solution = outcome.solution if outcome.verdict is Verdict.UNIQUE else None

    def judge(self, claim: "Claim") -> Judged:
        """Return what a claim is worth now, and enter it if it is true."""
        known = self._judge_by_board(claim)
        if known is not None:
            return known
        worth = self._worth(claim)
        if worth is Worth.WRONG:
            return Judged(claim, worth, self._why_wrong(claim))
        if worth is Worth.OPEN:
            return Judged(claim, worth, "some solutions agree, and others do not")
        judged = self._find_reason(claim)
        self._enter(claim)
        return judged

    def in_order(self, claims: "Sequence[Claim]") -> "list[Claim]":
        """Return the claims of a grid, in the order in which steps place them."""
        order = {
            self._known_way().board.placements[step.places].cell: step.number
            for step in self._known_way().steps
            if step.places is not None
        }
        last = len(order) + len(self._known_way().steps)
        return sorted(claims, key=lambda claim: order.get(claim.cell, last))

    @property
    def _board(self) -> Puzzle:
        """Return the puzzle with all claims entered so far."""
        board = self._puzzle.with_grid(self._grid)
        every = (1 << self._puzzle.geometry.size + 1) - 2
        open_cells = {c: mask for c, mask in self._excluded.items() if not self._grid.digits[c]}
        if not open_cells:
            return board
        value = next(iter(self._puzzle.rules)).value
        marks = Candidates.of(
            {cell: list(map(value, digits_of(every & ~mask))) for cell, mask in open_cells.items()}
        )
        return board.with_rules([marks.beside(self._puzzle.rules)])

    def _judge_by_board(self, claim: "Claim") -> Judged | None:
        """Judge a claim by the digits on the board alone; None if they do not settle it."""
        found = self._grid.digits[claim.cell]
        if found == EMPTY:
            is_known = not claim.holds and self._excluded.get(claim.cell, 0) >> claim.digit & 1
            return Judged(claim, Worth.FILLED, "it was said before") if is_known else None
        name = self._puzzle.name_of_digit(found)
        text = f"{self._puzzle.geometry.name_of(claim.cell)} is {name} already"
        is_right = (found == claim.digit) == claim.holds
        return Judged(claim, Worth.FILLED if is_right else Worth.WRONG, text)

    def _worth(self, claim: "Claim") -> Worth:
        """Return whether all solutions agree with a claim (GUESS), some (OPEN), or none (WRONG)."""
        if self._solution is not None:
            has_digit = self._solution.digits[claim.cell] == claim.digit
            return Worth.GUESS if has_digit == claim.holds else Worth.WRONG
        board = self._board
        with_it = board.with_grid(self._grid.with_digits({claim.cell: claim.digit}))
        others = set(range(1, self._puzzle.geometry.size + 1)) - {claim.digit}
        value = next(iter(self._puzzle.rules)).value
        marks = Candidates.of({claim.cell: list(map(value, others))}).beside(self._puzzle.rules)
        can, can_not = self._has_solution(with_it), self._has_solution(board.with_rules([marks]))
        if not claim.holds:
            can, can_not = can_not, can
        return (Worth.OPEN if can_not else Worth.GUESS) if can else Worth.WRONG

    def _has_solution(self, board: Puzzle) -> bool:
        outcome = check_within(board, self._budget)
        if outcome.verdict is Verdict.UNDECIDED and outcome.solution is None:
            raise LimitReachedError(outcome.reason)
        return outcome.verdict is not Verdict.NONE

    def _why_wrong(self, claim: "Claim") -> str:
        """Return why a claim is wrong, in a sentence."""
        question = Question(claim.cell, claim.digit if claim.holds else None)
        found = answer(question, self._known_way())
        if found.sentence.startswith("No step"):
            return "no solution agrees"
        if found.way is None:
            return found.sentence
        sentence = found.sentence.removesuffix(", for these reasons:")
        return f"{sentence}, after {count_of(len(found.way.steps), 'step')}"

    def _find_reason(self, claim: "Claim") -> Judged:
        """Judge a true claim by the steps that lead to it on the board."""
        direct = self._find_direct(claim)
        if direct is not None:
            return direct
        way = self._known_way()
        if claim.holds:
            part = why_placed(way, claim.cell)
        else:
            candidate = way.board.number_of.get(Placement(claim.cell, claim.digit))
            part = None if candidate is None else why_excluded(way, candidate)
        if part is None:
            told = "true, and no step leads there"
            return Judged(claim, Worth.GUESS, told)
        before = len(part.steps) - (claim.holds or _excludes(part, claim))
        told = (
            f"true, but not yet seen: {count_of(before, 'step')} before it, "
            f"the largest of size {part.biggest}"
        )
        return Judged(claim, Worth.UNSEEN, told, before, part.biggest)

    def _find_direct(self, claim: "Claim") -> Judged | None:
        """Judge a claim that a single step proves; None if there is no such step."""
        board = build_board(self._board, self._budget)
        place = Placement(claim.cell, claim.digit)
        candidate = board.number_of.get(place)
        if candidate is None:
            # The digit is no candidate: a given or a rule excludes it.
            found = answer(Question(*place), Way(board, ()))
            return Judged(claim, Worth.FOLLOWS, found.sentence, 0, 1)
        with Walker(board, Level.BASIC, self._budget) as walker:
            steps = walker.every_step(_SINGLES if claim.holds else _AT_SIGHT)
        fitting = (step for step in steps if _says(step, candidate, claim.holds))
        step = min(fitting, key=lambda each: each.size, default=None)
        if step is None:
            return None
        text = next(Teller(Way(board, (step,))).tell())
        return Judged(claim, Worth.FOLLOWS, text, 0, step.size)

    def _known_way(self) -> Way:
        """Return all steps that the level allows from the board on; cached."""
        if self._way is None:
            way = find_way(build_board(self._board, self._budget), self._level, self._budget)
            if not way.is_complete:
                raise LimitReachedError(self._budget.why_over() or "the limit was reached")
            self._way = way
        return self._way

    def _enter(self, claim: "Claim") -> None:
        self._way = None
        if claim.holds:
            self._grid = self._grid.with_digits({claim.cell: claim.digit})
        else:
            self._excluded[claim.cell] = self._excluded.get(claim.cell, 0) | 1 << claim.digit


def _says(step: Deduction, candidate: int, holds: bool) -> bool:
    return step.places == candidate if holds else candidate in step.excludes


def _excludes(way: Way, claim: "Claim") -> bool:
    """Whether the last step excludes the digit by its pattern, rather than by placing another."""
    placements = way.board.placements
    return (claim.cell, claim.digit) in [placements[c] for c in way.steps[-1].excludes]


def judge_claims(
    puzzle: Puzzle,
    claims: "Sequence[Claim]",
    is_grid: bool,
    level: Level,
    budget: Budget,
) -> Iterator[Judged]:
    """Yield what each claim is worth; raise LimitReachedError if a limit is reached first."""
    judge = ClaimJudge(puzzle, level, budget)
    for claim in judge.in_order(claims) if is_grid else claims:
        yield judge.judge(claim)
