"""What a puzzle may cost in time and memory, and who is told how far the work on it has come.

Whether a formula will fit into memory is asked before it is built. Measured per open candidate: 300
to 500 bytes with native at-most-one constraints, and 80 to 150 for every pair that takes their
place.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.geometry import Geometry

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
    """Limits that are being used up, from the moment this is made.

    `undone` begins the sentence that says which limit was reached: what was not done by then.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.undone = "not decided"
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
            raise LimitReachedError(f"{self.undone} within {self.limits.timeout:g} s")
        if self.conflicts_left is not None and self.conflicts_left <= 0:
            count = self.limits.conflicts or 0
            noun = "conflict" if count == 1 else "conflicts"
            raise LimitReachedError(f"{self.undone} within {count:,} {noun}")

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

    @contextmanager
    def part(self, conflicts: int) -> Iterator["Budget"]:
        """A budget with what is left, but so many conflicts at most, which count here as well."""
        left = self.conflicts_left
        most = conflicts if left is None else min(left, conflicts)
        own = Budget(self.left._replace(conflicts=most))
        try:
            yield own
        finally:
            self.spend_conflicts(most - (own.conflicts_left or 0))

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


# What Python and a solver take before any formula, rounded up.
_BASE = 25_000_000
_BYTES_A_CANDIDATE = 500
_BYTES_A_CLAUSE = 100
# Where Python runs there is as much again. Asking the system takes a tenth of the time of a 9x9
# board, which needs less.
_ALWAYS_FREE = 2 * _BASE
# Measured with a board of 100x100: 1.6 million clauses, most of them of one literal.
_BYTES_A_PROVEN_CLAUSE = 500
# Its cell, row, column and box; groups of further rules are not counted.
_GROUPS_OF_A_CANDIDATE = 4
# Of the bare rules, which need no tables of what is open. Measured: 160 on 225x225.
_BYTES_A_CANDIDATE_OF_RULES = 200


def estimate_memory(geometry: Geometry, candidates: int, is_native: bool) -> int:
    """Bytes that solving will take, roughly."""
    groups = _GROUPS_OF_A_CANDIDATE * geometry.cell_count
    members = _GROUPS_OF_A_CANDIDATE * candidates / groups
    pairs = 0 if is_native else groups * members * (members - 1) / 2
    return _BASE + candidates * _BYTES_A_CANDIDATE + int(pairs) * _BYTES_A_CLAUSE


def require_memory_for_proof(geometry: Geometry, clauses: int) -> None:
    """Refuses a formula that cannot be proven to have no model: solver and checker hold it both."""
    _require(geometry, f"{clauses:,} clauses", _BASE + clauses * _BYTES_A_PROVEN_CLAUSE)


def require_memory_for_links(geometry: Geometry, candidates: int) -> None:
    """Refuses an explanation whose links, a mask of all candidates for each, will not fit.

    Of the masks a candidate one stays, with a bit for each candidate. Along the way each comes to
    have a second one, with a bit for each member of each truth: four times as many, and more where
    further rules add units. Most of these end a little before their last bit.
    """
    needed = _BASE + candidates * candidates * 5 // 8
    _require(geometry, f"{candidates:,} candidates to explain", needed)


def require_memory_for_rules(geometry: Geometry, is_native: bool, pairs: int = 0) -> None:
    """Refuses rules that will not fit; `pairs` are the clauses of further rules."""
    candidates = geometry.size * geometry.cell_count
    native = _BASE + candidates * _BYTES_A_CANDIDATE_OF_RULES
    bare = native if is_native else estimate_memory(geometry, candidates, is_native)
    _require(geometry, f"{candidates:,} candidates", bare + pairs * _BYTES_A_CLAUSE)


def require_memory(geometry: Geometry, candidates: int, is_native: bool) -> None:
    """Refuses a formula that will not fit."""
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
    """The memory that this process may still take, where the system tells."""
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
