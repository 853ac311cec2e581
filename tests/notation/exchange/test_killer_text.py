"""Killers in a line of text."""

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.killer_text import read_killer
from satdoku.notation.exchange.seen import is_killer
from satdoku.notation.reading import read_puzzles
from tests.each import for_each
from tests.notation.samples import LINE, SAMPLES


def sudocue(head: str = "3x3::k:", **cells: int) -> str:
    """A line with these numbers at their cells, such as `c4=512`; the others are in no cage."""
    return head + ":".join(str(cells.get(f"c{cell}", 9)) for cell in range(81))


# Every row is a cage of nine cells; each cell points to a neighbour, left or right in turns.
ROWS = ("j" + "<" * 8 + ">" * 8 + "j") * 4 + "j" + "<" * 8


def test_cages_have_a_sum_and_a_number() -> None:
    text = sudocue(c0=256 * 9 + 1, c1=256 * 9 + 1, c5=256 * 4, c6=256 * 4)
    assert read_killer(text).puzzle().rule_texts == ["killer:9=r1c1,r1c2", "killer:4=r1c6,r1c7"]


def test_diagonals_are_said_before() -> None:
    assert read_killer(sudocue("3x3:d:k:")).puzzle().rule_texts == ["diagonals"]


def test_signs_point_to_the_sum() -> None:
    rules = read_killer(ROWS).puzzle().rule_texts
    assert len(rules) == 9
    assert rules[0] == "killer:45=r1c1,r1c2,r1c3,r1c4,r1c5,r1c6,r1c7,r1c8,r1c9"
    corners = "9" + "<" * 7 + "," + ROWS[9:72] + ".v8" + "<" * 6
    with pytest.raises(RuleError, match="points off the board"):
        read_killer(corners)


# Its cages lead up and to the left, and hardly a sign is another one.
SLOPING = "".join("`" if row and column else "0" for row in range(9) for column in range(9))
SLOPING = f"{SLOPING[:7]}A{SLOPING[8:-1]}<"


@pytest.mark.parametrize("text", [ROWS, SLOPING, sudocue(c3=2305), f" {ROWS} "])
def test_a_line_is_known_as_a_killer(text: str) -> None:
    assert is_killer(text)
    assert [puzzle.givens for puzzle in read_puzzles([text, text])] == [{}, {}]


@for_each("text", [*SAMPLES.values(), LINE.replace(".", "^"), "<" * 81, "3x3::j:1"])
def test_boards_are_no_killers(text: str) -> None:
    assert not is_killer(text)


@for_each(
    "text, fault",
    [
        (sudocue()[:-6], "the number 79 of 81 is ''"),
        (sudocue().replace("9", "x", 1), "the number 1 of 81 is 'x'"),
        ("4x4::k:1", "is no killer of 9x9"),
        (ROWS[:-1], "80 signs of a killer found, expected 81"),
        (">" + ROWS[1:], "lead in a circle"),
        ("^" + ROWS[1:], "the sign of r1c1 points off the board"),
        ("#" + ROWS[1:], "'#' is neither a sum nor a sign of a cage"),
    ],
)
def test_faults_are_named(text: str, fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_killer(text).puzzle()
    assert fault in str(caught.value)


def test_a_sum_of_0_is_none() -> None:
    rules = read_killer("0" + ROWS[1:]).puzzle().rule_texts
    assert rules[0] == "killer:r1c1,r1c2,r1c3,r1c4,r1c5,r1c6,r1c7,r1c8,r1c9"
    alone = read_killer("0a" + "<" * 7 + ROWS[9:]).puzzle().rule_texts
    assert len(alone) == 9
    assert alone[0] == "killer:36=r1c2,r1c3,r1c4,r1c5,r1c6,r1c7,r1c8,r1c9"
