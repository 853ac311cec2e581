"""Options are gathered into one typed argument of a command."""

from typing import NamedTuple

import click
from click.testing import CliRunner

from satdoku.cli.options import gathered
from tests import commands
from tests.each import for_each


class Colours(NamedTuple):
    red: int
    has_blue: bool


def _mix(red: int, blue: bool) -> Colours:
    if red > 255:
        raise click.UsageError("red ends at 255")
    return Colours(red, blue)


mixed = gathered(
    "colours",
    _mix,
    [click.option("--red", type=int, default=7), click.option("--blue", is_flag=True)],
)


@click.command()
@click.argument("name")
@mixed
@click.option("--more", default="less")
def paint(name: str, colours: Colours, more: str) -> None:
    """Say what would be painted."""
    click.echo(f"{name} {colours.red} {colours.has_blue} {more}")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(paint, arguments)
    return result.exit_code, result.output


def test_a_command_gets_what_was_made_of_its_options_and_the_others_as_they_are() -> None:
    assert run("x") == (0, "x 7 False less\n")
    assert run("x", "--blue", "--more", "y", "--red", "3") == (0, "x 3 True y\n")


def test_what_makes_no_sense_together_is_wrong_usage() -> None:
    code, output = run("x", "--red", "256")
    assert code == 2
    assert "red ends at 255" in output


def test_the_help_lists_the_options_where_they_were_added() -> None:
    _, output = run("--help")
    assert "Say what would be painted." in output
    places = [output.index(name) for name in ("--red", "--blue", "--more")]
    assert places == sorted(places)


@for_each(
    "arguments, option",
    [
        (["minimize", "--keep", "r10c1"], "--keep"),
        (["minimize", "--keep", "foo"], "--keep"),
        (["explain", "--why", "foo"], "--why"),
        (["explain", "--why", "r1c1=x"], "--why"),
        (["explain", "--why", f"r{'9' * 5000}c1"], "--why"),
        (["candidates", "--why", "r10c1"], "--why"),
        (["hint", "--technique", "foo"], "--technique"),
        (["hint", "--board", "foo"], "--board"),
    ],
)
def test_a_value_that_does_not_fit_the_puzzle_is_wrong_usage_of_its_option(
    arguments: list[str], option: str
) -> None:
    refused = commands.run(*arguments, commands.EASY)
    assert refused.code == 2
    assert f"satdoku: Invalid value for '{option}': " in refused.stderr
    assert not refused.stdout


def test_a_digit_that_no_cage_has_is_wrong_usage() -> None:
    refused = commands.run("cage", 15, 3, "--without", "0")
    assert (refused.code, refused.lines) == (2, [])
    assert "Invalid value for '--without': 0 is not a digit 1-9" in refused.stderr
