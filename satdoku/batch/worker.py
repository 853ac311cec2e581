"""A process that answers what comes through a pipe, and the handle by which its parent holds it.

Linux forks: a worker is there in milliseconds, with everything imported. Elsewhere, or when the
parent has threads (a lock that one of them holds would stay locked in the copy), a fresh
interpreter is spawned.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import MutableSequence, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from typing import Any, Generic

from satdoku.batch.ledger import Piece
from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.batch.work import answer_records

# After so long, a worker sends what it has and gives the rest of its piece back.
_SECONDS_A_PIECE = 0.25
SECONDS_TO_DIE = 0.3

# On Linux the buffer of a pipe holds a second piece, which waits there while the first is in work.
# Where it might not fit, parent and worker could wait for each other for ever.
_MOST_PIECES = 2 if sys.platform == "linux" else 1

# Shared with the parent: the piece in work, the index of the record in it, and since when.
_START, _INDEX, _SINCE = range(3)
_IDLE = -1.0


class Worker(Generic[RecordT]):
    """The parent's end: what was sent and is not yet answered, and whether it still lives."""

    def __init__(self, answerer: Answerer[RecordT], siblings: Sequence["Worker[RecordT]"]) -> None:
        method = start_method()
        context: Any = multiprocessing.get_context(method)
        self.pieces: deque[Piece[RecordT]] = deque()
        self._is_fast = False
        self._recalled: Piece[RecordT] | None = None
        self.connection, theirs = context.Pipe()
        their_lifeline, self._lifeline = context.Pipe(duplex=False)
        self._in_work = RawArray("d", [_IDLE, _IDLE, 0.0])
        # A copy that a fork made would keep a pipe open after its owner has gone.
        ours = [end for worker in (*siblings, self) for end in worker.ends]
        self._process = context.Process(
            target=_serve,
            args=(answerer, theirs, their_lifeline, self._in_work, ours * (method == "fork")),
        )
        self._process.start()
        theirs.close()
        their_lifeline.close()

    @property
    def ends(self) -> tuple[Connection, Connection]:
        """What only the parent may hold."""
        return self.connection, self._lifeline

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    @property
    def has_room(self) -> bool:
        """Whether to send it a piece, be it to wait there while another one is in work."""
        return not self.pieces or (self._is_fast and len(self.pieces) < _MOST_PIECES)

    @property
    def index_in_work(self) -> int | None:
        """Which record of its first piece it is at; None between pieces."""
        start, index, _ = self._in_work
        is_known = self.pieces and start == self.pieces[0].start and index != _IDLE
        return int(index) if is_known else None

    @property
    def seconds_in_work(self) -> float:
        """How long it has been at its record."""
        _, index, since = self._in_work
        return 0.0 if index == _IDLE else time.monotonic() - since

    def send(self, piece: Piece[RecordT]) -> None:
        """Hands over a piece; that the worker is dead shows when its answer is awaited."""
        self.pieces.append(piece)
        with suppress(OSError):
            self.connection.send((piece.start, piece.records))

    def receive(self) -> tuple[Piece[RecordT], Sequence[Row], Exception | None] | None:
        """Its first piece with the answer to it; EOFError or OSError when it has died.

        None is an answer that came too late: the piece was recalled and is with another worker.
        """
        rows, error = self.connection.recv()
        piece = self.pieces.popleft()
        self._is_fast = len(rows) == len(piece.records)
        if piece is self._recalled:
            self._recalled = None
            return None
        return piece, rows, error

    def recall(self) -> Piece[RecordT] | None:
        """Takes back the piece that waits behind a record which takes long, once."""
        is_stuck = len(self.pieces) > 1 and self.seconds_in_work > _SECONDS_A_PIECE
        if not is_stuck or self._recalled is not None:
            return None
        self._recalled = self.pieces[-1]
        return self._recalled

    def take_back_all(self) -> list[Piece[RecordT]]:
        """What a dead worker leaves to others."""
        return [piece for piece in self.pieces if piece is not self._recalled]

    def describe_end(self) -> str:
        """How a dead worker died."""
        self._process.join(SECONDS_TO_DIE)
        code = self._process.exitcode
        if code is None:
            return "its process broke off"
        if code < 0:
            return f"its process was killed by {signal.Signals(-code).name}"
        return f"its process ended with exit code {code}"

    def dismiss(self) -> None:
        """Lets a worker go that has nothing to do."""
        self.connection.close()

    def interrupt(self) -> None:
        """Asks for an end; an external solver under it is stopped, its files are removed."""
        with suppress(OSError):
            self._process.terminate()

    def end(self, seconds: float = SECONDS_TO_DIE) -> None:
        """Makes sure that it is gone, with whatever it started; `seconds` are for a good end."""
        self._process.join(max(0.0, seconds))
        if hasattr(os, "killpg"):
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()
        self._process.close()
        for end in self.ends:
            end.close()


def start_method() -> str:
    """How workers come to be on this machine, at this moment."""
    is_safe_to_fork = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe_to_fork else "spawn"


def _serve(
    answerer: Answerer[RecordT],
    connection: Connection,
    lifeline: Connection,
    in_work: MutableSequence[float],
    inherited: Sequence[Connection],
) -> None:
    """What a worker does all its life; it ends when its parent lets go of the pipe."""
    for end in inherited:
        end.close()
    _stand_apart(lifeline)

    def note(index: int) -> None:
        in_work[_SINCE] = time.monotonic()
        in_work[_INDEX] = index

    while True:
        try:
            in_work[_START], records = connection.recv()
        except (EOFError, OSError):
            return
        answer = answer_records(answerer, records, _SECONDS_A_PIECE, note)
        in_work[_INDEX] = _IDLE
        with suppress(OSError):  # the next look at the pipe shows that it is closed
            connection.send(answer)


def _stand_apart(lifeline: Connection) -> None:
    """A group of its own, which Ctrl-C does not reach: the parent decides what it means.

    Nothing is ever sent through the lifeline. When the parent dies, even by SIGKILL, the kernel
    tells the group so with SIGIO, which ends it, however deep in a solver it is.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline.fileno(), fcntl.F_SETOWN, -os.getpid())
        flags = fcntl.fcntl(lifeline.fileno(), fcntl.F_GETFL)
        fcntl.fcntl(lifeline.fileno(), fcntl.F_SETFL, flags | os.O_ASYNC)
