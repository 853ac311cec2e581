from satdoku.rating.rating import LOWEST_RATINGS, Rating, RatingLevel
from tests.each import for_each


def test_levels_follow_each_other() -> None:
    numbers = [*range(14), None]
    levels = list(dict.fromkeys(Rating(number).level for number in numbers))
    assert levels == list(RatingLevel)
    assert list(LOWEST_RATINGS) == list(RatingLevel)[:-1]


@for_each("number, steps", [(0, None), (1, None), (2, 0), (7, 5), (None, None)])
def test_steps_begin_above_singles(number: int | None, steps: int | None) -> None:
    assert Rating(number).steps == steps


def test_every_rating_has_its_own_sentence() -> None:
    sentences = {Rating(number).sentence for number in (0, 1, 2, 3, 4, 9, None)}
    assert len(sentences) == 7
    assert "in at most 1 step each" in Rating(3).sentence
