"""The private functions of python-sat are used where they work, and never missed where not."""

import sys
from types import ModuleType
from typing import Any

import pysat.solvers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.encoding.choices import Status
from satdoku.puzzle.grid import Geometry
from satdoku.solving import pysat_private as calls
from satdoku.solving.bulk import Bulk
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver
from tests.certifying.formulas import SOLVERS, pigeonhole
from tests.each import for_each


def is_public(solver: Any) -> bool:
    return not isinstance(solver, calls.BareSolver)


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions are tried again, and what is found out about them is forgotten behind this."""
    monkeypatch.setattr(calls, "functions_work", calls.try_functions)
    monkeypatch.setattr(calls, "_functions_of", calls._functions_of.__wrapped__)


def test_the_private_functions_are_taken_where_they_work() -> None:
    assert all(map(calls.try_functions, calls.BARE))
    assert not is_public(calls.new_minicard(is_warm=True))
    assert is_public(calls.public_minicard(is_warm=True))


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("name", ["add_am", "set_start", "model", "core", "acc_stats"])
def test_a_missing_function_means_the_public_class(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pysolvers

    monkeypatch.delattr(pysolvers, f"minicard_{name}")
    assert not calls.functions_work("minicard")


@pytest.mark.usefixtures("untried")
def test_a_missing_module_means_the_public_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysolvers", None)
    assert is_public(calls.new_minicard(is_warm=True))
    monkeypatch.setitem(sys.modules, "pysolvers", ModuleType("pysolvers"))
    assert is_public(calls.new_minicard(is_warm=True))


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("solve", lambda *_: None),
        ("add_am", lambda *_: None),
        ("model", lambda *_: [-1, -2, -3]),
    ],
    ids=["solve", "add_am", "model"],
)
def test_functions_that_behave_otherwise_mean_the_public_class(
    name: str, change: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pysolvers

    # What python-sat's class calls stays as it is.
    changed = ModuleType("changed")
    vars(changed).update({**vars(pysolvers), f"minicard_{name}": change})
    monkeypatch.setattr(calls, "_load_functions", lambda: changed)
    assert is_public(calls.new_minicard(is_warm=True))
    board = bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4])
    (solution,) = Bulk(Geometry(2, 2)).solutions([board])
    assert solution is not None


@pytest.mark.parametrize("name", calls.BARE)
@given(
    st.lists(st.lists(st.sampled_from([-4, -3, -2, -1, 1, 2, 3, 4]), min_size=1, max_size=3)),
    st.lists(st.sampled_from([-4, -3, 3, 4]), max_size=2, unique_by=abs),
)
def test_solvers_without_their_class_answer_as_with_it(
    name: str, clauses: list[list[int]], assumptions: list[int]
) -> None:
    bare = calls.new_solver(name, is_warm=False)
    assert not is_public(bare)
    with pysat.solvers.Solver(name) as usual:
        for solver in (usual, bare):
            solver.append_formula([[1, -1, 2, -2, 3, -3, 4, -4], *clauses])
            solver.add_atmost([1, 2, 3, 4], 2)
            solver.set_phases([1, -2])
            solver.conf_budget(1000)
        for asked, arguments in (
            ("propagate", (assumptions,)),
            ("solve", (assumptions,)),
            ("get_model", ()),
            ("get_core", ()),
            ("solve_limited", ()),
            ("get_model", ()),
            ("nof_vars", ()),
            ("accum_stats", ()),
        ):
            assert getattr(bare, asked)(*arguments) == getattr(usual, asked)(*arguments), asked
    bare.delete()
    bare.delete()
    assert bare.accum_stats() is None
    with pytest.raises(AttributeError):
        bare.solve()


def test_sessions_take_the_class_where_the_functions_do_not_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls, "functions_work", lambda name: False)
    assert is_public(calls.new_minicard(is_warm=True))
    with Session(find_solver("minicard")) as session:
        session.add_clause([1])
        assert session.solve(Budget()) is Status.SATISFIABLE


@for_each("name", SOLVERS)
def test_proofs_are_those_of_python_sat(name: str) -> None:
    with Session(find_solver(name), with_proof=True) as session:
        for clause in pigeonhole(6, 5):
            session.add_clause(clause)
        assert session.solve(Budget()) is Status.UNSATISFIABLE
        lines = list(session.proof())
        assert lines
        assert lines == session._pysat.get_proof()
