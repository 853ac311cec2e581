"""Help in groups of options, and what the shell offers for what was typed so far."""

import re
from importlib.metadata import version

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku
from satdoku.cli.main import satdoku as group
from satdoku.cli.options import GroupedCommand, command
from satdoku.cli.running import EXCLUDED, NEEDED
from satdoku.notation.formats import FORMATS
from satdoku.notation.hints import READABLE
from satdoku.solving.solvers import FAMILIES, LADDERS, SOLVERS
from tests.commands import SMALL, run, run_process
from tests.each import for_each

COMMANDS = group.list_commands(group.make_context("satdoku", ["solve"]))
WITH_PUZZLES = ["solve", "check", "count", "convert", "export", "certify"]


@for_each("command", COMMANDS)
@for_each("option", ["-h", "--help"])
def test_every_command_shows_examples(command: str, option: str) -> None:
    result = run(command, option)
    assert (result.code, result.stderr) == (0, "")
    assert re.search(rf"^  (.* )?satdoku {command}\b", result.stdout, re.M)


@for_each("command", WITH_PUZZLES)
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


@for_each("command", COMMANDS)
def test_every_command_groups_its_options(command: str) -> None:
    assert isinstance(
        group.get_command(group.make_context("satdoku", ["solve"]), command), GroupedCommand
    )


def test_a_command_with_few_options_has_one_group() -> None:
    assert "Options:\n  --json " in run("solvers", "--help").stdout


@pytest.mark.parametrize("width", [60, 100, 160])
def test_help_is_as_wide_as_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = run("explain", "--help").stdout
    prose = [line for line in text.splitlines() if not line.lstrip().startswith(("satdoku", "-"))]
    assert width - 20 < max(map(len, prose)) <= width


@for_each("command", COMMANDS)
def test_numbers_are_called_what_people_call_them(command: str) -> None:
    subject = group.get_command(group.make_context("satdoku", ["solve"]), command)
    assert subject is not None
    with_values = [param for param in subject.params if not getattr(param, "count", False)]
    assert not [param.name for param in with_values if param.type.name.endswith(" range")]


def offered(*words: str) -> list[tuple[str, str]]:
    """Type and value of each offer for the last word."""
    complete = ShellComplete(satdoku, {}, "satdoku", "_SATDOKU_COMPLETE")
    items = complete.get_completions(list(words[:-1]), words[-1])
    return [(item.type, item.value) for item in items]


@for_each(
    "words",
    [
        *(["solve", "ba"], ["check", "-o", "ba"], ["count", "a.txt", "ba"], ["verify", "ba"]),
        *(["decode", "ba"], ["decode", "a.cnf", "ba"], ["check", "--rejects", "ba"]),
    ],
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


@command(
    excludes=[
        ("--a --level=low", "--b", "--b is too much"),
        ("--b", ".parquet --csv", ""),
        ("--a", ".opb", ""),
    ],
    needs=[("-c", "--a --b", "something to add to")],
)
@click.argument("puzzles", nargs=-1)
@click.option("--a", is_flag=True)
@click.option("--b", type=int)
@click.option("-c", is_flag=True)
@click.option("--csv", is_flag=True)
@click.option("--level", default="low")
@click.option("-o", "--output")
def fitting(**values: object) -> None:
    click.echo("done")


@for_each(
    "line, message",
    [
        ("--a", ""),
        ("--b 0 --level high", ""),
        ("--b 0", ""),  # low by itself: nobody said so
        ("--a --b 0", "--a and --b exclude each other: --b is too much"),
        ("--b 0 --level low", "--level low and --b exclude each other: --b is too much"),
        ("--b 1 --csv", "--b and --csv exclude each other"),
        ("--b 1 -o x.parquet", "--b and x.parquet exclude each other"),
        ("--a -o x.OPB.gz", "--a and x.OPB.gz exclude each other"),
        ("--a -o opb.gz", ""),
        ("-c", "-c needs --a or --b: something to add to"),
        ("-c --b 1", ""),
        ("--output -c --a", "-o needs a value, but -c is an option"),
        ("-- -c --a", ""),
    ],
)
def test_options_that_do_not_fit_are_refused(line: str, message: str) -> None:
    done = CliRunner().invoke(fitting, line.split())
    assert done.exit_code == (2 if message else 0), done.output
    assert (message or "done") in done.output


def test_rows_name_options_that_there_are() -> None:
    """A slip in a row would allow what it means to refuse, and nobody would see it."""
    context = group.make_context("satdoku", ["solve"])
    endings = {".parquet", ".opb", ".wcnf", ".mzn"}
    known: set[str] = set()
    shared: set[str] = set()
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert isinstance(found, GroupedCommand)
        own = {option for parameter in found.params for option in parameter.opts}
        known |= own | {"PUZZLE", *endings}
        for row in (*found.excludes, *found.needs):
            named = {each.partition("=")[0] for each in (row[0] + " " + row[1]).split()}
            if row in (*EXCLUDED, *NEEDED):
                shared |= named
            else:
                assert named <= own | {"PUZZLE", *endings}, (name, row)
    assert shared <= known


@pytest.mark.parametrize("line", ["check --html", "explain -o", "certify -d"])
def test_a_puzzle_is_no_name_of_a_file_to_write(line: str) -> None:
    # It would be written under that name, while the command waits for a puzzle on stdin.
    *words, option = line.split()
    result = run(*words, option, SMALL)
    assert result.code == ExitCode.USAGE
    assert f"{option} needs a name, but '{SMALL}' is a puzzle" in result.stderr
