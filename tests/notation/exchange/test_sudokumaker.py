"""Which rules the elements of SudokuMaker are, where their numbers lie, and what is refused."""

import copy
import json
import random
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pytest

import satdoku
from satdoku.errors import RuleError, SatdokuError
from satdoku.notation.exchange.links import read_link
from satdoku.notation.exchange.lzstring import pack
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import write_rule
from tests.crossing import few_or_many
from tests.each import for_each
from tests.variants import ours

BOXES = {"type": 1, "regions": [cell // 27 * 3 + cell % 9 // 3 for cell in range(81)]}
SMALL_BOXES = {"type": 1, "regions": [cell // 8 * 2 + cell % 4 // 2 for cell in range(16)]}
ROWS_AND_COLUMNS = {"type": 2003}


def board(*elements: Any, size: int = 9, **more: Any) -> dict[str, Any]:
    """A board without givens, with boxes of 3x3 or 2x2, and these elements."""
    boxes = [BOXES] if size == 9 else [SMALL_BOXES] if size == 4 else []
    cells: list[dict[str, Any]] = [{} for _ in range(size * size)]
    puzzle = {"name": "", "author": "", "cells": cells, "constraints": [*boxes, *elements]}
    return {"formatVersion": "1.5.0", "puzzle": puzzle | more}


def link_of(value: object) -> str:
    return "https://sudokumaker.app/?puzzle=" + quote(pack(json.dumps(value)))


def read(*elements: Any, **more: Any) -> Puzzle:
    return satdoku.parse(link_of(board(*elements, **more)))


def rules_of(puzzle: Puzzle) -> list[str]:
    return [write_rule(rule, puzzle.geometry) for rule in puzzle.further_rules]


def test_givens_title_author_and_rules_in_words_are_read() -> None:
    value = board(name="Tea", author="Ann", comment="Normal rules\napply.")
    value["puzzle"]["cells"][3] = {"given": True, "value": 7}
    value["puzzle"]["cells"][4] = {"value": 8, "candidates": 12}
    value["puzzle"]["cells"][5] = None
    foreign = read_link(link_of(value))
    puzzle = foreign.puzzle()
    assert puzzle.grid.line == "...7" + "." * 77
    assert (puzzle.name, puzzle.author, puzzle.rules_text) == ("Tea", "Ann", "Normal rules\napply.")
    assert foreign.unread == "satdoku does not read 1 digit not given in this puzzle of SudokuMaker"
    assert rules_of(puzzle) == []


@for_each(
    "element, rules",
    [
        ({"type": 0}, []),
        ({"type": 10}, ["diagonal:\\"]),
        ({"type": 13, "disabled": True}, []),
        ({"type": 12}, ["anti-king"]),
        ({"type": 13}, ["anti-knight"]),
        ({"type": 14}, ["disjoint-groups"]),
        ({"type": 15}, ["non-consecutive"]),
        ({"type": 16, "groups": [14, 112, 896]}, ["global-entropy"]),
        ({"type": 16, "groups": [146, 292, 584]}, ["global-modular"]),
        ({"type": 100, "cells": [0, 10]}, ["even:r1c1,r2c2"]),
        ({"type": 101, "cells": []}, []),
        ({"type": 103, "cells": [80]}, ["minimum:r9c9"]),
        ({"type": 600, "cells": [9]}, ["row-indexer:r2c1"]),
        ({"type": 300, "thermometers": [[0, 1, 2]], "slow": False}, ["thermo:r1c1,r1c2,r1c3"]),
        ({"type": 300, "thermometers": [[0, 1]], "slow": True}, ["slow-thermo:r1c1,r1c2"]),
        (
            {"type": 301, "cages": [{"value": 9, "cells": [0, 1]}, {"value": 0, "cells": [2, 3]}]},
            ["killer:9=r1c1,r1c2", "killer:r1c3,r1c4"],
        ),
        ({"type": 305, "cells": [0, 40, 80]}, ["extra-region:r1c1,r5c5,r9c9"]),
        ({"type": 400, "lines": [[0, 1], [5]]}, ["renban:r1c1,r1c2"]),
        ({"type": 401, "lines": [[0, 9]], "minDifference": 5}, ["whispers:5=r1c1,r2c1"]),
        ({"type": 402, "lines": [[0, 1, 2]]}, ["palindrome:r1c1,r1c2,r1c3"]),
        ({"type": 405, "lines": [[0, 1, 2]]}, ["sequence:r1c1,r1c2,r1c3"]),
        (
            {"type": 406, "lines": [[0, 1, 2]], "groups": [14, 112, 896]},
            ["entropic:r1c1,r1c2,r1c3"],
        ),
        ({"type": 407, "lines": [[0, 1, 2]]}, ["lockout:4=r1c1,r1c2,r1c3"]),
        (
            {"type": 408, "bulbsWithArrows": [{"bulbCells": [0], "arrows": [[0, 1, 2], [0, 9]]}]},
            ["arrow:r1c1=r1c2,r1c3", "arrow:r1c1=r2c1"],
        ),
        # A pill is read to the right, whatever the order of its cells.
        (
            {"type": 408, "bulbsWithArrows": [{"bulbCells": [1, 0], "arrows": [[1, 2, 12, 22]]}]},
            ["arrow:r1c1,r1c2=r1c3,r2c4,r3c5"],
        ),
        ({"type": 303, "clues": [{"corner": 11, "digits": [2, 4]}]}, ["quadruple:2/4=r1c1"]),
        ({"type": 303, "clues": [{"corner": 88, "digits": [1]}]}, ["quadruple:1=r8c8"]),
        (
            {"type": 500, "clues": [{"value": 5, "outerCell": 2, "diagonal": 1}]},
            ["little-killer:r1c1.dl=5"],
        ),
        (
            {"type": 500, "clues": [{"value": 5, "outerCell": 0, "diagonal": -1}]},
            ["little-killer:r1c1.dr=5"],
        ),
        ({"type": 501, "clues": [{"value": 10, "outerCell": 1}]}, ["sandwich:col1=10"]),
        ({"type": 501, "clues": [{"value": 9, "outerCell": 120 - 9}]}, ["sandwich:col1=9"]),
        (
            {"type": 502, "clues": [{"value": 9, "outerCell": 21}, {"outerCell": 22}]},
            ["x-sum:row1.left=9"],
        ),
        ({"type": 503, "clues": [{"value": 3, "outerCell": 11}]}, ["skyscraper:row1=3"]),
        ({"type": 504, "clues": [{"value": 7, "outerCell": 119}]}, ["numbered-room:col9.up=7"]),
        (
            {"type": 202, "clues": [{"value": 10, "edge": 17}, {"value": 5, "edge": 1}]},
            ["xv:x=r1c9,r2c9/v=r1c1,r1c2"],
        ),
        ({"type": 200, "clues": [{"value": 1, "edge": 9}]}, ["kropki:white=r1c1,r2c1"]),
        ({"type": 200, "clues": [{"value": 3, "edge": 9}]}, ["difference:3=r1c1,r2c1"]),
        ({"type": 201, "clues": [], "negative": [2, 3]}, ["no-ratio:2", "no-ratio:3"]),
        (
            {"type": 202, "clues": [{"value": 10, "edge": 1}], "negative": [5]},
            ["xv:x=r1c1,r1c2", "no-sum:5/r1c1,r1c2"],
        ),
    ],
)
def test_elements_are_the_rules_that_they_stand_for(element: Any, rules: list[str]) -> None:
    assert sorted(rules_of(read(element))) == sorted(rules)


def test_dots_of_both_colours_are_one_rule_and_exempt_from_each_other() -> None:
    white = {"type": 200, "clues": [{"value": 1, "edge": 1}], "negative": []}
    black = {"type": 201, "clues": [{"value": 2, "edge": 2}], "negative": []}
    assert rules_of(read(white, black)) == ["kropki:white=r1c1,r1c2/black=r1c2,r1c3"]
    assert rules_of(read(white, black | {"negative": [2]})) == [
        "difference:1=r1c1,r1c2",
        "ratio:2=r1c2,r1c3",
        "no-ratio:2/r1c1,r1c2/r1c2,r1c3",
    ]


def test_groups_of_any_digits_are_read_on_lines_and_in_squares() -> None:
    parity = {"type": 406, "lines": [[0, 1, 2]], "groups": [2 + 8, 4 + 16]}
    squares = {"type": 16, "groups": [2 + 8, 4 + 16]}
    puzzle = read(parity, squares, size=4)
    found = list(satdoku.solutions(puzzle))
    for text in (grid.line for grid in found):
        assert int(text[0]) % 2 != int(text[1]) % 2 != int(text[2]) % 2
    every = satdoku.solutions(read(size=4))
    corners = [(cell, cell + 1, cell + 4, cell + 5) for cell in range(11) if cell % 4 < 3]

    def is_mixed(text: str) -> bool:
        kinds = [int(digit) % 2 for digit in text]
        return kinds[0] != kinds[1] != kinds[2] and all(
            len({kinds[cell] for cell in square}) == 2 for square in corners
        )

    assert sorted(grid.line for grid in found) == sorted(
        grid.line for grid in every if is_mixed(grid.line)
    )


def test_boards_are_as_free_as_the_puzzle_says() -> None:
    assert read(size=6).geometry.size == 6
    raw = satdoku.parse(link_of(board(size=2, type="custom", maxDigit=3)))
    assert satdoku.count(raw, 1_000).number == 3**4
    latin = satdoku.parse(link_of(board(ROWS_AND_COLUMNS, size=2, type="custom", maxDigit=3)))
    assert satdoku.count(latin, 1_000).number == 18
    # Nine digits are usual, whatever the size, and digits may begin with 0.
    squished = read(
        ROWS_AND_COLUMNS,
        {"type": 305, "cells": [0, 1, 2, 7, 8, 9, 14, 15, 16]},
        size=7,
        type="custom",
    )
    assert (squished.geometry.size, squished.geometry.board_count) == (9, 49)
    zero = read(ROWS_AND_COLUMNS, size=4, type="custom", minDigit=0, maxDigit=3)
    assert rules_of(zero) == ["digits:0-3"]


def test_a_samurai_is_read_from_its_areas() -> None:
    areas = [
        {"x": x, "y": y, "width": 9, "height": 9}
        for x, y in ((0, 0), (12, 0), (6, 6), (0, 12), (12, 12))
    ]
    regions = [-1] * 441
    for each in areas:
        for cell in range(81):
            row, column = each["y"] + cell // 9, each["x"] + cell % 9
            regions[row * 21 + column] = row // 3 * 7 + column // 3
    elements = [{"type": 2003, "areas": areas}, {"type": 1, "regions": regions}]
    puzzle = read(*elements, {"type": 305, "cells": [9 * 21 + 6, 440]}, size=21, type="custom")
    assert str(puzzle.geometry) == str(Geometry.parse("samurai"))
    assert rules_of(puzzle) == ["extra-region:r10c7,r21c21"]
    with pytest.raises(SatdokuError, match="extra region: r1c10 is not on the board"):
        read(*elements, {"type": 305, "cells": [9, 10]}, size=21, type="custom")
    regions[0] = -1
    with pytest.raises(SatdokuError, match="regions: only boxes are read on boards of several"):
        read(*elements, size=21, type="custom")


@for_each(
    "elements, told",
    [
        (
            [{"type": 1000, "definition": {"name": "no roping"}}],
            "has the custom code 'no roping', which satdoku has no rule for",
        ),
        ([{"type": 1000, "name": "Mine", "definition": {}}], "has the custom code 'Mine'"),
        ([{"type": 302, "groups": []}], "has clones, which satdoku has no rule for"),
        ([{"type": 777}], "has an element of the kind 777, which"),
        (
            [{"type": 300, "thermometers": [[0, 81]]}],
            "thermometers: '81' is not the number of a cell",
        ),
        ([{"type": 300}], "thermometers: 'None' is not a list"),
        ([{"type": 301, "cages": [5]}], "killer cages: '5' is not an object"),
        (
            [{"type": 301, "cages": [{"value": "9", "cells": [0]}]}],
            "killer cages: '9' is not a number",
        ),
        (
            [{"type": 200, "clues": [{"value": 1, "edge": 0}]}],
            "differences: r1c0 is not on the board",
        ),
        (
            [{"type": 303, "clues": [{"corner": 0, "digits": [1]}]}],
            "quadruples: r0c0 is not on the board",
        ),
        (
            [{"type": 503, "clues": [{"value": 1, "outerCell": 0}]}],
            "skyscrapers: 0 is not a place beside",
        ),
        ([{"type": 404, "lines": [[0, 1]], "singleRegionTotals": True}], "sums of whole regions"),
        (
            [{"type": 408, "bulbsWithArrows": [{"bulbCells": [0, 10], "arrows": [[10, 20]]}]}],
            "the circle r1c1,r2c2 is neither in a row nor a column",
        ),
        (
            [{"type": 16, "groups": [2, 2]}],
            "global entropy: the groups of digits are empty, or share",
        ),
        (
            [{"type": 500, "clues": [{"value": 9, "outerCell": 32, "diagonal": 0}]}],
            "'0' is no direction",
        ),
        (
            [{"type": 500, "clues": [{"value": 9, "outerCell": 12, "diagonal": 1}]}],
            "no diagonal begins",
        ),
        ([{"type": "killer"}], "is no element of SudokuMaker"),
        ([{"type": 1, "regions": [0]}], "regions: there are 81 cells"),
    ],
)
def test_what_is_not_read_is_refused_with_its_place(elements: list[Any], told: str) -> None:
    with pytest.raises(RuleError) as caught:
        read(*elements)
    assert told in caught.value.message


@for_each(
    "more, told",
    [
        ({"width": 8, "height": 9}, "has 81 cells, not 9x8"),
        ({"maxDigit": 0}, "minDigit 1 and maxDigit 0 make 0 digits"),
        ({"maxDigit": "9"}, "maxDigit: '9' is not a number"),
        ({"cells": []}, "has 0 cells"),
        ({"cells": 5}, "no puzzle of SudokuMaker"),
    ],
)
def test_boards_that_cannot_be_are_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(RuleError) as caught:
        read(**more)
    assert told in caught.value.message


def test_drawings_and_fog_are_told() -> None:
    line = {"type": 2000, "lines": [[{"x": 0.5, "y": 0.5}]]}
    foreign = read_link(link_of(board(line, {"type": 4000}, comment="Lines are thermos.")))
    assert foreign.unread == (
        "satdoku does not read drawings (1 line, fog) and rules in words in this puzzle of "
        "SudokuMaker"
    )


@few_or_many("count", 60, 2000)
def test_whatever_is_damaged_is_refused_in_a_sentence(count: int) -> None:
    """Any part replaced by anything gives a puzzle or an error of ours, never another one."""
    elements = [
        {"type": 301, "cages": [{"value": 9, "cells": [0, 1]}]},
        {"type": 303, "clues": [{"corner": 11, "digits": [2, 4]}]},
        {"type": 408, "bulbsWithArrows": [{"bulbCells": [0], "arrows": [[0, 1, 2]]}]},
        {"type": 500, "clues": [{"value": 5, "outerCell": 2, "diagonal": 1}]},
        {"type": 202, "clues": [{"value": 10, "edge": 17}], "negative": [5]},
        {"type": 16, "groups": [14, 112, 896]},
        {"type": 2003, "areas": [{"x": 0, "y": 0, "width": 9, "height": 9}]},
    ]
    whole = board(*elements, type="custom", minDigit=1, maxDigit=9, width=9, height=9)
    random_of = random.Random(44)
    odd: Any = (None, -1, 0, 3, 10**30, 1.5, "x", True, [], {}, [[1]], {"a": 1})
    read = 0
    for _ in range(count):
        value = copy.deepcopy(whole)
        node: Any = value["puzzle"]
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            key = random_of.choice(keys)
            if isinstance(node[key], dict | list) and node[key] and random_of.random() < 0.8:
                node = node[key]
                continue
            node[key] = random_of.choice(odd)
            break
        # Any other error fails.
        with suppress(SatdokuError):
            read_link(link_of(value)).puzzle()
            read += 1
    assert 0 < read < count


def written(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle that the link of a puzzle opens."""
    return satdoku.parse(satdoku.write(puzzle, "link:sudokumaker").strip())


def test_what_is_written_is_read_back() -> None:
    names = set()
    for _, puzzle, solution in ours():
        try:
            again = written(puzzle)
        except SatdokuError:
            continue
        assert again.grid == puzzle.grid
        assert not find_fault(solution, again)
        # Windows are extra regions there.
        assert len(again.further_rules) >= len(puzzle.further_rules)
        names |= {rule.name for rule in puzzle.further_rules}
    assert len(names) > 30


@for_each(
    "side, rule",  # boxes have 2 rows and this number of columns
    [
        (2, "modular:3=r1c1,r1c2,r2c3"),
        (4, "modular:3=r1c1,r1c2,r1c3"),
        (6, "modular:3=r1c1,r1c2,r1c3"),
        (6, "entropic:r1c1,r1c2,r1c3"),
        (6, "global-modular"),
    ],
)
def test_groups_of_digits_are_written_for_boards_of_other_sizes(side: int, rule: str) -> None:
    line = "." * (2 * side) ** 2
    puzzle = Puzzle.from_line(line, Geometry(2, side), rules=[rule])
    assert rules_of(written(puzzle)) == [rule]


def test_cells_that_follow_each_other_have_a_clue_for_each_two() -> None:
    puzzle = Puzzle.from_line(
        "." * 81, rules=["pair-sum:9=r2c1,r1c1,r1c2", "pair-sum:10=r4c1,r3c1"]
    )
    found = ["xv:x=r3c1,r4c1", "pair-sum:9=r1c1,r2c1", "pair-sum:9=r1c1,r1c2"]
    assert rules_of(written(puzzle)) == found


def test_title_author_and_rules_in_words_are_written() -> None:
    puzzle = read(name="Tea", author="Ann", comment="Normal rules\napply.")
    again = written(puzzle)
    assert (again.name, again.author, again.rules_text) == ("Tea", "Ann", "Normal rules\napply.")


@for_each(
    "rules, told",
    [
        (["zipper:r1c1,r1c2,r1c3"], "link:sudokumaker cannot hold the rule zipper"),
        (
            ["lockout:2=r1c1,r1c2,r1c3"],
            "has lockout lines with 4 only, and this puzzle some with 2",
        ),
        (["difference:1=r1c1,r9c9"], "cannot hold these rules as they are used here: difference"),
        (["no-ratio:2/r1c1,r1c2"], "cannot hold these rules as they are used here: no-ratio"),
        (["region-sum:r1c1,r1c2/r2c1"], "splits lines for sums by regions, and this puzzle some"),
    ],
)
def test_rules_that_it_has_not_are_refused(rules: list[str], told: str) -> None:
    with pytest.raises(SatdokuError, match=told):
        satdoku.write(Puzzle.from_line("." * 81, rules=rules), "link:sudokumaker")
