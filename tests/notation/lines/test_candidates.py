from random import Random

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.single_cells import Candidates

SQUARE = Geometry(2, 2)


def test_each_cell_holds_the_digits_that_are_written() -> None:
    line = "1..." + "12.." + "1234" * 13 + "..3." + " easy # mine"
    (puzzle,) = read_puzzles([line])
    assert puzzle.givens == {0: 1, 15: 3}
    assert puzzle.further_rules == (Candidates.of({1: [1, 2]}),)
    assert (puzzle.name, puzzle.comment) == ("easy", "mine")


def test_a_cell_without_candidates_makes_a_puzzle_without_solution() -> None:
    (puzzle,) = read_puzzles(["...." + "1234" * 15], format_name="candidates")
    assert puzzle.further_rules == (Candidates.of({0: []}),)


def test_729_cells_of_a_larger_board_are_cells() -> None:
    (puzzle,) = read_puzzles(["." * 729])
    assert puzzle.geometry.size == 27
    (puzzle,) = read_puzzles(["123456789" * 81])
    assert puzzle.geometry.size == 9


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3)], ids=str)
def test_what_is_written_is_read_back(box: tuple[int, int]) -> None:
    rng, geometry = Random(1), Geometry(*box)
    for _ in range(20):
        cells = rng.sample(range(geometry.cell_count), 8)
        sets = {cell: rng.sample(range(1, geometry.size + 1), 3) for cell in cells[:6]}
        grid = Grid.empty(geometry).with_digits({cells[6]: 1, cells[7]: 2})
        puzzle = Puzzle(grid, "a").with_rules([Candidates.of(sets)])
        assert list(read_puzzles([FORMATS["candidates"].write(puzzle)])) == [puzzle]


def test_a_wrong_digit_is_named_with_its_cell() -> None:
    with pytest.raises(FormatError, match=r"^f:1:1: '2' stands where 1 or a blank of r1c2 does"):
        list(read_puzzles(["1..." + "2..." + "1234" * 14], "f", "candidates"))
    with pytest.raises(FormatError, match=r"5 characters are no candidates; 9x9 has 729"):
        list(read_puzzles(["12345"], "f", "candidates"))


def test_other_rules_are_refused() -> None:
    puzzle = Puzzle(Grid.empty(SQUARE)).with_rules([read_rule("anti-king", SQUARE)])
    with pytest.raises(SatdokuError, match="the format candidates cannot hold the rule anti-king"):
        FORMATS["candidates"].write(puzzle)
