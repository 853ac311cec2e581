"""Jigsaws and pencil marks on a line, read and written."""

from random import Random

import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.rules.single_cells import Candidates
from tests.each import for_each

LETTERS = "AABBABBCADCCDDDC"
REGIONS = read_rule("regions:AABB/ABBC/ADCC/DDDC", Geometry(2, 2))


@for_each(
    "line",
    [
        "1............... AABBABBCADCCDDDC",
        "1...............AABBABBCADCCDDDC",
        "1000000000000000 aabbabbcadccdddc",
        "  1............... AABBABBCADCCDDDC easy # mine",
        "1............... KKLLKLLMKNMMNNNM",
    ],
)
def test_cells_and_as_many_letters_are_a_jigsaw(line: str) -> None:
    (puzzle,) = read_puzzles([line])
    assert (puzzle.regions, puzzle.givens) == (REGIONS, {0: 1})
    assert (puzzle.name, puzzle.comment) in (("", ""), ("easy", "mine"))


def test_a_jigsaw_of_seven_needs_no_boxes() -> None:
    letters = "".join(letter * 7 for letter in "ABCDEFG")
    (puzzle,) = read_puzzles(["." * 49 + letters])
    assert puzzle.geometry.size == 7
    # Seven regions that are rows are the boxes of one row, which a board of seven has.
    (puzzle,) = read_puzzles(["." * 49 + letters[:6] + "B" + letters[6:7] + letters[8:]])
    assert [rule.name for rule in puzzle.rules] == ["rows", "columns", "regions"]


@pytest.mark.parametrize(
    "line",
    [
        "1............... easy",
        "1............... 1234341221434321",
    ],
)
def test_a_name_or_a_second_board_is_no_region(line: str) -> None:
    (puzzle,) = read_puzzles([line])
    assert puzzle.is_classic


def test_a_region_that_is_too_large_is_named_with_its_place() -> None:
    message = r"^f:1:1: the region 'A' at r1c1 has 5 cells, expected 4"
    with pytest.raises(FormatError, match=message):
        list(read_puzzles(["1............... AABBAABCADCCDDDC"], "f"))


def test_it_holds_regions_and_no_other_rule() -> None:
    jigsaw = FORMATS["jigsaw"]
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)), "easy", "mine").with_rules([REGIONS])
    text = "." * 16 + f" {LETTERS} easy # mine\n"
    assert jigsaw.write(puzzle) == text
    assert list(read_puzzles([text])) == [puzzle]
    more = puzzle.with_rules([read_rule("anti-king", puzzle.geometry)])
    with pytest.raises(SatdokuError, match="the format jigsaw cannot hold the rule anti-king"):
        jigsaw.write(more)
    with pytest.raises(SatdokuError, match="is for boards up to 9x9, not 16x16"):
        jigsaw.write(Puzzle(Grid.empty(Geometry(4, 4))))


def test_boxes_are_written_as_regions() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    text = FORMATS["jigsaw"].write(puzzle)
    assert text.split()[1] == "AABBAABBCCDDCCDD"
    assert list(read_puzzles([text])) == [puzzle]


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


# Four irregular regions on 16x16: rows of boxes with one cell exchanged, as letters and numbers.
def _layout(size: int, signs: str) -> str:
    rows = [sign * size for sign in signs[:size]]
    swapped = [rows[0][:-1] + signs[1], signs[0] + rows[1][1:], *rows[2:]]
    return "".join(swapped)


@for_each(
    "line, size",
    [
        ("." * 255 + "P " + _layout(16, "ABCDEFGHIJKLMNOP"), 16),
        ("." * 255 + "P" + _layout(16, "ABCDEFGHIJKLMNOP"), 16),
        ("." * 255 + "P " + _layout(16, "abcdefghijklmnop") + " easy", 16),
        ("1" + "." * 80 + " " + _layout(9, "123456789"), 9),
        ("1" + "." * 80 + _layout(9, "123456789"), 9),
        ("1" + "." * 80 + ";" + _layout(9, "012345678"), 9),
        ("1" + "." * 80 + "," + _layout(9, "ABCDEFGHI"), 9),
        ("1" + "." * 80 + "," + _layout(9, "ABCDEFGHI") + ",easy", 9),
        ("1" + "." * 80 + ";" + _layout(9, "123456789") + "; easy", 9),
    ],
)
def test_regions_are_known_by_what_they_look_like(line: str, size: int) -> None:
    (puzzle,) = read_puzzles([line])
    assert puzzle.geometry.size == size
    assert puzzle.regions is not None
    assert len(puzzle.givens) == 1
    assert puzzle.name in ("", "easy")


def test_a_region_with_a_cell_too_many_is_no_name() -> None:
    layout = _layout(9, "123456789")[:-1] + "1"
    with pytest.raises(FormatError, match="the region '1' at r1c1 has 10 cells"):
        list(read_puzzles(["1" + "." * 80 + " " + layout]))


def test_a_jigsaw_below_other_puzzles_does_not_lose_its_regions() -> None:
    plain = "1" + "." * 80
    with pytest.raises(FormatError, match=r"^puzzle:2:1: regions follow these cells"):
        list(read_puzzles([plain, f"2{plain[1:]} {_layout(9, '123456789')}"], "puzzle"))
