"""Files of programs and collections whose boards have their own lines around them.

SadMan Sudoku's `.sdk` has lines such as `#AAuthor`, then `[Puzzle]` and its rows. Project Euler's
problem 96 has `Grid 01` above nine rows of nine digits, 0 for a blank. Simple Sudoku's `.ss` is
also the clipboard format of many programs:

    *-----------*
    |8..|4..|...|
    |.65|...|.42|
    |9..|.8.|1.6|
    |---+---+---|
         ...

A second grid with the digits placed so far, and a third with candidates, may follow; only the first
is the puzzle.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import ClassVar

from satdoku.notation.detection import Head, Shape
from satdoku.notation.drawings.board import (
    Line,
    RowsFormat,
    Run,
    read_board,
    read_drawing,
    split_blocks,
)
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data, is_title
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, align, is_blank, split_every, write_rows
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

# Labels of fields in the comment of a puzzle; its own comment has no label.
_FIELDS = {"A": "author", "B": "date", "S": "source", "L": "level", "U": "url", "C": "", "D": ""}
# Letter and text stand side by side, as in `#AAuthor`: `# A comment` is no field.
_FIELD = re.compile(r"\s*#([ABCDLSU])(?!\s)(.*)")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z]\w*)\s*\]")


class SdkFormat(RowsFormat):
    """Rows below lines about the puzzle; `#D` is its name, `#C` and other fields its comment."""

    name: ClassVar[str] = "sdk"
    description: ClassVar[str] = "SadMan Sudoku: #A #D #C ... lines, [Puzzle], rows"

    def matches(self, head: Head) -> bool:
        if _SECTION.match(head.first.text):
            return True
        return head.shape is Shape.ROWS and any(_FIELD.match(line) for line in head.above)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        run = Run(hints.size)
        # False in other sections, such as [State], which has the digits entered so far.
        is_puzzle = True
        for number, line in enumerate(lines, 1):
            section = _SECTION.match(line)
            is_field = _FIELD.match(line) is not None
            if run.has_rows and (section or is_field or not line.strip()):
                yield from run.end()
            if section is not None:
                is_puzzle = section[1].lower() == "puzzle"
            is_puzzle = is_puzzle or is_field
            is_kept = is_puzzle and section is None and (is_field or is_data(line))
            if is_kept:
                yield from run.add(Line.read(number, line))
            elif run.block.has_lines:
                # An empty line in its place keeps the line numbers right.
                run.block.add(Line.read(number, ""))
        yield from run.end()

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        names, comments = [], []
        for line in record.text.split("\n"):
            field = _FIELD.match(line)
            if field is not None and field[1] == "D":
                names.append(field[2].strip())
            elif field is not None:
                kind = _FIELDS[field[1]]
                comments.append(f"{kind}: {field[2].strip()}" if kind else field[2].strip())
        return Puzzle(read_board(record, hints, source), " ".join(names), "; ".join(comments))

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        lines = [
            f"#{letter}{' '.join(text.split())}"
            for letter, text in (("D", puzzle.name), ("C", puzzle.comment))
            if text.strip()
        ]
        return "\n".join([*lines, "[Puzzle]", *write_rows(puzzle.grid, spelling)]) + "\n"


class SimpleSudokuFormat(RowsFormat):
    """A framed board, perhaps followed by later states of the same board."""

    name: ClassVar[str] = "ss"
    description: ClassVar[str] = "Simple Sudoku: a board framed by *-----------*"
    between: ClassVar[str] = "\n"
    draws_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        first = head.first.plain.strip()
        return first.startswith("*-") and first.endswith("-*")

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        shown: list[str] | None = None
        for record in split_blocks(lines, hints.size):
            cells = _cells_of(record, hints)
            if shown is None or not _is_later_state(cells, shown):
                shown = cells
                yield record

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        geometry = puzzle.geometry
        separator = spelling.separator(geometry.size)
        rows = [
            [separator.join(box) for box in split_every(cells, geometry.box_columns)]
            for cells in split_every(align(spelling.texts(puzzle.grid)), geometry.size)
        ]
        dashes = "+".join("-" * len(box) for box in rows[0])
        frame = f"*{'-' * len(dashes)}*"
        lines = [frame]
        for number_of_row, boxes in enumerate(rows):
            if number_of_row > 0 and number_of_row % geometry.box_rows == 0:
                lines.append(f"|{dashes}|")
            lines.append(f"|{'|'.join(boxes)}|")
        return "\n".join([*lines, frame]) + "\n"


def _cells_of(record: Record, hints: Hints) -> list[str]:
    drawing = read_drawing(record.text, hints.size)
    return [cell for row in drawing.rows for cell in row.row.cells(drawing.size) or ()]


def _is_later_state(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Whether a board has the givens of the first one, or candidates instead of cells."""
    if len(cells) != len(first):
        return False
    # A cell with more characters than the largest digit is a list of candidates.
    longest_digit = len(str(isqrt(len(first))))
    has_candidates = any(len(cell) > longest_digit for cell in cells)
    return has_candidates or all(
        is_blank(given) or given == cell for given, cell in zip(first, cells, strict=True)
    )


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
