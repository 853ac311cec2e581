"""The subset of HTTP/1.1 that the page and the API need: requests, responses, access control.

All files of the page are held in memory, so no requested path is ever looked up on disk.
"""

import asyncio
import gzip
import re
from base64 import b64decode
from collections.abc import Collection, Mapping
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus
from importlib.resources import files
from ipaddress import ip_address
from typing import NamedTuple

from satdoku.picture.documents import page_style_sheet

LONGEST_HEAD = 16 * 1024
"""Longest head of a request in bytes; browsers send less than one thousand."""
LONGEST_BODY = 256 * 1024
"""Longest body of a request in bytes, the same as for a message over a WebSocket."""
# Time limit for receiving a head or a body; browsers need far less.
_SECONDS_A_REQUEST = 10.0
# How long an idle connection stays open.
_SECONDS_IDLE = 60.0
# Headers that must not be repeated, because they change the meaning of a request.
_SINGLE = {
    *("host", "origin", "content-length", "content-type", "authorization", "upgrade"),
    *("sec-websocket-key", "sec-websocket-version"),
}
# RFC 9110: a name is a token; a value has no control characters except the tab.
_REQUEST_LINE = re.compile(r"([A-Z]+) ([!-~]+) (HTTP/1\.[01])")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\x00-\x08\x0a-\x1f\x7f]*)")
# Without `%`: the zone of an IPv6 address could hold any character, and browsers do not send one.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(:[0-9]{1,5})?")


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names by which this machine refers to itself."""


class RefusedError(Exception):
    """Raised to refuse a request with a status and a sentence."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class HttpRequest(NamedTuple):
    """The head of a request; header names are in lower case."""

    method: str
    path: str
    version: str
    headers: Mapping[str, str]

    @property
    def host(self) -> str:
        """Return the requested host and port, or "" if it is neither a name nor an address."""
        host = self.headers.get("host", "")
        return host if _HOST.fullmatch(host) else ""

    @property
    def media_type(self) -> str:
        """Return the media type of the body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def token(self) -> str:
        """Return the token of the Authorization header, or ""."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def keeps_connection(self) -> bool:
        """Whether the connection stays open after this request."""
        return self.version == "HTTP/1.1" and "close" not in self._connection_options

    @property
    def takes_gzip(self) -> bool:
        """Whether the client unpacks gzip; one that weighs its encodings counts as one that does
        not.
        """
        accepted = self.headers.get("accept-encoding", "").lower()
        return "gzip" in {word.strip() for word in accepted.split(",")}

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
    """Whether the text is a handshake key: 16 bytes in Base64."""
    try:
        return len(b64decode(text, validate=True)) == 16
    except ValueError:
        return False


class Access(NamedTuple):
    """Access control: only programs and pages of this machine, or clients with the token, are
    admitted.
    """

    host: str = "127.0.0.1"
    token: str = ""

    def require(self, request: HttpRequest, origins: Collection[str] = ()) -> None:
        """Refuse requests from pages of other origins, and requests to other host names.

        Without `origins`, only the page that this server delivers may send requests.
        """
        host = _HOST.fullmatch(request.host)
        if host is None:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the host of the request is malformed")
        name = host[1].lower()
        # DNS rebinding: a foreign name that resolves to 127.0.0.1 would let its page send requests
        # here. IP addresses are safe, and other machines use them to reach this server.
        is_known = name in (*LOOPBACK, self.host.lower())
        if not is_known and not (self.token and _is_address(name)):
            raise RefusedError(
                HTTPStatus.MISDIRECTED_REQUEST, "this server answers to localhost only"
            )
        origin = request.headers.get("origin")
        if origin is not None and origin not in (origins or (f"http://{request.host}",)):
            raise RefusedError(HTTPStatus.FORBIDDEN, "pages of other sites may not ask here")

    def is_token(self, token: object) -> bool:
        """Whether the token is right, or no token is needed."""
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
    """Return the body of a request.

    Raise IncompleteReadError or TimeoutError if the body does not arrive.
    """
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
    # More than nine digits exceed the limit anyway, and Python refuses to parse very long numbers.
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
    """Return a response with its length; without `has_body`, only its head, as for HEAD."""
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
    """A file for the browser, plain and packed; `tag` (its ETag) changes with the content."""

    kind: str
    content: bytes
    packed: bytes
    tag: str


def page_files() -> dict[str, File]:
    """Return the files of the page, by path."""
    found = {}
    for entry in files("satdoku.picture").joinpath("web").iterdir():
        suffix = entry.name.rpartition(".")[2]
        if suffix in _KINDS:
            found[f"/{entry.name}"] = _file(suffix, entry.read_bytes())
    # The colours of drawings on the page are generated from the same table as in other drawings.
    found["/board.css"] = _file("css", page_style_sheet().encode())
    found["/"] = found["/index.html"]
    found["/favicon.ico"] = found["/icon.svg"]
    return found


def _file(suffix: str, content: bytes) -> File:
    # Weak: the plain and the packed answer mean the same, but their bytes differ.
    tag = f'W/"{sha256(content).hexdigest()[:16]}"'
    return File(_KINDS[suffix], content, gzip.compress(content, mtime=0), tag)
