"""Answers are found in tables, JSON and plain text, and a missing one stays in its place."""

import pytest

import satdoku
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.answers import grid_of_answer, read_answers, read_claims
from satdoku.puzzle.puzzle import Puzzle
from tests.commands import EASY, EASY_SOLUTION, SMALL, SMALL_SOLUTION
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


def test_long_answers_are_read_and_an_open_quote_is_told() -> None:
    long = f"{'so ' * 100_000}\n{SMALL_SOLUTION}"
    lines = ["id,answer\n", *f'1,"{long}"\n'.splitlines(keepends=True), "2,b\n"]
    assert list(read_answers(lines, "answers", None, is_single=False)) == [long, "b"]
    endless = ["id,answer\n", '1,"', *["x" * (1 << 20)] * 17]
    with pytest.raises(FormatError, match="answers: this table cannot be read: field larger"):
        list(read_answers(endless, "answers", None, is_single=False))


def test_an_answer_that_is_too_long_is_refused_and_not_cut() -> None:
    puzzle = satdoku.parse(EASY)
    lines = [EASY_SOLUTION + "x" * 1_000_000 + "\n"]
    [answer] = read_answers(lines, "answers", None, is_single=False)
    assert answer is not None
    for read in (grid_of_answer, read_claims):
        with pytest.raises(SatdokuError, match="longer than 1,000,000 characters"):
            read(answer, puzzle)


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(FormatError, match="no column 'guess'"):
        list(read_answers(["id,answer\n", "1,a\n"], "answers", "guess", is_single=False))


@for_each("is_single", [False, True])
def test_a_table_without_answers_is_no_text(is_single: bool) -> None:
    """Its header would be the first answer, and each other one that to the puzzle before."""
    lines = ["id,puzzle,guess\n", f"7,{SMALL},{SMALL_SOLUTION}\n"]
    with pytest.raises(FormatError, match="this table has no column answer, answers, "):
        list(read_answers(lines, "a.csv", None, is_single))
    assert list(read_answers(lines, "a.csv", "guess", is_single)) == [SMALL_SOLUTION]


def test_a_grid_is_read_with_the_digits_of_its_puzzle() -> None:
    puzzle = Puzzle.from_line(EASY)
    assert grid_of_answer(EASY_SOLUTION, puzzle).line == EASY_SOLUTION


def drawn(board: str, between: str = "") -> str:
    size = int(len(board) ** 0.5)
    return "\n".join(between.join(board[n : n + size]) for n in range(0, len(board), size))


WAYS = (
    "{}.",
    "**{}**",
    "`{}`",
    "$${}$$",
    "<think>maybe 1243342143122134</think>\n{}",
    "1243342143122134 has three 4s</think>\n\n{}",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    'Answer: "{}"',
    '{{"solution":"{}"}}',
    "Solution:{}!",
)


@for_each("way", WAYS)
def test_signs_that_touch_the_digits_are_no_part_of_the_board(way: str) -> None:
    for line, solution in ((EASY, EASY_SOLUTION), (SMALL, SMALL_SOLUTION)):
        puzzle = Puzzle.from_line(line)
        assert grid_of_answer(way.format(solution), puzzle).line == solution
        wrong = solution[::-1]
        assert grid_of_answer(way.format(wrong), puzzle).line == wrong
        other = f"{solution[:-2]}{wrong[:2]}"
        for text in (f"Not {other}, but\n{solution}", f"`{line}` becomes `{solution}`"):
            assert grid_of_answer(text, puzzle).line == solution
        with pytest.raises(SatdokuError, match="2 boards found"):
            grid_of_answer(f"`{other}` or `{solution}`", puzzle)
        for text in (drawn(solution), drawn(solution, " "), drawn(solution, " | ")):
            assert grid_of_answer(f"So:\n```text\n{text}\n```\nDone.", puzzle).line == solution


@for_each(
    "way",
    [
        "<think>{}</think>\nI give up.",
        "<think>{}",
        "{}1",
        "0.{}",
        "x{}",
        "{}\nFinally: {}",
        "{}, no: {}",
        "{} {}",
    ],
)
def test_a_board_before_a_broken_one_is_not_the_answer(way: str) -> None:
    for line, solution in ((EASY, EASY_SOLUTION), (SMALL, SMALL_SOLUTION)):
        with pytest.raises(SatdokuError):
            grid_of_answer(way.format(solution, solution[:-1]), Puzzle.from_line(line))
