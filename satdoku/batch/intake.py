"""Taking records from an input as they come, several at a time."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from satdoku.batch.row import RecordT

# Reading on for longer would keep workers waiting that have nothing to do.
_MOST_SECONDS = 0.05

# Where reading took this long without using the processor, the writer of the input is slow, and
# what was read should be answered before more is waited for.
_SLOW_SECONDS = 0.1


class Intake(Generic[RecordT]):
    """The input of a run, of which no more is taken at once than is there.

    A person or a program may write slowly into a pipe, and wants each answer before writing on. So
    a second record is taken only if `is_at_hand` says that it can be had without waiting. An error
    of the input ends it; it is kept in `error` until what was taken before is answered.
    """

    def __init__(
        self, records: Iterable[RecordT], is_at_hand: Callable[[], bool] = lambda: True
    ) -> None:
        self._records = iter(records)
        self._is_at_hand = is_at_hand
        self._held: deque[RecordT] = deque()
        self.error: Exception | None = None
        self._is_ended = False
        self._is_slow = False

    @property
    def is_exhausted(self) -> bool:
        """Whether there is nothing more to take."""
        return self._is_ended and not self._held

    @property
    def would_wait(self) -> bool:
        """Whether the next record is probably not there yet."""
        return not self._held and (self._is_slow or not self._is_at_hand())

    def take(self, count: int, characters: int) -> list[RecordT]:
        """Up to `count` records with up to `characters` characters in all; at least one, if any.

        A single record may be longer than that.
        """
        begin, begin_cpu = time.monotonic(), time.thread_time()
        records: list[RecordT] = []
        while len(records) < count:
            if records and time.monotonic() - begin > _MOST_SECONDS:
                break
            record = self._next(not records)
            if record is None:
                break
            characters -= len(record.text)
            if records and characters < 0:
                self._held.appendleft(record)
                break
            records.append(record)
        waited = (time.monotonic() - begin) - (time.thread_time() - begin_cpu)
        self._is_slow = waited > _SLOW_SECONDS
        return records

    def give_back(self, records: Sequence[RecordT]) -> None:
        """What was taken last and is not answered yet: it is taken again, first of all."""
        # Before the record that was held because it would have been too much with them.
        self._held.extendleft(reversed(records))

    def _next(self, may_wait: bool) -> RecordT | None:
        if self._held:
            return self._held.popleft()
        if self._is_ended or not (may_wait or self._is_at_hand()):
            return None
        try:
            return next(self._records)
        except StopIteration:
            pass
        except Exception as error:
            self.error = error
        self._is_ended = True
        return None
