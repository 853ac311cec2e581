"""Many boards at once: for each candidate a *lane*, an integer with one bit for each board.

    the lane of (r1c1, 5):  0b0110...   it is on in the second and the third board

One operation of Python on two lanes is done for a thousand boards, and costs hardly more than for
one. The lanes of all candidates are in the order of digits, and of cells for each digit.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from satdoku.bulk.octets import Octets

Lanes = Sequence[int]

_OFF, _ON = b"01"
_BIT_OF = bytes(number == _ON for number in range(256))


class Transposer:
    """Turns boards of one geometry into lanes, and lanes into boards."""

    def __init__(self, octets: Octets) -> None:
        size = octets.geometry.size
        self._octets = octets
        self._cell_count = octets.geometry.cell_count
        self._digits = range(1, size + 1)
        self._powers = range(size.bit_length())
        self._tables = [
            bytes(_ON if number == digit else _OFF for number in range(256))
            for digit in self._digits
        ]
        self.order = [(cell, digit) for digit in self._digits for cell in range(self._cell_count)]
        """Whose lanes these are: cell and digit."""

    def read(self, boards: Sequence[bytes]) -> Lanes:
        """Lanes that are on where a board, one byte a cell, has the digit."""
        text = b"".join(boards)
        columns = [text[cell :: self._cell_count] for cell in range(self._cell_count)]
        # Text in base 2 is the quickest way from bytes to bits, and back.
        return [int(column.translate(table), 2) for table in self._tables for column in columns]

    def write_octets(self, lanes: Lanes, count: int) -> Iterator[bytes]:
        """The octets of each of `count` boards: 1 where the lane is on, 0 elsewhere."""
        width = self._octets.width
        text = bytearray(width * count)
        for lane, (cell, digit) in zip(lanes, self.order, strict=True):
            text[self._octets.place(cell, digit) :: width] = _spread(lane, count)
        return _cut(text.translate(_BIT_OF), width)

    def write_digits(self, lanes: Lanes, count: int) -> Iterator[bytes]:
        """One byte a cell for each of `count` boards: the digit whose lane is on, or 0."""
        ones = int.from_bytes(b"\1" * count, "big")
        text = bytearray(self._cell_count * count)
        for cell in range(self._cell_count):
            of_digits = [0, *lanes[cell :: self._cell_count]]
            column = 0
            for power in self._powers:
                lane = reduce(or_, (on for digit, on in enumerate(of_digits) if digit >> power & 1))
                column |= (int.from_bytes(_spread(lane, count), "big") & ones) << power
            text[cell :: self._cell_count] = column.to_bytes(count, "big")
        return _cut(text, self._cell_count)


def part(lanes: Lanes, count: int) -> list[Lanes]:
    """So many at a time."""
    return [lanes[begin : begin + count] for begin in range(0, len(lanes), count)]


def unite(lists: Iterable[Lanes]) -> Lanes:
    """Lane by lane, what is in any of the lists."""
    return reduce(lambda some, more: list(map(or_, some, more)), lists)


def meet(lists: Iterable[Lanes]) -> Lanes:
    """Lane by lane, what is in all of the lists."""
    return reduce(lambda some, more: list(map(and_, some, more)), lists)


def _spread(lane: int, count: int) -> bytes:
    return format(lane, f"0{count}b").encode("ascii")


def _cut(text: bytearray, size: int) -> Iterator[bytes]:
    return (bytes(text[begin : begin + size]) for begin in range(0, len(text), size))
