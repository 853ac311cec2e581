"""How the cells of a board are written, and how digits are read from them.

Reading has a fast path for valid cells, and a slow one that locates the fault.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from math import isqrt
from typing import NamedTuple, NoReturn, TypeVar

from satdoku.errors import FormatError, SatdokuError, count_of, quote
from satdoku.notation.record import PlaceOf, with_place
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle

# Alphabets: which character or number stands for which digit.

BLANKS = ".0_-*?xX"
"""Characters for an empty cell, unless the alphabet has them as digits."""

DIGITS, _LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CELL_CHARACTERS = DIGITS + BLANKS
"""The characters of boards of up to nine digits."""

_SERIES = {"1": DIGITS[1:] + _LETTERS, "0": DIGITS + _LETTERS, "A": _LETTERS}
MOST_SYMBOLS = max(map(len, _SERIES.values()))
"""36: the longest row whose cells are single characters of a well-known alphabet."""

# Blanks that are a digit in no alphabet.
_SURE_BLANKS = set(BLANKS) - set(DIGITS) - set("xX")

UNKNOWN = 255
"""Marks characters without a meaning in `SymbolTable.byte_values`; no digit is as large."""

_NUMBERS = "numbers"
_RESERVED = set(" \t\r\n\v\f|+,:;#\"'")
# Longest number: Python refuses to parse thousands of digits, and no board has a billion.
_MOST_DIGITS = 9


def is_blank(text: str) -> bool:
    """Whether a text has only symbols for an empty cell; also true for an empty text."""
    return not text.strip(BLANKS)


def remark_on_blanks(text: str) -> str:
    """Return a message if x stands for an empty cell beside another sign for one; else empty.

    One of the two may be a slip.

    >>> remark_on_blanks("5x..7"), remark_on_blanks("5xxx7")
    ("x is read as an empty cell, just as '.'", '')
    """
    if "x" not in text.lower():
        return ""
    # A name may follow the cells of a line.
    cells = "".join(
        word
        for line in text.replace("|", " ").split("\n")
        for word in takewhile(lambda each: not each.strip(CELL_CHARACTERS), line.split())
    )
    sign = next((each for each in "xX" if each in cells), "")
    # Dashes and stars may be borders.
    other = next((each for each in "._0" if each in cells), "")
    return f"{sign} is read as an empty cell, just as {other!r}" if sign and other else ""


def is_number_or_blank(text: str) -> bool:
    """Whether a text may be a cell that is written with more than one character.

    A number is what `int` accepts, full-width and Arabic digits included; a superscript 2 is not.

    >>> is_number_or_blank("16"), is_number_or_blank(".."), is_number_or_blank("1b")
    (True, True, False)
    """
    return text.isdecimal() or is_blank(text)


def read_number(text: str) -> int | None:
    """Return the number that a text spells; None for words and for too many digits.

    >>> read_number("16"), read_number("x"), read_number("9" * 5000)
    (16, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


class Alphabet:
    """How digits are written: a series by name, or all symbols in order.

    `1` is 1-9 then A-Z, `0` is 0-9 then A-Z (0 is a digit then), `A` is A-Z, `numbers` are decimals
    with separators; any other name lists the symbols themselves.

    >>> Alphabet("0").symbols(16)
    '0123456789ABCDEF'
    """

    # This class is written by hand: defining a dataclass would take a hundredth of the time of a
    # short command.
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
        """Return the number of digits if the symbols are spelled out, else None."""
        return None if self.is_numbers or self.name in _SERIES else len(self.name)

    @property
    def is_counted(self) -> bool:
        """Whether symbols are numbers other than 1, 2, 3: from 0, or spelled-out digits."""
        if self.fixed_size is None:
            return self.name == "0"
        return self.name.isdecimal() or _SERIES["0"].startswith(self.name)

    def require_size(self, size: int) -> None:
        """Refuse a board for which the alphabet has too few symbols, or too many."""
        if not self.is_numbers:
            self.symbols(size)

    def symbols(self, size: int) -> str:
        """Return the symbols of the digits 1 to `size`, in order; not for `numbers`."""
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
    """The tables of an alphabet for one size of board.

    `byte_values` is `digit_of` as a table for `bytes.translate`, if every symbol is one ASCII
    character; other bytes become `UNKNOWN`.
    """

    digit_of: Mapping[str, int]
    text_of: tuple[str, ...]
    byte_values: bytes | None
    expected: str


@lru_cache(maxsize=64)
def symbol_table(alphabet: Alphabet, size: int) -> SymbolTable:
    """Return the tables between digits and symbols, in both directions."""
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
    """Return an abbreviation: `1-9A-G` for a series, all symbols for other alphabets."""
    if alphabet.name not in _SERIES:
        return f"of {symbols!r}"
    runs = ["".join(s for s in symbols if s.isdigit()), "".join(s for s in symbols if s.isalpha())]
    return "".join(run if len(run) < 2 else f"{run[0]}-{run[-1]}" for run in runs)


def possible_alphabets(size: int) -> list[Alphabet]:
    """Return the series that are long enough for a board of `size` digits."""
    return [Alphabet(name) for name, series in _SERIES.items() if size <= len(series)]


def find_alphabets(characters: str, size: int) -> list[Alphabet]:
    """Return the alphabets that fit more than nine digits: one, unless it is ambiguous.

    An alphabet is excluded if it lacks a character. 0 beside another blank is taken for a digit,
    because nobody mixes two kinds of blanks there.

    >>> find_alphabets("1..G" * 64, 16), find_alphabets("0..F" * 64, 16)
    ([Alphabet(name='1')], [Alphabet(name='0')])
    >>> len(find_alphabets("1..F" * 64, 16))
    2
    """
    seen = set(characters.upper())
    possible = possible_alphabets(size)
    if len(seen) == 1 and seen <= set(BLANKS):
        return possible[:1]  # an empty board is the same in all alphabets
    fitting = [a for a in possible if seen <= symbol_table(a, size).digit_of.keys()]
    if ZEROS in fitting and "0" in seen and seen & _SURE_BLANKS:
        return [ZEROS]
    return fitting


T = TypeVar("T")


class Spelling(NamedTuple):
    """The symbols with which a board is written, and whether cells are separated.

    Without an alphabet, up to nine digits are written 1-9, and more digits as numbers.

    >>> from satdoku.puzzle.grid import Geometry
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
        """Return the alphabet for boards of this size; numbers up to nine are the same as 1-9."""
        if self.alphabet is not None and not (self.alphabet.is_numbers and size < 10):
            return self.alphabet
        return ONES if size < 10 else NUMBERS

    def separator(self, size: int) -> str:
        """Return the separator of two cells: empty unless cells may be longer than a character."""
        return " " if self.is_spaced or self.alphabet_for(size).is_numbers else ""

    def names(self, size: int) -> list[str]:
        """Return the text for each digit; the first entry is the blank."""
        names = list(symbol_table(self.alphabet_for(size), size).text_of)
        if self.blank not in names[1:]:  # otherwise it is a digit: keep the usual blank
            names[0] = self.blank
        return names

    def texts(self, grid: Grid) -> list[str]:
        """Return the text for each cell."""
        names = self.names(grid.geometry.size)
        return [names[digit] for digit in grid.digits]


USUAL = Spelling()


def spelling_of(cells: str | Sequence[str], size: int, alphabet: Alphabet | None) -> Spelling:
    """Return the spelling of these cells; `alphabet` is the user's choice, if any."""
    if alphabet is not None or size < 10:
        return Spelling(alphabet)
    return Spelling(alphabet_of(cells, size))


def spelling_by_symbols(puzzle: Puzzle, wanted: Spelling = USUAL) -> Spelling:
    """Return the spelling of a puzzle: the symbols of its source, unless others are wanted."""
    return _with_symbols(puzzle.shown_symbols, wanted)


def spelling_by_rules(puzzle: Puzzle, wanted: Spelling = USUAL) -> Spelling:
    """Return `wanted`; if it names no alphabet, with the symbols of a rule such as `digits:0-8`."""
    return _with_symbols(puzzle.symbols_of_rules, wanted)


def _with_symbols(symbols: Sequence[str], wanted: Spelling) -> Spelling:
    if wanted.alphabet is not None or not symbols:
        return wanted
    return wanted._replace(alphabet=Alphabet("".join(symbols)))


def write_cells(grid: Grid, spelling: Spelling = USUAL) -> str:
    """Return all cells on one line, with spaces if cells are wider than a character."""
    return spelling.separator(grid.geometry.size).join(spelling.texts(grid))


def write_rows(grid: Grid, spelling: Spelling = USUAL) -> list[str]:
    """Return a line for each row; numbers are aligned in columns."""
    size = grid.geometry.size
    separator = spelling.separator(size)
    return [separator.join(row) for row in split_every(align(spelling.texts(grid)), size)]


def cells_beside(grid: Grid, spelling: Spelling) -> dict[str, object]:
    """Return the digits of the cells beside a board by their names, empty cells left out."""
    board = grid.geometry
    is_counted = spelling.alphabet is not None and spelling.alphabet.is_counted
    texts: Sequence[object] = spelling.texts(grid) if is_counted else grid.digits
    cells = range(board.board_count, board.cell_count)
    found = {board.name_of(cell): texts[cell] for cell in cells if grid.digits[cell]}
    if is_counted:
        return {name: int(str(text)) for name, text in found.items()}
    return found


def align(texts: Sequence[str]) -> list[str]:
    """Return the texts right-aligned to the width of the widest."""
    width = max(map(len, texts), default=0)
    return [text.rjust(width) for text in texts]


def split_every(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """Split items into pieces of `count`, as a board into rows, or a row into boxes.

    >>> split_every("123456", 3)
    ['123', '456']
    """
    return [items[start : start + count] for start in range(0, len(items), count)]


def read_digits(
    cells: str | Sequence[str], size: int, alphabet: Alphabet | None, place_of: PlaceOf, source: str
) -> tuple[int, ...]:
    """Return the digit of each cell, 0 for a blank.

    `cells` is one string if each is one character. `place_of(n)` returns line and column of the
    n-th cell; it is called only for a fault.
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
    """Return the alphabet of cells: the user's choice, or one that fits them."""
    if isinstance(cells, str):
        return choose_alphabet(cells, size, wanted)
    if wanted is None and size > 9 and any(text.isalpha() and not is_blank(text) for text in cells):
        return choose_alphabet("".join(text for text in cells if len(text) == 1), size)
    return wanted or NUMBERS


def choose_alphabet(characters: str, size: int, wanted: Alphabet | None = None) -> Alphabet:
    """Return the alphabet of cells of one character each; an error if it is ambiguous."""
    if wanted is not None and not wanted.is_numbers:
        return wanted
    if size < 10:
        return ONES  # the usual one; letters have to be asked for
    if wanted is not None:
        raise FormatError("numbers above 9 need separators, such as spaces")
    fitting = find_alphabets(characters, size)
    if len(fitting) > 1:
        names = " or ".join(alphabet.name for alphabet in fitting)
        raise FormatError(f"it is not clear which symbols are meant; use --alphabet {names}")
    if fitting:
        return fitting[0]
    if not possible_alphabets(size):
        raise FormatError(
            f"a board of {size}x{size} needs separated numbers, or --alphabet with {size} symbols"
        )
    # No alphabet fits, so a symbol is wrong: reading with the likeliest alphabet reports it.
    letters_only = LETTERS in possible_alphabets(size) and not set(characters) & set(DIGITS[1:])
    return LETTERS if letters_only else possible_alphabets(size)[0]


def _refuse_two_meanings(cells: str | Sequence[str], table: SymbolTable) -> None:
    """Refuse x among capital digits (or X among small ones), which may be a digit or a blank."""
    if not table.digit_of["x"] or not ("x" in cells or "X" in cells):
        return
    text = "".join(cells)
    if text != text.upper() and text != text.lower():
        raise FormatError("x may be a digit or a blank here; write blanks as dots")


def _read_bytes(cells: str | Sequence[str], table: SymbolTable) -> tuple[int, ...] | None:
    """Return all digits at once if all cells are ASCII characters of the table, else None."""
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


# Supported boards: by the number of their cells, by their size, by their boxes.

FEWEST_CELLS = 16
"""The cells of 4x4, the smallest board with boxes; a shorter text is no whole puzzle."""

LARGEST_SIZE = 1000
"""The largest size: such a board has a million cells."""


def has_boxes(size: int) -> bool:
    """Whether a board of `size` digits has boxes that are neither rows nor columns."""
    return size > 3 and any(size % rows == 0 for rows in range(2, isqrt(size) + 1))


# Usual sizes, the likeliest first: nearly everybody means 9x9.
_USUAL_SIZES = (9, 4, 6, 8, 12, 16, 25)
_FEWEST_OF_LARGE = 132  # the cells of a 12x12 board with a row missing


@lru_cache(maxsize=1024)  # asked for every line of a collection, nearly always about 81
def size_of_count(count: int, wanted: int | None = None) -> int | None:
    """Return the size of the board with that many cells; None if there is none, or not `wanted`.

    >>> size_of_count(36), size_of_count(35), size_of_count(36, wanted=9)
    (6, None, None)
    """
    size = isqrt(count)
    is_possible = has_boxes(size) if wanted is None else size == wanted
    return size if size * size == count and is_possible else None


def nearest_size(count: int, wanted: int | None, highest: int = 0) -> int:
    """Return the size that was likely meant by so many cells, unless a size is wanted.

    No board is smaller than its `highest` digit.

    >>> nearest_size(80, None), nearest_size(17, None), nearest_size(3, None)
    (9, 4, 9)
    >>> nearest_size(17, None, highest=5), nearest_size(230, None), nearest_size(10**7, None)
    (9, 15, 1000)
    """
    if wanted is not None:
        return wanted
    # With one row too few or too many, it is a damaged board of a usual size; fewer cells are a
    # part of a 9x9 board.
    usual = [size for size in _USUAL_SIZES if size >= highest and abs(size * size - count) <= size]
    if usual or count < _FEWEST_OF_LARGE:
        return usual[0] if usual else 9
    root = min(isqrt(count), LARGEST_SIZE)
    # Every even size from 4 on has boxes of two rows, so the nearest size is the root or one of its
    # neighbours.
    near = range(max(4, root - 1), min(max(4, root) + 1, LARGEST_SIZE) + 1)
    return min(filter(has_boxes, near), key=lambda size: abs(size * size - count))


def count_fault(count: int, size: int) -> str:
    """Return a message about that many cells."""
    return f"{count_of(count, 'cell')} found, expected {size * size} for {size}x{size}"


def speaks_of(message: str, size: int) -> bool:
    """Whether a message of these functions is about boards of that size.

    >>> speaks_of(count_fault(80, 9), 9), speaks_of(row_fault(3, 8, 9), 6)
    (True, False)
    """
    return message.endswith((f" {size}", f" {size}x{size}", f" 1-{size} or a blank"))


NO_BOARD = "no board found; one of 9x9 has 9 rows of 9 cells"
"""The message for a size that is surely not meant, such as 29x29 for rows of 29 words."""


def is_meant(size: int, rows: int) -> bool:
    """Whether `rows` rows of `size` cells may be meant as a board of that size.

    >>> is_meant(9, 7), is_meant(29, 9), is_meant(3, 4)
    (True, False, False)
    """
    return size in _USUAL_SIZES or (size > 3 and abs(size - rows) <= 2)


def speaks_of_no_board(message: str) -> bool:
    """Whether a message is about a size that no board has.

    >>> speaks_of_no_board("a board of 2x2 has no boxes"), speaks_of_no_board(count_fault(80, 9))
    (True, False)
    """
    size = re.search(r"(?<!boxes of )\b([0-9]+)x\1\b", message)
    return size is not None and not has_boxes(int(size[1]))


def row_fault(number: int, count: int, size: int) -> str:
    """Return a message about the `number`-th row, which has that many cells.

    >>> row_fault(3, 8, 9)
    '8 cells found in row 3, expected 9'
    """
    return f"{count_of(count, 'cell')} found in row {number}, expected {size}"


def decide_geometry(size: int, wanted: Geometry | None, shown: Geometry | None = None) -> Geometry:
    """Return the box shape of the text, of the user, or else the usual one."""
    if wanted is not None and wanted.size != size:
        raise FormatError(
            f"a board of {size}x{size} found, "
            f"but boxes of {wanted} make {wanted.size}x{wanted.size}"
        )
    geometry = agreed_geometry(wanted, shown)
    if geometry is None and not has_boxes(size):
        raise FormatError(boxless_fault(size))
    return geometry or Geometry.of_size(size)


def boxless_fault(size: int) -> str:
    """Return a message about a board of a size whose boxes would be rows or columns."""
    return (
        f"a board of {size}x{size} has no boxes but its rows or columns; if that is meant, "
        f"use --box 1x{size}, or box=Geometry(1, {size}) in Python; --regions gives it regions"
    )


def agreed_geometry(wanted: Geometry | None, shown: Geometry | None) -> Geometry | None:
    """Return the box shape of the user or of the text; an error if they contradict."""
    if wanted is not None and shown not in (None, wanted):
        raise FormatError(f"the text shows boxes of {shown}, but --box says {wanted}")
    return wanted or shown


# Letters and digits are enough for the regions of 36x36; no setter needs half of that.
_LARGEST_WITH_REGIONS = 36


def size_with_regions(count: int) -> int:
    """Return the size of the board of `count` cells that may have regions for boxes; 0 if none."""
    size = isqrt(count)
    return size if size * size == count and 2 <= size <= _LARGEST_WITH_REGIONS else 0


# Regions whose sizes differ from the right one by at most two cells are a slip; else the word is
# other text.
_LOST = 2


def shows_regions(word: str, count: int) -> bool:
    """Whether a word beside `count` cells is a layout of regions, and not a second board.

    Each region has as many cells as there are regions, and neighbours in a row are often in the
    same region, while digits of a board never repeat there.
    """
    size = size_with_regions(count)
    # On smaller boards, nearly every word would form regions.
    if len(word) != count or size < 4 or not word.isalnum():
        return False
    counts = Counter(word)
    if len(counts) != size or any(abs(each - size) > _LOST for each in counts.values()):
        return False
    rows = [word[at : at + size] for at in range(0, count, size)]
    return sum(a == b for row in rows for a, b in pairwise(row)) >= size
