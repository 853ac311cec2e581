"""-q means the same in every command: only what was asked for is printed."""

from pathlib import Path

import click
import pytest

from satdoku.cli.main import satdoku as group
from tests.commands import AMBIGUOUS, EASY, EASY_SOLUTION, SMALL, require_failure, run
from tests.each import for_each

_CONTEXT = group.make_context("satdoku", ["solve"])
COMMANDS = {name: group.get_command(_CONTEXT, name) for name in group.list_commands(_CONTEXT)}

# They list what there is, and say nothing besides.
# What only lists, and what speaks to a program.
LISTS = {"encodings", "mcp", "rules", "solvers"}

PRINTED = {
    "solve": f"{EASY_SOLUTION}\n\n",
    "check": "",
    "count": "1\nunreadable: 80 cells found, expected 81 for 9x9\n",
    "convert": f"{EASY}\n",
}


@for_each("name", [name for name in COMMANDS if name not in LISTS])
def test_every_command_that_says_something_takes_it_and_explains_it_alike(name: str) -> None:
    command, usual = COMMANDS[name], COMMANDS["solve"]
    assert command is not None
    assert usual is not None
    found = {tuple(each.opts): each for each in command.params}
    expected = {tuple(each.opts): each for each in usual.params}
    quiet = found["-q", "--quiet"]
    assert isinstance(quiet, click.Option)
    assert quiet.to_info_dict() == expected["-q", "--quiet"].to_info_dict()


def test_decoding_says_by_its_exit_code_alone_what_a_solver_found(tmp_path: Path) -> None:
    formula = tmp_path / "p.cnf"
    assert run("export", SMALL, "-o", formula).code == 0
    for said, code in (("s UNSATISFIABLE", 20), ("s UNKNOWN", 124)):
        assert run("decode", formula, "-", stdin=said).stderr
        assert run("decode", "-q", formula, "-", stdin=said) == (code, "", "")
    require_failure(run("decode", "-q", formula, "-", stdin="v 1 0\n"), "")


@pytest.mark.parametrize("command", PRINTED)
def test_data_is_printed_and_nothing_is_said(command: str) -> None:
    result = run(command, "-q", stdin=f"{EASY}\n{EASY[1:]}\n")
    assert result == (1, PRINTED[command], "")


def test_certificates_are_written_and_verified_in_silence(tmp_path: Path) -> None:
    assert run("certify", "-q", EASY, AMBIGUOUS, "-d", tmp_path) == (0, "", "")
    assert len(list(tmp_path.glob("*.json"))) == 2
    assert run("verify", "-q", tmp_path) == (0, "", "")
    require_failure(run("certify", "-q", EASY, "-d", tmp_path), "exists; --force overwrites it")


@for_each("command", [*PRINTED, "hint", "certify", "candidates", "explain"])
def test_an_input_that_is_missing_is_said_even_then(command: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    result = run(command, "-q", missing)
    require_failure(result, f"satdoku: there is no file {missing}")


def test_tables_that_were_asked_for_are_printed() -> None:
    assert run("check", "-q", "--csv", SMALL).stdout.count("\n") == 2
