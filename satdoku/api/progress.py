"""How far a long call has come, told to whoever embeds it."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

T = TypeVar("T")

# A person reads no faster, and a page need not be drawn more often.
_SECONDS_BETWEEN = 0.1


class Progress(NamedTuple):
    """How many puzzles are answered or made, of how many where that is known, and since when.

    Of `count` it is how many solutions are counted; of `minimize`, how many givens are tested. Of
    `minimize` with `fewest` both are bounds: no fewer than `done` givens are enough, and `total`
    are. They come closer until they are equal, or time ends.
    """

    done: int
    total: int | None
    seconds: float


class Reporter:
    """Calls back now and then, and at the end; does nothing without a callback."""

    def __init__(self, callback: Callable[[Progress], object] | None, total: int | None) -> None:
        self._callback = callback
        self._total = total
        self._started = self._last = time.monotonic()
        self._done = 0

    def follow(self, items: Iterable[T]) -> Iterator[T]:
        """Gives the same items, and reports each as it comes."""
        for number, item in enumerate(items, 1):
            self.reach(number)
            yield item
        self.finish()

    def reach(self, done: int, total: int | None = None) -> None:
        """Notes that so many are done, and of how many where that has changed."""
        self._done = done
        self._total = self._total if total is None else total
        if self._callback is None:
            return
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN:
            self._last = now
            self._tell(now)

    def finish(self) -> None:
        """Tells the last numbers."""
        self._tell(time.monotonic())

    def _tell(self, now: float) -> None:
        if self._callback is not None:
            self._callback(Progress(self._done, self._total, now - self._started))
