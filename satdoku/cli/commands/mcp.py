"""`satdoku mcp`: a server for assistants."""

import sys

import click

from satdoku.cli.options import command
from satdoku.cli.terminal import END_OF_INPUT
from satdoku.serving.mcp import Connection


@command()
def mcp() -> None:
    """Answer the calls of an assistant, by the Model Context Protocol.

    The assistant's program starts the command and speaks with it on standard input and output. Its
    tools are check, solve, count, hint, explain, rate, generate, draw, judge, grade and rules. Each
    call has a time limit, 10 seconds if the call does not say otherwise, and at most 60; no tool
    reads or writes a file.

    \b
    satdoku mcp
    {"mcpServers": {"satdoku": {"command": "satdoku", "args": ["mcp"]}}}
    """
    if sys.stdin.isatty():
        click.echo(f"An assistant starts this command; {END_OF_INPUT} ends it.", err=True)
    Connection(sys.stdin.buffer, sys.stdout.buffer).serve()
