"""Programs of others are not installed where tests run; one of our own stands in for them."""

import pytest

from benchmarks import peers
from benchmarks.generating import Kind, judge
from satdoku.notation.reading import read_puzzles
from tests.commands import SMALL


def test_puzzles_of_others_are_looked_at_for_what_they_are() -> None:
    several, minimal = "." * 16, "1.....2..3.....4"
    redundant = minimal.replace("1.", "12", 1)
    assert judge(list(read_puzzles([several], "lines"))) == Kind(1, 0, 0, 0)
    assert judge(list(read_puzzles([minimal, redundant], "lines"))) == Kind(2, 2, 1, 4.5)


def test_what_a_peer_prints_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    peers._MAKERS["ours"] = {"minimal": lambda: lambda: SMALL}
    try:
        peers._work_here(["make", "ours", "minimal", "0"])
    finally:
        del peers._MAKERS["ours"]
    head, *made = capsys.readouterr().out.splitlines()
    assert head.split()[1] == "1"
    assert made == [SMALL]
