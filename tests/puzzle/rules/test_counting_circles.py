"""Counting circles, told by sums: as the judge tells them."""

from random import Random

from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.questions import find_solutions
from tests.crossing import crossed
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid


@crossed(3, lowest=[0, 1, 2], count=[1, 3, 5, 6, 8, 10, 12])
def test_sums_and_judge_agree_on_every_grid(lowest: int, count: int) -> None:
    cells = Random(count).sample(range(16), count)
    names = ",".join(f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in cells)
    texts = [f"digits:{lowest}-{lowest + 3}", f"counting-circles:{names}"]
    puzzle = Puzzle(Grid.empty(SMALL), rules=(*LINES_ONLY, *read_rules(texts, SMALL)))
    expected = {grid for grid in every_grid(LINES_ONLY) if not find_fault(grid, puzzle)}
    assert set(find_solutions(puzzle)) == expected
