"""Options of `generate` become the wishes for a puzzle."""

from satdoku.answering.maker import Wanted
from satdoku.rating.rating import LOWEST_RATINGS, Rating, RatingLevel
from tests.each import for_each


@for_each("level", [level.value for level in LOWEST_RATINGS])
def test_a_difficulty_wants_the_ratings_of_its_level_and_no_others(level: str) -> None:
    found = Wanted(difficulty=level).ratings
    assert found is not None
    low, high = found
    lowest = max(LOWEST_RATINGS.values())
    named = [n for n in range(lowest + 3) if Rating(n).level is RatingLevel(level)]
    assert low == named[0]
    assert high == (named[-1] if named[-1] < lowest else None)
