"""Which records are out to be answered, and which rows are in: order goes in, order comes out."""

import heapq
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from satdoku.batch.row import RecordT, Row

# A producer that lets us wait longer than this is the bottleneck.
_SLOW_SECONDS = 0.1
_MOST_SECONDS_TO_FILL = 0.05


@dataclass(frozen=True, slots=True)
class Piece(Generic[RecordT]):
    """Neighbouring records, the first of which is number `start` of the run, from 0."""

    start: int
    records: Sequence[RecordT]

    def part(self, begin: int, end: int | None = None) -> "Piece[RecordT]":
        return Piece(self.start + begin, self.records[begin:end])

    @property
    def characters(self) -> int:
        return sum(len(record.text) for record in self.records)


@dataclass(frozen=True, slots=True)
class Portion:
    """How much is read at once; one record is a portion, however long it is."""

    records: int
    characters: int


class Ledger(Generic[RecordT]):
    """Cuts the input into pieces, takes rows in any order and gives them out in input order.

    At most `most_open` portions are read beyond the row whose turn it is: the bound on memory.
    An error of the input or of a worker is raised where its row would be: everything before it is
    given out first, as it is when one process does it all.
    """

    def __init__(self, records: Iterable[RecordT], portion: Portion, most_open: int) -> None:
        self.most_open = most_open
        self._records = iter(records)
        self._portion = portion
        self._held: RecordT | None = None
        self._returned: list[tuple[int, Piece[RecordT]]] = []
        self._settled: dict[int, tuple[Sequence[Row], Exception | None]] = {}
        self._ends: deque[int] = deque()
        self._read = self._given = 0
        self._input_error: Exception | None = None
        self.is_exhausted = False
        self.is_input_slow = False

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

    def put_back(self, piece: Piece[RecordT], parts: int = 1) -> None:
        """Records that were not answered after all; they are handed out next, in `parts`."""
        if not piece.records:
            return
        size = -(-len(piece.records) // parts)
        for begin in range(0, len(piece.records), size):
            part = piece.part(begin, begin + size)
            heapq.heappush(self._returned, (part.start, part))

    def settle(
        self, piece: Piece[RecordT], rows: Sequence[Row], error: Exception | None = None
    ) -> None:
        """The rows of a piece, from its first record on; the rest of it is shared out anew."""
        self._settled[piece.start] = rows, error
        if error is None:
            self.put_back(piece.part(len(rows)), parts=2)

    def settle_one(self, piece: Piece[RecordT], index: int, row: Row) -> None:
        """The row of one record in a piece; the others are shared out anew."""
        self.put_back(piece.part(0, index))
        self._settled[piece.start + index] = [row], None
        self.put_back(piece.part(index + 1))

    def rows(self) -> Iterator[Row]:
        """The rows whose turn it is."""
        while self._given in self._settled:
            rows, error = self._settled.pop(self._given)
            for row in rows:
                self._given += 1
                yield row
            if error is not None:
                raise error
        while self._ends and self._ends[0] <= self._given:
            self._ends.popleft()
        if self.is_finished and self._input_error is not None:
            raise self._input_error

    def _read_piece(self) -> Piece[RecordT] | None:
        begin, begin_cpu = time.monotonic(), time.thread_time()
        records: list[RecordT] = []
        characters = 0
        # Whoever writes slowly into a pipe wants each answer soon, not 64 of them later.
        while not records or time.monotonic() - begin < _MOST_SECONDS_TO_FILL:
            record = self._next_record()
            if record is None:
                break
            characters += len(record.text)
            if records and characters > self._portion.characters:
                self._held = record
                break
            records.append(record)
            if len(records) == self._portion.records:
                break
        waited = (time.monotonic() - begin) - (time.thread_time() - begin_cpu)
        self.is_input_slow = waited > _SLOW_SECONDS
        if not records:
            return None
        piece = Piece(self._read, records)
        self._read += len(records)
        self._ends.append(self._read)
        return piece

    def _next_record(self) -> RecordT | None:
        if self._held is not None:
            record, self._held = self._held, None
            return record
        if self.is_exhausted:
            return None
        try:
            return next(self._records)
        except StopIteration:
            pass
        except Exception as error:
            self._input_error = error
        self.is_exhausted = True
        return None
