import re
from importlib.metadata import version

import pytest

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku as group
from satdoku.notation.formats import FORMATS
from tests.commands import run, run_process

COMMANDS = group.list_commands(group.make_context("satdoku", ["solve"]))
WITH_PUZZLES = ["solve", "check", "count", "convert", "export", "certify"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_shows_examples(command: str, option: str) -> None:
    result = run(command, option)
    assert (result.code, result.stderr) == (0, "")
    assert re.search(rf"^  (.* )?satdoku {command}\b", result.stdout, re.M)


@pytest.mark.parametrize("command", WITH_PUZZLES)
def test_everything_that_takes_puzzles_takes_them_in_the_same_way(command: str) -> None:
    text = run(command, "--help").stdout
    assert f"Usage: satdoku {command} [OPTIONS] [PUZZLE|FILE|-]..." in text
    assert f"--from [{'|'.join(FORMATS)}]" in text
    assert all(f"  {option} " in text for option in ("--box", "--alphabet", "--column"))


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_what_writes_puzzles_names_the_formats(command: str) -> None:
    assert f"--to [{'|'.join(FORMATS)}]" in run(command, "--help").stdout


def test_the_program_lists_its_commands_and_exit_codes() -> None:
    text = run("--help").stdout
    assert all(re.search(rf"^  {command} ", text, re.M) for command in COMMANDS)
    assert {int(code) for code in re.findall(r"^ +(\d+)  ", text, re.M)} == set(ExitCode)


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == f"satdoku, version {version('satdoku')}\n"
    assert run_process("--version").stdout == f"satdoku, version {version('satdoku')}\n"
