"""What each further clue leaves, against counting with the clue."""

import pytest

from satdoku.making.narrowing import find_further_clues
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import read_cell
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import count
from tests.each import for_each


def left_by(puzzle: Puzzle, text: str) -> int:
    board = puzzle.geometry
    if ":" in text:
        rules = read_rules([*puzzle.rule_texts, text], board)
        return count(Puzzle(puzzle.grid).with_rules(rules)).number
    name, _, digit = text.partition("=")
    lowest = 0 if puzzle.symbols_of_rules else 1
    given = {read_cell(name, board): int(digit) - lowest + 1}
    return count(puzzle.with_grid(puzzle.grid.with_digits(given))).number


@for_each(
    "rules",
    [[], ["killer:5=r1c2,r2c2"], ["thermo:r1c1,r2c2,r3c3"], ["digits:0-3"]],
)
def test_a_clue_leaves_as_many_solutions_as_it_says(rules: list[str]) -> None:
    require_right(Puzzle.from_line("1.....2" + "." * 9, Geometry(2, 2), rules))


@for_each(
    "board",
    [
        "board:2x3:raw:digits=3",
        "board:3x3:raw:digits=2",
        "board:4x4:boxes=1x2:areas=r1c1+r3c3:digits=2",
    ],
)
def test_a_clue_of_any_board_leaves_as_many_solutions_as_it_says(board: str) -> None:
    require_right(Puzzle(Grid.empty(Geometry.parse(board))))


def require_right(puzzle: Puzzle) -> None:
    found = find_further_clues(puzzle, 1000, Budget())
    assert found.is_complete
    assert found.solutions == count(puzzle).number > 1
    assert found.clues
    lefts = [clue.left for clue in found.clues]
    assert lefts == sorted(lefts)
    # Clues of every kind: the names before the colon, and givens.
    kinds = {clue.text.partition(":")[0][:2]: clue for clue in found.clues}
    assert len(kinds) > 3
    skyscrapers = [clue for clue in found.clues if clue.text.startswith("skyscraper")]
    for clue in [*kinds.values(), *found.clues[:5], *skyscrapers]:
        assert left_by(puzzle, clue.text) == clue.left


def test_of_too_many_solutions_some_are_looked_at() -> None:
    found = find_further_clues(Puzzle.from_line("." * 16), 20, Budget())
    assert (found.solutions, found.is_complete) == (20, False)


def test_a_limit_ends_the_list() -> None:
    with pytest.raises(LimitReachedError):
        find_further_clues(Puzzle.from_line("." * 36), 20, Budget(Limits(timeout=0)))
