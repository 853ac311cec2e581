"""Rate puzzles: the entry point, and exclusions that refutations miss."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import NamedTuple

from satdoku.deducing.prune import ImpossibleError, Matching, find_components
from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError, TooLargeError
from satdoku.explaining.board import build_board, candidates_of
from satdoku.explaining.position import Finding
from satdoku.explaining.position import Position as Position_wider_rules
from satdoku.explaining.prover import WrongStepError, adds_up
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.wider import (
    ScopeSolver,
    TruthScope,
    is_small,
    pairs_of,
    with_units,
)
from satdoku.lanes.bank import BEYOND, CELLS, LEFT, find_ratings, is_sample, require_same
from satdoku.puzzle.constraints import (
    Connected,
    Distinct,
    Either,
    HiddenRegions,
    Ranked,
    digits_of,
    mask_of,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule, board_of
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rating import (
    LINES_AND_BOXES,
    Assumptions,
    CandidateGroups,
    Position,
    Rating,
    apply_singles,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

# Exclusions besides refutations: by full units, and by rules about several cells
#
# Refutations follow singles, so they miss that three cells of a row take three digits. They treat
# each cage or arrow alone, so they miss that its cells see each other, and the exclusions that
# follow from two cages together. All such exclusions are found exactly, and fewer candidates never
# exclude less, so the final result does not depend on their order.

# These exclusions are searched after refutations of so many steps. ALONE: full units, one rule, and
# a sum by the rule of 45, all about as hard to see. TOGETHER: two rules, or a unit with all the
# rules that meet it.
ALONE = 1
TOGETHER = 2


class Further:
    """Search for candidates to exclude where refutations of limited length exclude none.

    Refutations longer than `last` steps exclude nothing more.
    """

    def __init__(self, candidates: CandidateGroups, puzzle: Puzzle, budget: Budget) -> None:
        self.last = TOGETHER if candidates.readings else ALONE
        self._candidates = candidates
        self._puzzle = puzzle
        self._budget = budget
        self._rules: WiderRules | None = None
        self._searched: tuple[Position, int] | None = None

    def find(self, position: Position, steps: int) -> set[int]:
        """Return excluded candidates of a position; call again until there are none."""
        steps = min(steps, self.last)
        if steps < ALONE or self._searched == (position, steps):
            return set()
        self._searched = position, steps
        gone = find_crowded_out(self._candidates, position)
        if gone or not self._candidates.readings:
            return gone
        if self._rules is None:
            self._rules = WiderRules(self._puzzle, self._budget)
        return self._rules.find(position, steps)

    def close(self) -> None:
        """Free the solver of the rules."""
        if self._rules is not None:
            self._rules.close()


def find_crowded_out(candidates: CandidateGroups, position: Position) -> set[int]:
    """Return the candidates that some unit crowds out; none if a unit cannot be filled at all.

    A unit crowds out a candidate if, with it, its cells cannot all be filled. Three cells of a row
    that have only the digits 1, 2 and 3 take all of these, so no other cell of the row has one. A
    matching finds all such sets at once.

    Nothing was refuted in one step before, so exclusions by singles and pairs are already made.
    """
    size = candidates.size
    masks = [0] * (candidates.count // size)
    for candidate in position:
        # The matching counts digits from 1, this module from 0.
        masks[candidate // size] |= 2 << candidate % size
    found: set[int] = set()
    for cells, fewest in candidates.crowding:
        # The digit of a cell with one digit left is already excluded from the other cells.
        is_open = [cell for cell in cells if masks[cell] & (masks[cell] - 1)]
        if len(is_open) < fewest:
            continue
        matching = Matching(size)
        try:
            used = matching.complete(is_open, masks)
        except ImpossibleError:
            return set()  # the puzzle has no solution, which refutations will find
        every = 0
        for cell in is_open:
            every |= masks[cell]
        for component in find_components(matching, masks, used, every & ~used):
            for digit in digits_of(component.digits & used if component.outside else 0):
                cell = matching.owner_of[digit]
                gone = digits_of(component.outside & masks[cell])
                found.update(cell * size + other - 1 for other in gone)
    return found


# On larger boards, the masks of one puzzle take gigabytes.
LARGEST_SIZE = 25

_OF_LANES = Geometry()
"""The geometry of the boards that the compiled library rates."""

# A cage of half the digits has 12,870 states on this size, and five million on 25x25.
_LARGEST_WITH_SUMS = 16


class Rated(NamedTuple):
    """The rating of a puzzle; None if the outcome is not "one solution"."""

    rating: Rating | None
    outcome: Outcome

    @property
    def puzzle(self) -> Puzzle:
        return self.outcome.puzzle


def rate_all(puzzles: Iterable[Puzzle], limits: Limits | None = None) -> Iterator[Rated]:
    """Yield the ratings, in the order of the puzzles.

    The limits apply to each puzzle; after a stop request, the remaining puzzles are undecided.
    Raise TooLargeError for boards above 25x25.
    """
    for puzzle in puzzles:
        budget = Budget(limits)
        try:
            number = _rate(puzzle, budget)
        except LimitReachedError as limit:
            yield Rated(None, Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit)))
            continue
        if number is not None:
            yield Rated(Rating(number), Outcome(puzzle, Verdict.UNIQUE))
            continue
        # No rating was found: the puzzle is too hard, or does not have exactly one solution.
        outcome = check(puzzle, Settings(limits=budget.left))
        yield Rated(Rating(None) if outcome.verdict is Verdict.UNIQUE else None, outcome)


def find_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle that is known to have one solution."""
    return Rating(_rate(puzzle, Budget()))


def _require_small(geometry: Geometry) -> None:
    size = geometry.size
    if size > LARGEST_SIZE:
        raise TooLargeError(
            f"ratings are computed up to {LARGEST_SIZE}x{LARGEST_SIZE}, not for {size}x{size}"
        )


_UNKNOWN = Either | HiddenRegions | Connected | Distinct | Ranked


def _require_known(geometry: Geometry, rules: tuple[Rule, ...]) -> None:
    """Raise an error for rules that ratings do not support: choices, hidden regions, sums on large
    boards.
    """
    wider = constraints_of(geometry, rules).wider
    if wider and geometry.size > _LARGEST_WITH_SUMS:
        raise TooLargeError(
            f"ratings support rules about several cells up to {_LARGEST_WITH_SUMS}x"
            f"{_LARGEST_WITH_SUMS}, not for {geometry}"
        )
    for rule in rules if any(isinstance(each, _UNKNOWN) for each in wider) else ():
        board = board_of(rule, geometry)
        if any(isinstance(each, _UNKNOWN) for each in rule.constraints(board)):
            raise SatdokuError(
                "ratings do not support several choices, hidden regions, or what hangs together, "
                f"is counted or has a rank; this puzzle has {rule.name}"
            )


# Cached, as the tables of a board take a few milliseconds; in a file of jigsaws each puzzle has
# other regions.
@lru_cache(maxsize=16)
def candidate_groups(geometry: Geometry, rules: tuple[Rule, ...]) -> CandidateGroups:
    return CandidateGroups(Puzzle(Grid.empty(geometry), rules=rules))


def _rate(puzzle: Puzzle, budget: Budget) -> int | None:
    """Return the rating of a puzzle; None if no assumption is enough, or the puzzle contradicts
    itself.
    """
    _require_small(puzzle.geometry)
    _require_known(puzzle.geometry, puzzle.rules)
    budget.require()
    if puzzle.geometry == _OF_LANES and puzzle.is_classic:
        [(number, _)] = ratings_of(bytes(puzzle.grid.digits))
        if number != LEFT:
            return None if number == BEYOND else number
    return rate_in_python(puzzle, budget)


def ratings_of(boards: bytes) -> Iterator[tuple[int, bool]]:
    """Yield the library's result for each 9x9 board, and whether it was compared with Python code.

    The result is the rating, BEYOND, or LEFT for a board that contradicts itself; always LEFT
    without the library.
    """
    found = find_ratings(boards) or bytes([LEFT]) * (len(boards) // CELLS)
    for number, begin in zip(found, range(0, len(boards), CELLS), strict=True):
        board = boards[begin : begin + CELLS]
        is_compared = number != LEFT and is_sample(board)
        if is_compared:
            own = None if number == BEYOND else number
            puzzle = Puzzle(Grid(_OF_LANES, tuple(board)))
            require_same(board, own, rate_in_python(puzzle, Budget()))
        yield number, is_compared


def rate_in_python(puzzle: Puzzle, budget: Budget) -> int | None:
    """Return what `_rate` returns, without the compiled library."""
    candidates = candidate_groups(puzzle.geometry, puzzle.rules)
    start = apply_singles(candidates, puzzle.grid, budget)
    if start.rating is not None or start.is_impossible:
        return start.rating
    assumptions = Assumptions(candidates, start.position, budget)
    with closing(Further(candidates, puzzle, budget)) as further:
        steps = 0
        while True:
            before = assumptions.position
            found = assumptions.refute(steps)
            if found.is_impossible:
                return None
            if len(assumptions.position) * candidates.size == candidates.count:
                # One candidate is left in each cell. If there is a solution, this is the solution:
                # otherwise the grid violates a rule.
                grid = candidates.read_grid(assumptions.position)
                return None if find_fault(grid, puzzle) else LINES_AND_BOXES + steps
            if assumptions.position == before:
                # The final result does not depend on when this is done; here it is done least
                # often.
                assumptions.remove(further.find(assumptions.position, steps))
            if assumptions.position != before:
                assumptions.begin()
            elif found.is_final and steps >= further.last:
                return None
            else:
                steps += 1


# Exclusions by rules about several cells, which take account of which of these cells differ
#
# A solver fills the cells of a rule, or of several together, until each candidate is part of a
# filling or excluded (`explaining/techniques/wider.py`); the solver runs without a limit, so that
# no result depends on how hard a query was. Explanations use the same truths.


class WiderRules:
    """The wider rules of a puzzle on a position, whose candidates only ever decrease."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        board = build_board(puzzle, budget)
        for truth in board.wider:
            # Ratings, like steps, rest on proven sums only.
            if truth.implied is not None and not adds_up(puzzle, truth.implied):
                raise WrongStepError(f"a sum does not add up: {truth.implied.total.sentence}")
        self._size = puzzle.geometry.size
        self._position = Position_wider_rules(board)
        self._solver = ScopeSolver(self._position, budget, patience=None)
        self._alone = [TruthScope((truth,)) for truth in board.wider if truth.members]
        self._units = list(with_units(board))
        self._pairs = [TruthScope(pair) for pair in pairs_of(board)]

    def find(self, left: Sequence[int], steps: int) -> set[int]:
        """Return some excluded candidates among those left.

        To get all of them, call this again until nothing is found.
        """
        self._lead_on(left)
        position, before = self._position, self._position.left
        self._exclude(self._alone)
        if position.left == before and steps >= TOGETHER:
            small = [pair for pair in self._pairs if is_small(position, pair)]
            self._exclude([*self._units, *small], at_most=1)
        gone = (position.board.placements[n] for n in candidates_of(before & ~position.left))
        return {self._candidate(each) for each in gone}.intersection(left)

    def close(self) -> None:
        self._solver.close()

    def _exclude(self, scopes: Iterable[TruthScope], at_most: int | None = None) -> None:
        """Exclude the candidates that scopes exclude, small scopes first, until `at_most` scopes
        excluded any.
        """
        position = self._position
        for scope in sorted(scopes, key=lambda s: (s.members & position.left).bit_count()):
            excluded = self._solver.excluded(scope) or self._solver.excluded(scope, True)
            if excluded:
                excludes = tuple(candidates_of(excluded))
                position.apply(Finding(Technique.TOGETHER, scope.truths, excludes=excludes))
                if at_most is not None:
                    at_most -= 1
            if at_most == 0:
                return

    def _lead_on(self, left: Sequence[int]) -> None:
        """Take account of candidates removed since the last call, and of cells settled by that."""
        position = self._position
        number_of = position.board.number_of
        here = {n: self._candidate(placement) for placement, n in number_of.items()}
        known = set(left)
        gone = mask_of(n for n, candidate in here.items() if candidate not in known)
        excludes = tuple(candidates_of(gone & position.left))
        position.apply(Finding(Technique.TOGETHER, (), excludes=excludes))
        in_cell = Counter(candidate // self._size for candidate in left)
        for n, candidate in here.items():
            is_placed = (position.placed | position.board.givens) >> n & 1
            if candidate in known and in_cell[candidate // self._size] == 1 and not is_placed:
                position.apply(Finding(Technique.NAKED_SINGLE, (), n))

    def _candidate(self, placement: Placement) -> int:
        """Return the number of a candidate among those of all cells."""
        return placement.cell * self._size + placement.digit - 1
