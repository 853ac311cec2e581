from itertools import count, islice

import pytest

import satdoku
from satdoku.errors import SatdokuError
from satdoku.making.generator import generate_all, is_rated, make_generator
from satdoku.making.request import Minimality, Request, Wishes, make_request
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from satdoku.rating.rater import rate_all
from satdoku.solving.bulk import Bulk
from satdoku.solving.limits import LimitReachedError, Limits
from tests.boards import HARD
from tests.compiled import needs_library
from tests.crossing import sampled
from tests.making.requests import make, request

EMPTY = Puzzle(Grid.empty(Geometry(2, 3)))


def test_puzzles_come_as_they_are_asked_for() -> None:
    wanted = request(Geometry(2, 2), seed="many")
    assert list(islice(generate_all(wanted, count()), 5)) == make(wanted, 5)


def test_ratings_are_those_that_were_wanted() -> None:
    wanted = request(seed="rated")
    found = list(generate_all(wanted, iter(range(4)), ratings=(2, 3)))
    for rated in rate_all([made.puzzle for made in found]):
        assert rated.rating is not None
        assert rated.rating.number in (2, 3)


def test_a_puzzle_beyond_numbers_is_above_all_of_them() -> None:
    assert is_rated(HARD, (5, None))
    assert not is_rated(HARD, (0, 99))


@pytest.mark.parametrize("ratings", [(3, 2), (-1, 2)])
def test_ratings_that_cannot_be_are_refused(ratings: tuple[int, int]) -> None:
    with pytest.raises(SatdokuError, match="no rating is between"):
        next(generate_all(request(), count(), ratings))


def test_a_technique_has_no_high_rating() -> None:
    wanted = make_request(EMPTY, Wishes(technique="singles"))
    with pytest.raises(SatdokuError, match="have no rating of 2 or more"):
        next(generate_all(wanted, count(), (2, 5)))


def test_limits_hold_for_each_puzzle() -> None:
    made = generate_all(request(givens=(17, 17)), count(), limits=Limits(conflicts=200))
    with pytest.raises(LimitReachedError):
        next(made)


def test_wishes_are_taken_by_name() -> None:
    [made] = satdoku.generate(seed=3, symmetry="rotate180", box=Geometry(2, 3))
    assert made.symmetry is satdoku.Symmetry.ROTATE180
    [made] = satdoku.generate(seed=3, givens=30)
    assert made.givens == 30
    [made] = satdoku.generate(seed=3, rules=["anti-king"], box=Geometry(2, 3))
    assert [rule.name for rule in made.puzzle.further_rules] == ["anti-king"]


def test_a_name_that_is_unknown_is_refused() -> None:
    with pytest.raises(SatdokuError, match="'sideways' is none of none, rotate180, "):
        satdoku.generate(symmetry="sideways")
    with pytest.raises(SatdokuError, match="'fish' is none of naked-singles, singles"):
        satdoku.generate(technique="fish")


def test_what_is_no_number_of_puzzles_or_no_box_is_refused() -> None:
    with pytest.raises(SatdokuError, match="count=-1 is below 0"):
        satdoku.generate(-1)
    with pytest.raises(SatdokuError, match=r"box=\(2, 3\) is no Geometry"):
        satdoku.generate(box=(2, 3))  # type: ignore[arg-type]
    assert list(satdoku.generate(0)) == []


def test_without_a_seed_there_is_a_new_one_that_is_told() -> None:
    [one], [other] = satdoku.generate(), satdoku.generate()
    assert one.seed != other.seed
    assert list(satdoku.generate(seed=one.seed)) == [one]


def test_a_full_grid_is_the_solution_of_all() -> None:
    solution = satdoku.solve(HARD)
    for made in satdoku.generate(3, seed=1, solution=solution):
        assert made.solution == solution


@needs_library
@sampled(
    2,
    "wanted",
    [
        request(seed="many"),
        request(seed="many", symmetry=Symmetry.ROTATE180),
        request(seed="many", givens=(26, 26), minimality=Minimality.NONE),
        request(seed="many", givens=(24, 24)),
        request(seed="long" * 400),
    ],
    ids=["minimal", "symmetric", "so many givens", "of those some", "a long seed"],
)
def test_many_are_those_that_are_made_one_by_one(wanted: Request) -> None:
    with make_generator(wanted) as generator:
        together = [made for made, _ in generator.make_many([5, 3, 4])]
        assert together == [generator.make(index) for index in (5, 3, 4)]
    assert together == [make(wanted, 6)[index] for index in (5, 3, 4)]


@needs_library
def test_one_of_many_is_compared_with_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer_wrongly(*_: object) -> None:
        raise SatdokuError("a difference")

    monkeypatch.setattr(Bulk, "compare", answer_wrongly)
    with (
        make_generator(request(seed="a")) as generator,
        pytest.raises(SatdokuError, match="a diff"),
    ):
        list(generator.make_many(range(1500)))
