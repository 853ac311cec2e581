"""The little of HTTP/1.1 that a page and an API need: requests in, answers out, and who may ask.

The files of the page are all in memory: no path that a request names ever touches the disk.
"""

import asyncio
import re
from base64 import b64decode
from collections.abc import Collection, Mapping
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus
from importlib.resources import files
from ipaddress import ip_address
from typing import NamedTuple

from satdoku.picture.svg import style_sheet

LONGEST_HEAD = 16 * 1024
"""In bytes; browsers send less than one thousand."""
LONGEST_BODY = 256 * 1024
"""In bytes, as long as a message over a WebSocket."""
# A head or a body that takes longer is no browser's.
_SECONDS_A_REQUEST = 10.0
# A connection that nobody uses may stay open so long.
_SECONDS_IDLE = 60.0
# Headers that decide what a request is, so each may be there once.
_SINGLE = {
    *("host", "origin", "content-length", "content-type", "authorization", "upgrade"),
    *("sec-websocket-key", "sec-websocket-version"),
}
# RFC 9110: a name is a token, and a value has no control characters but the tab.
_REQUEST_LINE = re.compile(r"([A-Z]+) ([!-~]+) (HTTP/1\.[01])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\x00-\x08\x0a-\x1f\x7f]*)")
# No `%`: the scope of an IPv6 address may hold any character, and no browser sends one.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(:[0-9]{1,5})?")


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""How this machine is called on itself."""


class RefusedError(Exception):
    """A request that gets nothing but a status and a sentence."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class HttpRequest(NamedTuple):
    """The head of a request; the names of headers are in small letters."""

    method: str
    path: str
    version: str
    headers: Mapping[str, str]

    @property
    def host(self) -> str:
        """The host and port that the client called, or "" for what is no name and no address."""
        host = self.headers.get("host", "")
        return host if _HOST.fullmatch(host) else ""

    @property
    def media_type(self) -> str:
        """The media type of the body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def token(self) -> str:
        """The token of the Authorization header, or ""."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def keeps_connection(self) -> bool:
        """Whether the client may send another request after this one."""
        return self.version == "HTTP/1.1" and "close" not in self._connection_options

    @property
    def is_upgrade(self) -> bool:
        """Whether the request is the handshake of a WebSocket (RFC 6455, 4.2.1)."""
        return (
            (self.method, self.version) == ("GET", "HTTP/1.1")
            and self.headers.get("upgrade", "").lower() == "websocket"
            and "upgrade" in self._connection_options
            and self.headers.get("sec-websocket-version") == "13"
            and _is_key(self.headers.get("sec-websocket-key", ""))
        )

    @property
    def _connection_options(self) -> set[str]:
        return {word.strip() for word in self.headers.get("connection", "").lower().split(",")}


def _is_key(text: str) -> bool:
    """Whether this is the key of a handshake: 16 bytes in Base64."""
    try:
        return len(b64decode(text, validate=True)) == 16
    except ValueError:
        return False


class Access(NamedTuple):
    """Who may ask: programs and pages of this machine, or whoever knows the token."""

    host: str = "127.0.0.1"
    token: str = ""

    def require(self, request: HttpRequest, origins: Collection[str] = ()) -> None:
        """Refuses requests that another page, or another machine's name for this one, sends.

        Without `origins` the only page that may ask is the one that was loaded from here.
        """
        host = _HOST.fullmatch(request.host)
        if host is None:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the host of the request is malformed")
        name = host[1].lower()
        # A name that somebody else's server gave for 127.0.0.1 would let their page ask here. An
        # address has no other meaning, and other machines know this one by its addresses.
        is_known = name in (*LOOPBACK, self.host.lower())
        if not is_known and not (self.token and _is_address(name)):
            raise RefusedError(
                HTTPStatus.MISDIRECTED_REQUEST, "this server answers to localhost only"
            )
        origin = request.headers.get("origin")
        if origin is not None and origin not in (origins or (f"http://{request.host}",)):
            raise RefusedError(HTTPStatus.FORBIDDEN, "pages of other sites may not ask here")

    def is_token(self, token: object) -> bool:
        """Whether somebody who asks knows the token, where there is one."""
        return not self.token or (
            isinstance(token, str) and compare_digest(token.encode(), self.token.encode())
        )


def _is_address(name: str) -> bool:
    try:
        return ip_address(name.strip("[]")).version == (6 if name.startswith("[") else 4)
    except ValueError:
        return False


async def read_head(reader: asyncio.StreamReader) -> HttpRequest | None:
    """Return the head of the next request, or None at the end of the connection."""
    try:
        first = await asyncio.wait_for(reader.read(1), _SECONDS_IDLE)
        if not first:
            return None
        return _parse_head(await asyncio.wait_for(_rest_of_head(reader, first), _SECONDS_A_REQUEST))
    except (asyncio.IncompleteReadError, asyncio.TimeoutError, OSError):
        return None


async def read_body(reader: asyncio.StreamReader, request: HttpRequest) -> bytes:
    """Return the body of a request; IncompleteReadError or TimeoutError if it does not come."""
    length = _length_of_body(request)
    return await asyncio.wait_for(reader.readexactly(length), _SECONDS_A_REQUEST)


async def _rest_of_head(reader: asyncio.StreamReader, first: bytes) -> bytes:
    try:
        return first + await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise RefusedError(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of the request is too long"
        ) from None


def _parse_head(head: bytes) -> HttpRequest:
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    request = _REQUEST_LINE.fullmatch(first)
    if request is None:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "this is no request of HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        header = _HEADER.fullmatch(line)
        name = header[1].lower() if header else ""
        if header is None or (name in _SINGLE and name in headers):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "a header of the request is malformed")
        value = header[2].strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return HttpRequest(request[1], request[2].partition("?")[0], request[3], headers)


def _length_of_body(request: HttpRequest) -> int:
    if "transfer-encoding" in request.headers:
        raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "a body needs its length")
    text = request.headers.get("content-length", "0")
    # Ten digits are more than any body that is read, and few enough for Python.
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "the length of the body is no number")
    if int(text) > LONGEST_BODY:
        raise RefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {LONGEST_BODY:,} bytes"
        )
    return int(text)


def write_response(
    status: HTTPStatus, headers: Mapping[str, str], body: bytes = b"", has_body: bool = True
) -> bytes:
    """A response with its length; without `has_body` only its head, as for HEAD."""
    lines = [f"HTTP/1.1 {status.value} {status.phrase}"]
    lines += (f"{name}: {value}" for name, value in headers.items())
    if status is not HTTPStatus.SWITCHING_PROTOCOLS:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body if has_body else b"")


_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class File(NamedTuple):
    """What a browser gets; `tag` changes with the content."""

    kind: str
    content: bytes
    tag: str


def page_files() -> dict[str, File]:
    """The files by their paths."""
    found = {}
    for entry in files("satdoku.picture").joinpath("web").iterdir():
        suffix = entry.name.rpartition(".")[2]
        if suffix in _KINDS:
            found[f"/{entry.name}"] = _file(suffix, entry.read_bytes())
    # The colours of drawings, from the one table of them.
    found["/board.css"] = _file("css", style_sheet().encode())
    found["/"] = found["/index.html"]
    found["/favicon.ico"] = found["/icon.svg"]
    return found


def _file(suffix: str, content: bytes) -> File:
    return File(_KINDS[suffix], content, f'"{sha256(content).hexdigest()[:16]}"')
