"""The server: files of the page, the API by POST and over WebSockets, and access control."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from satdoku.batch.run import available_processors
from satdoku.errors import SatdokuError
from satdoku.serving.http import (
    LONGEST_HEAD,
    LOOPBACK,
    Access,
    File,
    HttpRequest,
    RefusedError,
    page_files,
    read_body,
    read_head,
    write_response,
)
from satdoku.serving.messages import LONGEST_ID, MOST_SECONDS, PageQuestion, read_question
from satdoku.serving.pool import Job, QuestionPool, preload
from satdoku.serving.websocket import NO_TOKEN, ClosedError, WebSocket, accept_key

# Limits on open connections: their number, and their time without the token.

# Most open connections. A page has one; only programs open more.
_MOST_CONNECTIONS = 64
# Most connections without the token; the other places are reserved for clients that have shown it.
_MOST_STRANGERS = 48
# Most connections without the token per address. A browser opens six to load a page, and sometimes
# two more in advance.
_MOST_STRANGERS_AN_ADDRESS = 16
# The time to show the token: a page sends it in its first message, a program in the head of its
# request.
_SECONDS_TO_SHOW_TOKEN = 5.0
# How long a client may take to read an answer, or to read the rest when a connection closes.
_SECONDS_TO_READ = 20.0
# How many refused connections may wait until their response is read, and for how long.
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
        """Return the time left to show the token; None if it was shown."""
        if self.is_known:
            return None
        return max(0.0, self._deadline - asyncio.get_running_loop().time())

    async def deliver(self, response: bytes) -> None:
        """Send a response; raise TimeoutError if the client does not read it in time."""
        self.writer.write(response)
        await asyncio.wait_for(self.writer.drain(), _SECONDS_TO_READ)


class Places:
    """The places of open connections. Strangers (clients without the token) may use only some of
    them.
    """

    def __init__(self) -> None:
        self._visitors: set[Visitor] = set()
        self._turned_away = 0

    def admit(self, writer: asyncio.StreamWriter, is_known: bool) -> Visitor | None:
        """Give a new connection a place; None if no place is free for it."""
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
        """Close a connection, and free its place once the client has read the response."""
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

        If bytes are left unread, the system resets a closed connection, and the client may lose the
        response. So the server reads until the client closes, for a short time and for a few
        clients at once.
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


# Sessions: the questions that arrive over WebSockets, of the API or of the live protocol.

LIVE_PORT = 4545
"""The port on which editors look for a solver."""

LIVE_ORIGINS = frozenset({"https://f-puzzles.com", "https://www.f-puzzles.com"})
"""The origins that may connect there; `--origin` adds others."""

# Commands that are sent after every change of a board.
_QUICK = frozenset({"check", "solve", "truecandidates"})


class QuestionSession:
    """The questions of one connection: the latest one of each lane."""

    def __init__(self, socket: WebSocket, pool_for: Callable[[PageQuestion], QuestionPool]) -> None:
        self._socket = socket
        self._pool_for = pool_for
        self._jobs: dict[str, Job] = {}

    def take(self, text: str) -> None:
        """Ask the question in a message, and cancel the earlier question in its lane."""
        try:
            question = read_question(text)
        except SatdokuError as error:
            self._socket.send(json.dumps({"id": 0, "error": str(error), "done": True}))
            return
        self._end(question.lane)
        # The flag for the last part is not needed, as the part itself contains it.
        job = Job(question, lambda part, _: self._socket.send(part))
        self._jobs[question.lane] = job
        self._pool_for(question).ask(job)

    def close(self) -> None:
        """Cancel all questions."""
        for lane in list(self._jobs):
            self._end(lane)

    def _end(self, lane: str) -> None:
        job = self._jobs.pop(lane, None)
        if job is not None:
            self._pool_for(job.question).recall(job)


class LiveSession:
    """The latest question of a connection; each question cancels the one before it."""

    def __init__(self, socket: WebSocket, pool_for: Callable[[PageQuestion], QuestionPool]) -> None:
        self._socket = socket
        self._pool_for = pool_for
        self._job: Job | None = None

    def take(self, text: str) -> None:
        """Ask the question in a message; unknown ones get no reply, as the protocol requires."""
        try:
            message: Any = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict) or not _is_nonce(message.get("nonce")):
            return
        nonce: int = message["nonce"]
        self.close()
        if message.get("command") == "cancel":
            self._send(nonce, {"type": "canceled"})
        elif message.get("dataType") == "fpuzzles":
            self._ask(nonce, message)

    def close(self) -> None:
        """Cancel the current question."""
        job, self._job = self._job, None
        if job is not None:
            self._pool_for(job.question).recall(job)
            self._send(job.question.id, {"type": "canceled"})

    def _ask(self, nonce: int, message: dict[str, Any]) -> None:
        asked = {**message, "ask": "live", "seconds": MOST_SECONDS}
        is_quick = message.get("command") in _QUICK
        # The name "look" selects the workers of quick questions.
        kind = "look" if is_quick else "live"
        question = PageQuestion(nonce, "live", kind, MOST_SECONDS, json.dumps(asked))

        def hear(text: str, _: bool) -> None:
            part = json.loads(text)
            # The answer is complete, so nothing is left to cancel, though the worker may be busy
            # for a moment.
            if self._job is job and not part.get("reply", {}).get("inProgress"):
                self._job = None
            if "reply" in part:
                self._send(nonce, part["reply"])
            elif "error" in part or "undecided" in part:
                reason = part.get("error") or f"undecided: {part['undecided']}"
                self._send(nonce, {"type": "invalid", "message": reason})

        job = self._job = Job(question, hear)
        self._pool_for(question).ask(job)

    def _send(self, nonce: int, reply: dict[str, Any]) -> None:
        self._socket.send(json.dumps({"nonce": nonce, **reply}))


def _is_nonce(value: object) -> bool:
    return type(value) is int and 0 <= value < LONGEST_ID


SOCKET_PATH, ASK_PATH = "/api/v1/socket", "/api/v1/ask"

_NO_TOKEN = "this server requires its token"

# The page loads nothing from other origins, no other page may frame it, and no text of a puzzle can
# become a script. Only newer browsers include WebSockets of the same server in 'self', so each
# response names them by host.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self' ws://{host}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Server:
    """Listens on a port until it is closed."""

    def __init__(self, access: Access, jobs: int = 0) -> None:
        self._access = access
        self._files = page_files()
        # At least two: with a single worker, everybody would wait for a new process after a kill.
        most = max(2, jobs or available_processors())
        self._quick = QuestionPool(most, is_slow=False)
        self._slow = QuestionPool(most, is_slow=True)
        self._places = Places()
        self._servers: list[asyncio.Server] = []

    async def listen(self, port: int) -> int:
        """Open the port (0 for any that is free) and return its number."""
        server = await asyncio.start_server(
            self._serve, self._access.host, port, limit=LONGEST_HEAD
        )
        self._servers.append(server)
        preload()
        self._quick.start()
        number: int = server.sockets[0].getsockname()[1]
        return number

    async def listen_live(self, port: int, origins: Collection[str]) -> None:
        """Open the port of the live protocol for pages of these origins."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # The port is reachable from this machine only, and the protocol has no token.
            await self._keep(
                reader, writer, True, lambda guest: self._answer_live(reader, guest, origins)
            )

        server = await asyncio.start_server(serve, LOOPBACK[1], port, limit=LONGEST_HEAD)
        self._servers.append(server)

    async def close(self) -> None:
        """Close connections and end workers."""
        for server in self._servers:
            server.close()
        self._places.abort()
        for pool in (self._quick, self._slow):
            pool.close()

    def pool_for(self, question: PageQuestion) -> QuestionPool:
        """Return the pool of workers for a question."""
        return self._slow if question.is_slow else self._quick

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_known = self._access.is_token("")
        await self._keep(reader, writer, is_known, lambda guest: self._answer_next(reader, guest))

    async def _keep(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        is_known: bool,
        answer_next: Callable[[Visitor], Awaitable[bool]],
    ) -> None:
        """Answer requests until the connection ends.

        When the server ends, it cancels this task. The task then returns normally: otherwise
        asyncio would print a traceback for each connection, and a full pipe would keep the process
        from ending.
        """
        with suppress(asyncio.CancelledError):
            visitor = self._places.admit(writer, is_known)
            if visitor is None:
                full = RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections are open")
                await self._places.turn_away(reader, writer, refusal(full))
                return
            try:
                while await answer_next(visitor):
                    pass
            except (EOFError, OSError, asyncio.TimeoutError, asyncio.CancelledError):
                pass
            finally:
                await self._places.release(visitor)

    async def _answer_next(self, reader: asyncio.StreamReader, visitor: Visitor) -> bool:
        """Answer one request; return whether another request may follow on the connection."""
        try:
            request = await asyncio.wait_for(read_head(reader), visitor.seconds_left)
            if request is None:
                return False
            self._access.require(request)
            visitor.is_known = visitor.is_known or self._access.is_token(request.token)
            body = await asyncio.wait_for(read_body(reader, request), visitor.seconds_left)
            if request.path == SOCKET_PATH:
                await self._open_socket(request, reader, visitor)
                return False
            response = await self._respond(request, body, visitor.is_known)
        except RefusedError as refused:
            await visitor.deliver(refusal(refused))
            return False
        await visitor.deliver(response)
        # A stranger gets one request per connection, so that no connection stays open in between.
        return visitor.is_known and request.keeps_connection

    async def _respond(self, request: HttpRequest, body: bytes, is_known: bool) -> bytes:
        if request.path == ASK_PATH:
            return await self._post(request, body, is_known)
        file = self._files.get(request.path)
        if file is None:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        if request.method not in ("GET", "HEAD"):
            raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "this page can only be read")
        return self._file_response(request, file, is_known)

    def _file_response(self, request: HttpRequest, file: File, is_known: bool) -> bytes:
        headers = {
            "Content-Type": file.kind,
            "ETag": file.tag,
            "Cache-Control": "no-cache",
            "Vary": "Accept-Encoding",
            "Content-Security-Policy": _POLICY.format(host=request.host),
            **({} if is_known else {"Connection": "close"}),
            **_HEADERS,
        }
        if request.headers.get("if-none-match") == file.tag:
            return write_response(HTTPStatus.NOT_MODIFIED, headers)
        content = file.content
        if request.takes_gzip:
            headers["Content-Encoding"] = "gzip"
            content = file.packed
        return write_response(HTTPStatus.OK, headers, content, request.method == "GET")

    async def _post(self, request: HttpRequest, body: bytes, is_known: bool) -> bytes:
        if request.method != "POST":
            raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "questions are sent by POST")
        # Pages of other origins cannot send this type without a preflight, which the server never
        # answers.
        if request.media_type != "application/json":
            raise RefusedError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question must be application/json"
            )
        if not is_known:
            raise RefusedError(HTTPStatus.UNAUTHORIZED, _NO_TOKEN)
        parts: list[str] = []
        ended = asyncio.Event()

        def hear(text: str, is_last: bool) -> None:
            parts.append(text)
            if is_last:
                ended.set()

        try:
            question = read_question(body.decode())
        except (SatdokuError, UnicodeDecodeError) as error:
            raise RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from None
        job = Job(question, hear)
        self.pool_for(question).ask(job)
        # Only the end of the server cancels this task: it notices that the client has gone when it
        # sends the answer, so the question runs to the end of its time.
        try:
            await ended.wait()
        finally:
            self.pool_for(question).recall(job)
        answer = f'{{"parts":[{",".join(parts)}]}}'.encode()
        kind = {"Content-Type": "application/json", **_HEADERS}
        return write_response(HTTPStatus.OK, kind, answer)

    async def _open_socket(
        self, request: HttpRequest, reader: asyncio.StreamReader, visitor: Visitor
    ) -> None:
        visitor.writer.write(upgrade(request))
        socket = WebSocket(reader, visitor.writer)
        if not visitor.is_known and not await self._hear_token(socket, visitor.seconds_left):
            return
        visitor.is_known = True
        await _converse(socket, QuestionSession(socket, self.pool_for))

    async def _hear_token(self, socket: WebSocket, seconds: float | None) -> bool:
        """Return whether a client sends the token within this time."""

        async def hear() -> None:
            while not self._access.is_token(await socket.receive()):
                socket.send(json.dumps({"id": 0, "error": _NO_TOKEN, "done": True}))

        try:
            await asyncio.wait_for(hear(), seconds)
        except asyncio.TimeoutError:
            await socket.close(NO_TOKEN)
            return False
        except ClosedError:
            return False
        return True

    async def _answer_live(
        self, reader: asyncio.StreamReader, visitor: Visitor, origins: Collection[str]
    ) -> bool:
        try:
            request = await read_head(reader)
            if request is not None:
                self._access.require(request, origins)
                visitor.writer.write(upgrade(request))
                socket = WebSocket(reader, visitor.writer)
                await _converse(socket, LiveSession(socket, self.pool_for))
        except RefusedError as refused:
            await visitor.deliver(refusal(refused))
        return False


async def _converse(socket: WebSocket, session: QuestionSession | LiveSession) -> None:
    """Answer the questions of a client until it disconnects."""
    socket.trust()
    try:
        while True:
            session.take(await socket.receive())
    except ClosedError:
        pass
    finally:
        session.close()


def refusal(refused: RefusedError) -> bytes:
    """Return a response with a status and a sentence, which ends the connection."""
    body = json.dumps({"error": str(refused)}).encode()
    kind = {"Content-Type": "application/json", "Connection": "close", **_HEADERS}
    return write_response(refused.status, kind, body)


def upgrade(request: HttpRequest) -> bytes:
    """Return the answer to the handshake of a WebSocket."""
    if not request.is_upgrade:
        raise RefusedError(HTTPStatus.UPGRADE_REQUIRED, "this address is for WebSockets")
    answer = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": accept_key(request.headers["sec-websocket-key"]),
    }
    return write_response(HTTPStatus.SWITCHING_PROTOCOLS, answer)
