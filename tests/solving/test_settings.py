from typing import Any

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError
from satdoku.solving.limits import Limits
from satdoku.solving.solvers import SOLVERS, STAGES, Can, Settings
from tests.each import for_each


@for_each("solver", SOLVERS)
def test_native_constraints_go_to_solvers_that_have_them(solver: str) -> None:
    assert Settings(solver=solver).is_native == (Can.NATIVE in SOLVERS[solver].can)


def test_a_method_or_a_stranger_asks_for_clauses() -> None:
    assert not Settings(solver="minicard", at_most_one=Method.PAIRWISE).is_native
    assert not Settings(command="cadical").is_native


@pytest.mark.parametrize(
    "chosen",
    [
        {"solver": "minicard", "command": "cadical"},
        {"solver": "minicard", "portfolio": ("glucose4",)},
        {"command": "cadical", "portfolio": ("glucose4",)},
    ],
)
def test_who_solves_is_said_once(chosen: dict[str, Any]) -> None:
    with pytest.raises(SatdokuError, match="exclude each other"):
        Settings(**chosen)


def test_names_do_for_encodings_and_methods() -> None:
    named: Any = {"encoding": "triads", "at_most_one": "ladder"}
    assert Settings(**named) == Settings(encoding=Encoding.TRIADS, at_most_one=Method.LADDER)
    with pytest.raises(SatdokuError, match="'nonsense' is none of minimal, efficient"):
        Settings(encoding="nonsense")


@pytest.mark.parametrize("limits", [3, Limits(timeout=float("nan")), Limits("soon")])  # type: ignore[arg-type]
def test_limits_are_numbers(limits: Any) -> None:
    with pytest.raises(SatdokuError, match="limit"):
        Settings(limits=limits)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"limits": Limits(conflicts=1.5)}, "conflicts=1.5 is not a whole number"),  # type: ignore[arg-type]
        ({"solver": None}, "solver and command are given as text"),
        ({"command": ["minisat"]}, "solver and command are given as text"),
        ({"portfolio": "minicard"}, "a portfolio is a tuple of names"),
    ],
    ids=lambda each: str(each)[:20],
)
def test_what_is_no_setting_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(SatdokuError, match=words):
        Settings(**wrong)


def test_the_engine_is_what_does_the_work() -> None:
    assert Settings(solver="glucose4").engine == "glucose4"
    assert Settings(command="cadical -q").engine == "cadical -q"
    assert Settings(portfolio=("minicard", "glucose4")).engine == "minicard+glucose4"


def test_only_the_automatic_choice_has_stages() -> None:
    assert Settings().stages == STAGES
    assert Settings(solver="glucose4").stages == ("glucose4",)


@pytest.mark.parametrize("seed", [-1, 1.5, "3", None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(SatdokuError, match="is not a whole number of 0 or more"):
        Settings(seed=seed)


@for_each(
    "chosen, small, large",
    [
        ({}, False, True),
        ({"solver": "local-search"}, True, True),
        ({"solver": "stable-cadical"}, True, True),
        ({"solver": "minicard"}, False, False),
        ({"encoding": "extended"}, False, False),
        ({"at_most_one": "ladder"}, False, False),
        ({"command": "kissat"}, False, False),
    ],
)
def test_large_boards_have_a_ladder_unless_somebody_chose_a_solver(
    chosen: dict[str, Any], small: bool, large: bool
) -> None:
    settings = Settings(**chosen)
    assert (settings.has_ladder(25), settings.has_ladder(26)) == (small, large)
