"""Many puzzles, one after the other, and those of a wanted rating among them."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from satdoku.errors import SatdokuError
from satdoku.generating.generated import Generated
from satdoku.generating.generator import Generator
from satdoku.generating.request import Request
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rater import find_rating
from satdoku.rating.rating import SINGLES
from satdoku.solving.limits import Budget, Limits

if TYPE_CHECKING:
    from satdoku.generating.needs import Needs

Ratings = tuple[int, int | None]
"""The lowest and the highest rating that is wanted; None is without an upper end."""


def generate_all(
    request: Request,
    indexes: Iterator[int],
    ratings: Ratings | None = None,
    limits: Limits | None = None,
    needs: "Needs | None" = None,
) -> Iterator[Generated]:
    """The puzzles with these numbers; each may cost as much as the limits say.

    With `ratings` a puzzle is made anew until its rating is one of these, which takes long for
    high ones: of random minimal puzzles 16 in 600 have the rating 6. So it is with the steps that
    it `needs`.
    """
    is_limited = limits is not None and limits != Limits()
    with make_generator(request, ratings, needs) as generator:
        for index in indexes:
            # The time of one puzzle begins when it is asked for.
            generator.budget = Budget(limits) if is_limited else None
            yield generator.make(index)


def make_generator(
    request: Request, ratings: Ratings | None = None, needs: "Needs | None" = None
) -> Generator:
    """The generator for a request; ratings that none of its puzzles can have are refused."""
    if ratings is not None:
        _require_sense(request, ratings)
    if ratings is None and needs is None:
        return Generator(request)
    return Generator(request, accept=partial(_is_accepted, ratings=ratings, needs=needs))


def why_rare(request: Request, ratings: Ratings | None) -> str:
    """A sentence about wishes that may take hours; empty for others."""
    if ratings is not None and ratings[0] >= _RARE_RATING:
        return (
            "of 600 random minimal puzzles 16 have the rating 6, 3 the rating 7 and none a higher "
            "one: this may take hours"
        )
    most = request.givens[1] if request.technique and request.givens else _FEW_FOR_SINGLES
    if request.is_classic and request.geometry.size == _USUAL_SIZE and most < _FEW_FOR_SINGLES:
        return (
            f"puzzles of {most} givens that singles solve are hardly ever met: this may take "
            f"hours; {_FEW_FOR_SINGLES} givens take a moment"
        )
    return ""


# From here on ratings, and below this number of givens puzzles for singles, take minutes or more.
_RARE_RATING = 7
_FEW_FOR_SINGLES = 22
_USUAL_SIZE = 9


def _is_accepted(puzzle: Puzzle, ratings: Ratings | None, needs: "Needs | None") -> bool:
    """Whether a puzzle is as wanted; the rating comes first, which takes less time."""
    if ratings is not None and not is_rated(puzzle, ratings):
        return False
    return needs is None or needs.are_met_by(puzzle)


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
