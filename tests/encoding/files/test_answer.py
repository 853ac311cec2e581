import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.encoding.choices import Status
from satdoku.encoding.files.answer import SolverAnswer
from satdoku.encoding.files.answer import read_answer as read_answer_lines
from satdoku.errors import DimacsError
from tests.each import for_each
from tests.encoding.files.formulas import JUNK

SATISFIABLE, UNSATISFIABLE, UNKNOWN = Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN

MINISAT_TALK = """\
WARNING: for repeatability, setting FPU to use double precision
============================[ Problem Statistics ]=============================
|  Number of variables:             3                                         |
===============================================================================
restarts              : 1
conflicts             : 0              (-nan /sec)
CPU time              : 0 s

"""

# Answers of pseudo-Boolean solvers have values such as x1.
NO_VALUES = [each for each in JUNK if each != "x1"] + ["y1", str(2**31), str(-(2**31))]

models = st.lists(st.booleans(), max_size=40).map(
    lambda values: tuple(v if is_true else -v for v, is_true in enumerate(values, 1))
)


def read_answer(text: str, source: str = "<answer>") -> SolverAnswer:
    answer = read_answer_lines(text.split("\n"), source)
    return SolverAnswer(answer.status, answer.true, tuple(answer.false), answer.is_complete)


def require_fault(text: str, line: int, *words: str) -> None:
    with pytest.raises(DimacsError) as caught:
        read_answer(text, "out")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"out:{line}: " if line else "out: ")
    assert all(word in caught.value.message for word in words), caught.value.message


@for_each(
    "text",
    [
        "s SATISFIABLE\nv 1 -2 3 0\n",
        "s SATISFIABLE\nv 1\nv -2\nv 3\nv 0\n",
        "c talk\nc\nv 1 -2\nv 3 0\ns SATISFIABLE\nc more talk\n",
        "s SATISFIABLE\nv\nv 1 -2 3\nv\nv 0",
        "s SATISFIABLE\r\nv 1 -2 3 0\r\n",
        "  s   SATISFIABLE\n\tv 1  -2\t3 0\n",
        "s SATISFIABLE\nv 1 1 -2 3 3 0\n",
        "SAT\n1 -2 3 0\n",
        "SATISFIABLE\n1 -2 3 0\n",
        "sat\n1 -2\n3 0\n",
        MINISAT_TALK + "SATISFIABLE\nSAT\n1 -2 3 0\n",
        "1 -2 3 0",
        "1\n-2\n3\n0\n",
        "1 -2\n\n3 0\n",
        "c a list\n1 -2 3 0\n",
        "c clasp version 3.3.5\nc Answer: 1\nv 1 -2 3 0\ns SATISFIABLE\nc Models : 1+\n",
        "c UNKNOWN\ns SATISFIABLE\nv 1 -2 3 0\n",
        "Solving...\ns SATISFIABLE\nv 1 -2 3 0\nreal 0m0.004s\n",
        "s SAT\nv 1 -2 3 0\n",
    ],
)
def test_each_usual_shape_gives_the_same_model(text: str) -> None:
    assert read_answer(text) == SolverAnswer(SATISFIABLE, (1, 3), (-2,), is_complete=True)


@for_each(
    "text",
    [
        "s SATISFIABLE\nv 1 -2 3\n",
        "s SATISFIABLE\nv 1 -2\nv 3",
        "SAT\n1 -2 3",
        "1 -2 3\n",
        "v 1 -2 3",
    ],
)
def test_values_without_the_closing_0_are_not_complete(text: str) -> None:
    assert read_answer(text) == SolverAnswer(SATISFIABLE, (1, 3), (-2,), is_complete=False)


@pytest.mark.parametrize("text", ["s SATISFIABLE\nv 0\n", "v  0\ns SATISFIABLE", "SAT\n 0\n", "0"])
def test_a_model_of_no_literals_may_be_complete(text: str) -> None:
    assert read_answer(text) == SolverAnswer(SATISFIABLE, is_complete=True)


@pytest.mark.parametrize("text", ["s SATISFIABLE\n", "SAT\n", "SATISFIABLE", "c\ns SATISFIABLE\nv"])
def test_satisfiable_without_values_is_left_to_the_caller(text: str) -> None:
    assert read_answer(text) == SolverAnswer(SATISFIABLE)


@for_each(
    "text",
    [
        "s UNSATISFIABLE\n",
        "UNSAT\n",
        "UNSATISFIABLE\n",
        "unsat",
        "s UNSAT",
        MINISAT_TALK + "UNSATISFIABLE\nUNSAT\n",
        "c talk\ns UNSATISFIABLE\nc UNKNOWN\n",
    ],
)
def test_unsatisfiable_is_read(text: str) -> None:
    assert read_answer(text) == SolverAnswer(UNSATISFIABLE)


@for_each(
    "text",
    [
        "s UNKNOWN\n",
        "s INDETERMINATE\n",
        "INDET\n",
        "INDETERMINATE\n",
        "unknown",
        "c UNKNOWN\n",
        "c talk\nc UNKNOWN\nc exit 0\n",
        MINISAT_TALK + "INDETERMINATE\n",
    ],
)
def test_a_solver_that_gave_up_is_unknown(text: str) -> None:
    assert read_answer(text) == SolverAnswer(UNKNOWN)


def test_the_values_of_a_solver_that_gave_up_are_kept() -> None:
    assert read_answer("v 1 -2 0\ns UNKNOWN\n") == SolverAnswer(UNKNOWN, (1,), (-2,), True)


@pytest.mark.parametrize("thousands", [1, 10, 14, 40])
def test_a_line_of_any_length_is_read(thousands: int) -> None:
    """Long ones are taken apart piece by piece."""
    model = [n if n % 3 else -n for n in range(1, thousands * 1000)]
    answer = read_answer(" ".join(map(str, model)) + " 0")
    assert [*answer.true, *answer.false] == sorted(model, key=lambda n: (n < 0, abs(n)))


@given(models, st.data())
def test_a_model_reads_back_however_its_lines_break(
    model: tuple[int, ...], data: st.DataObject
) -> None:
    text, is_fresh = "s SATISFIABLE\n", True
    for literal in (*model, 0):
        text += f"v {literal}" if is_fresh else f" {literal}"
        is_fresh = data.draw(st.booleans())
        text += "\n" if is_fresh else ""
    true, false = (n for n in model if n > 0), (n for n in model if n < 0)
    assert read_answer(text) == SolverAnswer(SATISFIABLE, tuple(true), tuple(false), True)


@given(models.filter(bool), st.data())
def test_a_truncated_answer_is_never_complete(model: tuple[int, ...], data: st.DataObject) -> None:
    text = f"s SATISFIABLE\nv {' '.join(map(str, model))} 0"
    cut = text[: data.draw(st.integers(len("s SATISFIABLE"), len(text) - 1))]
    try:
        answer = read_answer(cut)
    except DimacsError:
        # A number cut short: "-12" to "-", or to "-1" although 1 came before.
        assert not cut[-1].isspace()
    else:
        assert answer.status is SATISFIABLE
        assert not answer.is_complete


@for_each("text", ["", "\n\n", "c\nc talk\n", "Killed\n", "ERROR! Unknown flag\n", "v", "\0\1"])
def test_no_answer_is_named(text: str) -> None:
    require_fault(text, 0, "no answer")


@for_each("word", ["", "SATISFYABLE", "satisfiable", "OPTIMUM", "mc 288", "1", "SATISFIABLE 1"])
def test_an_unknown_status_is_named(word: str) -> None:
    require_fault(f"c\ns {word}\n", 2, "is not a solver's status", repr(word))


@for_each("first", ["SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"])
@for_each("second", ["SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"])
@for_each("mark", ["", "s "])
def test_two_statuses_must_agree(mark: str, first: str, second: str) -> None:
    text = f"s {first}\nc\n{mark}{second}\n"
    if first == second:
        assert read_answer(text).status.name == first
    else:
        require_fault(text, 3, second, "line 1")


@for_each("values", ["v 1 0", "1 -2 0", "v 1"])
@for_each("is_first", [False, True])
def test_unsatisfiable_with_values_is_refused(values: str, is_first: bool) -> None:
    lines = [values, "s UNSATISFIABLE"] if is_first else ["s UNSATISFIABLE", values]
    require_fault("\n".join(lines), 1 if is_first else 2, "UNSATISFIABLE", "values")


@for_each("literal", [1, -1, 5, -5, 729, -729, 2**31 - 1])
@for_each("shape", ["v {} {} 0", "v {} 9 {} 0", "v {}\nv {} 0", "{} {}", "{}\n{}"])
def test_contradictory_literals_are_named_with_both_lines(shape: str, literal: int) -> None:
    text = shape.format(literal, -literal)
    require_fault(
        text,
        1 + text.count("\n"),
        f"{abs(literal)} and -{abs(literal)} contradict each other",
        "on line 1",
    )


def test_a_contradiction_is_with_the_first_of_equal_literals() -> None:
    require_fault("v 5\nv 5\nv -5 0\n", 3, "line 1")


@for_each("token", [*NO_VALUES, "s", "v", "c", "SATISFIABLE"])
@for_each("shape", ["v {}", "v 1 {} 0", "v {} 1 0", "v 1\nv {} 0", "1 {} 0", "1 0 {}"])
def test_junk_among_values_is_named(shape: str, token: str) -> None:
    text = "s SATISFIABLE\n" + shape.format(token)
    require_fault(text, 1 + text.count("\n"), "is not a literal", repr(token[:17])[:-1])


@for_each("text", ["v 1 0 2 0", "v 1 0\nv 2 0", "1 0\n0", "v 1 0\nv 0", "SAT\n1 0\n-1 0\n"])
def test_values_after_the_closing_0_are_named(text: str) -> None:
    require_fault(text, 1 + text.strip().count("\n"), "after the closing 0")


@given(st.text(alphabet="svc 012-\nSATUNKOWIFBLEx", max_size=60))
def test_any_text_is_read_or_refused_with_a_dimacs_error(text: str) -> None:
    try:
        answer = read_answer(text)
    except DimacsError:
        return
    assert not any(-literal in answer.true for literal in answer.false)


FORMULAS = {
    "p cnf 3 3\n1 -2 0\n2 3 0\n-1 -3 0\n": SATISFIABLE,
    "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n": UNSATISFIABLE,
    "p cnf 0 0\n": SATISFIABLE,
}


@pytest.mark.parametrize("cnf", FORMULAS)
@pytest.mark.parametrize(
    "command",
    [
        "minisat {cnf} {out}",
        "cadical {cnf}",
        "cadical -q {cnf}",
        "cryptominisat5 {cnf}",
        "cryptominisat5 --verb 0 {cnf}",
        "clasp {cnf}",
        "clasp --verbose=0 {cnf}",
    ],
)
def test_what_real_solvers_print_is_read(command: str, cnf: str, tmp_path: Path) -> None:
    program = command.split()[0]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    source, out = tmp_path / "f.cnf", tmp_path / "out"
    source.write_text(cnf)
    words = [word.format(cnf=source, out=out) for word in command.split()]
    printed = subprocess.run(words, capture_output=True, text=True, timeout=60).stdout
    answer = read_answer(out.read_text() if "{out}" in command else printed)
    assert answer.status is FORMULAS[cnf]
    assert answer.is_complete is (answer.status is SATISFIABLE)
    if answer.status is SATISFIABLE:
        clauses = [[*map(int, line.split())][:-1] for line in cnf.splitlines()[1:]]
        assert all({*answer.true, *answer.false} & set(clause) for clause in clauses)
