"""Many puzzles, one after the other, and those of a wanted rating among them."""

from collections.abc import Iterator
from functools import partial

from satdoku.errors import SatdokuError
from satdoku.generating.generated import Generated
from satdoku.generating.generator import Generator
from satdoku.generating.request import Request
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import find_rating
from satdoku.rating.rating import SINGLES
from satdoku.solving.limits import Budget, Limits

Ratings = tuple[int, int | None]
"""The lowest and the highest rating that is wanted; None is without an upper end."""


def generate_all(
    request: Request,
    indexes: Iterator[int],
    ratings: Ratings | None = None,
    limits: Limits | None = None,
) -> Iterator[Generated]:
    """The puzzles with these numbers; each may cost as much as the limits say.

    With `ratings` a puzzle is made anew until its rating is one of these, which takes long for
    high ones: of random minimal puzzles 17 in 600 have the rating 6.
    """
    is_limited = limits is not None and limits != Limits()
    with make_generator(request, ratings) as generator:
        for index in indexes:
            # The time of one puzzle begins when it is asked for.
            generator.budget = Budget(limits) if is_limited else None
            yield generator.make(index)


def make_generator(request: Request, ratings: Ratings | None = None) -> Generator:
    """The generator for a request; ratings that none of its puzzles can have are refused."""
    if ratings is None:
        return Generator(request)
    _require_sense(request, ratings)
    return Generator(request, accept=partial(is_rated, ratings=ratings))


def is_rated(puzzle: Puzzle, ratings: Ratings) -> bool:
    """Whether the rating of a generated puzzle is one of these; beyond numbers is above all."""
    low, high = ratings
    number = find_rating(puzzle).number
    if number is None:
        return high is None
    return low <= number and (high is None or number <= high)


def _require_sense(request: Request, ratings: Ratings) -> None:
    low, high = ratings
    if low < 0 or (high is not None and high < low):
        raise SatdokuError(f"no rating is between {low} and {high}")
    # Such puzzles are filled by singles, which is all that ratings up to this one need.
    if request.technique is not None and low > SINGLES:
        raise SatdokuError(f"puzzles for {request.technique.value} have no rating of {low} or more")
