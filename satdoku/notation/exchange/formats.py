"""The formats of other programs: JSON of f-puzzles, strings of ISS, and links.

Each line has one puzzle, perhaps with a name after it; ISS may take several lines.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import ClassVar

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import (
    agreed,
    is_iss,
    is_killer,
    is_link,
    puzzle_of_link,
    unread_of_link,
)
from satdoku.notation.format import AnsweredInCells
from satdoku.notation.hints import Hints
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Record, with_place
from satdoku.notation.spelling import Spelling
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

_LARGEST = 36
"""Largest size that is read; f-puzzles itself stops at 16."""


class FPuzzlesFormat(JsonFormat):
    """Boards of f-puzzles; they are read by `JsonFormat`, which recognises their cells."""

    name: ClassVar[str] = "fpuzzles"
    takes_any_board: ClassVar[bool] = False
    writes_symbols: ClassVar[bool] = False
    description: ClassVar[str] = "the JSON of f-puzzles, with its rules"
    largest_size: ClassVar[int] = _LARGEST
    can_lack_boxes: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        return False

    def can_hold(self, rule: Rule) -> bool:
        return bool(_late("fpuzzles").can_hold(rule))

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return _text(puzzle) + "\n"


_SHAPE = ".Shape"


class IssFormat(AnsweredInCells):
    """A string over any number of lines; each of several puzzles begins with its `.Shape`.

    Killers in a line of text are read as well, as ISS does.
    """

    name: ClassVar[str] = "iss"
    takes_any_board: ClassVar[bool] = True
    is_linewise: ClassVar[bool] = True
    can_lack_boxes: ClassVar[bool] = True
    description: ClassVar[str] = "a string of the Interactive Sudoku Solver (ISS)"
    largest_size: ClassVar[int] = 16

    def matches(self, head: Head) -> bool:
        return is_iss(head.first.text) or is_killer(head.first.text)

    def is_unmistakable(self, head: Head) -> bool:
        # What looks like a board inside such a string is a part of a damaged string.
        return True

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        begin, found, has_shapes = 0, list[str](), False
        for number, line in enumerate(lines, 1):
            if is_killer(line):
                yield Record(number, line)
                continue
            begins = line.lstrip().startswith(_SHAPE)
            if not begin and is_data(line):
                begin, has_shapes = number, begins
            elif begins and has_shapes:
                # Split at shapes only if the first puzzle begins with one: else a shape may stand
                # anywhere.
                yield Record(begin, "\n".join(found))
                begin, found = number, []
            if begin:
                found.append(line)
        if begin:
            yield Record(begin, "\n".join(found))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        try:
            is_line = is_killer(record.text)
            read = _late("killer_text").read_killer if is_line else _late("iss.reading").read_iss
            return agreed(read(record.text).puzzle(), hints)
        except SatdokuError as error:
            raise with_place(error, source, (record.line, record.column)) from None

    def can_hold(self, rule: Rule) -> bool:
        return bool(_late("iss.writing").can_hold(rule))

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return f"{_late('iss.writing').write_iss(puzzle)}\n"


def _late(name: str) -> ModuleType:
    """Import a module of this folder at its first use, as most texts are of no other program."""
    return import_module(f"satdoku.notation.exchange.{name}")


class LinkFormat(AnsweredInCells):
    """Links to a site; links to all other sites are read as well."""

    is_linewise: ClassVar[bool] = True
    is_cited: ClassVar[bool] = True
    can_lack_boxes: ClassVar[bool] = True
    largest_size: ClassVar[int] = FPuzzlesFormat.largest_size

    def matches(self, head: Head) -> bool:
        return is_link(head.first.text)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        link, _, name = record.text.strip().partition(" ")
        place = record.line, record.column
        if not is_link(link):
            raise FormatError("this is not a link", source, *place)
        return puzzle_of_link(link, source, place, hints, name.strip())

    def unread(self, record: Record, hints: Hints) -> str:
        return unread_of_link(record.text.strip().partition(" ")[0])

    def can_hold(self, rule: Rule) -> bool:
        return FPuzzlesFormat().can_hold(rule)


class FPuzzlesLink(LinkFormat):
    """Links that open in f-puzzles."""

    name: ClassVar[str] = "link:fpuzzles"
    writes_symbols: ClassVar[bool] = False
    description: ClassVar[str] = "a link that opens in f-puzzles; links to other sites are read too"

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        return f"https://f-puzzles.com/?load={_text(puzzle, 'packed')}\n"


class SudokuPadLink(LinkFormat):
    """Links that open in SudokuPad, which takes the boards of f-puzzles as they are.

    A puzzle that came from SudokuPad is written in its own form, with its drawings.
    """

    name: ClassVar[str] = "link:sudokupad"
    writes_symbols: ClassVar[bool] = False
    description: ClassVar[str] = "a link that opens in SudokuPad"

    def matches(self, head: Head) -> bool:
        return False  # links are detected as one format, under another name

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        # Slashes in the packed text are quoted, as they would split the path.
        return _link("https://sudokupad.app/", _text(puzzle, "sudokupad"))


class IssLink(LinkFormat):
    """Links that open in ISS."""

    name: ClassVar[str] = "link:iss"
    takes_any_board: ClassVar[bool] = True
    description: ClassVar[str] = "a link that opens in the Interactive Sudoku Solver"
    largest_size: ClassVar[int] = IssFormat.largest_size

    def matches(self, head: Head) -> bool:
        return False  # as for SudokuPad

    def can_hold(self, rule: Rule) -> bool:
        return IssFormat().can_hold(rule)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        text = IssFormat().write(puzzle).strip()
        return _link("https://sigh.github.io/Interactive-Sudoku-Solver/?q=", text, safe="~")


class SudokuMakerLink(LinkFormat):
    """Links that open in SudokuMaker."""

    name: ClassVar[str] = "link:sudokumaker"
    writes_symbols: ClassVar[bool] = False
    description: ClassVar[str] = "a link that opens in SudokuMaker"

    def matches(self, head: Head) -> bool:
        return False  # as for SudokuPad

    def can_hold(self, rule: Rule) -> bool:
        return bool(_late("sudokumaker").can_hold(rule))

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        text = _late("sudokumaker").sudokumaker_text(puzzle)
        return _link("https://sudokumaker.app/?puzzle=", text)


def _link(site: str, text: str, safe: str = "") -> str:
    return f"{_late('foreign').address_of(site, text, safe)}\n"


def _text(puzzle: Puzzle, form: str = "plain") -> str:
    text: str = _late("scl").TEXTS[form](puzzle)
    return text
