"""Jigsaw puzzles on a line: the cells, then one letter a cell for its region.

..1......4....3. AAAABBCCDBBCDDDC easy # mine

The space between the two may be missing: 162 characters are 81 cells and 81 letters.
"""

import re
from dataclasses import replace
from typing import ClassVar, NamedTuple

from satdoku.errors import SatdokuError
from satdoku.notation.detection import Head
from satdoku.notation.hints import Hints
from satdoku.notation.lines.cells import LineCells, read_cells
from satdoku.notation.lines.line import LineFormat
from satdoku.notation.record import Record, with_place
from satdoku.notation.spelling import USUAL, Spelling, write_cells
from satdoku.notation.symbols import CELL_CHARACTERS
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.regions import Regions, read_regions
from satdoku.puzzle.rules.rule import Rule

# Cells are digits and blanks here: where digits are letters, regions could not be told from a
# second board, such as the solution beside its puzzle. The first letter is no x, which is a blank.
_CELLS = re.compile(rf"\s*([{re.escape(CELL_CHARACTERS)}]+?)\s*([A-WYZa-wyz][A-Za-z]*)(?:\s|$)")

# From 10 digits on, numbers need something between them.
_LARGEST_SIZE = 9


class _Parts(NamedTuple):
    """What a line holds: where its cells begin, and what stands behind its letters."""

    cells: str
    start: int
    letters: str
    rest: str


class JigsawFormat(LineFormat):
    """A puzzle a line, with a letter for each cell that names its region."""

    name: ClassVar[str] = "jigsaw"
    has_bare_lines: ClassVar[bool] = False
    largest_size: ClassVar[int] = _LARGEST_SIZE
    description: ClassVar[str] = "one jigsaw a line: 81 cells, then 81 letters for the regions"

    def matches(self, head: Head) -> bool:
        return _split(head.first.text) is not None

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        parts = _split(record.text)
        if parts is None:
            message = "this is not a jigsaw: as many letters as cells, such as 81 and 81"
            raise with_place(SatdokuError(message), source, (record.line, record.column))
        start = record.line, record.column + parts.start
        size = find_size(len(parts.cells))
        geometry = hints.geometry or Geometry.of_size(size)
        board = replace(hints, geometry=geometry, alphabet=None)
        cells = LineCells(parts.cells, range(len(parts.cells)), size)
        grid = read_cells(cells, board, source, start)
        try:
            regions = read_regions(parts.letters, grid.geometry)
        except SatdokuError as error:
            raise with_place(error, source, start) from None
        name, _, comment = parts.rest.partition("#")
        return Puzzle(grid, name.strip() or record.name, comment.strip()).with_rules([regions])

    def can_hold(self, rule: Rule) -> bool:
        return isinstance(rule, Regions)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        geometry = puzzle.geometry
        boxes = tuple(map(geometry.box_of, range(geometry.cell_count)))
        regions = puzzle.regions or Regions(boxes)
        # Digits always: letters are for the regions, which go between the cells and the name.
        line = super()._write(puzzle, USUAL, number)
        cells = write_cells(puzzle.grid)
        return f"{cells} {regions.letters}{line[len(cells) :]}"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return write_cells(solution) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return hints.spelling


def find_size(count: int) -> int:
    """The size of the board that has so many cells, 0 if there is none."""
    size = round(count**0.5)
    return size if size * size == count and 2 <= size <= _LARGEST_SIZE else 0


def _split(text: str) -> _Parts | None:
    """The parts of a line, None if it has not as many letters as cells."""
    found = _CELLS.match(text)
    if found is None or len(found[1]) != len(found[2]) or not find_size(len(found[1])):
        return None
    return _Parts(found[1], found.start(1), found[2], text[found.end(2) :])
