"""Solver, encoding and limits as keywords of a call: `check(puzzle, timeout=3, solver="lgl")`."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

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
