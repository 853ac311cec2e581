"""QR codes of texts such as links, as rows of dark and light modules (ISO/IEC 18004).

The text is encoded as bytes of UTF-8, in the smallest symbol that holds it. A symbol of version v
has 17 + 4 v modules a side; the table below says how many codewords of each version are for error
correction.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise, product
from typing import NamedTuple

from satdoku.errors import SatdokuError

Modules = tuple[tuple[bool, ...], ...]
"""The rows of a symbol from the top; True is dark. They do not include the margin of 4 light
modules.
"""

MARGIN = 4
"""The width of the light margin that scanners need around a symbol."""


class _Level(NamedTuple):
    """A level of error correction: its two bits, and for each version the correction codewords of a
    block and the number of blocks.
    """

    bits: int
    correction: tuple[int, ...]
    blocks: tuple[int, ...]


# Correction codewords of a block, and the number of blocks, for the versions 1 to 40.
_LOW = _Level(
    0b01,
    (7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
     28, 28, 30, 30, 26, 28, *[30] * 14),
    (1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
     8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25),
)  # fmt: skip
_MEDIUM = _Level(
    0b00,
    (10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
     26, *[28] * 19),
    (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
     17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49),
)  # fmt: skip
_LAST_VERSION = 40
# The mode indicator for bytes, and the bytes that fill up the rest of the data.
_BYTES, _PADDING = 0b0100, (0xEC, 0x11)
# From this version on, the number of bytes is written with 16 bits instead of 8.
_FIRST_WITH_LONG_LENGTH = 10
# From this version on, the symbol contains its version number.
_FIRST_WITH_VERSION = 7
# Generators of the codes that protect format and version, and the mask of the format.
_FORMAT_CODE, _VERSION_CODE, _FORMAT_MASK = 0x537, 0x1F25, 0x5412

_MASKS: tuple[Callable[[int, int], int], ...] = (
    lambda row, column: (row + column) % 2,
    lambda row, column: row % 2,
    lambda row, column: column % 3,
    lambda row, column: (row + column) % 3,
    lambda row, column: (row // 2 + column // 3) % 2,
    lambda row, column: row * column % 2 + row * column % 3,
    lambda row, column: (row * column % 2 + row * column % 3) % 2,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2,
)
"""For each mask, a function of row and column that is 0 where the mask inverts the module."""


# A drawing calls this twice: for its size, and for its modules.
@lru_cache(maxsize=8)
def qr_code(text: str) -> Modules:
    """Return the symbol of a text; raise SatdokuError if it is longer than any symbol holds.

    >>> code = qr_code("https://sudokupad.app")
    >>> len(code), code[0][:8]
    (25, (True, True, True, True, True, True, True, False))
    """
    data = text.encode()
    version, level = _smallest(len(data))
    codewords = _interleaved(_data_codewords(data, version, level), version, level)
    symbols = (_Symbol(version, codewords, level, mask) for mask in range(len(_MASKS)))
    best = min(symbols, key=lambda symbol: _penalty(symbol.rows))
    return tuple(map(tuple, best.rows))


def _smallest(length: int) -> tuple[int, _Level]:
    """Return the smallest version for so many bytes, with the better correction level if it has
    room.
    """
    for version in range(1, _LAST_VERSION + 1):
        header = 4 + (16 if version >= _FIRST_WITH_LONG_LENGTH else 8)
        for level in (_MEDIUM, _LOW):
            if header + 8 * length <= 8 * _data_count(version, level):
                return version, level
    raise SatdokuError(f"a QR code holds up to 2,953 characters, and this link has {length:,}")


def _data_count(version: int, level: _Level) -> int:
    """Return how many codewords of a symbol hold data; the others are for error correction."""
    correction = level.correction[version - 1] * level.blocks[version - 1]
    return _module_count(version) // 8 - correction


def _module_count(version: int) -> int:
    """Return how many modules hold codewords: all except patterns, format and version."""
    count = (16 * version + 128) * version + 64
    if version > 1:
        aligned = version // 7 + 2
        count -= (25 * aligned - 10) * aligned - 55
    return count - (36 if version >= _FIRST_WITH_VERSION else 0)


def _data_codewords(data: bytes, version: int, level: _Level) -> bytes:
    long = version >= _FIRST_WITH_LONG_LENGTH
    bits = f"{_BYTES:04b}{len(data):0{16 if long else 8}b}"
    bits += "".join(f"{byte:08b}" for byte in data)
    count = _data_count(version, level)
    bits += "0" * min(4, 8 * count - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    padding = [_PADDING[n % 2] for n in range(count - len(words))]
    return bytes([*words, *padding])


def _interleaved(data: bytes, version: int, level: _Level) -> bytes:
    """Return the codewords of all blocks, interleaved: first data, then error correction."""
    blocks, correction = level.blocks[version - 1], level.correction[version - 1]
    short, longer = divmod(len(data), blocks)
    parts, at = [], 0
    for number in range(blocks):
        size = short + (number >= blocks - longer)
        parts.append(data[at : at + size])
        at += size
    corrections = [_correct(part, correction) for part in parts]
    columns = (part[n : n + 1] for n in range(short + 1) for part in parts)
    return b"".join(
        [*columns, *(each[n : n + 1] for n in range(correction) for each in corrections)]
    )


# Arithmetic in GF(256): bytes as polynomials over GF(2), modulo x^8 + x^4 + x^3 + x^2 + 1.


def _times(one: int, other: int) -> int:
    product = 0
    for bit in reversed(range(8)):
        product = product << 1 ^ (product >> 7) * 0x11D
        product ^= (other >> bit & 1) * one
    return product


@cache
def _generator(degree: int) -> tuple[int, ...]:
    """Return the coefficients, without the leading 1, of (x - 1)(x - 2)(x - 4)..., `degree`
    factors.
    """
    found, root = [*[0] * (degree - 1), 1], 1
    for _ in range(degree):
        for place in range(degree):
            found[place] = _times(found[place], root)
            if place + 1 < degree:
                found[place] ^= found[place + 1]
        root = _times(root, 2)
    return tuple(found)


def _correct(data: bytes, degree: int) -> bytes:
    """Return the remainder of the data divided by the generator: the correction codewords of a
    block.
    """
    rest = [0] * degree
    for byte in data:
        factor = byte ^ rest.pop(0)
        rest.append(0)
        for place, coefficient in enumerate(_generator(degree)):
            rest[place] ^= _times(coefficient, factor)
    return bytes(rest)


def _with_check(value: int, generator: int) -> int:
    """Return the value followed by its remainder divided by the generator."""
    width = generator.bit_length() - 1
    rest = value << width
    while rest.bit_length() > width:
        rest ^= generator << rest.bit_length() - 1 - width
    return value << width | rest


class _Symbol:
    """The modules of a symbol with one of the masks."""

    def __init__(self, version: int, codewords: bytes, level: _Level, mask: int) -> None:
        self._size = size = 17 + 4 * version
        self.rows = [[False] * size for _ in range(size)]
        self._is_pattern = [[False] * size for _ in range(size)]
        self._draw_patterns(version)
        self._draw_format(_with_check(level.bits << 3 | mask, _FORMAT_CODE) ^ _FORMAT_MASK)
        self._draw_codewords(codewords, mask)

    def _set(self, row: int, column: int, is_dark: bool) -> None:
        self.rows[row][column] = is_dark
        self._is_pattern[row][column] = True

    def _draw_patterns(self, version: int) -> None:
        size = self._size
        for at in range(size):
            self._set(6, at, at % 2 == 0)
            self._set(at, 6, at % 2 == 0)
        for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
            self._draw_square(row, column, 4, light=(2, 4))
        places = _alignment(version)
        corners = {(6, 6), (6, places[-1]), (places[-1], 6)} if places else set()
        for row, column in product(places, places):
            if (row, column) not in corners:
                self._draw_square(row, column, 2, light=(1,))
        if version >= _FIRST_WITH_VERSION:
            bits = _with_check(version, _VERSION_CODE)
            for at in range(18):
                low, high = at // 3, size - 11 + at % 3
                self._set(low, high, bool(bits >> at & 1))
                self._set(high, low, bool(bits >> at & 1))

    def _draw_square(self, row: int, column: int, reach: int, light: Sequence[int]) -> None:
        """Draw a square pattern around a middle; rings at the distances `light` are light."""
        for down, right in product(range(-reach, reach + 1), repeat=2):
            at, beside = row + down, column + right
            if 0 <= at < self._size and 0 <= beside < self._size:
                self._set(at, beside, max(abs(down), abs(right)) not in light)

    def _draw_format(self, bits: int) -> None:
        """Draw level and mask, in both places, and the module that is always dark."""
        size = self._size
        first = [*((at, 8) for at in (0, 1, 2, 3, 4, 5, 7, 8)), (8, 7)]
        first += [(8, at) for at in (5, 4, 3, 2, 1, 0)]
        second = [(8, size - 1 - at) for at in range(8)]
        second += [(size - 7 + at, 8) for at in range(7)]
        for at, places in enumerate(zip(first, second, strict=True)):
            for row, column in places:
                self._set(row, column, bool(bits >> at & 1))
        self._set(size - 8, 8, True)

    def _draw_codewords(self, codewords: bytes, mask: int) -> None:
        inverts = _MASKS[mask]
        bits = chain(byte >> bit & 1 for byte in codewords for bit in reversed(range(8)))
        for row, column in self._free_modules():
            # The modules left after the last codeword count as light.
            self.rows[row][column] = bool(next(bits, 0)) ^ (not inverts(row, column))

    def _free_modules(self) -> Iterator[tuple[int, int]]:
        """Yield the modules of codewords: pairs of columns from the right, upwards and downwards in
        turn.
        """
        size = self._size
        is_upwards = True
        # The column of the vertical timing pattern belongs to no pair.
        for right in [*range(size - 1, 6, -2), 5, 3, 1]:
            for row in reversed(range(size)) if is_upwards else range(size):
                for column in (right, right - 1):
                    if not self._is_pattern[row][column]:
                        yield row, column
            is_upwards = not is_upwards


def _alignment(version: int) -> list[int]:
    """Return the rows, which are also the columns, of the middles of alignment patterns."""
    if version == 1:
        return []
    count, size = version // 7 + 2, 17 + 4 * version
    step = (version * 8 + count * 3 + 5) // (count * 4 - 4) * 2
    return [6, *reversed([size - 7 - step * at for at in range(count - 1)])]


def _penalty(rows: Sequence[Sequence[bool]]) -> int:
    """Return the penalty of a symbol, by the four rules of the standard; a high one is hard to
    read.
    """
    size = len(rows)
    lines = ["".join("01"[module] for module in line) for line in (*rows, *zip(*rows, strict=True))]
    penalty = 0
    for line in lines:
        for run in line.replace("01", "0 1").replace("10", "1 0").split():
            penalty += len(run) - 2 if len(run) >= 5 else 0
        for pattern in ("10111010000", "00001011101"):
            found = line.find(pattern)
            while found >= 0:
                penalty += 40
                found = line.find(pattern, found + 1)
    for above, below in pairwise(rows):
        for at in range(size - 1):
            penalty += 3 * (above[at] == above[at + 1] == below[at] == below[at + 1])
    dark = sum(map(sum, rows))
    # 10 points for each 5 % that the share of dark modules differs from a half.
    return penalty + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
