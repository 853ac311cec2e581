"""`satdoku serve`: a local page to work on puzzles."""

import asyncio
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote

import click

from satdoku.cli.options import Whole, command, quiet_option
from satdoku.cli.terminal import Talk
from satdoku.errors import SatdokuError
from satdoku.serving.http import Access
from satdoku.serving.server import LIVE_ORIGINS, LIVE_PORT, Server
from satdoku.serving.websocket import LONGEST_TOKEN
from satdoku.signals import release_signals, signals_held

# A fixed port, because browsers store the work of a page by its address, port included.
_PORT = 8787
# If another program uses the port, this many higher ports are tried.
_PORTS_TO_TRY = 10
_MOST_PORTS = 1 << 16
# 16 random lower-case letters have 75 bits, too many to guess over a network.
_SHORTEST_TOKEN = 16
_TOKEN_VARIABLE = "SATDOKU_TOKEN"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@command(
    excludes=[("--token", "--token-file", "")],
    needs=[
        ("--origin", "--live", "other pages may connect only there"),
    ],
)
@click.argument("puzzle", required=False)
@click.option(
    "--port",
    type=Whole(min=0, max=_MOST_PORTS - 1),
    default=_PORT,
    show_default=True,
    help="Port of the page; 0 takes any free one.",
)
@click.option(
    "--no-browser", is_flag=True, help="Print the address of the page without opening it."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; clients need the token unless it is this machine's own.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=(
        "File that contains only the token; by default the environment variable "
        f"{_TOKEN_VARIABLE} holds the token. Without either, --host makes and prints one."
    ),
)
@click.option(
    "--token",
    default="",
    help=(
        f"The token itself, {_SHORTEST_TOKEN} characters or more. Other users of this machine can "
        "read it in the list of processes."
    ),
)
@click.option(
    "--live",
    type=Whole(min=1, max=_MOST_PORTS - 1),
    is_flag=False,
    flag_value=LIVE_PORT,
    metavar="[PORT]",
    help=f"Also answer the userscript of f-puzzles, by default on port {LIVE_PORT}.",
)
@click.option(
    "--origin",
    multiple=True,
    metavar="URL",
    help="Address of another page that may connect to --live.",
)
@click.option(
    "-j",
    "--jobs",
    type=Whole(min=1, max=64),
    help="Number of processes for quick questions, and as many for slow ones.",
)
@quiet_option
def serve(
    puzzle: str | None,
    port: int,
    no_browser: bool,
    host: str,
    token_file: Path | None,
    token: str,
    live: int | None,
    origin: tuple[str, ...],
    jobs: int | None,
    quiet: bool,
) -> int:
    """Open a page to set and to solve puzzles.

    While you type, the page says whether there is one solution, several or none, and shows where.
    It explains puzzles step by step on the board, generates puzzles, and copies and pastes them in
    every format. Nothing leaves this machine. Ctrl-C ends the server.

    \b
    satdoku serve
    satdoku serve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    satdoku serve --no-browser --port 9000
    """
    token = _find_token(host, token, token_file)
    fragment = "" if puzzle is None else _fragment(puzzle)
    # Hold signals, because an exception while the event loop is created would leave it broken.
    with suppress(KeyboardInterrupt), signals_held():
        asyncio.run(
            _serve(
                Talk(quiet), host, port, token, jobs or 0, live, origin, fragment, not no_browser
            )
        )
    return 0


def _find_token(host: str, token: str, file: Path | None) -> str:
    """Return the given token, or a new one if other machines may connect; else ""."""
    source = "--token"
    if file is not None:
        source, token = f"--token-file {file}", _read_token(file)
    elif not token:
        source, token = _TOKEN_VARIABLE, os.environ.get(_TOKEN_VARIABLE, "")
        if not token:
            return "" if host in _LOOPBACK else token_urlsafe()
    # Spaces and non-ASCII characters are not allowed in a request header.
    if not all("!" <= sign <= "~" for sign in token):
        raise click.UsageError(f"{source}: a token has ASCII letters, digits and signs only")
    if not _SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise click.UsageError(
            f"{source}: a token has {_SHORTEST_TOKEN} to {LONGEST_TOKEN} characters, this has "
            f"{len(token)}"
        )
    return token


def _read_token(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(2 * LONGEST_TOKEN).decode("latin-1").strip()
    except OSError as error:
        raise SatdokuError(f"{file} cannot be read: {error.strerror}") from None


def _address(host: str, port: int, fragment: str, token: str) -> str:
    """Return the address of the page for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    secret = f"{'&' if fragment else '#'}k={quote(token, safe='')}" if token else ""
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/{fragment}{secret}"


def _fragment(puzzle: str) -> str:
    """Return the part of the address behind #, which browsers never send to a server."""
    text = puzzle
    if os.path.isfile(puzzle):
        try:
            with open(puzzle, encoding="utf-8") as stream:
                text = stream.read(100_000)  # the page reads no more
        except (OSError, UnicodeDecodeError) as error:
            raise SatdokuError(f"{puzzle} cannot be read: {error}") from None
    return f"#p={quote(text, safe='')}"


async def _serve(
    talk: Talk,
    host: str,
    port: int,
    token: str,
    jobs: int,
    live: int | None,
    origins: tuple[str, ...],
    fragment: str,
    opens_browser: bool,
) -> None:
    server = Server(Access(host, token), jobs)
    ended = asyncio.Event()
    _end_by_signals(asyncio.get_running_loop(), ended.set)
    release_signals()
    try:
        found = await _listen(server, port, talk)
        if live is not None:
            await _listen_live(server, live, origins, talk)
        address = _address(host, found, fragment, token)
        click.echo(address)
        # A program that has started this one may be waiting at a pipe for the address.
        sys.stdout.flush()
        if token:
            # The command line of a browser is visible to other users, like that of this program.
            talk.say("The address holds the token, so open it yourself.")
        elif opens_browser:
            _open(address)
        if host in ("0.0.0.0", "::"):
            talk.say("Other machines open it with an address of this machine in its place.")
        talk.say("Ctrl-C ends it.")
        await ended.wait()
    finally:
        await server.close()


async def _listen(server: Any, port: int, talk: Talk) -> int:
    """Listen on the port, or on a higher one if another program uses it."""
    for number in range(port, min(port + _PORTS_TO_TRY, _MOST_PORTS)) if port else (0,):
        with suppress(OSError):
            found: int = await server.listen(number)
            if number != port:
                talk.say(f"port {port} is taken; work saved in the browser belongs to that port")
            return found
    raise SatdokuError(f"the ports {port} to {port + _PORTS_TO_TRY - 1} are all taken")


async def _listen_live(server: Any, port: int, origins: tuple[str, ...], talk: Talk) -> None:
    try:
        await server.listen_live(port, LIVE_ORIGINS | set(origins))
    except OSError:
        raise SatdokuError(
            f"the port {port} for f-puzzles is taken; another solver may be running"
        ) from None
    talk.say(
        f"f-puzzles may ask at ws://localhost:{port}; the browser asks once whether its page may "
        "reach this machine: click Allow."
    )


def _end_by_signals(loop: asyncio.AbstractEventLoop, end: Callable[[], None]) -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # On Windows, event loops have no signal handlers; Ctrl-C raises KeyboardInterrupt there.
        with suppress(NotImplementedError):
            # nohup ignores SIGHUP, which must stay ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, end)


def _open(address: str) -> None:
    """Open the browser from a thread, because some take seconds to return."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
