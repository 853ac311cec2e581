import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.certifying.rup import ProofStep
from satdoku.certifying.rup import read_proof as read_lines
from satdoku.errors import CertificateError
from tests.each import for_each

JUNK = [
    "x",
    "D",
    "d1",
    "1d",
    "a",
    "+1",
    "--1",
    "-",
    "-0",
    "00",
    "01",
    "1.0",
    "1_0",
    "0x1",
    ",",
    "1,",
]
JUNK += ["\u0661", "\u22121", "\ufffd", "\x7f", "%", "p", str(2**31), str(-(2**31)), "9" * 5000]

literals = st.integers(1, 2**31 - 1).flatmap(lambda v: st.sampled_from([v, -v]))
steps = st.tuples(st.booleans(), st.lists(literals, max_size=4).map(tuple))


def read_proof(text: str, source: str = "<proof>") -> tuple[ProofStep, ...]:
    return tuple(read_lines(text.split("\n"), source))


def require_fault(text: str, line: int, *words: str) -> None:
    with pytest.raises(CertificateError) as caught:
        read_proof(text, "p.drat")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"p.drat:{line}: " if line else "p.drat: ")
    assert all(word in caught.value.message for word in words), caught.value.message


@given(st.lists(steps, max_size=8), st.data())
def test_steps_read_back_however_they_are_spaced(
    written: list[tuple[bool, tuple[int, ...]]], data: st.DataObject
) -> None:
    gaps = st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\n\n \n"])
    text, line, expected = "", 1, []
    for is_deletion, clause in written:
        expected.append(ProofStep(line, clause, is_deletion))
        for token in (*("d" * is_deletion), *clause, 0):
            gap = data.draw(gaps)
            text += f"{token}{gap}"
            line += gap.count("\n")
    assert read_proof(text) == tuple(expected)


def test_an_empty_proof_has_no_steps() -> None:
    assert read_proof("") == read_proof("\n \n") == ()


def test_comments_are_passed_over() -> None:
    text = "c made by hand\n1 0\nc between\n-2\nc within\n3 0\n"
    assert read_proof(text) == (ProofStep(2, (1,)), ProofStep(4, (-2, 3)))


@for_each("text", ["1", "1 -2\n", "1 0 2", "d", "d 1", "0 d\n\n", "1 2 3\n4"])
def test_an_unfinished_last_step_is_named(text: str) -> None:
    require_fault(f"\n{text}", 2, "no closing 0")


@for_each("text", ["1 d 0", "d d 1 0", "d 1 d 0", "1\nd 2 0", "d\nd 0"])
def test_a_d_inside_a_step_is_named(text: str) -> None:
    require_fault(text, 1 + text.count("\n"), "'d' inside a step")


@for_each("token", JUNK)
@for_each("shape", ["{}", "1 {} 0", "1 0\n2 0 {}", "d {} 0", "1\n{} 0"])
def test_junk_is_named(shape: str, token: str) -> None:
    text = shape.format(token)
    require_fault(text, 1 + text.count("\n"), "is not a literal", repr(token[:17])[:-1])


@pytest.mark.parametrize("text", ["a\x02\x05\x00", "1 0\n\x00", "\x00"], ids=ascii)
def test_a_binary_proof_is_refused(text: str) -> None:
    require_fault(text, 0, "binary")


@given(st.text(alphabet="0123-d c\n\tx", max_size=60))
def test_any_text_is_read_or_refused_with_a_certificate_error(text: str) -> None:
    try:
        proof = read_proof(text)
    except CertificateError:
        return
    assert all(0 not in step.literals for step in proof)
