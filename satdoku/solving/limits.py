"""How long a puzzle may take, and who is told how far the work on it has come."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

from satdoku.errors import SatdokuError

T = TypeVar("T")

# How many lines, clauses or literals go by between two looks at the clock: a thousand take about a
# millisecond, and looking at the clock after each would cost a tenth of that again.
_BETWEEN_LOOKS = 1024

# How long a wait for another process lasts before somebody looks whether to stop: short enough
# that whoever asked for it does not notice.
_SECONDS_BETWEEN_LOOKS = 0.05


class Stop(Protocol):
    """What tells a running call to end: an event of threading, multiprocessing or asyncio."""

    def is_set(self) -> bool: ...


class Limits(NamedTuple):
    """Seconds and solver conflicts that one puzzle may cost; None is no limit.

    `stop` ends a call from another thread, as if a limit were reached at that moment. It stays in
    its process: whoever has work done in others looks at it for them.
    """

    timeout: float | None = None
    conflicts: int | None = None
    stop: Stop | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel between processes without what is of this one only."""
        return Limits, (self.timeout, self.conflicts)

    @property
    def is_stopped(self) -> bool:
        """Whether somebody asked for an end."""
        return self.stop is not None and self.stop.is_set()

    def require_sense(self) -> None:
        """Refuses what is no number; a limit that is over before it begins is one."""
        for name, value in (("timeout", self.timeout), ("conflicts", self.conflicts)):
            if value is not None and not (isinstance(value, (int, float)) and value == value):
                raise SatdokuError(f"the limit {name}={value!r} is not a number")
        if not isinstance(self.conflicts, int | None):
            raise SatdokuError(f"conflicts={self.conflicts!r} is no whole number")
        if self.stop is not None and not callable(getattr(self.stop, "is_set", None)):
            raise SatdokuError(f"stop={self.stop!r} is no event, which would have is_set()")


class LimitReachedError(Exception):
    """A puzzle used up its limit; becomes the verdict `undecided`, never an error."""


class Budget:
    """Limits that are being used up, from the moment this is made."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.started = time.perf_counter()
        self.conflicts_left = self.limits.conflicts
        self._since_look = 0

    @property
    def seconds(self) -> float:
        """The time used so far."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        if self.limits.timeout is None:
            return None
        return self.limits.timeout - self.seconds

    @property
    def seconds_to_wait(self) -> float | None:
        """How long to wait for another process before `require` is to be asked again."""
        left = self.seconds_left
        if self.limits.stop is None:
            return left
        return _SECONDS_BETWEEN_LOOKS if left is None else min(left, _SECONDS_BETWEEN_LOOKS)

    @property
    def can_end_early(self) -> bool:
        """Whether something else than conflicts can end it, so that somebody has to look."""
        return self.limits.timeout is not None or self.limits.stop is not None

    def require(self) -> None:
        """Goes on silently while there is time and conflicts left, and nobody asked to stop."""
        if self.limits.is_stopped:
            raise LimitReachedError("stopped on request")
        left = self.seconds_left
        if left is not None and left <= 0:
            raise LimitReachedError(f"not decided within {self.limits.timeout:g} s")
        if self.conflicts_left is not None and self.conflicts_left <= 0:
            count = self.limits.conflicts or 0
            noun = "conflict" if count == 1 else "conflicts"
            raise LimitReachedError(f"not decided within {count:,} {noun}")

    def why_over(self) -> str:
        """The limit that was reached, empty as long as none was."""
        try:
            self.require()
        except LimitReachedError as limit:
            return str(limit)
        return ""

    @property
    def left(self) -> Limits:
        """What is left of the limits, for a question of its own, be it nothing."""
        return Limits(self.seconds_left, self.conflicts_left, self.limits.stop)

    def rest(self) -> Limits:
        """What is left of the limits; LimitReachedError where that is nothing."""
        self.require()
        return self.left

    def work(self, amount: int) -> None:
        """Notes work that was done, in literals or so; looks at the clock when it adds up."""
        self._since_look += amount
        if self._since_look >= _BETWEEN_LOOKS:
            self._since_look = 0
            self.require()

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, with a look at the clock now and then; LimitReachedError when it ends."""
        for index, item in enumerate(items):
            if index % _BETWEEN_LOOKS == 0:
                self.require()
            yield item

    def spend_conflicts(self, count: int) -> None:
        if self.conflicts_left is not None:
            self.conflicts_left -= count


Watch = Callable[[str], None]
"""Is told a few words, such as `step 31`, whenever there is something new; may ignore most."""


def unwatched(words: str) -> None:
    """Ignores the words: for work that nobody is watching."""
