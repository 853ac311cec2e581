import io
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.encoding.files.dimacs import Comments, read_text_lines
from satdoku.errors import DimacsError
from tests.each import for_each
from tests.encoding.files.formulas import JUNK, Cnf, read_cnf

VARIABLES = 12
literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from([v, -v]))
clause_lists = st.lists(st.lists(literals, max_size=5).map(tuple), max_size=8)


def read_text(text: str) -> Cnf:
    return read_cnf(text.splitlines(keepends=True), "f.cnf")


def require_fault(text: str, line: int, *words: str) -> None:
    with pytest.raises(DimacsError) as caught:
        read_text(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"f.cnf:{line}: " if line else "f.cnf: ")
    assert all(word in caught.value.message for word in words), caught.value.message


@given(clause_lists)
def test_one_clause_a_line_reads_back(clauses: list[tuple[int, ...]]) -> None:
    text = f"p cnf {VARIABLES} {len(clauses)}\n"
    text += "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
    cnf = read_text(text)
    assert cnf == Cnf(VARIABLES, tuple(clauses), (), tuple(range(2, len(clauses) + 2)))


@given(clause_lists, st.data())
def test_any_white_space_and_comments_between_tokens_change_nothing(
    clauses: list[tuple[int, ...]], data: st.DataObject
) -> None:
    gaps = st.sampled_from([" ", "   ", "\t", "\n", "\r\n", "\n\n", "\nc a comment\n", " \n "])
    text, line, starts = f"p cnf {VARIABLES} {len(clauses)}\n", 2, []
    for clause in clauses:
        starts.append(line)
        for literal in (*clause, 0):
            gap = data.draw(gaps)
            text += f"{literal}{gap}"
            line += gap.count("\n")
    cnf = read_text(text)
    assert cnf.clauses == tuple(clauses)
    assert cnf.lines == tuple(starts)


def test_comments_are_kept_without_their_mark() -> None:
    cnf = read_text("c one\nc\np cnf 1 1\nc p cnf 9 9\n1 0\nc p show 1 0\n")
    assert cnf.comments == ("one", "", "p cnf 9 9", "p show 1 0")
    assert cnf.clauses == ((1,),)


def test_a_clause_starts_on_the_line_of_its_first_literal() -> None:
    cnf = read_text("p cnf 3 4\n1 2 0 -3\n\nc\n2 0 0\n1 0\n")
    assert cnf.clauses == ((1, 2), (-3, 2), (), (1,))
    assert cnf.lines == (2, 2, 5, 6)


@pytest.mark.parametrize("tail", ["%\n0\n\n", "%\n", "%\n0", "%\nanything at all\n"])
def test_a_percent_line_ends_the_file_as_in_satlib(tail: str) -> None:
    assert read_text("p cnf 2 1\n 1 -2 0\n" + tail).clauses == ((1, -2),)


def test_a_formula_may_be_empty() -> None:
    assert read_text("p cnf 0 0\n") == Cnf(0, ())


def test_the_largest_count_of_variables_is_no_memory() -> None:
    assert read_text("p cnf 4294967295 0\n").variables == 4294967295


@pytest.mark.parametrize("text", ["", "\n\n", "c only\nc comments\n", "%\n"])
def test_a_missing_header_is_named(text: str) -> None:
    require_fault(text, 0, "no header")


@for_each("clause", ["1 0", "0", "1", "1 -2", " 1\t0", "-1 2 0 1 0"])
@for_each("before", ["", "c comment\n", "\n\n"])
def test_a_clause_before_the_header_is_named(before: str, clause: str) -> None:
    text = f"{before}{clause}\np cnf 2 1\n"
    require_fault(text, before.count("\n") + 1, "before the header")


@pytest.mark.parametrize("between", ["", "1 0\n", "1\n", "c\n"])
def test_a_second_header_is_named_with_the_first(between: str) -> None:
    text = f"c\np cnf 1 1\n{between}p cnf 1 1\n"
    require_fault(text, 3 + between.count("\n"), "second header", "line 2")


@for_each(
    "header",
    [
        "p",
        "p cnf",
        "p cnf 1",
        "p cnf 1 1 1",
        "p cnf one 1",
        "p cnf 1 -1",
        "p cnf -1 1",
        "p cnf 1.0 1",
        "p cnf +1 1",
        "p cnf 1_0 1",
        "p cnf \u0661 1",
        "p cnf 1 1 c comment",
        "p dnf 1 1",
        "p wcnf 1 1 5",
        "p CNF 1 1",
        "pcnf 1 1",
        "p cnf1 1",
        "p cnf 1 " + "9" * 5000,
        "p cnf " + "9" * 11 + " 1",
    ],
)
@for_each("before", ["", "c comment\n"])
def test_a_bad_header_is_named(before: str, header: str) -> None:
    require_fault(f"{before}{header}\n1 0\n", before.count("\n") + 1, "p cnf VARIABLES CLAUSES")


@for_each(
    "promised, present",
    [pair for pair in itertools.product(range(6), repeat=2) if pair[0] != pair[1]],
)
def test_a_wrong_count_of_clauses_is_named_with_both_numbers(promised: int, present: int) -> None:
    text = f"c\np cnf 3 {promised}\n" + "1 -3 0\n" * present
    require_fault(text, 2, f"promises {promised} clauses", f"has {present}")


@for_each("clause", ["1", "1 2", "-2\n1", "1 0 2", "0 2", "1 0\n2", "2\n\n\n", "1 2\n%\n0"])
def test_an_unfinished_last_clause_is_named_where_it_starts(clause: str) -> None:
    start = 3 if clause == "1 0\n2" else 2
    require_fault(f"p cnf 2 1\n{clause}\n", start, "no closing 0")


@for_each("literal", [4, -4, 5, 100, -100, 2**31, -(2**33)])
@for_each("shape", ["{} 0", "1 {} 0", "1 -2 {} 3 0", "1 0 {} 0", " {}  0", "1\n{} 0", "{}"])
def test_a_literal_out_of_range_is_named(shape: str, literal: int) -> None:
    line = 3 if "\n" in shape else 2
    require_fault(
        f"p cnf 3 1\n{shape.format(literal)}\n", line, f"literal {literal} ", "3 variables"
    )


@for_each("token", [*JUNK, "d", "e", "None"])
@for_each("shape", ["{} 0", "1 {} 0", "1 0 {} 0", "1 {}"])
def test_a_token_that_is_no_literal_is_named(shape: str, token: str) -> None:
    require_fault(
        f"p cnf 3 2\n{shape.format(token)}\n", 2, "is not a literal", repr(token[:17])[:-1]
    )


@given(st.text(alphabet="0123-pcnf %\n\tx", max_size=60))
def test_any_text_is_read_or_refused_with_a_dimacs_error(text: str) -> None:
    try:
        cnf = read_text("p cnf 3 2\n" + text)
    except DimacsError:
        return
    assert len(cnf.clauses) == len(cnf.lines) == 2
    assert all(1 <= abs(literal) <= 3 for clause in cnf.clauses for literal in clause)


def test_binary_lines_are_decoded() -> None:
    handle = io.BytesIO("\ufeffc déjà vu\r\np cnf 1 1\r\n1 0\r\n".encode())
    cnf = read_cnf(read_text_lines(handle, "f.cnf"), "f.cnf")
    assert cnf == Cnf(1, ((1,),), ("déjà vu",), (3,))


@for_each(
    "garbage",
    [b"\0", b"1 \0 0", b"\xff\xfe1", b"\x1f\x8b\x08\x00", b"\xfd7zXZ\0", b"c caf\xe9"],
)
@for_each("before", [b"", b"p cnf 1 1\n", b"c\nc\n"])
def test_binary_garbage_is_named_with_its_line(before: bytes, garbage: bytes) -> None:
    handle = io.BytesIO(before + garbage + b"\n1 0\n")
    with pytest.raises(DimacsError, match="not text") as caught:
        read_cnf(read_text_lines(handle, "f.cnf"), "f.cnf")
    assert caught.value.line == before.count(b"\n") + 1


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused_with_a_dimacs_error(data: bytes) -> None:
    with pytest.raises(DimacsError):
        read_cnf(read_text_lines(io.BytesIO(b"p cnf 1 9999\n" + data), "f.cnf"), "f.cnf")


def test_comments_beyond_the_bound_take_no_memory() -> None:
    comments = Comments()
    comments.add(" board 9x9 ")
    for _ in range(70):
        comments.add("x" * (1 << 20))
    assert comments.kept[0] == "board 9x9"
    assert 60 < len(comments.kept) < 65


def test_short_comments_count_with_what_python_takes_for_each() -> None:
    comments = Comments(1000)
    for _ in range(1000):
        comments.add("")
    assert 10 < len(comments.kept) < 20
