"""An answer whose values never end is told, before it fills the memory."""

from itertools import chain, repeat

import pytest

from satdoku.encoding.files import answer
from satdoku.encoding.files.answer import read_answer
from satdoku.errors import DimacsError


@pytest.mark.parametrize("line", ["v -1 -2", "v 3", "v 010010101011", "-4 5"])
def test_values_without_end_are_told(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "_MOST_REPEATED", 100)
    with pytest.raises(DimacsError, match="repeat those of earlier lines without end"):
        read_answer(repeat(line, 10_000))


def test_values_that_come_twice_are_read_and_so_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "_MOST_REPEATED", 10)
    found = read_answer([f"v {-n}" for n in range(1, 1000)] + ["v -1 -2", "v 1000 0"])
    assert (len(found.false), found.true) == (1001, (1000,))


@pytest.mark.parametrize("line", ["c", "", "c a word", "talk", "s SATISFIABLE", "v", "o 3"])
def test_lines_without_values_that_never_end_are_told(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "_MOST_OTHER", 10_000)
    with pytest.raises(DimacsError, match="so many comments come from no solver") as caught:
        read_answer(chain(["v 1 -2"], repeat(line)))
    assert caught.value.line is not None
    assert caught.value.line < 200


def test_many_values_are_no_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "_MOST_OTHER", 100)
    found = read_answer([f"v {-n}" for n in range(1, 1000)] + [f"{-n}" for n in range(1000, 2000)])
    assert len(found.false) == 1999
