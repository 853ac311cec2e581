"""What docs/generating.md says of names and bounds is what the code has.

What it says of puzzles the other tests here hold.
"""

import re
from inspect import signature
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import satdoku
from satdoku.explaining.step import Technique
from satdoku.making import canonical, clues, drafts, request
from satdoku.making import drafts as few_givens
from satdoku.making import generator as generated
from satdoku.making.request import Need, read_needs
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.registry import RULES
from satdoku.puzzle.symmetry import Symmetry
from tests.each import for_each
from tests.making.requests import request as wanted

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "generating.md").read_text().split())

BOUNDS = {
    r"If that fails (\d+) times": clues._MOST_DRAWINGS,
    r"above 12x(\d+), where it takes too long": request._MOST_WITH_CLUES,
    r"from 20x(\d+) on, above": request.LARGE_SIZE,
    r"from 20x20 on, above 12x(\d+) with randomly drawn clues": request._MOST_WITH_CLUES,
    r"a puzzle of up to (\d+) givens is made first": drafts.MOST_CELLS,
    r"and with (\d+) or fewer on 9x9": few_givens.MOST_GIVENS,
    r"It remembers (\d+) bytes a puzzle": generated._BYTES_A_KEY,
    r"when ([\d,]+) numbers in a row": generated._MOST_IN_VAIN,
    r"puzzles with fewer than (\d+) givens that singles solve": request._FEW_FOR_SINGLES,
    r"Above (\d+)x9, `fewest` is refused": request.LARGEST_SIZE_OF_FEWEST,
    r"Boards above 16x(\d+), nearly full": canonical.LARGEST_SIZE,
}


@for_each("pattern", BOUNDS)
def test_the_bounds_that_the_page_names_are_those_of_the_code(pattern: str) -> None:
    found = re.search(pattern, PAGE)
    assert found is not None
    assert int(found[1].replace(",", "")) == BOUNDS[pattern]


def row_of(wish: str) -> str:
    """What the table says of a wish."""
    found = re.search(rf"\| (?:`\w+`, )?`{wish}`(?:, `\w+`)? \| (.*?) \|", PAGE)
    assert found is not None, wish
    return found[1]


def test_the_table_has_every_wish_and_no_other() -> None:
    table = re.search(r"\| wish \|.*?(?= Impossible wishes)", PAGE)
    assert table is not None
    first = [
        re.findall(r"`(\w+)`", row) for row in re.findall(r"\| (`[^|]*) \| [^|]* \|", table[0])
    ]
    wishes = set(signature(satdoku.generate).parameters) - {"count", "keywords"}
    assert {name for names in first for name in names} == wishes


NAMES = {
    "symmetry": {each.value for each in Symmetry},
    "minimality": {each.value for each in request.Minimality},
    "technique": {each.value for each in request.WantedTechnique},
    "distinct": {each.value for each in generated.Distinct},
}


@for_each("wish", NAMES)
def test_the_table_names_what_a_wish_can_be(wish: str) -> None:
    told = set(re.findall(r"[\w-]+", row_of(wish)))
    assert told >= NAMES[wish]


def test_the_rules_that_the_page_says_are_drawn_are_drawn() -> None:
    told = re.search(
        r"(`thermo`.*?) are drawn as lines.*?; (.*?) with all their marks; (.*?) at", PAGE
    )
    assert told is not None
    lines, dots, outside = (re.findall(r"`([\w-]+)`", part) for part in told.groups())
    drawn = {name: rule.drawn_at_random for name, rule in RULES.items()}
    for names, kinds in ((lines, ("lines", "arrows")), (dots, ("marks",)), (outside, ("outside",))):
        assert set(names) == {name for name, kind in drawn.items() if kind in kinds}


def test_wishes_for_steps_mean_what_the_page_says() -> None:
    told = re.findall(r"`(?:generate )?--needs ([\w:-]+)`", PAGE)
    needs = read_needs(told, None)
    assert needs is not None
    assert needs.needs == (
        Need(Technique.X_WING),
        Need(Technique.XY_WING, 2),
        Need(Technique.NAKED_PAIR, 1, 3),
        Need(Technique.NAKED_PAIR, 0, 0),
    )
    hard = request.why_rare(wanted(), (7, None))
    assert hard.split(":")[0].removeprefix("of") in PAGE


def count_givens(**wishes: Any) -> list[int]:
    """How many givens puzzles have."""
    made = satdoku.generate(wishes.pop("count"), **{"seed": 5, **wishes})
    return [sum(map(bool, each.puzzle.grid.digits)) for each in made]


@pytest.mark.slow
def test_deleting_seldom_ends_with_as_few_givens_as_the_page_says() -> None:
    told = re.search(r"ends with (21) in about one case in (\d+)\.", PAGE)
    assert told is not None
    # Of 16,000 from four seeds 36 had so few; these 2,000 have 5.
    few = sum(givens <= int(told[1]) for givens in count_givens(count=2000, seed=8))
    assert 2000 / int(told[2]) / 3 < few < 2000 / int(told[2]) * 3


@pytest.mark.slow
def test_the_fewest_givens_are_as_many_as_the_page_says() -> None:
    told = re.search(r"of all puzzles within it: usually (\d+) to (\d+)", PAGE)
    assert told is not None
    found = count_givens(count=12, fewest=True)
    assert sum(int(told[1]) <= givens <= int(told[2]) for givens in found) > 8


@pytest.mark.slow  # clues of large boards, and hundreds of ratings
def test_the_page_says_how_often_and_how_many() -> None:
    told = re.search(r"a 16x16 has (\d+) to (\d+) givens", PAGE)
    assert told is not None
    found = count_givens(count=5, box=Geometry(4, 4), rules=["killer:random"])
    assert int(told[1]) - 2 <= mean(found) <= int(told[2]) + 2
    told = re.search(r"Of ([\d,]+) random .*? (\d+) have the rating 6, (\d+) the rating 7", PAGE)
    assert told is not None
    every, six, seven = (int(number.replace(",", "")) for number in told.groups())
    numbers = [satdoku.rate(made.puzzle).number for made in satdoku.generate(600, seed=5)]
    # Chance may treble or part what so few are.
    assert six / every * 200 < sum(number == 6 for number in numbers) < six / every * 1800
    assert sum(number is None or number > 6 for number in numbers) < seven / every * 2400
