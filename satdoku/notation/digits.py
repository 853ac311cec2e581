"""From the texts of cells to digits, fast when all is well and exact when something is not."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isqrt
from typing import NoReturn

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.symbols import (
    LETTERS,
    NUMBERS,
    UNKNOWN,
    Alphabet,
    SymbolTable,
    find_alphabets,
    possible_alphabets,
    symbol_table,
)
from satdoku.puzzle.geometry import Geometry

Place = tuple[int, int]
PlaceOf = Callable[[int], Place]

_LONGEST_QUOTE = 20
# Python refuses to read thousands.
_MOST_DIGITS = 9


def quote(text: str) -> str:
    """A piece of input as an error message shows it: on one line, and not too long."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "...")


def read_number(text: str) -> int | None:
    """The number that a text spells; None for words, and for more digits than anybody means.

    >>> read_number("16"), read_number("x"), read_number("9" * 5000)
    (16, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def has_boxes(size: int) -> bool:
    """Whether a board of `size` digits has boxes that are neither rows nor columns."""
    return size > 3 and any(size % rows == 0 for rows in range(2, isqrt(size) + 1))


@lru_cache(maxsize=1024)
def size_of_count(count: int, wanted: int | None = None) -> int | None:
    """The size of the board with that many cells, None if there is none (or not the wanted one)."""
    size = isqrt(count)
    if size * size != count or (size != wanted if wanted else not has_boxes(size)):
        return None
    return size


def nearest_size(count: int, wanted: int | None) -> int:
    """The size of the board whose number of cells comes nearest, if none is wanted."""
    near = range(max(4, isqrt(count) - 4), isqrt(count) + 6)
    return wanted or min(filter(has_boxes, near), key=lambda size: abs(size * size - count))


def count_fault(count: int, size: int) -> str:
    """What is wrong with that many cells."""
    return f"{count_cells(count)} found, expected {size * size} for {size}x{size}"


def count_cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def decide_geometry(size: int, wanted: Geometry | None, shown: Geometry | None = None) -> Geometry:
    """The box shape: as the text shows it, as the user wants it, or the usual one."""
    if wanted is not None and wanted.size != size:
        raise FormatError(
            f"a board of {size}x{size} found, but --box {wanted} makes {wanted.size}x{wanted.size}"
        )
    if wanted is not None and shown not in (None, wanted):
        raise FormatError(f"the text shows boxes of {shown}, but --box says {wanted}")
    if wanted is None and shown is None and not has_boxes(size):
        raise FormatError(
            f"a board of {size}x{size} has no boxes but its rows or columns; "
            f"if that is meant, say --box 1x{size}"
        )
    return wanted or shown or Geometry.of_size(size)


def read_digits(
    cells: str | Sequence[str], size: int, alphabet: Alphabet | None, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    """The digit of each cell, 0 for a blank; `cells` is one string when each is one character.

    `place_of(n)` finds line and column of the n-th cell; it is asked only when there is a fault.
    """
    try:
        if not isinstance(cells, str):
            return _read_tokens(cells, size, alphabet, place_of, source)
        table = symbol_table(choose_alphabet(cells, size, alphabet), size)
        return _read_characters(cells, table, place_of, source)
    except FormatError as error:
        if error.line:
            raise
        raise FormatError(error.message, source, *place_of(0)) from None
    except SatdokuError as error:
        raise FormatError(str(error), source, *place_of(0)) from None


def choose_alphabet(characters: str, size: int, wanted: Alphabet | None = None) -> Alphabet:
    """The alphabet of cells that are one character each; refused where it is not clear."""
    if wanted is not None and not wanted.is_numbers:
        return wanted
    if wanted is not None and size > 9:
        raise FormatError("numbers above 9 need something between them, such as spaces")
    fitting = find_alphabets(characters, size)
    if len(fitting) > 1:
        names = " or ".join(alphabet.name for alphabet in fitting)
        raise FormatError(f"it is not clear which symbols are meant; say --alphabet {names}")
    if fitting:
        return fitting[0]
    if not possible_alphabets(size):
        raise FormatError(
            f"a board of {size}x{size} needs separated numbers, or --alphabet with {size} symbols"
        )
    letters_only = LETTERS in possible_alphabets(size) and not set(characters) & set("123456789")
    return LETTERS if letters_only else possible_alphabets(size)[0]


def _read_characters(
    cells: str, table: SymbolTable, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    if table.byte_values is not None and cells.isascii():
        values = cells.encode("ascii").translate(table.byte_values)
        if UNKNOWN not in values:
            _refuse_two_meanings(cells, table)
            return tuple(values)
    _refuse_two_meanings(cells, table)
    return _look_up(cells, table, place_of, source)


def _refuse_two_meanings(cells: str, table: SymbolTable) -> None:
    """Where X is a digit, an x among capitals (or an X among small letters) may be a blank."""
    if not table.digit_of["x"] or not ("x" in cells or "X" in cells):
        return
    if cells != cells.upper() and cells != cells.lower():
        raise FormatError("x may be a digit or a blank here; write blanks as dots")


def _read_tokens(
    tokens: Sequence[str], size: int, alphabet: Alphabet | None, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    if alphabet is None and size > 9 and any(t.isalpha() and t not in "xX" for t in tokens):
        alphabet = choose_alphabet("".join(t for t in tokens if len(t) == 1), size)
    table = symbol_table(alphabet or NUMBERS, size)
    if not (alphabet or NUMBERS).is_numbers:
        _refuse_two_meanings("".join(tokens), table)
    return _look_up(tokens, table, place_of, source)


def _look_up(
    cells: Sequence[str], table: SymbolTable, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    try:
        return tuple(map(table.digit_of.__getitem__, cells))
    except KeyError:
        return _report_unknown(cells, table, place_of, source)


def _report_unknown(
    cells: Sequence[str], table: SymbolTable, place_of: PlaceOf, source: str
) -> NoReturn:
    index = next(n for n, cell in enumerate(cells) if cell not in table.digit_of)
    message = f"{quote(cells[index])} is not {table.expected}"
    raise FormatError(message, source, *place_of(index))
