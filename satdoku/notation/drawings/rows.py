"""Boards drawn over several lines, with or without frames, as people and programs print them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from satdoku.notation.detection import Shape, find_shape, first_row
from satdoku.notation.digits import choose_alphabet
from satdoku.notation.drawings.blocks import split_blocks
from satdoku.notation.drawings.board import read_board, read_drawing
from satdoku.notation.drawings.frame import align, draw_board
from satdoku.notation.drawings.row import is_border, plain
from satdoku.notation.format import Format, cell_separator, cell_texts
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


def rows_of(grid: Grid, hints: Hints, blank: str = ".", is_spaced: bool = False) -> list[str]:
    """A line for each row; aligned numbers, or characters side by side."""
    size = grid.geometry.size
    separator = " " if is_spaced else cell_separator(size, hints)
    cells = align(cell_texts(grid, hints, blank))
    return [separator.join(cells[at : at + size]) for at in range(0, len(cells), size)]


class RowsFormat(Format):
    """A row a line; an empty line between two boards."""

    name: ClassVar[str] = "rows"
    description: ClassVar[str] = "a line for each row, characters or separated numbers"
    between: ClassVar[str] = "\n"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        return find_shape(lines, is_whole, hints) is Shape.ROWS

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_blocks(lines, hints.size)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        return Puzzle(read_board(record, hints, source), record.name)

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        return "\n".join(rows_of(puzzle.grid, hints)) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        first = read_drawing(record.text, hints.size).lines[0]
        is_spaced = len(first.row.tokens) == solution.geometry.size
        rows = rows_of(solution, self.hints_of(record, hints), is_spaced=is_spaced)
        return "\n".join(rows) + "\n"

    def hints_of(self, record: Record, hints: Hints) -> Hints:
        drawing = read_drawing(record.text, hints.size)
        if hints.alphabet is not None or drawing.size < 10:
            return hints
        rows = [line.row.cells(drawing.size) or () for line in drawing.lines]
        texts = [cell for row in rows for cell in row]
        is_joined = all(isinstance(row, str) for row in rows)
        if not is_joined and not any(text.isalpha() and text not in "xX" for text in texts):
            return hints
        return replace(hints, alphabet=choose_alphabet("".join(texts), drawing.size))


class GridFormat(RowsFormat):
    """A board in a frame that shows its boxes."""

    name: ClassVar[str] = "grid"
    description: ClassVar[str] = "a board with its boxes drawn by + - and |"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        start = first_row(lines)
        if start is None:
            return False
        is_framed = any(is_border(plain(line)) for line in lines[:start])
        return is_framed or "|" in plain(lines[start])

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        texts = align(cell_texts(puzzle.grid, hints))
        return "\n".join(draw_board(puzzle.geometry, texts, len(texts[0]))) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return self.write(Puzzle(solution), self.hints_of(record, hints), number)
