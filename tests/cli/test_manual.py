"""The manual page says all that the commands say, and is what they give."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from satdoku.cli.exit_codes import ExitCode
from satdoku.cli.main import satdoku
from satdoku.cli.manual import made_with, write_manual
from tests.each import for_each

PAGE = Path(__file__).parent.parent.parent / "man" / "satdoku.1"
CONTEXT = click.Context(satdoku, info_name="satdoku")


@cache
def manual() -> str:
    """The page, written once for all commands."""
    return write_manual()


def test_the_page_is_what_the_commands_give() -> None:
    """If not, `python -m satdoku.cli.manual > man/satdoku.1` makes it so."""
    text = PAGE.read_text("utf-8")
    if not text.startswith(made_with() + "\n"):
        pytest.skip(
            "the page was made with another version of click, which words options otherwise"
        )
    assert text == write_manual()


@for_each("name", satdoku.list_commands(CONTEXT))
def test_every_option_of_every_command_is_on_it(name: str) -> None:
    command = satdoku.get_command(CONTEXT, name)
    assert command is not None
    text = manual().replace("\\-", "-")
    section = text.split(f'.SH "SATDOKU {name.upper()}"')[1].split("\n.SH ")[0]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert f"{option}" in section, option


def test_every_exit_code_is_on_it() -> None:
    codes = write_manual().split(".SH EXIT STATUS")[1].split()
    assert {str(int(code)) for code in ExitCode} <= set(codes)


def test_man_has_nothing_to_complain_of() -> None:
    if not shutil.which("groff"):
        pytest.skip("groff is not on the PATH")
    command = ["groff", "-man", "-Tutf8", "-ww", str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "satdoku export puzzle.txt -o p.opb" in done.stdout
