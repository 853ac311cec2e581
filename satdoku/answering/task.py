"""What is to be answered: one record of the input."""

from math import isqrt
from typing import NamedTuple

from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.record import Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, Limits


class Task(NamedTuple):
    """A record with the parser for it; `number` counts the records of all sources from 1.

    `bare` is what its format has read from it already, as it has from the first record of a text,
    by which it was told. To read it took so many `seconds`, which count for the limit of its
    answer.

    A task may be a block: so many `puzzles`, neighbouring plain lines of one kind, which are read,
    answered and written together. Only who asks for blocks gets any (`Tasks`).
    """

    parser: Parser
    record: Record
    number: int
    bare: Puzzle | None = None
    puzzles: int = 1
    seconds: float = 0

    @property
    def text(self) -> str:
        return self.record.text

    @property
    def place(self) -> str:
        """Where the record begins, as messages say it: `puzzles.txt:12`."""
        return f"{self.parser.source}:{self.record.line}"

    @property
    def geometry(self) -> Geometry:
        """That of the boards of a block."""
        # Each line of a block has its line end besides the cells.
        size = isqrt(len(self.record.text) // self.puzzles - 1)
        return Geometry.of_size(size)

    def cells(self) -> bytes:
        """The boards of a block, board after board, one byte a cell."""
        return plain_lines(self.geometry).read_block(self.record.text)

    def lines(self) -> "list[Task]":
        """The tasks of a block one by one."""
        first = self.record.line
        return [
            Task(self.parser, Record(first + index, line), self.number + index)
            for index, line in enumerate(self.record.text.splitlines())
        ]

    def budget(self, limits: Limits) -> Budget:
        """The limits of an answer, being used up since the first byte of the record was read."""
        budget = Budget(limits)
        budget.started -= self.seconds
        return budget

    def parse(self) -> Puzzle:
        """The puzzle; a FormatError says what is wrong with the text."""
        return self.parser(self.record, self.bare)

    @property
    def is_compared(self) -> bool:
        """Whether a solution beside the puzzle is to be compared, so that answers speak of it."""
        return self.parser.hints.solution_column is not None

    def parse_known_solution(self) -> Grid | None:
        """The solution that stands beside the puzzle, if it is to be compared."""
        # A column of that name means nothing unless the user named it.
        if not self.is_compared:
            return None
        parser = self.parser
        return parser.format.parse_solution(self.record, parser.hints, parser.source)
