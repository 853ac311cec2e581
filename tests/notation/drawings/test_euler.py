"""Project Euler's file: titles with numbers, zeros for blanks."""

import pytest

from satdoku.notation.drawings.euler import EulerFormat
from satdoku.notation.hints import Hints
from satdoku.notation.reading import PuzzleReader
from satdoku.notation.record import Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

GRID = Grid(Geometry(2, 2), (1, 2, 0, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
ROWS = "1204\n3412\n2143\n4321\n"


@pytest.mark.parametrize(
    ("name", "number", "title"),
    [
        ("", 1, "Grid 01"),
        ("", 12, "Grid 12"),
        ("", 123, "Grid 123"),
        (" Grid  07 ", 1, "Grid 07"),
        ("my puzzle", 1, "my puzzle"),
        ("easy", 3, "Grid 03"),
    ],
)
def test_a_title_stands_above_the_rows(name: str, number: int, title: str) -> None:
    assert EulerFormat().write(Puzzle(GRID, name), number=number) == f"{title}\n{ROWS}"


def test_an_answer_has_the_title_of_its_puzzle() -> None:
    write = EulerFormat().write_answer
    assert write(Record(2, ROWS, "Grid 07"), GRID, Hints(), 3) == f"Grid 07\n{ROWS}"
    assert write(Record(2, ROWS), GRID, Hints(), 3) == f"Grid 03\n{ROWS}"


@pytest.mark.parametrize(
    ("title", "is_euler"),
    [
        *[("Grid 01", True), ("grid 1", True), ("GRID01", True), (" Grid 50 ", True)],
        *[("Grid 01:", False), ("Puzzle 1", False), ("Grid", False), ("My grid 1", False)],
    ],
)
def test_numbered_grids_are_marks(title: str, is_euler: bool) -> None:
    found = PuzzleReader([title, *ROWS.split("\n")]).parser.format
    assert (found == EulerFormat()) == is_euler
