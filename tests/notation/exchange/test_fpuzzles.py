"""Boards of f-puzzles, read and written with every rule that there is."""

import json
from typing import Any

import pytest

from satdoku.errors import RuleError, SatdokuError
from satdoku.notation.exchange.fpuzzles import RULES as DOTS
from satdoku.notation.exchange.fpuzzles import can_hold, is_fpuzzles, read_fpuzzles, write_fpuzzles
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.rules.registry import RULES, read_rule
from tests.each import for_each
from tests.notation.exchange.boards import GRID, agree, empty_board, fpuzzles_board, with_example
from tests.variants import ours


def texts_of(board: dict[str, Any]) -> list[str]:
    return read_fpuzzles(board).puzzle().rule_texts


def again(puzzle: Puzzle) -> Puzzle:
    """What is read of what is written, by way of a text."""
    return read_fpuzzles(json.loads(json.dumps(write_fpuzzles(puzzle)))).puzzle()


def test_givens_title_and_author_are_read() -> None:
    foreign = read_fpuzzles(fpuzzles_board(title="Tea", author="Ann", antiknight=False, odd=[]))
    puzzle = foreign.puzzle()
    assert (puzzle.grid, puzzle.name, puzzle.author) == (GRID, "Tea", "Ann")
    assert puzzle.is_classic
    assert foreign.unread == ""


@for_each("name", RULES)
def test_every_rule_is_held_as_it_is_or_refused_by_name(name: str) -> None:
    puzzle = with_example(name)
    rules = puzzle.further_rules
    if not all(map(can_hold, rules)):
        return  # refused by `Format.write`, whose tests are elsewhere
    try:
        found = again(puzzle)
    except SatdokuError as error:
        assert name in str(error)  # noqa: PT017 - some uses of a rule are held
    else:
        assert agree(found, puzzle)


def test_our_puzzles_come_back() -> None:
    count = 0
    for variant in ours():
        held = all(map(can_hold, variant.puzzle.further_rules))
        # These come back in other words, which another test compares on small boards.
        others = (*DOTS, "windoku")
        if held and not any(rule.name in others for rule in variant.puzzle.further_rules):
            found = again(variant.puzzle)
            assert (found.grid, agree(found, variant.puzzle)) == (variant.puzzle.grid, True)
            count += 1
    assert count > 10


@for_each(
    "more, texts",
    [
        ({"antiknight": True, "antiking": True}, ["anti-knight", "anti-king"]),
        ({"diagonal+": True}, ["diagonal:/"]),
        ({"diagonal+": True, "diagonal-": True}, ["diagonals"]),
        ({"odd": [{"cell": "R1C2"}, {"cell": "R3C4"}]}, ["odd:r1c2,r3c4"]),
        ({"nonconsecutive": True}, ["non-consecutive"]),
        ({"extraregion": [{"cells": ["R1C1", "R2C2"]}]}, ["extra-region:r1c1,r2c2"]),
    ],
)
def test_keys_are_rules(more: dict[str, Any], texts: list[str]) -> None:
    assert texts_of(fpuzzles_board(**more)) == texts


def test_a_cell_that_names_no_region_lies_in_its_box_and_null_is_none() -> None:
    board = empty_board(4)
    for row in board["grid"]:
        for cell in row[:2]:
            cell["region"] = None
    assert texts_of(board) == ["regions:..AA/..AA/..BB/..BB"]


def test_older_boards_say_in_the_cell_whether_its_digit_is_odd() -> None:
    board = empty_board(4)
    board["grid"][0][0]["parity"] = "Even"
    board["grid"][0][1]["parity"] = "Odd"
    board["grid"][3][3]["parity"] = "Even"
    assert texts_of(board) == ["odd:r1c2", "even:r1c1,r4c4"]


def test_boxes_of_another_shape_are_boxes() -> None:
    board = empty_board(6)
    for row, cells in enumerate(board["grid"]):
        for column, cell in enumerate(cells):
            cell["region"] = row // 3 * 3 + column // 2
    puzzle = read_fpuzzles(board).puzzle()
    assert (puzzle.geometry, puzzle.is_classic) == (Geometry(3, 2), True)
    assert again(puzzle) == puzzle


@for_each(
    "key, entry",
    [
        ("killercage", {"cells": [], "value": "9"}),
        ("killercage", {"value": "9"}),
        ("thermometer", {"lines": ""}),
        ("maximum", {"cell": "", "cArray": "", "cells": ""}),
        ("difference", {"value": "1"}),
        ("xv", {"cells": {}, "value": "X"}),
        ("quadruple", {"values": [1, 2]}),
        ("littlekillersum", {"direction": "DR", "value": "9"}),
    ],
)
def test_an_entry_that_lost_its_cells_is_refused(key: str, entry: dict[str, object]) -> None:
    with pytest.raises(RuleError, match=f"{key} 1: there is .*, but no cell that it is about"):
        read_fpuzzles(fpuzzles_board(**{key: [entry]}))


@for_each("key", ["killercage", "thermometer", "maximum", "difference", "xv", "littlekillersum"])
def test_an_entry_that_says_nothing_is_passed(key: str) -> None:
    empty = {"cells": [], "lines": [], "value": "", "direction": "DR", "outlineC": "#fff"}
    known = {name: value for name, value in empty.items() if name != "lines" or key[0] == "t"}
    known = {k: v for k, v in known.items() if k != "direction" or key[0] == "l"}
    assert read_fpuzzles(fpuzzles_board(**{key: [known, {}]})).puzzle().is_classic


def test_boards_of_prime_size_have_no_boxes() -> None:
    assert read_fpuzzles(empty_board(7)).puzzle().geometry == Geometry(1, 7)


def test_a_board_without_any_region_comes_back() -> None:
    puzzle = Puzzle.from_line("." * 16, rules=["regions:" + "." * 16])
    assert again(puzzle) == puzzle
    latin = Puzzle(Grid.empty(Geometry(2, 2)), rules=(Rows(), Columns()))
    assert again(latin) == puzzle


def test_digits_that_are_not_given_and_drawings_are_told() -> None:
    board = fpuzzles_board(line=[{"lines": [["R1C1", "R1C2"]]}], ruleset="Lines are odd.")
    board["grid"][0][1] = {"value": 2}
    foreign = read_fpuzzles(board)
    assert foreign.puzzle().grid == GRID
    assert foreign.unread == (
        "satdoku does not read 1 digit not given and drawings (1 line) and rules in words in "
        "this puzzle of f-puzzles"
    )


def test_entries_that_name_no_cell_are_told_and_are_no_rules() -> None:
    board = empty_board(9) | {
        "arrow": [
            {"lines": [], "cells": ["R1C1"]},
            {"lines": [["R1C1", "R1C2"]], "cells": ["R1C1"]},
        ],
        "killercage": [{"cells": [], "value": ""}],
        "odd": [{}],
        "difference": [{"cells": []}],
    }
    assert texts_of(board) == ["arrow:r1c1=r1c2"]
    assert read_fpuzzles(board).unread == (
        "satdoku does not read empty entries (odd 1, killercage 1, arrow 1, difference 1) in this "
        "puzzle of f-puzzles"
    )


@for_each(
    "more, fault",
    [
        ({"whale": [{"cells": ["R1C1"]}]}, "has 'whale', which satdoku has no rule for"),
        ({"size": 10**9}, "satdoku reads boards of the size 1 to 36, not '1000000000'"),
        ({"size": "9"}, None),
        ({"size": 8}, "the grid of this board does not have 8 rows of 8 cells"),
        ({"odd": [{"cell": "R1C1"}, {"cell": "R0C1"}]}, "odd 2: 'R0C1' is not on a board of 9x9"),
        ({"odd": [{"cell": "r1-3c1"}]}, "odd 1: 'r1-3c1' is not a cell such as R1C1"),
        ({"odd": [{"cell": None, "cells": ["R1C1"]}]}, "odd 1: 'cells' is not known"),
        ({"odd": {"cell": "R1C1"}}, "odd is not a list"),
        ({"odd": ["R1C1"]}, "odd 1: 'R1C1' is not an object"),
        ({"odd": [{"cell": "R1C1", "not": "R1C2"}]}, "odd 1: 'not' is not known"),
        ({"extraregion": [{"cells": "R1C1"}]}, "extraregion 1: 'R1C1' is not a list of cells"),
        (
            {"extraregion": [{"cells": ["R1C1", "R1C2", "R1C1"]}]},
            "extraregion 1: r1c1 is named twice",
        ),
        ({"negative": ["whale"]}, "negative: satdoku has no rule for"),
        ({"negative": 7}, "negative: satdoku has no rule for"),
    ],
)
def test_faults_are_named_with_their_place(more: dict[str, Any], fault: str | None) -> None:
    with pytest.raises(RuleError) as caught:
        read_fpuzzles(fpuzzles_board() | more).puzzle()
    assert (fault or "boards of the size") in str(caught.value)


@for_each(
    "cell, fault",
    [
        ({"value": 10, "given": True}, "'10' at r1c1 is not a digit 1-9"),
        ({"value": "x", "given": True}, "'x' at r1c1 is not a digit 1-9"),
        ({"value": True, "given": True}, "'True' at r1c1 is not a digit 1-9"),
        ({"parity": "Prime"}, "the cell R1C1 has 'parity', which satdoku does not know"),
        ({"arrows": 3}, "the cell R1C1 has 'arrows', which satdoku does not know"),
        ({"givenPencilMarks": "12"}, "the candidates of r1c1 are not a list of numbers"),
        ({"givenPencilMarks": [0, 3]}, "'0' at r1c1 is not a digit 1-9"),
        ({"region": "A"}, "'A' is not the number of a region"),
        ({"region": 8}, "has 10 cells, expected 9"),
    ],
)
def test_faults_of_cells_are_named(cell: dict[str, Any], fault: str) -> None:
    board = empty_board()
    board["grid"][0][0] = cell
    with pytest.raises(RuleError) as caught:
        read_fpuzzles(board).puzzle()
    assert fault in str(caught.value)


def test_candidates_that_exclude_a_given_are_refused() -> None:
    """f-puzzles would show the marks and not the digit, or the digit and not the marks."""
    puzzle = Puzzle(Grid(Geometry(2, 2), (1,) + (0,) * 15))
    marked = puzzle.with_rules([read_rule("candidates:r1c1=2/3", puzzle.geometry)])
    with pytest.raises(SatdokuError, match="the given of r1c1 is excluded"):
        write_fpuzzles(marked)


def test_candidates_that_leave_no_digit_are_refused() -> None:
    geometry = Geometry(2, 2)
    rules = [read_rule(f"candidates:r1c1={digit}", geometry) for digit in (1, 2)]
    with pytest.raises(SatdokuError, match="r1c1 holds no digit"):
        write_fpuzzles(Puzzle(Grid.empty(geometry)).with_rules(rules))


def test_a_board_is_known_by_objects_for_its_cells() -> None:
    assert is_fpuzzles(empty_board())
    assert not any(map(is_fpuzzles, ({"grid": [[1]]}, {"grid": []}, {"grid": 1}, [], {"cells": 1})))


@for_each(
    "rule, told",
    [
        ("little-killer:r1c2.dr=0", "the rule little-killer: a diagonal with the sum 0"),
        (
            "region-sum:r1c1,r1c2/r2c1",
            "the rule region-sum: a line that is split otherwise than by",
        ),
    ],
)
def test_arguments_that_it_has_not_are_refused(rule: str, told: str) -> None:
    with pytest.raises(SatdokuError, match=f"f-puzzles cannot hold {told}"):
        write_fpuzzles(Puzzle.from_line("." * 81, rules=[rule]))
