"""SadMan Sudoku's `.sdk`: lines such as `#AAuthor`, then `[Puzzle]` and its rows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from satdoku.notation.detection import Shape, find_shape, first_data, is_comment
from satdoku.notation.drawings.blocks import Block, add_line
from satdoku.notation.drawings.board import read_board
from satdoku.notation.drawings.rows import RowsFormat, rows_of
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_FIELDS = {"A": "author", "B": "date", "S": "source", "L": "level", "U": "url", "C": "", "D": ""}
_FIELD = re.compile(r"\s*#([ABCDLSU])(?!\s)(.*)")
_SECTION = re.compile(r"\s*\[\s*(\w+)\s*\]")


class SdkFormat(RowsFormat):
    """Rows below lines about the puzzle; `#D` is its name, `#C` and the rest its comment."""

    name: ClassVar[str] = "sdk"
    description: ClassVar[str] = "SadMan Sudoku: #A #D #C ... lines, [Puzzle], rows"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        start = first_data(lines)
        if _SECTION.match(lines[start]):
            return True
        has_field = any(_FIELD.match(line) for line in lines[:start])
        return has_field and find_shape(lines, is_whole, hints) is Shape.ROWS

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        block = Block(hints.size)
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
            _add_line(block, number, line, is_puzzle and section is None)
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

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        lines = [
            f"#{letter}{' '.join(text.split())}"
            for letter, text in (("D", puzzle.name), ("C", puzzle.comment))
            if text.strip()
        ]
        rows = rows_of(puzzle.grid, hints)
        return "\n".join([*lines, "[Puzzle]", *rows]) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return self.write(Puzzle(solution), self.hints_of(record, hints), number)


def _add_line(block: Block, number: int, line: str, is_puzzle: bool) -> None:
    """Add a line to a puzzle; lines that say nothing keep their place as empty ones."""
    if is_puzzle and _FIELD.match(line):
        block.add_filler(number, line)
    elif is_puzzle and line.strip() and not is_comment(line):
        add_line(block, number, line)
    elif block.has_lines:
        block.add_filler(number, "")
