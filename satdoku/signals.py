"""Signals that end a program, blocked while something must not be cut in two."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

# A child has them blocked until it has its own handlers, as it would inherit its parent's. Windows
# has no SIGHUP.
_HELD = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


@contextmanager
def signals_held() -> Iterator[None]:
    """Block signals that end a program until the end of the block, or until `release_signals`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release_signals() -> None:
    """Unblock these signals in this thread."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)
