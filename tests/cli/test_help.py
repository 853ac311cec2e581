import re
from importlib.metadata import version

import pytest

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.help import GroupedCommand
from satdoku.cli.main import satdoku as group
from satdoku.notation.formats import FORMATS
from satdoku.notation.names import READABLE
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
    assert f"--from [{'|'.join(READABLE)}]" in text
    assert all(f"  {option} " in text for option in ("--box", "--alphabet", "--column"))


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_what_writes_puzzles_names_the_formats(command: str) -> None:
    assert f"--to [{'|'.join(FORMATS)}]" in run(command, "--help").stdout


def test_the_program_lists_its_commands_and_exit_codes() -> None:
    text = run("--help").stdout
    assert all(re.search(rf"^  {command} ", text, re.M) for command in COMMANDS)
    assert {int(code) for code in re.findall(r"^ +(\d+)  ", text, re.M)} == set(ExitCode)


def test_the_list_says_of_a_command_what_its_own_help_says_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = run("--help").lines
    for name in COMMANDS:
        command = group.get_command(group.make_context("satdoku", ["solve"]), name)
        assert command is not None
        assert f"  {name:10}  {command.get_short_help_str(limit=1000)}" in lines


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == f"satdoku, version {version('satdoku')}\n"
    assert run_process("--version").stdout == f"satdoku, version {version('satdoku')}\n"


def test_options_stand_in_groups_with_those_about_answers_first() -> None:
    lines = run("solve", "--help").lines
    titles = [line for line in lines if re.fullmatch(r"[A-Z].*:", line)]
    assert titles == ["Answer:", "Output:", "Input:", "Many puzzles:", "Solver:", "Help:"]
    place = {name: lines.index(name) for name in titles}
    options = {"--all": "Answer:", "-q": "Output:", "--box": "Input:", "-j": "Many puzzles:"}
    for option, title in options.items():
        [at] = [n for n, line in enumerate(lines) if line.startswith(f"  {option}")]
        assert max((start, name) for name, start in place.items() if start < at) == (
            place[title],
            title,
        )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_groups_its_options(command: str) -> None:
    assert isinstance(
        group.get_command(group.make_context("satdoku", ["solve"]), command), GroupedCommand
    )


def test_a_command_with_few_options_has_one_group() -> None:
    assert "Options:\n  -h, --help" in run("rules", "--help").stdout


@pytest.mark.parametrize("width", [60, 100, 160])
def test_help_is_as_wide_as_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = run("explain", "--help").stdout
    prose = [line for line in text.splitlines() if not line.lstrip().startswith(("satdoku", "-"))]
    assert width - 20 < max(map(len, prose)) <= width


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_are_called_what_people_call_them(command: str) -> None:
    subject = group.get_command(group.make_context("satdoku", ["solve"]), command)
    assert subject is not None
    with_values = [param for param in subject.params if not getattr(param, "count", False)]
    assert not [param.name for param in with_values if param.type.name.endswith(" range")]
