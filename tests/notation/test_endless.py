"""Texts that never come to a puzzle end with a sentence, before they fill the memory."""

from itertools import repeat

import pytest

from satdoku.errors import FormatError
from satdoku.notation import reading
from satdoku.notation.reading import PuzzleReader


@pytest.mark.parametrize("line", ["\n", "# a comment\n"])
def test_lines_without_a_puzzle_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_ABOVE", 1 << 18)
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found in the first [0-9,]+ lines$"):
        list(PuzzleReader(repeat(line), "pipe"))


def test_an_empty_text_is_told_as_before() -> None:
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found$"):
        list(PuzzleReader([], "pipe"))
