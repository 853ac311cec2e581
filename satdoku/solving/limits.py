"""How long a puzzle may take."""

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from satdoku.errors import SatdokuError

T = TypeVar("T")

# How many lines, clauses or literals go by between two looks at the clock: a thousand take about a
# millisecond, and looking at the clock after each would cost a tenth of that again.
_BETWEEN_LOOKS = 1024


class Limits(NamedTuple):
    """Seconds and solver conflicts that one puzzle may cost; None is no limit."""

    timeout: float | None = None
    conflicts: int | None = None

    def require_sense(self) -> None:
        """Refuses what is no number; a limit that is over before it begins is one."""
        for name, value in (("timeout", self.timeout), ("conflicts", self.conflicts)):
            if value is not None and not (isinstance(value, (int, float)) and value == value):
                raise SatdokuError(f"the limit {name}={value!r} is not a number")
        if not isinstance(self.conflicts, int | None):
            raise SatdokuError(f"conflicts={self.conflicts!r} is no whole number")


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

    def require(self) -> None:
        """Goes on silently while there is time and conflicts left."""
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

    def rest(self) -> Limits:
        """What is left of the limits, for a question of its own."""
        self.require()
        return Limits(self.seconds_left, self.conflicts_left)

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
