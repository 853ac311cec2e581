"""How long a puzzle may take."""

import time
from typing import NamedTuple

from satdoku.errors import SatdokuError


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

    def spend_conflicts(self, count: int) -> None:
        if self.conflicts_left is not None:
            self.conflicts_left -= count
