"""How many connections may be open, and for how long without the token."""

import asyncio
from contextlib import suppress

# A page has one connection; more come only from programs.
_MOST_CONNECTIONS = 64
# The other places are kept for clients that have shown the token.
_MOST_STRANGERS = 48
# Of one address. A browser opens six to load a page, and sometimes two more in advance.
_MOST_STRANGERS_AN_ADDRESS = 16
# A page sends the token in its first message; a program in the head of its request.
_SECONDS_TO_SHOW_TOKEN = 5.0
# How long an answer may take to be read, and what is left of it when a connection closes.
_SECONDS_TO_READ = 20.0
# How many refused connections may be waiting for their answer to be read, and how long.
_MOST_TURNED_AWAY, _SECONDS_TO_TURN_AWAY = 64, 1.0


class Visitor:
    """An open connection, and whether its client has shown the token."""

    def __init__(self, writer: asyncio.StreamWriter, is_known: bool) -> None:
        self.writer = writer
        self.is_known = is_known
        self.address = str((writer.get_extra_info("peername") or ("",))[0])
        self._deadline = asyncio.get_running_loop().time() + _SECONDS_TO_SHOW_TOKEN

    @property
    def seconds_left(self) -> float | None:
        """The time left to show the token; None if it was shown."""
        if self.is_known:
            return None
        return max(0.0, self._deadline - asyncio.get_running_loop().time())

    async def deliver(self, response: bytes) -> None:
        """Send a response; TimeoutError if the client does not read it."""
        self.writer.write(response)
        await asyncio.wait_for(self.writer.drain(), _SECONDS_TO_READ)


class Places:
    """The open connections. Strangers, who have not shown the token, may have a part of them."""

    def __init__(self) -> None:
        self._visitors: set[Visitor] = set()
        self._turned_away = 0

    def admit(self, writer: asyncio.StreamWriter, is_known: bool) -> Visitor | None:
        """Give a new connection a place; None if there is none for it."""
        visitor = Visitor(writer, is_known)
        if not self._has_place_for(visitor):
            return None
        self._visitors.add(visitor)
        return visitor

    def _has_place_for(self, visitor: Visitor) -> bool:
        if len(self._visitors) >= _MOST_CONNECTIONS:
            return False
        strangers = [other.address for other in self._visitors if not other.is_known]
        return visitor.is_known or (
            len(strangers) < _MOST_STRANGERS
            and strangers.count(visitor.address) < _MOST_STRANGERS_AN_ADDRESS
        )

    async def release(self, visitor: Visitor) -> None:
        """Close a connection, and free its place when the client has read what was sent."""
        visitor.writer.close()
        try:
            await asyncio.wait_for(visitor.writer.wait_closed(), _SECONDS_TO_READ)
        except (OSError, asyncio.TimeoutError):
            visitor.writer.transport.abort()
        finally:
            self._visitors.discard(visitor)

    async def turn_away(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, response: bytes
    ) -> None:
        """Send a response on a connection without a place, and close it.

        With bytes left unread, the system resets a connection that is closed, and the client may
        lose the response; so read until the client closes, for a moment and for a few at once.
        """
        writer.write(response)
        if self._turned_away < _MOST_TURNED_AWAY:
            self._turned_away += 1
            with suppress(OSError, asyncio.TimeoutError):
                writer.write_eof()
                await asyncio.wait_for(_read_away(reader), _SECONDS_TO_TURN_AWAY)
            self._turned_away -= 1
        writer.close()

    def abort(self) -> None:
        """Abort all connections."""
        for visitor in self._visitors:
            visitor.writer.transport.abort()


async def _read_away(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass
