"""Every option of every command takes any value: a sentence or an answer, never a traceback."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku
from tests.commands import SMALL, require_failure, run

HUGE = "1" + "0" * 26
NUMBERS = [HUGE, "-1", "0", "1e308", "1e400", "nan", "inf", "", "\u0663", "9" * 5000, "1_0", " 1 "]
TEXTS = ["", "abc\u00df", "\udcff", "9" * 5000, HUGE, f"{HUGE}x3", "a,b", "-", "--", "r1c1", ":"]
TEXTS += ["x" * 300, "[", "{", "\n", "../../..", f"r{HUGE}c1", "odd:", "odd:" + "r1c1," * 5000]

CONTEXT = satdoku.make_context("satdoku", ["solve"])
# What a command is given besides the option; a puzzle is solved in a moment.
USUAL = {
    "verify": ["nothing"],
    "generate": ["--box", "2x2", "--timeout", "0.2"],
    "encodings": ["--size", "4"],
    "rules": [],
}
# Not with these values: an address is looked for in the network, which takes seconds, and so many
# puzzles are indeed made.
LONG = {("generate", "--number", HUGE), ("augment", "--times", HUGE)} | {
    (name, "--dask", value) for name in satdoku.list_commands(CONTEXT) for value in TEXTS
}


def values_of(parameter: click.Parameter) -> list[str]:
    is_number = isinstance(parameter.type, (click.IntRange, click.FloatRange))
    return NUMBERS if is_number else TEXTS


def calls_of(name: str, step: int) -> Iterator[list[str]]:
    """A command with each of its options and arguments, and every so manieth hostile value of it.

    Which values these are differs from option to option and from command to command.
    """
    first = satdoku.list_commands(CONTEXT).index(name)
    command = satdoku.get_command(CONTEXT, name)
    assert command is not None
    usual = USUAL.get(name, [SMALL])
    for number, parameter in enumerate(command.params, first):
        if not isinstance(parameter, click.Option):
            yield from ([name, value] for value in TEXTS[number % step :: step])
            continue
        option = max(parameter.opts, key=len)
        if parameter.is_flag:
            yield [name, *usual, option]
            continue
        for value in values_of(parameter)[number % step :: step]:
            if (name, option, value) not in LONG:
                yield [name, *usual, option, value]


# A server whose options are all right does not end by itself; `tests/serving` has its own tests.
ENDING = [name for name in satdoku.list_commands(CONTEXT) if name != "serve"]


@pytest.mark.parametrize("step", [96, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ENDING)
def test_no_value_of_any_option_ends_in_a_traceback(
    name: str, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in calls_of(name, step):
        result = run(*arguments, stdin="v 1 0\n")
        shown = [argument[:40] for argument in arguments]
        assert result.code in list(ExitCode), (shown, result)
        assert "Traceback" not in result.stderr, (shown, result)


def test_a_number_beyond_all_is_no_hindrance() -> None:
    assert len(run("solve", "1" + "." * 15, "-n", HUGE).lines) == 72
    assert run("count", "1" + "." * 15, "--limit", HUGE).stdout == "72\n"
    narrowed = run("narrow", "1" + "." * 15, "--limit", HUGE)
    assert narrowed.stdout == run("narrow", "1" + "." * 15).stdout


def test_an_alphabet_with_a_letter_that_has_no_capital_is_refused() -> None:
    result = run("check", SMALL, "--alphabet", "abc\u00df")
    assert result.code == ExitCode.FAILED
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("options", [["--port", "65536"], ["--origin", "http://localhost"]])
def test_what_a_server_cannot_do_is_refused_before_it_starts(options: list[str]) -> None:
    require_failure(run("serve", "--no-browser", *options), options[0], code=2)
