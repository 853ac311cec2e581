"""Rate many puzzles together."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import groupby, islice
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
from satdoku.lanes.bank import CELLS
from satdoku.lanes.library import find_library
from satdoku.lanes.measures import BEYOND, LEFT, find_ratings, is_sample, require_same
from satdoku.puzzle.constraints import Either, HiddenRegions, digits_of, mask_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.rating import (
    HIDDEN_SINGLES,
    LINES_AND_BOXES,
    SINGLES,
    Assumptions,
    CandidateGroups,
    Position,
    Rating,
    Refutation,
    apply_singles,
)
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

# Exclusions besides refutations: by full units, and by rules about several cells
#
# Refutations follow singles, so they miss that three cells of a row take three digits; and they
# read each cage or arrow alone, so they miss that its cells see each other, and what two cages
# exclude together. All of this is found exactly, and with fewer candidates nothing less is
# excluded: so the final result depends on no order.

# The refutation steps after which these apply. ALONE: full units, one rule, and a sum by the rule
# of 45, all about as hard to see. TOGETHER: two rules, or a unit with all the rules that meet it.
ALONE = 1
TOGETHER = 2


class Further:
    """The search for exclusions that refutations miss, once these have so many steps.

    `last` is the number of steps above which there is nothing more to find.
    """

    def __init__(
        self, candidates: CandidateGroups, puzzles: Sequence[Puzzle], budget: Budget
    ) -> None:
        self.last = TOGETHER if candidates.readings else ALONE
        self._candidates = candidates
        self._puzzles = puzzles
        self._budget = budget
        self._rules: dict[int, WiderRules] = {}

    def find(self, puzzle: int, position: Position, steps: int) -> set[int]:
        """Return the excluded candidates of a position; `puzzle` is its number."""
        gone = find_crowded_out(self._candidates, position)
        if gone or not self._candidates.readings:
            return gone
        if puzzle not in self._rules:
            # Created late: importing this part of `explaining` takes as long as all of classic
            # rating.

            self._rules[puzzle] = WiderRules(self._puzzles[puzzle], self._budget)
        return self._rules[puzzle].find(position, steps)

    def close(self) -> None:
        """Free the solvers of all puzzles."""
        while self._rules:
            self._rules.popitem()[1].close()


def find_crowded_out(candidates: CandidateGroups, position: Position) -> set[int]:
    """Return the candidates that some unit crowds out; none if a unit cannot be filled at all.

    A unit crowds a candidate out if its cells cannot all be filled beside that candidate. Three
    cells of a row that have only the digits 1, 2 and 3 take all of them, so no other cell of the
    row has one. A matching finds all such sets at once.

    Exclusions by singles and pairs were made before: nothing was refuted in one step.
    """
    size = candidates.size
    masks = [0] * (candidates.count // size)
    for candidate in position:
        # The matching counts digits from 1.
        masks[candidate // size] |= 2 << candidate % size
    found: set[int] = set()
    for cells, fewest in candidates.crowding:
        # A cell with one digit left has excluded it from the others already.
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


# How many puzzles are taken together for singles. From 300 on the cost per puzzle is constant.
PUZZLES_AT_ONCE = 400

# 9x9 puzzles have about 200 open candidates, so that forty of them share the masks. With fewer,
# Python's loops cost more; with more, the masks exceed the processor's cache.
CANDIDATES_AT_ONCE = 8_000

# Above it, the masks of one puzzle take gigabytes.
LARGEST_SIZE = 25

# A cage of half the digits has 12,870 states on this size, and five million on 25x25.
_LARGEST_WITH_SUMS = 16

# Puzzles that are rated together get their ratings at the same time, so the timeout of each must be
# long compared with the time for all. Up to 9x9 no puzzle takes longer than `_SLOWEST_SECONDS`; as
# many are rated together as take `_SHARE_OF_TIMEOUT` of the timeout.
_LARGEST_TOGETHER = 9
_SLOWEST_SECONDS = 0.05
_SHARE_OF_TIMEOUT = 1 / 20


class Rated(NamedTuple):
    """The rating of a puzzle; None if the outcome is not "one solution"."""

    rating: Rating | None
    outcome: Outcome

    @property
    def puzzle(self) -> Puzzle:
        return self.outcome.puzzle


def rate_all(puzzles: Iterable[Puzzle], limits: Limits | None = None) -> Iterator[Rated]:
    """Yield the ratings, in the order of the puzzles.

    The limits are those of each puzzle; after a stop request, the remaining ones are undecided.
    Raise TooLargeError for boards above 25x25.
    """
    limits = limits or Limits()
    for (geometry, rules), kind in groupby(puzzles, lambda p: (p.geometry, p.rules)):
        _require_small(geometry)
        _require_known(geometry, rules)
        candidates = candidate_groups(geometry, rules)
        together = _count_together(candidates, limits)
        while batch := list(islice(kind, together)):
            budget = Budget(limits if together == 1 else Limits(stop=limits.stop))
            try:
                numbers = _rate_batch(candidates, batch, budget)
            except LimitReachedError as limit:
                for puzzle in batch:
                    yield Rated(None, Outcome(puzzle, Verdict.UNDECIDED, reason=str(limit)))
                continue
            for index, puzzle in enumerate(batch):
                if index in numbers:
                    yield Rated(Rating(numbers[index]), Outcome(puzzle, Verdict.UNIQUE))
                else:
                    yield _rate_unsolved(puzzle, limits)


def find_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle that is known to have one solution."""
    _require_small(puzzle.geometry)
    _require_known(puzzle.geometry, puzzle.rules)
    candidates = candidate_groups(puzzle.geometry, puzzle.rules)
    return Rating(_rate_batch(candidates, [puzzle], Budget()).get(0))


def _require_small(geometry: Geometry) -> None:
    size = geometry.size
    if size > LARGEST_SIZE:
        raise TooLargeError(
            f"ratings are computed up to {LARGEST_SIZE}x{LARGEST_SIZE}, not for {size}x{size}"
        )


_UNKNOWN = Either | HiddenRegions


def _require_known(geometry: Geometry, rules: tuple[Rule, ...]) -> None:
    """Raise an error for unsupported rules: choices, hidden regions, sums on large boards."""
    wider = constraints_of(geometry, rules).wider
    if wider and geometry.size > _LARGEST_WITH_SUMS:
        raise TooLargeError(
            f"ratings support rules about several cells up to {_LARGEST_WITH_SUMS}x"
            f"{_LARGEST_WITH_SUMS}, not for {geometry}"
        )
    for rule in rules if any(isinstance(each, _UNKNOWN) for each in wider) else ():
        if any(isinstance(each, _UNKNOWN) for each in rule.constraints(geometry)):
            raise SatdokuError(
                "ratings do not support several choices or hidden regions; "
                f"this puzzle has {rule.name}"
            )


def _count_together(candidates: CandidateGroups, limits: Limits) -> int:
    """Return how many puzzles are rated together at most."""
    if limits.timeout is None:
        return PUZZLES_AT_ONCE
    # Exclusions by several rules together take seconds.
    if candidates.size > _LARGEST_TOGETHER or candidates.readings:
        return 1
    return max(1, min(PUZZLES_AT_ONCE, int(limits.timeout * _SHARE_OF_TIMEOUT / _SLOWEST_SECONDS)))


def _rate_unsolved(puzzle: Puzzle, limits: Limits) -> Rated:
    """Rate a puzzle that assumptions did not solve: too hard, or not one solution."""
    outcome = check(puzzle, Settings(limits=limits))
    if outcome.verdict is Verdict.UNIQUE:
        return Rated(Rating(None), outcome)
    return Rated(None, outcome)


# In a file of jigsaws each puzzle has other regions; a board's tables take a few milliseconds.
@lru_cache(maxsize=16)
def candidate_groups(geometry: Geometry, rules: tuple[Rule, ...]) -> CandidateGroups:
    return CandidateGroups(Puzzle(Grid.empty(geometry), rules=rules))


def _rate_batch(
    candidates: CandidateGroups, puzzles: Sequence[Puzzle], budget: Budget
) -> dict[int, int]:
    """Return the ratings of the solved puzzles, by their index in the batch."""
    if puzzles[0].geometry != Geometry() or not puzzles[0].is_classic or not find_library():
        return rate_in_python(candidates, puzzles, budget)
    budget.require()
    ratings: dict[int, int] = {}
    found = ratings_of(b"".join([bytes(puzzle.grid.digits) for puzzle in puzzles]))
    for index, (puzzle, (number, _)) in enumerate(zip(puzzles, found, strict=True)):
        # What contradicts itself is rare, and no answer of the library.
        own = rate_in_python(candidates, [puzzle], budget) if number == LEFT else {0: number}
        ratings.update({index: own[0]} if own.get(0, BEYOND) != BEYOND else {})
    return ratings


def ratings_of(boards: bytes) -> Iterator[tuple[int, bool]]:
    """Yield what the compiled library says of 9x9 boards, and whether it was compared with Python.

    It says the rating, or BEYOND or LEFT; LEFT without the library.
    """
    found = find_ratings(boards) or bytes([LEFT]) * (len(boards) // CELLS)
    candidates = candidate_groups(Geometry(), Puzzle(Grid.empty(Geometry())).rules)
    for number, begin in zip(found, range(0, len(boards), CELLS), strict=True):
        board = boards[begin : begin + CELLS]
        is_compared = number != LEFT and is_sample(board)
        if is_compared:
            puzzle = Puzzle(Grid(Geometry(), tuple(board)))
            expected = rate_in_python(candidates, [puzzle], Budget())
            require_same(board, number, expected.get(0, BEYOND))
        yield number, is_compared


def rate_in_python(
    candidates: CandidateGroups, puzzles: Sequence[Puzzle], budget: Budget
) -> dict[int, int]:
    """Like `_rate_batch`, without the compiled library."""
    start = apply_singles(candidates, [puzzle.grid for puzzle in puzzles], budget)
    ratings: dict[int, int] = {}
    waiting: dict[int, list[_Place]] = defaultdict(list)
    for index in range(len(puzzles)):
        if start.filled >> index & 1:
            is_hidden = start.filled_by_hidden >> index & 1
            ratings[index] = HIDDEN_SINGLES if is_hidden else SINGLES
        elif not start.impossible >> index & 1:
            position = tuple(c for c, mask in enumerate(start.open) if mask >> index & 1)
            waiting[0].append(_Place(index, position))
    # Puzzles wait, by the number of steps allowed for their next refutations.
    while waiting:
        steps = min(waiting)
        for some in _take_apart(waiting.pop(steps)):
            with closing(Further(candidates, puzzles, budget)) as further:
                solved = list(_refute_some(candidates, steps, some, waiting, budget, further))
            for puzzle, position, needed in solved:
                # One candidate is left in each cell. That is the solution, if there is one:
                # otherwise this grid violates a rule.
                if not find_fault(candidates.read_grid(position), puzzles[puzzle]):
                    ratings[puzzle] = LINES_AND_BOXES + needed
    return ratings


class _Place(NamedTuple):
    """The remaining candidates of a puzzle, which is named by its index in the batch.

    `loose_at` is the number of steps for which `Further` found nothing in this position; 0 if it
    was not asked.
    """

    puzzle: int
    position: Position
    loose_at: int = 0


def _take_apart(places: list[_Place]) -> Iterator[list[_Place]]:
    """Yield batches of positions of similar size, since all in a batch get as many bits."""
    places.sort(key=lambda place: len(place.position))
    while places:
        # The last ones are the widest.
        count = max(1, CANDIDATES_AT_ONCE // len(places[-1].position))
        yield places[-count:]
        del places[-count:]


def _refute_some(
    candidates: CandidateGroups,
    steps: int,
    places: list[_Place],
    waiting: dict[int, list[_Place]],
    budget: Budget,
    further: Further,
) -> Iterator[tuple[int, Position, int]]:
    """Refute while at least half of the work needs the same number of steps.

    The other puzzles are added to those that wait. Yield each puzzle that has one candidate left in
    each cell, with these candidates, and the number of steps that it took.
    """
    assumptions = Assumptions(candidates, [place.position for place in places], budget)
    half = _weigh(places) / 2
    going = dict(enumerate(places))
    while going:
        sorted_ = _sort(candidates, going, assumptions.refute(steps))
        yield from ((place.puzzle, place.position, steps) for place in sorted_.filled)
        if steps:
            _exclude_further(further, steps, sorted_, assumptions)
        if _weigh(sorted_.changed.values()) >= half:
            waiting[steps + 1] += sorted_.stuck.values()
            going = sorted_.changed
            assumptions.begin()
        elif _weigh(sorted_.stuck.values()) >= half:
            waiting[steps] += sorted_.changed.values()
            going = sorted_.stuck
            steps += 1
        else:
            waiting[steps] += sorted_.changed.values()
            waiting[steps + 1] += sorted_.stuck.values()
            return


class _Sorted(NamedTuple):
    """Puzzles by the effect of one pass over all assumptions.

    A puzzle is `filled` if each cell has one candidate left, `changed` if it has lost some, `stuck`
    if nothing was excluded but more steps may help, and `done` if they cannot. All others have no
    solution, and are left out.
    """

    filled: list[_Place]
    changed: dict[int, _Place]
    stuck: dict[int, _Place]
    done: dict[int, _Place]


def _sort(
    candidates: CandidateGroups, going: dict[int, _Place], results: Sequence[Refutation]
) -> _Sorted:
    sorted_ = _Sorted([], {}, {}, {})
    for number, (puzzle, old, loose_at) in going.items():
        position, is_impossible, is_final = results[number]
        place = _Place(puzzle, position, loose_at if position == old else 0)
        if is_impossible:
            continue
        if len(position) * candidates.size == candidates.count:
            sorted_.filled.append(place)
        elif position != old:
            sorted_.changed[number] = place
        elif is_final:
            sorted_.done[number] = place
        else:
            sorted_.stuck[number] = place
    return sorted_


def _exclude_further(
    further: Further, steps: int, sorted_: _Sorted, assumptions: Assumptions
) -> None:
    """Remove what `Further` finds, from positions in which nothing more was refuted.

    The final result does not depend on when this is done; here it is done least often.
    """
    at = min(steps, further.last)
    for places in (sorted_.stuck, sorted_.done):
        for number, place in list(places.items()):
            is_loose = place.loose_at >= at
            gone = set() if is_loose else further.find(place.puzzle, place.position, at)
            places[number] = place._replace(loose_at=at)
            if gone:
                left = assumptions.remove(number, gone)
                sorted_.changed[number] = _Place(place.puzzle, left)
                del places[number]
    if steps < further.last:
        # No refutation takes more steps, but the next step count adds rules taken together.
        sorted_.stuck.update(sorted_.done)
        sorted_.done.clear()


def _weigh(places: Iterable[_Place]) -> int:
    """Return roughly how many candidates have to be assumed."""
    return sum(len(place.position) for place in places)


# Exclusions by rules about several cells, given which of the cells differ
#
# A solver fills the cells of a rule, or of several together, until each candidate is part of a
# filling or excluded (`explaining/techniques/wider.py`); it runs without a limit, so that no result
# depends on how hard a query was. Explanations use the same truths.


class WiderRules:
    """The wider rules of a puzzle on a position, which only ever loses candidates."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        board = build_board(puzzle, budget)
        for truth in board.wider:
            # Ratings rest on proven sums only, as steps do.
            if truth.implied is not None and not adds_up(puzzle, truth.implied):
                raise WrongStepError(f"a sum does not add up: {truth.implied.total.sentence}")
        self._size = puzzle.geometry.size
        self._position = Position_wider_rules(board)
        self._solver = ScopeSolver(self._position, budget, patience=None)
        self._alone = [TruthScope((truth,)) for truth in board.wider if truth.members]
        self._units = list(with_units(board))
        self._pairs = [TruthScope(pair) for pair in pairs_of(board)]

    def find(self, left: Sequence[int], steps: int) -> set[int]:
        """Return some candidates that are excluded among those left.

        Call again until nothing is found to get all of them.
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
        """Exclude what scopes exclude, small ones first, until `at_most` of them did."""
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
        """Update the candidates that were removed since the last call, and the settled cells."""
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
