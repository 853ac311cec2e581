"""The server: files of the page, the API by POST and over WebSockets, and who may ask."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from http import HTTPStatus

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
    read_request,
    write_response,
)
from satdoku.serving.messages import PageQuestion, read_question
from satdoku.serving.pool import Job, QuestionPool, preload
from satdoku.serving.sessions import LiveSession, QuestionSession
from satdoku.serving.websocket import ClosedError, WebSocket, accept_key

SOCKET_PATH, ASK_PATH = "/api/v1/socket", "/api/v1/ask"

# A page has one; more come only from programs.
_MOST_CONNECTIONS = 64

# Nothing is loaded from anywhere else, no other page may show this one in a frame, and no text of
# a puzzle could become a script. WebSockets of the own server count as 'self' in new browsers
# only, so each answer names them by its host.
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
    """Listens at a port until it is closed."""

    def __init__(self, access: Access, jobs: int = 0) -> None:
        self._access = access
        self._files = page_files()
        # With only one, all would wait for a new process when it has to be killed.
        most = max(2, jobs or available_processors())
        self._quick = QuestionPool(most, is_slow=False)
        self._slow = QuestionPool(most, is_slow=True)
        self._open: set[asyncio.StreamWriter] = set()
        self._servers: list[asyncio.Server] = []

    async def listen(self, port: int) -> int:
        """Opens the port, 0 for any that is free, and returns its number."""
        server = await asyncio.start_server(
            self._serve, self._access.host, port, limit=LONGEST_HEAD
        )
        self._servers.append(server)
        preload()
        self._quick.start()
        number: int = server.sockets[0].getsockname()[1]
        return number

    async def listen_live(self, port: int, origins: Collection[str]) -> None:
        """Opens the port of the live protocol, for pages of these origins."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            async def answer() -> bool:
                return await self._answer_live(reader, writer, origins)

            await self._keep(writer, answer)

        server = await asyncio.start_server(serve, LOOPBACK[1], port, limit=LONGEST_HEAD)
        self._servers.append(server)

    async def close(self) -> None:
        """Ends connections and workers."""
        for server in self._servers:
            server.close()
        for writer in list(self._open):
            writer.transport.abort()
        for pool in (self._quick, self._slow):
            pool.close()

    def pool_for(self, question: PageQuestion) -> QuestionPool:
        """The workers for a question."""
        return self._slow if question.is_slow else self._quick

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._keep(writer, lambda: self._answer_next(reader, writer))

    async def _keep(
        self, writer: asyncio.StreamWriter, answer_next: Callable[[], Awaitable[bool]]
    ) -> None:
        """Answers until the connection ends."""
        if len(self._open) >= _MOST_CONNECTIONS:
            # Without an answer: who opens so many reads none.
            writer.transport.abort()
            return
        self._open.add(writer)
        try:
            while await answer_next():
                pass
        except (OSError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer_next(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answers one request; False where the connection ends with it."""
        try:
            request = await read_request(reader)
            if request is None:
                return False
            self._access.require(request)
            if request.path == SOCKET_PATH:
                await self._open_socket(request, reader, writer)
                return False
            response = await self._respond(request)
        except RefusedError as refused:
            await refuse(writer, refused)
            return False
        writer.write(response)
        await writer.drain()
        return request.headers.get("connection", "").lower() != "close"

    async def _respond(self, request: HttpRequest) -> bytes:
        if request.path == ASK_PATH:
            return await self._post(request)
        file = self._files.get(request.path)
        if file is None:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        if request.method not in ("GET", "HEAD"):
            raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "this page can only be read")
        return self._file_response(request, file)

    def _file_response(self, request: HttpRequest, file: File) -> bytes:
        headers = {
            "Content-Type": file.kind,
            "ETag": file.tag,
            "Cache-Control": "no-cache",
            "Content-Security-Policy": _POLICY.format(host=request.headers["host"]),
            **_HEADERS,
        }
        if request.headers.get("if-none-match") == file.tag:
            return write_response(HTTPStatus.NOT_MODIFIED, headers)
        return write_response(HTTPStatus.OK, headers, file.content, request.method == "GET")

    async def _post(self, request: HttpRequest) -> bytes:
        if request.method != "POST":
            raise RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "questions are sent by POST")
        # Another site's page cannot send this kind without asking, and nobody answers that.
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is application/json")
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self._access.is_token(token):
            raise RefusedError(HTTPStatus.UNAUTHORIZED, "this server wants its token")
        parts: list[str] = []
        ended = asyncio.Event()

        def hear(text: str, is_last: bool) -> None:
            parts.append(text)
            if is_last:
                ended.set()

        try:
            question = read_question(request.body.decode())
        except (SatdokuError, UnicodeDecodeError) as error:
            raise RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from None
        job = Job(question, hear)
        self.pool_for(question).ask(job)
        # Who hangs up cancels this, and nobody works for them any longer.
        try:
            await ended.wait()
        finally:
            self.pool_for(question).recall(job)
        body = f'{{"parts":[{",".join(parts)}]}}'.encode()
        return write_response(HTTPStatus.OK, {"Content-Type": "application/json", **_HEADERS}, body)

    async def _open_socket(
        self, request: HttpRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(upgrade(request))
        socket = WebSocket(reader, writer)
        await _converse(socket, QuestionSession(socket, self.pool_for, self._access.is_token))

    async def _answer_live(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        origins: Collection[str],
    ) -> bool:
        try:
            request = await read_request(reader)
            if request is not None:
                self._access.require(request, origins)
                writer.write(upgrade(request))
                socket = WebSocket(reader, writer)
                await _converse(socket, LiveSession(socket, self.pool_for))
        except RefusedError as refused:
            await refuse(writer, refused)
        return False


async def _converse(socket: WebSocket, session: QuestionSession | LiveSession) -> None:
    """Hears what a client asks until it leaves."""
    try:
        while True:
            session.take(await socket.receive())
    except ClosedError:
        pass
    finally:
        session.close()


async def refuse(writer: asyncio.StreamWriter, refused: RefusedError) -> None:
    """Answers with a status and a sentence alone."""
    body = json.dumps({"error": str(refused)}).encode()
    kind = {"Content-Type": "application/json", "Connection": "close", **_HEADERS}
    writer.write(write_response(refused.status, kind, body))
    await writer.drain()


def upgrade(request: HttpRequest) -> bytes:
    """The answer to the handshake of a WebSocket."""
    headers: Mapping[str, str] = request.headers
    if not request.is_upgrade or headers.get("sec-websocket-version") != "13":
        raise RefusedError(HTTPStatus.UPGRADE_REQUIRED, "this address is for WebSockets")
    answer = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": accept_key(headers.get("sec-websocket-key", "")),
    }
    return write_response(HTTPStatus.SWITCHING_PROTOCOLS, answer)
