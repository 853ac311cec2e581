"""Digits from 0, wherever the rule stands and however it is typed: read and written as they are."""

import json
from pathlib import Path

import pytest

import satdoku
from tests.commands import require_failure, run
from tests.each import for_each

SPELLINGS = ["digits:0-3", "Digits:0-3", "digits: 0-3", "digits : 0 - 3", "digits:00-3"]
GIVEN, SOLVED = "0" + "." * 15, "0123230110323210"


@for_each("rule", SPELLINGS)
def test_the_rule_is_known_however_it_is_typed(rule: str) -> None:
    assert satdoku.parse(GIVEN, rules=[rule]).givens == {0: 1}
    assert run("solve", "--any", GIVEN, "--rule", rule, "-q").lines == [SOLVED]
    beside = json.dumps({"puzzle": GIVEN, "rules": [rule]})
    assert json.loads(run("solve", "--any", "-q", stdin=beside).stdout)["solution"] == SOLVED


@for_each(
    "entry",
    [
        {"Rules": ["digits:0-3"]},
        {"rules": "odd:r1c2 digits:0-3"},
        {"rules": [{"Digits": "0-3"}]},
        {"rules": [{"digits": ["0-3"]}]},
        {"rules": [{"digits": {"first": 0, "last": 3}}]},
    ],
)
def test_in_json_it_may_stand_in_any_way_that_rules_do(entry: dict[str, object]) -> None:
    answer = run("solve", "--any", "-q", stdin=json.dumps({"puzzle": GIVEN, **entry}))
    assert json.loads(answer.stdout)["solution"] == SOLVED


@for_each("column", ["rules", "Rules", "rule"])
def test_a_table_that_says_it_gets_answers_in_these_digits(column: str) -> None:
    table = f"puzzle,{column}\n{GIVEN},digits:0-3\n"
    solved = run("solve", "--any", "-q", stdin=table)
    assert solved.lines[1] == f"{GIVEN},digits:0-3,{SOLVED}"
    for to in ("line", "sdm"):
        assert run("solve", "--any", "-q", "--to", to, stdin=table).lines == [SOLVED]


@for_each(
    "text, solved",
    [
        ("http://127.0.0.1/#w=2x2-1...............&r=digits:0-3", SOLVED),
        ("http://127.0.0.1/#w=2x2-1...............&r=digits%3A2-5", "2345452332545432"),
        (".Shape~4x4~0-3.~R1C1_0", SOLVED),
        ("https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Shape%7E4x4%7E0-3", SOLVED),
    ],
)
def test_links_and_strings_that_say_it_get_answers_in_these_digits(text: str, solved: str) -> None:
    assert run("solve", "--any", "-q", text).lines == [solved]


@for_each("to", ["jigsaw", "candidates", "fpuzzles", "link:fpuzzles", "link:sudokupad"])
def test_formats_without_such_digits_refuse_the_solution(to: str) -> None:
    refused = run("solve", "--any", GIVEN, "--rule", "digits:0-3", "--to", to)
    require_failure(refused, "digits from 1 on, and this puzzle has 0 1 2 3; use --to rows")


@for_each("to", ["fpuzzles", "link:fpuzzles", "iss"])
def test_boards_of_other_programs_do_not_take_it(to: str) -> None:
    """Their givens would all be one less than they say."""
    board = satdoku.write(satdoku.parse("1..............."), to)
    for rule in ("digits:0-3", "Digits: 2-5"):
        with pytest.raises(satdoku.SatdokuError, match="does not take the rule digits"):
            satdoku.parse(board, rules=[rule])
    if to.startswith("link"):
        beside = json.dumps({"puzzle": board.strip(), "rules": ["digits:0-3"]})
        with pytest.raises(satdoku.SatdokuError, match="does not take the rule digits"):
            satdoku.parse(beside)


def test_a_string_that_says_it_itself_takes_it_again() -> None:
    puzzle = satdoku.parse(".Shape~4x4~0-3.~R1C1_0", rules=["digits:0-3"])
    assert (puzzle.givens, puzzle.symbols) == ({0: 1}, ("0", "1", "2", "3"))


def test_a_board_for_a_hint_is_read_as_its_puzzle(tmp_path: Path) -> None:
    """A line shows neither which digits there are nor how boxes lie; the puzzle's own JSON does."""
    path = tmp_path / "puzzle.json"
    path.write_text('{"puzzle": ["..32", "....", "3..1", "1.2."], "rules": ["digits:0-3"]}')
    right, wrong = "0.32....3..11.2.", "2.32....3..11.2."
    assert run("hint", path, "--board", right).lines == ["look at row 1"]
    assert run("hint", path, "--board", wrong).lines == ["r1c1 is not 2"]
    puzzle = satdoku.parse("..32....3..11.2.", rules=["digits:0-3"])
    assert [satdoku.hint(puzzle, board).wrong for board in (right, wrong)] == [(), (0,)]
    path.write_text(json.dumps({"puzzle": "1..2.." + "." * 30, "box": "3x2"}))
    assert run("hint", path, "--board", "1..23." + "." * 30).code == 10


def test_rules_that_come_later_count_in_the_digits_of_the_puzzle() -> None:
    puzzle = json.dumps({"puzzle": "." * 16, "rules": ["digits:0-3"]})
    both = run("count", "." * 16, "--rule", "digits:0-3", "--rule", "killer:1=r1c1-2")
    assert run("count", "--rule", "killer:1=r1c1-2", stdin=puzzle) == both
    assert both.stdout == "48\n"


def test_digits_that_contradict_each_other_are_refused() -> None:
    for other in ("digits:1-4", "digits:2-5"):
        refused = run("solve", "--any", GIVEN, "--rule", "digits:0-3", "--rule", other)
        require_failure(refused, "a puzzle has one set of digits, not two different ones")
    assert run("solve", "--any", GIVEN, *["--rule", "digits:0-3"] * 2, "-q").lines == [SOLVED]
