"""Estimated numbers of solutions, whose bounds hold."""

import sys

import pytest

from satdoku.api import parse
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.solving.counting import Estimate, _Tree, brief, estimate
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import count
from tests.crossing import few_or_many

RULES = ((), ("killer:5=r1c1,r1c2",), ("regions:AABB/ABBC/ADCC/DDDC",))


def estimate_of(puzzle: Puzzle, counted: int = 0) -> Estimate:
    found = estimate(puzzle, counted, Budget())
    assert found is not None
    return found


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("cells", ["1" + "." * 15, "12.............."])
def test_the_bounds_hold(cells: str, rules: tuple[str, ...]) -> None:
    puzzle = parse(cells)
    puzzle = puzzle.with_rules([read_rule(rule, puzzle.geometry) for rule in rules])
    number = count(puzzle).number
    found = estimate_of(puzzle)
    assert found.at_least <= number <= found.at_most
    assert found.at_least <= found.about <= found.at_most


def test_an_estimate_is_the_same_each_time_and_no_less_than_what_was_counted() -> None:
    puzzle = parse("." * 16)
    assert estimate_of(puzzle) == estimate_of(puzzle)
    assert estimate_of(puzzle, 280).at_least == 280


def test_an_estimate_ends_when_somebody_asks_to_stop() -> None:
    with pytest.raises(LimitReachedError):
        estimate(parse("." * 16), 0, Budget(Limits(timeout=0)))


@pytest.mark.slow
def test_the_bounds_hold_for_the_empty_9x9_board() -> None:
    found = estimate_of(parse("." * 81))
    assert found.at_least <= 6_670_903_752_021_072_936_960 <= found.at_most


def test_numbers_are_rounded_away_from_what_they_bound() -> None:
    assert [brief(1_290_001, away) for away in (-1, 0, 1)] == ["1.2e6", "1.3e6", "1.3e6"]
    assert [brief(9_990_000, away) for away in (-1, 1)] == ["9.9e6", "1e7"]


@few_or_many("is_probed", False, True)
def test_more_solutions_than_a_float_holds_are_estimated(
    is_probed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The probes of so large a board take ten seconds; here each is the same."""
    if not is_probed:
        monkeypatch.setattr(_Tree, "probe", lambda *_: 9**400)
    puzzle = Puzzle(Grid.empty(Geometry.parse("board:20x20:raw:digits=9")))
    found = estimate_of(puzzle)
    assert found == Estimate(9**400, found.at_least, found.at_most)
    assert 9**400 // 2 < found.at_least <= 9**400 <= found.at_most


def test_estimates_as_floats_are_bounds_too() -> None:
    number = 2**60 + 1  # between two floats
    low, high = (Estimate(number, number, number).as_floats()[key] for key in _BOUNDS)
    assert low is not None
    assert high is not None
    assert int(low) < number < int(high)
    beyond = Estimate(9**400, 9**399, 9**401)
    largest = sys.float_info.max
    assert beyond.as_floats() == {"about": None, "at_least": largest, "at_most": None}
    assert brief(10**5000) == "1e5000"


_BOUNDS = ("at_least", "at_most")
