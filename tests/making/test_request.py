from typing import Any

import pytest

from satdoku.errors import SatdokuError
from satdoku.making.request import Minimality, Request, WantedTechnique
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry
from tests.boards import HARD, HARD_SOLUTION
from tests.each import for_each
from tests.making.requests import request

TWO_EMPTY_ROWS = tuple(cell for cell in range(81) if cell // 9 not in (0, 2))


@for_each(
    "wishes, reason",
    [
        ({"givens": (16, 16)}, "at least 17 are needed"),
        ({"givens": (30, 20)}, "30-20 begins with its greater number"),
        ({"givens": (90, 90)}, "^90 givens do not fit"),
        ({"givens": (80, 82)}, "do not fit a board of 81 cells"),
        ({"givens": (26, 26), "symmetry": Symmetry.ROTATE90}, "symmetry rotate90 has 26 cells"),
        ({"mask": TWO_EMPTY_ROWS}, "row 1 and row 3 are both empty"),
        ({"mask": tuple(range(0, 81, 5))[:16]}, "16 givens are too few"),
        ({"mask": (1, 2), "givens": (2, 2)}, "it excludes a number of givens"),
        ({"mask": (1, 2), "symmetry": None}, "it excludes a symmetry"),
        ({"mask": (1, 2), "solution": HARD_SOLUTION}, "it excludes a solution"),
        ({"mask": (1, 2), "technique": WantedTechnique.SINGLES}, "it excludes a technique"),
        (
            {"technique": WantedTechnique.SINGLES, "minimality": Minimality.GIVENS},
            "cannot be asked to be minimal",
        ),
        ({"solution": HARD.grid}, "r1c2 is empty"),
        ({"solution": HARD_SOLUTION, "has_random_regions": True}, "excludes random regions"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(wishes: dict[str, Any], reason: str) -> None:
    with pytest.raises(SatdokuError, match=reason):
        request(**wishes)


def test_givens_on_the_board_are_refused() -> None:
    with pytest.raises(SatdokuError, match="empty board"):
        Request(HARD)


def test_a_small_board_needs_all_digits_but_one() -> None:
    with pytest.raises(SatdokuError, match="at least 5 are needed"):
        request(Geometry(2, 3), givens=(4, 4))
    # What is known of fewest givens is about boxes, so nothing is refused with other regions.
    assert request(Geometry(2, 3), givens=(4, 4), has_random_regions=True).givens == (4, 4)


def test_a_number_that_some_symmetry_can_have_is_taken_with_a_random_one() -> None:
    with pytest.raises(SatdokuError, match="no pattern"):
        request(givens=(27, 27), symmetry=Symmetry.FULL)
    assert request(givens=(27, 27), symmetry=None).symmetry is None


def test_regions_that_are_given_are_not_replaced_by_random_ones() -> None:
    regions = "regions:AABB/ABBC/ADCC/DDDC"
    with pytest.raises(SatdokuError, match="random regions"):
        request(Geometry(2, 2), regions, has_random_regions=True)


def test_large_boards_have_a_patience_of_their_own() -> None:
    assert request(Geometry(4, 4)).conflicts_a_given is None
    assert request(Geometry(4, 5)).conflicts_a_given
    assert request(Geometry(4, 5), patience=7).conflicts_a_given == 7


def test_an_empty_board_is_all_that_a_request_needs() -> None:
    assert Request(Puzzle(Grid.empty(Geometry(2, 2)))).is_classic


def test_tests_are_counted_on_huge_boards_alone() -> None:
    assert request(Geometry(5, 5)).most_tests is None
    assert (request(Geometry(7, 7)).most_tests or 0) > 7**4 * 3 // 4
    assert 1 <= (request(Geometry(15, 15)).most_tests or 0) < 100
    # A number of givens is worth waiting for.
    few = request(Geometry(7, 7), givens=(1200, 1200), minimality=Minimality.NONE)
    assert few.most_tests is None
