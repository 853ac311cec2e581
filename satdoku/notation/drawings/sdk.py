"""SadMan Sudoku's `.sdk`: lines such as `#AAuthor`, then `[Puzzle]` and its rows."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from satdoku.notation.detection import Head
from satdoku.notation.drawings.blocks import Block, Line
from satdoku.notation.drawings.board import read_board
from satdoku.notation.drawings.rows import RowsFormat
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Record
from satdoku.notation.shape import Shape
from satdoku.notation.spelling import Spelling, write_rows
from satdoku.puzzle.puzzle import Puzzle

# What stands before a field in the comment of a puzzle: nothing before a comment of its own.
_FIELDS = {"A": "author", "B": "date", "S": "source", "L": "level", "U": "url", "C": "", "D": ""}
# Letter and text stand side by side, as in `#AAuthor`: `# A comment` is no field.
_FIELD = re.compile(r"\s*#([ABCDLSU])(?!\s)(.*)")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z]\w*)\s*\]")


class SdkFormat(RowsFormat):
    """Rows below lines about the puzzle; `#D` is its name, `#C` and the rest its comment."""

    name: ClassVar[str] = "sdk"
    description: ClassVar[str] = "SadMan Sudoku: #A #D #C ... lines, [Puzzle], rows"

    def matches(self, head: Head) -> bool:
        if _SECTION.match(head.first.text):
            return True
        return head.shape is Shape.ROWS and any(_FIELD.match(line) for line in head.above)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        block = Block(hints.size)
        # False in sections of another name, such as [State], which has the digits entered so far.
        is_puzzle = True
        for number, line in enumerate(lines, 1):
            section = _SECTION.match(line)
            is_field = _FIELD.match(line) is not None
            if block.has_rows and (section or is_field or not line.strip()):
                yield from block.records()
                block = Block(hints.size)
            if section is not None:
                is_puzzle = section[1].lower() == "puzzle"
            is_puzzle = is_puzzle or is_field
            is_kept = is_puzzle and section is None and (is_field or is_data(line))
            if is_kept:
                block.add(Line.read(number, line))
            elif block.has_lines:
                block.add(Line.read(number, ""))  # so that the lines behind it keep their place
            if block.is_complete:
                yield from block.records()
                block, is_puzzle = Block(hints.size), True
        yield from block.records()

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
