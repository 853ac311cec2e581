"""Writes the page of commands: the help of each, as the terminal shows it."""

from typing import Any

import click

from satdoku.cli.main import satdoku

MARKER = "{{ commands }}"
_WIDTH = 90
"""Characters of a line; the pages have room for about a hundred."""


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """What the site builder calls with the text of each page."""
    return markdown.replace(MARKER, "\n".join(_sections())) if MARKER in markdown else markdown


def _sections() -> list[str]:
    context = click.Context(satdoku, info_name="satdoku", terminal_width=_WIDTH)
    texts = [f"```text\n{satdoku.get_help(context)}\n```\n"]
    for name in satdoku.list_commands(context):
        command = satdoku.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context, name, terminal_width=_WIDTH)
        texts.append(f"## {name}\n\n```text\n{command.get_help(inner)}\n```\n")
    return texts
