"""Answering records one after another: what every worker does, wherever it runs."""

import time
from collections.abc import Callable, Iterator, Sequence

from satdoku.batch.row import Answerer, RecordT, Row, WorksTogether
from satdoku.errors import SatdokuError, SolverDiedError, TooLargeError

# A record that ends just at its limit must not count as hung, on a busy machine either: there is a
# second of grace, or a tenth of the limit if that is longer.
_LEAST_GRACE, _GRACE = 1.0, 0.1

MOST_TOGETHER = 3600
"""An answerer gets at most so many records at once. It may work out something for all of them
together, such as an integer with a bit for each; of larger integers Python makes none quickly."""

_SECONDS_A_PIECE = 0.5

# Even if a record takes 20 milliseconds, so many are no more than a worker has time for.
_FIRST_OF_WORKER = 16

# With the first row of several an answerer may have worked out all of them: then the others come at
# once, and are not to be lost. Where they do not come in this share of the time that the first one
# took, it was a hard record.
_SHARE_FOR_THE_OTHERS = 0.1

# A clock may show no time at all between two looks; nothing is divided by zero then.
_LEAST_SECONDS = 1e-6


def seconds_a_piece(answerer: Answerer[RecordT]) -> float:
    """After so long a worker sends what it has, and gives the rest of its piece back."""
    if isinstance(answerer, WorksTogether):
        return max(_SECONDS_A_PIECE, answerer.seconds_together)
    return _SECONDS_A_PIECE


class WorkerError(Exception):
    """A bug met in a worker; its text is the traceback there."""


def answer_in_order(answerer: Answerer[RecordT], records: Sequence[RecordT]) -> Iterator[Row]:
    """One row for each record, when it is asked for.

    A record that is too much for this process is given up, and the answerer begins anew behind it.
    """
    done, together = 0, len(records)
    while done < len(records):
        chunk = records[done : done + together]
        try:
            for _, row in zip(chunk, answerer.answers(chunk), strict=True):
                yield row
                done += 1
        except MemoryError:
            # Perhaps it is not this record that is too large, but all of them together.
            if len(chunk) > 1:
                together = 1
                continue
            yield answerer.give_up(records[done], "out of memory")
            done += 1
        except (TooLargeError, SolverDiedError) as error:
            yield answerer.give_up(records[done], str(error))
            done += 1


class Pace:
    """How many records an answerer gets together: the more, the sooner each is answered.

    But no more than are answered in about so many `seconds`: if a worker stops before the end, what
    was worked out for all of them together is lost.
    """

    def __init__(self, first: int, seconds: float) -> None:
        self.records = first
        self._seconds = seconds

    def learn(self, count: int, seconds: float) -> None:
        """Takes note that `count` records took this long."""
        affordable = int(count * self._seconds / max(seconds, _LEAST_SECONDS))
        self.records = max(1, min(affordable, MOST_TOGETHER))


def pace_of_worker(answerer: Answerer[RecordT]) -> Pace:
    """The pace of a worker at its start, when it knows nothing of the records.

    Records get a third of the time for a piece. So it is not over with the first of them, nor does
    their worker seem to be stuck, on a busy machine either.
    """
    return Pace(_FIRST_OF_WORKER, seconds_a_piece(answerer) / 3)


def answer_records(
    answerer: Answerer[RecordT],
    records: Sequence[RecordT],
    seconds: float,
    pace: Pace,
    note: Callable[[int], None] = lambda index: None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Row], Exception | None]:
    """The rows of the first records, as many as `seconds` allow, and the error that ended it.

    The records that are left go back to the sender, who shares them out anew, so that hard records
    do not queue behind one another while other workers have nothing to do. For the same reason half
    of the time has to be enough for half of the records. `note` is called with the index of each
    record before it is worked on. `clock` tells the time in seconds.
    """
    rows: list[Row] = []
    begin = clock()
    end, middle = begin + seconds, begin + seconds / 2
    is_late = False
    while len(rows) < len(records) and not is_late:
        done = len(rows)
        chunk = records[done : done + pace.records]
        answers = answer_in_order(answerer, chunk)
        is_waiting = True
        try:
            while len(rows) < done + len(chunk) and is_waiting:
                note(len(rows))
                rows.append(next(answers))
                now = clock()
                if len(rows) == done + 1:
                    others_end = now + (now - begin) * _SHARE_FOR_THE_OTHERS
                is_late = now > (end if 2 * len(rows) >= len(records) else middle)
                is_waiting = not is_late or now < others_end
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
    import traceback  # slow to import, and only a bug is told by it

    return WorkerError("".join(traceback.format_exception(error)))
