"""What is asked of a batch: records go in, rows come out."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar


class HasText(Protocol):
    """A record, as far as a batch looks into it; must be picklable."""

    @property
    def text(self) -> str: ...


RecordT = TypeVar("RecordT", bound=HasText)


class Row(NamedTuple):
    """The answer to one record.

    `text` is what goes to the output, complete lines with their ends, or nothing. `tally` is the
    word under which the record is counted. `message` is talk for people, without a line end.
    `reject` is a complete line for the file of rejects; it begins with the number of the record,
    counted from 1 over all inputs, and a tab. `result` is what else the reader of the rows may
    want, picklable.
    """

    text: str
    tally: str
    message: str = ""
    reject: str = ""
    result: Any = None


class Answerer(Protocol[RecordT]):
    """What is done with each record; must be picklable, and is sent to each worker once.

    A record may be answered twice, when a worker dies or is slow: answering must leave no trace.
    """

    @property
    def timeout(self) -> float | None:
        """The seconds that one record may take, if there is a limit."""

    def prepare(self, records: Sequence[RecordT], /) -> Sequence[RecordT]:
        """The same records, with what is sooner worked out for many together than one by one."""

    def answer(self, record: RecordT, /) -> Row:
        """The row of a record. A record with a fault has a row too; an exception ends the run."""

    def give_up(self, record: RecordT, /, reason: str) -> Row:
        """The row of a record whose worker died, hung or ran out of memory.

        Called outside that worker, so it must not do what may have been the cause.
        """
