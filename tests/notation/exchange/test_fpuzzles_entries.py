"""Entries of each shape: the arguments of our rules, and back."""

from typing import Any

import pytest

from satdoku.errors import RuleError, SatdokuError
from satdoku.notation.exchange.fpuzzles import (
    Arrows,
    CellList,
    Clones,
    Diagonals,
    EntryShape,
    Indexers,
    LineClue,
    LineList,
    Marked,
    Quadruples,
)
from tests.each import for_each

ONE = ["R1C1", "R1C2"]
FOUR = ["R2C2", "R2C3", "R3C2", "R3C3"]


@for_each(
    "shape, entry, argument",
    [
        (Marked(), {"cell": "R1C1"}, "r1c1"),
        (Indexers(), {"cells": ["R1C1"]}, "r1c1"),
        (CellList(), {"cells": ONE}, "r1c1,r1c2"),
        (CellList(has_value=True), {"cells": ONE, "value": "9"}, "9=r1c1,r1c2"),
        (CellList(has_value=True), {"cells": ONE}, "r1c1,r1c2"),
        (LineList(), {"lines": [ONE]}, "r1c1,r1c2"),
        (LineList(has_value=True), {"lines": [ONE], "value": "4"}, "4=r1c1,r1c2"),
        (Arrows(), {"cells": ["R1C1"], "lines": [[*ONE, "R1C3"]]}, "r1c1=r1c2,r1c3"),
        (Arrows(), {"cells": ONE, "lines": [["R1C2", "R2C3"]]}, "r1c1,r1c2=r2c3"),
        (LineClue(), {"cell": "R0C4", "value": "9"}, "col4=9"),
        (LineClue(), {"cell": "R5C10", "value": "9"}, "row5.left=9"),
        (
            Diagonals(),
            {"cell": "R0C3", "cells": ["R1C2", "R2C1"], "direction": "DL", "value": "9"},
            "r1c2.dl=9",
        ),
        (Clones(), {"cells": ONE, "cloneCells": ["R5C1", "R5C2"]}, "r1c1,r1c2=r5c1,r5c2"),
        (Quadruples(), {"cells": FOUR, "values": [3, 5, 5]}, "3/5/5=r2c2"),
    ],
)
def test_an_entry_is_an_argument_and_back(
    shape: EntryShape, entry: dict[str, Any], argument: str
) -> None:
    assert list(shape.arguments(entry, 9)) == [argument]
    assert shape.entries(argument, 9) == [entry]


def test_several_lines_of_an_entry_are_several_rules() -> None:
    entry = {"cells": ["R1C1"], "lines": [["R1C1", "R2C2"], ["R1C1", "R1C2"]]}
    assert list(Arrows().arguments(entry, 9)) == ["r1c1=r2c2", "r1c1=r1c2"]
    assert list(LineList().arguments({"lines": [ONE, FOUR]}, 9)) == [
        "r1c1,r1c2",
        "r2c2,r2c3,r3c2,r3c3",
    ]


@for_each(
    "shape, entry",
    [
        (LineClue(), {"cell": "R0C4", "value": ""}),
        (Diagonals(), {"cell": "R0C3", "direction": "DR", "value": "0"}),
        (Diagonals(), {"cell": "R0C3", "direction": "DR"}),
        (Quadruples(), {"cells": FOUR, "values": []}),
        (LineList(), {"lines": []}),
        (LineList(), {"lines": [[], ["R1C1"]]}),
        (LineList(least=3), {"lines": [["R1C1", "R1C2"]]}),
        (Arrows(), {"cells": ONE}),
        (Arrows(), {"cells": ONE, "lines": [[], ["R1C1"]]}),
    ],
)
def test_clues_that_say_nothing_are_none(shape: EntryShape, entry: dict[str, Any]) -> None:
    assert list(shape.arguments(entry, 9)) == []


def test_a_sandwich_has_no_direction() -> None:
    sandwich = LineClue(either_end=True)
    assert list(sandwich.arguments({"cell": "R5C10", "value": 9}, 9)) == ["row5=9"]


@for_each(
    "shape, entry, fault",
    [
        (CellList(has_value=True), {"cells": ONE, "value": "a"}, "the value 'a' is not a number"),
        (LineList(), {"lines": "R1C1"}, "'R1C1' is not a list of lines"),
        (LineList(), {"lines": [7]}, "'7' is not a list of cells"),
        (Quadruples(), {"cells": ONE, "values": [1]}, "are not four cells around a corner"),
        (Quadruples(), {"cells": FOUR, "values": ["x"]}, "is not a list of digits"),
    ],
)
def test_faults_are_sentences(shape: EntryShape, entry: dict[str, Any], fault: str) -> None:
    with pytest.raises(RuleError) as caught:
        list(shape.arguments(entry, 9))
    assert fault in str(caught.value)


def test_segments_that_are_not_regions_cannot_be_written() -> None:
    with pytest.raises(SatdokuError):
        LineList().entries("r1c1/r1c2", 9)
