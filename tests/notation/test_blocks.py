"""Blocks and lines together are the stream, whatever stands between plain lines."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from satdoku.notation.blocks import Blocks
from satdoku.notation.plain_lines import PlainLines
from satdoku.puzzle.geometry import Geometry
from tests.commands import SMALL

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
