"""The manual page, made from what the commands say of themselves.

`python -m satdoku.cli.manual > man/satdoku.1` writes it anew.
"""

from collections.abc import Iterator
from importlib.metadata import version

import click

from satdoku.cli.main import satdoku


def write_manual() -> str:
    """The page in the markup of `man`: the commands, with all their options, and the exit codes."""
    context = click.Context(satdoku, info_name="satdoku", **satdoku.context_settings)
    lines = [
        made_with(),
        # Without a date: a test compares the page with one made anew.
        '.TH SATDOKU 1 "" "satdoku" "User Commands"',
        ".SH NAME",
        "satdoku \\- solve, count, certify and export Sudoku of any size with SAT solvers",
        ".SH SYNOPSIS",
        ".B satdoku",
        ".I COMMAND",
        "[OPTION]... [ARGUMENT]...",
        ".SH DESCRIPTION",
        *_paragraphs(satdoku.help),
    ]
    for name in satdoku.list_commands(context):
        command = satdoku.get_command(context, name)
        if command is not None:
            lines += _command(name, command, context)
    lines += [".SH EXIT STATUS", *_paragraphs(satdoku.epilog)]
    return "\n".join(lines) + "\n"


def made_with() -> str:
    """A comment in the page: another version of click words options in another way."""
    return f'.\\" made with click {version("click")}'


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f'.SH "SATDOKU {_escape(name.upper())}"'
    yield f".B {_escape(f'satdoku {name}')}"
    yield _escape(" ".join(command.collect_usage_pieces(context)))
    yield from _paragraphs(command.help)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield ".TP"
            yield f".B {_escape(record[0])}"
            yield _escape(record[1])


def _paragraphs(text: str | None) -> Iterator[str]:
    """The text of a help: what stands behind a mark of click's is kept line by line."""
    for paragraph in (text or "").strip().split("\n\n"):
        is_kept = paragraph.lstrip().startswith("\b")
        content = [_escape(line.strip()) for line in paragraph.splitlines() if line.strip("\b ")]
        yield ".PP"
        yield from [".nf", *content, ".fi"] if is_kept else content


def _escape(text: str) -> str:
    """Text in which nothing is markup: no backslash, no leading dot, and hyphens to copy."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    click.echo(write_manual(), nl=False)
