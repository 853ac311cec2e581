"""Rates many puzzles together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.rating.candidates import Candidates
from satdoku.rating.rating import HIDDEN_SINGLES, LINES_AND_BOXES, SINGLES, Rating
from satdoku.rating.refuting import Position, refute
from satdoku.rating.singles import apply_singles
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings

# So many puzzles are taken together for singles. From 300 on a puzzle costs the same.
PUZZLES_AT_ONCE = 400

# So many puzzles share the lanes of assumptions; each has about 150. With fewer, Python's loops
# cost more; with more, the lanes leave the processor's cache.
POSITIONS_AT_ONCE = 40


class Rated(NamedTuple):
    """The rating of a puzzle; None where the outcome says that it has not one solution."""

    rating: Rating | None
    outcome: Outcome

    @property
    def puzzle(self) -> Puzzle:
        return self.outcome.puzzle


def rate_all(puzzles: Iterable[Puzzle], limits: Limits | None = None) -> Iterator[Rated]:
    """The ratings, in the order of the puzzles.

    `limits` are for telling whether a puzzle that was not solved has one solution.
    """
    for (geometry, rules), kind in groupby(puzzles, lambda p: (p.geometry, p.rules)):
        candidates = candidates_of(geometry, rules)
        while batch := list(islice(kind, PUZZLES_AT_ONCE)):
            numbers = _rate_batch(candidates, [puzzle.grid for puzzle in batch])
            for index, puzzle in enumerate(batch):
                if index in numbers:
                    yield Rated(Rating(numbers[index]), Outcome(puzzle, Verdict.UNIQUE))
                else:
                    yield _rate_unsolved(puzzle, limits or Limits())


def find_rating(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle that is known to have one solution."""
    candidates = candidates_of(puzzle.geometry, puzzle.rules)
    return Rating(_rate_batch(candidates, [puzzle.grid]).get(0))


def _rate_unsolved(puzzle: Puzzle, limits: Limits) -> Rated:
    """No assumption solves the puzzle: is it beyond them, or has it not one solution?"""
    outcome = check(puzzle, Settings(limits=limits))
    if outcome.verdict is Verdict.UNIQUE:
        return Rated(Rating(None), outcome)
    return Rated(None, outcome)


# A file of jigsaws has other regions each time; the tables of a board take a few milliseconds.
@lru_cache(maxsize=16)
def candidates_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Candidates:
    return Candidates(Puzzle(Grid.empty(geometry), rules=rules))


def _rate_batch(candidates: Candidates, grids: Sequence[Grid]) -> dict[int, int]:
    """The ratings of the puzzles that are solved, by their place in the batch."""
    start = apply_singles(candidates, grids)
    ratings: dict[int, int] = {}
    waiting: dict[int, list[tuple[int, Position]]] = defaultdict(list)
    for index in range(len(grids)):
        if start.filled >> index & 1:
            is_hidden = start.filled_by_hidden >> index & 1
            ratings[index] = HIDDEN_SINGLES if is_hidden else SINGLES
        elif not start.impossible >> index & 1:
            position = tuple(c for c, lane in enumerate(start.open) if lane >> index & 1)
            waiting[0].append((index, position))
    # Puzzles wait by the number of steps that their refutations may take by now.
    while waiting:
        steps = min(waiting)
        for some in _take_apart(waiting.pop(steps)):
            _refute_some(candidates, steps, some, waiting, ratings)
    return ratings


def _take_apart(
    positions: list[tuple[int, Position]],
) -> Iterator[list[tuple[int, Position]]]:
    """Pieces of positions that are about as large as each other, as all get the same width."""
    positions.sort(key=lambda numbered: len(numbered[1]))
    for begin in range(0, len(positions), POSITIONS_AT_ONCE):
        yield positions[begin : begin + POSITIONS_AT_ONCE]


def _refute_some(
    candidates: Candidates,
    steps: int,
    positions: list[tuple[int, Position]],
    waiting: dict[int, list[tuple[int, Position]]],
    ratings: dict[int, int],
) -> None:
    """One pass over some positions: each is solved, given up, or waits for its next pass."""
    results = refute(candidates, [position for _, position in positions], steps)
    for (index, old), result in zip(positions, results, strict=True):
        if result.is_impossible:
            continue
        if len(result.position) * candidates.size == candidates.count:
            ratings[index] = LINES_AND_BOXES + steps
        elif result.position != old:
            waiting[steps].append((index, result.position))
        elif not result.is_final:
            waiting[steps + 1].append((index, old))
