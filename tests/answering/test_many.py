"""Small classic boards go to the bulk solver, whatever stands between them; all others do not."""

from collections.abc import Sequence
from random import Random

import pytest

from satdoku.answering.many import (
    LEAST_BOARDS,
    board_of,
    may_use_bulk,
    only_solutions,
    unique_outcome,
)
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import PlainBoard, plain_line
from satdoku.notation.spelling import Alphabet
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Limits
from satdoku.solving.questions import check
from satdoku.solving.solvers import Settings
from tests.answering.samples import tasks_of
from tests.boards import HARD, full_grid, read_grid, thin_out
from tests.commands import AMBIGUOUS, EASY, SMALL, SMALL_SOLUTION
from tests.each import for_each

SMALL_PUZZLE = Puzzle(read_grid(SMALL))


def boards_of(*puzzles: Puzzle) -> list[PlainBoard | None]:
    return [board_of(puzzle) for puzzle in puzzles]


def test_few_boards_of_a_geometry_are_left_to_check() -> None:
    few = boards_of(*[HARD] * (LEAST_BOARDS - 1))
    assert list(only_solutions(few)) == [None] * len(few)
    mixed = boards_of(*[HARD, SMALL_PUZZLE] * (LEAST_BOARDS - 1))
    assert list(only_solutions(mixed)) == [None] * len(mixed)


def test_boards_of_every_kind_keep_their_places() -> None:
    ambiguous = Puzzle(read_grid(AMBIGUOUS))
    large = Puzzle(thin_out(Random(1), full_grid(Random(1), Geometry(4, 4)), 200))
    puzzles = [HARD, SMALL_PUZZLE, ambiguous, large] * LEAST_BOARDS
    for puzzle, found in zip(puzzles, only_solutions(boards_of(*puzzles)), strict=True):
        outcome = check(puzzle)
        is_only = outcome.solution is not None and outcome.second is None
        expected = bytes(outcome.solution.digits) if is_only and outcome.solution else None
        assert (found and found.solution) == (expected if puzzle is not large else None)


def test_the_outcome_is_that_of_check() -> None:
    solution = bytes(map(int, SMALL_SOLUTION))
    quick, careful = unique_outcome(SMALL_PUZZLE, solution, Settings()), check(SMALL_PUZZLE)
    assert (quick.verdict, quick.solution) == (careful.verdict, careful.solution)
    assert quick.statistics.solver == careful.statistics.solver


@pytest.mark.parametrize(
    ("geometry", "is_small"), [((1, 1), False), ((2, 2), True), ((3, 3), True), ((2, 5), False)]
)
def test_only_small_boards_are_given_to_the_bulk_solver(
    geometry: tuple[int, int], is_small: bool
) -> None:
    puzzle = Puzzle(full_grid(Random(1), Geometry(*geometry)))
    assert (board_of(puzzle) is not None) is is_small


def test_puzzles_with_rules_of_their_own_are_not_given_to_the_bulk_solver() -> None:
    class Variant(Puzzle):
        is_classic = False

    assert board_of(Variant(SMALL_PUZZLE.grid)) is None


@for_each("line", [SMALL, SMALL.replace(".", "0"), EASY, ".2...6" * 6, "." * 64])
def test_a_bare_line_is_the_board_of_the_puzzle_in_it(line: str) -> None:
    [task] = tasks_of([line], format_name="line")
    board = task.parser.plain_board(task.record)
    assert board == board_of(task.parse())
    assert board is not None
    assert plain_line(board, board.digits) == line.replace("0", ".")


@for_each(
    "lines, hints",
    [
        ([SMALL + " its name"], None),
        ([SMALL.replace(".", "_")], None),
        ([" " + SMALL[:-1]], None),
        (["." * 25], None),
        (["5" + SMALL[1:]], None),
        ([SMALL], Hints(Geometry(1, 4))),
        ([SMALL], Hints(alphabet=Alphabet("1"))),
        (["puzzle,name", f"{SMALL},x"], None),
        ([f'"{SMALL}"'], None),
    ],
)
def test_whatever_else_there_is_has_to_be_parsed(lines: Sequence[str], hints: Hints | None) -> None:
    [task] = tasks_of(lines, hints)
    assert task.parser.plain_board(task.record) is None


def test_what_the_user_decided_is_not_done_in_bulk() -> None:
    assert may_use_bulk(Settings())
    assert may_use_bulk(Settings(limits=Limits(timeout=1)))
    for settings in (
        Settings(solver="minicard"),
        Settings(encoding="extended"),
        Settings(at_most_one="pairwise"),
        Settings(command="kissat"),
        Settings(portfolio=("minicard",)),
        Settings(limits=Limits(conflicts=1000)),
        Settings(limits=Limits(timeout=0.9)),
    ):
        assert not may_use_bulk(settings)
