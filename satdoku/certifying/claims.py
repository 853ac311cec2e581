"""Whether clauses with auxiliary variables say nothing but the rules of a puzzle.

An auxiliary is a claim: some cells, each digit of which counts for something, have so much or more
together. A candidate is one too: its cell counts 1 for its digit. So a clause is wrong only where
each of its claims lies beyond a bound. It is justified when that cannot be: as the amounts do not
add up, or since a rule's definition lets no digits be like that. What a claim is about comes from
whoever wrote the formula; it only has to be the same in all clauses.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from satdoku.certifying.justify import MOST_CELLS_TRIED
from satdoku.encoding.variables import placement, variable_count
from satdoku.encoding.wider.kit import Claim, Table
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.group_rule import GroupRule, SumRule

Tables = tuple[tuple[int, Table], ...]
Bounds = tuple[int, int]
Amount = tuple[Tables, Bounds]

_FAR = 1 << 40


class _Fixed(NamedTuple):
    """A sum that a rule fixes by its definition."""

    tables: Tables
    low: int
    high: int


class _Broken:
    """What a clause's claims come to where it is broken.

    `open_in` has the digits that are left to cells of which a claim of their own speaks, `amounts`
    the bounds of claims about several cells.
    """

    def __init__(self, bounds: Mapping[Tables, Bounds], digits: Iterable[int]) -> None:
        self.open_in: dict[int, list[int]] = {}
        self.amounts: list[Amount] = []
        for tables, (low, high) in bounds.items():
            if len(tables) > 1:
                self.amounts.append((tables, (low, high)))
                continue
            ((cell, table),) = tables
            left = self.open_in.get(cell, digits)
            self.open_in[cell] = [digit for digit in left if low <= table[digit] <= high]
        self.first_cell = next(iter(bounds))[0][0]


class ClaimJustifier:
    """Says which clauses over candidates and claims follow from the definition of a rule."""

    def __init__(self, puzzle: Puzzle, claims: Mapping[int, Claim]) -> None:
        self._puzzle = puzzle
        self._geometry = puzzle.geometry
        self._claims = claims
        self._highest = variable_count(puzzle.geometry)
        self._digits = range(1, puzzle.geometry.size + 1)
        self._differ = cache(self._find_out_whether_they_differ)
        self._values = cache(self._possible_values)
        self._sums_with: dict[int, list[_Fixed]] = {}
        self._groups_with: dict[int, list[tuple[GroupRule, int, tuple[int, ...]]]] = {}
        for rule in puzzle.rules:
            if isinstance(rule, SumRule):
                self._note_sums(rule)
            if isinstance(rule, GroupRule):
                for number, cells in enumerate(rule.groups(self._geometry)):
                    for cell in cells:
                        self._groups_with.setdefault(cell, []).append((rule, number, cells))
        self._sets = cache(self._sets_of)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether no grid that keeps the rules breaks the clause."""
        bounds: dict[Tables, Bounds] = {}
        for literal in clause:
            tables, value = self._claim_of(abs(literal))
            if not tables:
                return False
            low, high = bounds.get(tables, (-_FAR, _FAR))
            # The clause is broken where a claim with a minus holds, and one without does not.
            bounds[tables] = (max(low, value), high) if literal < 0 else (low, min(high, value - 1))
        broken = _Broken(bounds, self._digits)
        return (
            not all(broken.open_in.values())
            or self._cannot_add_up(broken)
            or self._is_no_sum_of_a_rule(broken)
            or self._is_no_set_of_a_rule(broken)
            or self._is_no_filling_of_a_rule(broken)
        )

    def _claim_of(self, number: int) -> Claim:
        if number > self._highest:
            return self._claims.get(number, Claim((), 0))
        cell, digit = placement(self._geometry, number)
        return Claim(((cell, self._counting(digit)),), 1)

    def _counting(self, digit: int) -> Table:
        return tuple(int(each == digit) for each in range(self._geometry.size + 1))

    def _note_sums(self, rule: SumRule) -> None:
        for cells, factors, low, high in rule.sums(self._geometry):
            tables = tuple(
                (cell, (0, *(rule.value(digit) * factor for digit in self._digits)))
                for cell, factor in sorted(zip(cells, factors, strict=True))
            )
            for cell in cells:
                self._sums_with.setdefault(cell, []).append(_Fixed(tables, low, high))

    def _cannot_add_up(self, broken: "_Broken") -> bool:
        """Whether one amount is never what the others and the rest of its cells come to."""
        parts = broken.amounts
        # What all come to is bounded as well: three different digits are never 5 together.
        together: dict[int, Table] = {}
        for tables, _ in parts:
            # The presence of a digit, which counts 1, goes with sums as the digit.
            counted = [digit for digit, worth in enumerate(tables[0][1]) if worth and digit]
            factor = counted[0] if len(counted) == 1 == tables[0][1][counted[0]] else 1
            for cell, table in tables:
                known = together.get(cell, (0,) * len(table))
                together[cell] = tuple(k + factor * t for k, t in zip(known, table, strict=True))
        whole = tuple(sorted(together.items())), (-_FAR, _FAR)
        return self._is_apart(whole, parts, broken) or any(
            self._is_apart(parts[n], [*parts[:n], *parts[n + 1 :]], broken)
            for n in range(len(parts))
        )

    def _is_no_sum_of_a_rule(self, broken: "_Broken") -> bool:
        """The same with a sum that a rule fixes."""
        return any(
            self._is_apart((fixed.tables, (fixed.low, fixed.high)), broken.amounts, broken)
            for fixed in self._sums_with.get(broken.first_cell, ())
        )

    def _is_apart(
        self,
        whole: tuple[Tables, Bounds],
        parts: Sequence[tuple[Tables, Bounds]],
        broken: "_Broken",
    ) -> bool:
        """Whether a whole is never the sum of its parts and of what else belongs to it."""
        rest = dict(whole[0])
        low = high = 0
        for tables, bounds in parts:
            inside = self._values_between(tables, bounds, broken)
            if not inside:
                return True
            factor = _factor(whole[0], tables)
            ends = factor * inside[0], factor * inside[-1]
            low, high = low + min(ends), high + max(ends)
            for cell, table in tables:
                before = rest.get(cell, (0,) * len(table))
                rest[cell] = tuple(b - factor * t for b, t in zip(before, table, strict=True))
        counted = tuple((cell, table) for cell, table in sorted(rest.items()) if any(table[1:]))
        others = self._values_between(counted, (-_FAR, _FAR), broken)
        inside = self._values_between(whole[0], whole[1], broken)
        return not inside or max(inside) < low + min(others) or min(inside) > high + max(others)

    def _values_between(self, tables: Tables, bounds: Bounds, broken: "_Broken") -> list[int]:
        """The amounts within bounds that cells can have where the clause is broken."""
        narrowed = tuple(
            (cell, tuple(broken.open_in[cell])) for cell, _ in tables if cell in broken.open_in
        )
        values = self._values(tables, narrowed)
        return sorted(n for n in values if bounds[0] <= n <= bounds[1])

    def _possible_values(
        self, tables: Tables, narrowed: tuple[tuple[int, tuple[int, ...]], ...]
    ) -> frozenset[int]:
        """The amounts that cells can have together; some more where cells differ in other ways.

        Of the cells in `narrowed` only some digits are possible.
        """
        open_in = dict(narrowed)
        found = {0}
        for table, cells in self._alike(tables, open_in):
            if len(cells) == 1:
                amounts = {table[digit] for digit in open_in.get(cells[0], self._digits)}
            else:
                amounts = _sums_of_different(table[1:], len(cells))
            found = {one + other for one in found for other in amounts}
        return frozenset(found)

    def _alike(self, tables: Tables, alone: Container[int]) -> Iterator[tuple[Table, list[int]]]:
        """Cells that count alike and all differ, in groups as large as they come."""
        groups: list[tuple[Table, list[int]]] = []
        for cell, table in tables:
            if cell in alone:
                yield table, [cell]
                continue
            for other, cells in groups:
                if table == other and all(self._differ(cell, each) for each in cells):
                    cells.append(cell)
                    break
            else:
                groups.append((table, [cell]))
        yield from groups

    def _find_out_whether_they_differ(self, cell: int, other: int) -> bool:
        """Whether the definition of a rule forbids two cells to hold the same digit."""
        rules, geometry = self._puzzle.rules, self._geometry
        return all(
            any(rule.forbids_both(geometry, cell, digit, other, digit) for rule in rules)
            for digit in self._digits
        )

    def _is_no_set_of_a_rule(self, broken: "_Broken") -> bool:
        """Whether no digits that a rule lets some cells hold together are present or absent so."""
        places = {tuple(cell for cell, _ in tables) for tables, _ in broken.amounts}
        if len(places) != 1 or broken.open_in:
            return False
        present = absent = 0
        for tables, (low, _) in broken.amounts:
            table = tables[0][1]
            if sum(table) != 1 or any(other != table for _, other in tables):
                return False
            if low >= 1:
                present |= 1 << table.index(1)
            else:
                absent |= 1 << table.index(1)
        (cells,) = places
        for rule, number, group in self._groups_with.get(cells[0], ()):
            if rule.order_matters or set(group) != set(cells):
                continue
            if rule.are_all_different(self._geometry, group) and not any(
                each & present == present and not each & absent for each in self._sets(rule, number)
            ):
                return True
        return False

    def _sets_of(self, rule: GroupRule, number: int) -> list[int]:
        """The sets of different digits, as masks, that the definition lets a group hold."""
        count = len(rule.groups(self._geometry)[number])
        return [
            sum(1 << digit for digit in digits)
            for digits in combinations(self._digits, count)
            if rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
        ]

    def _is_no_filling_of_a_rule(self, broken: "_Broken") -> bool:
        """Whether a rule lets no filling of a small group be like that, all of them tried."""
        open_in = broken.open_in
        if broken.amounts:
            return False
        for rule, number, cells in self._groups_with.get(broken.first_cell, ()):
            if len(cells) > MOST_CELLS_TRIED or not open_in.keys() <= set(cells):
                continue
            choices = (open_in.get(cell, list(self._digits)) for cell in cells)
            if not any(
                rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
                for digits in product(*choices)
            ):
                return True
        return False


def _factor(whole: Tables, part: Tables) -> int:
    """How often a part counts in a whole: a sum counts 7s seven times, a presence of 7 once."""
    cell, table = part[0]
    digit = next(digit for digit, worth in enumerate(table) if worth and digit)
    worth = dict(whole).get(cell, table)[digit]
    return worth // table[digit] if worth and worth % table[digit] == 0 else 1


def _sums_of_different(worths: Sequence[int], count: int) -> set[int]:
    """What `count` different digits can be worth together."""
    reached: list[set[int]] = [{0}, *(set() for _ in range(count))]
    for worth in worths:
        for taken in range(count, 0, -1):
            reached[taken] |= {before + worth for before in reached[taken - 1]}
    return reached[count]
