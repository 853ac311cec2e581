"""The compiled library finds hints as Python does, and takes no proof that Python refuses."""

from random import Random

import pytest

from satdoku.certifying import hints
from satdoku.certifying.hints import Hinted, add_hints, compiled_hints, derive, refute
from satdoku.certifying.rup import check_hints, check_proof
from satdoku.errors import CertificateError
from satdoku.lanes.library import VARIABLE, find_library
from tests.certifying.formulas import FOUR, SOLVERS, Clause, pigeonhole, prove, random_formula
from tests.certifying.formulas import read_proof as read_steps
from tests.certifying.mutations import spoil_text
from tests.certifying.second_opinion import is_refutation
from tests.each import for_each

pytestmark = pytest.mark.skipif(find_library() is None, reason="there is no compiled library")


def text_of(formula: list[Clause], solver: str) -> str:
    """A solver's proof as text, with its deletions."""
    return "".join(
        f"{'d ' * step.is_deletion}{' '.join(map(str, (*step.literals, 0)))}\n"
        for step in prove(formula, solver)
    )


def require_the_same(formula: list[Clause], proof: str) -> bool:
    """Compare the library's answer with that of `check_proof`; whether it takes the proof."""
    found = compiled_hints(formula, proof)
    try:
        statistics = check_proof(formula, read_steps(proof))
    except CertificateError:
        assert found is None
        return False
    if found is None:
        # Left to Python: a lemma that is RAT and not RUP, and further variables.
        highest = max(abs(literal) for clause in formula for literal in clause)
        named = {abs(literal) for step in read_steps(proof) for literal in step.literals}
        assert statistics.rat_lemmas or max(named) > highest
        return False
    assert found.statistics == statistics
    assert check_hints(formula, found.steps).lemmas == len(found.steps)
    assert [step.number for step in found.steps] == [
        *range(len(formula) + 1, len(formula) + len(found.steps) + 1)
    ]
    return True


@for_each("solver", SOLVERS)
def test_proofs_of_solvers(solver: str) -> None:
    for formula in (FOUR, pigeonhole(5, 4), random_formula(3, 20, 120)):
        assert require_the_same(formula, text_of(formula, solver))


def test_spoiled_proofs() -> None:
    rng, taken = Random(4), {True: 0, False: 0}
    for seed in range(100):
        formula = random_formula(seed, 12, 110)
        proof = spoil_text(rng, text_of(formula, "cadical153") or "1 0\n")
        taken[require_the_same(formula, proof)] += 1
    assert min(taken.values()) > 10, taken


@for_each(
    "proof",
    [
        *("", "0", "0\n", "1 0 0", "c 1\n1 0\nc d\n-1\nc 2\n0", "1 0 d 1 0 2 0", "d 1 2 0\n1 0\n"),
        *(
            "1",
            "1 0\nd 1",
            "d d 1 0",
            "1 d 0",
            "x 0",
            "01 0",
            "-0",
            "9 0",
            "1 0\0",
            "1\t0",
            "\u0661 0",
        ),
    ],
)
def test_texts(proof: str) -> None:
    found = compiled_hints(FOUR, proof)
    try:
        steps = add_hints(FOUR, read_steps(proof))
    except CertificateError:
        assert found is None
    else:
        assert found is None or found.steps == steps


@for_each("formula", [[()], [(1,), (-1,)], [(1, 1), (-1, -1, -1)], [(1, -1), (2,), (-2, 3), (-3,)]])
def test_formulas_that_propagation_refutes(formula: list[Clause]) -> None:
    assert require_the_same(formula, "")


def test_the_library_may_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = pigeonhole(5, 4)
    proof = text_of(formula, "cadical153")
    found = refute(formula, proof)
    monkeypatch.setenv(VARIABLE, "0")
    assert compiled_hints(formula, proof) is None
    check_hints(formula, found)
    check_hints(formula, refute(formula, proof))


@for_each("place", [0, -1])
def test_a_library_that_errs_is_detected(monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    formula = pigeonhole(5, 4)
    proof = text_of(formula, "cadical153")
    found = derive(formula, proof)
    assert found is not None
    wrong = list(found.steps)
    wrong[place] = wrong[place]._replace(hints=wrong[place].hints[:1])
    monkeypatch.setattr(hints, "compiled_hints", lambda *_: Hinted(wrong, found.statistics))
    with pytest.raises(CertificateError, match="does not follow"):
        derive(formula, proof, "its.drat")


def require_backwards(formula: list[Clause], proof: str) -> bool:
    """Require that each step found backwards follows and is needed; whether any is found."""
    found = compiled_hints(formula, proof, lambda: None, True)
    if found is None:
        return False
    assert check_hints(formula, found.steps).lemmas == len(found.steps)
    assert is_refutation(formula, [step.literals for step in found.steps])
    numbers = [step.number for step in found.steps]
    assert numbers == [*range(len(formula) + 1, len(formula) + len(numbers) + 1)]
    used = {hint for step in found.steps for hint in step.hints}
    assert used.issuperset(numbers[:-1])
    return True


@for_each("solver", SOLVERS)
def test_proofs_of_solvers_backwards(solver: str) -> None:
    formulas = [FOUR, pigeonhole(5, 4), *(random_formula(seed, 30, 200) for seed in range(8))]
    for formula in formulas:
        assert require_backwards(formula, text_of(formula, solver))


def test_spoiled_proofs_backwards() -> None:
    """Whatever is found follows, with lemmas changed and clauses deleted too early."""
    rng, taken = Random(5), {True: 0, False: 0}
    for seed in range(200):
        formula = random_formula(seed, 12, 110)
        lines = text_of(formula, "cadical153").splitlines(keepends=True) or ["1 0\n"]
        for clause in rng.sample(formula, 10):
            line = f"d {' '.join(map(str, (*clause, 0)))}\n"
            lines.insert(rng.randrange(len(lines)), line)
        proof = "".join(lines)
        taken[require_backwards(formula, spoil_text(rng, proof) if seed % 2 else proof)] += 1
    assert min(taken.values()) > 10, taken


def test_only_needed_lemmas_are_derived_backwards() -> None:
    formula = [*FOUR, (5, 6, 7)]
    wrong = "5 0\n1 0\n0\n"
    assert compiled_hints(formula, wrong) is None
    assert require_backwards(formula, wrong)
    assert not require_backwards([(1, 2), (5, 6, 7)], "5 0\n-5 0\n0\n")


def test_a_clause_deleted_after_its_use_is_restored() -> None:
    """Its watches have to be right again, whether it has two literals or more."""
    assert require_backwards(FOUR, "1 0\nd 1 2 0\nd 1 -2 0\n0\n")
    formula = pigeonhole(5, 4)
    lemmas = [step.literals for step in prove(formula) if not step.is_deletion]
    lines = [f"{' '.join(map(str, (*lemma, 0)))}\n" for lemma in lemmas]
    assert not lemmas[-1], "its last lemma is the empty clause"
    before = [f"d {line}" for line in lines[:-1]]
    assert require_backwards(formula, "".join([*lines, *before]))
