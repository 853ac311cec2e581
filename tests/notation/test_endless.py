"""Texts that never come to a puzzle end with a sentence, before they fill the memory."""

from itertools import chain, repeat

import pytest

from satdoku.errors import FormatError
from satdoku.notation import reading
from satdoku.notation.drawings import blocks
from satdoku.notation.reading import PuzzleReader
from tests.commands import EASY

# Far more than are read. A real end, so that without a bound these tests fail and do not hang.
MANY = 1 << 16

EASY_ROWS = "".join(EASY[start : start + 9] + "\n" for start in range(0, 81, 9))


@pytest.mark.parametrize("line", ["\n", "# a comment\n"])
def test_lines_without_a_puzzle_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_WITHOUT_DATA", 1 << 18)
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found in the first [0-9,]+ lines$"):
        list(PuzzleReader(repeat(line, MANY), "pipe"))


def test_an_empty_text_is_told_as_before() -> None:
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found$"):
        list(PuzzleReader([], "pipe"))


@pytest.mark.parametrize("line", ["\n", "# a comment\n"])
def test_lines_behind_a_torn_board_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_WITHOUT_DATA", 1 << 18)
    reader = PuzzleReader(chain(["5 3 . | . 7 . | . . .\n"], repeat(line, MANY)), "pipe")
    with pytest.raises(FormatError, match=r"^pipe: no puzzle found in the last [0-9,]+ lines$"):
        list(reader)


@pytest.mark.parametrize("line", ["# a comment\n", "+---+---+---+\n"])
def test_what_is_kept_of_a_torn_board_ends(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST_WITHOUT_CELLS", 1 << 12)
    text = ["5 3 . | . 7 . | . . .\n", *repeat(line, 1 << 14)]
    [record] = PuzzleReader(text, "pipe", "grid")
    assert record.text.count("\n") < 100


def test_a_board_goes_on_behind_a_long_comment() -> None:
    rows = EASY_ROWS.splitlines(keepends=True)
    text = [*rows[:4], *repeat("# many words\n", 2000), *rows[4:]]
    reader = PuzzleReader(text, "file")
    [puzzle] = [reader.parser(record) for record in reader]
    assert puzzle.grid.line == EASY
