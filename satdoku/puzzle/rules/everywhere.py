"""Rules about all pairs or groups of cells in a certain relative position, on the whole board.

Cells a chess move apart must not be equal, and neighbours must not be consecutive; a difference,
ratio or sum may be forbidden between neighbours except where it is marked.
"""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from satdoku.errors import SatdokuError, join, quote
from satdoku.puzzle.constraints import Constraint, Pair, Some, every_digit, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import read_edges, read_number, write_cells
from satdoku.puzzle.rules.group_rule import GroupRule
from satdoku.puzzle.rules.order import Edge, PairRule, all_edges
from satdoku.puzzle.rules.rule import Clash, Rule
from satdoku.puzzle.value import value


class ApartRule(Rule):
    """No two cells in a certain relative position hold the same digit."""

    why: ClassVar[str]
    """The relative position in words: `a knight's move apart`."""

    @abstractmethod
    def are_apart(self, geometry: Geometry, first: int, second: int, digit: int) -> bool:
        """Whether the rule forbids that both cells hold this digit (the definition)."""

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells {self.why} hold the same digit"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.board_count)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        cells_with: defaultdict[int, list[int]] = defaultdict(list)
        for cell, digit in enumerate(digits[: geometry.board_count]):
            cells_with[digit].append(cell)
        cells_with.pop(EMPTY, None)
        for digit, cells in cells_with.items():
            for first, second in combinations(cells, 2):
                if self.are_apart(geometry, first, second, digit):
                    yield Clash(geometry, (first, second), (digit, digit), self.why)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        return digit == other_digit and self.are_apart(geometry, cell, other, digit)


class MoveRule(ApartRule):
    """No two cells that are one move apart hold the same digit."""

    reads = "digits"
    fits_every_board: ClassVar[bool] = True
    steps: ClassVar[Sequence[tuple[int, int]]]
    """The moves that lead down, or right in the same row; the other moves are their reverses."""

    @abstractmethod
    def is_move(self, rows: int, columns: int) -> bool:
        """Whether cells this many rows and columns apart must differ (the definition)."""

    def are_apart(self, geometry: Geometry, first: int, second: int, digit: int) -> bool:
        if max(first, second) >= geometry.board_count:
            return False
        rows = abs(geometry.row_of(first) - geometry.row_of(second))
        columns = abs(geometry.column_of(first) - geometry.column_of(second))
        return self.is_move(rows, columns)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # All pairs share one tuple: a board has hundreds of pairs, a large one thousands.
        same_digit = (0, *(1 << digit for digit in range(1, geometry.size + 1)))
        sentence = f"{{}} and {{}} differ, {self.why}"
        for cell in range(geometry.board_count):
            row, column = geometry.row_of(cell), geometry.column_of(cell)
            for down, right in self.steps:
                other = geometry.cell_at(row + down, column + right)
                if other is not None:
                    yield Pair(cell, other, same_digit, sentence)


@value(frozen=True)
class AntiMove(MoveRule):
    """Cells one move apart hold different digits; a move is a number of rows and of columns."""

    name: ClassVar[str] = "anti-move"
    label: ClassVar[str] = "no equal digits a move apart"
    is_of_pairs: ClassVar[bool] = True
    example: ClassVar[str] = "1,3"
    form: ClassVar[str] = "ROWS,COLUMNS"
    parts = {"ROWS": "how far one way", "COLUMNS": "how far the other way; both ways round"}

    one: int
    other: int

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        numbers = [word.strip() for word in argument.split(",")]
        if len(numbers) != 2 or not all(n.isdecimal() and len(n) < 4 for n in numbers):
            raise SatdokuError(f"{quote(argument)} is not a move such as 1,3")
        one, other = sorted(map(int, numbers))
        return cls(one, other)

    def argument(self, geometry: Geometry) -> str:
        return f"{self.one},{self.other}"

    def require_fit(self, geometry: Geometry) -> None:
        if self.other == 0:
            raise SatdokuError("a move leads to another cell, so not both numbers are 0")

    @property
    def why(self) -> str:  # type: ignore[override]
        return f"a move of {self.one} by {self.other} apart"

    @property
    def steps(self) -> Sequence[tuple[int, int]]:  # type: ignore[override]
        one, other = self.one, self.other
        moves = {(a, b * sign) for a, b in ((one, other), (other, one)) for sign in (1, -1)}
        return sorted((a, b) for a, b in moves if a > 0 or b > 0)

    def is_move(self, rows: int, columns: int) -> bool:
        return (rows, columns) in ((self.one, self.other), (self.other, self.one))


class AntiKnight(MoveRule):
    """Cells a knight's move apart hold different digits."""

    name: ClassVar[str] = "anti-knight"
    label: ClassVar[str] = "anti-knight"
    why: ClassVar[str] = "a knight's move apart"
    steps = ((1, -2), (1, 2), (2, -1), (2, 1))

    def is_move(self, rows: int, columns: int) -> bool:
        return {rows, columns} == {1, 2}


class AntiKing(MoveRule):
    """Cells that touch, also at a corner, hold different digits."""

    name: ClassVar[str] = "anti-king"
    label: ClassVar[str] = "anti-king"
    why: ClassVar[str] = "a king's move apart"
    steps = ((0, 1), (1, -1), (1, 0), (1, 1))

    def is_move(self, rows: int, columns: int) -> bool:
        return max(rows, columns) == 1


_WHY = "consecutive digits side by side"


class NonConsecutive(Rule):
    """Cells that share a side do not hold consecutive digits, such as 4 and 5."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "non-consecutive"
    label: ClassVar[str] = "non-consecutive"

    def sentence(self, geometry: Geometry) -> str:
        return "no two cells that share a side hold consecutive digits"

    def cells(self, geometry: Geometry) -> Collection[int]:
        return range(geometry.board_count)

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        for cell, digit in enumerate(digits[: geometry.board_count]):
            row, column = geometry.row_of(cell), geometry.column_of(cell)
            right = geometry.cell_at(row, column + 1)
            below = geometry.cell_at(row + 1, column)
            # The pairs with cells to the left and above are yielded for those cells.
            for other in (right, below):
                if (
                    other is not None
                    and EMPTY not in (digit, digits[other])
                    and abs(digit - digits[other]) == 1
                ):
                    yield Clash(geometry, (cell, other), (digit, digits[other]), _WHY)

    def forbids_both(
        self, geometry: Geometry, cell: int, digit: int, other: int, other_digit: int
    ) -> bool:
        if max(cell, other) >= geometry.board_count:
            return False
        rows = abs(geometry.row_of(cell) - geometry.row_of(other))
        columns = abs(geometry.column_of(cell) - geometry.column_of(other))
        return rows + columns == 1 and abs(digit - other_digit) == 1

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        size, every = geometry.size, every_digit(geometry.size)
        # 5 is 0b101: shifted, it has the bits of the digits one below and one above; `every`
        # removes bits that are no digits.
        next_to = (0, *((5 << digit - 1) & every for digit in range(1, size + 1)))
        for down, right in ((0, 1), (1, 0)):
            for cell in range(geometry.board_count):
                other = geometry.cell_at(
                    geometry.row_of(cell) + down, geometry.column_of(cell) + right
                )
                if other is not None:
                    yield Pair(
                        cell, other, next_to, "{} and {} share a side and cannot be consecutive"
                    )


@value(frozen=True)
class NoRule(PairRule):
    """Base of rules that forbid a relation between neighbours, except at marked edges."""

    fits_every_board: ClassVar[bool] = True
    form: ClassVar[str] = "NUMBER/CELL,CELL"
    relation: ClassVar[str]
    """The relation in words, followed by the number: `differ by`."""

    number: int
    marked: tuple[Edge, ...]

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        first, *words = argument.split("/")
        return cls(read_number(first), tuple(read_edges(words, geometry)))

    def number_on(self, geometry: Geometry) -> int:
        return self.number

    def argument(self, geometry: Geometry) -> str:
        return "/".join([str(self.number), *(write_cells(e, geometry) for e in self.marked)])

    def edges(self, geometry: Geometry) -> Sequence[Edge]:
        # As sets, since setters name an edge from either end.
        marked = {frozenset(edge) for edge in self.marked}
        return [edge for edge in all_edges(geometry) if frozenset(edge) not in marked]

    def sentence(self, geometry: Geometry) -> str:
        told = f"no two cells that share a side {self.relation} {self.number}"
        names = " or ".join(write_cells(edge, geometry) for edge in self.marked[:3])
        more = " and others" if len(self.marked) > 3 else ""
        return f"{told}, but for {names}{more}" if self.marked else told


_EDGES = "two cells side by side of which it may hold all the same; any number of these"


class NoDifference(NoRule):
    """No two cells that share a side differ by this number, except marked ones."""

    name: ClassVar[str] = "no-difference"
    label: ClassVar[str] = "no difference between neighbours"
    example: ClassVar[str] = "2/r1c1,r1c2"
    counts: ClassVar[bool] = False
    parts = {"NUMBER": "the difference", "CELL,CELL": _EDGES}
    relation: ClassVar[str] = "differ by"
    why: ClassVar[str] = "side by side with a difference of {} and without a dot"
    says: ClassVar[str] = "{} and {} have no dot between them, so they do not differ by {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return abs(one - other) == number


class NoRatio(NoRule):
    """No two cells that share a side have this ratio, except marked ones."""

    name: ClassVar[str] = "no-ratio"
    label: ClassVar[str] = "no ratio between neighbours"
    example: ClassVar[str] = "3/r1c1,r1c2"
    parts = {"NUMBER": "the ratio", "CELL,CELL": _EDGES}
    relation: ClassVar[str] = "have the ratio"
    why: ClassVar[str] = "side by side with the ratio {} and without a dot"
    says: ClassVar[str] = "{} and {} have no dot between them, so they do not have the ratio {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return number * other == one or number * one == other


class NoSum(NoRule):
    """No two cells that share a side sum to this number, except marked ones."""

    name: ClassVar[str] = "no-sum"
    label: ClassVar[str] = "no sum of neighbours"
    example: ClassVar[str] = "4/r1c1,r1c2"
    parts = {"NUMBER": "the sum", "CELL,CELL": _EDGES}
    relation: ClassVar[str] = "sum to"
    why: ClassVar[str] = "side by side with a sum of {} and without a mark"
    says: ClassVar[str] = "{} and {} have no mark between them, so they do not sum to {n}"

    @classmethod
    def is_wrong(cls, one: int, other: int, number: int) -> bool:
        return one + other == number


# Rules that depend on the digits themselves: anti-taxicab, Dutch flat mates.


class AntiTaxicab(ApartRule):
    """Two cells with digit n are not n steps apart; steps go up, down or sideways."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "anti-taxicab"
    label: ClassVar[str] = "anti-taxicab"
    counts: ClassVar[bool] = True
    why: ClassVar[str] = "as many steps apart as the digit says"

    def sentence(self, geometry: Geometry) -> str:
        return f"no two cells hold the same digit {self.why}"

    def are_apart(self, geometry: Geometry, first: int, second: int, digit: int) -> bool:
        on_board = max(first, second) < geometry.board_count
        return on_board and _steps(geometry, first, second) == self.value(digit)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        # All pairs at the same distance share one tuple: there are thousands of pairs.
        excludes_at = {
            self.value(digit): tuple(
                1 << digit if each == digit else 0 for each in range(geometry.size + 1)
            )
            for digit in range(1, geometry.size + 1)
        }
        for first, second in combinations(range(geometry.board_count), 2):
            steps = _steps(geometry, first, second)
            if steps in excludes_at:
                said = f"{{}} and {{}} are not both {steps}, {steps} steps apart"
                yield Pair(first, second, excludes_at[steps], said)


def _steps(geometry: Geometry, one: int, other: int) -> int:
    rows = abs(geometry.row_of(one) - geometry.row_of(other))
    return rows + abs(geometry.column_of(one) - geometry.column_of(other))


class DutchFlatmates(GroupRule):
    """Each middle digit has the lowest digit directly above it or the highest directly below."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "dutch-flatmates"

    def sentence(self, geometry: Geometry) -> str:
        low, middle, high = self._numbers(geometry)
        return f"every {middle} has a {low} directly above it, or a {high} directly below"

    def _numbers(self, geometry: Geometry) -> tuple[int, int, int]:
        return self.value(1), self.value((geometry.size + 1) // 2), self.value(geometry.size)

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        """Return each cell with its neighbours above and below, as far as they exist."""
        groups = []
        for cell in range(geometry.board_count):
            around = (self._beside(geometry, cell, way) for way in (-1, 1))
            groups.append((cell, *(each for each in around if each is not None)))
        return groups

    @staticmethod
    def _beside(geometry: Geometry, cell: int, way: int) -> int | None:
        """Return the cell above (-1) or below (1) this one; None at the border."""
        return geometry.cell_at(geometry.row_of(cell) + way, geometry.column_of(cell))

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        low, middle, high = self._numbers(geometry)
        here, *others = numbers
        if here != middle:
            return True
        above = others[0] if self._beside(geometry, group, -1) is not None else None
        below = others[-1] if self._beside(geometry, group, 1) is not None else None
        return above == low or below == high

    def reason(self, geometry: Geometry) -> str:
        low, middle, high = self._numbers(geometry)
        return f"but a {middle} has a {low} above it, or a {high} below"

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        size, sentence = geometry.size, self.sentence(geometry)
        elsewhere = every_digit(size) & ~(1 << (size + 1) // 2)
        for cell in range(geometry.board_count):
            choices = [(cell, elsewhere)]
            for way, digit in ((-1, 1), (1, size)):
                other = self._beside(geometry, cell, way)
                if other is not None:
                    choices.append((other, 1 << digit))
            yield Some(tuple(choices), sentence)


# Rules about every 2x2 square of cells: global entropy and global modular.


class GlobalEntropy(GroupRule):
    """Every 2x2 square of cells holds a low, a middle and a high digit."""

    fits_every_board: ClassVar[bool] = True
    name: ClassVar[str] = "global-entropy"
    example_board: ClassVar[Geometry] = Geometry(2, 3)
    counts: ClassVar[bool] = False

    def sentence(self, geometry: Geometry) -> str:
        return "every 2x2 cells hold a low, a middle and a high digit"

    def require_fit(self, geometry: Geometry) -> None:
        if geometry.size % 3:
            raise SatdokuError(f"{geometry.size} digits are not three groups of the same size")

    def groups(self, geometry: Geometry) -> Sequence[tuple[int, ...]]:
        return list(geometry.squares(range(geometry.board_count)))

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        # Compute the third of the digits that each number is in: 0, 1 or 2.
        return len({(number - 1) * 3 // geometry.size for number in numbers}) == 3

    def reason(self, geometry: Geometry) -> str:
        return f"but {self.sentence(geometry)}"

    def kinds(self, geometry: Geometry) -> Iterator[tuple[str, int]]:
        """Yield each kind of digit that every square needs: its name for messages, and a mask."""
        third = geometry.size // 3
        for number, kind in enumerate(("low", "middle", "high")):
            digits = range(number * third + 1, (number + 1) * third + 1)
            yield f"a {kind} digit ({join([*map(str, digits)], 'or')})", mask_of(digits)

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        for cells in self.groups(geometry):
            for kind, mask in self.kinds(geometry):
                sentence = f"{write_cells(cells, geometry)} hold {kind}"
                yield Some(tuple((cell, mask) for cell in cells), sentence)


class GlobalModular(GlobalEntropy):
    """Every 2x2 square of cells holds digits of all three remainders modulo 3."""

    name: ClassVar[str] = "global-modular"

    def sentence(self, geometry: Geometry) -> str:
        return "every 2x2 cells hold digits with all three remainders by 3"

    def is_kept(self, geometry: Geometry, group: int, numbers: Sequence[int]) -> bool:
        return len({number % 3 for number in numbers}) == 3

    def kinds(self, geometry: Geometry) -> Iterator[tuple[str, int]]:
        # Any three consecutive numbers have all three remainders, so the lowest digit does not
        # matter.
        for first in (1, 2, 3):
            digits = range(first, geometry.size + 1, 3)
            yield f"one of {', '.join(map(str, digits))}", mask_of(digits)
