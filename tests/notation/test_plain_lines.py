"""Plain lines are read as the line format reads them; everything else is left to it."""

from random import Random

import pytest

from satdoku.notation.plain_lines import PlainLines
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.geometry import Geometry
from tests.boards import USUAL_SHAPES, full_grid, thin_out

shapes = pytest.mark.parametrize("geometry", [*USUAL_SHAPES, Geometry(3, 5)], ids=str)


@shapes
def test_boards_come_back_from_their_lines(geometry: Geometry) -> None:
    rng = Random(1)
    lines = PlainLines(geometry)
    board = bytes(thin_out(rng, full_grid(rng, geometry), geometry.size).digits)
    assert lines.read(lines.write(board)) == board
    assert lines.read(lines.write(board).replace(".", "0")) == board


def test_letters_go_on_where_figures_end() -> None:
    lines = PlainLines(Geometry(2, 5))
    assert set(lines.write(bytes(full_grid(Random(1), Geometry(2, 5)).digits))) == set("123456789A")


@pytest.mark.parametrize("geometry", [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)], ids=str)
def test_a_plain_line_is_read_as_the_line_format_reads_it(geometry: Geometry) -> None:
    rng = Random(2)
    lines = PlainLines(geometry)
    for _ in range(20):
        board = bytes(thin_out(rng, full_grid(rng, geometry), geometry.size).digits)
        [puzzle] = read_puzzles([lines.write(board)], format_name="line")
        assert bytes(puzzle.grid.digits) == board
        assert puzzle.geometry == geometry


@pytest.mark.parametrize(
    "line", ["", "1...", "5" + "." * 15, "x" + "." * 15, "." * 17, "é" + "." * 15, "1" * 15 + "\n"]
)
def test_any_other_text_is_left_alone(line: str) -> None:
    assert PlainLines(Geometry(2, 2)).read(line) is None
