"""The checker of hints: what it accepts is a refutation, and what is spoilt is named."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.certifying.hints import add_hints
from satdoku.certifying.rup import HintedStep, check_hints, read_hinted_proof, write_lemma
from satdoku.errors import CertificateError
from tests.certifying.formulas import FOUR, Clause, pigeonhole, prove
from tests.certifying.mutations import spoil_line
from tests.each import for_each

literals = st.integers(1, 4).flatmap(lambda v: st.sampled_from([v, -v]))
clauses = st.lists(literals, min_size=1, max_size=3).map(tuple)


def check_text(formula: Sequence[Clause], text: str) -> int:
    return check_hints(formula, read_hinted_proof(text.split("\n"), "p.lrat"), "p.lrat").lemmas


def require_fault(formula: Sequence[Clause], text: str, line: int, *words: str) -> None:
    with pytest.raises(CertificateError) as caught:
        check_text(formula, text)
    assert caught.value.line == line
    assert all(word in str(caught.value) for word in ("p.lrat:", *words)), str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "5 1 0 1 2 0\n6 0 5 3 4 0",
        "c talk\n\n5 1 0 1 2 0\r\n9 0 5 3 4 0\n10 1 0 99 0",
        "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0",
        "5 1 1 2 0 1 2 0\n5 d 77 0\n6 1 0 5 2 0\n7 0 6 3 4 0",
    ],
)
def test_a_proof_by_hand_is_accepted(text: str) -> None:
    assert check_text(FOUR, text) >= 2


def test_a_sample_has_the_first_lemma_and_the_empty_one() -> None:
    for text, is_taken in [
        ("5 1 0 1 2 0\n6 2 0 9 0\n7 0 5 3 4 0", True),
        ("5 1 0 9 0\n6 2 0 5 3 0\n7 0 5 3 4 0", False),
        ("5 1 0 1 2 0\n6 2 0 5 3 0\n7 0 5 9 0", False),
    ]:
        steps = [*read_hinted_proof(text.split("\n"))]
        if is_taken:
            assert check_hints(FOUR, steps, every=16).lemmas == 3
            continue
        with pytest.raises(CertificateError):
            check_hints(FOUR, steps, every=16)


@for_each(
    "text, line, words",
    [
        ("", 1, "without the empty clause"),
        ("5 1 0 1 2 0", 1, "without the empty clause"),
        ("5 1 0 0", 1, "hints end without a contradiction"),
        ("5 1 0 1 0", 1, "hints end without a contradiction"),
        ("5 1 0 3 1 2 0", 1, "clause 3 has 2 literals left"),
        ("5 0 1 0", 1, "clause 1 has 2 literals left"),
        ("5 1 0 9 0", 1, "there is no clause 9"),
        ("5 1 0 5 0", 1, "there is no clause 5"),
        ("4 1 0 1 2 0", 1, "the number 4 is not above 4"),
        ("5 1 0 1 2 0\n5 0 5 3 4 0", 2, "the number 5 is not above 5"),
        ("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0", 3, "there is no clause 3"),
    ],
)
def test_the_first_step_that_is_not_shown_is_named(text: str, line: int, words: str) -> None:
    require_fault(FOUR, text, line if text else 0, words)


@for_each(
    "step",
    [
        "5",
        "5 0",
        "5 1 0 1 2",
        "5 1 0 1 2 0 0",
        "5 1 0 1 0 2 0",
        "5 1 0 -1 2 0",
        "5 d 1",
        "5 d 1 0 2 0",
        "5 d -1 0",
        "d 1 0",
        "0 1 0 1 2 0",
        "-5 1 0 1 2 0",
        "05 1 0 1 2 0",
        "5 x 0 1 2 0",
        "5\t1 0 1 2 0",
        "5 1 0 \u0661 2 0",
        "a\x00",
        "5 1 0 1 " + "2" * 5000 + " 0",
    ],
)
def test_what_is_no_step_is_named(step: str) -> None:
    require_fault(FOUR, f"c\n{step}", 2, "is not a step of an LRAT proof")


@pytest.mark.parametrize(
    "step", ["2147483648 1 0 1 2 0", "5 -2147483648 0 1 0", "5 d 9999999999 0"]
)
def test_numbers_fit_into_32_bits(step: str) -> None:
    require_fault(FOUR, step, 1, "too large")


@given(
    st.lists(clauses, max_size=12),
    st.lists(
        st.tuples(st.lists(literals, max_size=2), st.lists(st.integers(1, 16), max_size=4)),
        max_size=6,
    ),
)
def test_a_satisfiable_formula_is_never_refuted(
    formula: list[Clause], steps: list[tuple[list[int], list[int]]]
) -> None:
    proof = [
        HintedStep(n, len(formula) + n, tuple(lemma), tuple(hints))
        for n, (lemma, hints) in enumerate([*steps, ([], list(range(1, 9)))], 1)
    ]
    try:
        check_hints(formula, proof)
    except CertificateError:
        return
    models = (set(model) for model in _assignments(4))
    assert not any(all(model & set(clause) for clause in formula) for model in models)


def _assignments(variables: int) -> list[list[int]]:
    if not variables:
        return [[]]
    return [[*rest, sign * variables] for rest in _assignments(variables - 1) for sign in (1, -1)]


def test_spoilt_proofs_refute_no_formula_that_lacks_a_clause() -> None:
    """Every clause of the pigeons is needed, so whatever is done to the proof, it cannot hold."""
    formula = pigeonhole(4, 3)
    lines = list(map(write_lemma, add_hints(formula, prove(formula))))
    rng = Random(1)
    for _ in range(200):
        spoilt = list(lines)
        index = rng.randrange(len(lines))
        spoilt[index] = spoil_line(rng, spoilt[index]) + "\n"
        missing = rng.choice(formula)
        without = [clause for clause in formula if clause != missing]
        with pytest.raises(CertificateError):
            check_text(without, "".join(spoilt))


def test_time_is_asked_for_before_each_step() -> None:
    class TooLateError(Exception):
        pass

    left = iter([None, None])

    def require_time() -> None:
        if next(left, "none left") is not None:
            raise TooLateError

    proof = [HintedStep(n, 4 + n, (1,), (1, 2)) for n in range(1, 5)]
    with pytest.raises(TooLateError):
        check_hints(FOUR, proof, require_time=require_time)
