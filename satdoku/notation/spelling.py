"""How the cells of a board are written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from satdoku.notation.digits import alphabet_of
from satdoku.notation.symbols import NUMBERS, ONES, Alphabet, symbol_table
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
    symbols = puzzle.shown_symbols
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
