"""Child processes: how they are started, and how they are ended with their parent.

Linux forks: a child starts in milliseconds, with everything imported. On other systems, or if the
parent has threads (a lock held by one of them would stay locked in the copy), a fresh interpreter
is spawned.

A process that nobody can watch from outside has a `deadline`: it ends itself when it hangs.
"""

import faulthandler
import multiprocessing
import os
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing import spawn
from multiprocessing.connection import Connection
from typing import Any

from satdoku.errors import SolverError
from satdoku.signals import release_signals, signals_held

# Time for a process to end when asked to; it only has files to remove.
_SECONDS_TO_DIE = 1.0

# Bytes to ask for as the buffer of a pipe: more than most systems allow.
_WIDE = 1 << 20

# This lock is held while a child starts, since starting changes global state.
_starting = threading.Lock()

# The deadline of each thread, and the lock for changing it.
_ends: dict[int, float] = {}
_lock = threading.Lock()

_null: int | None = None

LONGEST_WAIT = 1_000_000.0
"""The longest time, in seconds, that every system supports."""


class Child:
    """The parent's end of a child process with a pipe to it.

    `target` is called in the child with the other end of the pipe and with `args`. The child is in
    its own process group, which Ctrl-C does not reach: the parent decides what to do. A daemon is
    killed when the parent's interpreter ends, and must not start processes. `method` overrides
    `start_method`.
    """

    def __init__(
        self,
        target: Callable[..., None],
        args: Sequence[Any],
        siblings: Sequence["Child"],
        is_daemon: bool,
        method: str = "",
    ) -> None:
        if multiprocessing.current_process().daemon:
            raise SolverError(
                "this needs another process, which a daemonic process may not start "
                "(a worker of Dask or of a multiprocessing.Pool is one)"
            )
        method = method or start_method()
        context: Any = multiprocessing.get_context(method)
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        # No data is sent through the lifeline; its closing is the message.
        their_lifeline, self._lifeline = context.Pipe(duplex=False)
        # The child closes these ends: its copies would keep pipes open after their owners have
        # ended.
        ours = [end for child in (*siblings, self) for end in child._ends]
        args = (theirs, their_lifeline, ours * (method == "fork"), target, args)

        def new_process(context: Any) -> Any:
            return context.Process(target=_live, args=args, daemon=is_daemon)

        self.process = new_process(context)
        # A forked child imports nothing, so it needs no `_without_main`, whose lock it would
        # inherit as taken: it could never start a child itself.
        imports = nullcontext() if method == "fork" else _without_main(lambda: self.process.name)
        with signals_held(), imports:
            try:
                self.process.start()
            except OSError:
                if method != "forkserver":
                    raise
                # Its socket is gone with a cleaned temporary folder.
                self.process = new_process(multiprocessing.get_context("spawn"))
                self.process.start()
        theirs.close()
        their_lifeline.close()

    def stop(self) -> None:
        """End the child now; it is asked first, so that it can remove its files."""
        self.process.terminate()
        self.end(_SECONDS_TO_DIE)

    def end(self, seconds: float) -> None:
        """Make sure that the child and its group have ended, by force after `seconds`."""
        self.process.join(max(0.0, seconds))
        kill_group(self.process.pid)
        self.process.kill()
        self.process.join()
        self.process.close()
        for end in self._ends:
            end.close()

    @property
    def _ends(self) -> tuple[Connection, Connection]:
        """Return the ends of pipes that only the parent may hold."""
        return self.connection, self._lifeline


def map_in_children(calls: Sequence[Callable[[], Any]], count: int) -> list[Any]:
    """Return the result of each call; up to `count` processes make the calls.

    Calls of a process that cannot be started, dies or meets an error are made here. No call may
    return None.
    """
    found: list[Any] = [None] * len(calls)
    children: list[Child] = []
    count = min(count, len(calls))
    try:
        with suppress(OSError):
            for number in range(count if count > 1 else 0):
                children.append(Child(_make, (calls[number::count],), children, True))
        for number, child in enumerate(children):
            with suppress(EOFError, OSError):
                found[number::count] = child.connection.recv()
    finally:
        for child in children:
            child.stop()
    return [call() if each is None else each for call, each in zip(calls, found, strict=True)]


def _make(connection: Connection, calls: Sequence[Callable[[], Any]]) -> None:
    """Make the calls in a child, and send their results, or nothing after an error."""
    with suppress(Exception):
        connection.send([call() for call in calls])


def may_fork() -> bool:
    """Whether this process is not a child of ours, and its own children are forked."""
    return multiprocessing.parent_process() is None and start_method() == "fork"


def start_method() -> str:
    """Return how children can be started safely now: by fork, or by spawn beside other threads."""
    is_safe_to_fork = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe_to_fork else "spawn"


def widen(connection: Connection) -> int:
    """Enlarge the buffer of a pipe; return how much a sender may leave unread (0 if unknown)."""
    if sys.platform != "linux":
        return 0
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WIDE)
        # Linux counts its own overhead in the size, so only half of it is for data.
        return end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) // 2


def end_with(lifeline: int) -> None:
    """Let the kernel end this process and its group when the other end of a pipe closes.

    The pipe closes when its owner dies, even by SIGKILL; then SIGIO ends the group, even inside a
    solver.
    """
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)


def kill_group(leader: int) -> None:
    """End all processes in the group of a process, whether or not it still exists itself."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)


def kill_readers(pipe: int) -> None:
    """End all other processes that can read from a pipe, given by its inode; on Linux only.

    A process inherits the pipes of its parent, and few programs close unknown ones. So this finds
    what a program started even if that has left its group and its parent has died. Copies of this
    process that are no readers, such as forked workers, are left alone.
    """
    if sys.platform != "linux":
        return
    ours = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != ours:
            with suppress(OSError):
                # The handle keeps a reused process number from being mistaken.
                process = os.pidfd_open(int(name))
                try:
                    if _reads(name, pipe):
                        signal.pidfd_send_signal(process, signal.SIGKILL)
                finally:
                    os.close(process)


def _reads(process: str, pipe: int) -> bool:
    """Whether a process has the readable end of a pipe open."""
    folder = f"/proc/{process}/fd"
    for name in os.listdir(folder):
        with suppress(OSError):
            is_pipe = os.readlink(f"{folder}/{name}") == f"pipe:[{pipe}]"
            if is_pipe and os.lstat(f"{folder}/{name}").st_mode & stat.S_IRUSR:
                return True
    return False


def seconds_of_runner(process: int | None) -> float | None:
    """Return the processor time of a process that runs, or waits for a processor.

    None if the process waits for something else, such as a child process, or is unknown.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stream:
            # The program name, in brackets, may contain spaces and brackets.
            fields = stream.read().rpartition(")")[2].split()
        state, user, system = fields[0], int(fields[11]), int(fields[12])
        return (user + system) / os.sysconf("SC_CLK_TCK") if state == "R" else None
    except (OSError, IndexError, ValueError):
        return None


def at_most(seconds: float | None) -> float | None:
    """Return a time to wait, limited to what systems support."""
    return None if seconds is None else max(0.0, min(seconds, LONGEST_WAIT))


@contextmanager
def _without_main(name: Callable[[], str]) -> Iterator[None]:
    """Let the child of that name start without importing the main program of its parent.

    A spawned child would import it, and a script without `if __name__ == "__main__"` would repeat
    all its work there, and fail. Our children do not need it. Other processes of a program that
    uses satdoku as a library start as usual, also in another thread at this moment.
    """
    module: Any = spawn
    with _starting:
        prepare: Callable[[str], dict[str, Any]] = module.get_preparation_data

        def prepare_ours(of: str) -> dict[str, Any]:
            found = prepare(of)
            if of == name():
                for key in ("init_main_from_name", "init_main_from_path"):
                    found.pop(key, None)
            return found

        module.get_preparation_data = prepare_ours
        try:
            yield
        finally:
            module.get_preparation_data = prepare


def _live(
    connection: Connection,
    lifeline: Connection,
    inherited: Sequence[Connection],
    target: Callable[..., None],
    args: Sequence[Any],
) -> None:
    """Run a child: close inherited pipes, then call its target."""
    for end in inherited:
        end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    end_with(lifeline.fileno())
    release_signals()
    target(connection, *args)


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """End this process if the block takes longer than `seconds`; several threads may use it.

    The standard library's fault handler waits in a thread that does not need the interpreter, so it
    works even while a solver does not return.
    """
    if seconds is None:
        yield
        return
    thread = threading.get_ident()
    with _lock:
        _ends[thread] = time.monotonic() + seconds
        _arm()
    try:
        yield
    finally:
        with _lock:
            del _ends[thread]
            _arm()


def _arm() -> None:
    """Set the only alarm of the process to the earliest deadline of all threads."""
    if not _ends:
        faulthandler.cancel_dump_traceback_later()
        return
    seconds = max(0.001, min(LONGEST_WAIT, min(_ends.values()) - time.monotonic()))
    # Discard the stacks of the threads, which would be noise in the log of a cluster.
    faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())


def _nowhere() -> int:
    global _null
    if _null is None:
        _null = os.open(os.devnull, os.O_WRONLY)
    return _null
