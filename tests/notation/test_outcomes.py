"""

An outcome as an object, and as columns of a table.
"""

import csv
import io
import json
from random import Random

import pytest

from satdoku.notation.fields import quote_field
from satdoku.notation.json_format import dump_line
from satdoku.notation.outcomes import (
    COLUMNS,
    compare,
    describe_cost,
    evidence,
    name_of,
    sentence,
    to_columns,
    to_object,
    verdict_line,
)
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.questions import check
from tests.boards import (
    USUAL_SHAPES,
    clashing_puzzle,
    full_grid,
    pigeonhole_puzzle,
    read_grid,
    stuck_puzzle,
)
from tests.commands import AMBIGUOUS, CLASHING, SMALL, SMALL_SOLUTION
from tests.each import for_each

SHAPE = Geometry(2, 2)
UNIQUE = check(Puzzle(read_grid(SMALL)))
MULTIPLE = check(Puzzle(read_grid(AMBIGUOUS)))
CLASH = check(Puzzle(read_grid(CLASHING)))
UNDECIDED = Outcome(Puzzle(read_grid(SMALL)), Verdict.UNDECIDED, reason="not decided within 1 s")


def test_a_unique_puzzle_needs_no_explanation() -> None:
    assert (evidence(UNIQUE), verdict_line(UNIQUE)) == ("", "unique")
    assert sentence(UNIQUE) == "exactly one solution"


def test_several_solutions_are_shown_by_cells_in_which_two_differ() -> None:
    words = evidence(MULTIPLE)
    assert words.startswith(f"two of them differ in {len(MULTIPLE.differences)} cells (r")
    assert MULTIPLE.solution is not None
    assert MULTIPLE.second is not None
    cell = MULTIPLE.differences[0]
    first, second = MULTIPLE.solution.digits[cell], MULTIPLE.second.digits[cell]
    assert f"{MULTIPLE.puzzle.geometry.name_of(cell)} is {first} or {second}" in words
    assert sentence(MULTIPLE) == f"several solutions: {words}"


def test_of_many_differences_the_first_few_are_named() -> None:
    first = full_grid(Random(1), USUAL_SHAPES[3])
    second = full_grid(Random(2), USUAL_SHAPES[3])
    outcome = Outcome(Puzzle(first), Verdict.MULTIPLE, first, second)
    words = evidence(outcome)
    assert words.count(" or ") == 4
    assert words.endswith(", ...)")
    assert f"differ in {len(outcome.differences)} cells" in words


def test_clashing_givens_are_named() -> None:
    assert evidence(CLASH) == "r1c1 and r1c2 are both 5, in row 1"
    assert verdict_line(CLASH) == f"none: {evidence(CLASH)}"


def test_of_many_clashes_three_are_named_and_the_rest_counted() -> None:
    outcome = check(Puzzle(read_grid("1111" + "." * 12)))
    words = evidence(outcome)
    assert words.count(";") == 2
    assert words.endswith(f", and {len(outcome.clashes) - 3} more")


def test_rules_are_named_among_what_excludes_every_grid() -> None:
    """A killer without a given has no two that could clash."""
    rules = read_rules(["thermo:r1c1,r1c2", "thermo:r1c2,r2c1", "thermo:r2c1,r1c1"], SHAPE)
    empty = Puzzle(Grid.empty(SHAPE)).with_rules(rules)
    named = "`explain` names what clashes"
    assert evidence(check(empty)) == f"the rules together exclude every grid; {named}"
    with_given = Puzzle(read_grid("...." * 3 + "...1")).with_rules(rules)
    assert f"givens and rules together exclude every grid; {named}" in evidence(check(with_given))


def test_a_rule_that_no_grid_keeps_is_named() -> None:
    alone = Puzzle(Grid.empty(SHAPE)).with_rules(read_rules(["quadruple:1/1=r1c1"], SHAPE))
    assert evidence(check(alone)).startswith("no grid keeps the rule quadruple: r1c1,r1c2,")


@for_each("geometry", USUAL_SHAPES)
def test_a_deeper_contradiction_is_told_from_a_clash(geometry: object) -> None:
    shape = next(each for each in USUAL_SHAPES if each is geometry)
    assert "no two givens clash directly" in evidence(check(stuck_puzzle(shape)))
    assert "are both 1" in evidence(check(clashing_puzzle(shape)))


def test_undecided_gives_its_reason() -> None:
    assert verdict_line(UNDECIDED) == "undecided: not decided within 1 s"
    assert sentence(UNDECIDED) == verdict_line(UNDECIDED)


def test_a_known_solution_that_agrees_is_silent() -> None:
    assert compare(read_grid(SMALL_SOLUTION), UNIQUE) == ""


def test_a_known_solution_that_disagrees_is_told_with_the_first_cell() -> None:
    wrong = read_grid("2" + SMALL_SOLUTION[1:-1] + ".")
    assert compare(wrong, UNIQUE) == ("the known solution is wrong in 2 cells: r1c1 is 1, not 2")
    empty = read_grid("." + SMALL_SOLUTION[1:])
    assert compare(empty, UNIQUE).endswith("r1c1 is 1, not empty")


def test_a_known_solution_of_an_undecided_puzzle_may_be_right() -> None:
    assert compare(read_grid(SMALL_SOLUTION), UNDECIDED) == ""


@pytest.mark.parametrize("outcome", [MULTIPLE, CLASH], ids=lambda o: o.verdict.value)
def test_a_known_solution_of_a_puzzle_that_is_not_unique_is_a_mismatch(outcome: Outcome) -> None:
    assert compare(read_grid(SMALL_SOLUTION), outcome) == (
        f"there is a known solution, but the puzzle is {outcome.verdict.value}"
    )


def test_a_puzzle_is_called_by_its_name() -> None:
    assert name_of(Puzzle(read_grid(SMALL), "Grid 01")) == "Grid 01: "
    assert name_of(Puzzle(read_grid(SMALL))) == ""


def test_what_a_verdict_took_is_told_with_who_found_it() -> None:
    statistics = Statistics("auto", "reduced", 3.214, {"conflicts": 10_002, "restarts": 7})
    puzzle = UNIQUE.puzzle
    decided = Outcome(puzzle, Verdict.UNIQUE, statistics=statistics)
    assert describe_cost(decided) == "decided after 3.21 s by auto (10,002 conflicts)"
    in_turn = statistics._replace(method="local search, minicard", counters={"moves": 61_226})
    several = Outcome(puzzle, Verdict.MULTIPLE, statistics=in_turn)
    assert describe_cost(several) == "decided after 3.21 s by local search, minicard (61,226 moves)"
    given_up = Outcome(puzzle, Verdict.UNDECIDED, statistics=statistics._replace(counters={}))
    assert describe_cost(given_up) == "given up after 3.21 s"
    once = Outcome(
        puzzle, Verdict.UNIQUE, statistics=statistics._replace(counters={"conflicts": 1})
    )
    assert describe_cost(once) == "decided after 3.21 s by auto (1 conflict)"


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


def test_one_cell_in_which_solutions_differ_is_told_in_the_singular() -> None:
    puzzle = Puzzle(Grid.empty(Geometry.parse("board:1x1:raw:digits=2")))
    assert evidence(check(puzzle)) == "two of them differ in 1 cell (r1c1 is 1 or 2)"
