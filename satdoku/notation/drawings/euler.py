"""Project Euler's problem 96: `Grid 01` above nine rows of nine digits, 0 for a blank."""

import re
from collections.abc import Sequence
from typing import ClassVar

from satdoku.notation.detection import first_data
from satdoku.notation.drawings.row import is_header
from satdoku.notation.drawings.rows import RowsFormat, rows_of
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_TITLE = re.compile(r"\s*grid\s*\d+\s*$", re.IGNORECASE)


class EulerFormat(RowsFormat):
    """Rows under numbered headers."""

    name: ClassVar[str] = "euler"
    description: ClassVar[str] = "Project Euler 96: `Grid 01` above the rows, 0 for a blank"
    between: ClassVar[str] = ""

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        return _TITLE.match(lines[first_data(lines)]) is not None

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        name = " ".join(puzzle.name.split())
        title = name if is_header(name) else f"Grid {number:02}"
        rows = rows_of(puzzle.grid, hints, "0")
        return "\n".join([title, *rows]) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        named = Puzzle(solution, record.name)
        return self.write(named, self.hints_of(record, hints), number)
