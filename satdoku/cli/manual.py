"""The manual page, generated from the help texts of the commands.

`python -m satdoku.cli.manual > man/satdoku.1` writes it.
"""

from collections.abc import Iterator
from importlib.metadata import version

import click

from satdoku.cli.main import satdoku


def write_manual() -> str:
    """Return the page in the markup of `man`: the commands with all options, and the exit codes."""
    context = click.Context(satdoku, info_name="satdoku", **satdoku.context_settings)
    lines = [
        made_with(),
        # The page has no date, because a test compares it with a generated one.
        '.TH SATDOKU 1 "" "satdoku" "User Commands"',
        # Do not justify lines: lists of choices have no blanks that could be widened.
        ".ad l",
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
    """Return a comment with the version of click, which affects the wording of options."""
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
            # A line may end after each choice, as long lists do not fit on one line.
            choices = _escape(record[0]).replace("|", "|\\:")
            yield f".B {choices}"
            yield _escape(record[1])


def _paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text; a paragraph after click's mark keeps its line breaks."""
    for paragraph in (text or "").strip().split("\n\n"):
        is_kept = paragraph.lstrip().startswith("\b")
        content = [_escape(line.strip()) for line in paragraph.splitlines() if line.strip("\b ")]
        yield ".PP"
        yield from [".nf", *content, ".fi"] if is_kept else content


def _escape(text: str) -> str:
    """Escape backslashes and leading dots, and write hyphens as ones that can be copied."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    click.echo(write_manual(), nl=False)
