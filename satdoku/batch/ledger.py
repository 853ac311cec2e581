"""Records as they come in, several at a time, and rows as they go out, in the same order."""

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from satdoku.batch.row import RecordT, Row

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


# A piece of this size fits into a pipe, where it can wait while another one is in work, and takes a
# good part of a second: 1,800 lines of 81 characters are 146 KB.
MOST_RECORDS = 1800
_MOST_CHARACTERS = 160 * 1024

# Where a pipe holds more, pieces may be larger. Of blocks of plain lines the compiled library has
# the more lanes idle at the end of a piece the shorter it is: a sixth of the time for 160 KB.
LARGEST = 512 * 1024

# The first pieces have 64, 256 and 1,024 records.
_FIRST_RECORDS, _GROWTH = 64, 4


@dataclass(frozen=True, slots=True)
class Piece(Generic[RecordT]):
    """Neighbouring records, the first of which is number `start` of the run, from 0."""

    start: int
    records: Sequence[RecordT]

    def part(self, begin: int, end: int | None = None) -> "Piece[RecordT]":
        return Piece(self.start + begin, self.records[begin:end])


class Ledger(Generic[RecordT]):
    """Cuts the input into pieces, takes rows in any order and gives them out in input order.

    At most `most_open` pieces are read beyond the row whose turn it is, which bounds the memory
    that a run takes. The first pieces are small, so that all workers have something soon, and
    pieces stay small where workers do not get through larger ones. An error of the input or of a
    worker is raised where its row would be: all rows before it are given out first, as they are
    when one process does it all.
    """

    def __init__(self, intake: Intake[RecordT], most_open: int) -> None:
        self.most_open = most_open
        self._intake = intake
        self._count = _FIRST_RECORDS
        self._most = MOST_RECORDS
        self._most_characters = _MOST_CHARACTERS
        self._returned: list[tuple[int, Piece[RecordT]]] = []
        self._settled: dict[int, tuple[Sequence[Row], Exception | None]] = {}
        self._ends: deque[int] = deque()
        self._read = self._given = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the input is at its end."""
        return self._intake.is_exhausted

    @property
    def would_wait(self) -> bool:
        """Whether there is nothing to take before the input brings more."""
        return not self._returned and self._intake.would_wait

    @property
    def is_finished(self) -> bool:
        return self.is_exhausted and self._given == self._read

    def take(self) -> Piece[RecordT] | None:
        """The next records to be answered; None if there are none, or too many rows wait."""
        if self._returned:
            return heapq.heappop(self._returned)[1]
        if self.is_exhausted or len(self._ends) >= self.most_open:
            return None
        return self._read_piece()

    def widen(self, room: int) -> None:
        """Has pieces be as large as fits into pipes with this room, beside what goes with them."""
        self._most_characters = max(_MOST_CHARACTERS, min(room // 2, LARGEST))

    def put_back(self, piece: Piece[RecordT], first: int | None = None) -> None:
        """Takes records back that were not answered; they are handed out next.

        Behind slow records there may be more slow ones. So the `first` of them go out alone, and
        those behind in pieces of twice, four times, ... as many, so that all workers get a share.
        """
        size = first or len(piece.records)
        begin = 0
        while begin < len(piece.records):
            part = piece.part(begin, begin + size)
            heapq.heappush(self._returned, (part.start, part))
            begin += size
            size *= 2

    def settle(
        self, piece: Piece[RecordT], rows: Sequence[Row], error: Exception | None = None
    ) -> None:
        """Takes the rows of a piece, from its first record on; there may be fewer than records.

        The others took the worker too long, and are handed out anew.
        """
        self._settled[piece.start] = rows, error
        if error is None:
            rest = piece.part(len(rows))
            self._learn(len(rows), is_all=not rest.records)
            # Half of what a worker got through in its time, for the next ones may be slower.
            self.put_back(rest, max(1, len(rows) // 2))

    def settle_one(self, piece: Piece[RecordT], index: int, row: Row) -> None:
        """Takes the row of one record in a piece; the others are handed out anew."""
        self.put_back(piece.part(0, index))
        self._settled[piece.start + index] = [row], None
        self.put_back(piece.part(index + 1))

    def rows(self) -> Iterator[Row]:
        """The rows whose turn it is."""
        while self._given in self._settled:
            settled, error = self._settled.pop(self._given)
            rows = deque(settled)
            del settled
            while rows:
                self._given += 1
                yield rows.popleft()
            if error is not None:
                raise error
        while self._ends and self._ends[0] <= self._given:
            self._ends.popleft()
        if self.is_finished and self._intake.error is not None:
            raise self._intake.error

    def _read_piece(self) -> Piece[RecordT] | None:
        self._count = min(self._count, self._most)
        records = self._intake.take(self._count, self._most_characters)
        if not records:
            return None
        self._count *= _GROWTH
        piece = Piece(self._read, records)
        self._read += len(records)
        self._ends.append(self._read)
        return piece

    def _learn(self, count: int, is_all: bool) -> None:
        """Adapts the size of pieces to what workers answer in the time that they take for one."""
        if not is_all:
            self._most = max(_FIRST_RECORDS, count)
        elif count >= self._most:
            self._most = min(2 * self._most, MOST_RECORDS)
