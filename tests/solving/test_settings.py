import pytest

from satdoku.encoding.at_most_one import Method
from satdoku.solving.settings import Settings
from satdoku.solving.solvers import SOLVERS, STAGES, Can


@pytest.mark.parametrize("solver", SOLVERS)
def test_native_constraints_go_to_solvers_that_have_them(solver: str) -> None:
    assert Settings(solver=solver).is_native == (Can.NATIVE in SOLVERS[solver].can)


def test_a_method_or_a_stranger_asks_for_clauses() -> None:
    assert not Settings(solver="minicard", at_most_one=Method.PAIRWISE).is_native
    assert not Settings(solver="minicard", command="cadical").is_native


def test_the_engine_is_what_does_the_work() -> None:
    assert Settings(solver="glucose4").engine == "glucose4"
    assert Settings(command="cadical -q").engine == "cadical -q"
    assert Settings(portfolio=("minicard", "glucose4")).engine == "minicard+glucose4"


def test_only_the_automatic_choice_has_stages() -> None:
    assert Settings().stages == STAGES
    assert Settings(solver="glucose4").stages == ("glucose4",)
