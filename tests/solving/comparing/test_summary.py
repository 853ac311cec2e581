import pytest

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.comparing.compare import Contestant, LoadedSize, Trial
from satdoku.solving.comparing.summary import (
    Spread,
    summarize,
    trial_row,
    trials_header,
    write_table,
)

FAST = Contestant("minicard", Encoding.REDUCED)
SLOW = Contestant("kissat404", Encoding.EXTENDED)
SIZE = LoadedSize(10, 2000, 3)


def trial(who: Contestant, puzzle: int, turn: int, seconds: float, decided: bool = True) -> Trial:
    verdict = Verdict.UNIQUE if decided else Verdict.UNDECIDED
    conflicts = None if who is SLOW else puzzle
    return Trial(who, puzzle, turn, verdict, seconds, SIZE, conflicts, None)


TRIALS = [
    trial(SLOW, 1, 1, 4.0),
    trial(SLOW, 1, 2, 6.0),
    trial(SLOW, 2, 1, 9.0),
    trial(SLOW, 2, 2, 9.0, decided=False),
    *(trial(FAST, puzzle, turn, puzzle / 10) for puzzle in (3, 1, 2) for turn in (1, 2, 3)),
]


def test_who_decided_most_comes_first() -> None:
    first, second = summarize(TRIALS)
    assert (first.contestant, second.contestant) == (FAST, SLOW)


def test_seconds_are_the_medians_of_puzzles_that_were_decided_in_each_round() -> None:
    first, second = summarize(TRIALS)
    assert first.seconds == [0.1, 0.2, 0.3]
    assert (second.seconds, second.decided, second.puzzles) == ([5.0], 1, 2)
    assert first.spread == pytest.approx(Spread(0.15, 0.2, 0.25))
    assert second.spread == Spread(5.0, 5.0, 5.0)


def test_what_is_not_counted_is_not_known() -> None:
    first, second = summarize(TRIALS)
    assert (first.conflicts, first.propagations, second.conflicts) == (2, None, None)
    assert (first.variables, first.clauses, first.natives) == SIZE


def test_nothing_decided_has_no_time() -> None:
    [summary] = summarize([trial(FAST, 1, 1, 0.5, decided=False)])
    assert (summary.decided, summary.spread) == (0, None)
    assert list(write_table([summary]))[1].endswith("-")


def test_the_table_is_aligned_and_says_what_is_native() -> None:
    lines = list(write_table(summarize(TRIALS)))
    assert len({len(line) for line in lines}) == 1
    assert lines[1].split() == [
        *("minicard", "reduced", "native", "3/3", "10", "2,000+3", "2", "-", "200.00"),
        "150.00..250.00",
    ]


def test_a_trial_is_a_row_under_its_header() -> None:
    names = trials_header().strip().split(",")
    values = trial_row(trial(SLOW, 2, 1, 1.25)).strip().split(",")
    row = dict(zip(names, values, strict=True))
    assert row["puzzle"] == "2"
    assert (row["solver"], row["at_most_one"]) == ("kissat404", "pairwise")
    assert row["verdict"] == "unique"
    assert (row["seconds"], row["natives"], row["conflicts"]) == ("1.250000", "3", "")
