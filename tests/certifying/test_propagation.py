import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.certifying.rup import ClauseDatabase

literals = st.integers(1, 7).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(literals, min_size=1, max_size=4).map(tuple)


def propagate_plainly(clauses: list[frozenset[int]], true: set[int]) -> set[int] | None:
    """The literals that follow from the true ones, by going round in circles; None: a conflict."""
    true, size = set(true), -1
    while size != len(true):
        size = len(true)
        for clause in clauses:
            rest = [literal for literal in clause if -literal not in true]
            if not rest:
                return None
            if len(rest) == 1:
                true.add(rest[0])
    return true


def implies_plainly(clauses: list[frozenset[int]], literals: tuple[int, ...]) -> bool:
    is_tautology = any(-literal in literals for literal in literals)
    return is_tautology or propagate_plainly(clauses, {-x for x in literals}) is None


@given(st.lists(clauses, max_size=16), st.lists(clauses, max_size=12))
def test_it_implies_what_plain_propagation_implies(
    formula: list[tuple[int, ...]], questions: list[tuple[int, ...]]
) -> None:
    database, plain = ClauseDatabase(formula), [frozenset(clause) for clause in formula]
    assert database.is_refuted is (propagate_plainly(plain, set()) is None)
    for question in questions:
        if not database.is_refuted:
            assert database.implies(question) is implies_plainly(plain, question)


@given(st.lists(clauses, max_size=16), st.lists(st.tuples(st.booleans(), clauses), max_size=16))
def test_it_stays_right_while_clauses_come_and_go(
    formula: list[tuple[int, ...]], changes: list[tuple[bool, tuple[int, ...]]]
) -> None:
    database, plain = ClauseDatabase(formula), [frozenset(clause) for clause in formula]
    for position, (is_deletion, literals) in enumerate(changes):
        top = propagate_plainly(plain, set())
        assert database.is_refuted is (top is None)
        if top is None:
            return
        assert database.implies(literals) is implies_plainly(plain, literals)
        clause = frozenset(literals)
        if is_deletion:
            clause = plain[position % len(plain)] if plain else clause
            forces = len([x for x in clause if -x not in top]) == 1 and bool(clause & top)
            is_gone = clause in plain and not forces
            assert database.delete(tuple(clause)) is is_gone
            if is_gone:
                plain.remove(clause)
        else:
            plain.append(clause)
            database.add(literals)
            database.settle()


def test_a_clause_that_is_there_twice_is_deleted_twice() -> None:
    database = ClauseDatabase([(1, 2), (2, 1, 1)])
    assert database.delete((2, 1))
    assert database.implies((1, 2))
    assert database.delete((1, 2))
    assert not database.implies((1, 2))
    assert not database.delete((1, 2))


def test_clauses_with_a_literal_are_those_in_force() -> None:
    database = ClauseDatabase([(1,), (1, 2), (-1, 3), (2, 3, 4)])
    assert database.clauses_with(1) == [(1,), (1, 2)]
    database.delete((1, 2))
    assert database.clauses_with(1) == [(1,)]
    database.add((9, 9, 1))
    assert database.clauses_with(1) == [(1,), (9, 9, 1)]
    assert database.clauses_with(9) == [(9, 9, 1)]
    assert database.clauses_with(8) == []


def test_clauses_are_numbered_in_the_order_of_their_coming() -> None:
    """Deleted ones too: nobody else gets their number."""
    database = ClauseDatabase([(1, 2), (3,), (4, 5)])
    assert database.delete((4, 5))
    assert database.add((6, 7)) == 4
    assert [tuple(database.literals(number)) for number in (1, 2, 3, 4)] == [
        (1, 2),
        (3,),
        (4, 5),
        (6, 7),
    ]


@given(st.lists(clauses, max_size=16), clauses)
def test_an_explanation_leads_to_the_conflict_clause_by_clause(
    formula: list[tuple[int, ...]], question: tuple[int, ...]
) -> None:
    """Each clause named has one literal left to be true when its turn comes, the last has none."""
    database = ClauseDatabase(formula)
    if database.is_refuted:
        return
    explanation = database.explain(question)
    assert (explanation is not None) is database.implies(question)
    if any(-literal in question for literal in question):
        assert explanation == [] or not set(question).isdisjoint(database.facts)
    elif explanation is not None:
        true = {*database.facts, *(-literal for literal in question)}
        for number in explanation[:-1]:
            (left,) = {x for x in database.literals(number) if -x not in true}
            true.add(left)
        assert all(-x in true for x in database.literals(explanation[-1]))


@given(st.lists(clauses, max_size=16))
def test_every_fact_follows_from_its_reason_and_the_facts_before(
    formula: list[tuple[int, ...]],
) -> None:
    database = ClauseDatabase(formula)
    known: set[int] = set()
    for literal in database.facts:
        reason = database.literals(database.reason(literal))
        assert all(-other in known for other in reason if other != literal)
        assert literal in reason
        known.add(literal)
    if database.is_refuted:
        assert all(-x in known for x in database.literals(database.refuting_clause))


def test_0_is_never_taken_for_a_literal() -> None:
    with pytest.raises(ValueError, match="0 is not a literal"):
        ClauseDatabase([(1, 0)])
