"""What calls have in common: keywords such as `timeout=3`, and telling how far they have come."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypedDict, TypeVar

from satdoku.encoding.choices import Encoding, Method
from satdoku.errors import SatdokuError
from satdoku.solving.limits import Limits, Stop
from satdoku.solving.settings import Settings


class LimitKeywords(TypedDict, total=False):
    """What `Limits` take."""

    timeout: float | None
    conflicts: int | None
    stop: Stop | None


class SettingKeywords(LimitKeywords, total=False):
    """What `Settings` and `Limits` take."""

    solver: str
    encoding: Encoding | str
    at_most_one: Method | str | None
    command: str
    portfolio: Iterable[str]
    seed: int


def settings_of(settings: Settings | None, keywords: SettingKeywords) -> Settings | None:
    """The settings that were passed whole, or those of the keywords; None where neither were."""
    if not keywords:
        return settings
    if settings is not None:
        raise SatdokuError(f"settings= already says what {_first(keywords)}= would")
    rest = {name: value for name, value in keywords.items() if name not in Limits._fields}
    _refuse_unknown(rest, SettingKeywords.__annotations__)
    chosen: dict[str, Any] = rest
    return Settings(limits=_limits(keywords), **chosen)


def limits_of(limits: Limits | None, keywords: LimitKeywords) -> Limits | None:
    """The limits that were passed whole, or those of the keywords; None where neither were."""
    if not keywords:
        return limits
    if limits is not None:
        raise SatdokuError(f"limits= already says what {_first(keywords)}= would")
    _refuse_unknown(keywords, LimitKeywords.__annotations__)
    return _limits(keywords)


def _limits(keywords: Mapping[str, Any]) -> Limits:
    limits = Limits(**{name: keywords[name] for name in Limits._fields if name in keywords})
    limits.require_sense()
    return limits


def _first(keywords: Mapping[str, object]) -> str:
    return next(iter(keywords))


def _refuse_unknown(keywords: Mapping[str, object], known: Mapping[str, object]) -> None:
    """A TypeError, as of every call in Python, but one that tells what there is."""
    for name in keywords:
        if name not in known:
            raise TypeError(f"there is no keyword {name!r}; there are {', '.join(known)}")


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
