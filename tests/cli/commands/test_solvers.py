import pytest

from satdoku.lanes.library import find_state
from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS, Can
from tests.commands import EASY, require_failure, run


def test_every_solver_is_named_with_its_family() -> None:
    result = run("solvers")
    assert (result.code, result.stderr) == (0, f"{find_state()}\n")
    rows = [line.split() for line in result.lines[1:]]
    assert [row[0] for row in rows] == [*LADDERS, *SOLVERS]
    assert {row[1]: row[0] for row in rows if row[1] in FAMILIES} == FAMILIES


def test_what_is_said_of_a_solver_is_what_the_table_says() -> None:
    lines = {line.split()[0]: line for line in run("solvers").lines[1:]}
    for name, info in SOLVERS.items():
        assert ("proofs" in lines[name]) is (Can.PROVE in info.can)
        assert ("--conflicts" in lines[name]) is (Can.SLICE in info.can)


@pytest.mark.parametrize(("family", "name"), [("cadical", "cadical300"), ("GLUCOSE", "glucose42")])
def test_a_family_is_its_newest_solver(family: str, name: str) -> None:
    assert f'"solver": "{name}"' in run("check", EASY, "--solver", family, "--json").stdout


def test_a_slip_gets_a_suggestion_and_nonsense_all_names() -> None:
    result = run("check", EASY, "--solver", "cadicl")
    require_failure(result, "there is no solver 'cadicl'; did you mean cadical?", code=2)
    require_failure(run("check", EASY, "--solver", "xyz"), "minisat22", "local-search", code=2)
