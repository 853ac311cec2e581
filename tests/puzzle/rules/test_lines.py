"""Between and lockout lines, told by which end is lower: as the judge tells them."""

from random import Random

from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.questions import find_solutions
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid


@for_each("kind", ["between:", "lockout:1=", "lockout:2=", "lockout:3=", "lockout:4="])
@for_each("length", [3, 4, 6])
def test_cases_and_judge_agree_on_every_grid(kind: str, length: int) -> None:
    # Cells from anywhere, so that some may be equal and some not.
    cells = Random(f"{kind}{length}").sample(range(16), length)
    rule = kind + ",".join(f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in cells)
    puzzle = Puzzle(Grid.empty(SMALL), rules=(*LINES_ONLY, *read_rules([rule], SMALL)))
    expected = {grid for grid in every_grid(LINES_ONLY) if not find_fault(grid, puzzle)}
    assert set(find_solutions(puzzle)) == expected
