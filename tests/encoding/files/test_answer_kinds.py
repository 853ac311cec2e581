"""Answers of solvers that are asked for more than clauses."""

import pytest

from satdoku.encoding.choices import Status
from satdoku.encoding.files.answer import read_answer
from satdoku.errors import DimacsError


@pytest.mark.parametrize(
    "lines",
    [
        ["v x1 -x2 x3", "s SATISFIABLE"],
        ["c clasp", "c Answer: 1", "v x1 -x2", "v x3", "s SATISFIABLE"],
        ["s SATISFIABLE", "o 7 8", "v 1 -2 3"],
    ],
)
def test_variables_may_have_names(lines: list[str]) -> None:
    answer = read_answer(lines)
    assert (answer.true, tuple(answer.false), answer.cost) == ((1, 3), (-2,), None)
    assert (answer.is_complete, answer.is_optimal) == (False, False)


@pytest.mark.parametrize("values", ["v 10110111011", "v 1 -2 3 4 -5 6 7 8 -9 10 11"])
def test_the_answer_of_a_maxsat_solver_is_read(values: str) -> None:
    answer = read_answer(["c talk", "o 5", "o 3", "s OPTIMUM FOUND", values])
    assert answer.true == (1, 3, 4, 6, 7, 8, 10, 11)
    assert tuple(answer.false) == (-2, -5, -9)
    assert (answer.status, answer.is_optimal, answer.cost) == (Status.SATISFIABLE, True, 3)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("v 1 x2", "'x2' is not a literal"),
        ("v x1 -x1", "contradict"),
        ("v 10110111011 1", "'10110111011' is not a literal"),
        ("v 10110111012", "'10110111012' is not a literal"),
    ],
)
def test_shapes_are_not_mixed(line: str, words: str) -> None:
    with pytest.raises(DimacsError, match=words) as caught:
        read_answer([line])
    assert caught.value.line == 1
