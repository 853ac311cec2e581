"""The interface of a batch: records are the input, rows the output."""

from collections.abc import Iterator, Sequence, Sized
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable


class HasText(Protocol):
    """A record with a text, whose length is all that a batch uses. Must be picklable."""

    @property
    def text(self) -> Sized: ...


FEWEST_SHARED = 1024
"""Fewest records of a block whose text may be in shared memory."""

RecordT = TypeVar("RecordT", bound=HasText)
RecordT_contra = TypeVar("RecordT_contra", bound=HasText, contravariant=True)


class SharedText(NamedTuple):
    """ASCII text in memory that a worker has written and that `owner` keeps unchanged."""

    data: memoryview
    owner: object


class Row(NamedTuple):
    """The answer to one record.

    `text` is the output: complete lines with their ends, or empty. `ending` says how the record
    ended; rows are counted by it. `message` is for people, without a line end. Messages that differ
    only in the `place` at their beginning are shown once, with a count; without a `place` each
    message is shown. `reject` is a complete line for the file of rejects; it begins with the number
    of the record, counted from 1 over all inputs, and a tab. `result` is further data for the
    reader of the rows, picklable. `compared` is 1 if the answer was computed in two ways, which
    agreed.

    A record may be a block of several, so that less is done for each of them: then `records` is
    their number, `text` and `reject` are those of all, and `others` are the rows of records with
    another ending than `ending`, or with a message. With at least `FEWEST_SHARED` records, the text
    may be `shared` instead.
    """

    text: str
    ending: Enum
    message: str = ""
    reject: str = ""
    result: Any = None
    place: str = ""
    compared: int = 0
    records: int = 1
    others: "tuple[Row, ...]" = ()
    # The output instead of `text`, which is empty then.
    shared: SharedText | None = None

    @property
    def results(self) -> Sequence[Any]:
        """Return the result of each record."""
        if self.records == 1:
            return (self.result,)
        found: Sequence[Any] = self.result or (None,) * self.records
        return found


class Answerer(Protocol[RecordT_contra]):
    """What is done with each record; must be picklable, and is sent to each worker once.

    A record may be answered twice, when a worker dies or is slow, so answering must have no side
    effects.
    """

    @property
    def timeout(self) -> float | None:
        """Return the seconds that one record may take; None without a limit."""

    def answers(self, records: Sequence[RecordT_contra], /) -> Iterator[Row]:
        """Yield one row for each record, in order.

        It is lazy: a row is computed when it is requested; the first row may compute whatever is
        faster for all of the records at once. A record with a fault has a row too. MemoryError,
        TooLargeError and SolverDiedError cost the record whose row was requested; any other
        exception ends the run.
        """

    def give_up(self, record: RecordT_contra, /, reason: str) -> Row:
        """Return the row of a record whose worker died, hung or ran out of memory.

        Called outside that worker, so it must not repeat what may have been the cause.
        """


@runtime_checkable
class NamesText(Protocol):
    """A record that may name its text by a place in a file, which other machines may not see."""

    def with_text(self) -> Any:
        """Return the record with its text."""
