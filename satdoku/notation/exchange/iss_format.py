"""The format `iss`: strings of the Interactive Sudoku Solver."""

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import is_iss, is_killer
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints, alphabet_of_rules
from satdoku.notation.line_kind import is_data
from satdoku.notation.record import Record, with_place
from satdoku.notation.sizes import agreed_geometry
from satdoku.notation.spelling import USUAL, Spelling, write_cells
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

_SHAPE = ".Shape"


class IssFormat(Format):
    """A string over any number of lines; of several puzzles, each begins with its `.Shape`.

    Killers in a line of text are read as well, as ISS does.
    """

    name: ClassVar[str] = "iss"
    is_linewise: ClassVar[bool] = True
    description: ClassVar[str] = "a string of the Interactive Sudoku Solver (ISS)"
    largest_size: ClassVar[int] = 16

    def matches(self, head: Head) -> bool:
        return is_iss(head.first.text) or is_killer(head.first.text)

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
                # Only where the first puzzle begins so as well: else a shape may stand anywhere.
                yield Record(begin, "\n".join(found))
                begin, found = number, []
            if begin:
                found.append(line)
        if begin:
            yield Record(begin, "\n".join(found))

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        # Imported here, as below: most texts are no such strings.
        from satdoku.notation.exchange.iss import read_iss
        from satdoku.notation.exchange.killer_text import read_killer

        try:
            read = read_killer if is_killer(record.text) else read_iss
            puzzle = read(record.text).puzzle()
            agreed_geometry(hints.geometry, puzzle.geometry)
            return puzzle
        except SatdokuError as error:
            raise with_place(error, source, (record.line, record.column)) from None

    def can_hold(self, rule: Rule) -> bool:
        from satdoku.notation.exchange.iss_write import can_hold

        return can_hold(rule)

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        from satdoku.notation.exchange.iss_write import write_iss

        return write_iss(puzzle) + "\n"

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return write_cells(solution, spelling) + "\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        return spelling_of_iss(record.text)


def spelling_of_iss(text: str) -> Spelling:
    """How the digits are written of a string that may say where they begin."""
    digits = _DIGITS.search(text)
    return Spelling(alphabet_of_rules([f"digits:{digits[1]}"])) if digits else USUAL


_DIGITS = re.compile(r"\.\s*Shape~[0-9]+x[0-9]+~([0-9]+-[0-9]+)")
