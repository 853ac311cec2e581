"""An outcome as an object, and as columns of a table."""

import csv
import io
import json

import pytest

from satdoku.notation.tables.fields import quote_field
from satdoku.output.words import COLUMNS, dump_line, to_columns, to_object
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.questions import check
from tests.boards import pigeonhole_puzzle, read_grid
from tests.commands import AMBIGUOUS, CLASHING, SMALL, SMALL_SOLUTION

ALWAYS = {
    "puzzle",
    "box",
    "verdict",
    "solution",
    "second",
    "differences",
    "conflicts",
    "reason",
}
STATISTICS = {"solver", "encoding", "seconds", "statistics"}


@pytest.mark.parametrize("text", [SMALL, AMBIGUOUS, CLASHING])
def test_the_keys_are_always_the_same(text: str) -> None:
    outcome = check(Puzzle(read_grid(text)))
    assert set(to_object(outcome)) == ALWAYS
    assert set(to_object(outcome, has_statistics=True)) == ALWAYS | STATISTICS
    assert json.loads(dump_line(to_object(outcome, True))) == to_object(outcome, True)
    assert dump_line(to_object(outcome)).count("\n") == 1


def test_name_and_comment_are_there_where_the_puzzle_has_them() -> None:
    result = to_object(check(Puzzle(read_grid(SMALL), "easy", "mine")))
    assert (result["name"], result["comment"]) == ("easy", "mine")


def test_a_unique_puzzle_has_its_solution() -> None:
    result = to_object(check(Puzzle(read_grid(SMALL))))
    assert (result["verdict"], result["solution"]) == ("unique", SMALL_SOLUTION)
    assert (result["second"], result["differences"], result["conflicts"]) == (None, [], [])


def test_differences_are_those_of_the_two_solutions() -> None:
    result = to_object(check(Puzzle(read_grid(AMBIGUOUS))))
    first, second = result["solution"], result["second"]
    by_name = {entry["cell"]: (entry["first"], entry["second"]) for entry in result["differences"]}
    assert by_name == {
        f"r{cell // 4 + 1}c{cell % 4 + 1}": (int(first[cell]), int(second[cell]))
        for cell in range(16)
        if first[cell] != second[cell]
    }


def test_a_clash_names_cells_digit_and_unit() -> None:
    clash = {"cells": ["r1c1", "r1c2"], "digit": 5, "digits": [5, 5], "unit": "row 1"}
    result = to_object(check(Puzzle(read_grid(CLASHING))))
    assert result["conflicts"] == [clash | {"text": "r1c1 and r1c2 are both 5, in row 1"}]


def test_statistics_name_the_solver_and_the_time() -> None:
    result = to_object(check(Puzzle(read_grid(AMBIGUOUS))), has_statistics=True)
    assert result["solver"]
    assert result["encoding"] == "reduced"
    assert result["seconds"] >= 0
    assert all(isinstance(value, int) for value in result["statistics"].values())


def test_digits_are_named_with_the_symbols_that_were_read() -> None:
    puzzle = Puzzle(read_grid("22" + "." * 14), symbols=("A", "B", "C", "D"))
    told = to_object(check(puzzle))
    assert told["puzzle"] == "BB.............."
    assert (told["conflicts"][0]["digit"], told["conflicts"][0]["digits"]) == ("B", ["B", "B"])
    assert "both B" in told["conflicts"][0]["text"]
    told = to_object(check(Puzzle(read_grid("." * 16), symbols=("A", "B", "C", "D"))))
    assert set(told["solution"]) == set("ABCD")
    assert {each["first"] for each in told["differences"]} <= set("ABCD")


def test_statistics_name_the_method_where_several_worked_in_turn() -> None:
    large, small = pigeonhole_puzzle(12, 26), Puzzle(read_grid(SMALL))
    assert to_object(check(large), True)["statistics"]["method"] == "pruning"
    assert "method" not in to_object(check(small), True)["statistics"]


@pytest.mark.parametrize("text", [SMALL, AMBIGUOUS, CLASHING])
def test_columns_are_a_row_of_a_table(text: str) -> None:
    outcome = check(Puzzle(read_grid(text)))
    shown = to_object(outcome)
    columns = to_columns(shown, COLUMNS)
    assert len(columns) == len(COLUMNS)
    line = ",".join(map(quote_field, columns))
    assert next(csv.reader(io.StringIO(line))) == columns
    assert columns == [shown[name] or "" for name in COLUMNS]
