"""Writes what pages of the site show of commands: the help of each, and what some of them print.

So a rule that is added stands on the pages that list rules, and none of them is written by hand.
"""

import re
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from satdoku.cli.main import satdoku

MARKER = "{{ commands }}"
_WIDTH = 90
"""Characters of a line; the pages have room for about a hundred."""


OUTPUT = re.compile(r"^<!-- output of satdoku (.*) -->$", re.MULTILINE)
"""A line of a page in whose place stands what a command prints; elsewhere it is not shown."""


ROOT_PAGE = "<!-- text of CONTRIBUTING.md -->"
"""A page with this line is the file of the root folder, which the site could not show otherwise."""

# Where a link begins that leads to a file from the root folder.
_LINK = re.compile(r"\]\((?!\w+:|#)")


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Return a page with what commands say in place of the markers; the site builder calls it."""
    if ROOT_PAGE in markdown:
        text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
        return _LINK.sub("](../", text).replace("](../docs/", "](")
    text = OUTPUT.sub(lambda match: _printed(match[1]), markdown)
    return text.replace(MARKER, "\n".join(_sections())) if MARKER in text else text


def _printed(arguments: str) -> str:
    done = CliRunner().invoke(satdoku, arguments.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return f"```console\n$ satdoku {arguments}\n{done.output}```"


def _sections() -> list[str]:
    context = click.Context(satdoku, info_name="satdoku", terminal_width=_WIDTH)
    texts = [f"```text\n{satdoku.get_help(context)}\n```\n"]
    for name in satdoku.list_commands(context):
        command = satdoku.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context, name, terminal_width=_WIDTH)
        texts.append(f"## {name}\n\n```text\n{command.get_help(inner)}\n```\n")
    return texts
