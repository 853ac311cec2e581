"""Puzzles on a line with more than their cells: jigsaw regions, or the candidates of all cells.

A jigsaw has a second word with a symbol for the region of each cell, usually a letter. The space
between the words may be missing: 162 characters are 81 cells and 81 letters.

    ..1......4....3. AAAABBCCDBBCDDDC easy # mine

A puzzle with candidates has, for every cell, one character for each digit: the digit, or a blank
if it is excluded. The first three cells of a 4x4 board, the first with 1 and the second with 1 or
2:

    1...12..1234

So 9x9 has 729 characters. A cell with one candidate is a given.
"""

import re
from dataclasses import replace
from typing import ClassVar, NamedTuple

from satdoku.errors import SatdokuError
from satdoku.notation.cells import LineCells, read_cells
from satdoku.notation.detection import Head
from satdoku.notation.format import AnsweredInCells
from satdoku.notation.hints import Hints
from satdoku.notation.lines import LineFormat
from satdoku.notation.record import Record, with_place
from satdoku.notation.spelling import (
    CELL_CHARACTERS,
    USUAL,
    Spelling,
    is_blank,
    shows_regions,
    size_with_regions,
    spelling_of,
    split_every,
    write_cells,
)
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.regions import Regions, read_regions
from satdoku.puzzle.rules.rule import Rule
from satdoku.puzzle.rules.single_cells import Candidates

# Cells of digits and blanks end where letters begin, with or without a space. The first letter is
# not x, which is a blank.
_SEPARATOR = r"[\s,;:|]"
_CELLS = re.compile(
    rf"\s*([{re.escape(CELL_CHARACTERS)}]+?){_SEPARATOR}*([A-WYZa-wyz][A-Za-z]*)(?={_SEPARATOR}|$)"
)
# If cells or regions may have both digits and letters, two words of the same length are cells and
# regions if the second word forms regions.
_WORDS = re.compile(rf"\s*([^\s,;:|]+){_SEPARATOR}*([^\s,;:|]*)(?={_SEPARATOR}|$)")

# With 10 or more digits, the numbers need separators.
_LARGEST_WRITTEN = 9


class _Parts(NamedTuple):
    """The parts of a line: the start of its cells, the regions, and the text after them."""

    cells: str
    start: int
    letters: str
    rest: str


class JigsawFormat(AnsweredInCells, LineFormat):
    """A puzzle on a line, with a letter for each cell that names its region."""

    name: ClassVar[str] = "jigsaw"
    writes_symbols: ClassVar[bool] = False
    has_bare_lines: ClassVar[bool] = False
    largest_size: ClassVar[int] = _LARGEST_WRITTEN
    description: ClassVar[str] = "one jigsaw a line: 81 cells, then 81 letters for the regions"

    def matches(self, head: Head) -> bool:
        return _split(head.first.text) is not None

    def is_unmistakable(self, head: Head) -> bool:
        # As many letters as there are cells may be a name, unless they form regions.
        parts = _split(head.first.text)
        return parts is not None and shows_regions(parts.letters, len(parts.cells))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        parts = _split(record.text)
        if parts is None:
            message = "this is not a jigsaw: as many letters as cells, such as 81 and 81"
            raise with_place(SatdokuError(message), source, (record.line, record.column))
        start = record.line, record.column + parts.start
        size = size_with_regions(len(parts.cells))
        geometry = hints.geometry or Geometry.of_size(size)
        # With up to nine digits, letters can only be regions.
        board = replace(hints, geometry=geometry, alphabet=hints.alphabet if size > 9 else None)
        cells = LineCells(parts.cells, range(len(parts.cells)), size)
        grid = read_cells(cells, board, source, start)
        try:
            regions = read_regions(parts.letters, grid.geometry)
        except SatdokuError as error:
            raise with_place(error, source, start) from None
        name, _, comment = parts.rest.partition("#")
        # A separator may stand before the name, as before the regions.
        name = name.lstrip(" \t,;:|").strip() or record.name
        return Puzzle(grid, name, comment.strip()).with_rules([regions])

    def can_hold(self, rule: Rule) -> bool:
        # Other signs would be read as the cells of a second board.
        return isinstance(rule, Regions) and rule.letters.isalnum()

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        geometry = puzzle.geometry
        boxes = tuple(map(geometry.box_of, range(geometry.cell_count)))
        regions = puzzle.regions or Regions(boxes)
        # Digits are written as numbers, since letters name regions, which go between cells and
        # name.
        line = super()._write(puzzle, USUAL, number)
        cells = write_cells(puzzle.grid)
        return f"{cells} {regions.letters}{line[len(cells) :]}"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        parts = _split(record.text)
        return spelling_of(parts.cells, size, hints.alphabet) if parts else hints.spelling


def _split(text: str) -> _Parts | None:
    """Split a line into its parts; None if the numbers of cells and regions differ."""
    found = _CELLS.match(text)
    if found is not None and len(found[1]) == len(found[2]) and size_with_regions(len(found[1])):
        return _Parts(found[1], found.start(1), found[2], text[found.end(2) :])
    found = _WORDS.match(text)
    if found is None:
        return None
    cells, layout, rest = found[1], found[2], text[found.end(2) :]
    if not shows_regions(layout, len(cells)):
        half = len(cells) // 2
        cells, layout, rest = cells[:half], cells[half:], text[found.end(1) :]
    if not shows_regions(layout, len(cells)):
        return None
    return _Parts(cells, found.start(1), layout, rest)


_WORD = re.compile(r"\s*(\S+)(.*)", re.DOTALL)

# A line of HoDoKu's library of techniques. Between colons it has the technique, its digits, the
# cells, the candidates that are already excluded, and some of those that the technique excludes. A
# digit after + was placed, and is no given. A cell with one candidate left has no digit yet.
#
#     :0300:4:+92...8.5.(81 cells):122 435 138:425 436::
#
_LIBRARY = r"\s*:([\w-]*):[^:]*:((?:\+?[0-9.]){81}):((?:[1-9]{3}(?:\s+|(?=:)))*):[^:]*(?::|\s*$)"


def _find_library(text: str) -> re.Match[str] | None:
    # Every check of a file calls this for the first line, so only a line with a colon has the
    # pattern compiled.
    return re.match(_LIBRARY, text) if text.lstrip()[:1] == ":" else None


def _of_library(found: re.Match[str], record: Record) -> Puzzle:
    """Return the position of a line of HoDoKu's library: its digits and remaining candidates."""
    geometry = Geometry(3, 3)
    grid = Grid(geometry, tuple(int(c) if c.isdigit() else EMPTY for c in found[2] if c != "+"))
    gone: dict[int, set[int]] = {}
    for word in found[3].split():
        digit, row, column = map(int, word)
        gone.setdefault(row * 9 + column - 10, set()).add(digit)
    left = {
        cell: [digit for digit in range(1, 10) if digit not in digits]
        for cell, digits in gone.items()
        if not grid.digits[cell]
    }
    puzzle = Puzzle(grid, found[1] or record.name)
    return puzzle.with_rules([Candidates.of(left)]) if left else puzzle


# The number of characters for each size; digits above 9 would not be one character.
_SIZE_OF_LENGTH = {size**3: size for size in range(4, 10)}


class CandidatesFormat(LineFormat):
    """A puzzle on a line, with the candidates of all cells."""

    name: ClassVar[str] = "candidates"
    writes_symbols: ClassVar[bool] = False
    has_bare_lines: ClassVar[bool] = False
    largest_size: ClassVar[int] = 9
    description: ClassVar[str] = "one pencil-mark puzzle a line: 729 characters, nine for each cell"

    def matches(self, head: Head) -> bool:
        found = _WORD.match(head.first.text)
        is_known = _find_library(head.first.text) is not None
        return is_known or (found is not None and _is_surely_candidates(found[1]))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        of_library = _find_library(record.text)
        if of_library is not None:
            return _of_library(of_library, record)
        found = _WORD.match(record.text)
        text = found[1] if found else ""
        place = record.line, record.column + (found.start(1) if found else 0)
        size = _SIZE_OF_LENGTH.get(len(text))
        try:
            if size is None:
                raise SatdokuError(f"{len(text)} characters are no candidates; 9x9 has 729")
            geometry = hints.geometry or Geometry.of_size(size)
            sets = _read_sets(text, size, geometry)
            puzzle = _puzzle_of(sets, geometry)
        except SatdokuError as error:
            raise with_place(error, source, place) from None
        name, _, comment = (found[2] if found else "").partition("#")
        return Puzzle(puzzle.grid, name.strip() or record.name, comment.strip(), rules=puzzle.rules)

    def can_hold(self, rule: Rule) -> bool:
        return isinstance(rule, Candidates)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        size = puzzle.geometry.size
        sets = [set(range(1, size + 1)) for _ in range(puzzle.geometry.cell_count)]
        for rule in puzzle.further_rules:
            for cell, digits in rule.sets if isinstance(rule, Candidates) else ():
                sets[cell] &= set(digits)
        for cell, given in puzzle.givens.items():
            sets[cell] &= {given}
        cells = "".join(
            str(digit) if digit in digits else "."
            for digits in sets
            for digit in range(1, size + 1)
        )
        # Name and comment follow as on other lines; the candidates replace the cells.
        bare = write_cells(puzzle.grid)
        return cells + super()._write(puzzle, USUAL, number)[len(bare) :]

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return write_cells(solution) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return hints.spelling


def _is_surely_candidates(text: str) -> bool:
    """Whether a word can only be candidates; 729 characters may also be the cells of 27x27.

    Each place holds its own digit or a blank, and each cell has a digit.
    """
    size = _SIZE_OF_LENGTH.get(len(text))
    if size is None:
        return False
    digits = "123456789"[:size]
    return all(
        any(not is_blank(symbol) for symbol in cell)
        and all(
            is_blank(symbol) or symbol == digit for symbol, digit in zip(cell, digits, strict=True)
        )
        for cell in split_every(text, size)
    )


def _read_sets(text: str, size: int, geometry: Geometry) -> list[tuple[int, ...]]:
    """Return the digits of each cell."""
    sets = []
    for index, cell in enumerate(split_every(text, size)):
        digits = []
        for digit, symbol in enumerate(cell, 1):
            if symbol == str(digit):
                digits.append(digit)
            elif not is_blank(symbol):
                raise SatdokuError(
                    f"{symbol!r} stands where {digit} or a blank of {geometry.name_of(index)} does"
                )
        sets.append(tuple(digits))
    return sets


def _puzzle_of(sets: list[tuple[int, ...]], geometry: Geometry) -> Puzzle:
    """Return a puzzle with these candidates in each cell; a single candidate is a given."""
    givens = tuple(digits[0] if len(digits) == 1 else EMPTY for digits in sets)
    restricted = {
        cell: digits
        for cell, digits in enumerate(sets)
        if len(digits) != 1 and len(digits) < geometry.size
    }
    puzzle = Puzzle(Grid(geometry, givens))
    return puzzle.with_rules([Candidates.of(restricted)]) if restricted else puzzle
