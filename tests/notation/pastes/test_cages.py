"""Killers and jigsaws as people type them are read with their rules, or refused."""

import re

import pytest

from satdoku.errors import FormatError, RuleError
from satdoku.notation.reading import PuzzleReader, read_puzzles
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

CAGES = {
    "r1c1,r1c2,r1c3": 6, "r1c4,r2c4": 5, "r2c1,r3c1,r3c2,r4c1": 10, "r2c2,r2c3,r3c3": 7,
    "r3c4,r4c4": 5, "r4c2,r4c3": 7,
}  # fmt: skip
KILLER = Puzzle.from_line("." * 16, rules=[f"killer:{total}={c}" for c, total in CAGES.items()])
EMPTY = "....\n" * 4


def _lines(form: str, between: str = " ") -> str:
    return "\n".join(
        form.format(cells=c.replace(",", between), sum=total, count=c.count("r"))
        for c, total in CAGES.items()
    )


_JSON = ", ".join(
    f'{{"sum": {total}, "cells": {[name for name in c.split(",")]}}}'.replace("'", '"')
    for c, total in CAGES.items()
)
_PLACES = ", ".join(
    f'{{"sum": {total}, "cells": {[[int(n[1]) - 1, int(n[3]) - 1] for n in c.split(",")]}}}'
    for c, total in CAGES.items()
)
TEXTS = {
    "sums behind": _lines("{cells}={sum}", "+"),
    "sums before": EMPTY + _lines("{sum}: {cells}"),
    "below a line": "." * 16 + "\n" + _lines("{sum}: {cells}"),
    "counts": _lines("{sum}({count}) {cells}").upper(),
    "a heading": "Killer cages:\n" + _lines("{sum} = {cells}") + "\n\n" + EMPTY,
    "rules": EMPTY + _lines("killer:{sum}={cells}", ","),
    "one line": EMPTY + "\nkiller cages: 6 in r1c1-3, 5 in r1-2c4, 10 in r2-4c1,r3c2, "
    "7 in r2c2-3,r3c3, 5 in r3-4c4, 7 in r4c2-3",
    "a table": "sum,cells\n" + _lines("{sum},{cells}"),
    "letters": "AAAB\nCDDB\nCCDE\nCFFE\nA=6 B=5 C=10 D=7 E=5 F=7",
    "letters in lines": "A A A B\nC D D B\nC C D E\nC F F E\n\nA: 6\nB: 5\nC: 10\nD: 7\nE: 5\nF: 7",
    "JSON": f'{{"cages": [{_JSON}]}}',
    "JSON by places": f'{{"size": 4, "cages": [{_PLACES}]}}',
}


@for_each("name", TEXTS)
def test_cages_are_rules(name: str) -> None:
    reader = PuzzleReader(TEXTS[name].split("\n"))
    (record,) = reader
    puzzle = reader.parser(record)
    assert puzzle.grid == KILLER.grid
    assert {*puzzle.further_rules} == {*KILLER.further_rules}
    said = reader.unread(record)
    assert said.startswith("the text states killer:6=r1c1")
    assert said.endswith(", which are applied")


@for_each(
    "text",
    [
        EMPTY + _lines("{sum}: {cells}") + "\n5: r1c1 r1c2",
        EMPTY + _lines("{sum}: {cells}") + "\nand a dot between r1c1 and r2c1",
        EMPTY + "9: r1c1 r1c5",
        EMPTY + "6(2) r1c1 r1c2 r1c3",
        "6: r1c1 r1c2",
        "AAAB\nCDDB\nCCDE\nCFFE\nA=6 B=5 C=10 D=7 E=5",
        '{"cages": [{"sum": 6, "cells": [[1, 1], [1, 2]]}]}',
        f'{{"cages": [{_JSON}], "thermos": ["r1c1-3"]}}',
        EMPTY + "9: r1-99c1-99",
    ],
)
def test_cages_that_are_not_understood_are_refused(text: str) -> None:
    with pytest.raises(RuleError, match=r"--rule"):
        list(read_puzzles(text.split("\n")))


@for_each(
    "text, told",
    [
        (
            "r1c1+r1c2=15\nr3c3+r9c4=9\nr5c5+r5c6 is odd 7",
            "but 'r5c5+r5c6 is odd 7' is not understood",
        ),
        ("r1c1+r1c2=15\nr3c3+r3c4=9", "these cages do not say how large the board is"),
    ],
)
def test_it_is_said_what_of_cages_is_not_understood(text: str, told: str) -> None:
    with pytest.raises(RuleError, match=re.escape(told)):
        list(read_puzzles(text.split("\n")))


REGIONS = "AABB\nABBC\nADCC\nDDDC"


@for_each("gap", ["\n", "\n\n"])
def test_letters_below_a_grid_are_its_regions(gap: str) -> None:
    cells = "..1.\n....\n4...\n.3.."
    for text in (cells + gap + REGIONS, REGIONS + gap + cells):
        (puzzle,) = read_puzzles(text.split("\n"))
        assert puzzle.grid.line == cells.replace("\n", "")
        assert puzzle.regions is not None
        assert puzzle.regions.letters == REGIONS.replace("\n", "")


def test_damaged_letters_below_a_grid_are_a_fault() -> None:
    with pytest.raises(FormatError):
        list(read_puzzles(("..1.\n....\n4...\n.3..\n\n" + REGIONS[:-1]).split("\n")))
