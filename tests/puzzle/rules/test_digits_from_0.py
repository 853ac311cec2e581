"""What rules about places and heights mean where digits count from 0, as setters use them there.

Both statements of a rule can be wrong alike, so full rows are judged here by hand.
"""

import re
from itertools import permutations
from pathlib import Path

import pytest

import satdoku
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.registry import read_rule
from satdoku.solving.questions import find_solutions
from tests.each import for_each


def first_rows(rule: str) -> set[str]:
    """The first rows, in digits from 0, of all solutions of an empty board of 4x4."""
    puzzle = satdoku.parse("." * 16, rules=["digits:0-3", rule])
    found = find_solutions(puzzle)
    return {"".join(str(digit - 1) for digit in grid.digits[:4]) for grid in found}


ROWS = ["".join(row) for row in permutations("0123")]


@for_each("seen", [1, 2, 3])
def test_the_house_of_height_0_is_never_seen(seen: int) -> None:
    """From the left 0312 shows one house, 3, and 0123 three."""
    houses = {row: row.replace("0", "") for row in ROWS}
    expected = {
        row
        for row, high in houses.items()
        if sum(high[n] == max(high[: n + 1]) for n in range(3)) == seen
    }
    assert first_rows(f"skyscraper:row1={seen}") == expected


def test_no_board_with_a_height_of_0_shows_as_many_houses_as_cells() -> None:
    outcome = satdoku.check(satdoku.parse("." * 16, rules=["digits:0-3", "skyscraper:row1=4"]))
    assert outcome.verdict is satdoku.Verdict.NONE
    assert first_rows("skyscraper:row1=4") == set()


@for_each("column", [1, 2, 3])
def test_indexers_count_places_from_1(column: int) -> None:
    """In column 2, 3 says that the third cell of the row holds 2; 0 says no place."""
    expected = {row for row in ROWS if row[int(row[column - 1]) - 1] == str(column)} - {
        row for row in ROWS if row[column - 1] == "0"
    }
    assert first_rows(f"column-indexer:r1c{column}") == expected


def test_an_indexer_of_a_place_that_is_no_digit_is_refused() -> None:
    with pytest.raises(satdoku.SatdokuError, match="r1c4 has place 4, which is no digit"):
        satdoku.parse("." * 16, rules=["digits:0-3", "column-indexer:r1c4"])


def test_numbered_rooms_count_places_from_1() -> None:
    expected = {row for row in ROWS if row[0] != "0" and row[int(row[0]) - 1] == "3"}
    assert first_rows("numbered-room:row1=3") == expected


def test_indexers_on_digits_from_1_say_all_places() -> None:
    rule = read_rule("column-indexer:r1c4", Geometry(2, 2))
    assert not any(rule.forbids(Geometry(2, 2), 3, digit) for digit in range(1, 5))


PAGE = Path(__file__).parents[3] / "docs" / "rules.md"
IN_TABLE = re.findall(
    r"^\|.*\| `(\S+)` \| `(\d{4})` \| `(\d{4})` \|$", PAGE.read_text("utf-8"), re.M
)


def test_the_page_tells_of_many_rules_what_they_do_with_a_0() -> None:
    assert len(IN_TABLE) >= 17


@for_each("rule, keeps, breaks", IN_TABLE)
def test_a_0_does_what_the_page_says(rule: str, keeps: str, breaks: str) -> None:
    def verdict(row: str) -> satdoku.Verdict:
        return satdoku.check(satdoku.parse(row + "." * 12, rules=["digits:0-3", rule])).verdict

    assert verdict(keeps) is not satdoku.Verdict.NONE
    assert verdict(breaks) is satdoku.Verdict.NONE


def test_all_words_about_a_skyscraper_say_that_a_0_is_not_seen() -> None:
    puzzle = satdoku.parse("0123" + "." * 12, rules=["digits:0-3", "skyscraper:row1=4"])
    rule = next(rule for rule in puzzle.rules if rule.name == "skyscraper")
    for words in (rule.sentence(puzzle.geometry), rule.caption(puzzle.geometry)):
        assert words.endswith(", where 0 is not seen")
    assert satdoku.check(puzzle).clashes[0].describe(puzzle.name_of_digit) == (
        "r1c1, r1c2, r1c3 and r1c4 are 0, 1, 2 and 3, but 4 of them are greater than all before, "
        "where 0 is not seen"
    )
    usual = read_rule("skyscraper:row1=4", Geometry(2, 2))
    assert "0" not in usual.sentence(Geometry(2, 2)) + usual.caption(Geometry(2, 2))


def test_a_line_of_zeros_has_no_part_with_the_sum() -> None:
    puzzle = satdoku.parse("0" + "." * 15, rules=["digits:0-3", "sum-line:3=r1c1,r2c3"])
    found = [str(grid.digits[6] - 1) for grid in find_solutions(puzzle)]
    assert {*found} == {"3"}
    rows = {row for row in ROWS if {*row[:2]} in ({"0", "3"}, {"1", "2"})}
    assert first_rows("sum-line:3=r1c1,r1c2") == rows
