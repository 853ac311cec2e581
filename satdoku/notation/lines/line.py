"""One puzzle a line: its cells, then perhaps its name and, behind `#`, a comment.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy # mine
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from satdoku.errors import FormatError
from satdoku.notation.detection import Shape, find_shape
from satdoku.notation.digits import (
    Place,
    choose_alphabet,
    count_fault,
    decide_geometry,
    nearest_size,
    quote,
    read_digits,
    size_of_count,
)
from satdoku.notation.format import Format, cell_separator, cell_texts
from satdoku.notation.lines.cells import LineCells, find_cells
from satdoku.notation.record import Hints, Record
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_SEPARATOR = re.compile(r"[\s,:;#|\"']")


def locate_cells(text: str, hints: Hints) -> LineCells:
    """The cells on a line, at once where there is nothing but cells."""
    size = size_of_count(len(text), hints.size)
    if size is not None and not _SEPARATOR.search(text):
        return LineCells(text, range(len(text)), size)
    return find_cells(text, hints.size)


def read_grid(
    found: LineCells,
    hints: Hints,
    source: str,
    line: int,
    column: int,
    usual_size: int | None = None,
) -> Grid:
    """The board of cells that were found in a line beginning at `column`.

    Cells that make none are taken for a board of the usual size if they are fewer than it has.
    """

    def place_of(cell: int) -> Place:
        return line, column + found.starts[cell] if found.starts else column

    if found.size is None:
        is_cut_off = usual_size is not None and len(found.cells) < usual_size**2
        wanted = hints.size or (usual_size if is_cut_off else None)
        raise _describe_fault(found, wanted, source, line, column)
    try:
        geometry = decide_geometry(found.size, hints.geometry)
    except FormatError as error:
        raise FormatError(error.message, source, *place_of(0)) from None
    return Grid(geometry, read_digits(found.cells, found.size, hints.alphabet, place_of, source))


def _describe_fault(
    found: LineCells, wanted: int | None, source: str, line: int, column: int
) -> FormatError:
    for start, cell in zip(found.starts, found.cells, strict=True):
        if not (cell.isalnum() or not cell.strip(".0_-*?xX")):
            return FormatError(
                f"{quote(cell)} is not a digit or a blank", source, line, column + start
            )
    count = len(found.cells)
    size = nearest_size(count, wanted)
    if count > size * size:
        place = found.starts[size * size]
    else:
        place = found.starts[-1] + len(found.cells[-1]) if found.starts else 0
    return FormatError(count_fault(count, size), source, line, column + place)


def write_cells(grid: Grid, hints: Hints, blank: str = ".") -> str:
    """All cells on one line, with spaces where they are wider than a character."""
    return cell_separator(grid.geometry.size, hints).join(cell_texts(grid, hints, blank))


def alphabet_of(found: LineCells, hints: Hints) -> Hints:
    """The hints with the alphabet in which these cells are written, if it did not say any."""
    if hints.alphabet is not None or found.size is None or found.size < 10:
        return hints
    if isinstance(found.cells, str):
        return replace(hints, alphabet=choose_alphabet(found.cells, found.size))
    return hints


class LineFormat(Format):
    """A puzzle a line, its name and comment behind it."""

    name: ClassVar[str] = "line"
    description: ClassVar[str] = "one puzzle a line, 81 characters, name and # comment behind it"

    def __init__(self, usual_size: int | None = None) -> None:
        self._usual_size = usual_size

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        return find_shape(lines, is_whole, hints) is Shape.PUZZLES

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        for number, line in enumerate(lines, 1):
            start = line.lstrip()
            if start and start[0] != "#":
                yield Record(number, line)

    def prepare(
        self, lines: Sequence[str], is_whole: bool, hints: Hints, source: str
    ) -> "LineFormat":
        sizes = (locate_cells(record.text, hints).size for record in self.split(lines, hints))
        return type(self)(next(filter(None, sizes), None))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        found = locate_cells(record.text, hints)
        grid = read_grid(found, hints, source, record.line, record.column, self._usual_size)
        return Puzzle(grid, found.name or record.name, found.comment)

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        cells = write_cells(puzzle.grid, hints)
        name = " ".join(puzzle.name.split())
        comment = " ".join(puzzle.comment.split())
        separator = " ; " if " " in cells else " "
        return cells + (name and separator + name) + (comment and f" # {comment}") + "\n"

    def hints_of(self, record: Record, hints: Hints) -> Hints:
        return alphabet_of(locate_cells(record.text, hints), hints)


class SdmFormat(LineFormat):
    """The collections of SudoCue and others: a puzzle a line and nothing else."""

    name: ClassVar[str] = "sdm"
    description: ClassVar[str] = "SudoCue collection: one puzzle a line, 0 for a blank"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        return False

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        return write_cells(puzzle.grid, hints, "0") + "\n"
