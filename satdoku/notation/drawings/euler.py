"""Project Euler's problem 96: `Grid 01` above nine rows of nine digits, 0 for a blank."""

import re
from typing import ClassVar

from satdoku.notation.detection import Head
from satdoku.notation.drawings.rows import RowsFormat
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_title
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, write_rows
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_TITLE = re.compile(r"\s*grid\s*\d+\s*$", re.IGNORECASE)


class EulerFormat(RowsFormat):
    """Rows under numbered titles."""

    name: ClassVar[str] = "euler"
    description: ClassVar[str] = "Project Euler 96: `Grid 01` above the rows, 0 for a blank"
    between: ClassVar[str] = ""

    def matches(self, head: Head) -> bool:
        return _TITLE.match(head.first.text) is not None

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        name = " ".join(puzzle.name.split())
        # A name that does not look like a title would be read as a row.
        title = name if name and is_title(name) else f"Grid {number:02}"
        rows = write_rows(puzzle.grid, spelling._replace(blank="0"))
        return "\n".join([title, *rows]) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.write(Puzzle(solution, record.name), spelling, number)
