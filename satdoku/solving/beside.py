"""A long call of python-sat in a thread, while this one keeps limits and hears Ctrl-C.

python-sat gives the interpreter free during a call that expects to be interrupted. It answers
Ctrl-C in the main thread alone, so in another one it does not.
"""

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

from satdoku.solving.limits import Budget

T = TypeVar("T")

# How long the call goes on after Ctrl-C or a limit, at most: nobody notices it.
_SECONDS_BETWEEN_LOOKS = 0.02


def run_beside(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """What the call returns; `interrupt` ends it where the budget does, by LimitReachedError."""
    results: list[T] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            results.append(call())
        except Exception as error:  # raised again by the thread that waits
            errors.append(error)

    thread = Thread(target=work, name="solver")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_SECONDS_BETWEEN_LOOKS)
            if thread.is_alive() and budget.can_end_early:
                budget.require()
    finally:
        if thread.is_alive():
            interrupt()
            thread.join()
    if errors:
        raise errors[0]
    return results[0]
