"""What has been read of another program's puzzle, until it is a puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import isqrt
from typing import Any

from satdoku.errors import RuleError, SatdokuError, quote
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.candidates import Candidates
from satdoku.puzzle.rules.classic import Boxes, Columns, Rows, arrange
from satdoku.puzzle.rules.regions import read_regions
from satdoku.puzzle.rules.registry import RULES, read_rule
from satdoku.puzzle.rules.rule import Rule

LARGEST = 36
"""Digits of the largest board that is read; a larger number in a link is a slip or an attack."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def geometry_of(size: object) -> Geometry:
    """The board of that size with the usual boxes; a RuleError for what is no size."""
    if type(size) is not int or not 1 <= size <= LARGEST:
        raise RuleError(f"a board of the size {quote(str(size))} is not read, only 1 to {LARGEST}")
    return Geometry.of_size(size)


@dataclass
class Draft:
    """Givens, regions and rules as they are found; `program` is what messages call their writer.

    `regions` names the region of each cell, by None if it lies in none; without it there are the
    usual boxes. `drawn` says what was only drawn, or is of no use here, and therefore was not read.
    """

    program: str
    geometry: Geometry
    digits: dict[int, int] = field(default_factory=dict)
    candidates: dict[int, Sequence[int]] = field(default_factory=dict)
    regions: Sequence[object] | None = None
    rules: list[Rule] = field(default_factory=list)
    name: str = ""
    comment: str = ""
    drawn: list[str] = field(default_factory=list)

    @property
    def unread(self) -> str:
        """A sentence about what was not read; empty if that was nothing."""
        what = " and ".join(self.drawn)
        return f"{what} in this puzzle of {self.program} are not read" if what else ""

    @property
    def size(self) -> int:
        return self.geometry.size

    def add_digit(self, row: int, column: int, digit: Any) -> None:
        """A given, by its row and column from 0; a RuleError for what is no digit."""
        cell = row * self.size + column
        number = int(digit) if isinstance(digit, str) and digit.isdecimal() else digit
        if type(number) is not int or not 1 <= number <= self.size:
            place = self.geometry.name_of(cell)
            raise RuleError(f"{quote(str(digit))} at {place} is not a digit 1-{self.size}")
        self.digits[cell] = number

    def add_candidates(self, row: int, column: int, digits: Any) -> None:
        """The digits of which a cell holds one; that they are digits is looked at in the end."""
        if not isinstance(digits, list) or not all(type(digit) is int for digit in digits):
            place = self.geometry.name_of(row * self.size + column)
            raise RuleError(f"the candidates of {place} are not a list of numbers")
        self.candidates[row * self.size + column] = digits

    def add_rule(self, name: str, argument: str, place: str) -> None:
        """A further rule; `place` is where it stands, in the words of the other program."""
        if name not in RULES:
            raise RuleError(f"{place}: satdoku has no rule {name!r}")
        try:
            self.rules.append(read_rule(f"{name}:{argument}" if argument else name, self.geometry))
        except SatdokuError as error:
            raise RuleError(f"{place}: {str(error).removeprefix(f'the rule {name}: ')}") from None

    def set_regions(self, names: Sequence[object]) -> None:
        """The name of each cell's region; boxes of an unusual shape are boxes all the same.

        Called before rules are read, which may depend on the boxes.
        """
        self.regions = names
        cells_of: dict[object, list[int]] = {}
        for cell, name in enumerate(names):
            cells_of.setdefault(name, []).append(cell)
        regions = set(map(tuple, cells_of.values()))
        for rows in range(1, self.size + 1):
            if self.size % rows == 0:
                geometry = Geometry(rows, self.size // rows)
                if regions == {unit.cells for unit in geometry.boxes}:
                    self.geometry, self.regions = geometry, None

    def puzzle(self) -> Puzzle:
        """The puzzle; a RuleError where its parts do not fit together."""
        try:
            grid = Grid.empty(self.geometry).with_digits(self.digits)
            marks = [Candidates.of(self.candidates)] if self.candidates else []
            rules = arrange([Rows(), Columns(), *self._regions(), *self.rules, *marks])
            return Puzzle(grid, self.name, self.comment, rules)
        except SatdokuError as error:
            raise RuleError(str(error)) from None

    def _regions(self) -> list[Rule]:
        """Boxes, or the regions in their place; none where no cell lies in any."""
        if self.regions is None:
            return [Boxes()]
        numbers = count()
        letters: dict[object, str] = {None: "."}
        for name in self.regions:
            if name not in letters:
                letters[name] = _LETTERS[next(numbers) % len(_LETTERS)]
        if len(letters) == 1:
            return []
        return [read_regions("".join(letters[name] for name in self.regions), self.geometry)]


def cells_draft(cells: str, program: str) -> Draft:
    """The draft of a board by one character for each cell, where dots and zeros are blanks."""
    draft = Draft(program, geometry_of(isqrt(len(cells))))
    for place, cell in enumerate(cells):
        if cell not in ".0":
            draft.add_digit(*divmod(place, draft.size), cell)
    return draft
