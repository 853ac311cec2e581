"""Answering records one after another: what every worker does, wherever it runs."""

import time
import traceback
from collections.abc import Callable, Sequence

from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.errors import SatdokuError, SolverDiedError, TooLargeError

_LEAST_GRACE, _GRACE = 1.0, 0.1

MOST_TOGETHER = 3600
"""More records prepared together are not answered sooner: with a bit for each, an integer would be
larger than those that Python makes quickly."""

SECONDS_A_PIECE = 0.5
"""After so long a worker sends what it has, and gives the rest of its piece back."""

_LEAST_SECONDS = 1e-6


class WorkerError(Exception):
    """A bug met in a worker; its text is the traceback there."""


def answer_record(answerer: Answerer[RecordT], record: RecordT) -> Row:
    """The row of one record; if it is too much for us, it is given up, and the run goes on."""
    try:
        return answerer.answer(record)
    except MemoryError:
        return answerer.give_up(record, "out of memory")
    except (TooLargeError, SolverDiedError) as error:
        return answerer.give_up(record, str(error))


class Pace:
    """How many records to prepare together: the more, the sooner each is answered.

    But no more than are answered in a moment: if a worker stops before the end, what it prepared is
    lost. Where the first answer is to come at once, let it begin with one.
    """

    def __init__(self, first: int = MOST_TOGETHER) -> None:
        self.records = first

    def learn(self, count: int, seconds: float) -> None:
        """What so many records took, preparation included."""
        affordable = int(count * SECONDS_A_PIECE / max(seconds, _LEAST_SECONDS))
        self.records = max(1, min(affordable, MOST_TOGETHER))


def prepare_records(answerer: Answerer[RecordT], records: Sequence[RecordT]) -> Sequence[RecordT]:
    """The same records; if preparing them is too much for us, they are answered as they are."""
    try:
        return answerer.prepare(records)
    except MemoryError:
        return records


def answer_records(
    answerer: Answerer[RecordT],
    records: Sequence[RecordT],
    seconds: float,
    pace: Pace,
    note: Callable[[int], None] = lambda index: None,
) -> tuple[list[Row], Exception | None]:
    """The rows of the first records, as many as `seconds` allow, and the error that ended it.

    Whoever sent the records shares out the rest anew, so that hard records do not queue behind one
    another while other workers have nothing to do: half of the time has to be enough for half of
    the records. `note` is told each index before it is tried, or prepared with others.
    """
    rows: list[Row] = []
    begin = time.monotonic()
    end, middle = begin + seconds, begin + seconds / 2
    is_late = False
    while len(rows) < len(records) and not is_late:
        done = len(rows)
        note(done)
        try:
            for record in prepare_records(answerer, records[done : done + pace.records]):
                if len(rows) > done:
                    note(len(rows))
                rows.append(answer_record(answerer, record))
                now = time.monotonic()
                is_late = now > (end if 2 * len(rows) >= len(records) else middle)
                if is_late:
                    break
        except Exception as error:
            return rows, _portable(error)
        pace.learn(len(rows) - done, now - begin)
        begin = now
    return rows, None


def with_grace(timeout: float) -> float:
    """How long to wait for a record with a limit before its worker counts as hung."""
    return timeout + max(_LEAST_GRACE, _GRACE * timeout)


def _portable(error: Exception) -> Exception:
    """An error that can travel: ours as they are, others as their traceback."""
    if isinstance(error, SatdokuError):
        return error
    return WorkerError("".join(traceback.format_exception(error)))
