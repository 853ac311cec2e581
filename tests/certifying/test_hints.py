"""Proofs with hints: each is checked by following it, and by a second checker without them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.certifying.certify import drat_lines
from satdoku.certifying.hints import add_hints
from satdoku.certifying.rup import HintedStep, ProofStep, check_hints, check_proof, write_lemma
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
from tests.certifying.second_opinion import is_refutation
from tests.each import for_each

literals = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(literals, min_size=1, max_size=3).map(tuple)


def require_proof(formula: list[Clause], steps: list[HintedStep]) -> None:
    assert check_hints(formula, steps).lemmas == len(steps)
    assert is_refutation(formula, [step.literals for step in steps])
    assert [step.number for step in steps] == [len(formula) + n + 1 for n in range(len(steps))]
    # The same as DRAT, where lemmas are deleted behind the last one that they show.
    assert [*drat_lines(steps, deletes=False)] == [
        line for line in drat_lines(steps, deletes=True) if line[0] != "d"
    ]
    check_proof(formula, read_proof("".join(drat_lines(steps, deletes=True))))


def test_the_example_of_the_documentation() -> None:
    steps = add_hints(FOUR, read_proof("1 0"))
    assert "".join(map(write_lemma, steps)) == "5 1 0 1 2 0\n6 2 0 5 3 0\n7 0 5 6 4 0\n"


def test_lemmas_that_nothing_rests_on_are_left_out() -> None:
    formula = [*FOUR, (7, 8), (-8, 9), (10,)]
    steps = add_hints(formula, read_proof("7 9 0 1 5 0 1 0"))
    assert [step.literals for step in steps] == [(1,), (2,), ()]
    require_proof(formula, steps)


@pytest.mark.parametrize("formula", [[(1,), (-1,)], [()], [(1,), (-1, 2), (-2, -1, 3), (-3,)]])
def test_a_formula_refuted_by_propagation_gets_hints_too(formula: list[Clause]) -> None:
    require_proof(formula, add_hints(formula, []))


@for_each("holes", [2, 4, 5])
@for_each("solver", SOLVERS)
def test_proofs_of_solvers_get_hints(solver: str, holes: int) -> None:
    formula = pigeonhole(holes + 1, holes)
    require_proof(formula, add_hints(formula, prove(formula, solver)))


@for_each("seed", range(12))
def test_proofs_of_random_formulas_get_hints(seed: int) -> None:
    formula = random_formula(seed, variables=40, size=300)
    require_proof(formula, add_hints(formula, prove(formula)))


@given(st.lists(clauses, max_size=20), st.lists(clauses, max_size=6))
def test_whatever_is_accepted_gets_hints_that_show_it(
    formula: list[Clause], lemmas: list[Clause]
) -> None:
    """Lemmas at random: with literals that are known, twice there, or contradicting each other."""
    try:
        steps = add_hints(formula, [ProofStep(n, lemma) for n, lemma in enumerate(lemmas, 1)])
    except CertificateError:
        return
    require_proof(formula, steps)


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [("1 2 0\n3 0\n", "does not follow by propagation", 2), ("1 2 0", "without the empty", 0)],
)
def test_a_proof_that_does_not_hold_gets_none(text: str, words: str, line: int) -> None:
    with pytest.raises(CertificateError, match=words) as caught:
        add_hints(FOUR, read_proof(text))
    assert caught.value.line == line


def test_a_definition_gets_no_hints() -> None:
    """It is RAT: such proofs are refused rather than written in a way that we do not check."""
    with pytest.raises(CertificateError, match="does not follow by propagation"):
        add_hints(pigeonhole(4, 3), [ProofStep(1, (13, -1))])


@pytest.mark.skipif(not shutil.which("lrat-check"), reason="lrat-check is not on the PATH")
@pytest.mark.parametrize("seed", range(4))
def test_lrat_check_agrees(seed: int, tmp_path: Path) -> None:
    formula = random_formula(seed, variables=40, size=300)
    cnf, lrat = tmp_path / "f.cnf", tmp_path / "f.lrat"
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf.write_text("\n".join([f"p cnf 40 {len(formula)}", *lines, ""]))
    lrat.write_text("".join(map(write_lemma, add_hints(formula, prove(formula)))))
    done = subprocess.run(["lrat-check", cnf, lrat], capture_output=True, text=True)
    assert "c VERIFIED" in done.stdout, done.stdout
    # It goes on after a lemma that fails, and may call the last one verified.
    assert done.returncode == 0, done.stdout
