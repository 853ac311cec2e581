"""Errors that nobody expected: they cost one record, and not those behind it."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from satdoku.errors import SatdokuError, cut
from satdoku.plugins import fault_of_package

ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")

_NO_BUGS = (SatdokuError, OSError, MemoryError)
"""Errors that are raised on purpose, and those of the system."""

# Most characters of an error that an answer names; the message has all of it.
_LONGEST_NAME = 200


def is_bug(error: Exception) -> bool:
    """Whether an error is a bug of satdoku that may be about one record alone.

    A rule of another package probably fails over every record.
    """
    return not (isinstance(error, _NO_BUGS) or fault_of_package(error))


def describe_bug(error: Exception, record: str = "puzzle") -> str:
    """Return what an answer says of a bug."""
    name = cut(f"{type(error).__name__}: {error}".partition("\n")[0], _LONGEST_NAME)
    return f"this is a bug of satdoku, please report it with the {record} ({name})"


def found_together(
    items: Sequence[ItemT], found: Iterator[FoundT], alone: Callable[[ItemT], FoundT]
) -> Iterator[FoundT]:
    """Yield what is found for many items together, and after a bug there for each one alone."""
    done = 0
    try:
        for each in found:
            yield each
            done += 1
    except Exception as error:
        if not is_bug(error):
            raise
        yield from map(alone, items[done:])
