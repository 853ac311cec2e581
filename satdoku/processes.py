"""Processes that we start: how they come to be, and that none of them outlives us.

Linux forks: a child is there in milliseconds, with everything imported. Elsewhere, or when the
parent has threads (a lock that one of them holds would stay locked in the copy), a fresh
interpreter is spawned.

A process that nobody can watch from outside has a last resort, `deadline`: it ends itself when it
hangs.
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

# Until a child has handlers of its own, these would meet its parent's there.
# Windows has no SIGHUP.
_HELD = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}

# How long a process that was asked to end may take; it only has files to remove.
_SECONDS_TO_DIE = 1.0

# More than most systems allow.
_WIDE = 1 << 20

# Held while a child starts: one at a time may change how it does.
_starting = threading.Lock()

# When each thread that has a deadline ends this process, and what is held to change that.
_ends: dict[int, float] = {}
_lock = threading.Lock()

_null: int | None = None

LONGEST_WAIT = 1_000_000.0
"""Seconds that every system can count."""


class Child:
    """A process with a pipe to it: the parent's end.

    `target` is called there with the other end of the pipe and with `args`. The child is in a
    group of its own, which Ctrl-C does not reach: the parent decides what it means. A daemon is
    killed when the parent's interpreter ends, and may start no processes. `method` is how it comes
    to be, where the parent knows better than `start_method`.
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
                "this needs a process of its own, which a daemonic one may not start "
                "(a worker of Dask or of a multiprocessing.Pool is one)"
            )
        method = method or start_method()
        context: Any = multiprocessing.get_context(method)
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        # Nothing is ever sent through it; that it closes is the message.
        their_lifeline, self._lifeline = context.Pipe(duplex=False)
        # A copy that a fork made would keep a pipe open after its owner has gone.
        ours = [end for child in (*siblings, self) for end in child._ends]
        self.process = context.Process(
            target=_live,
            args=(theirs, their_lifeline, ours * (method == "fork"), target, args),
            daemon=is_daemon,
        )
        # A forked child imports nothing. It would have the lock of `_without_main` as it is at this
        # moment, taken, and could never start a child itself.
        imports = nullcontext() if method == "fork" else _without_main(self.process.name)
        with signals_held(), imports:
            self.process.start()
        theirs.close()
        their_lifeline.close()

    def stop(self) -> None:
        """Ends it now: it is asked first, so that it can remove its files."""
        self.process.terminate()
        self.end(_SECONDS_TO_DIE)

    def end(self, seconds: float) -> None:
        """Makes sure that it is gone, with its group; `seconds` are for a good end."""
        self.process.join(max(0.0, seconds))
        kill_group(self.process.pid)
        self.process.kill()
        self.process.join()
        self.process.close()
        for end in self._ends:
            end.close()

    @property
    def _ends(self) -> tuple[Connection, Connection]:
        """What only the parent may hold."""
        return self.connection, self._lifeline


def may_fork() -> bool:
    """Whether this process was not started by another one of ours, and its children are forked."""
    return multiprocessing.parent_process() is None and start_method() == "fork"


def start_method() -> str:
    """How children come to be on this machine, at this moment."""
    is_safe_to_fork = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe_to_fork else "spawn"


def widen(connection: Connection) -> int:
    """Has a pipe hold more, and says what a sender may leave in it unread; nothing if not sure."""
    if sys.platform != "linux":
        return 0
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WIDE)
        # Linux counts what it needs for its books too.
        return end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) // 2


def end_with(lifeline: int) -> None:
    """Has the kernel end this process and its group when the other end of a pipe closes.

    It closes when its owner dies, even by SIGKILL; SIGIO ends the group, however deep in a solver
    it is.
    """
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)


def kill_group(leader: int) -> None:
    """Ends what a process started in its group, whether or not it is still there itself."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)


def kill_readers(pipe: int) -> None:
    """Ends all other processes that can read from a pipe, told by its inode; on Linux only.

    A process inherits the pipes of its parent, and few programs close those that they do not know.
    So this finds what a program started even when it has left its group and its parent has died.
    Copies of ourselves that are no readers, such as workers that were forked, are left alone.
    """
    if sys.platform != "linux":
        return
    ours = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != ours:
            with suppress(OSError):
                # Held by this, a number that another process gets meanwhile is not mistaken.
                process = os.pidfd_open(int(name))
                try:
                    if _reads(name, pipe):
                        signal.pidfd_send_signal(process, signal.SIGKILL)
                finally:
                    os.close(process)


def _reads(process: str, pipe: int) -> bool:
    """Whether a process has the end of a pipe open that can be read."""
    folder = f"/proc/{process}/fd"
    for name in os.listdir(folder):
        with suppress(OSError):
            is_pipe = os.readlink(f"{folder}/{name}") == f"pipe:[{pipe}]"
            if is_pipe and os.lstat(f"{folder}/{name}").st_mode & stat.S_IRUSR:
                return True
    return False


def seconds_of_runner(process: int | None) -> float | None:
    """Return the processor time of a process that runs, or waits for a processor to run on.

    None if it waits for something else, such as a child process, and where nobody knows.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stream:
            # The name of the program, in brackets, may have spaces and brackets in it.
            fields = stream.read().rpartition(")")[2].split()
        state, user, system = fields[0], int(fields[11]), int(fields[12])
        return (user + system) / os.sysconf("SC_CLK_TCK") if state == "R" else None
    except (OSError, IndexError, ValueError):
        return None


def at_most(seconds: float | None) -> float | None:
    """A time to wait, cut to what systems can count."""
    return None if seconds is None else max(0.0, min(seconds, LONGEST_WAIT))


@contextmanager
def _without_main(name: str) -> Iterator[None]:
    """Has the child of that name start without importing the main program of its parent.

    A spawned child would import it, and a script without `if __name__ == "__main__"` would do all
    its work again there, and fail. Nothing that our children do needs it. The other processes of
    whoever uses us as a library start as ever, also in another thread at this moment.
    """
    module: Any = spawn
    with _starting:
        prepare: Callable[[str], dict[str, Any]] = module.get_preparation_data

        def prepare_ours(of: str) -> dict[str, Any]:
            found = prepare(of)
            if of == name:
                for key in ("init_main_from_name", "init_main_from_path"):
                    found.pop(key, None)
            return found

        module.get_preparation_data = prepare_ours
        try:
            yield
        finally:
            module.get_preparation_data = prepare


@contextmanager
def signals_held() -> Iterator[None]:
    """Signals that end a program wait for the end of the block, or until `release_signals`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_signals() -> None:
    """Those that are held reach this thread from here on."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)


def _live(
    connection: Connection,
    lifeline: Connection,
    inherited: Sequence[Connection],
    target: Callable[..., None],
    args: Sequence[Any],
) -> None:
    """What a child does all its life."""
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
    """Ends this process if the block takes longer than `seconds`; several threads may use it.

    The standard library's fault handler waits in a thread that needs nothing of the interpreter, so
    it works even while a solver does not return.
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
    """Sets the only alarm that there is to the earliest deadline of all threads."""
    if not _ends:
        faulthandler.cancel_dump_traceback_later()
        return
    seconds = max(0.001, min(LONGEST_WAIT, min(_ends.values()) - time.monotonic()))
    # Where the threads stood would be noise in the log of a cluster.
    faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())


def _nowhere() -> int:
    global _null
    if _null is None:
        _null = os.open(os.devnull, os.O_WRONLY)
    return _null
