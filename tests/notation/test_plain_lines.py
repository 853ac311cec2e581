"""Plain lines are read as the line format reads them; everything else is left to it.

Blocks and lines together are the stream, whatever stands between plain lines.
"""

from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.lanes.bank import read_lines
from satdoku.notation.plain_lines import Blocks, PlainLines
from satdoku.notation.reading import read_puzzles
from satdoku.puzzle.grid import Geometry
from tests.boards import USUAL_SHAPES, full_grid, thin_out
from tests.commands import SMALL
from tests.compiled import library, needs_library
from tests.each import for_each

shapes = for_each("geometry", [*USUAL_SHAPES, Geometry(3, 5)])


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


@for_each(
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


PLAIN = PlainLines(Geometry(2, 2))
GOOD = SMALL.encode() + b"\n"
LINES = st.sampled_from(
    [
        *[GOOD] * 6,
        *(b"\n", b"# a comment\n", SMALL.encode() + b" named\n", GOOD[1:], GOOD[:-1] + b"\r\n"),
        *(b"5" + GOOD[1:], b"1" * 7 + b"\n" + b"1" * 8 + b"\n", b"\xff\x00\n"),
    ]
)


def read_all(data: bytes, attempts: int = 1) -> tuple[list[bytes], list[bytes]]:
    """What comes as lines and what as blocks, both in order; blocks are tried after each line."""
    blocks = Blocks(BytesIO(data))
    everything, taken = [], []
    while line := blocks.readline(1000):
        everything.append(line)
        while text := blocks.take(PLAIN):
            everything.append(text.encode())
            taken.append(text.encode())
    return everything, taken


@given(st.lists(LINES, max_size=300), st.booleans())
def test_nothing_is_lost_or_out_of_order(lines: list[bytes], has_end: bool) -> None:
    data = b"".join(lines)
    data = data if has_end else data.removesuffix(b"\n")
    everything, taken = read_all(data)
    assert b"".join(everything) == data
    assert all(line == GOOD for text in taken for line in text.splitlines(keepends=True))


def test_most_lines_of_a_usual_file_come_in_blocks() -> None:
    _, taken = read_all(GOOD * 5000)
    assert sum(map(len, taken)) == len(GOOD) * 4999
    assert len(taken) < 20
    assert len(taken[0]) < len(taken[-2])


def test_lines_that_were_given_and_bytes_that_were_taken_are_counted() -> None:
    blocks = Blocks(BytesIO(b"# a\n" + GOOD * 41 + b"# the end"))
    assert blocks.readline(100) == b"# a\n"
    assert blocks.take(PLAIN) == GOOD.decode() * 41
    assert (blocks.given, blocks.pass_taken(), blocks.pass_taken()) == (1, 41 * len(GOOD), 0)
    assert blocks.readline(4) == b"# th"
    assert blocks.readline(100) == b"e end"
    assert blocks.readline(100) == b""


@needs_library
@pytest.mark.parametrize("sign", [b"\n", b"\0", b"/", b":", b" ", b"x", b"\xff"])
def test_lines_are_read_up_to_one_that_is_no_board(
    sign: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are without the library."""
    compiled = library()
    monkeypatch.setenv("SATDOKU_LANES", "0")
    text = (b"." * 81 + b"\n") * 30
    for place in range(10 * 82, 13 * 82, 7):
        if text[place : place + 1] == sign:
            continue
        damaged = text[:place] + sign + text[place + 1 :]
        boards = read_lines(damaged, compiled)
        assert boards is not None
        assert len(boards) // 81 == PlainLines(Geometry()).count(damaged) == place // 82
    boards = read_lines(text[:-1] + b".", compiled)
    assert boards is not None
    assert len(boards) // 81 == 29
