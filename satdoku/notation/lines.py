"""One puzzle a line: its cells, then an optional name and, after `#`, a comment.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy # mine
"""

from typing import ClassVar

from satdoku.errors import FormatError
from satdoku.notation.cells import find_cells, read_cells, spelling_of_line
from satdoku.notation.detection import Head, Shape
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import names_rule
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, shows_regions, write_cells
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value


@value(frozen=True)
class LineFormat(Format):
    """A puzzle on a line, followed by its name and comment.

    `usual_size` is the size of the first board of the text; errors about lines that are too short
    assume it.
    """

    name: ClassVar[str] = "line"
    shows_shape: ClassVar[bool] = False
    is_linewise: ClassVar[bool] = True
    has_bare_lines: ClassVar[bool] = True
    description: ClassVar[str] = "one puzzle a line, 81 characters, name and # comment behind it"

    usual_size: int | None = None

    def matches(self, head: Head) -> bool:
        return head.shape is Shape.PUZZLES

    def prepare(self, head: Head, source: str) -> "LineFormat":
        lines = (head.first, head.second)
        sizes = (line.cells.size for line in lines if line is not None)
        return type(self)(next(filter(None, sizes), None))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        found = find_cells(record.text, hints.size)
        start = record.line, record.column
        grid = read_cells(found, hints, source, start, self.usual_size)
        # A jigsaw among other puzzles: if its regions were read as a name, they would be lost.
        if len(found.name) >= len(found.cells) and shows_regions(
            found.name.split(None, 1)[0], len(found.cells)
        ):
            raise FormatError("regions follow these cells; use --from jigsaw", source, *start)
        if found.name.startswith("<") and "</" in found.name:
            # Any numbers of the page may have been taken for cells, such as a solution that a form
            # hides.
            raise FormatError("this is a page, and no line of a puzzle", source, *start)
        if names_rule(found.name):
            message = "a rule follows these cells; give it by --rule, or in a column rules"
            raise FormatError(message, source, *start)
        return Puzzle(grid, found.name or record.name, found.comment)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        cells = write_cells(puzzle.grid, spelling)
        name = " ".join(puzzle.name.split())
        comment = " ".join(puzzle.remark.split())
        # After separated numbers, a space alone would make the name one more cell.
        separator = " ; " if " " in cells else " "
        return cells + (name and separator + name) + (comment and f" # {comment}") + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return spelling_of_line(record.text, hints, size)


class SdmFormat(LineFormat):
    """The .sdm collections of SudoCue and others: a puzzle on each line and nothing else."""

    name: ClassVar[str] = "sdm"
    description: ClassVar[str] = "SudoCue collection: one puzzle a line, 0 for a blank"

    def matches(self, head: Head) -> bool:
        return False  # read as `line`, of which it is a subset

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return write_cells(puzzle.grid, spelling._replace(blank="0")) + "\n"
