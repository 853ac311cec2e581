"""What no grid has: amounts that cells are never worth together, and runs that no machine makes.

A clause with auxiliaries is broken where its literals are all false: then each of its claims lies
beyond a bound, and each machine it names is in certain states behind certain cells. The clause is
justified when that cannot be. Nobody counts all fillings here. Amounts that cells can have together
are bounded by what each can be, and by what different digits are worth, where rules say that cells
differ. Of a machine only the cells between the first and the last state are looked at, since what
it does there does not depend on how it got there.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from satdoku.encoding.meanings import State, Table, Tables
from satdoku.errors import CertificateError
from satdoku.puzzle.geometry import Geometry, groups_that_differ
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.group_rule import sums_of
from satdoku.puzzle.rules.machine_rule import MachineRule
from satdoku.puzzle.rules.machine_rule import Table as Layers
from satdoku.puzzle.rules.rule import Rule

Bounds = tuple[int, int]
Amount = tuple[Tables, Bounds]

_FAR = 1 << 40
ANY: Bounds = (-_FAR, _FAR)
"""Bounds that no amount reaches."""

# The three digits of a pill and its shaft have some thousand amounts; meanings that somebody made
# up may have as many as there are fillings.
_MOST_AMOUNTS = 100_000


class Broken:
    """What a clause's claims come to where it is broken.

    `open_in` has the digits that are left to cells of which a claim of their own speaks, `amounts`
    the bounds of claims about several cells.
    """

    def __init__(self, bounds: Mapping[Tables, Bounds], digits: Iterable[int]) -> None:
        self.open_in: dict[int, list[int]] = {}
        self.amounts: list[Amount] = []
        for tables, (low, high) in bounds.items():
            # Of one cell it is known which digits are meant; of several only what they come to.
            if len(tables) > 1:
                self.amounts.append((tables, (low, high)))
                continue
            ((cell, table),) = tables
            left = self.open_in.get(cell, digits)
            self.open_in[cell] = [digit for digit in left if low <= table[digit] <= high]
        self.first_cell = next(iter(bounds))[0][0] if bounds else -1


class Amounts:
    """What cells can be worth together, by the definitions of a puzzle's rules."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._geometry = puzzle.geometry
        self._digits = range(1, puzzle.geometry.size + 1)
        self._units = [
            frozenset(unit.cells)
            for unit in puzzle.constraints.units
            if any(rule.are_all_different(puzzle.geometry, unit.cells) for rule in puzzle.rules)
        ]
        self._differ = cache(self._find_out_whether_they_differ)
        self._values = cache(self._possible_values)

    def cannot_add_up(self, broken: Broken) -> bool:
        """Whether one amount is never what the others and the rest of its cells come to."""
        parts = broken.amounts
        # What all come to is bounded as well: three different digits are never 5 together.
        together: dict[int, Table] = {}
        for tables, _ in parts:
            # The presence of a digit, which counts 1, goes with sums as the digit.
            counted = [digit for digit, worth in enumerate(tables[0][1]) if worth and digit]
            factor = counted[0] if len(counted) == 1 == tables[0][1][counted[0]] else 1
            for cell, table in tables:
                together[cell] = _plus(together.get(cell), table, factor)
        # The sum of all has no bounds of its own, only those of its parts.
        whole = tuple(sorted(together.items())), ANY
        return self.is_apart(whole, parts, broken) or any(
            self.is_apart(parts[n], [*parts[:n], *parts[n + 1 :]], broken)
            for n in range(len(parts))
        )

    def is_apart(
        self,
        whole: tuple[Tables, Bounds],
        parts: Sequence[tuple[Tables, Bounds]],
        broken: Broken,
    ) -> bool:
        """Whether a whole is never the sum of its parts and of what else belongs to it."""
        rest = dict(whole[0])
        low = high = 0
        for tables, bounds in parts:
            inside = self.values_between(tables, bounds, broken)
            if not inside:
                return True
            factor = _factor(whole[0], tables)
            ends = factor * inside[0], factor * inside[-1]
            low, high = low + min(ends), high + max(ends)
            for cell, table in tables:
                rest[cell] = _plus(rest.get(cell), table, -factor)
        counted = tuple((cell, table) for cell, table in sorted(rest.items()) if any(table[1:]))
        others = self.values_between(counted, ANY, broken)
        inside = self.values_between(whole[0], whole[1], broken)
        return not inside or inside[-1] < low + others[0] or inside[0] > high + others[-1]

    def values_between(self, tables: Tables, bounds: Bounds, broken: Broken) -> Sequence[int]:
        """The amounts within bounds that cells can have where the clause is broken, in order."""
        narrowed = tuple(
            (cell, tuple(broken.open_in[cell])) for cell, _ in tables if cell in broken.open_in
        )
        values = self._values(tables, narrowed)
        return values[bisect_left(values, bounds[0]) : bisect_right(values, bounds[1])]

    def _possible_values(
        self, tables: Tables, narrowed: tuple[tuple[int, tuple[int, ...]], ...]
    ) -> tuple[int, ...]:
        """The amounts that cells can have together, in order.

        Cells may differ for reasons that are not seen here; then some of the amounts cannot be.
        `narrowed` has the digits that are left to some of the cells.
        """
        open_in = dict(narrowed)
        # A cell of which some digits are known is bounded better by itself. Which of the others are
        # taken together depends on whether it goes before or after that; either may tell more.
        others = tuple(each for each in tables if each[0] not in open_in)
        alone = [(table, [cell]) for cell, table in tables if cell in open_in]
        rests = [
            (table, [c for c in cells if c not in open_in]) for table, cells in self._alike(tables)
        ]
        found = self._values_of_groups([*alone, *self._alike(others)], open_in)
        if alone:
            found &= self._values_of_groups([*alone, *rests], open_in)
        return tuple(sorted(found))

    def _values_of_groups(
        self, groups: Iterable[tuple[Table, list[int]]], open_in: Mapping[int, Sequence[int]]
    ) -> set[int]:
        """What groups of cells that count alike and differ can be worth together."""
        found = {0}
        for table, cells in groups:
            if len(cells) == 1:
                amounts = {table[digit] for digit in open_in.get(cells[0], self._digits)}
            else:
                amounts = sums_of(table[1:], len(cells))
            found = {one + other for one in found for other in amounts}
            if len(found) > _MOST_AMOUNTS:
                raise CertificateError(f"an auxiliary has more than {_MOST_AMOUNTS:,} amounts")
        return found

    def _alike(self, tables: Tables) -> list[tuple[Table, list[int]]]:
        """Cells that count alike and all differ, in groups as large as they come."""
        alike: dict[Table, list[int]] = {}
        for cell, table in tables:
            alike.setdefault(table, []).append(cell)
        return [
            (table, group)
            for table, cells in alike.items()
            for group in groups_that_differ(cells, self._units, self._differs)
        ]

    def _differs(self, cell: int, others: Sequence[int]) -> bool:
        return all(self._differ(cell, each) for each in others)

    def _find_out_whether_they_differ(self, cell: int, other: int) -> bool:
        """Whether the definition of a rule forbids two cells to hold the same digit."""
        rules, geometry = self._puzzle.rules, self._geometry
        return all(
            any(rule.forbids_both(geometry, cell, digit, other, digit) for rule in rules)
            for digit in self._digits
        )


@lru_cache(maxsize=10_000)
def _plus(table: Table | None, other: Table, factor: int) -> Table:
    """The sum of two tables, the second taken `factor` times.

    Long sums ask for the same few tables millions of times.
    """
    return tuple(k + factor * t for k, t in zip(table or (0,) * len(other), other, strict=True))


def _factor(whole: Tables, part: Tables) -> int:
    """How often a part counts in a whole: a sum counts 7s seven times, a presence of 7 once."""
    cell, table = part[0]
    digit = next((digit for digit, worth in enumerate(table) if worth and digit), 0)
    if not digit:
        return 1
    worth = dict(whole).get(cell, table)[digit]
    return worth // table[digit] if worth and worth % table[digit] == 0 else 1


class MachineRun(NamedTuple):
    """The cells that a machine reads, and where their digits lead."""

    cells: tuple[int, ...]
    layers: Layers

    @property
    def is_dead(self) -> bool:
        """Whether the machine comes to no end, whatever it reads."""
        return all(after < 0 for after in self.layers[0][0][1:])


class Reader:
    """A machine of a rule, asked whether any of its runs comes through certain states."""

    def __init__(self, run: MachineRun) -> None:
        self.run = run
        self.cells = run.cells
        self._layers = run.layers

    def excludes(
        self, literals: Sequence[tuple[bool, State]], digits: Mapping[int, Sequence[int]]
    ) -> bool:
        """Whether no run that is kept is like that.

        Each state is one that the machine is in, or (False) one that it is not in; where cells
        have `digits`, they hold one of these.
        """
        last = len(self.cells)
        # Meanings come from whoever wrote the file, and may speak of cells that are not there.
        if any(not 0 <= each.behind <= last for _, each in literals):
            return False
        places = [each.behind for _, each in literals]
        known = [n for n, cell in enumerate(self.cells) if cell in digits]
        if not places and not known:
            return False
        # Cells whose digits are known matter as far as they are next to one of the states.
        first, end = min(places or known), max(places or [known[-1] + 1])
        first, end = first - (first - 1 in known), end + (end in known)
        # States that some run comes through, though perhaps none with the digits before them: more
        # states than there may be, so nothing is excluded that should not be.
        states = self._open(first, literals)
        for place in range(first, end):
            layer = self._layers[place]
            leading = digits.get(self.cells[place])
            # Without a state left no run is like that; -1, where a machine ends, is never live.
            reached: set[int] = set()
            for state in states:
                row = layer[state]
                reached.update(row[1:] if leading is None else [row[d] for d in leading])
            states = self._open(place + 1, literals) & reached
            if not states:
                return True
        return not states

    def _open(self, place: int, literals: Sequence[tuple[bool, State]]) -> set[int]:
        """The states that a run may be in behind so many cells."""
        found = set(self._live[place])
        for is_in, each in literals:
            if each.behind == place:
                found = found & {each.state} if is_in else found - {each.state}
        return found

    @cached_property
    def _live(self) -> list[set[int]]:
        """The states behind each number of cells that runs come through."""
        live = [{0}]
        for layer in self._layers:
            live.append({after for state in live[-1] for after in layer[state][1:]} - {-1})
        return live


def runs_of(rules: Sequence[Rule], geometry: Geometry) -> list[MachineRun]:
    """The machines of some rules, in their order."""
    return [
        MachineRun(*each)
        for rule in rules
        for part in (chain(*rule.choices) if isinstance(rule, EitherRule) else [rule])
        if isinstance(part, MachineRule)
        for each in part.machines(geometry)
    ]
