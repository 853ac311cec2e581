"""The server as clients see it, good ones and bad ones; they share one server."""

import gzip
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.commands import HARD
from tests.each import for_each
from tests.serving.client import (
    SECONDS,
    UPGRADE,
    Running,
    Socket,
    connect,
    frame,
    post,
    read_response,
    request,
    serving,
)
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

SMALL = {"box": [2, 2], "cells": [1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4]}
EMPTY = {"box": [3, 3], "cells": [0] * 81}
LARGE = {"box": [4, 4], "cells": [0] * 256}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving() as server:
        yield server


@pytest.fixture
def port(server: Running) -> int:
    return server.port


def verdict(port: int) -> str:
    """That the server answers, whatever came before."""
    found: str = post(port, {"id": 1, "ask": "look", "puzzle": SMALL, "want": []})[0]["verdict"]
    return found


def test_the_page_and_what_it_loads_come_with_a_strict_policy(port: int) -> None:
    status, headers, body = request(port, "GET / HTTP/1.1")
    assert (status, b"<title>satdoku" in body) == (200, True)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in headers
    for name in ("app.js", "style.css", "board.css", "icon.svg"):
        assert request(port, f"GET /{name} HTTP/1.1")[0] == 200
    packed = {"Accept-Encoding": "gzip, deflate, br"}
    _, more, small = request(port, "GET / HTTP/1.1", packed)
    assert (more["content-encoding"], gzip.decompress(small)) == ("gzip", body)
    assert "content-encoding" not in headers
    tag = headers["etag"]
    # Two answers of different bytes may share only a weak tag.
    assert tag.startswith("W/")
    assert more["etag"] == tag
    assert request(port, "GET / HTTP/1.1", {"If-None-Match": tag})[0] == 304


@for_each(
    "first, headers, status",
    [
        ("GET /../../etc/passwd HTTP/1.1", {}, 404),
        ("GET /%2e%2e/app.js HTTP/1.1", {}, 404),
        ("POST / HTTP/1.1", {}, 405),
        ("GET /api/v1/ask HTTP/1.1", {}, 405),
        ("GET / HTTP/1.foo", {}, 400),
        ("GET / HTTP/1.1", {"A": "b\x00"}, 400),
        ("GET / HTTP/1.1", {"A": "b\rC: d"}, 400),
        ("GET / HTTP/1.1", {"A\x00": "b"}, 400),
        ("GET / HTTP/1.1", {"": "b"}, 400),
        ("GET / HTTP/1.1", {"Host": "localhost:²"}, 400),
        ("GET / HTTP/1.1", {"Host": "[fe80::1%x; script-src *]:8787"}, 400),
        ("GET / HTTP/1.1", {"Host": "evil.example"}, 421),
        ("GET / HTTP/1.1", {"Host": "127.0.0.1.evil.example:80"}, 421),
        ("GET / HTTP/1.1", {"Origin": "https://evil.example"}, 403),
        ("GET / HTTP/1.1", {"Origin": "null"}, 403),
        ("GET / HTTP/1.1", {"Transfer-Encoding": "chunked"}, 411),
        ("GET / HTTP/1.1", {"Content-Length": "12, 12"}, 400),
        ("POST /api/v1/ask HTTP/1.1", {"Content-Length": "999999999"}, 413),
        ("POST /api/v1/ask HTTP/1.1", {"Content-Type": "text/plain"}, 415),
        ("GET / HTTP/1.1", {"A": "b" * 20_000}, 431),
        ("GET /api/v1/socket HTTP/1.1", {}, 426),
        ("POST /api/v1/socket HTTP/1.1", UPGRADE, 426),
        ("GET /api/v1/socket HTTP/1.0", UPGRADE, 426),
        ("GET /api/v1/socket HTTP/1.1", {**UPGRADE, "Connection": "close"}, 426),
        ("GET /api/v1/socket HTTP/1.1", {**UPGRADE, "Sec-WebSocket-Key": ""}, 426),
        ("GET /api/v1/socket HTTP/1.1", {**UPGRADE, "Origin": "http://localhost"}, 403),
        ("nonsense", {}, 400),
    ],
)
def test_what_is_refused(port: int, first: str, headers: dict[str, str], status: int) -> None:
    assert request(port, first, headers)[0] == status


def test_a_host_twice_is_refused(port: int) -> None:
    with connect(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        assert read_response(connection)[0] == 400


def test_names_that_know_no_case_are_read_in_any(port: int) -> None:
    body = json.dumps({"id": 1, "ask": "look", "puzzle": SMALL, "want": []}).encode()
    kind = {"Content-Type": "Application/JSON ; charset=utf-8"}
    assert request(port, "POST /api/v1/ask HTTP/1.1", kind, body)[0] == 200
    with Socket(port, {"Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"}) as socket:
        assert socket.status == 101


def test_parts_come_in_order_and_the_last_says_so(port: int) -> None:
    with Socket(port, {"Origin": f"http://127.0.0.1:{port}"}) as socket:
        socket.ask(id=7, ask="look", puzzle=SMALL)
        parts = socket.parts()
    assert {part["id"] for part in parts} == {7}
    assert [part.get("part") for part in parts] == [
        *("verdict", "symmetry", "candidates", "needless", "rating"),
        None,
    ]


def test_a_new_question_ends_the_one_before_it_in_its_lane(port: int) -> None:
    with Socket(port) as socket:
        socket.ask(id=1, lane="live", ask="count", puzzle=EMPTY, limit=10_000_000)
        socket.ask(id=2, lane="live", ask="look", puzzle=SMALL, want=[])
        assert [part["id"] for part in socket.parts()] == [2, 2]


def test_lanes_do_not_wait_for_each_other(port: int) -> None:
    with Socket(port) as socket:
        socket.ask(id=1, lane="make", ask="count", puzzle=EMPTY, limit=10_000_000)
        socket.ask(id=2, lane="live", ask="look", puzzle=SMALL, want=[])
        assert [part["id"] for part in socket.parts()] == [2, 2]


def test_a_question_ends_with_its_time(port: int) -> None:
    found = post(port, {"id": 1, "ask": "walk", "puzzle": LARGE, "seconds": 0.2})
    assert "undecided" in found[-2] or found[-2]["part"] in ("step", "end")


HOSTILE_FRAMES = {
    "not masked": (frame(b"{}", is_masked=False), 1002),
    "an extension": (b"\xc1" + frame(b"{}")[1:], 1002),
    "an unknown kind": (frame(b"", 3), 1003),
    "bytes": (frame(b"\x00", 2), 1003),
    "not UTF-8": (frame(b"\xff\xfe"), 1007),
    "too long": (b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"abcd", 1009),
    "a long ping": (frame(b"x" * 126, 9), 1002),
    "a ping in parts": (frame(b"x", 9, is_last=False), 1002),
    "a continuation of nothing": (frame(b"x", 0), 1002),
    "parts without end": (frame(b"", 1, is_last=False), 1002),
    "thousands of parts": (
        frame(b" ", 1, is_last=False) + 2000 * frame(b" ", 0, is_last=False),
        1009,
    ),
}


@for_each("name", HOSTILE_FRAMES)
def test_a_hostile_frame_is_answered_with_its_code(port: int, name: str) -> None:
    sent, code = HOSTILE_FRAMES[name]
    with Socket(port) as socket:
        socket.connection.sendall(sent)
        assert socket.frame() == (8, code.to_bytes(2, "big"))
    assert verdict(port) == "unique"


def test_parts_of_a_message_may_have_pings_between_them(port: int) -> None:
    text = json.dumps({"id": 3, "ask": "look", "puzzle": SMALL, "want": []}).encode()
    with Socket(port) as socket:
        socket.connection.sendall(frame(text[:9], is_last=False) + frame(b"hello", 9))
        assert socket.frame() == (10, b"hello")
        socket.connection.sendall(frame(text[9:], 0))
        assert socket.part()["verdict"] == "unique"


@for_each(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"ask": "look"}',
        '{"ask": "rm"}',
        '{"id": true, "ask": "look"}',
        '{"id": 1, "ask": "look", "puzzle": {"box": [0, 3]}}',
        '{"id": 1, "ask": "look", "puzzle": {"box": [99, 99], "cells": []}}',
        '{"id": 1, "ask": "look", "puzzle": {"cells": [true]}}',
        '{"id": 1, "ask": "look", "puzzle": {"cells": [1]}}',
        '{"id": 1, "ask": "look", "puzzle": {"cells": %s, "rules": ["odd:r99c1"]}}' % ([0] * 81),
        '{"id": 1, "ask": "look", "seconds": 1e9}',
        '{"id": 1, "ask": "generate", "number": 99999, "puzzle": {"cells": %s}}' % ([0] * 81),
        '{"id": 1, "ask": "read", "text": 5}',
        '{"id": 1, "ask": "why", "puzzle": {"cells": %s}, "question": "x"}' % ([0] * 81),
    ],
)
def test_a_message_that_makes_no_sense_is_answered_with_a_sentence(port: int, text: str) -> None:
    with Socket(port) as socket:
        socket.send(text)
        found = socket.parts()
    assert "fault of satdoku" not in str(found)
    assert len(found[0]["error"]) > 10


def test_nobody_suffers_from_half_frames_floods_and_clients_that_never_read(port: int) -> None:
    half, mute = Socket(port), Socket(port)
    half.connection.sendall(frame(b"x" * 1000)[:500])
    for number in range(300):
        mute.ask(id=number, ask="look", puzzle=SMALL)
    flood = [connect(port) for _ in range(20)]
    assert verdict(port) == "unique"
    for each in (half, mute):
        each.close()
    for connection in flood:
        connection.close()


def test_a_worker_that_is_killed_is_told_of_and_replaced(server: Running) -> None:
    with Socket(server.port) as socket:
        socket.ask(id=1, lane="make", ask="count", puzzle=EMPTY, limit=10_000_000, seconds=60)
        working: list[int] = []
        while not working:
            working = at_work(server)
        os.kill(working[0], signal.SIGKILL)
        assert socket.part() == {"id": 1, "undecided": "the solver died"}
        assert socket.part() == {"id": 1, "done": True}
    assert verdict(server.port) == "unique"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_leaves_no_process_and_no_word_of_a_puzzle(number: int) -> None:
    with serving() as server:
        assert verdict(server.port) == "unique"
        with Socket(server.port) as socket:
            socket.ask(id=1, ask="read", text="a secret")
            assert "error" in socket.part()
        assert server.processes()
        server.process.send_signal(number)
        server.process.wait(SECONDS)
        wait_until(lambda: not server.processes())
        out, err = server.process.communicate()
        assert "Ctrl-C" in err
        assert "secret" not in out + err


def test_a_server_outlives_its_terminal_under_nohup() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    try:
        with serving() as server:
            signal.signal(signal.SIGHUP, before)
            server.process.send_signal(signal.SIGHUP)
            assert verdict(server.port) == "unique"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_takes_long_gives_way_to_verdicts_of_others(port: int) -> None:
    # The candidates of this board take longer than anybody waits for a test.
    huge = {"box": [6, 6], "cells": [0] * 36**2}
    with ExitStack() as stack:
        sockets = [stack.enter_context(Socket(port)) for _ in range(5)]
        for socket in sockets:
            socket.ask(id=1, ask="look", puzzle=huge, want=["candidates"], seconds=60)
        assert {socket.part()["verdict"] for socket in sockets} == {"multiple"}
        # What was put back goes on, and tells nothing twice.
        sockets[0].ask(id=2, ask="look", puzzle=SMALL, want=["rating"])
        found = [sockets[0].part() for _ in range(3)]
        assert [part.get("part", "done") for part in found] == ["verdict", "rating", "done"]


def test_what_was_put_back_is_told_to_its_end(port: int) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(Socket(port)) for _ in range(5)]
        cells = [int(sign.replace(".", "0")) for sign in HARD]
        for socket in sockets:
            puzzle = {"box": [3, 3], "cells": cells}
            socket.ask(id=1, ask="look", puzzle=puzzle, want=["rating", "needless"])
        for socket in sockets:
            told = [part.get("part", "done") for part in socket.parts()]
            assert told == ["verdict", "needless", "rating", "done"]


TOKEN = "a-word-of-16-letters"


def test_who_does_not_know_the_token_gets_the_page_and_no_answers() -> None:
    with serving("--host", "0.0.0.0", token=TOKEN) as server:
        port, question = server.port, json.dumps({"id": 1, "ask": "look", "puzzle": SMALL}).encode()
        kind = {"Content-Type": "application/json"}
        assert request(port, "GET / HTTP/1.1")[0] == 200
        for header in ({}, {"Authorization": "Bearer another-16-letters"}):
            status, _, body = request(port, "POST /api/v1/ask HTTP/1.1", kind | header, question)
            assert (status, json.loads(body)) == (401, {"error": "this server requires its token"})
        known = kind | {"Authorization": f"Bearer {TOKEN}"}
        assert request(port, "POST /api/v1/ask HTTP/1.1", known, question)[0] == 200
        # Other machines know this one by its address; a name may lead anywhere.
        assert request(port, "GET / HTTP/1.1", {"Host": f"192.0.2.7:{port}"})[0] == 200
        assert request(port, "GET / HTTP/1.1", {"Host": f"evil.example:{port}"})[0] == 421
        with Socket(port) as socket:
            socket.send("another-16-letters")
            assert socket.part()["error"] == "this server requires its token"
            socket.ask(id=1, ask="look", puzzle=SMALL)
            assert "token" in socket.part()["error"]
            socket.send(TOKEN)
            socket.ask(id=2, ask="look", puzzle=SMALL)
            assert socket.part()["verdict"] == "unique"


def at_work(server: Running) -> list[int]:
    """The processes that count: no other takes so many ticks."""
    before = {pid: cpu_of(pid) for pid in server.processes()}
    time.sleep(0.2)
    return [pid for pid in before if cpu_of(pid) - before[pid] > 5]


def cpu_of(pid: int) -> int:
    """The processor time of a process so far, in ticks; 0 for one that has gone."""
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return int(stream.read().rpartition(") ")[2].split()[11])
    except OSError:
        return 0
