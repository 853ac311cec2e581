"""Explain why a puzzle has one solution, several or none: all parts of the answer together."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import field, replace
from operator import attrgetter

from satdoku.encoding.variables import Placement
from satdoku.errors import TooLargeError, count_of
from satdoku.explaining.board import (
    Board,
    bare_board,
    build_board,
    own_board,
    share_board,
)
from satdoku.explaining.clash import (
    Repairs,
    RuleRepair,
    SmallestClash,
    find_clashing_rules,
    find_repairs,
    find_rule_repairs,
    find_smallest_clash,
)
from satdoku.explaining.several import Clues, OtherSolution, compare_solutions
from satdoku.explaining.step import Level, Way
from satdoku.explaining.told import Step, steps_of
from satdoku.explaining.trace import argument_of, digits_after, without_idle_steps
from satdoku.explaining.way import Walker
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes, require_judged
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash, Rule
from satdoku.puzzle.value import Shown, value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched
from satdoku.solving.questions import check_within


@value(frozen=True, repr=False)
class Explanation(Shown):
    """The explanation of a puzzle; its parts depend on the verdict.

    `way` has, for a unique puzzle, all steps to the solution; for one without solutions, only the
    steps that lead to a contradiction; for several solutions, all steps that logic finds.
    `solution` is the only solution, or one of several.

    If not `is_complete`, a limit cut the answer short; `reason` names it. A way may also end
    because the level has no further step: then the explanation is complete, but the steps do not
    fill the board.
    """

    puzzle: Puzzle
    verdict: Verdict
    level: Level
    way: Way
    solution: Grid | None = None
    clashes: tuple[Clash, ...] = ()
    smallest: SmallestClash | None = None
    repairs: Repairs | None = None
    clashing_rules: tuple[Rule, ...] = ()
    rule_repairs: tuple[RuleRepair, ...] = ()
    nearest: OtherSolution | None = None
    farthest: OtherSolution | None = None
    clues: Clues | None = None
    is_complete: bool = True
    reason: str = ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order, each with its cells and digits."""
        return steps_of(self.way)

    @property
    def biggest(self) -> int:
        """The size of the largest step."""
        return self.way.biggest

    @property
    def is_full(self) -> bool:
        """Whether the steps fill the board."""
        return self.way.is_full

    def __repr__(self) -> str:
        return f"<Explanation {self.verdict.value}: {count_of(len(self.way.steps), 'step')}>"


@value(frozen=True)
class Scope:
    """The scope of an explanation: the hardest steps allowed, and the limits for all of it.

    With `assumes_unique` steps may use the fact that there is only one solution, after a solver has
    proved it. `keeps_all_steps` keeps steps that no other step needs.
    """

    level: Level = Level.ALL
    limits: Limits = field(default_factory=Limits)
    assumes_unique: bool = False
    keeps_all_steps: bool = False


def explain(
    puzzle: Puzzle,
    scope: Scope | None = None,
    watch: Watch = unwatched,
    budget: Budget | None = None,
) -> Explanation:
    """Return the explanation of a puzzle; every step is proved by a solver, every grid judged.

    `watch` is called with progress reports. A `budget`, which may be partly used, replaces the
    limits of the scope.
    """
    scope = scope or Scope()
    budget = budget or Budget(scope.limits)
    board = share_board(puzzle)
    if board is None:
        # Givens can clash only here: `share_board` returns None for puzzles in which they do.
        nothing = Way(bare_board(puzzle), ())
        clashes = tuple(find_clashes(puzzle))
        if clashes:
            found = Explanation(puzzle, Verdict.NONE, scope.level, nothing, None, clashes)
            return _explain_none(found, budget, watch)
        try:
            board = build_board(puzzle, budget)
        except LimitReachedError as limit:
            return Explanation(
                puzzle,
                Verdict.UNDECIDED,
                scope.level,
                nothing,
                is_complete=False,
                reason=str(limit),
            )
    way, outcome = _find_way(board, scope, budget, watch)
    if outcome is None:
        return _explain_settled(puzzle, scope, way, budget, watch)
    return _explain_verdict(outcome, scope.level, way, budget, watch)


def walk(puzzle: Puzzle, scope: Scope | None = None) -> Iterator[Way]:
    """Yield the way so far after each step found and proved; the last way tells how it ends.

    For callers that show steps before all of them are known. Unneeded steps are included: which
    ones are needed is known only at the end, where `explain` removes the others. Raise
    LimitReachedError if a limit cuts the way short.
    """
    scope = scope or Scope()
    budget = Budget(scope.limits)
    if next(find_clashes(puzzle), None) is not None:
        return
    with Walker(build_board(puzzle, budget), scope.level, budget) as walker:
        if scope.assumes_unique:
            outcome = check_within(puzzle, budget)
            if outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
                walker.assume_only(outcome.solution)
        yield from walker.ways()


_RANK = attrgetter("rank")

# The hardest level searched on the shared board: making a board for one puzzle takes as long as
# finding some chains on the shared one.
_HARDEST_SHARED = Level.CHAINS


def _find_way(
    board: Board, scope: Scope, budget: Budget, watch: Watch
) -> tuple[Way, Outcome | None]:
    """Return the way, and a solver's outcome unless the way itself settles the verdict."""
    # Most puzzles need no more than basic steps, which settle the verdict as well.
    basic = min(scope.level, Level.BASIC, key=_RANK)
    if board.wider:
        # Puzzles with sums usually need harder steps, which need their own board; repeating the
        # basic steps on it would take half of the time.
        board = own_board(board, budget)
    with ExitStack() as closing:
        walker = closing.enter_context(Walker(board, basic, budget, watch))
        way = walker.go_on()
        if way.is_settled:
            return way, None
        outcome = _decide(board.puzzle, budget)
        if outcome.verdict is Verdict.UNDECIDED:
            return way, outcome
        if board.root is not None:
            if not scope.assumes_unique:
                walker.level = min(scope.level, _HARDEST_SHARED, key=_RANK)
                way = walker.go_on()
                if way.is_settled or walker.level is scope.level:
                    return way, None if way.is_settled else outcome
            # Harder steps are found faster on a board of the puzzle alone.
            walker = closing.enter_context(Walker(own_board(board), basic, budget, watch))
            walker.follow(way)
        walker.level = scope.level
        walker.possible = _held_in(walker.position.board, outcome.solution)
        if scope.assumes_unique and outcome.verdict is Verdict.UNIQUE:
            assert outcome.solution is not None
            walker.assume_only(outcome.solution)
        further = walker.go_on()
    return further, None if further.is_settled else outcome


def _decide(puzzle: Puzzle, budget: Budget) -> Outcome:
    """Return a solver's outcome; undecided if a limit is reached first."""
    try:
        return check_within(puzzle, budget)
    except LimitReachedError as limit:
        return Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit))


def _held_in(board: Board, solution: Grid | None) -> int:
    """Return the solution's candidates, which no step can exclude, on a board with sums; else 0."""
    if solution is None or not board.wider:
        return 0
    places = map(Placement._make, enumerate(solution.digits))
    return mask_of(board.number_of.get(place, 0) for place in places)


def _explain_settled(
    puzzle: Puzzle, scope: Scope, way: Way, budget: Budget, watch: Watch
) -> Explanation:
    """Return the explanation of a way that fills the board or leads to a contradiction.

    Such a way decides the verdict itself.
    """
    if way.dead_end is not None:
        found = Explanation(puzzle, Verdict.NONE, scope.level, argument_of(way))
        return _explain_none(found, budget, watch)
    grid = Grid(puzzle.geometry, tuple(digits_after(way, len(way.steps))))
    solution = require_judged(grid, puzzle)
    kept = way if scope.keeps_all_steps else without_idle_steps(way)
    return Explanation(puzzle, Verdict.UNIQUE, scope.level, kept, solution)


def _explain_verdict(
    outcome: Outcome, level: Level, way: Way, budget: Budget, watch: Watch
) -> Explanation:
    """Return the explanation of a puzzle whose verdict a solver found."""
    puzzle = outcome.puzzle
    reason = ""
    if outcome.reason or not way.is_complete:
        # The solver's reason names the part of the limit that was left for it; users know the whole
        # limit.
        reason = budget.why_over() or outcome.reason
    explanation = Explanation(
        puzzle,
        outcome.verdict,
        level,
        way,
        outcome.solution,
        is_complete=not reason,
        reason=reason,
    )
    if outcome.verdict is Verdict.NONE:
        return _explain_none(explanation, budget, watch)
    if outcome.verdict is Verdict.MULTIPLE:
        return _explain_several(explanation, budget, watch)
    return explanation


def _explain_none(explanation: Explanation, budget: Budget, watch: Watch) -> Explanation:
    try:
        smallest = find_smallest_clash(explanation.puzzle, budget, watch)
        repairs = find_repairs(explanation.puzzle, budget, watch)
        found = replace(explanation, smallest=smallest, repairs=repairs)
        if smallest is not None and not smallest.cells:
            rules = find_clashing_rules(explanation.puzzle, budget, watch)
            found = replace(found, clashing_rules=rules)
        found = replace(found, rule_repairs=find_rule_repairs(explanation.puzzle, budget))
    except LimitReachedError:
        pass
    except TooLargeError as error:
        # Clashes and repairs are searched on the board without givens, which may be too large.
        return replace(explanation, is_complete=False, reason=str(error))
    is_proven = smallest is not None and smallest.is_proven
    return _note_limit(found, budget, is_proven and repairs.is_complete)


def _explain_several(explanation: Explanation, budget: Budget, watch: Watch) -> Explanation:
    first = explanation.solution
    if first is None:
        return explanation
    board = own_board(explanation.way.board)
    parts = compare_solutions(board, first, budget, watch)
    found = replace(explanation, **parts._asdict())
    return _note_limit(found, budget, all(part is not None and part.is_proven for part in parts))


def _note_limit(explanation: Explanation, budget: Budget, is_whole: bool) -> Explanation:
    reason = budget.why_over()
    if is_whole or not explanation.is_complete or not reason:
        return explanation
    return replace(explanation, is_complete=False, reason=reason)
