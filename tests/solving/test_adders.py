"""A session loads its solver by the quickest functions there are, and refuses when it is closed."""

import pytest

from satdoku.encoding.choices import Status
from satdoku.errors import SolverError
from satdoku.solving import pysat_private
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import SOLVERS, Can

NATIVE = [name for name, solver in SOLVERS.items() if Can.NATIVE in solver.can]


def models_of_one_in_three(solver: str) -> int:
    """How many models a solver finds where of three variables exactly one is true."""
    found = 0
    with Session(SOLVERS[solver]) as session:
        session.add_clause([1, 2, 3])
        session.add_at_most_one(range(1, 4))
        while session.solve(Budget()) is Status.SATISFIABLE:
            session.add_clause([-literal for literal in session.model()])
            found += 1
    return found


@pytest.mark.parametrize("name", NATIVE)
def test_clauses_and_native_constraints_reach_the_solver(name: str) -> None:
    assert models_of_one_in_three(name) == 3


def test_without_the_private_functions_the_public_ones_do_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pysat_private, "functions_work", lambda name: False)
    assert models_of_one_in_three("minicard") == 3


def test_a_closed_session_refuses_what_its_solver_would_die_of() -> None:
    session = Session(SOLVERS["minicard"])
    session.close()
    with pytest.raises(SolverError, match="closed"):
        session.add_clause([1])
    with pytest.raises(SolverError, match="closed"):
        session.add_at_most_one([1, 2])
