"""What is asked of a batch: records go in, rows come out."""

from collections.abc import Iterator, Sequence, Sized
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable


class HasText(Protocol):
    """A record, as far as a batch looks into it: at the length of its text. Must be picklable."""

    @property
    def text(self) -> Sized: ...


RecordT = TypeVar("RecordT", bound=HasText)
RecordT_contra = TypeVar("RecordT_contra", bound=HasText, contravariant=True)


class Row(NamedTuple):
    """The answer to one record.

    `text` is what goes to the output, complete lines with their ends, or nothing. `ending` says how
    the record ended, and is what rows are counted by. `message` is talk for people, without a line
    end. Where it begins with a `place` and a colon, and is alike for many places, it is said once
    and counted; without a `place` each message is said. `reject` is a complete line for the file of
    rejects; it begins with the number of the record, counted from 1 over all inputs, and a tab.
    `result` is what else the reader of the rows may want, picklable. `compared` is 1 where the
    answer was worked out in two ways, which agreed.

    A record may be a block of several, so that less is done for each of them: then `records` says
    how many, `text` and `reject` are those of all, and `others` are the rows of those that ended
    otherwise than `ending`, or have something to say.
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


class Answerer(Protocol[RecordT_contra]):
    """What is done with each record; must be picklable, and is sent to each worker once.

    A record may be answered twice, when a worker dies or is slow: answering must leave no trace.
    """

    @property
    def timeout(self) -> float | None:
        """The seconds that one record may take, if there is a limit."""

    def answers(self, records: Sequence[RecordT_contra], /) -> Iterator[Row]:
        """One row for each record, in order.

        It is lazy: a row is worked out when it is asked for, and with the first one whatever is
        sooner worked out for all of the records than for each. A record with a fault has a row too.
        MemoryError, TooLargeError and SolverDiedError cost the record whose row was asked for; any
        other exception ends the run.
        """

    def give_up(self, record: RecordT_contra, /, reason: str) -> Row:
        """The row of a record whose worker died, hung or ran out of memory.

        Called outside that worker, so it must not do what may have been the cause.
        """


@runtime_checkable
class WorksTogether(Protocol):
    """What an answerer has besides that works out the rows of many records with the first of them.

    It works better the more records there are. So it gets as many as it answers in a good part of
    `seconds_together`, and is not taken for stuck before that is over.
    """

    @property
    def seconds_together(self) -> float: ...
