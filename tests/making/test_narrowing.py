"""What each further clue leaves, against counting with the clue."""

import pytest

from satdoku.making.narrowing import find_further_clues
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import count
from tests.each import for_each


def left_by(puzzle: Puzzle, text: str) -> int:
    if ":" in text:
        narrowed = puzzle.with_rules(
            Puzzle.from_line(
                puzzle.grid.line, puzzle.geometry, [*puzzle.rule_texts, text]
            ).further_rules
        )
    else:
        name, _, digit = text.partition("=")
        cells = {puzzle.geometry.name_of(cell): cell for cell in range(16)}
        lowest = 0 if puzzle.symbols_of_rules else 1
        given = {cells[name]: int(digit) - lowest + 1}
        narrowed = puzzle.with_grid(puzzle.grid.with_digits(given))
    return count(narrowed).number


@for_each(
    "rules",
    [[], ["killer:5=r1c2,r2c2"], ["thermo:r1c1,r2c2,r3c3"], ["digits:0-3"]],
)
def test_a_clue_leaves_as_many_solutions_as_it_says(rules: list[str]) -> None:
    puzzle = Puzzle.from_line("1.....2" + "." * 9, Geometry(2, 2), rules)
    found = find_further_clues(puzzle, 1000, Budget())
    assert found.is_complete
    assert found.solutions == count(puzzle).number > 1
    assert found.clues
    lefts = [clue.left for clue in found.clues]
    assert lefts == sorted(lefts)
    # Clues of every kind: the names before the colon, and givens.
    kinds = {clue.text.partition(":")[0][:2]: clue for clue in found.clues}
    assert len(kinds) > 3
    for clue in [*kinds.values(), *found.clues[:5]]:
        assert left_by(puzzle, clue.text) == clue.left


def test_of_too_many_solutions_some_are_looked_at() -> None:
    found = find_further_clues(Puzzle.from_line("." * 16), 20, Budget())
    assert (found.solutions, found.is_complete) == (20, False)


def test_a_limit_ends_the_list() -> None:
    with pytest.raises(LimitReachedError):
        find_further_clues(Puzzle.from_line("." * 36), 20, Budget(Limits(timeout=0)))
