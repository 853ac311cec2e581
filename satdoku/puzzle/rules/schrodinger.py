"""Schrödinger cells: some cells hold two digits, and count as their sum.

The board has more digits than a row has cells: 0 to 9 on 9x9. A cell beside the board stands for
the second digit of each cell: the higher one in a Schrödinger cell, and in any other cell its digit
once more. So what a cell holds is never unknown, and needs no sign for "no second digit".
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import ClassVar

from satdoku.errors import SatdokuError
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import Constraint, Pair, Some
from satdoku.puzzle.grid import EMPTY, Geometry, Unit
from satdoku.puzzle.rules.cages import DifferentDigits
from satdoku.puzzle.rules.classic import UnitRule
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule, lowest_of
from satdoku.puzzle.rules.values import Change, FoundValues, Reading, ValuesRule
from satdoku.puzzle.value import value

_BOARD = "board:9x9:boxes=3x3:digits=10:beside=S*9x9"


@value(frozen=True)
class Schrodinger(FoundValues):
    """Each row, column and box holds every digit once, so some cells hold two digits."""

    name: ClassVar[str] = "schrodinger"
    label: ClassVar[str] = "Schrödinger cells to be found"
    is_alone: ClassVar[bool] = True
    example: ClassVar[str] = "S"
    example_board: ClassVar[Geometry] = Arrangement.read(
        "board:4x4:boxes=2x2:digits=5:beside=S*4x4"
    )
    parts = {
        "MARKS": "a group of cells beside the board, one for each cell of the board, in order; "
        "it holds the higher digit of a cell with two digits, and the digit of any other cell"
    }
    heading: ClassVar[str] = "Schrödinger cells"
    noun: ClassVar[str] = "Schrödinger cell"

    size: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        return cls(cls.read_marks(argument, geometry, _BOARD), geometry.size)

    def require_fit(self, geometry: Geometry) -> None:
        if self.reading is None:
            return
        spare = [geometry.size - len(cells) for _, cells in self._units(geometry)]
        if spare and min(spare) < 1:
            raise SatdokuError(
                f"{self.name} needs more digits than a row, column or box has cells, as in {_BOARD}"
            )

    @property
    def kinds(self) -> tuple[tuple[int, Change], ...]:
        numbers = range(self.lowest, self.lowest + self.size)
        return tuple((number, Change(second=number)) for number in numbers)

    def adapted(self, rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[Rule, ...]:
        for rule in rules:
            if rule.reads == "digits" and not (isinstance(rule, UnitRule) or rule.is_of_the_board):
                raise SatdokuError(
                    f"the rule {rule.name} cannot be used with {self.name}: "
                    "it is not defined which digit of a cell it reads"
                )
        return super().adapted(rules, others)

    def reading_of(self, makers: Sequence[ValuesRule], others: Sequence[Rule]) -> Reading:
        apart = tuple(rule for rule in others if isinstance(rule, UnitRule | DifferentDigits))
        numbered = self.beside(others)
        assert isinstance(numbered, Schrodinger)
        unit_rules = tuple(
            rule for rule in apart if isinstance(rule, UnitRule) and rule.is_of_the_board
        )
        return Reading(
            self.name,
            lowest_of(others),
            certain=(),
            marks=self.marks,
            kinds=numbered.kinds,
            unit_rules=unit_rules,
            limit="each unit holds every digit once",
            apart=apart,
        )

    def sentence(self, geometry: Geometry) -> str:
        group = geometry.written_cells(self.marks)
        return (
            f"each {self._unit_words()} holds every digit once, as some cells hold two, whose "
            f"sum they count as; {group} has the higher one"
        )

    def caption(self, geometry: Geometry) -> str:
        return (
            f"a second digit in the corner: {self.noun}s, which hold both digits and count as "
            f"their sum; each {self._unit_words()} holds every digit once"
        )

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Drawing]:
        for cell, mark in enumerate(self.marks):
            if EMPTY not in (digits[cell], digits[mark]) and digits[cell] != digits[mark]:
                yield ("cage", (cell,), str(self.value(digits[mark])), True)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell, mark in enumerate(self.marks):
            if EMPTY not in (digits[cell], digits[mark]) and digits[mark] < digits[cell]:
                why = "but the second digit of a cell is not lower than the first"
                yield Clash(geometry, (cell, mark), (digits[cell], digits[mark]), why)
        for one, other in _pairs_apart(self, geometry):
            second, other_second = self.marks[one], self.marks[other]
            for first, last in ((second, other), (one, other_second), (second, other_second)):
                if digits[first] == digits[last] != EMPTY:
                    names = " and ".join(map(geometry.name_of, (one, other)))
                    why = f"but {names} have no digit in common"
                    yield Clash(geometry, (first, last), (digits[first], digits[last]), why)
        for name, cells in self._units(geometry):
            every = (*cells, *(self.marks[cell] for cell in cells))
            held = tuple(digits[cell] for cell in every)
            lacking = [d for d in range(1, geometry.size + 1) if d not in held]
            if EMPTY not in held and lacking:
                yield Clash(geometry, every, held, f"but {name} has a {self.value(lacking[0])}")

    def _groups(self, geometry: Geometry) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the name and the cells of each group in which all digits differ."""
        for rule in self.reading.apart if self.reading else ():
            if isinstance(rule, UnitRule):
                yield from ((str(unit), unit.cells) for unit in rule.units(geometry))
            elif isinstance(rule, DifferentDigits):
                yield from ((str(rule.unit(geometry, g)), g) for g in rule.groups(geometry))

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        every = range(1, geometry.size + 1)
        lower = (0, *(sum(1 << other for other in range(1, digit)) for digit in every))
        same = (0, *(1 << digit for digit in every))
        for cell, mark in enumerate(self.marks):
            yield Pair(cell, mark, lower, "{1}, the second digit of {0}, is not lower than {0}")
        for name, cells in self._groups(geometry):
            marks = tuple(self.marks[cell] for cell in cells)
            yield Unit(f"the second digits of {name}", None, marks)
            for one, other in permutations(cells, 2):
                told = f"{{}} differs from {{}}, a second digit of {name}"
                yield Pair(one, self.marks[other], same, told)
        for name, cells in self._units(geometry):
            for digit in every:
                places = (*cells, *(self.marks[cell] for cell in cells))
                choices = tuple((cell, 1 << digit) for cell in places)
                yield Some(choices, f"{name} has a {self.value(digit)}")


# Cached, since the judge asks for each grid.
@lru_cache(maxsize=16)
def _pairs_apart(rule: Schrodinger, geometry: Geometry) -> list[tuple[int, int]]:
    """Return the pairs of cells that differ by another rule."""
    rules = rule.reading.apart if rule.reading else ()
    return [
        pair
        for pair in combinations(range(geometry.board_count), 2)
        if any(each.are_all_different(geometry, pair) for each in rules)
    ]
