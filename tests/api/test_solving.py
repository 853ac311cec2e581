import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import satdoku
from satdoku import Geometry, Grid, Limits, Puzzle, Settings, Verdict
from satdoku.solving.questions import Count
from tests.boards import TOO_HARD, USUAL_SHAPES, full_grid
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL, run
from tests.each import for_each

LEETCODE = [
    ["5", "3", ".", ".", "7", ".", ".", ".", "."],
    ["6", ".", ".", "1", "9", "5", ".", ".", "."],
    [".", "9", "8", ".", ".", ".", ".", "6", "."],
    ["8", ".", ".", ".", "6", ".", ".", ".", "3"],
    ["4", ".", ".", "8", ".", "3", ".", ".", "1"],
    ["7", ".", ".", ".", "2", ".", ".", ".", "6"],
    [".", "6", ".", ".", ".", ".", "2", "8", "."],
    [".", ".", ".", "4", "1", "9", ".", ".", "5"],
    [".", ".", ".", ".", "8", ".", ".", "7", "9"],
]
DEFAULT_SHAPES = [shape for shape in USUAL_SHAPES if shape == Geometry.of_size(shape.size)]
LETTERS = "123456789ABCDEFG"


def text_of(grid: Grid) -> str:
    return "".join(map(str, grid.digits))


def test_a_leetcode_board_is_solved_in_place_in_one_line() -> None:
    board = [row.copy() for row in LEETCODE]
    rows = list(board)
    satdoku.solve_in_place(board)
    assert ["".join(row) for row in board] == [EASY_SOLUTION[n : n + 9] for n in range(0, 81, 9)]
    assert all(new is old for new, old in zip(board, rows, strict=True))


@for_each("geometry", DEFAULT_SHAPES)
@for_each(
    "kind, blank",
    [(int, 0), (int, None), (int, "."), (str, "."), (str, ""), (str, "0"), (str, None)],
)
def test_numbers_stay_numbers_and_texts_texts(
    geometry: Geometry, kind: Callable[[int], int | str], blank: Any
) -> None:
    solved = [[kind(digit) for digit in row] for row in full_grid(Random(5), geometry).rows]
    board: list[list[Any]] = [list(row) for row in solved]
    board[0][0] = board[-1][-1] = blank
    satdoku.solve_in_place(board)
    assert board == solved


def test_letters_stay_letters() -> None:
    grid = full_grid(Random(5), Geometry(4, 4))
    solved = [[LETTERS[digit - 1] for digit in row] for row in grid.rows]
    board = [row.copy() for row in solved]
    board[0] = ["."] * 16
    satdoku.solve_in_place(board)
    assert board == solved


def test_a_board_without_unique_solution_is_left_alone() -> None:
    board = [list("1..."), list("...."), list("...."), list("....")]
    before = [row.copy() for row in board]
    with pytest.raises(satdoku.UnsolvedError, match="several solutions: two of them differ in"):
        satdoku.solve_in_place(board)
    assert board == before


@pytest.mark.parametrize(
    ("puzzle", "verdict", "words"),
    [
        (AMBIGUOUS, Verdict.MULTIPLE, "several solutions"),
        (CLASHING, Verdict.NONE, "no solution: r1c1 and r1c2 are both 5, in row 1"),
        (TOO_HARD, Verdict.UNDECIDED, "undecided: "),
    ],
    ids=["multiple", "none", "undecided"],
)
def test_unsolved_says_why_and_has_the_outcome(
    puzzle: str | Puzzle, verdict: Verdict, words: str
) -> None:
    with pytest.raises(satdoku.UnsolvedError) as caught:
        satdoku.solve(puzzle, Settings(limits=Limits(timeout=0.1)))
    travelled = pickle.loads(pickle.dumps(caught.value))
    for error in (caught.value, travelled):
        assert words in str(error)
        assert error.outcome.verdict is verdict


def test_check_gives_the_evidence() -> None:
    outcome = satdoku.check(AMBIGUOUS)
    assert outcome.verdict is Verdict.MULTIPLE
    assert outcome.solution is not None
    assert outcome.second is not None
    assert outcome.solution.differences(outcome.second) == outcome.differences != ()
    assert [str(clash) for clash in satdoku.check(CLASHING).clashes] == [
        "r1c1 and r1c2 are both 5, in row 1"
    ]


def test_counting_and_listing_agree() -> None:
    assert satdoku.count(AMBIGUOUS) == Count(72, is_complete=True)
    assert len({grid.digits for grid in satdoku.solutions(AMBIGUOUS)}) == 72
    limited = satdoku.count(AMBIGUOUS, limit=5)
    assert (limited.number, limited.is_at_limit, str(limited)) == (5, True, "5+")
    assert satdoku.count(AMBIGUOUS, limit=72).is_complete
    assert satdoku.count(CLASHING) == Count(0, is_complete=True)


def test_solutions_come_one_by_one() -> None:
    found = satdoku.solutions("." * 81)
    assert next(found) != next(found)


@pytest.mark.parametrize("puzzle", [SMALL, AMBIGUOUS, CLASHING])
def test_an_outcome_as_an_object_is_what_the_command_shows(puzzle: str) -> None:
    shown = json.loads(run("check", "--json", "--no-stats", puzzle).stdout)
    assert shown == {"line": 1, **satdoku.to_object(satdoku.check(puzzle))}


def test_the_easy_puzzle() -> None:
    assert text_of(satdoku.solve(EASY)) == EASY_SOLUTION
