"""Which character or number stands for which digit."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from satdoku.errors import SatdokuError

BLANKS = ".0_-*?xX"
"""What people write for an empty cell, unless the alphabet makes a digit of it."""

DIGITS, _LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CELL_CHARACTERS = DIGITS + BLANKS
"""What boards of up to nine digits are made of."""

_SERIES = {"1": DIGITS[1:] + _LETTERS, "0": DIGITS + _LETTERS, "A": _LETTERS}
MOST_SYMBOLS = max(map(len, _SERIES.values()))
"""36: the longest row whose cells are single characters, by an alphabet that everybody knows."""

# The blanks that no series has as a digit.
_SURE_BLANKS = set(BLANKS) - set(DIGITS) - set("xX")

UNKNOWN = 255
"""Stands in `SymbolTable.byte_values` for characters that mean nothing; no digit is as large."""

_NUMBERS = "numbers"
_RESERVED = set(" \t\r\n\v\f|+,:;#\"'")
# Python refuses to read numbers of thousands of digits, and no board has a billion.
_MOST_DIGITS = 9


def is_blank(text: str) -> bool:
    """Whether a text has nothing but symbols for an empty cell; so has an empty text."""
    return not text.strip(BLANKS)


def is_number_or_blank(text: str) -> bool:
    """Whether a text may be a cell that is written with more than one character.

    A number is what `int` reads, full-width or Arabic digits included; a raised 2 is none.

    >>> is_number_or_blank("16"), is_number_or_blank(".."), is_number_or_blank("1b")
    (True, True, False)
    """
    return text.isdecimal() or is_blank(text)


def read_number(text: str) -> int | None:
    """The number that a text spells; None for words, and for more digits than anybody means.

    >>> read_number("16"), read_number("x"), read_number("9" * 5000)
    (16, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


class Alphabet:
    """How digits are written: a series by name, or all symbols in order.

    `1` is 1-9 then A-Z, `0` is 0-9 then A-Z (0 is a digit then), `A` is A-Z, `numbers` are decimals
    with something between them; anything else lists the symbols themselves.

    >>> Alphabet("0").symbols(16)
    '0123456789ABCDEF'
    """

    # By hand: a dataclass would take a hundredth of the time of a short command to define.
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name
        if self.name in _SERIES or self.name == _NUMBERS:
            return
        if len(self.name) < 2:
            raise SatdokuError(
                f"{self.name!r} is not an alphabet: use 1, 0, A, numbers, or all symbols in order"
            )
        for index, symbol in enumerate(self.name):
            if symbol in self.name[:index]:
                raise SatdokuError(f"the alphabet {self.name!r} has {symbol!r} twice")
            if symbol in _RESERVED:
                raise SatdokuError(f"{symbol!r} separates cells and cannot be in an alphabet")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alphabet) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Alphabet(name={self.name!r})"

    @property
    def is_numbers(self) -> bool:
        return self.name == _NUMBERS

    @property
    def fixed_size(self) -> int | None:
        """The number of digits, when the symbols are spelled out."""
        return None if self.is_numbers or self.name in _SERIES else len(self.name)

    @property
    def is_counted(self) -> bool:
        """Whether the symbols say other numbers than 1, 2, 3: from 0, or spelled out as digits."""
        if self.fixed_size is None:
            return self.name == "0"
        return self.name.isdecimal() or _SERIES["0"].startswith(self.name)

    def require_size(self, size: int) -> None:
        """Refuse a board that the alphabet has not enough symbols for, or too many."""
        if not self.is_numbers:
            self.symbols(size)

    def symbols(self, size: int) -> str:
        """The symbols of the digits 1 to `size`, in order; not for numbers."""
        series = _SERIES.get(self.name, self.name)
        if len(series) < size or self.fixed_size not in (None, size):
            raise SatdokuError(
                f"the alphabet {self.name!r} has {len(series)} symbols, a board of "
                f"{size}x{size} needs {size}; --alphabet numbers always works"
            )
        return series[:size]


NUMBERS = Alphabet(_NUMBERS)
ONES = Alphabet("1")
ZEROS = Alphabet("0")
LETTERS = Alphabet("A")


class SymbolTable(NamedTuple):
    """An alphabet worked out for one size of board.

    `byte_values` is the same as `digit_of` for `bytes.translate`, where every symbol is one ASCII
    character; bytes that mean nothing become `UNKNOWN`.
    """

    digit_of: Mapping[str, int]
    text_of: tuple[str, ...]
    byte_values: bytes | None
    expected: str


@lru_cache(maxsize=64)
def symbol_table(alphabet: Alphabet, size: int) -> SymbolTable:
    """Both directions between the digits of a board of `size` digits and their texts."""
    if alphabet.is_numbers:
        return _number_table(size)
    symbols = alphabet.symbols(size)
    digit_of = dict(zip(symbols, range(1, size + 1), strict=True))
    for symbol in symbols:
        other_case = symbol.swapcase()
        if len(other_case) == 1:  # the capital of ß is SS, which is no symbol
            digit_of.setdefault(other_case, digit_of[symbol])
    for blank in BLANKS:
        digit_of.setdefault(blank, 0)
    free = [blank for blank in BLANKS if digit_of[blank] == 0]
    if not free:
        raise SatdokuError(f"the alphabet {alphabet.name!r} leaves no symbol for a blank")
    expected = f"a digit {_in_short(alphabet, symbols)} or a blank"
    return SymbolTable(digit_of, (free[0], *symbols), _byte_values(digit_of), expected)


def _number_table(size: int) -> SymbolTable:
    digit_of = {}
    for width in range(1, len(str(size)) + 1):
        digit_of.update({str(n).zfill(width): n for n in range(1, size + 1)})
        digit_of.update({blank * width: 0 for blank in BLANKS})
    texts = (".", *map(str, range(1, size + 1)))
    expected = f"a {'digit' if size < 10 else 'number'} 1-{size} or a blank"
    return SymbolTable(digit_of, texts, None, expected)


def _byte_values(digit_of: Mapping[str, int]) -> bytes | None:
    if max(map(ord, digit_of)) > 127 or max(digit_of.values()) >= UNKNOWN:
        return None
    values = bytearray([UNKNOWN]) * 256
    for symbol, digit in digit_of.items():
        values[ord(symbol)] = digit
    return bytes(values)


def _in_short(alphabet: Alphabet, symbols: str) -> str:
    """`1-9A-G` for a series, all symbols for an alphabet that is none."""
    if alphabet.name not in _SERIES:
        return f"of {symbols!r}"
    runs = ["".join(s for s in symbols if s.isdigit()), "".join(s for s in symbols if s.isalpha())]
    return "".join(run if len(run) < 2 else f"{run[0]}-{run[-1]}" for run in runs)


def possible_alphabets(size: int) -> list[Alphabet]:
    """The series that are long enough for a board of `size` digits."""
    return [Alphabet(name) for name, series in _SERIES.items() if size <= len(series)]


def find_alphabets(characters: str, size: int) -> list[Alphabet]:
    """The alphabets that more than nine digits may be written in: one, unless it is ambiguous.

    An alphabet is out when it does not explain a character; 0 beside another blank is taken for a
    digit, because nobody mixes two kinds of blanks there.

    >>> find_alphabets("1..G" * 64, 16), find_alphabets("0..F" * 64, 16)
    ([Alphabet(name='1')], [Alphabet(name='0')])
    >>> len(find_alphabets("1..F" * 64, 16))
    2
    """
    seen = set(characters.upper())
    possible = possible_alphabets(size)
    if len(seen) == 1 and seen <= set(BLANKS):
        return possible[:1]  # an empty board, on which no alphabet differs from another
    fitting = [a for a in possible if seen <= symbol_table(a, size).digit_of.keys()]
    if ZEROS in fitting and "0" in seen and seen & _SURE_BLANKS:
        return [ZEROS]
    return fitting
