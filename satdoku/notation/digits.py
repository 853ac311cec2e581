"""From the texts of cells to digits, fast when all is well and exact when something is not."""

from collections.abc import Sequence
from typing import NoReturn

from satdoku.errors import FormatError, SatdokuError, quote
from satdoku.notation.places import PlaceOf, with_place
from satdoku.notation.symbols import (
    DIGITS,
    LETTERS,
    NUMBERS,
    ONES,
    UNKNOWN,
    Alphabet,
    SymbolTable,
    find_alphabets,
    is_blank,
    possible_alphabets,
    symbol_table,
)


def read_digits(
    cells: str | Sequence[str], size: int, alphabet: Alphabet | None, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    """The digit of each cell, 0 for a blank; `cells` is one string when each is one character.

    `place_of(n)` finds line and column of the n-th cell; it is asked only when there is a fault.
    """
    try:
        alphabet = alphabet_of(cells, size, alphabet)
        table = symbol_table(alphabet, size)
        if not alphabet.is_numbers:
            _refuse_two_meanings(cells, table)
        return _read_bytes(cells, table) or _look_up(cells, table, place_of, source)
    except SatdokuError as error:
        raise with_place(error, source, place_of(0)) from None


def alphabet_of(cells: str | Sequence[str], size: int, wanted: Alphabet | None = None) -> Alphabet:
    """The alphabet that cells are written in: as the user says, or one that fits them."""
    if isinstance(cells, str):
        return choose_alphabet(cells, size, wanted)
    if wanted is None and size > 9 and any(text.isalpha() and not is_blank(text) for text in cells):
        return choose_alphabet("".join(text for text in cells if len(text) == 1), size)
    return wanted or NUMBERS


def choose_alphabet(characters: str, size: int, wanted: Alphabet | None = None) -> Alphabet:
    """The alphabet of cells that are one character each; refused where it is not clear."""
    if wanted is not None and not wanted.is_numbers:
        return wanted
    if size < 10:
        return ONES  # all that is usual; letters have to be asked for
    if wanted is not None:
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
    # No alphabet fits: the fault is a single symbol, so let the likeliest one report it.
    letters_only = LETTERS in possible_alphabets(size) and not set(characters) & set(DIGITS[1:])
    return LETTERS if letters_only else possible_alphabets(size)[0]


def _refuse_two_meanings(cells: str | Sequence[str], table: SymbolTable) -> None:
    """Where X is a digit, an x among capitals (or an X among small letters) may be a blank."""
    if not table.digit_of["x"] or not ("x" in cells or "X" in cells):
        return
    text = "".join(cells)
    if text != text.upper() and text != text.lower():
        raise FormatError("x may be a digit or a blank here; write blanks as dots")


def _read_bytes(cells: str | Sequence[str], table: SymbolTable) -> tuple[int, ...] | None:
    """All digits at once, if the cells are ASCII characters of the table."""
    if table.byte_values is None or not isinstance(cells, str) or not cells.isascii():
        return None
    values = cells.encode("ascii").translate(table.byte_values)
    return None if UNKNOWN in values else tuple(values)


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
