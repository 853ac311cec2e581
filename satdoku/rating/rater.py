"""Rates many puzzles together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.constraints import Either, HiddenRegions
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.further import Further
from satdoku.rating.rating import (
    HIDDEN_SINGLES,
    LINES_AND_BOXES,
    SINGLES,
    Assumptions,
    Rating,
    Refutation,
    apply_singles,
)
from satdoku.rating.rounds import CandidateGroups, Position
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings

# So many puzzles are taken together for singles. From 300 on a puzzle costs the same.
PUZZLES_AT_ONCE = 400

# Puzzles of 9x9 have about 200 open candidates, so that forty of them share the masks. With fewer,
# Python's loops cost more; with more, the masks leave the processor's cache.
CANDIDATES_AT_ONCE = 8_000

# Above it, the masks of one puzzle take gigabytes.
LARGEST_SIZE = 25

# A cage of half the digits has 12,870 states there, and five million on 25x25.
_LARGEST_WITH_SUMS = 16

# Puzzles that are rated together get their ratings at the same moment, so a timeout for each must
# be long beside the time for all of them. Up to 9x9 no puzzle takes longer than `_SLOWEST_SECONDS`;
# as many are rated together as take `_SHARE_OF_TIMEOUT` of the timeout.
_LARGEST_TOGETHER = 9
_SLOWEST_SECONDS = 0.05
_SHARE_OF_TIMEOUT = 1 / 20


class Rated(NamedTuple):
    """The rating of a puzzle; None where the outcome says that it has not one solution."""

    rating: Rating | None
    outcome: Outcome

    @property
    def puzzle(self) -> Puzzle:
        return self.outcome.puzzle


def rate_all(puzzles: Iterable[Puzzle], limits: Limits | None = None) -> Iterator[Rated]:
    """The ratings, in the order of the puzzles.

    The limits are those of each puzzle; when somebody asks to stop, the others are undecided.
    TooLargeError for boards above 25x25.
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
    """The rating of a puzzle that is known to have one solution."""
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
    """Refuses by name what ratings do not follow: choices, hidden regions, sums of large boards."""
    wider = constraints_of(geometry, rules).wider
    if wider and geometry.size > _LARGEST_WITH_SUMS:
        raise TooLargeError(
            f"ratings know rules about several cells up to {_LARGEST_WITH_SUMS}x"
            f"{_LARGEST_WITH_SUMS}, not for {geometry}"
        )
    for rule in rules if any(isinstance(each, _UNKNOWN) for each in wider) else ():
        if any(isinstance(each, _UNKNOWN) for each in rule.constraints(geometry)):
            raise SatdokuError(
                "ratings do not know what several choices or hidden regions exclude; "
                f"this puzzle has {rule.name}"
            )


def _count_together(candidates: CandidateGroups, limits: Limits) -> int:
    """How many puzzles are rated together at most."""
    if limits.timeout is None:
        return PUZZLES_AT_ONCE
    # What rules exclude together takes seconds.
    if candidates.size > _LARGEST_TOGETHER or candidates.readings:
        return 1
    return max(1, min(PUZZLES_AT_ONCE, int(limits.timeout * _SHARE_OF_TIMEOUT / _SLOWEST_SECONDS)))


def _rate_unsolved(puzzle: Puzzle, limits: Limits) -> Rated:
    """No assumption solves the puzzle: is it beyond them, or has it not one solution?"""
    outcome = check(puzzle, Settings(limits=limits))
    if outcome.verdict is Verdict.UNIQUE:
        return Rated(Rating(None), outcome)
    return Rated(None, outcome)


# A file of jigsaws has other regions each time; the tables of a board take a few milliseconds.
@lru_cache(maxsize=16)
def candidate_groups(geometry: Geometry, rules: tuple[Rule, ...]) -> CandidateGroups:
    return CandidateGroups(Puzzle(Grid.empty(geometry), rules=rules))


def _rate_batch(
    candidates: CandidateGroups, puzzles: Sequence[Puzzle], budget: Budget
) -> dict[int, int]:
    """The ratings of the puzzles that are solved, by their place in the batch."""
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
    # Puzzles wait by the number of steps that their refutations may take by now.
    while waiting:
        steps = min(waiting)
        for some in _take_apart(waiting.pop(steps)):
            with closing(Further(candidates, puzzles, budget)) as further:
                solved = list(_refute_some(candidates, steps, some, waiting, budget, further))
            for puzzle, position, needed in solved:
                # One candidate is left in each cell. That is the solution, if there is one: of a
                # puzzle without any, this grid breaks a rule.
                if not find_fault(candidates.read_grid(position), puzzles[puzzle]):
                    ratings[puzzle] = LINES_AND_BOXES + needed
    return ratings


class _Place(NamedTuple):
    """What is left of a puzzle, which is named by its place in the batch.

    `loose_at` is the number of steps for which `Further` was asked about this position and found
    nothing; 0 where it was not asked.
    """

    puzzle: int
    position: Position
    loose_at: int = 0


def _take_apart(places: list[_Place]) -> Iterator[list[_Place]]:
    """Batches of positions of about the same size, since all in a batch get as many bits."""
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
    """Refutes as long as half of the work or more needs the same number of steps.

    The other puzzles are put among those that wait. Yields each puzzle that has one candidate left
    in each cell, with these candidates, and the number of steps that took.
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
    """Puzzles by what one look at all assumptions did to them.

    A puzzle is `filled` when each cell has one candidate left, `changed` when it has lost some,
    `stuck` when nothing went but more steps may help, and `done` when they cannot. All others have
    no solution, and are left out.
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
    """Removes what `Further` finds, from positions in which nothing more was refuted.

    What is left in the end does not depend on when that is done; here it is done least often.
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
        # No refutation takes more steps, but rules are taken together with the next one.
        sorted_.stuck.update(sorted_.done)
        sorted_.done.clear()


def _weigh(places: Iterable[_Place]) -> int:
    """How many candidates there are to be assumed, about."""
    return sum(len(place.position) for place in places)
