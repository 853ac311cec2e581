"""What every format can do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from satdoku.notation.record import Hints, Record
from satdoku.notation.symbols import NUMBERS, ONES, Alphabet, symbol_table
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


class Format(ABC):
    """A way to write puzzles as text; a value, so that it can travel to other processes."""

    name: ClassVar[str]
    description: ClassVar[str]
    between: ClassVar[str] = ""
    """What stands between two puzzles, besides the line end that each has."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @abstractmethod
    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        """Whether these first lines of a text, the last one new, can only be this format.

        `is_whole` says that no line will follow. The first line that is neither empty nor a comment
        has been seen.
        """

    @abstractmethod
    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        """The text of each puzzle as soon as its last line is seen, in constant memory."""

    @abstractmethod
    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        """The puzzle of a record; a FormatError names source, line and column of its fault."""

    @abstractmethod
    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        """The text of a puzzle, with its line end; `number` counts the puzzles of a file."""

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """A solution in the shape in which its puzzle came."""
        return self.write(Puzzle(solution), self.hints_of(record, hints), number)

    def answer_opening(self) -> str:
        """What stands before the first answer, as `write_answer` shapes them."""
        return ""

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        """The known solution that the record holds beside its puzzle, if it was asked for."""
        return None

    def hints_of(self, record: Record, hints: Hints) -> Hints:
        """The hints, completed with the alphabet that the record is written in."""
        return hints

    def prepare(
        self, lines: Sequence[str], is_whole: bool, hints: Hints, source: str
    ) -> "Format | None":
        """This format with what the first lines of a text tell about all its puzzles.

        None while more lines are needed to tell.
        """
        return self

    def opening(self, hints: Hints) -> str:
        """What stands before the first puzzle of a file."""
        return ""


def cell_texts(grid: Grid, hints: Hints, blank: str = ".") -> list[str]:
    """What to write for each cell: numbers above nine digits, unless an alphabet is asked for."""
    texts = list(symbol_table(writing_alphabet(grid.geometry.size, hints), grid.geometry.size)[1])
    if blank not in texts[1:]:
        texts[0] = blank
    return [texts[digit] for digit in grid.digits]


def cell_separator(size: int, hints: Hints) -> str:
    """What stands between two cells: nothing, unless they are numbers that may be longer."""
    return " " if writing_alphabet(size, hints).is_numbers else ""


def writing_alphabet(size: int, hints: Hints) -> Alphabet:
    """The alphabet that boards of this size are written in."""
    if hints.alphabet is not None and not (hints.alphabet.is_numbers and size < 10):
        return hints.alphabet
    return ONES if size < 10 else NUMBERS
