import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from satdoku.answering.counter import Counter
from satdoku.puzzle.grid import Geometry
from tests.boards import random_puzzle
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, IMPOSSIBLE, require_failure, run
from tests.crossing import crossed, sampled
from tests.each import for_each
from tests.oracle import count_solutions

EMPTY = "." * 16


@for_each("puzzle, number", [(EASY, 1), (HARD, 1), (CLASHING, 0), (IMPOSSIBLE, 0), (AMBIGUOUS, 72)])
def test_a_number_for_a_puzzle(puzzle: str, number: int) -> None:
    assert run("count", puzzle) == (0, f"{number}\n", "")


@for_each("limit, shown", [(1, "1+"), (287, "287+"), (288, "288"), (289, "288"), (0, "288")])
def test_a_limit_is_shown_as_such_only_where_there_are_more(limit: int, shown: str) -> None:
    result = run("count", EMPTY, "--limit", limit)
    assert (result.code, result.stdout) == (0, shown + "\n")
    assert ("counting stopped at" in result.stderr) is shown.endswith("+")


def test_counting_stops_at_ten_thousand_unless_told_otherwise() -> None:
    result = run("count", "." * 81)
    assert result == (0, "10000+\n", "argument:1: counting stopped at 10,000\n")


def test_quiet_leaves_the_number() -> None:
    assert run("count", EMPTY, "--limit", 5, "-q") == (0, "5+\n", "")


def test_what_is_beyond_the_limit_is_estimated_with_bounds() -> None:
    [line] = run("count", "." * 16, "--limit", "10", "--estimate").lines
    assert re.fullmatch(
        r"10\+ \(about \d+, at least \d+ \(99 in 100\), at most [\d,]+ \(proved\)\)", line
    )
    [found] = run("count", "." * 16, "--limit", "10", "--estimate", "--json").lines
    bounds = json.loads(found)
    assert bounds["at_least"] <= 288 <= bounds["at_most"]
    # An exact number needs no estimate.
    assert run("count", AMBIGUOUS, "--estimate").lines == ["72"]


def test_a_missing_estimate_is_explained() -> None:
    result = run("count", "." * 16, "--limit", 5, "--estimate", "--board-only", "--json")
    why = "there is no estimate: an estimate is of solutions with the cells beside the board"
    assert json.loads(result.stdout)["reason"] == f"counting stopped at 5; {why}"
    assert why in result.stderr


def test_time_that_runs_out_is_undecided() -> None:
    result = run("count", "." * 81, "--limit", 0, "--timeout", 0.2)
    assert result.code == 124
    assert result.stdout.endswith("+\n")
    assert result.stderr == "argument:1: not decided within 0.2 s\n"


def test_a_line_for_each_puzzle_also_for_a_bad_one() -> None:
    result = run("count", stdin=f"{EASY}\n{EASY[1:]}\n{AMBIGUOUS}\n")
    fault = "80 cells found, expected 81 for 9x9"
    assert (result.code, result.lines) == (1, ["1", f"unreadable: {fault}", "72"])
    assert result.stderr.splitlines()[0] == f"satdoku: stdin:2:81: {fault}"


def test_numbers_join_the_columns_of_a_table() -> None:
    table = f"id,count,puzzle\n1,x,{EASY}\n2,y,{EASY[1:]}\n3,z,{EMPTY}\n"
    result = run("count", "--csv", "--limit", 100, stdin=table)
    assert result.lines == [
        "id,count,puzzle,verdict,count_found,exact,reason",
        f"1,x,{EASY},answered,1,true,",
        f'2,y,{EASY[1:]},unreadable,,,"80 cells found, expected 81 for 9x9"',
        f"3,z,{EMPTY},answered,100,false,counting stopped at 100",
    ]


@sampled(2, "puzzle, number", [(EMPTY, 288), (CLASHING, 0), (EASY, 1)])
def test_parts_of_one_board_add_up(puzzle: str, number: int) -> None:
    """Counting to the end with --jobs takes the board apart, whatever it is."""
    assert run("count", puzzle, "--limit", 0, "--jobs", 2) == (0, f"{number}\n", "")


@dataclass(frozen=True)
class _Splitting(Counter):
    """Shares every board among processes, however few solutions are counted."""

    least_to_split: int = 0


@sampled(3, "limit", [50, 1, 287, 288, 300])
def test_shares_of_a_board_stop_at_the_same_limit(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.cli.commands.count.Counter", _Splitting)
    one, two = (run("count", EMPTY, "--limit", limit, "--jobs", jobs) for jobs in (1, 2))
    assert two == one


def test_what_is_counted_in_parts_ends_at_its_limit() -> None:
    result = run("count", "." * 36, "--limit", 0, "--jobs", 2, "--timeout", 0.3)
    assert (result.code, result.stdout[-2:]) == (124, "+\n")
    assert result.stderr == "argument:1: not decided within 0.3 s\n"


@pytest.mark.parametrize("limit", ["-1", "many"])
def test_a_limit_is_a_number(limit: str) -> None:
    require_failure(run("count", EASY, "--limit", limit), "--limit", code=2)


def test_a_portfolio_cannot_count() -> None:
    result = run("count", EASY, "--portfolio", "glucose4,cadical153")
    require_failure(result, "several solutions need one solver")


@crossed(3, shape=["2x2", "2x3", "3x2"], encoding=["minimal", "triads", "reduced"])
def test_counting_agrees_with_plain_backtracking(shape: str, encoding: str) -> None:
    rows, columns = map(int, shape.split("x"))
    rng = Random(shape + encoding)
    grids = [random_puzzle(rng, Geometry(rows, columns), 0.3).grid for _ in range(20)]
    lines = "".join("".join(map(str, grid.digits)) + "\n" for grid in grids)
    options = ["--limit", 50, "--box", shape, "--encoding", encoding]
    expected = [count_solutions(rows, columns, grid.digits, 51) for grid in grids]
    assert run("count", *options, stdin=lines).lines == [
        "50+" if count > 50 else str(count) for count in expected
    ]


@pytest.mark.parametrize("options", [(), ("--jobs", 2)])
def test_an_interruption_tells_how_many_there_were_by_then(
    options: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> Iterator[int]:
        yield from (5, 7)
        raise KeyboardInterrupt

    monkeypatch.setattr("satdoku.solving.questions._counts", interrupted)
    result = run("count", EMPTY, "--limit", 100, *options)
    told = "argument:1: solutions counted so far: 12"
    assert (result.code, result.stdout) == (130, "")
    assert result.stderr.split("\n")[0] == told


def test_narrow_says_which_clue_is_enough() -> None:
    result = run("narrow", "1.....2..3......", "--most", 2)
    lines = result.stdout.splitlines()
    assert (result.code, lines[0], len(lines)) == (0, "3 solutions", 3)
    clue = lines[1].removesuffix(" leaves 1 solution")
    rule = ["--rule", clue] if ":" in clue else []
    cells = list("1.....2..3......")
    if not rule:
        cells[4 * (int(clue[1]) - 1) + int(clue[3]) - 1] = clue[-1]
    assert run("count", "".join(cells), *rule).stdout == "1\n"


def test_narrow_says_that_it_looked_at_some_solutions_only() -> None:
    lines = run("narrow", EMPTY, "--limit", 5, "--most", 1).stdout.splitlines()
    assert lines[0] == "5 or more solutions"
    assert " leaves at least " in lines[1]
