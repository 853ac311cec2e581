"""What the shell offers for what was typed so far."""

import pytest
from click.shell_completion import ShellComplete

from satdoku.cli.main import satdoku
from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS


def offered(*words: str) -> list[tuple[str, str]]:
    """Type and value of each offer for the last word."""
    complete = ShellComplete(satdoku, {}, "satdoku", "_SATDOKU_COMPLETE")
    items = complete.get_completions(list(words[:-1]), words[-1])
    return [(item.type, item.value) for item in items]


@pytest.mark.parametrize(
    "words",
    [
        *(["solve", "ba"], ["check", "-o", "ba"], ["count", "a.txt", "ba"], ["verify", "ba"]),
        *(["decode", "ba"], ["decode", "a.cnf", "ba"], ["check", "--rejects", "ba"]),
    ],
    ids=" ".join,
)
def test_files_are_left_to_the_shell(words: list[str]) -> None:
    assert offered(*words) == [("file", "ba")]


def test_solvers_are_offered_by_name() -> None:
    assert offered("check", "--solver", "") == [
        ("plain", name) for name in (*LADDERS, *FAMILIES, *SOLVERS)
    ]
    assert offered("solve", "--solver", "kis") == [("plain", "kissat"), ("plain", "kissat404")]
    assert offered("check", "--portfolio", "minicard,lin") == [("plain", "minicard,lingeling")]


def test_a_slip_in_place_of_the_command_is_no_error() -> None:
    assert ("plain", "solve") in offered("sovle", "s")


def test_a_puzzle_or_an_option_in_place_of_the_command_is_to_be_solved() -> None:
    assert ("plain", "--sat-exit-codes") in offered(
        "53..7....6..195....98....6.8...6...34", "--sat"
    )


def test_where_no_command_begins_like_that_there_may_be_a_file() -> None:
    assert offered("puzz") == [("file", "puzz")]
    assert offered("sol") == [("plain", "solve"), ("plain", "solvers")]
