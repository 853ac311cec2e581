"""Plain lines are read as the line format reads them; everything else is left to it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.lists(st.sampled_from(["1.....2..3.....4", "." * 16, "0" * 16]), max_size=9), st.binary())
def test_blocks_are_their_lines(lines: list[str], behind: bytes) -> None:
    plain = PlainLines(Geometry(2, 2))
    text = "".join(f"{line}\n" for line in lines)
    boards = [plain.read(line) for line in lines]
    read = plain.read_block(text)
    assert read == b"".join(board for board in boards if board is not None)
    assert plain.count_boards(read) == len(lines)
    assert plain.write_block(read) == text.replace("0", ".")
    assert plain.count(text.encode()) == len(lines)
    # What is no line of this kind ends the block, whatever it is.
    count = plain.count(text.encode() + behind)
    told = (text.encode() + behind)[: count * plain.width].decode("ascii")
    assert count >= len(lines)
    assert all(plain.read(line) is not None for line in told.splitlines())
