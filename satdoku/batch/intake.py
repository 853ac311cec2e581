"""Taking records from an input as they come, several at a time."""

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic

from satdoku.batch.row import RecordT

_MOST_SECONDS = 0.05

# A producer that lets us wait longer than this is the bottleneck.
_SLOW_SECONDS = 0.1


class Intake(Generic[RecordT]):
    """Whoever writes slowly into a pipe wants each answer soon, not a thousand of them later.

    So no more is taken at once than is there: `is_at_hand` says whether the next record can be had
    without waiting. An error of the input ends it, and is kept until what was taken is answered.
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
        """Up to so many, in all of up to so many characters; a single one may be longer."""
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

    def give_back(self, records: Iterable[RecordT]) -> None:
        """What was taken last and is not answered yet: it is taken again, first of all."""
        self._held.extend(records)

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
