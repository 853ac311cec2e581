"""A text that somebody types is answered when it is certain that it is whole."""

import json

import pytest

from satdoku.notation.hints import Hints
from satdoku.notation.reading import is_whole, is_whole_paste
from tests.crossing import crossed
from tests.each import for_each
from tests.notation.pastes.shapes import SHAPES
from tests.notation.samples import LINE, ROWS

FRAME = "+---+---+---+"
FRAMED = [FRAME, *(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS), FRAME]
WHOLE = {
    "a line": [LINE],
    "a line with a fault": [LINE[1:]],
    "rows": ROWS,
    "a frame": FRAMED,
    "a list": json.dumps([list(row) for row in ROWS], indent=1).split("\n"),
    "a title and rows": ["Grid 01", *ROWS],
}
WAITING = {
    "nothing": [],
    "an empty line": [""],
    "a comment": ["# mine"],
    "a title": ["Grid 01"],
    "a frame without its end": FRAMED[:-1],
    "what may be a small board or a row": ["1" + "." * 15],
    "a table, which may go on": ["id,puzzle", f"1,{LINE}"],
    "words": ["can you solve this"],
}


@for_each("name", WHOLE)
def test_what_is_certain_is_whole_and_its_beginnings_are_not(name: str) -> None:
    lines = list(WHOLE[name])
    assert is_whole(lines, None, Hints())
    assert not any(is_whole(lines[:count], None, Hints()) for count in range(len(lines)))


@for_each("name", WAITING)
def test_whatever_may_go_on_is_waited_for(name: str) -> None:
    assert not is_whole(WAITING[name], None, Hints())


@pytest.mark.parametrize("name", ["what may be a small board or a row", "a table, which may go on"])
def test_an_empty_line_ends_it(name: str) -> None:
    assert is_whole([*WAITING[name], ""], None, Hints())


def test_an_empty_line_may_stand_between_bands_and_two_end_every_text() -> None:
    banded = [*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]
    assert is_whole(banded, None, Hints())
    assert not any(is_whole(banded[:count], None, Hints()) for count in range(len(banded)))
    assert is_whole([*ROWS[:3], "", ""], None, Hints())
    assert is_whole([*ROWS[:8], ROWS[8][:-1], ""], None, Hints())


def test_a_format_that_is_named_is_not_guessed() -> None:
    assert is_whole(["1" + "." * 15], "line", Hints())


@crossed(3, name=SHAPES)
def test_what_is_pasted_at_once_is_whole_at_its_end(name: str) -> None:
    lines = SHAPES[name](ROWS).split("\n")
    assert is_whole_paste(lines, None, Hints())


def test_what_may_be_a_part_of_a_paste_is_waited_for() -> None:
    for lines in ([], [""], ["hello"], ["1" + "." * 15], ROWS[:8], ["r1c1=5", "r1c2=7"]):
        assert not is_whole_paste(lines, None, Hints())
