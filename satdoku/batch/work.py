"""Answering records one after another: what every worker does, wherever it runs."""

import time
import traceback
from collections.abc import Callable, Sequence

from satdoku.batch.row import Answerer, RecordT, Row
from satdoku.errors import SatdokuError, SolverDiedError, TooLargeError

_LEAST_GRACE, _GRACE = 1.0, 0.1


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


def answer_records(
    answerer: Answerer[RecordT],
    records: Sequence[RecordT],
    seconds: float,
    note: Callable[[int], None],
) -> tuple[list[Row], Exception | None]:
    """The rows of the first records, as many as `seconds` allow, and the error that ended it.

    Whoever sent the records shares out the rest anew, so that hard records do not queue behind one
    another while other workers have nothing to do. `note` is told each index before it is tried.
    """
    rows: list[Row] = []
    end = time.monotonic() + seconds
    for index, record in enumerate(records):
        note(index)
        try:
            rows.append(answer_record(answerer, record))
        except Exception as error:
            return rows, _portable(error)
        if time.monotonic() > end:
            break
    return rows, None


def with_grace(timeout: float) -> float:
    """How long to wait for a record with a limit before its worker counts as hung."""
    return timeout + max(_LEAST_GRACE, _GRACE * timeout)


def _portable(error: Exception) -> Exception:
    """An error that can travel: ours as they are, others as their traceback."""
    if isinstance(error, SatdokuError):
        return error
    return WorkerError("".join(traceback.format_exception(error)))
