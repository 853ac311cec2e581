from collections.abc import Sequence
from typing import Any

import pytest

import satdoku
from satdoku import Geometry, Grid, Puzzle, SatdokuError
from tests.commands import SMALL, SMALL_SOLUTION
from tests.each import for_each


def text_of(grid: Grid) -> str:
    return "".join(map(str, grid.digits))


@for_each(
    "puzzle",
    [
        SMALL,
        SMALL + "\n",
        "..3.\n.4.2\n4..3\n..4.",
        "..3. .4.2 4..3 ..4.",
        '[["", "", 3, ""], [0, 4, 0, 2], [4, 0, 0, 3], [0, 0, 4, 0]]',
        [[0, 0, 3, 0], [0, 4, 0, 2], [4, 0, 0, 3], [0, 0, 4, 0]],
        [[None, None, 3, None], [None, 4, None, 2], [4, 0, 0, 3], [0, 0, 4, 0]],
        [list("..3."), list(".4.2"), list("4..3"), list("..4.")],
        ["..3.", ".4.2", "4..3", "..4."],
        [". . 3 .", ". 4 . 2", "4 . . 3", ". . 4 ."],
        (("", "", "3", ""), ("", "4", "", "2"), ("4", "", "", "3"), ("", "", "4", "")),
    ],
)
def test_every_way_to_write_a_puzzle_gives_the_same_one(puzzle: str | Sequence[Any]) -> None:
    assert text_of(satdoku.parse(puzzle).grid) == SMALL.replace(".", "0")
    assert text_of(satdoku.solve(puzzle)) == SMALL_SOLUTION


def test_a_puzzle_and_a_grid_are_taken_as_they_are() -> None:
    puzzle = satdoku.parse(SMALL)
    assert satdoku.parse(puzzle) is puzzle
    assert satdoku.parse(puzzle.grid) == Puzzle(puzzle.grid)


def test_format_box_and_alphabet_can_be_said() -> None:
    assert satdoku.parse("." * 36, box=Geometry(3, 2)).geometry == Geometry(3, 2)
    assert satdoku.parse(["......"] * 6, box=Geometry(3, 2)).geometry == Geometry(3, 2)
    assert satdoku.parse(SMALL, format="line").grid == satdoku.parse(SMALL).grid
    assert satdoku.parse("F" + "." * 255, alphabet="0").givens == {0: 16}
    with pytest.raises(satdoku.SatdokuError, match="there is no format 'nope'"):
        satdoku.parse(SMALL, format="nope")


@for_each(
    "puzzle, message",
    [
        ("", "puzzle: no puzzle found (a puzzle has a character for every cell)"),
        (f"{SMALL}\n{SMALL}", "2 puzzles found, expected one"),
        ([[1, 0, 0, 0], [0, 0, 7, 0], [0] * 4, [0] * 4], "puzzle:2:3: '7' is not a digit 1-4"),
        ([list("1..."), list("..q."), list("...."), list("....")], "puzzle:2:3: 'q' is not"),
        ([[1, 2], [3]], "puzzle:2:1: 1 cell found in row 2, expected 2"),
        ([[0] * 4] * 3, "3 rows found, expected 4"),
        ([0] * 15 + [5], "puzzle:1:16: '5' is not a digit 1-4"),
        ([], "0 rows found"),
        ([[]], "0 cells found"),
        ([5, 3], "'5' is not a row of 2 cells"),
        (5, "a puzzle is a text or a list of rows, not int"),
        (None, "a puzzle is a text or a list of rows, not NoneType"),
        (b"1" * 16, "a puzzle is a text or a list of rows, not bytes"),
        ({"puzzle": SMALL}, "a puzzle is a text or a list of rows, not dict"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_its_place(puzzle: Any, message: str) -> None:
    with pytest.raises(satdoku.FormatError) as caught:
        satdoku.parse(puzzle)
    assert message in str(caught.value)


def test_a_box_that_is_no_geometry_is_refused() -> None:
    with pytest.raises(
        SatdokuError, match=r"box=\(2, 2\) is no Geometry, such as Geometry\(2, 3\)"
    ):
        satdoku.parse(SMALL, box=(2, 2))  # type: ignore[arg-type]


def test_a_single_rule_may_be_a_text() -> None:
    puzzle = "1" + "." * 15
    listed = satdoku.parse(puzzle, rules=["anti-knight"])
    assert satdoku.parse(puzzle, rules="anti-knight") == listed
