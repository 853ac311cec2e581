"""A long call of python-sat in a thread, while this one keeps limits and hears Ctrl-C.

python-sat gives the interpreter free during a call that expects to be interrupted.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import TypeVar

from satdoku.solving.limits import Budget
from satdoku.solving.pysat_private import ctrl_c_left_alone

T = TypeVar("T")

# How long the call goes on after Ctrl-C or a limit, at most: nobody notices it.
_SECONDS_BETWEEN_LOOKS = 0.02


def run_beside(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """Returns what the call returns; when the budget ends first, calls `interrupt` and raises
    LimitReachedError.
    """
    results: list[T] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            with ctrl_c_left_alone():
                results.append(call())
        except Exception as error:  # raised again by the thread that waits
            errors.append(error)
        finally:
            is_over.set()

    # An event, and not Thread.join: when Ctrl-C ends a join, Python 3.11 believes that the thread
    # has ended though it still runs.
    is_over = Event()
    Thread(target=work, name="solver").start()
    try:
        while not is_over.wait(_SECONDS_BETWEEN_LOOKS):
            if budget.can_end_early:
                budget.require()
    finally:
        if not is_over.is_set():
            interrupt()
        # Whoever comes next may take the solver apart, so Ctrl-C once more has to wait.
        while not is_over.is_set():
            with suppress(KeyboardInterrupt):
                is_over.wait()
    if errors:
        raise errors[0]
    return results[0]
