"""What is to be answered: one record of the input."""

from typing import NamedTuple

from satdoku.notation.parser import Parser
from satdoku.notation.record import Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


class Task(NamedTuple):
    """A record with the parser for it; `number` counts the records of all sources from 1.

    `bare` is what its format has read from it already, as it has from the first record of a text,
    by which it was told.
    """

    parser: Parser
    record: Record
    number: int
    bare: Puzzle | None = None

    @property
    def text(self) -> str:
        return self.record.text

    @property
    def place(self) -> str:
        """Where the record begins, as messages say it: `puzzles.txt:12`."""
        return f"{self.parser.source}:{self.record.line}"

    def parse(self) -> Puzzle:
        """The puzzle; a FormatError says what is wrong with the text."""
        return self.parser(self.record, self.bare)

    @property
    def is_compared(self) -> bool:
        """Whether a solution beside the puzzle is to be compared, so that answers speak of it."""
        return self.parser.hints.solution_column is not None

    def parse_known_solution(self) -> Grid | None:
        """The solution that stands beside the puzzle, if it is to be compared."""
        parser = self.parser
        return parser.format.parse_solution(self.record, parser.hints, parser.source)
