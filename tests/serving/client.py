"""A client with a raw socket: what browsers would never send can be sent too."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

SECONDS = 60.0
"""As long as a test waits for an answer on a busy machine."""


class Running(NamedTuple):
    """A server, the leader of its session."""

    port: int
    process: "subprocess.Popen[str]"
    address: str

    def processes(self) -> list[int]:
        """All that the server and its children started, whatever their groups are."""
        command = ["ps", "-o", "pid=,stat=", "-s", str(self.process.pid)]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return [int(line.split()[0]) for line in lines.splitlines() if "Z" not in line]


@contextmanager
def serving(*options: str, token: str = "") -> Iterator["Running"]:
    """`satdoku serve` at a free port, ended by SIGTERM; the token is in the environment."""
    command = [sys.executable, "-m", "satdoku", "serve", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "SATDOKU_TOKEN": token},
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline()
            yield Running(int(address.split(":")[2].split("/")[0]), process, address)
        finally:
            process.terminate()
            # Reads what the server says meanwhile: a full pipe would keep it from ending.
            process.communicate(timeout=SECONDS)


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """Connects from an address of this machine."""
    return socket.create_connection(("127.0.0.1", port), SECONDS, (source, 0))


def send_request(
    port: int,
    first: str,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    source: str = "127.0.0.1",
) -> socket.socket:
    """Sends a request, and gives the connection from which the answer comes."""
    found = {"Host": f"127.0.0.1:{port}", **(headers or {})}
    if body:
        found["Content-Length"] = str(len(body))
    lines = [first, *(f"{name}: {value}" for name, value in found.items()), "", ""]
    connection = connect(port, source)
    connection.sendall("\r\n".join(lines).encode("latin-1") + body)
    return connection


def read_response(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers in small letters, and the body of an answer."""
    with connection.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        headers = {}
        while line := stream.readline().strip():
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", "0"))
        body = b"" if status == 304 else stream.read(length)
    return status, headers, body


def request(
    port: int, first: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    """One request and its answer."""
    with send_request(port, first, headers, body) as connection:
        return read_response(connection)


def post(port: int, question: object) -> list[dict[str, Any]]:
    """The parts of the answer to a question that is sent by POST."""
    body = json.dumps(question).encode()
    kind = {"Content-Type": "application/json"}
    status, _, answer = request(port, "POST /api/v1/ask HTTP/1.1", kind, body)
    assert status == 200, answer
    parts: list[dict[str, Any]] = json.loads(answer)["parts"]
    return parts


UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def frame(payload: bytes, kind: int = 1, is_last: bool = True, is_masked: bool = True) -> bytes:
    """A frame as a client sends it."""
    count = len(payload)
    if count < 126:
        length = bytes([count | 0x80 * is_masked])
    elif count < 1 << 16:
        length = bytes([126 | 0x80 * is_masked]) + count.to_bytes(2, "big")
    else:
        length = bytes([127 | 0x80 * is_masked]) + count.to_bytes(8, "big")
    head = bytes([kind | 0x80 * is_last]) + length
    if not is_masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))


class Socket:
    """A WebSocket to the server, frame by frame."""

    def __init__(
        self,
        port: int,
        headers: Mapping[str, str] | None = None,
        path: str = "/api/v1/socket",
        source: str = "127.0.0.1",
    ) -> None:
        self.connection = send_request(
            port, f"GET {path} HTTP/1.1", {**UPGRADE, **(headers or {})}, source=source
        )
        self._stream = self.connection.makefile("rb")
        self.status = int(self._stream.readline().split()[1])
        head = [line.strip().lower() for line in iter(self._stream.readline, b"\r\n")]
        # Without these two a browser does not take the connection for a WebSocket.
        if self.status == 101:
            assert {b"upgrade: websocket", b"connection: upgrade"} <= set(head)

    def ask(self, **question: Any) -> None:
        self.send(json.dumps(question))

    def send(self, text: str) -> None:
        self.connection.sendall(frame(text.encode()))

    def frame(self) -> tuple[int, bytes]:
        """The kind and the payload of the next frame; kind 8 with nothing at the end."""
        head = self._stream.read(2)
        if len(head) < 2:
            return 8, b""
        length = head[1]
        if length > 125:
            length = int.from_bytes(self._stream.read(2 if length == 126 else 8), "big")
        return head[0] & 15, self._stream.read(length)

    def part(self) -> dict[str, Any]:
        """The next message."""
        kind, payload = self.frame()
        assert kind == 1, (kind, payload)
        found: dict[str, Any] = json.loads(payload)
        return found

    def parts(self) -> list[dict[str, Any]]:
        """All messages up to the last of an answer."""
        found = [self.part()]
        while not found[-1].get("done"):
            found.append(self.part())
        return found

    def close(self) -> None:
        self._stream.close()
        self.connection.close()

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
