"""The private functions of python-sat are used where they work, and never missed where not."""

import sys
from types import ModuleType
from typing import Any

import pysat.solvers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.encoding.choices import Status
from satdoku.puzzle.geometry import Geometry
from satdoku.solving import pysat_private as calls
from satdoku.solving.bulk import Bulk
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver


def test_both_kinds_of_calls_work() -> None:
    assert calls.do_calls_work(calls.private_calls())
    assert calls.do_calls_work(calls.public_calls())


def test_private_calls_are_chosen_where_they_work() -> None:
    import pysolvers

    assert calls.choose_calls().delete_solver is pysolvers.minicard_del


def is_public(chosen: calls.Calls) -> bool:
    return chosen.delete_solver is pysat.solvers.Minicard.delete


@pytest.mark.parametrize("name", ["minicard_add_am", "minicard_set_start", "minicard_model"])
def test_a_missing_function_means_public_classes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pysolvers

    monkeypatch.delattr(pysolvers, name)
    assert is_public(calls.choose_calls())


def test_a_missing_module_means_public_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysolvers", None)
    assert is_public(calls.choose_calls())
    monkeypatch.setitem(sys.modules, "pysolvers", ModuleType("pysolvers"))
    assert is_public(calls.choose_calls())


@pytest.mark.parametrize(
    "change",
    [
        {"solve": lambda solver: None},
        {"add_at_most": lambda solver, literals: None},
        {"read_model": lambda solver: [-1, -2, -3]},
    ],
    ids=lambda change: next(iter(change)),
)
def test_functions_that_behave_otherwise_mean_public_classes(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = calls.private_calls()._replace(**change)
    monkeypatch.setattr(calls, "private_calls", lambda: changed)
    assert is_public(calls.choose_calls())
    board = bytes([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4])
    (solution,) = Bulk(Geometry(2, 2)).solutions([board])
    assert solution is not None


@given(
    st.lists(st.lists(st.sampled_from([-4, -3, -2, -1, 1, 2, 3, 4]), min_size=1, max_size=3)),
    st.lists(st.sampled_from([-4, -3, 3, 4]), max_size=2, unique_by=abs),
)
def test_minicard_without_its_class_answers_as_with_it(
    clauses: list[list[int]], assumptions: list[int]
) -> None:
    bare = calls.new_minicard(is_warm=False)
    assert bare is not None
    with pysat.solvers.Minicard() as usual:
        for solver in (usual, bare):
            solver.append_formula([[1, -1, 2, -2, 3, -3, 4, -4], *clauses])
            solver.add_atmost([1, 2, 3, 4], 2)
            solver.set_phases([1, -2])
            solver.conf_budget(1000)
        for name, arguments in (
            ("propagate", (assumptions,)),
            ("solve", (assumptions,)),
            ("get_model", ()),
            ("get_core", ()),
            ("solve_limited", ()),
            ("get_model", ()),
            ("nof_vars", ()),
            ("accum_stats", ()),
        ):
            assert getattr(bare, name)(*arguments) == getattr(usual, name)(*arguments), name
    bare.delete()
    bare.delete()
    assert bare.accum_stats() is None
    with pytest.raises(AttributeError):
        bare.solve()


def test_sessions_take_the_class_where_the_functions_do_not_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls, "_find_once", lambda: None)
    assert calls.new_minicard(is_warm=True) is None
    with Session(find_solver("minicard")) as session:
        session.add_clause([1])
        assert session.solve(Budget()) is Status.SATISFIABLE
