"""Rows and columns read as numbers, and the place of one of them among all.

Each row and each column is read from both of its ends, so a board of 9x9 has 36 such numbers.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Allowed, Constraint, Ranked
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import OutsideLine, halves, read_line, read_number
from satdoku.puzzle.rules.machine_rule import State, SteppedRule
from satdoku.puzzle.rules.outside import LINE_PART, OutsideRule
from satdoku.puzzle.rules.reasons import Read, why_not_ranked
from satdoku.puzzle.rules.rule import Clash, Drawing, Left, Rule
from satdoku.puzzle.value import value

_TIES = "ties"


def _lines(geometry: Geometry) -> list[OutsideLine]:
    """Return each row and each column twice, as it is read from either end."""
    return [
        OutsideLine(is_row, number, is_reversed)
        for is_row, count in ((True, geometry.height), (False, geometry.width))
        for number in range(count)
        for is_reversed in (False, True)
    ]


@value(frozen=True)
class FullRank(OutsideRule):
    """The place of a line among all rows and columns, read from either end as numbers.

    The lowest number has place 1. A line has the place behind all that are lower; unless `may_tie`,
    no other line is equal to it.
    """

    name: ClassVar[str] = "full-rank"
    label: ClassVar[str] = "rank of a line"
    example: ClassVar[str] = "row1=4"
    form: ClassVar[str] = "LINE=NUMBER[:TIES]"
    sign: ClassVar[str] = "#"
    told: ClassVar[str] = (
        "# outside: the place of this line among all rows and columns, read from both ends"
    )
    why: ClassVar[str] = "but read as a number, it has place {number} among all rows and columns"
    parts = {
        "LINE": LINE_PART,
        "NUMBER": "its place among all rows and columns read from both ends, 1 for the lowest",
        "TIES": "`ties` where others may be equal to it; otherwise none is",
    }

    may_tie: bool = False

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        line, number = halves(argument, "a number is missing", cls.example)
        place, colon, ties = number.partition(":")
        if colon and ties.strip() != _TIES:
            raise SatdokuError(f"{ties.strip()[:20]!r} is not {_TIES}, as in {cls.example}:{_TIES}")
        return cls(read_line(line, geometry), read_number(place), bool(colon))

    def argument(self, geometry: Geometry) -> str:
        return super().argument(geometry) + (f":{_TIES}" if self.may_tie else "")

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        for kind, *where, text in super().drawing(geometry):
            yield (kind, *where, f"{text}=" if self.may_tie else text)

    def caption(self, geometry: Geometry) -> str:
        told = super().caption(geometry)
        return f"{told.replace('#', '#=', 1)}; others may be equal to it" if self.may_tie else told

    def sentence(self, geometry: Geometry) -> str:
        ties = "others may be equal" if self.may_tie else "no other is equal"
        return (
            f"read as a number, {self.line.in_words} has place {self.number} from the lowest among "
            f"all rows and columns read from both ends, and {ties}"
        )

    def reached(self, geometry: Geometry) -> set[int]:
        return set(range(1, len(_lines(geometry)) + 1))

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        # The whole board, row by row.
        return [tuple(range(geometry.cell_count))]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        read = {line: [numbers[cell] for cell in line.cells(geometry)] for line in _lines(geometry)}
        own = read.pop(self.line)
        is_alone = self.may_tie or own not in read.values()
        return is_alone and sum(other < own for other in read.values()) == self.number - 1

    def forbids(self, geometry: Geometry, cell: int, digit: int) -> bool:
        is_first = cell == self.line.cells(geometry)[0]
        return is_first and not self._first(geometry) >> digit & 1

    def _first(self, geometry: Geometry) -> int:
        """Return the mask of the digit that the line begins with."""
        # Rows and columns hold every digit, so four of the lines begin with each of them: those
        # with the places 1 to 4 with the lowest, those with 5 to 8 with the next one.
        first = (self.number - 1) // 4
        return 2 << first if 0 <= first < geometry.size else 0

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        cells = self.line.cells(geometry)
        first = digits[cells[0]]
        if first != EMPTY and self.forbids(geometry, cells[0], first):
            place = f"has place {self.number} among all rows and columns"
            why = f"{self.line.in_words}, which it begins, {place}"
            yield Clash(geometry, cells[:1], (first,), why)
        elif EMPTY not in digits and not self.is_kept(geometry, 0, digits):
            yield Clash(geometry, cells, tuple(digits[c] for c in cells), self.reason(geometry))

    def why_none(self, geometry: Geometry, left: Left) -> str:
        own, *others = (
            Read(line.in_words, line.cells(geometry), [left.masks[c] for c in line.cells(geometry)])
            for line in (self.line, *(each for each in _lines(geometry) if each != self.line))
        )
        told = why_not_ranked(own, others, self.number, self.may_tie)
        if not left.is_brief:
            return told
        if told:
            return f"its place would be {'higher' if 'at least' in told else 'lower'}"
        return "its place would be another" + ("" if self.may_tie else ", or shared")

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        below = (self.number - 1) % 4
        mask = self._first(geometry)
        cells, sentence = self.line.cells(geometry), self.sentence(geometry)
        others = (line.cells(geometry) for line in _lines(geometry) if line != self.line)
        yield Allowed(cells[0], mask, f"{{}} begins a line: {sentence}")
        yield Ranked((cells, *others), mask, below, self.may_tie, sentence)


class NoEqualLines(SteppedRule):
    """No two rows or columns, read from either end, are the same number.

    A group has the cells of two lines by turns. Lines of which two cells at the same place share a
    row or a column always differ, and are left out; so are cells that are in both.
    """

    name: ClassVar[str] = "no-equal-lines"
    label: ClassVar[str] = "no equal rows or columns"
    why: ClassVar[str] = "but read by turns, two lines of the board differ"
    counts: ClassVar[bool] = False

    def sentence(self, geometry: Geometry) -> str:
        return "no row or column, read from either end, is the same number as another"

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return [cells for _, _, cells in _lines_by_turns(geometry)]

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return numbers[::2] != numbers[1::2]

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for one, other, by_turns in _lines_by_turns(geometry):
            cells = by_turns[::2] + by_turns[1::2]
            found = tuple(digits[cell] for cell in cells)
            if EMPTY not in found and found[: len(found) // 2] == found[len(found) // 2 :]:
                why = f"but {one.in_words} and {other.in_words} are not the same number"
                yield Clash(geometry, cells, found, why)

    # A state is 0 while the lines are equal, -1 if they differ, or else the number of the first
    # line that the second one has to match; numbers count from 1.

    def machine_key(self, geometry: Geometry) -> tuple[int, ...]:
        return ()

    @classmethod
    def start(cls, key: tuple[int, ...]) -> State:
        return 0

    @classmethod
    def step(cls, key: tuple[int, ...], state: State, number: int) -> State | None:
        if state == 0:
            return number
        return 0 if state == number else -1

    @classmethod
    def is_end(cls, key: tuple[int, ...], state: State) -> bool:
        return state == -1


@lru_cache(maxsize=16)
def _lines_by_turns(
    geometry: Geometry,
) -> tuple[tuple[OutsideLine, OutsideLine, tuple[int, ...]], ...]:
    """Return each two lines that may be equal, and their cells by turns."""
    found = []
    for one, other in combinations(_lines(geometry), 2):
        pairs = list(zip(one.cells(geometry), other.cells(geometry), strict=True))
        # Each pair of lines comes again with both of them reversed.
        if not one.is_reversed and not any(_share_line(geometry, *pair) for pair in pairs):
            found.append((one, other, tuple(cell for a, b in pairs if a != b for cell in (a, b))))
    # On a board of one cell nothing is left of the lines.
    return tuple(each for each in found if each[2])


def _share_line(geometry: Geometry, one: int, other: int) -> bool:
    return one != other and (
        geometry.row_of(one) == geometry.row_of(other)
        or geometry.column_of(one) == geometry.column_of(other)
    )
