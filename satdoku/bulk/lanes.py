"""Lanes: integers that stand for one candidate on many boards, one bit for each board.

    the lane of r1c1 with 5:  0b0110    its candidate is on in the second and the third board

One operation of Python on two lanes works on all boards, and costs hardly more for a thousand than
for one. A list of lanes has one for each candidate, in the order of digits and, within a digit, of
cells.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from satdoku.deducing.layout import ByteLayout

Lanes = Sequence[int]

_OFF, _ON = b"01"
_BIT_OF = bytes(character == _ON for character in range(256))


class Transposer:
    """Turns the boards of one geometry into lanes, and lanes into boards."""

    def __init__(self, layout: ByteLayout) -> None:
        size = layout.geometry.size
        self._layout = layout
        self._cell_count = layout.geometry.cell_count
        self._digits = range(1, size + 1)
        self._bits_of_a_digit = range(size.bit_length())
        self._tables = [
            bytes(_ON if number == digit else _OFF for number in range(256))
            for digit in self._digits
        ]
        self.order = [(cell, digit) for digit in self._digits for cell in range(self._cell_count)]
        """The cell and digit of each lane."""

    def read(self, boards: Sequence[bytes]) -> Lanes:
        """Lanes that are on where a board, one byte a cell, has the digit."""
        text = b"".join(boards)
        columns = [text[cell :: self._cell_count] for cell in range(self._cell_count)]
        # Text in base 2 is the fastest way from bytes to bits, and back: b"0110" becomes 0b0110.
        return [int(column.translate(table), 2) for table in self._tables for column in columns]

    def write_candidates(self, lanes: Lanes, count: int) -> Iterator[bytes]:
        """For each of `count` boards a byte for each candidate: 1 where its lane is on, else 0."""
        width = self._layout.width
        text = bytearray(width * count)
        for lane, (cell, digit) in zip(lanes, self.order, strict=True):
            text[self._layout.place(cell, digit) :: width] = _write_bits(lane, count)
        return _cut(text.translate(_BIT_OF), width)

    def write_digits(self, lanes: Lanes, count: int) -> Iterator[bytes]:
        """For each of `count` boards one byte a cell: the digit whose lane is on, or 0.

        A cell's digits are put together bit by bit: the lowest bit of them is on where the lane of
        1, 3, 5, 7 or 9 is.
        """
        # Big-endian throughout: the first board is the highest byte, as it is the first character.
        ones = int.from_bytes(b"\1" * count, "big")
        text = bytearray(self._cell_count * count)
        for cell in range(self._cell_count):
            of_digits = [0, *lanes[cell :: self._cell_count]]
            column = 0
            for bit in self._bits_of_a_digit:
                lane = reduce(or_, (on for digit, on in enumerate(of_digits) if digit >> bit & 1))
                # The characters 0 and 1 end in the bits 0 and 1: `ones` keeps just these.
                column |= (int.from_bytes(_write_bits(lane, count), "big") & ones) << bit
            text[cell :: self._cell_count] = column.to_bytes(count, "big")
        return _cut(text, self._cell_count)


def chunks(lanes: Lanes, count: int) -> list[Lanes]:
    """The lanes in chunks of `count`."""
    return [lanes[begin : begin + count] for begin in range(0, len(lanes), count)]


def unite(lists: Iterable[Lanes]) -> Lanes:
    """Lane by lane, what is on in any of the lists."""
    return reduce(lambda some, more: list(map(or_, some, more)), lists)


def intersect(lists: Iterable[Lanes]) -> Lanes:
    """Lane by lane, what is on in all of the lists."""
    return reduce(lambda some, more: list(map(and_, some, more)), lists)


def _write_bits(lane: int, count: int) -> bytes:
    """The bits of a lane as characters, the first board first."""
    return format(lane, f"0{count}b").encode("ascii")


def _cut(text: bytearray, size: int) -> Iterator[bytes]:
    return (bytes(text[begin : begin + size]) for begin in range(0, len(text), size))
