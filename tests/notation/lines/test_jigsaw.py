import pytest

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.formats import FORMATS
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
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
