"""Sessions under assumptions: right answers, right cores, and a refusal where they were not made
for it."""

import random
from itertools import product

import pytest

from satdoku.encoding.choices import Status
from satdoku.errors import SolverError
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import SOLVERS, Can
from tests.crossing import few_or_many, sampled
from tests.solvers import INSTALLED

ABLE = [name for name in INSTALLED if Can.ASSUME in SOLVERS[name].can]
UNABLE = [name for name in INSTALLED if Can.ASSUME not in SOLVERS[name].can]
VARIABLES = range(1, 9)


def has_model(clauses: list[list[int]], assumptions: list[int]) -> bool:
    """The answer by trying every assignment."""
    return any(
        all(any(signs[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
        and all(signs[abs(x) - 1] == (x > 0) for x in assumptions)
        for signs in product((False, True), repeat=len(VARIABLES))
    )


def literals(rng: random.Random, number: int) -> list[int]:
    return [rng.choice((1, -1)) * v for v in rng.sample(VARIABLES, number)]


@sampled(4, "name", ABLE)
def test_answers_and_cores_hold_question_after_question(name: str) -> None:
    rng = random.Random(name)
    clauses = [literals(rng, 3) for _ in range(22)]
    answers = set()
    with Session(SOLVERS[name], with_assumptions=True) as session:
        # Each variable is mentioned, so that each is in the model.
        session.add_clauses([[v, -v] for v in VARIABLES] + clauses)
        for question in range(20):
            assumptions = literals(rng, rng.randrange(6))
            if question == 10:
                clauses.append(literals(rng, 3))
                session.add_clause(clauses[-1])
            status = session.solve(Budget(), assumptions=assumptions)
            answers.add(status)
            assert (status is Status.SATISFIABLE) == has_model(clauses, assumptions)
            if status is Status.SATISFIABLE:
                assert set(assumptions) <= set(session.model())
            else:
                assert set(session.core()) <= set(assumptions)
                assert not has_model(clauses, list(session.core()))
    assert answers == {Status.SATISFIABLE, Status.UNSATISFIABLE}


@pytest.mark.parametrize("name", UNABLE)
def test_a_solver_that_passes_assumptions_over_is_refused(name: str) -> None:
    with pytest.raises(SolverError, match=f"^{name} cannot take assumptions; these can: "):
        Session(SOLVERS[name], with_assumptions=True)


def test_a_session_that_was_not_made_for_assumptions_refuses_them() -> None:
    with Session(SOLVERS["minicard"]) as session:
        session.add_clause([1, 2])
        with pytest.raises(SolverError, match="does not take assumptions"):
            session.solve(Budget(), assumptions=[-1])


@few_or_many("count", 10, 25)
@sampled(4, "name", ABLE)
def test_quick_decisions_are_those_of_questions_with_limits(name: str, count: int) -> None:
    rng = random.Random(name)
    clauses = [literals(rng, 3) for _ in range(22)]
    with Session(SOLVERS[name], with_assumptions=True) as session:
        session.add_clauses([*clauses, *([v, -v] for v in VARIABLES)])
        for _ in range(count):
            assumed = literals(rng, 4)
            assert session.decide(assumed) == has_model(clauses, assumed)


def test_quick_decisions_are_refused_where_assumptions_would_be_passed_over() -> None:
    with Session(SOLVERS["minisat22"]) as session, pytest.raises(SolverError, match="not take"):
        session.decide([1])


def test_propagation_finds_what_follows_and_what_contradicts() -> None:
    with Session(SOLVERS["glucose4"], with_assumptions=True) as session:
        session.add_clauses([[-1, 2], [-2, 3], [-4, -3]])
        assert sorted(session.propagate([1]) or ()) == [-4, 1, 2, 3]
        assert session.propagate([1, 4]) is None
