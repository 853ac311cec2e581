"""How records end, what is counted of a run, and the sentence about it."""

import pytest

from satdoku.answering.output.ending import Ending, Tally
from satdoku.batch.row import Row
from satdoku.puzzle.verdict import Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_an_ending(verdict: Verdict) -> None:
    assert Ending.of(verdict).value == verdict.value


def count_rows(**counts: int) -> Tally:
    tally = Tally()
    for name, count in counts.items():
        for _ in range(count):
            tally.add(Row("", Ending(name)))
    return tally


@pytest.mark.parametrize(
    ("counts", "seconds", "sentence"),
    [
        ({}, 0, "0 puzzles; 0 unreadable; 0:00, 0.0/s"),
        ({"unique": 1}, 2, "1 puzzle: 1 unique; 0 unreadable; 0:02, 0.5/s"),
        (
            {"undecided": 1, "none": 2, "multiple": 7, "unique": 1990},
            250.7,
            "2,000 puzzles: 1,990 unique, 7 multiple, 2 none, 1 undecided; "
            "0 unreadable; 4:10, 8.0/s",
        ),
        (
            {"unreadable": 3, "mismatch": 1},
            3600,
            "4 puzzles: 1 mismatch; 3 unreadable; 1:00:00, 0.0/s",
        ),
    ],
)
def test_the_summary_of_a_run(counts: dict[str, int], seconds: float, sentence: str) -> None:
    assert count_rows(**counts).summarize(seconds) == sentence


def test_the_summary_of_a_resumed_run_tells_what_was_there() -> None:
    summary = count_rows(unique=20).summarize(2, earlier=1000)
    assert summary == "20 puzzles: 20 unique; 0 unreadable; 0:02, 10/s; 1,000 more answered before"
