"""Why a puzzle has one solution, several or none: all parts of the answer together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
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
from satdoku.explaining.clash import Repairs, SmallestClash, find_repairs, find_smallest_clash
from satdoku.explaining.prover import Asker
from satdoku.explaining.step import Level, Way
from satdoku.explaining.trace import argument_of, digits_after, without_idle_steps
from satdoku.explaining.way import Walker
from satdoku.puzzle.byte_judge import require_judged
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.value import Shown
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.assumptions.hitting_sets import Bound, SmallestHittingSets, shrink
from satdoku.solving.limits import Budget, LimitReachedError, Limits, Watch, unwatched
from satdoku.solving.questions import check_within

# What is left open by a puzzle with several solutions, and the fewest clues that settle it.

# On nearly empty boards nobody can prove the fewest clues: after seconds the bounds hardly move any
# more. Counted in conflicts, the answer is the same on every machine.
_MOST_CONFLICTS_FOR_CLUES = 100_000


@dataclass(frozen=True)
class OtherSolution:
    """A solution that differs from the first in some cells.

    When `is_proven`, no solution is nearer, or farther, whichever was asked for.
    """

    grid: Grid
    cells: tuple[int, ...]
    is_proven: bool


@dataclass(frozen=True)
class Clues:
    """Cells that, filled as in the first solution, leave no other.

    At least `at_least` cells are needed for that; when `is_proven`, there is no smaller set.
    """

    cells: tuple[int, ...]
    at_least: int
    is_proven: bool


def find_nearest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """The solution that differs from the first in the fewest cells; None at an early limit."""
    return _find_extreme(board, first, budget, watch, sign=-1)


def find_farthest(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> OtherSolution | None:
    """The solution that differs from the first in the most cells; None at an early limit."""
    return _find_extreme(board, first, budget, watch, sign=1)


def _find_extreme(
    board: Board, first: Grid, budget: Budget, watch: Watch, sign: int
) -> OtherSolution | None:
    """The solution that differs from the first in the fewest cells (`sign` -1), or in the most (1).

    The literals of the first solution times `sign` stand for the cells that differ, or for those
    that are equal; as few as can be are to hold. Every solution found sets the bound for the next
    question, until there is none.
    """
    best: Grid | None = None
    is_proven = False
    try:
        with Asker(board, budget) as asker:
            same = asker.literals_of(first)
            other = asker.require_other_than(same.values())
            unwanted = [sign * literal for literal in same.values()]
            # So the first answers are near to what is looked for, and few bounds have to be tried.
            asker.session.suggest([-literal for literal in unwanted])
            best = asker.solution([other])
            bound: Bound | None = None
            words = "the nearest" if sign < 0 else "the farthest"
            while best is not None and (count := _count(first, best, same, sign)):
                watch(f"{words} so far differs in {len(first.differences(best))} cells")
                # Made for the first bound: all that follow are lower, and it has them too.
                if bound is None:
                    bound = asker.bound(unwanted, count)
                found = asker.solution([other, *bound.at_most(count - 1)])
                if found is None:
                    break
                best = found
            is_proven = True
    except LimitReachedError:
        pass
    return None if best is None else OtherSolution(best, first.differences(best), is_proven)


def _count(first: Grid, other: Grid, same: dict[int, int], sign: int) -> int:
    differing = len(first.differences(other))
    return differing if sign < 0 else len(same) - differing


def find_fewest_clues(
    board: Board, first: Grid, budget: Budget, watch: Watch = unwatched
) -> Clues | None:
    """The fewest digits of a solution that exclude all others; None at an early limit.

    Each other solution differs in some cells, of which one must be among the clues. So the clues
    are a smallest hitting set of all such differences, which are found as they are needed. That
    takes only so many conflicts, after which the best found so far is not proven.
    """
    search = _ClueSearch(first, watch)
    is_proven = False
    try:
        with budget.part(_MOST_CONFLICTS_FOR_CLUES) as own, Asker(board, own) as asker:
            is_proven = search.run(asker, own)
    except LimitReachedError:
        pass
    if search.best is None:
        return None
    return Clues(tuple(sorted(search.best)), search.at_least, is_proven)


class _ClueSearch:
    """Clues from above, and a bound from below, until they meet."""

    def __init__(self, first: Grid, watch: Watch) -> None:
        self._first = first
        self._watch = watch
        self._differences = Counter[int]()
        self.best: list[int] | None = None
        self.at_least = 0

    def run(self, asker: Asker, budget: Budget) -> bool:
        same = asker.literals_of(self._first)
        other = asker.require_other_than(same.values())
        cells = list(same)
        # Nearly the same solutions differ in few cells, which says more.
        asker.session.suggest(list(same.values()))
        with SmallestHittingSets(len(cells), budget) as hitting:
            while True:
                chosen = hitting.smallest()
                self.at_least = hitting.at_least
                clues = [cells[place] for place in chosen or ()]
                if self.best is not None and self.at_least == len(self.best):
                    return True
                clues = self._complete(asker, same, other, clues, hitting, cells)
                if self.best is None or len(clues) < len(self.best):
                    self.best = clues
                self._watch(f"the fewest clues are {self.at_least} to {len(self.best)}")
                if len(clues) == self.at_least:
                    return True

    def _complete(
        self,
        asker: Asker,
        same: dict[int, int],
        other: int,
        clues: list[int],
        hitting: SmallestHittingSets,
        cells: Sequence[int],
    ) -> list[int]:
        """Adds clues until no other solution is left, and every difference met to the sets."""
        place_of = {cell: place for place, cell in enumerate(cells)}
        clues = list(clues)
        while (found := asker.solution([other, *(same[cell] for cell in clues)])) is not None:
            difference = self._shrink(asker, same, other, found)
            hitting.add([place_of[cell] for cell in difference])
            self._differences.update(difference)
            # The cell that most differences met so far have in common.
            clues.append(min(difference, key=lambda cell: (-self._differences[cell], cell)))

        def settles(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [same[clue] for clue in clues if clue in rest]
            return None if asker.has_solution([other, *kept]) else rest

        # From the last one on: the first come from a smallest hitting set, in which none is idle.
        return shrink(reversed(clues), settles)

    def _shrink(self, asker: Asker, same: dict[int, int], other: int, found: Grid) -> list[int]:
        """A difference within this one that contains no smaller one."""

        def differs(rest: Sequence[int], _: int) -> Sequence[int] | None:
            kept = [literal for cell, literal in same.items() if cell not in rest]
            smaller = asker.solution([other, *kept])
            return None if smaller is None else self._first.differences(smaller)

        return shrink(reversed(self._first.differences(found)), differs)


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """What can be said about a puzzle; which parts there are depends on the verdict.

    `way` is the whole way to the solution of a unique puzzle; where there is no solution, only the
    steps that lead to a contradiction; where there are several, how far logic goes. `solution` is
    the only one, or one of several.

    When not `is_complete`, a limit cut the answer short; `reason` says which. A way may also end
    because the level has no further step: then it is complete, but not full.
    """

    puzzle: Puzzle
    verdict: Verdict
    level: Level
    way: Way
    solution: Grid | None = None
    clashes: tuple[Clash, ...] = ()
    smallest: SmallestClash | None = None
    repairs: Repairs | None = None
    nearest: OtherSolution | None = None
    farthest: OtherSolution | None = None
    clues: Clues | None = None
    is_complete: bool = True
    reason: str = ""

    def __repr__(self) -> str:
        return f"<Explanation {self.verdict.value}: {count_of(len(self.way.steps), 'step')}>"


@dataclass(frozen=True)
class Scope:
    """How far an explanation goes: the hardest steps allowed, and the limits for all of it.

    With `assumes_unique` steps may rest on it that there is only one solution, where a solver has
    found that this is so. `keeps_all_steps` keeps those that nothing rests on.
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
    """The explanation of a puzzle; every step was proved again, every grid judged.

    `watch` is told how far the work is, from time to time. A `budget` that others have used a part
    of takes the place of the limits.
    """
    scope = scope or Scope()
    budget = budget or Budget(scope.limits)
    board = share_board(puzzle)
    if board is None:
        # Only here can givens clash: no board is shared with a puzzle whose givens do.
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
    """The way so far, each time that a step is found and proved; the last one says how it ends.

    For who shows steps before all of them are known. No step is left out: whether a later one rests
    on it shows at the end only, and `explain` leaves it out then. LimitReachedError where a limit
    cuts the way short.
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

# To make a board for a puzzle alone takes as long as to find some chains on the shared one.
_HARDEST_SHARED = Level.CHAINS


def _find_way(
    board: Board, scope: Scope, budget: Budget, watch: Watch
) -> tuple[Way, Outcome | None]:
    """The way, and the verdict of a solver unless the way settles it."""
    # Most puzzles need no more than basic steps, which settle the verdict as well.
    basic = min(scope.level, Level.BASIC, key=_RANK)
    if board.wider:
        # With sums they are not: to find them again takes half of the time.
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
            # Still harder steps are found faster on this board.
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
    """A solver's verdict; undecided where a limit comes first."""
    try:
        return check_within(puzzle, budget)
    except LimitReachedError as limit:
        return Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit))


def _held_in(board: Board, solution: Grid | None) -> int:
    """What a solution has of a board with sums or the like: nobody need try to exclude that."""
    if solution is None or not board.wider:
        return 0
    places = map(Placement._make, enumerate(solution.digits))
    return mask_of(board.number_of.get(place, 0) for place in places)


def _explain_settled(
    puzzle: Puzzle, scope: Scope, way: Way, budget: Budget, watch: Watch
) -> Explanation:
    """A way that fills the board, or leads to a contradiction, decides the verdict itself."""
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
    """The parts that belong to a verdict which a solver has given."""
    puzzle = outcome.puzzle
    reason = ""
    if outcome.reason or not way.is_complete:
        # The solver names the rest of the limit that it was given; the user knows the whole.
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
    except TooLargeError as error:
        # Both work on the board without givens, which has many more candidates than the puzzle.
        return replace(explanation, is_complete=False, reason=str(error))
    found = replace(explanation, smallest=smallest, repairs=repairs)
    is_proven = smallest is not None and smallest.is_proven
    return _note_limit(found, budget, is_proven and repairs.is_complete)


def _explain_several(explanation: Explanation, budget: Budget, watch: Watch) -> Explanation:
    first = explanation.solution
    if first is None:
        return explanation
    board = own_board(explanation.way.board)
    nearest = find_nearest(board, first, budget, watch)
    farthest = find_farthest(board, first, budget, watch)
    clues = find_fewest_clues(board, first, budget, watch)
    found = replace(explanation, nearest=nearest, farthest=farthest, clues=clues)
    parts = (nearest, farthest, clues)
    return _note_limit(found, budget, all(part is not None and part.is_proven for part in parts))


def _note_limit(explanation: Explanation, budget: Budget, is_whole: bool) -> Explanation:
    reason = budget.why_over()
    if is_whole or not explanation.is_complete or not reason:
        return explanation
    return replace(explanation, is_complete=False, reason=reason)
