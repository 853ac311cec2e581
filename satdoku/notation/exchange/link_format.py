"""The formats of f-puzzles' JSON, an object on each line, and of links to other programs.

A link stands on each line, perhaps with a name behind it.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from satdoku.errors import FormatError
from satdoku.notation.detection import Head
from satdoku.notation.exchange.iss_format import IssFormat, spelling_of_iss
from satdoku.notation.exchange.seen import is_link, puzzle_of_link, unread_of_link
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.record import Record
from satdoku.notation.spelling import Spelling, write_cells
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

_LARGEST = 36
"""As many digits as are read; f-puzzles itself stops at 16."""


class FPuzzlesFormat(JsonFormat):
    """Boards of f-puzzles; they are read as JSON, which knows them by their cells."""

    name: ClassVar[str] = "fpuzzles"
    description: ClassVar[str] = "the JSON of f-puzzles, with its rules"
    largest_size: ClassVar[int] = _LARGEST

    def matches(self, head: Head) -> bool:
        return False

    def can_hold(self, rule: Rule) -> bool:
        # Imported here, as below: most runs write no such board.
        from satdoku.notation.exchange.fpuzzles import can_hold

        return can_hold(rule)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return _text(puzzle) + "\n"


class LinkFormat(Format):
    """Links to a site; those to all other sites are read as well."""

    is_linewise: ClassVar[bool] = True
    is_cited: ClassVar[bool] = True
    largest_size: ClassVar[int] = FPuzzlesFormat.largest_size

    def matches(self, head: Head) -> bool:
        return is_link(head.first.text)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        for number, line in enumerate(lines, 1):
            if is_data(line):
                yield Record(number, line)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        link, _, name = record.text.strip().partition(" ")
        place = record.line, record.column
        if not is_link(link):
            raise FormatError("this is not a link", source, *place)
        return puzzle_of_link(link, source, place, hints, name.strip())

    def unread(self, record: Record, hints: Hints) -> str:
        return unread_of_link(record.text.strip().partition(" ")[0])

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return write_cells(solution, spelling) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        # Of all that links hold, only strings of ISS have digits of their own.
        return spelling_of_iss(record.text.replace("%7E", "~"))

    def can_hold(self, rule: Rule) -> bool:
        return FPuzzlesFormat().can_hold(rule)


class FPuzzlesLink(LinkFormat):
    """Links that open in f-puzzles."""

    name: ClassVar[str] = "link:fpuzzles"
    description: ClassVar[str] = "a link that opens in f-puzzles; links to other sites are read too"

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return f"https://f-puzzles.com/?load={_text(puzzle, is_packed=True)}\n"


class SudokuPadLink(LinkFormat):
    """Links that open in SudokuPad, which takes the boards of f-puzzles as they are."""

    name: ClassVar[str] = "link:sudokupad"
    description: ClassVar[str] = "a link that opens in SudokuPad"

    def matches(self, head: Head) -> bool:
        return False  # all links are alike, and the other name stands for them

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        # In a path, slashes of packed text would part it.
        return f"https://sudokupad.app/fpuzzles{_quoted(_text(puzzle, is_packed=True), safe='')}\n"


class IssLink(LinkFormat):
    """Links that open in ISS."""

    name: ClassVar[str] = "link:iss"
    description: ClassVar[str] = "a link that opens in the Interactive Sudoku Solver"
    largest_size: ClassVar[int] = IssFormat.largest_size

    def matches(self, head: Head) -> bool:
        return False  # as for SudokuPad

    def can_hold(self, rule: Rule) -> bool:
        return IssFormat().can_hold(rule)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        text = IssFormat().write(puzzle).strip()
        return f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={_quoted(text, safe='~')}\n"


def _quoted(text: str, safe: str) -> str:
    # Imported here: slow to import, and few runs write links.
    from urllib.parse import quote

    return quote(text, safe=safe)


def _text(puzzle: Puzzle, is_packed: bool = False) -> str:
    from satdoku.notation.exchange.fpuzzles import fpuzzles_text, packed_text

    return packed_text(puzzle) if is_packed else fpuzzles_text(puzzle)
