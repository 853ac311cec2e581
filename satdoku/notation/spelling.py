"""How the cells of a board are written, and how digits are read from them.

Reading is fast when all is well, and exact when something is not.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from satdoku.errors import FormatError, SatdokuError, quote
from satdoku.notation.record import PlaceOf, with_place
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
from satdoku.puzzle.grid import Grid

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle


T = TypeVar("T")


class Spelling(NamedTuple):
    """The symbols of a board that is written, and whether something stands between them.

    Without an alphabet, up to nine digits are written 1-9, and more digits as numbers.

    >>> from satdoku.puzzle.geometry import Geometry
    >>> grid = Grid.empty(Geometry(2, 2)).with_digits({0: 4, 5: 2})
    >>> write_cells(grid)
    '4....2..........'
    >>> write_cells(grid, Spelling(blank="0", is_spaced=True))
    '4 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0'
    """

    alphabet: Alphabet | None = None
    blank: str = "."
    is_spaced: bool = False

    def alphabet_for(self, size: int) -> Alphabet:
        """The alphabet for boards of this size; numbers up to nine are the same as 1-9."""
        if self.alphabet is not None and not (self.alphabet.is_numbers and size < 10):
            return self.alphabet
        return ONES if size < 10 else NUMBERS

    def separator(self, size: int) -> str:
        """What stands between two cells: nothing, unless they are numbers that may be longer."""
        return " " if self.is_spaced or self.alphabet_for(size).is_numbers else ""

    def names(self, size: int) -> list[str]:
        """What to write for each digit; first what stands for none."""
        names = list(symbol_table(self.alphabet_for(size), size).text_of)
        if self.blank not in names[1:]:  # else it is a digit, and the alphabet has another blank
            names[0] = self.blank
        return names

    def texts(self, grid: Grid) -> list[str]:
        """What to write for each cell."""
        names = self.names(grid.geometry.size)
        return [names[digit] for digit in grid.digits]


USUAL = Spelling()


def spelling_of(cells: str | Sequence[str], size: int, alphabet: Alphabet | None) -> Spelling:
    """How these cells of a board are written; `alphabet` is what the user says."""
    if alphabet is not None or size < 10:
        return Spelling(alphabet)
    return Spelling(alphabet_of(cells, size))


def spelling_by_symbols(puzzle: "Puzzle", wanted: Spelling = USUAL) -> Spelling:
    """How to write a puzzle: with the symbols of its source, unless others are wanted."""
    return _with_symbols(puzzle.shown_symbols, wanted)


def spelling_by_rules(puzzle: "Puzzle", wanted: Spelling = USUAL) -> Spelling:
    """How to write a solution: with the digits that a rule such as `digits:0-8` says, if any."""
    return _with_symbols(puzzle.symbols_of_rules, wanted)


def _with_symbols(symbols: Sequence[str], wanted: Spelling) -> Spelling:
    if wanted.alphabet is not None or not symbols:
        return wanted
    return wanted._replace(alphabet=Alphabet("".join(symbols)))


def write_cells(grid: Grid, spelling: Spelling = USUAL) -> str:
    """All cells on one line, with spaces where they are wider than a character."""
    return spelling.separator(grid.geometry.size).join(spelling.texts(grid))


def write_rows(grid: Grid, spelling: Spelling = USUAL) -> list[str]:
    """A line for each row; numbers stand in columns."""
    size = grid.geometry.size
    separator = spelling.separator(size)
    return [separator.join(row) for row in split_every(align(spelling.texts(grid)), size)]


def align(texts: Sequence[str]) -> list[str]:
    """The texts, all as wide as the widest, to the right."""
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]


def split_every(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """The items in pieces of `count`, as a board in rows, or a row in boxes.

    >>> split_every("123456", 3)
    ['123', '456']
    """
    return [items[start : start + count] for start in range(0, len(items), count)]


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
