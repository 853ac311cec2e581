"""Values apart from digits: doublers, negators, hot and cold cells.

Such a cell counts as another number than its digit in sums and comparisons. A `Reading` says what
all cells count as. It is made here, from all rules of a puzzle that make values, and set in all
rules that read values (`Rule.reading`); rules of units go on reading digits. Schrödinger cells are
in `schrodinger.py`.

Where doublers are to be found, each cell of the board has a mark: a cell beside the board that
says how it counts. So a puzzle's cells determine all values, and a solution shows them.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from satdoku.errors import SatdokuError, join, quote
from satdoku.puzzle.arrangement import Arrangement
from satdoku.puzzle.constraints import (
    Allowed,
    Constraint,
    Machine,
    Masks,
    Pair,
    Total,
    counting,
    mask_of,
)
from satdoku.puzzle.grid import EMPTY, Geometry
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.cell_rules import MarkedRule
from satdoku.puzzle.rules.classic import UnitRule
from satdoku.puzzle.rules.group_rule import Counted, Sum
from satdoku.puzzle.rules.machine_rule import LazyTable, State, Table, build_layers
from satdoku.puzzle.rules.rule import Clash, Drawing, Rule, lowest_of
from satdoku.puzzle.value import value


class Change(NamedTuple):
    """What a cell counts as: its digit times a factor, plus a number.

    Beside a second digit, a lower digit counts as the sum of both, and the same one as itself.
    """

    factor: int = 1
    added: int = 0
    second: int | None = None

    def of(self, number: int) -> int | None:
        """Return what the number of a digit counts as; None if the cell cannot hold it then."""
        if self.second is None or number == self.second:
            return self.factor * number + self.added
        return number + self.second if number < self.second else None


UNCHANGED = Change()
_PLAIN = 1
"""The mark of a cell that counts as its digit."""

Ways = tuple[tuple[int, Change], ...]
"""The ways in which a cell may count: the digit of its mark, 0 if it has none, and the change."""


class Reading(NamedTuple):
    """What the cells of a puzzle count as.

    `certain` are cells that are known to count otherwise. `marks` are the cells beside the board
    that say how each cell of the board counts, `kinds` the changes by number of the mark. A unit
    has at most one cell of a kind, and at most `most_in_unit` that count otherwise than their
    digit; if that is 0, as many as it has digits more than cells. `limit` says why. `unit_rules`
    are the rules of rows, columns and what stands in for boxes, `apart` those by which cells
    differ; `maker` is the name of a rule.
    """

    maker: str
    lowest: int
    certain: tuple[tuple[int, Change], ...]
    marks: tuple[int, ...]
    kinds: tuple[tuple[int, Change], ...]
    unit_rules: tuple[UnitRule, ...]
    most_in_unit: int = 0
    limit: str = ""
    apart: tuple[Rule, ...] = ()

    def digit_of_mark(self, number: int) -> int:
        """Return the digit of the board that stands for the number of a mark."""
        return number - self.lowest + 1

    def ways_of(self, cell: int) -> Ways:
        """Return the ways in which a cell may count; one without a mark has one way only."""
        if cell >= len(self.marks):
            return ((0, dict(self.certain).get(cell, UNCHANGED)),)
        return tuple((self.digit_of_mark(number), change) for number, change in self.kinds)

    def affects(self, cells: Iterable[int]) -> bool:
        """Whether a cell among these may count otherwise than its digit."""
        return any(self.ways_of(cell) != ((0, UNCHANGED),) for cell in cells)

    def with_marks(self, cells: Iterable[int]) -> tuple[int, ...]:
        """Return the cells, each after its mark if it has one."""
        return tuple(
            chain.from_iterable(
                (self.marks[cell], cell) if cell < len(self.marks) else (cell,) for cell in cells
            )
        )

    def find_clashes(
        self,
        geometry: Geometry,
        digits: Sequence[int],
        groups: Iterable[Sequence[int]],
        is_right: Callable[[int, Sequence[int]], bool],
        why: str,
    ) -> Iterator[Clash]:
        """Yield a clash for each group whose values are not right; empty cells break no rule."""
        for number, cells in enumerate(groups):
            values = [self.number_in(digits, cell) for cell in cells]
            known = [each for each in values if each is not None]
            if len(known) < len(cells) or is_right(number, known):
                continue
            involved = (*cells, *(self.marks[cell] for cell in cells if cell < len(self.marks)))
            told = join([*map(str, known)])
            told = f"{why}; {'it counts' if len(known) == 1 else 'they count'} as {told}"
            yield Clash(geometry, involved, tuple(digits[cell] for cell in involved), told)

    def number_in(self, digits: Sequence[int], cell: int) -> int | None:
        """Return what a cell counts as; None if it or its mark is empty, or has no such mark."""
        mark = digits[self.marks[cell]] if cell < len(self.marks) else 0
        change = dict(self.ways_of(cell)).get(mark)
        if digits[cell] == EMPTY or change is None:
            return None
        return change.of(self.number_of(digits[cell]))

    def number_of(self, digit: int) -> int:
        """Return the number of a digit where it counts as itself."""
        return digit + self.lowest - 1

    # Constraints of rules that read values.

    def sum_of(self, geometry: Geometry, each: Sum, sentence: str) -> Iterator[Total | Machine]:
        """Yield the constraint that the values of some cells have a sum.

        If marks say what cells count as, bounds on the sum of their digits follow, since a house
        has one cell of a kind. A machine does not see how often a digit stands in its cells, and
        a total does.
        """
        ways = tuple(map(self.ways_of, each.cells))
        told = self._told(each.cells, sentence)
        worths = self._worths(geometry, each)
        if all(len(of_cell) == 1 for of_cell in ways):
            yield Total(each.cells, worths, each.low, each.high, told)
            return
        key = (geometry.size, self.lowest, ways, *each[1:])
        cells = self.with_marks(each.cells)
        yield Machine(cells, LazyTable(len(cells), _sum_table, *key), told)
        spans = [self._span(geometry, each, rule) for rule in self.unit_rules]
        if spans:
            least, most = max(low for low, _ in spans), min(high for _, high in spans)
            told += f", and {self.limit}"
            yield Total(each.cells, worths, each.low - most, each.high - least, told)

    def _told(self, cells: Iterable[int], sentence: str) -> str:
        return f"{sentence}, by values" if self.affects(cells) else sentence

    def _span(self, geometry: Geometry, each: Sum, rule: UnitRule) -> tuple[int, int]:
        """Return bounds on what marks add to a sum, if a rule of units limits the marks of each."""
        factor_of = dict(zip(each.cells, each.factors, strict=True))
        least = most = 0
        units = [unit.cells for unit in rule.units(geometry)]
        loose = sorted(factor_of.keys() - set(chain.from_iterable(units)))
        for cells in (*units, *((cell,) for cell in loose if cell < len(self.marks))):
            factors = [factor_of[cell] for cell in cells if cell in factor_of]
            number = min(len(factors), self.most_in_unit or geometry.size - len(cells))
            ends = [
                [factor * end for factor in factors for end in more] or [0]
                for more in self._added(geometry)
            ]
            least += sum(sorted(min(0, *each) for each in ends)[:number])
            most += sum(sorted((max(0, *each) for each in ends), reverse=True)[:number])
        return least, most

    def _added(self, geometry: Geometry) -> Iterator[tuple[int, int]]:
        """Yield for each kind of mark the least and the most that it adds to a digit."""
        numbers = range(self.lowest, self.lowest + geometry.size)
        for _, change in self.kinds:
            counted = ((change.of(number), number) for number in numbers)
            more = [value - number for value, number in counted if value is not None]
            yield min(more), max(more)

    def counted(self, geometry: Geometry, each: Sum) -> Counted | None:
        """Return the bounds on a sum; None if marks say what its cells count as."""
        if any(cell < len(self.marks) for cell in each.cells):
            return None
        return Counted(each.cells, self._worths(geometry, each), each.low, each.high)

    def _worths(self, geometry: Geometry, each: Sum) -> tuple[tuple[int, ...], ...]:
        certain = dict(self.certain)
        changes = (certain.get(cell, UNCHANGED) for cell in each.cells)
        numbers = range(self.lowest, self.lowest + geometry.size)
        return tuple(
            (0, *(factor * (change.of(number) or 0) for number in numbers))
            for factor, change in zip(each.factors, changes, strict=True)
        )

    def pair_of(
        self,
        geometry: Geometry,
        cells: tuple[int, int],
        kind: type[Any],
        number: Any,
        sentence: str,
    ) -> Pair | Machine:
        """Return the constraint that two values are not wrong by the definition of a rule."""
        ways: tuple[Ways, ...] = (self.ways_of(cells[0]), self.ways_of(cells[1]))
        key: Any = (kind, number, geometry.size, self.lowest, ways)
        told = self._told(cells, sentence)
        if len(ways[0]) == len(ways[1]) == 1:
            return Pair(*cells, _excluded(*key), told)
        named = told.format(*map(geometry.name_of, cells))
        with_marks = self.with_marks(cells)
        return Machine(with_marks, LazyTable(len(with_marks), _pair_table, *key), named)


# Tables of machines that read the mark of a cell before its digit.


class _Values(NamedTuple):
    """Cells as a machine over values reads them: one place for each mark and each digit."""

    size: int
    lowest: int
    ways: tuple[Ways, ...]

    def table(
        self,
        start: State,
        step: Callable[[int, Any, int], State | None],
        is_end: Callable[[Any], bool] = lambda _: True,
    ) -> Table:
        """Return the table of a machine; `step` gets the place of a cell, a state and a value."""
        places: list[tuple[int, dict[int, Change] | None]] = []
        for place, ways in enumerate(self.ways):
            places += [(place, dict(ways))] if ways[0][0] else []
            places.append((place, None))

        def follow(state: tuple[int, Change | None, State], digit: int) -> Any:
            read, change, inner = state
            place, changes = places[read]
            if changes is not None:
                found = changes.get(digit)
                return None if found is None else (read + 1, found, inner)
            counted = (change or self.ways[place][0][1]).of(digit + self.lowest - 1)
            after = None if counted is None else step(place, inner, counted)
            return None if after is None else (read + 1, None, after)

        first: tuple[int, Change | None, State] = (0, None, start)
        digits = range(1, self.size + 1)
        return build_layers(len(places), digits, first, follow, lambda state: is_end(state[2]))

    def ends_of(self, place: int, factor: int) -> tuple[int, int]:
        """Return the least and the greatest of what a cell adds to a sum."""
        numbers = range(self.lowest, self.lowest + self.size)
        counted = [change.of(number) for _, change in self.ways[place] for number in numbers]
        found = [factor * number for number in counted if number is not None]
        return min(found), max(found)


@lru_cache(maxsize=512)
def _sum_table(
    size: int, lowest: int, ways: tuple[Ways, ...], factors: tuple[int, ...], low: int, high: int
) -> Table:
    read = _Values(size, lowest, ways)
    # For each number of cells that are read, the least and the greatest of what the others add.
    rest = [(0, 0)]
    for place in reversed(range(len(ways))):
        least, most = read.ends_of(place, factors[place])
        rest.append((rest[-1][0] + least, rest[-1][1] + most))
    rest.reverse()

    def step(place: int, total: int, number: int) -> int | None:
        reached = total + factors[place] * number
        least, most = rest[place + 1]
        return reached if low <= reached + most and reached + least <= high else None

    return read.table(0, step)


@lru_cache(maxsize=512)
def _pair_table(
    kind: type[Any], number: Hashable, size: int, lowest: int, ways: tuple[Ways, ...]
) -> Table:
    def step(place: int, known: int, value: int) -> int | None:
        if place == 0:
            return value
        return None if kind.is_wrong(known, value, number) else 0

    return _Values(size, lowest, ways).table(0, step)


@lru_cache(maxsize=512)
def _excluded(
    kind: type[Any], number: Hashable, size: int, lowest: int, ways: tuple[Ways, ...]
) -> Masks:
    """Return, for each digit of the first cell, the mask of digits that the second may not hold."""
    numbers = [
        [change.of(number) for number in range(lowest, lowest + size)] for ((_, change),) in ways
    ]
    masks = [
        mask_of(
            digit for digit, other in enumerate(numbers[1], 1) if kind.is_wrong(one, other, number)
        )
        for one in numbers[0]
    ]
    return (0, *masks)


@lru_cache(maxsize=64)
def _once_table(count: int, size: int, digit: int, mark: int) -> Table:
    """Return the machine of marks and cells in turn: one cell with the mark holds the digit."""

    def step(state: tuple[int, bool, bool], read: int) -> tuple[int, bool, bool] | None:
        place, is_marked, is_found = state
        if place % 2 == 0:
            return place + 1, read == mark, is_found
        is_one = is_marked and read == digit
        return None if is_one and is_found else (place + 1, False, is_found or is_one)

    digits = range(1, size + 1)
    return build_layers(2 * count, digits, (0, False, False), step, lambda state: state[2])


# The rules.


class ValuesRule(Rule):
    """A rule that makes cells count as another number than their digit."""

    fits_every_board: ClassVar[bool] = True
    reads = "values"
    makes_values: ClassVar[bool] = True
    is_of_the_board: ClassVar[bool] = True
    is_alone: ClassVar[bool] = False
    """Whether the rule cannot be used with another one that makes values."""
    change: ClassVar[Change]

    @property
    def certain(self) -> tuple[int, ...]:
        """Return the cells that are known to count otherwise."""
        return ()

    @property
    def marks_of_cells(self) -> tuple[int, ...]:
        """Return the mark of each cell of the board; empty if the rule has no marks."""
        return ()

    @property
    def kinds(self) -> tuple[tuple[int, Change], ...]:
        """Return the number of a mark that the rule defines, with its change."""
        return ()

    def adapted(self, rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[Rule, ...]:
        makers = [rule for rule in others if isinstance(rule, ValuesRule)]
        alone = next((rule for rule in makers if rule.is_alone), None)
        other = next((rule for rule in makers if alone and rule.name != alone.name), None)
        if alone is not None and other is not None:
            raise SatdokuError(
                f"the rule {alone.name} cannot be used with {other.name}: "
                "it is not defined which of both applies first"
            )
        reading = self.reading_of(makers, others)
        return tuple(rule.read_by(reading) for rule in rules)

    def reading_of(self, makers: Sequence["ValuesRule"], others: Sequence[Rule]) -> Reading:
        """Return what cells count as by `makers`, among all rules of a puzzle."""
        kinds = dict(kind for rule in makers for kind in rule.kinds)
        return Reading(
            self.name,
            lowest_of(others),
            tuple((cell, rule.change) for rule in makers for cell in rule.certain),
            next((rule.marks_of_cells for rule in makers if rule.marks_of_cells), ()),
            ((_PLAIN, UNCHANGED), *sorted(kinds.items())) if kinds else (),
            tuple(rule for rule in others if isinstance(rule, UnitRule) and rule.is_of_the_board),
            most_in_unit=len(kinds),
            limit="each mark above 1 stands once in a unit",
        )


class Hot(MarkedRule, ValuesRule):
    """Hot cells count one more than their digit."""

    name: ClassVar[str] = "hot"
    label: ClassVar[str] = "hot cell"
    example: ClassVar[str] = "r1c1,r2c4"
    parts = {"CELLS": "the cells that count one more than their digit"}
    change: ClassVar[Change] = Change(added=1)
    sign: ClassVar[str] = "+"
    than: ClassVar[str] = "one more than"

    @property
    def certain(self) -> tuple[int, ...]:
        return self.marked

    def require_fit(self, geometry: Geometry) -> None:
        if self.reading is None:
            return
        if self.reading.marks:
            raise SatdokuError(
                f"{self.name} cells cannot be used with doublers or negators: "
                "it is not defined which of both applies first"
            )
        certain = [cell for cell, _ in self.reading.certain]
        twice = next((cell for cell in self.marked if certain.count(cell) > 1), None)
        if twice is not None:
            raise SatdokuError(f"{geometry.name_of(twice)} is hot and cold, or named twice")

    def sentence(self, geometry: Geometry) -> str:
        names = write_cells(self.marked, geometry)
        one = len(self.marked) == 1
        verb, whose = ("counts", "its digit") if one else ("count", "their digits")
        return f"{names} {verb} {self.than} {whose} in sums and comparisons"

    def drawing(self, geometry: Geometry) -> Iterator[Drawing]:
        # A fine line does not collide with the sum of a cage.
        return (("cage", (cell,), self.sign, True) for cell in self.marked)

    def caption(self, geometry: Geometry) -> str:
        return f"{self.sign}: {self.name} cells count {self.than} their digits"

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        return iter(())

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        return iter(())


class Cold(Hot):
    """Cold cells count one less than their digit."""

    name: ClassVar[str] = "cold"
    label: ClassVar[str] = "cold cell"
    parts = {"CELLS": "the cells that count one less than their digit"}
    change: ClassVar[Change] = Change(added=-1)
    sign: ClassVar[str] = "-"
    than: ClassVar[str] = "one less than"


@value(frozen=True)
class FoundValues(ValuesRule):
    """A rule by which values are to be found: a cell counts as its mark beside the board says."""

    counts: ClassVar[bool] = True
    is_unmistakable: ClassVar[bool] = True
    form: ClassVar[str] = "MARKS"
    noun: ClassVar[str]
    """What a cell is called that counts otherwise."""

    marks: tuple[int, ...]

    @classmethod
    def read_marks(cls, argument: str, geometry: Geometry, usual: str) -> tuple[int, ...]:
        """Return the cells of a group of marks; `usual` is a board that has such a group."""
        found = tuple(geometry.cells_named(argument))
        if len(found) != geometry.board_count:
            raise SatdokuError(
                f"{quote(argument, 20)} is no group of cells beside the board, one for each cell; "
                f"--box {usual} has such a group {usual[usual.index('beside=') + 7]}"
            )
        return found

    def argument(self, geometry: Geometry) -> str:
        return geometry.written_cells(self.marks)

    @property
    def marks_of_cells(self) -> tuple[int, ...]:
        return self.marks

    def cells(self, geometry: Geometry) -> Collection[int]:
        return (*range(geometry.board_count), *self.marks)

    def _unit_words(self) -> str:
        """Return rows, columns and what stands in for boxes in words, in the singular."""
        rules = self.reading.unit_rules if self.reading else ()
        nouns = {"rows": "row", "columns": "column", "boxes": "box", "regions": "region"}
        # Before a rule is part of a puzzle, the boxes are the usual ones.
        named = [nouns[rule.name] for rule in rules if rule.name in nouns]
        return join(named or ["row", "column", "box"])

    def _units(self, geometry: Geometry) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the name and the cells of each row, each column and what stands in for boxes."""
        for rule in self.reading.unit_rules if self.reading else ():
            yield from ((str(unit), unit.cells) for unit in rule.units(geometry))


class Doublers(FoundValues):
    """Each row, column and box has one doubler, which counts twice its digit; the digits differ."""

    name: ClassVar[str] = "doublers"
    label: ClassVar[str] = "doublers to be found"
    example: ClassVar[str] = "D"
    example_board: ClassVar[Geometry] = Arrangement.read("board:4x4:boxes=2x2:beside=D*4x4")
    parts = {
        "MARKS": "a group of cells beside the board, one for each cell of the board, in order; "
        "it holds 1 for a cell that counts as its digit, 2 for a doubler, 3 for a negator"
    }
    change: ClassVar[Change] = Change(factor=2)
    mark: ClassVar[int] = 2
    """The number of the mark of such a cell."""
    noun: ClassVar[str] = "doubler"
    counts_as: ClassVar[str] = "twice its digit"
    participle: ClassVar[str] = "doubled"
    """What happens to the digit of such a cell."""
    shape: ClassVar[str] = "circle"
    """What is drawn around such a cell in a solution."""

    @classmethod
    def parse(cls, argument: str, geometry: Geometry) -> Rule:
        board, boxes = geometry.board_words, geometry.core
        if boxes is None or boxes.size < cls.mark:
            raise SatdokuError(
                f"{cls.name} need a square board with boxes and at least {cls.mark} rows"
            )
        usual = f"board:{board}:boxes={boxes}:beside=D*{board}"
        return cls(cls.read_marks(argument, geometry, usual))

    @property
    def kinds(self) -> tuple[tuple[int, Change], ...]:
        return ((self.mark, self.change),)

    def require_fit(self, geometry: Geometry) -> None:
        if self.reading is None:
            return
        if self.reading.marks != self.marks:
            raise SatdokuError("doublers and negators need the same group of marks")
        for number, _ in self.reading.kinds:
            if not 1 <= self.reading.digit_of_mark(number) <= geometry.size:
                raise SatdokuError(f"the mark {number} is no digit of this board")

    def sentence(self, geometry: Geometry) -> str:
        told = f"each {self._unit_words()} has one {self.noun}, no two of them hold the same digit"
        group = geometry.written_cells(self.marks)
        return (
            f"{told}, and it counts as {self.counts_as} in sums and comparisons; "
            f"{group} has a {self.mark} for each {self.noun}"
        )

    def caption(self, geometry: Geometry) -> str:
        return (
            f"{self.shape}s: {self.noun}s, each of which counts as {self.counts_as}; one in each "
            f"{self._unit_words()}, no two with the same digit"
        )

    def drawing_on(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Drawing]:
        found = self._found(geometry, digits)
        if found:
            yield ("mark", tuple(found), self.shape)

    def _found(self, geometry: Geometry, digits: Sequence[int]) -> list[int]:
        """Return the cells of the board whose mark says that they are of this kind."""
        wanted = self._digit_of_mark
        return [cell for cell, mark in enumerate(self.marks) if digits[mark] == wanted]

    @property
    def _digit_of_mark(self) -> int:
        return self.reading.digit_of_mark(self.mark) if self.reading else self.mark

    def _allowed(self) -> list[int]:
        """Return the digits that a mark may be."""
        if self.reading is None:
            return [_PLAIN, self.mark]
        return [self.reading.digit_of_mark(number) for number, _ in self.reading.kinds]

    def _said_of_marks(self) -> str:
        """Return the numbers that a mark may be, in words."""
        return join([str(self.value(digit)) for digit in self._allowed()], "or")

    def find_clashes(self, geometry: Geometry, digits: Sequence[int]) -> Iterator[Clash]:
        allowed, told = self._allowed(), self._said_of_marks()
        for mark in self.marks:
            if digits[mark] not in (EMPTY, *allowed):
                yield Clash(geometry, (mark,), (digits[mark],), f"a mark is {told}")
        found = self._found(geometry, digits)
        for name, cells in self._units(geometry):
            yield from self._clash_in(geometry, digits, name, cells)
        first_with: dict[int, int] = {}
        for cell in found:
            digit = digits[cell]
            first = first_with.setdefault(digit, cell)
            if first != cell and digit != EMPTY:
                cells = (first, cell, self.marks[first], self.marks[cell])
                held = tuple(digits[each] for each in cells)
                yield Clash(geometry, cells, held, f"but each digit is {self.participle} once")

    def _clash_in(
        self, geometry: Geometry, digits: Sequence[int], name: str, cells: Sequence[int]
    ) -> Iterator[Clash]:
        marks = tuple(self.marks[cell] for cell in cells)
        found = tuple(mark for mark in marks if digits[mark] == self._digit_of_mark)
        if len(found) > 1:
            held = tuple(digits[mark] for mark in found)
            yield Clash(geometry, found, held, f"but {name} has one {self.noun}")
        elif not found and EMPTY not in (digits[mark] for mark in marks):
            held = tuple(digits[mark] for mark in marks)
            yield Clash(geometry, marks, held, f"but {name} has a {self.noun}")

    def constraints(self, geometry: Geometry) -> Iterator[Constraint]:
        mark, size = self._digit_of_mark, geometry.size
        allowed = mask_of(self._allowed())
        for each in self.marks:
            yield Allowed(each, allowed, f"{{}} is a mark, so it is {self._said_of_marks()}")
        for name, cells in self._units(geometry):
            marks = tuple(self.marks[cell] for cell in cells)
            worths = (counting(mark, size),) * len(marks)
            yield Total(marks, worths, 1, 1, f"{name} has one {self.noun}")
        cells = tuple(chain.from_iterable(zip(self.marks, range(len(self.marks)), strict=True)))
        for digit in range(1, size + 1):
            table = LazyTable(len(cells), _once_table, len(self.marks), size, digit, mark)
            yield Machine(cells, table, f"a {self.value(digit)} is {self.participle} once")


class Negators(Doublers):
    """Each row, column and box has one negator, which counts as minus its digit."""

    name: ClassVar[str] = "negators"
    label: ClassVar[str] = "negators to be found"
    change: ClassVar[Change] = Change(factor=-1)
    mark: ClassVar[int] = 3
    noun: ClassVar[str] = "negator"
    counts_as: ClassVar[str] = "minus its digit"
    participle: ClassVar[str] = "negated"
    shape: ClassVar[str] = "square"
