"""Why a cell has its digit, and why another digit does not stand there."""

import pytest

from satdoku.errors import SatdokuError
from satdoku.explaining.explain import explain
from satdoku.explaining.trace import every_exclusion
from satdoku.explaining.true_candidates import find_true_candidates
from satdoku.explaining.why import Question, answer, read_question, why_excluded_everywhere
from satdoku.explaining.words.explanation import numbered
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.solving.limits import Budget
from tests.boards import clashing_puzzle, read_grid, stuck_puzzle
from tests.each import for_each
from tests.explaining.judging import StepJudge
from tests.explaining.samples import of_file, shaped_puzzle, way_of

SMALL = Puzzle(read_grid("1.....2..3.....4"))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("r1c2", (1, None)),
        ("r4c4=3", (15, 3)),
        ("r2c1!=3", (4, 3)),
        ("r2c1≠4", (4, 4)),
        ("R2C1", (4, None)),
    ],
)
def test_questions_are_read(text: str, question: tuple[int, int | None]) -> None:
    assert read_question(text, SMALL) == Question(*question)


def test_questions_about_boards_that_are_no_squares_are_read() -> None:
    wide = Puzzle(Grid.empty(Geometry.parse("board:2x5:raw:digits=3")))
    assert read_question("r2c5", wide) == Question(9)
    with pytest.raises(SatdokuError, match="not a cell of a board of 2x5 with 3 digits"):
        read_question("r3c1", wide)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c1r1", "write r4c5, r4c5=7 or r4c5!=3"),
        ("r5c1", "not a cell of a board of 4x4"),
        ("r1c1=7", "'7' in 'r1c1=7' is not a digit of this puzzle"),
    ],
)
def test_what_asks_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(SatdokuError, match=message):
        read_question(text, SMALL)


@for_each(
    "text, sentence",
    [
        ("r1c1", "r1c1 is given as 1."),
        ("r1c1=2", "r1c1 is given as 1, so it is no other."),
        ("r1c2", "r1c2 is 2, for these reasons:"),
        ("r1c2=2", "r1c2 is 2, for these reasons:"),
        ("r1c2!=3", "r1c2 is not 3: it sees the 3 in r3c2."),
        ("r2c2=3", "r2c2 is not 3: it sees the 3 in r3c2."),
        ("r1c4!=1", "r1c4 is not 1: it sees the 1 in r1c1."),
    ],
)
def test_what_is_said(text: str, sentence: str) -> None:
    assert answer(read_question(text, SMALL), explain(SMALL).way).sentence == sentence


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("odd:r2c1", "r2c1 is not 4: it is odd."),
        ("pair-sum:3=r1c1,r2c1", "r2c1 is not 4: r1c1 and r2c1 sum to 3, and r1c1 is 1."),
    ],
)
def test_what_a_rule_forbids_needs_no_step(rule: str, sentence: str) -> None:
    puzzle = SMALL.with_rules([read_rule(rule, Geometry(2, 2))])
    found = answer(read_question("r2c1=4", puzzle), explain(puzzle).way)
    assert found.sentence == sentence


def test_full_houses_fill_the_last_empty_cell_of_the_board_that_is_told() -> None:
    found = answer(Question(10), explain(SMALL).way)
    assert found.way is not None
    assert list(numbered(found.way)) == [
        "1 Hidden single: row 2 still needs a 1; the 1 in r1c1 leaves only r2c4.",
        "2 Hidden single: row 3 still needs a 1; the 1s in r1c1 and r2c4 leave only r3c3.",
    ]


def test_what_several_solutions_leave_open_has_no_reason() -> None:
    puzzle = Puzzle(read_grid("1.....2........4"))
    explanation = explain(puzzle)
    assert answer(Question(9), explanation.way).sentence == "No step places a digit in r3c2."
    assert answer(Question(9, 3), explanation.way).sentence == "No step excludes 3 from r3c2."


def test_every_cell_and_every_digit_of_a_puzzle_has_a_reason_that_holds() -> None:
    for puzzle in of_file("stubborn", 1):
        explanation = explain(puzzle)
        assert explanation.solution is not None
        for cell in range(0, 81, 7):
            for digit in (None, *range(1, 10, 2)):
                found = answer(Question(cell, digit), explanation.way)
                assert not found.sentence.startswith("No step")
                if found.way is not None:
                    StepJudge(puzzle).judge(found.way)


OPEN = Puzzle(read_grid("1.....2........4"))


def sentences(puzzle: Puzzle, text: str) -> list[str]:
    """What is said about candidates that no solution has."""
    true = find_true_candidates(puzzle, Budget())
    found = why_excluded_everywhere(read_question(text, puzzle), way_of(puzzle), true)
    return [one.sentence for one in found]


@for_each(
    "text, said",
    [
        ("r1c1", ["r1c1 is given as 1."]),
        ("r1c1=2", ["r1c1 is given as 1, so it is no other."]),
        ("r3c2=4", ["r3c2 can be 4: some solution has it there."]),
        ("r3c2=2", ["r3c2 is not 2, for these reasons:"]),
        ("r3c2", ["r3c2 is not 2, for these reasons:"]),
    ],
)
def test_what_is_said_of_candidates(text: str, said: list[str]) -> None:
    assert sentences(OPEN, text) == said


def test_without_a_solution_every_candidate_has_the_same_reason() -> None:
    square = Geometry(2, 2)
    clash = clashing_puzzle(square)
    assert sentences(clash, "r4c4")[0].startswith("There is no solution at all: r1c1 and r1c4")
    assert sentences(stuck_puzzle(square), "r4c4=1") == [
        "There is no solution at all, for these reasons:"
    ]


@pytest.mark.parametrize("seed", range(4))
def test_every_candidate_that_no_solution_has_is_excluded_by_a_step(seed: int) -> None:
    """Also where several solutions are left: then the steps go exactly as far as the solutions."""
    puzzle = shaped_puzzle(Geometry(2, 3), seed)
    for cell in list(puzzle.givens)[:3]:
        puzzle = puzzle.with_grid(puzzle.grid.with_digits({cell: 0}))
    way = way_of(puzzle)
    possible = set(find_true_candidates(puzzle, Budget()).witness)
    kept = {
        placement
        for number, placement in enumerate(way.board.placements)
        if number and number not in every_exclusion(way)
    }
    assert kept == possible - {(cell, digit) for cell, digit in puzzle.givens.items()}
