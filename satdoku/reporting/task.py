"""What is to be answered, and how the answer is to look."""

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from satdoku.notation.reading import Parser
from satdoku.notation.record import Record
from satdoku.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from satdoku.bulk import Sifted

LINEWISE = ("line", "sdm", "csv", "json")
"""The formats that take a line for each puzzle."""

UNREADABLE, MISMATCH, SOLVED = "unreadable", "mismatch", "solved"


class Form(Enum):
    """What is written of an answer; SCREEN is grids for a person."""

    SCREEN = "screen"
    GRIDS = "grids"
    VERDICTS = "verdicts"
    JSON = "json"
    CSV = "csv"
    NOTHING = "nothing"


class Screen(NamedTuple):
    """What a terminal can show."""

    has_colour: bool = False
    width: int = 80


class Task(NamedTuple):
    """A record with its parser; `number` counts the records of all sources from 1.

    `sifted` and `puzzle` are there if they were worked out before its turn.
    """

    parser: Parser
    record: Record
    number: int
    sifted: "Sifted | None" = None
    puzzle: Puzzle | None = None

    @property
    def text(self) -> str:
        return self.record.text

    @property
    def place(self) -> str:
        return f"{self.parser.source}:{self.record.line}"

    def parse(self) -> Puzzle:
        return self.puzzle or self.parser(self.record)
