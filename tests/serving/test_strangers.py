"""Clients that do not know the token: what they cannot do to the server and to its friends."""

import asyncio
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from satdoku.serving.http import Access
from satdoku.serving.server import Server, Visitor
from satdoku.serving.websocket import ClosedError, WebSocket
from tests.commands import run
from tests.each import for_each
from tests.serving.client import (
    Running,
    Socket,
    connect,
    frame,
    read_response,
    request,
    send_request,
    serving,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

TOKEN = "a-word-of-16-letters"
OTHERS = [f"127.0.0.{number}" for number in range(2, 6)]
BOARD = {"box": [2, 2], "cells": [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]}


def can_use_other_addresses() -> bool:
    """Whether this machine has all addresses from 127.0.0.2 on, as Linux does."""
    try:
        for source in OTHERS:
            with socket.socket() as found:
                found.bind((source, 0))
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving("--host", "0.0.0.0", "-j", "1", token=TOKEN) as server:
        yield server


def friend(port: int) -> Socket:
    known = Socket(port)
    known.send(TOKEN)
    return known


def verdict(known: Socket) -> str:
    known.ask(id=1, ask="look", puzzle=BOARD, want=[])
    found: str = known.parts()[0]["verdict"]
    return found


def test_strangers_leave_places_to_others_and_to_friends() -> None:
    if not can_use_other_addresses():
        pytest.skip("one address only")
    with ExitStack() as stack:
        # A server of its own: places are free again only a while after their connections end.
        port = stack.enter_context(serving("--host", "0.0.0.0", "-j", "1", token=TOKEN)).port
        known = stack.enter_context(friend(port))
        assert verdict(known) == "unique"
        # Of one address a part of the places, and the others are told why.
        taken = [stack.enter_context(Socket(port, source=OTHERS[0])).status for _ in range(64)]
        assert set(taken) == {101, 503}
        assert request(port, "GET / HTTP/1.1")[0] == 200
        assert verdict(stack.enter_context(friend(port))) == "unique"
        # Of all addresses together not all places.
        for source in OTHERS[1:4]:
            taken += [stack.enter_context(Socket(port, source=source)).status for _ in range(16)]
        assert 503 in taken[-16:]
        assert verdict(known) == "unique"


def test_a_connection_without_the_token_ends_soon(server: Running) -> None:
    port = server.port
    with Socket(port) as silent, Socket(port) as half, connect(port) as mute, connect(port) as slow:
        half.connection.sendall(frame(b"x" * 100)[:50])
        slow.sendall(b"GET / HTTP/1.1\r\nHost:")
        assert silent.frame() == half.frame() == (8, (1008).to_bytes(2, "big"))
        assert mute.recv(1) == slow.recv(1) == b""
    # And one request is all that it is for.
    with send_request(port, "GET / HTTP/1.1") as connection:
        status, headers, _ = read_response(connection)
        assert (status, headers["connection"], connection.recv(1)) == (200, "close", b"")


def test_a_stranger_sends_no_long_message(server: Running) -> None:
    with Socket(server.port) as stranger:
        stranger.send("x" * 2000)
        assert stranger.frame() == (8, (1009).to_bytes(2, "big"))
    with friend(server.port) as known:
        known.send(json.dumps({"id": 1, "ask": "read", "text": "x" * 2000}))
        assert "error" in known.part()


class Mute:
    """The writing side of a client that reads nothing, or is gone; `drain` waits for ever."""

    def __init__(self, is_gone: bool) -> None:
        self.is_gone = is_gone
        self.written: list[bytes] = []
        self.transport = SimpleNamespace(
            get_write_buffer_size=lambda: sum(map(len, self.written)), abort=self.close
        )

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_extra_info(self, name: str) -> None:
        return None

    def write_eof(self) -> None:
        pass

    async def wait_closed(self) -> None:
        await self.drain()

    def is_closing(self) -> bool:
        return self.is_gone

    def close(self) -> None:
        self.is_gone = True

    async def drain(self) -> None:
        await asyncio.get_running_loop().create_future()


@for_each("is_gone, most", [(False, 1), (True, 0)])
def test_pings_wait_until_their_answers_are_read(is_gone: bool, most: int) -> None:
    """Else a client that only sends would fill the memory, or the log once it is gone."""

    async def talk() -> int:
        reader, writer = asyncio.StreamReader(), Mute(is_gone)
        reader.feed_data(1000 * frame(b"hello", 9))
        reader.feed_eof()
        mute = WebSocket(reader, cast(Any, writer))
        with pytest.raises((asyncio.TimeoutError, ClosedError)):
            await asyncio.wait_for(mute.receive(), 0.3)
        return len(writer.written)

    assert asyncio.run(talk()) == most


@for_each("most", [0, 64])
def test_connections_that_end_with_the_server_say_nothing(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Else asyncio prints a traceback for each, until nobody reads them and the pipe is full."""
    monkeypatch.setattr("satdoku.serving.server._MOST_CONNECTIONS", most)

    async def end() -> bool:
        reader, writer = asyncio.StreamReader(), Mute(is_gone=False)

        async def answer_next(visitor: Visitor) -> bool:
            return False

        keep = Server(Access("127.0.0.1"))._keep(reader, cast(Any, writer), True, answer_next)
        task = asyncio.create_task(keep)
        await asyncio.sleep(0)  # it waits until the client reads
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert not asyncio.run(end())


def test_the_token_need_not_stand_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    for options, token in (
        (["--token-file", str(file)], ""),
        (["--token-file", str(file)], "another-word-of-16-letters"),
    ):
        with serving(*options, token=token) as server, Socket(server.port) as client:
            client.send("another-word-of-16-letters")
            assert "token" in client.part()["error"]
            client.send(TOKEN)
            assert verdict(client) == "unique"


def test_a_server_for_other_machines_makes_a_token_and_prints_it() -> None:
    with serving("--host", "0.0.0.0") as server:
        token = server.address.rpartition("k=")[2].strip()
        assert len(token) >= 16
        listed = subprocess.run(
            ["ps", "-o", "args=", "-p", str(server.process.pid)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "serve" in listed
        assert token not in listed
        with Socket(server.port) as client:
            client.send(token)
            assert verdict(client) == "unique"


@for_each(
    "token, fault",
    [
        (15 * "x", "16 to 1024"),
        (2000 * "x", "16 to 1024"),
        (16 * "ä", "ASCII"),
        ("a b" * 9, "ASCII"),
    ],
)
def test_a_token_that_would_not_do_is_refused(tmp_path: Path, token: str, fault: str) -> None:
    file = tmp_path / "token"
    file.write_text(token, "utf-8")
    for option, value in (("--token", token), ("--token-file", file)):
        found = run("serve", "--no-browser", option, value)
        assert found.code == 2
        assert option in found.stderr
        assert fault in found.stderr
