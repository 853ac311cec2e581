from xml.etree import ElementTree

import pytest

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.compare import (
    HEIGHT,
    WIDTH,
    Contestant,
    LoadedSize,
    Spread,
    Summary,
    Trial,
    draw_plot,
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


SVG = "{http://www.w3.org/2000/svg}"


def summary(solver: str, seconds: list[float], puzzles: int) -> Summary:
    contestant = Contestant(solver, Encoding.REDUCED)
    return Summary(contestant, puzzles, seconds, None, None, None, None, None, None)


def points(curve: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in curve.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def test_each_contestant_has_a_curve_and_a_name() -> None:
    drawn = [summary("minicard", [0.001, 0.002, 3.0], 3), summary("glucose4", [0.5, 20.0], 3)]
    root = ElementTree.fromstring(draw_plot(drawn))
    curves = list(root.iter(f"{SVG}polyline"))
    assert [len(points(curve)) for curve in curves] == [3, 2]
    assert len({(c.attrib["stroke"], c.get("stroke-dasharray")) for c in curves}) == 2
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "minicard reduced native: 3 of 3" in texts
    assert "glucose4 reduced pairwise: 2 of 3" in texts
    assert {"1 ms", "1 s", "100 s"} <= set(texts)


def test_more_puzzles_lie_to_the_right_and_more_time_higher() -> None:
    root = ElementTree.fromstring(draw_plot([summary("minicard", [0.001, 0.02, 3.0], 3)]))
    [curve] = root.iter(f"{SVG}polyline")
    xs, ys = zip(*points(curve), strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)
    assert all(0 < x < WIDTH for x in xs)
    assert all(0 < y < HEIGHT for y in ys)


@pytest.mark.parametrize("seconds", [[], [0.0], [1e-9, 1e6]])
def test_any_times_can_be_drawn(seconds: list[float]) -> None:
    root = ElementTree.fromstring(draw_plot([summary("minicard", seconds, 2)]))
    assert root.tag == f"{SVG}svg"


def test_twenty_contestants_look_different_and_stay_on_the_picture() -> None:
    many = [summary("minicard", [float(n)], 1) for n in range(1, 41)]
    root = ElementTree.fromstring(draw_plot(many))
    looks = [(c.attrib["stroke"], c.get("stroke-dasharray")) for c in root.iter(f"{SVG}polyline")]
    assert len(set(looks)) == 20
    lowest = max(float(text.get("y", 0)) for text in root.iter(f"{SVG}text"))
    assert lowest < float(root.attrib["height"])
