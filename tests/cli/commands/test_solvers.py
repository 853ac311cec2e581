import json
import re
from types import SimpleNamespace

import pytest

from satdoku.lanes.library import find_state
from satdoku.solving.pysat_private import load_solvers
from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS, Can, find_solver, newest_of
from tests.commands import EASY, require_failure, run
from tests.solvers import INSTALLED


def test_every_solver_is_named_with_its_family() -> None:
    result = run("solvers")
    assert (result.code, result.stderr.endswith(f"{find_state()}\n")) == (0, True)
    rows = [line.split() for line in result.lines[1:]]
    assert [row[0] for row in rows] == [*LADDERS, *INSTALLED]
    newest = {family: newest_of(family) for family in FAMILIES}
    assert {row[1]: row[0] for row in rows if row[1] in FAMILIES} == newest
    missing = set(SOLVERS) - set(INSTALLED)
    assert all(f" {name}" in result.stderr.replace(";", ",") for name in missing)


def test_what_python_sat_lacks_is_named_beside_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with an older python-sat: a family then stands for an older solver too."""
    names = load_solvers().SolverNames
    older = SimpleNamespace(
        **{name: value for name, value in vars(names).items() if name not in ("cadical300", "ergo")}
    )
    monkeypatch.setattr(load_solvers(), "SolverNames", older)
    result = run("solvers")
    assert "cadical300" not in result.stdout
    assert re.search("^cadical195 +cadical ", result.stdout, re.M)
    assert re.search("^not installed: .*cadical300, ergo.*; pip install ", result.stderr, re.M)
    assert find_solver("cadical").name == "cadical195"


def test_what_is_said_of_a_solver_is_what_the_table_says() -> None:
    lines = {line.split()[0]: line for line in run("solvers").lines[1:]}
    for name in INSTALLED:
        info = SOLVERS[name]
        assert ("proofs" in lines[name]) is (Can.PROVE in info.can)
        assert ("--conflicts" in lines[name]) is (Can.SLICE in info.can)


def test_every_solver_is_an_object_in_json() -> None:
    found = {each["name"]: each for each in map(json.loads, run("solvers", "--json").lines)}
    assert list(found) == [*LADDERS, *SOLVERS]
    for name, info in SOLVERS.items():
        assert found[name]["installed"] is (name in INSTALLED)
        assert found[name]["proofs"] is (Can.PROVE in info.can)
        assert found[name]["conflicts"] is (Can.SLICE in info.can)
    assert all(found[newest_of(family)]["family"] == family for family in FAMILIES)


@pytest.mark.parametrize("family", ["cadical", "GLUCOSE"])
def test_a_family_is_its_newest_solver(family: str) -> None:
    name = newest_of(family.lower())
    assert f'"solver": "{name}"' in run("check", EASY, "--solver", family, "--json").stdout


def test_a_slip_gets_a_suggestion_and_nonsense_all_names() -> None:
    result = run("check", EASY, "--solver", "cadicl")
    require_failure(result, "there is no solver 'cadicl'; did you mean cadical?", code=2)
    require_failure(run("check", EASY, "--solver", "xyz"), "minisat22", "local-search", code=2)
