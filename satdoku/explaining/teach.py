"""Lessons: positions just before a step of a technique, with digits and marks filled in.

A puzzle is explained up to the step. Then further cells are filled in from the solution, as long as
that removes no candidate that the step rests on and makes no new single. The candidates left in
other cells are the marks. The step is searched again on that board, as a player would see it.
"""

from collections.abc import Iterator

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Board
from satdoku.explaining.explain import Scope, explain
from satdoku.explaining.hint import Hint, find_every_hint, hint_of
from satdoku.explaining.step import ASSUMING_UNIQUE, Deduction, Level, Technique, Way
from satdoku.explaining.trace import digits_after, left_after
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import lowest_of
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError


@value(frozen=True)
class Lesson:
    """A step on the board just before it.

    `way` has the step alone, for a puzzle with `grid` as its givens and `marks` as a rule. `hint`
    explains the step in up to four parts.
    """

    puzzle: Puzzle
    grid: Grid
    marks: Candidates
    way: Way
    hint: Hint

    @property
    def parts(self) -> list[str]:
        """Return the parts of the hint, from the place to look at to the whole step."""
        hint = self.hint
        return [part for part in (hint.where, hint.what, hint.begin, hint.how) if part]


def find_lessons(puzzle: Puzzle, technique: Technique, budget: Budget) -> Iterator[Lesson]:
    """Yield a lesson for each step of a technique in the explanation of a puzzle.

    No lessons unless the puzzle has exactly one solution. Raise LimitReachedError if a limit ends
    the explanation.
    """
    is_assuming = technique in ASSUMING_UNIQUE
    scope = Scope(Level.ALL, budget.limits, is_assuming)
    explanation = explain(puzzle, scope, budget=budget)
    if not explanation.is_complete:
        raise LimitReachedError(explanation.reason)
    solution = explanation.solution
    if explanation.verdict is not Verdict.UNIQUE or solution is None:
        return
    way = explanation.way
    for step in way.steps:
        if step.technique is technique:
            lesson = _at_step(puzzle, way, step, solution, budget)
            if lesson is not None:
                yield lesson


def _at_step(
    puzzle: Puzzle, way: Way, step: Deduction, solution: Grid, budget: Budget
) -> Lesson | None:
    """Return the lesson of a step; None if the step is not found on the board of a player."""
    # Digits filled in become givens, which unique rectangles must not contain. If more digits
    # change the sums that can be derived, the step is searched again without them.
    for is_filled in (False,) if step.technique in ASSUMING_UNIQUE else (True, False):
        digits, left = digits_after(way, step.number - 1), left_after(way, step.number - 1)
        if is_filled:
            left = _fill(way.board, step, solution, digits, left)
        lesson = _lesson(puzzle, way.board, step, digits, left, budget)
        if lesson is not None:
            return lesson
    return None


def _fill(board: Board, step: Deduction, solution: Grid, digits: list[int], left: int) -> int:
    """Fill in cells that have no part in a step; return the candidates that are left."""
    part = mask_of(step.excludes) | (0 if step.places is None else 1 << step.places)
    for truth in step.truths:
        part |= truth.members & step.before
    cells = set(board.digits_in(part))
    known = _singles(board, left, digits)
    for cell, digit in enumerate(solution.digits):
        if digits[cell] != EMPTY or cell in cells:
            continue
        kept = left & ~board.links[board.number_of[Placement(cell, digit)]]
        if part & left & ~kept:
            continue
        digits[cell] = digit
        if _singles(board, kept, digits) <= known:
            left = kept
        else:
            digits[cell] = EMPTY
    return left


def _singles(board: Board, left: int, digits: list[int]) -> set[int]:
    """Return the candidates of empty cells that are singles."""
    found = set()
    for truth in board.truths:
        members = truth.members & left
        if members and not members & (members - 1):
            candidate = members.bit_length() - 1
            if digits[board.placements[candidate].cell] == EMPTY:
                found.add(candidate)
    return found


def _lesson(
    puzzle: Puzzle, board: Board, step: Deduction, digits: list[int], left: int, budget: Budget
) -> Lesson | None:
    """Return the lesson for a step on a player's board; None if the step is not found there."""
    grid = Grid(puzzle.geometry, tuple(digits))
    shift = lowest_of(puzzle.rules) - 1
    marks = Candidates.of(
        {
            cell: [digit + shift for digit in digits_of(mask)]
            for cell, mask in board.digits_in(left).items()
            if digits[cell] == EMPTY
        }
    )
    wanted = _settled(board, step)
    hint, ways = find_every_hint(
        puzzle, grid, budget.left, marks, step.technique in ASSUMING_UNIQUE, {step.technique}
    )
    for way in ways:
        if _settled(way.board, way.steps[0]) >= wanted:
            found = hint_of(way.board, way.steps[0], hint.outcome)
            return Lesson(puzzle, grid, marks, way, found)
    return None


def _settled(board: Board, step: Deduction) -> set[tuple[Placement, bool]]:
    """Return the placements that a step settles, each with whether it is placed or excluded."""
    placed = () if step.places is None else (step.places,)
    return {(board.placements[candidate], False) for candidate in step.excludes} | {
        (board.placements[candidate], True) for candidate in placed
    }
