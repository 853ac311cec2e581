"""Puzzles on each line are told from rows, as early as can be."""

import pytest

from satdoku.notation.seen_line import SeenLine
from satdoku.notation.shape import Shape, ShapeFinder
from tests.notation.samples import LINE, ROWS

SMALL = "1..4.3.1.1.32.1."


def find(text: str, size: int | None = None) -> tuple[Shape, int | None]:
    """The shape of a text, and by which line it was found; None if its end had to be seen."""
    finder = ShapeFinder(size)
    for number, line in enumerate(text.split("\n"), 1):
        finder.add(SeenLine(number, line, size))
        if finder.shape is not Shape.UNDECIDED:
            return finder.shape, number
    finder.end()
    return finder.shape, None


@pytest.mark.parametrize(
    ("text", "size", "line"),
    [
        (LINE, None, 1),
        (f"# comment\n\n{LINE}", None, 3),
        (f"puzzle\n{LINE}", None, 2),
        (f"Grid 1\n{LINE}", None, 2),
        ("." * 16, 4, 1),
        (SMALL, None, None),
        (f"{SMALL}\n{SMALL}\n", None, 3),
        ("\n".join([SMALL] * 17), None, 17),
        ("\n".join([SMALL] * 16), None, None),
        ("\n".join(["." * 16] * 15), None, None),
        (SMALL + "\n# comment\n" + SMALL, None, None),
        (".3.1 .... 1..2 ....", None, None),
        ("." * 80, None, 1),
        ("1" * 37, None, 1),
        ("1" * 36, None, None),
        ("12,12345678901234567890123456789012345678", None, 1),
        ("1" * 19, 9, 1),
        ("hello", None, None),
        ("1234 1234 1234 1234\n1234 1234 1234 1234\n", None, 3),
        (" ".join(["1"] * 16) + "\n" + " ".join(["4"] * 16) + "\n", None, 3),
        (" ".join("1" * 1024), None, 1),
        (" ".join("1" * 900), None, None),
    ],
)
def test_puzzles_are_found(text: str, size: int | None, line: int | None) -> None:
    assert find(text, size) == (Shape.PUZZLES, line)


@pytest.mark.parametrize(
    ("text", "size", "line"),
    [
        ("\n".join(ROWS), None, 2),
        ("\n".join(ROWS), 9, 1),
        ("8 . . | 4 . .\n", None, 2),
        ("Grid 01\n" + "\n".join(ROWS), None, 3),
        ("[Puzzle]\n" + "\n".join(ROWS), None, 3),
        ("+---+\n" + "\n".join(ROWS), None, 3),
        (SMALL[:-1] + "5", None, 1),
        (f"{SMALL}\n{SMALL[:-1]}G", None, 2),
        (f"{SMALL}\n" * 15 + "." * 16 + "\n", None, 17),
        ("\n".join([SMALL] * 15 + ["." * 16]), None, None),
        (f"{SMALL}\n" * 15 + "# c\n" + "." * 16 + "\n", None, 18),
        ("1" * 18, 9, None),
        ("", None, None),
        ("+---+\n-----\n", None, None),
        ("# only\n", None, None),
        (",".join(["."] * 25) + "\n" + ",".join(["."] * 25), None, 2),
        (" ".join(["1"] * 15 + ["5"]), None, 1),
        ("|" + "1" * 40 + "|\n", None, 2),
    ],
)
def test_rows_are_found(text: str, size: int | None, line: int | None) -> None:
    if text == "1" * 18:
        text += "\n"
        line = 2
    assert find(text, size) == (Shape.ROWS, line)


def test_the_first_row_is_behind_titles_names_and_borders() -> None:
    finder = ShapeFinder(None)
    lines = ["# c", "", "Grid 01", "id,puzzle", "[State]", "-----", "+---+", "12|34", "99|99"]
    for number, line in enumerate(lines, 1):
        finder.add(SeenLine(number, line, None))
    assert finder.first_row is not None
    assert finder.first_row.number == 8
    assert finder.has_border_above


def test_a_border_below_the_first_row_is_none_above_it() -> None:
    finder = ShapeFinder(None)
    for number, line in enumerate(["12|34", "--+--"], 1):
        finder.add(SeenLine(number, line, None))
    assert not finder.has_border_above
