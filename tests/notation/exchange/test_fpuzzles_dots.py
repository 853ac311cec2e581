"""Dots and letters, and edges without any."""

from typing import Any

import pytest

from satdoku.errors import RuleError
from satdoku.notation.exchange.fpuzzles import meaning_of, read_dots, write_dots
from tests.each import for_each

ONE, TWO = ["R1C1", "R1C2"], ["R2C1", "R3C1"]


def texts(**board: Any) -> list[str]:
    return [f"{name}:{argument}".rstrip(":") for name, argument, _ in read_dots(board, 9)]


@for_each(
    "board, rules",
    [
        ({"difference": [{"cells": ONE}]}, ["kropki:white=r1c1,r1c2"]),
        (
            {"difference": [{"cells": ONE, "value": ""}], "ratio": [{"cells": TWO, "value": "2"}]},
            ["kropki:white=r1c1,r1c2/black=r2c1,r3c1"],
        ),
        ({"difference": [{"cells": ONE, "value": "3"}]}, ["difference:3=r1c1,r1c2"]),
        ({"nonconsecutive": True}, ["non-consecutive"]),
        (
            {"nonconsecutive": True, "difference": [{"cells": ONE}]},
            ["difference:1=r1c1,r1c2", "no-difference:1/r1c1,r1c2"],
        ),
        (
            {"negative": ["ratio"], "nonconsecutive": True, "difference": [{"cells": ONE}]},
            ["kropki:white=r1c1,r1c2/all"],
        ),
        ({"negative": ["ratio"]}, ["no-ratio:2"]),
        (
            {"negative": ["ratio"], "ratio": [{"cells": ONE, "value": 3}]},
            ["ratio:3=r1c1,r1c2", "no-ratio:3/r1c1,r1c2"],
        ),
        ({"xv": [{"cells": ONE, "value": "X"}]}, ["xv:x=r1c1,r1c2"]),
        ({"xv": [{"cells": ONE, "value": "v"}], "negative": ["xv"]}, ["xv:v=r1c1,r1c2/all"]),
        ({"xv": [{"cells": ONE, "value": ""}]}, []),
        ({"negative": ["xv"]}, ["no-sum:10", "no-sum:5"]),
    ],
)
def test_keys_are_read_and_written_again(board: dict[str, Any], rules: list[str]) -> None:
    assert texts(**board) == rules
    pairs = [(name, argument) for name, _, argument in (rule.partition(":") for rule in rules)]
    written = write_dots(pairs, 9)
    assert written is not None
    assert texts(**written) == rules


@for_each(
    "rules",
    [
        # At the edge with another dot f-puzzles would allow what the rule forbids.
        [("kropki", "white=r1c1,r1c2/all"), ("difference", "3=r5c5,r5c6")],
        [("non-consecutive", ""), ("ratio", "2=r1c1,r1c2")],
        [("no-ratio", "5")],
        [("no-sum", "7")],
        [("no-difference", "1/r1c1,r1c2")],
        [("xv", "v=r1c1,r1c2/all-x")],
        [("xv", "all-v")],
    ],
)
def test_what_f_puzzles_would_understand_otherwise_is_not_written(rules: Any) -> None:
    assert write_dots(rules, 9) is None


def test_two_ways_to_say_the_same_have_one_meaning() -> None:
    assert meaning_of([("xv", "all")]) == meaning_of([("no-sum", "5"), ("no-sum", "10")])
    assert meaning_of([("xv", "all-x")]) == meaning_of([("no-sum", "10")])
    dots = [("difference", "1=r1c1,r1c2"), ("ratio", "2=r2c1,r3c1")]
    assert meaning_of([("kropki", "white=r1c2,r1c1/black=r2c1,r3c1")]) == meaning_of(dots)
    assert meaning_of([("difference", "1=r1c1,r1c2,r1c3")]) == meaning_of(
        [("difference", "1=r1c1,r1c2"), ("difference", "1=r1c3,r1c2")]
    )


@for_each(
    "board, fault",
    [
        ({"ratio": [{"cells": ONE}, {"cells": ["R1C1"]}]}, "ratio 2: 'r1c1' are not two cells"),
        ({"ratio": [{"cells": ONE, "value": "x"}]}, "ratio 1: the value 'x' is not a number"),
        ({"xv": [{"cells": ONE, "value": "W"}]}, "xv 1: 'w' is neither X nor V"),
        ({"xv": "x"}, "xv is not a list"),
        ({"xv": ["x"]}, "xv 1: 'x' is not an object"),
        ({"ratio": [{"cells": ["R1C1", "R1C2"], "most": 2}]}, "ratio 1: 'most' is not known"),
        ({"difference": [{"cells": "R1C1"}]}, "difference 1: 'R1C1' is not a list of cells"),
    ],
)
def test_faults_have_their_place(board: dict[str, Any], fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        texts(**board)
    assert str(caught.value) == fault
