"""Answers are found in tables, JSON and plain text, and a missing one stays in its place."""

import pytest

from satdoku.errors import FormatError
from satdoku.notation.answers import grid_of_answer, read_answers
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import EASY, EASY_SOLUTION
from tests.each import for_each

TEXTS = {
    "a\nb\n": ["a", "b"],
    "\na\n": [None, "a"],
    "id,answer\n1,a\n2,\n3,c\n": ["a", None, "c"],
    'id,answer\n1,"a\nb"\n': ["a\nb"],
    '{"answer": "a"}\n{"answer": "b"}\n': ["a", "b"],
    '["a",\n "b"]\n': ["a", "b"],
}


@for_each("text", TEXTS)
def test_each_answer_has_its_place(text: str) -> None:
    found = read_answers(text.splitlines(keepends=True), "answers", None, is_single=False)
    assert [each and each.strip() for each in found] == TEXTS[text]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(FormatError, match="no column 'guess'"):
        list(read_answers(["id,answer\n", "1,a\n"], "answers", "guess", is_single=False))


def test_a_grid_is_read_with_the_digits_of_its_puzzle() -> None:
    puzzle = Puzzle.from_line(EASY)
    assert grid_of_answer(EASY_SOLUTION, puzzle).line == EASY_SOLUTION
