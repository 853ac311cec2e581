from itertools import combinations, product

import pytest
from pysat.solvers import Solver

from satdoku.encoding.choices import Method
from satdoku.encoding.constraint import clauses_of, template
from satdoku.encoding.variables import Auxiliaries, Clause
from tests.each import for_each

methods = for_each("method", Method)


def write(method: Method, literals: tuple[int, ...], highest: int = 0) -> list[Clause]:
    auxiliaries = Auxiliaries(max(highest, *literals, 0))
    return clauses_of(method, literals, auxiliaries)


@methods
@for_each("count", range(2, 8))
def test_exactly_the_assignments_with_at_most_one_literal_can_be_completed(
    method: Method, count: int
) -> None:
    literals = tuple(range(3, 3 + 5 * count, 5))
    with Solver("glucose4", bootstrap_with=write(method, literals)) as solver:
        for signs in product((1, -1), repeat=count):
            assumptions = [sign * literal for sign, literal in zip(signs, literals, strict=True)]
            assert solver.solve(assumptions=assumptions) == (signs.count(1) <= 1)


@methods
@for_each("count", [9, 10, 16, 25])
def test_no_pair_and_every_single_literal_is_allowed_on_board_sizes(
    method: Method, count: int
) -> None:
    literals = tuple(range(1, count + 1))
    with Solver("glucose4", bootstrap_with=write(method, literals)) as solver:
        for one in literals:
            assert solver.solve(assumptions=[one, *(-x for x in literals if x != one)])
        assert solver.solve(assumptions=[-x for x in literals])
        for pair in combinations(literals, 2):
            assert not solver.solve(assumptions=pair)


@methods
@for_each("count", [0, 1])
def test_fewer_than_two_literals_need_no_clause(method: Method, count: int) -> None:
    assert write(method, tuple(range(1, count + 1))) == []


@methods
@for_each("count", range(2, 26))
def test_no_clause_comes_twice_or_says_nothing(method: Method, count: int) -> None:
    clauses = template(method, count).clauses
    assert len({frozenset(clause) for clause in clauses}) == len(clauses)
    for clause in clauses:
        assert len({abs(literal) for literal in clause}) == len(clause) > 0


@methods
def test_auxiliaries_lie_above_and_every_one_is_used(method: Method) -> None:
    pattern = template(method, 9)
    used = {abs(literal) for clause in pattern.clauses for literal in clause}
    assert used == set(range(1, 10 + pattern.auxiliaries))
    written = write(method, tuple(range(1, 10)), highest=729)
    above = {abs(literal) for clause in written for literal in clause} - set(range(1, 10))
    assert above == set(range(730, 730 + pattern.auxiliaries))


@pytest.mark.parametrize(
    ("method", "clauses", "auxiliaries"),
    [
        (Method.PAIRWISE, 36, 0),
        (Method.SEQUENTIAL, 23, 8),
        (Method.PRODUCT, 24, 6),
        (Method.BITWISE, 36, 4),
    ],
)
def test_nine_literals_cost_what_the_table_says(
    method: Method, clauses: int, auxiliaries: int
) -> None:
    pattern = template(method, 9)
    assert (len(pattern.clauses), pattern.auxiliaries) == (clauses, auxiliaries)


def test_pairs_that_are_said_elsewhere_are_left_out() -> None:
    clauses = clauses_of(
        Method.PAIRWISE, (1, 2, 3), Auxiliaries(3), is_said=lambda a, b: {a, b} == {1, 3}
    )
    assert clauses == [(-1, -2), (-2, -3)]


def test_textbooks_say_them_again() -> None:
    clauses = clauses_of(
        Method.TEXTBOOK, (1, 2, 3), Auxiliaries(3), is_said=lambda a, b: {a, b} == {1, 3}
    )
    assert clauses == [(-1, -2), (-1, -3), (-2, -3)]
