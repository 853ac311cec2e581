"""Limits of time, conflicts and memory for one puzzle, and reports of progress.

Before a formula is built, its memory is estimated. Measured per open candidate: 300 to 500 bytes
with native at-most-one constraints, and 80 to 150 for every pair that replaces them.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.grid import Geometry

T = TypeVar("T")

# Lines, clauses or literals between two checks of the clock: a thousand take about a millisecond,
# and checking after each one would add a tenth.
_BETWEEN_LOOKS = 1024

# Interval between checks for a stop request during a wait for another process; too short to be
# noticed.
_SECONDS_BETWEEN_LOOKS = 0.05


class Stop(Protocol):
    """The interface of a stop event: of threading, multiprocessing or asyncio."""

    def is_set(self) -> bool: ...


class Limits(NamedTuple):
    """Seconds and solver conflicts that one puzzle may take; None means no limit.

    `stop` is an event by which another thread ends a call, as if a limit were reached at that
    moment. It is not sent to other processes: the parent checks it for them.
    """

    timeout: float | None = None
    conflicts: int | None = None
    stop: Stop | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without `stop`, which cannot leave this process."""
        return Limits, (self.timeout, self.conflicts)

    @property
    def is_stopped(self) -> bool:
        """Whether a stop was requested."""
        return self.stop is not None and self.stop.is_set()

    def require_sense(self) -> None:
        """Raise an error if a value is not a number; zero and negative limits are valid."""
        for name, value in (("timeout", self.timeout), ("conflicts", self.conflicts)):
            if value is not None and not (isinstance(value, (int, float)) and value == value):
                raise SatdokuError(f"the limit {name}={value!r} is not a number")
        if not isinstance(self.conflicts, int | None):
            raise SatdokuError(f"conflicts={self.conflicts!r} is not a whole number")
        if self.stop is not None and not callable(getattr(self.stop, "is_set", None)):
            raise SatdokuError(f"stop={self.stop!r} is not an event: it has no is_set()")


class LimitReachedError(Exception):
    """A limit was reached before a puzzle was decided; becomes the verdict `undecided`, never an
    error.
    """


class Budget:
    """Limits for the work that starts when this object is created.

    `undone` begins the sentence on a reached limit: it states what was not done.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.undone = "not decided"
        self.started = time.perf_counter()
        self.conflicts_left = self.limits.conflicts
        self._since_look = 0

    @property
    def seconds(self) -> float:
        """Return the time used so far."""
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        if self.limits.timeout is None:
            return None
        return self.limits.timeout - self.seconds

    @property
    def seconds_to_wait(self) -> float | None:
        """Return how long to wait for another process before the next call of `require`."""
        left = self.seconds_left
        if self.limits.stop is None:
            return left
        return _SECONDS_BETWEEN_LOOKS if left is None else min(left, _SECONDS_BETWEEN_LOOKS)

    @property
    def can_end_early(self) -> bool:
        """Whether a timeout or a stop event may end the search, so that the caller must poll."""
        return self.limits.timeout is not None or self.limits.stop is not None

    def require(self) -> None:
        """Raise LimitReachedError if a limit is reached or a stop was requested; else return."""
        if self.limits.is_stopped:
            raise LimitReachedError("stopped on request")
        left = self.seconds_left
        if left is not None and left <= 0:
            raise LimitReachedError(f"{self.undone} within {self.limits.timeout:g} s")
        if self.conflicts_left is not None and self.conflicts_left <= 0:
            count = self.limits.conflicts or 0
            noun = "conflict" if count == 1 else "conflicts"
            raise LimitReachedError(f"{self.undone} within {count:,} {noun}")

    def why_over(self) -> str:
        """Return the limit that was reached, or an empty string."""
        try:
            self.require()
        except LimitReachedError as limit:
            return str(limit)
        return ""

    @property
    def left(self) -> Limits:
        """Return the remaining limits for a separate call; they may be zero."""
        return Limits(self.seconds_left, self.conflicts_left, self.limits.stop)

    @contextmanager
    def part(self, conflicts: int) -> Iterator["Budget"]:
        """Yield a budget with the remaining limits and at most `conflicts`, which count in this one
        too.
        """
        left = self.conflicts_left
        most = conflicts if left is None else min(left, conflicts)
        own = Budget(self.left._replace(conflicts=most))
        try:
            yield own
        finally:
            self.spend_conflicts(most - (own.conflicts_left or 0))

    def rest(self) -> Limits:
        """Return the remaining limits; raise LimitReachedError if nothing remains."""
        self.require()
        return self.left

    def work(self, amount: int) -> None:
        """Count work, in literals; check the clock after every thousand or so."""
        self._since_look += amount
        if self._since_look >= _BETWEEN_LOOKS:
            self._since_look = 0
            self.require()

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, checking the clock regularly; raise LimitReachedError at a limit."""
        for index, item in enumerate(items):
            if index % _BETWEEN_LOOKS == 0:
                self.require()
            yield item

    def spend_conflicts(self, count: int) -> None:
        if self.conflicts_left is not None:
            self.conflicts_left -= count


Watch = Callable[[str], None]
"""A callback for progress, called with a few words such as `step 31`; it may ignore most calls."""


def unwatched(words: str) -> None:
    """Ignore the words; the default callback."""


# Memory of Python and a solver before any formula, rounded up.
_BASE = 25_000_000
_BYTES_A_CANDIDATE = 500
_BYTES_A_CLAUSE = 100
# Memory that is assumed to be free. Asking the system takes a tenth of the time for a 9x9 board,
# which needs less.
_ALWAYS_FREE = 2 * _BASE
# Measured on a board of 100x100: 1.6 million clauses, most of them unit clauses.
_BYTES_A_PROVEN_CLAUSE = 500
# The groups of a candidate: cell, row, column and box; groups of further rules are not counted.
_GROUPS_OF_A_CANDIDATE = 4
# For a solver with rules but no givens, which needs no tables of open candidates. Measured: 160 on
# 225x225.
_BYTES_A_CANDIDATE_OF_RULES = 200


def estimate_memory(geometry: Geometry, candidates: int, is_native: bool) -> int:
    """Estimate the bytes that a solver will take."""
    groups = _GROUPS_OF_A_CANDIDATE * geometry.cell_count
    members = _GROUPS_OF_A_CANDIDATE * candidates / groups
    pairs = 0 if is_native else groups * members * (members - 1) / 2
    return _BASE + candidates * _BYTES_A_CANDIDATE + int(pairs) * _BYTES_A_CLAUSE


def require_memory_for_proof(geometry: Geometry, clauses: int) -> None:
    """Raise an error for a formula whose proof will not fit into memory: solver and checker hold
    both.
    """
    _require(geometry, f"{clauses:,} clauses", _BASE + clauses * _BYTES_A_PROVEN_CLAUSE)


def require_memory_for_links(geometry: Geometry, candidates: int) -> None:
    """Raise an error for an explanation whose links, one mask per candidate, will not fit into
    memory.

    Each candidate keeps one mask with a bit for each candidate. During the work it gets a second
    one, with a bit for each member of each truth: four times as many bits, and more with the units
    of further rules. Most of these second masks end a little before their last bit.
    """
    needed = _BASE + candidates * candidates * 5 // 8
    _require(geometry, f"{candidates:,} candidates to explain", needed)


def require_memory_for_rules(geometry: Geometry, is_native: bool, pairs: int = 0) -> None:
    """Raise an error for rules too large for memory; `pairs` are clauses of further rules."""
    candidates = geometry.size * geometry.cell_count
    native = _BASE + candidates * _BYTES_A_CANDIDATE_OF_RULES
    bare = native if is_native else estimate_memory(geometry, candidates, is_native)
    _require(geometry, f"{candidates:,} candidates", bare + pairs * _BYTES_A_CLAUSE)


def require_memory(geometry: Geometry, candidates: int, is_native: bool) -> None:
    """Raise an error for a formula that will not fit into memory."""
    needed = estimate_memory(geometry, candidates, is_native)
    _require(geometry, f"{candidates:,} candidates", needed)


def _require(geometry: Geometry, what: str, needed: int) -> None:
    if needed < _ALWAYS_FREE:
        return
    free = _free_memory()
    if free is not None and needed > free:
        raise TooLargeError(
            f"this {geometry.size}x{geometry.size} board has {what} and would "
            f"take about {needed / 1e9:,.1f} GB of memory; {free / 1e9:,.1f} GB are free"
        )


def _free_memory() -> int | None:
    """Return the memory that this process may still allocate; None if the system does not tell."""
    limits = [value for value in (_available(), _limit_of_process()) if value is not None]
    return min(limits, default=None)


def _available() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def _limit_of_process() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return soft if soft != resource.RLIM_INFINITY else None
