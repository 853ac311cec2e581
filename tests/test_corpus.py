"""The puzzles of tests/data/puzzles.txt: a new bug is a new line there."""

from pathlib import Path

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import count, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import read_grid
from tests.each import for_each
from tests.oracle import solutions_of

LINES = [
    line.split(":")
    for line in (Path(__file__).parent / "data" / "puzzles.txt").read_text().splitlines()
    if not line.startswith("#")
]

corpus = for_each(
    "text, number, solution", [(text, int(number), solution) for text, number, solution, _ in LINES]
)


@corpus
@for_each("encoding", Encoding)
def test_puzzle_has_its_number_of_solutions(
    text: str, number: int, solution: str, encoding: Encoding
) -> None:
    puzzle = Puzzle(read_grid(text))
    settings = Settings(encoding=encoding)
    assert count(puzzle, settings=settings).number == number
    if number == 1:
        assert list(find_solutions(puzzle, settings)) == [read_grid(solution)]


@corpus
def test_the_oracle_agrees(text: str, number: int, solution: str) -> None:
    grid = read_grid(text)
    found = list(solutions_of(grid.geometry.box_rows, grid.geometry.box_columns, grid.digits))
    assert len(found) == number
    if number == 1:
        assert found == [read_grid(solution).digits]
    else:
        assert not solution
