import itertools
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.certifying.rup import ProofStep, check_proof
from satdoku.errors import CertificateError
from tests.certifying.formulas import (
    FOUR,
    SOLVERS,
    Clause,
    pigeonhole,
    prove,
    random_formula,
    read_proof,
)
from tests.crossing import crossed
from tests.each import for_each

literals = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(literals, min_size=1, max_size=3).map(tuple)
lemmas = st.lists(literals, max_size=3).map(tuple)


def models(formula: Sequence[Clause], variables: int) -> Iterable[set[int]]:
    for signs in itertools.product((1, -1), repeat=variables):
        model = {sign * v for v, sign in enumerate(signs, 1)}
        if all(not model.isdisjoint(clause) for clause in formula):
            yield model


def is_accepted(formula: Sequence[Clause], proof: Sequence[ProofStep]) -> bool:
    try:
        check_proof(formula, proof)
    except CertificateError:
        return False
    return True


def propagate_plainly(clauses: list[frozenset[int]], true: set[int]) -> set[int] | None:
    """The literals that follow from the true ones, or None if that is a contradiction."""
    size = -1
    while size != len(true):
        size = len(true)
        for clause in clauses:
            rest = [literal for literal in clause if -literal not in true]
            if not rest or any(-literal in true for literal in true):
                return None
            true = true | set(rest) if len(rest) == 1 else true
    return None if any(-literal in true for literal in true) else true


def follows_plainly(clauses: list[frozenset[int]], lemma: Clause) -> bool:
    def has_rup(literals: Iterable[int]) -> bool:
        return propagate_plainly(clauses, {-literal for literal in literals}) is None

    return has_rup(lemma) or (
        bool(lemma)
        and all(has_rup({*lemma, *(c - {-lemma[0]})}) for c in clauses if -lemma[0] in c)
    )


def is_accepted_plainly(formula: Sequence[Clause], proof: Sequence[ProofStep]) -> bool:
    clauses = [frozenset(clause) for clause in formula]
    for step in proof:
        top, clause = propagate_plainly(clauses, set()), frozenset(step.literals)
        if top is None:
            return True
        if step.is_deletion:
            forces = bool(clause & top) and len([x for x in clause if -x not in top]) == 1
            if clause in clauses and not forces:
                clauses.remove(clause)
        elif follows_plainly(clauses, step.literals):
            clauses.append(clause)
        else:
            return False
    return propagate_plainly(clauses, set()) is None


def require_fault(formula: Sequence[Clause], text: str, line: int, *words: str) -> None:
    with pytest.raises(CertificateError) as caught:
        check_proof(formula, read_proof(text), "p.drat")
    assert caught.value.line == line
    assert str(caught.value).startswith("p.drat:")
    assert all(word in caught.value.message for word in words), caught.value.message


@for_each("text", ["1 0\n0", "1 0", "-2 0 0", "1 2 0 1 0", "1 0 d 1 2 0 0", "1 1 0"])
def test_a_proof_by_hand_is_accepted(text: str) -> None:
    assert is_accepted(FOUR, read_proof(text))


@for_each("text", ["", "0", "1 0", "d 1 0", "7 8 9 0"])
@for_each("formula", [[(1,), (-1,)], [()], [(1,), (-1, 2), (-2, -1, 3), (-3,)]])
def test_a_formula_refuted_by_propagation_needs_no_proof(formula: list[Clause], text: str) -> None:
    statistics = check_proof(formula, read_proof(text))
    assert (statistics.lemmas, statistics.deletions) == (0, 0)


@for_each("tail", ["", "5 0", "d 1 2 0", "0 0", "-1 0 1 0"])
def test_steps_after_the_empty_clause_do_not_matter(tail: str) -> None:
    assert check_proof(FOUR, read_proof(f"1 0\n0\n{tail}")).lemmas == 1


@pytest.mark.parametrize(
    ("text", "line"), [("0", 1), ("3 0\n0", 2), ("1 2 0\n\n0", 3), ("d 1 2 0\n1 0", 2)]
)
def test_the_first_step_that_does_not_follow_is_named(text: str, line: int) -> None:
    require_fault(FOUR, text, line, "does not follow")


@pytest.mark.parametrize(("text", "line"), [("", 0), ("1 2 0", 1), ("1 2 0\nd 1 2 0\n", 2)])
def test_a_proof_that_refutes_nothing_is_named(text: str, line: int) -> None:
    require_fault(FOUR, text, line, "without the empty clause")


def test_deleting_a_clause_in_use_or_not_there_is_ignored() -> None:
    formula = [(3,), *((-3, *clause) for clause in FOUR)]
    assert is_accepted(formula, read_proof("d 3 0\nd 8 9 0\nd -3 1 2 4 0\n1 0\n0\n"))


def test_a_deleted_clause_is_gone_whatever_the_order_of_its_literals() -> None:
    formula = [(1, 2, 3), (1, 2, -3), (1, -2), (-1, 2), (-1, -2)]
    assert is_accepted(formula, read_proof("1 2 0 1 0 0"))
    assert not is_accepted(formula, read_proof("d 3 1 2 0 1 2 0 1 0 0"))
    assert is_accepted([*formula, formula[0]], read_proof("d 3 1 2 0 1 2 0 1 0 0"))


def test_a_definition_of_a_new_variable_is_rat() -> None:
    formula = pigeonhole(4, 3)
    definition = (ProofStep(1, (13, -1)), ProofStep(2, (-13, 1)))
    statistics = check_proof(formula, definition + prove([*formula, (13, -1), (-13, 1)]))
    assert statistics.rat_lemmas == 2


def test_rat_looks_at_the_first_literal_only() -> None:
    require_fault(pigeonhole(4, 3), "-1 13 0\n0", 1, "'-1 13 0' does not follow")


def test_a_new_variable_may_not_be_defined_twice_over() -> None:
    require_fault(pigeonhole(4, 3), "13 0\n-13 0\n0", 2, "'-13 0' does not follow")


def test_rat_counts_no_deleted_clause() -> None:
    formula, refutation = [(13, 14), *pigeonhole(4, 3)], prove(pigeonhole(4, 3))
    assert not is_accepted(formula, (ProofStep(1, (-13,)), *refutation))
    deletion = ProofStep(1, (14, 13), is_deletion=True)
    statistics = check_proof(formula, (deletion, ProofStep(2, (-13,)), *refutation))
    assert statistics.rat_lemmas == 1


def test_rat_counts_the_clauses_that_force_a_literal() -> None:
    formula = [(-13,), *pigeonhole(4, 3)]
    assert not is_accepted(formula, (ProofStep(1, (13,)), *prove(pigeonhole(4, 3))))


@for_each("holes", [1, 2, 3, 4, 5])
@for_each("solver", SOLVERS)
def test_pigeonhole_proofs_of_solvers_are_accepted(solver: str, holes: int) -> None:
    formula = pigeonhole(holes + 1, holes)
    assert check_proof(formula, prove(formula, solver)).rat_lemmas == 0


@crossed(4, solver=SOLVERS, seed=range(12))
def test_proofs_of_random_formulas_are_accepted(solver: str, seed: int) -> None:
    formula = random_formula(seed, variables=40, size=300)
    assert check_proof(formula, prove(formula, solver)).lemmas > 0


@for_each("position", range(len(pigeonhole(4, 3))))
def test_a_proof_refutes_no_formula_that_lacks_a_clause_it_needs(position: int) -> None:
    formula = pigeonhole(4, 3)
    proof = prove(formula)
    del formula[position]
    assert not is_accepted(formula, proof)


@given(st.lists(clauses, max_size=14), st.lists(st.tuples(st.booleans(), lemmas), max_size=10))
def test_a_satisfiable_formula_is_never_refuted(
    formula: list[Clause], steps: list[tuple[bool, Clause]]
) -> None:
    proof = [ProofStep(i, lemma, is_deletion) for i, (is_deletion, lemma) in enumerate(steps, 1)]
    if is_accepted(formula, proof):
        assert not any(models(formula, 5))


@st.composite
def changed_proofs(draw: st.DrawFn) -> list[ProofStep]:
    """A proof for pigeons from which steps, or first literals, are dropped or flipped."""
    proof = list(prove(pigeonhole(4, 3)))
    for _ in range(draw(st.integers(1, 3))):
        position = draw(st.integers(0, len(proof) - 1))
        step = proof[position]
        flipped = tuple(-literal for literal in step.literals[:1]) + step.literals[1:]
        change = draw(st.sampled_from([None, flipped, step.literals[1:], step.literals[::-1]]))
        proof[position : position + 1] = (
            [] if change is None else [ProofStep(step.line, change, step.is_deletion)]
        )
    return proof


@given(changed_proofs(), st.sampled_from(pigeonhole(4, 3)))
def test_a_changed_proof_refutes_no_satisfiable_formula(
    proof: list[ProofStep], dropped: Clause
) -> None:
    assert not is_accepted([c for c in pigeonhole(4, 3) if c != dropped], proof)


@given(changed_proofs())
def test_a_changed_proof_is_judged_as_by_the_plain_definition(proof: list[ProofStep]) -> None:
    formula = pigeonhole(4, 3)
    assert is_accepted(formula, proof) is is_accepted_plainly(formula, proof)


@given(st.lists(clauses, max_size=14), st.lists(st.tuples(st.booleans(), lemmas), max_size=8))
def test_any_proof_is_judged_as_by_the_plain_definition(
    formula: list[Clause], steps: list[tuple[bool, Clause]]
) -> None:
    proof = [ProofStep(i, lemma, is_deletion) for i, (is_deletion, lemma) in enumerate(steps, 1)]
    assert is_accepted(formula, proof) is is_accepted_plainly(formula, proof)


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on the PATH")
@pytest.mark.parametrize("seed", range(4))
def test_drat_trim_agrees(seed: int, tmp_path: Path) -> None:
    formula = random_formula(seed, variables=40, size=300)
    proof = prove(formula)
    cnf, drat = tmp_path / "f.cnf", tmp_path / "f.drat"
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf.write_text("\n".join([f"p cnf 40 {len(formula)}", *lines, ""]))
    drat.write_text(
        "".join("d " * s.is_deletion + " ".join(map(str, (*s.literals, 0))) + "\n" for s in proof)
    )
    printed = subprocess.run(["drat-trim", cnf, drat], capture_output=True, text=True).stdout
    assert "s VERIFIED" in printed
    assert is_accepted(formula, proof)
