"""WebSockets (RFC 6455), server side: frames, messages and the closing handshake.

No extension is offered, so frames are never compressed and cannot grow while they are read.
"""

import asyncio
from base64 import b64encode
from contextlib import suppress
from hashlib import sha1
from typing import NamedTuple

LONGEST_MESSAGE = 256 * 1024
"""Longest message in bytes; a puzzle of 36x36 with 200 rules has a tenth of it."""
LONGEST_TOKEN = 1024
"""Longest message in bytes of a client that has not shown the token yet."""

# Bytes that a client may leave unread before its connection is aborted. The steps of some long
# explanations take megabytes; a client without the token only gets an error message.
_MOST_UNREAD, _MOST_UNREAD_BEFORE_TOKEN = 8 * 1024 * 1024, 64 * 1024
# Most fragments of a message. Browsers send one frame, programs a few.
_MOST_PIECES = 1024
# How long the rest of a frame may take after its first byte.
_SECONDS_A_FRAME = 20.0
# How long a client may take to send pending data and to close the connection.
_SECONDS_TO_CLOSE = 0.2
# The constant from the RFC in the answer to a handshake.
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

_CONTINUED, _TEXT, _CLOSE, _PING, _PONG = 0, 1, 8, 9, 10
_LONGEST_CONTROL = 125

BROKEN, NOT_TEXT, NOT_UTF8, NO_TOKEN, TOO_LONG = 1002, 1003, 1007, 1008, 1009
"""Status codes for closing a connection after an error."""


class ClosedError(Exception):
    """Raised when a connection ends: closed or lost by the client, or closed after an error."""

    def __init__(self, code: int = 1000) -> None:
        super().__init__(code)
        self.code = code


class _Frame(NamedTuple):
    is_last: bool
    kind: int
    payload: bytes


def accept_key(key: str) -> str:
    """Return the server's answer to the key of a handshake.

    >>> accept_key("dGhlIHNhbXBsZSBub25jZQ==")
    's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
    """
    return b64encode(sha1(key.encode() + _MAGIC).digest()).decode()


class WebSocket:
    """A connection after its handshake, with low limits until `trust` is called."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._is_closed = False
        self._longest, self._most_unread = LONGEST_TOKEN, _MOST_UNREAD_BEFORE_TOKEN

    def trust(self) -> None:
        """Raise the limits on messages and unread answers to those of a client with the token."""
        self._longest, self._most_unread = LONGEST_MESSAGE, _MOST_UNREAD

    async def receive(self) -> str:
        """Return the next message; raise ClosedError at the end of the connection."""
        try:
            return await self._next_message()
        except (asyncio.IncompleteReadError, asyncio.TimeoutError, OSError):
            self._writer.transport.abort()
            raise ClosedError from None
        except ClosedError as closed:
            await self.close(closed.code)
            raise

    def send(self, text: str) -> None:
        """Send a message; abort the connection if the client leaves too much unread."""
        self._write(_TEXT, text.encode())

    def _write(self, kind: int, payload: bytes) -> None:
        # Writing to a lost connection has no effect, but logs a warning on stderr each time.
        if self._is_closed or self._writer.is_closing():
            return
        self._writer.write(_frame(kind, payload))
        if self._writer.transport.get_write_buffer_size() > self._most_unread:
            self._writer.transport.abort()

    async def close(self, code: int) -> None:
        """Send a status code as the reason, and close the connection."""
        if self._is_closed:
            return
        self._write(_CLOSE, code.to_bytes(2, "big"))
        self._is_closed = True
        with suppress(asyncio.TimeoutError, OSError):
            # Unread data would reset the connection, and the client would lose the reason.
            await asyncio.wait_for(self._read_away(), _SECONDS_TO_CLOSE)
        self._writer.close()

    async def _read_away(self) -> None:
        while await self._reader.read(1 << 16):
            pass

    async def _next_message(self) -> str:
        parts: list[bytes] = []
        room = self._longest
        while True:
            frame = await self._next_frame(room)
            if frame.kind >= _CLOSE:
                await self._answer_control(frame)
                continue
            # The first frame of a message states its kind; the following frames do not.
            if (frame.kind == _CONTINUED) != bool(parts):
                raise ClosedError(BROKEN)
            if frame.kind not in (_CONTINUED, _TEXT):
                raise ClosedError(NOT_TEXT)
            parts.append(frame.payload)
            room -= len(frame.payload)
            if len(parts) > _MOST_PIECES:
                raise ClosedError(TOO_LONG)
            # Reject empty fragments, which could be sent without end.
            if not frame.payload and not frame.is_last:
                raise ClosedError(BROKEN)
            if frame.is_last:
                return _text_of(b"".join(parts))

    async def _answer_control(self, frame: _Frame) -> None:
        if frame.kind == _CLOSE or self._writer.is_closing():
            raise ClosedError
        if frame.kind == _PING:
            self._write(_PONG, frame.payload)
            # Wait until the client reads: otherwise the answers to its pings would fill the memory.
            await self._writer.drain()
        elif frame.kind != _PONG:
            raise ClosedError(BROKEN)

    async def _next_frame(self, room: int) -> _Frame:
        first = (await self._reader.readexactly(1))[0]
        # The time limit starts only here, because a client may be silent for hours between frames.
        return await asyncio.wait_for(self._rest_of_frame(first, room), _SECONDS_A_FRAME)

    async def _rest_of_frame(self, first: int, room: int) -> _Frame:
        read = self._reader.readexactly
        second = (await read(1))[0]
        is_last, kind, length = bool(first & 0x80), first & 15, second & 127
        # Extension bits must not be set, and clients must mask their frames.
        if first & 0x70 or not second & 0x80:
            raise ClosedError(BROKEN)
        if kind >= _CLOSE and (length > _LONGEST_CONTROL or not is_last):
            raise ClosedError(BROKEN)
        if length > _LONGEST_CONTROL:
            length = int.from_bytes(await read(2 if length == 126 else 8), "big")
        if length > room and kind < _CLOSE:
            raise ClosedError(TOO_LONG)
        mask = await read(4)
        return _Frame(is_last, kind, _unmasked(await read(length), mask))


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    """Return payload xor mask, computed as one large integer (100 times faster than a loop)."""
    count = len(payload)
    whole = (mask * (count // 4 + 1))[:count]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")).to_bytes(count, "big")


def _text_of(payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError:
        raise ClosedError(NOT_UTF8) from None


def _frame(kind: int, payload: bytes) -> bytes:
    """Return a whole message as one frame."""
    count = len(payload)
    if count <= _LONGEST_CONTROL:
        length = bytes([count])
    elif count < 1 << 16:
        length = b"\x7e" + count.to_bytes(2, "big")
    else:
        length = b"\x7f" + count.to_bytes(8, "big")
    return bytes([0x80 | kind]) + length + payload
