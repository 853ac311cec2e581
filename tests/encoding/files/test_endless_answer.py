"""An answer whose values never end is told, before it fills the memory."""

from itertools import chain, repeat

import pytest

from satdoku.encoding.files.answer import read_answer
from satdoku.errors import DimacsError
from tests.each import for_each


@pytest.mark.parametrize("line", ["v -1 -2", "v 3", "v 010010101011", "-4 5"])
def test_values_without_end_are_told(line: str) -> None:
    with pytest.raises(DimacsError, match="repeat those of earlier lines without end"):
        read_answer(repeat(line, 10_000), most_repeated=100)


def test_values_that_come_twice_are_read_and_so_are_many() -> None:
    lines = [f"v {-n}" for n in range(1, 1000)] + ["v -1 -2", "v 1000 0"]
    found = read_answer(lines, most_repeated=10)
    assert (len(found.false), found.true) == (1001, (1000,))


@for_each("line", ["c", "", "c a word", "talk", "s SATISFIABLE", "v", "o 3"])
def test_lines_without_values_that_never_end_are_told(line: str) -> None:
    with pytest.raises(DimacsError, match="too many lines without values") as caught:
        read_answer(chain(["v 1 -2"], repeat(line)), most_other=10_000)
    assert caught.value.line is not None
    assert caught.value.line < 200


def test_many_values_are_no_comments() -> None:
    lines = [f"v {-n}" for n in range(1, 1000)] + [f"{-n}" for n in range(1000, 2000)]
    found = read_answer(lines, most_other=100)
    assert len(found.false) == 1999
