"""Whether clauses with auxiliary variables say nothing but the rules of a puzzle.

An auxiliary is a claim: some cells, each digit of which counts for something, have so much or more
together. A candidate is one too: its cell counts 1 for its digit. So a clause is wrong only where
each of its claims lies beyond a bound. It is justified when that cannot be: as the amounts do not
add up, or since a rule's definition lets no digits be like that. What a claim is about comes from
whoever wrote the formula; it only has to be the same in all clauses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from satdoku.certifying.justify import MOST_CELLS_TRIED, Justifier
from satdoku.certifying.possible import (
    ANY,
    Amount,
    Amounts,
    Bounds,
    Broken,
    MachineRun,
    Reader,
    runs_of,
)
from satdoku.encoding.meanings import Choice, Meaning, State, Tables, Worth
from satdoku.encoding.variables import placement, variable_count
from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import counting
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.group_rule import GroupRule

# A formula of ours asks of one choice after the other. A made-up one may name as many sets of
# choices as it has clauses; a justifier of a 9x9 board takes 35 kB or more.
_MOST_INSIDE = 256


class _Fixed(NamedTuple):
    """A sum that a rule fixes by its definition."""

    tables: Tables
    low: int
    high: int


class ClaimJustifier:
    """Says which clauses over candidates and auxiliaries follow from the definition of a rule.

    `meanings` come from whoever wrote the formula. `runs` are the machines that these may speak of,
    if they are of other rules than the puzzle's.
    """

    def __init__(
        self, puzzle: Puzzle, meanings: Mapping[int, Meaning], runs: Sequence[MachineRun] = ()
    ) -> None:
        self._puzzle = puzzle
        self._geometry = puzzle.geometry
        self._meanings = meanings
        self._highest = variable_count(puzzle.geometry)
        self._digits = range(1, puzzle.geometry.size + 1)
        self._amounts = Amounts(puzzle)
        self._sums_with: dict[int, list[_Fixed]] = {}
        self._groups_with: dict[int, list[tuple[GroupRule, int, tuple[int, ...]]]] = {}
        self._sets = cache(self._sets_of)
        self._runs = runs or runs_of(puzzle.rules, puzzle.geometry)
        # Of rules that hold here only: machines of other choices say nothing of this one.
        self._readers: dict[MachineRun, Reader] = {}
        self._readers_with: dict[int, list[Reader]] = {}
        for rule in puzzle.rules:
            if isinstance(rule, GroupRule):
                self._note(rule)
        self._choices = {
            Choice(place, number): rules
            for place, rule in enumerate(puzzle.rules)
            if isinstance(rule, EitherRule)
            for number, rules in enumerate(rule.choices)
        }
        self._inside = lru_cache(_MOST_INSIDE)(self._justifier_where_kept)

    def _note(self, rule: GroupRule) -> None:
        """What a rule says, by the cells that it speaks of."""
        for number, cells in enumerate(rule.groups(self._geometry)):
            for cell in cells:
                self._groups_with.setdefault(cell, []).append((rule, number, cells))
        for cells, worths, low, high in rule.counted(self._geometry):
            tables = tuple(sorted(zip(cells, worths, strict=True)))
            for cell in cells:
                self._sums_with.setdefault(cell, []).append(_Fixed(tables, low, high))
        for run in runs_of([rule], self._geometry):
            reader = self._readers[run] = Reader(run)
            for cell in run.cells:
                self._readers_with.setdefault(cell, []).append(reader)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether no grid that keeps the rules breaks the clause."""
        if self.is_hopeless:
            return True
        said = [(literal, self._meaning_of(abs(literal))) for literal in clause]
        # An auxiliary of which nobody says what it is may be anything.
        if any(meaning is None for _, meaning in said):
            return False
        if any(isinstance(meaning, Choice) for _, meaning in said):
            return self._is_of_choices(said)
        broken = Broken(self._bounds_of(said), self._digits)
        # A grid has a digit in each cell, so no grid breaks a clause that leaves a cell none.
        if any(self._is_without_digit(*each) for each in broken.open_in.items()):
            return True
        states = [(n < 0, meaning) for n, meaning in said if isinstance(meaning, State)]
        if states:
            return self._is_no_run(states, broken)
        return bool(said) and (
            self._amounts.cannot_add_up(broken)
            or self._is_no_sum_of_a_rule(broken)
            or self._is_no_set_of_a_rule(broken)
            or self._is_no_filling_of_a_rule(broken)
            or any(
                reader.excludes((), broken.open_in)
                for reader in self._readers_with.get(broken.first_cell, ())
            )
        )

    def _is_without_digit(self, cell: int, digits: Sequence[int]) -> bool:
        """Whether rules forbid a cell all that is left to it."""
        rules, geometry = self._puzzle.rules, self._geometry
        return all(any(r.forbids(geometry, cell, digit) for r in rules) for digit in digits)

    def _bounds_of(self, said: Iterable[tuple[int, Meaning | None]]) -> dict[Tables, Bounds]:
        """Between which amounts cells are worth something where a clause is broken."""
        bounds: dict[Tables, Bounds] = {}
        for literal, meaning in said:
            if isinstance(meaning, Worth):
                low, high = bounds.get(meaning.tables, ANY)
                # A claim with a minus holds there, and one without does not.
                if literal < 0:
                    low = max(low, meaning.value)
                else:
                    high = min(high, meaning.value - 1)
                bounds[meaning.tables] = low, high
        return bounds

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether some rule cannot be kept by any grid, by what it says itself."""
        nothing = Broken({}, self._digits)
        sums = {fixed for found in self._sums_with.values() for fixed in found}
        groups = {found for each in self._groups_with.values() for found in each}
        return (
            any(not self._amounts.values_between(*_bounded(fixed), nothing) for fixed in sums)
            or any(reader.run.is_dead for reader in self._readers.values())
            or any(
                self._holds_sets(rule, number) and not self._sets(rule, number)
                for rule, number, _ in groups
            )
        )

    def _is_no_run(self, states: Sequence[tuple[bool, State]], broken: Broken) -> bool:
        """Whether no machine of a rule that holds gets through such states."""
        # Between two machines nothing follows: a clause speaks of one, or is not one of ours.
        machine = states[0][1].machine
        if any(each.machine != machine for _, each in states) or machine >= len(self._runs):
            return False
        reader = self._readers.get(self._runs[machine])
        return reader is not None and reader.excludes(states, broken.open_in)

    def _is_of_choices(self, said: Sequence[tuple[int, Meaning | None]]) -> bool:
        """Whether a clause that names choices follows from the rules that offer them.

        Either it has all choices of a rule, one of which is kept, or its other literals follow
        where every choice that it denies is kept.
        """
        named = [(literal > 0, each) for literal, each in said if isinstance(each, Choice)]
        if not all(each in self._choices for _, each in named):
            return False
        offered = {each for is_positive, each in named if is_positive}
        for rule in {each.rule for each in offered}:
            if {each for each in self._choices if each.rule == rule} <= offered:
                return True
        denied = frozenset(each for is_positive, each in named if not is_positive)
        if not denied:
            return False
        rest = [literal for literal, each in said if not isinstance(each, Choice)]
        inside = self._inside(denied)
        return inside is None or inside.is_justified(rest)

    def _justifier_where_kept(self, kept: frozenset[Choice]) -> "Justifier | None":
        """Return the justifier of the grids that keep these choices; None if there is no such grid.

        The rules of the choices are added to the puzzle's, all of which hold for these grids too.
        """
        added = dict.fromkeys(rule for choice in sorted(kept) for rule in self._choices[choice])
        try:
            inside = replace(self._puzzle, rules=(*self._puzzle.rules, *added))
        except SatdokuError:
            # A rule that no grid keeps, such as a cage of three cells that sum to 5.
            return None
        return Justifier(inside, self._meanings_inside, self._runs)

    @cached_property
    def _meanings_inside(self) -> dict[int, Meaning]:
        """The meanings that do not depend on the list of rules, whose places name the choices."""
        return {n: each for n, each in self._meanings.items() if not isinstance(each, Choice)}

    def _meaning_of(self, number: int) -> Meaning | None:
        if number > self._highest:
            return self._meanings.get(number)
        cell, digit = placement(self._geometry, number)
        return Worth(((cell, counting(digit, self._geometry.size)),), 1)

    def _is_no_sum_of_a_rule(self, broken: Broken) -> bool:
        """Whether the amounts go together with no grid that has the sum which a rule fixes."""
        return any(
            self._amounts.is_apart(_bounded(fixed), broken.amounts, broken)
            for fixed in self._sums_with.get(broken.first_cell, ())
        )

    def _is_no_set_of_a_rule(self, broken: Broken) -> bool:
        """Whether no digits that a rule lets some cells hold together are present or absent so."""
        places = {tuple(cell for cell, _ in tables) for tables, _ in broken.amounts}
        # Sets are about digits that are there or not, so other claims cannot be read as such.
        presence = [_presence(amount) for amount in broken.amounts]
        if len(places) != 1 or broken.open_in or None in presence:
            return False
        present = sum({mask for mask, is_there in filter(None, presence) if is_there})
        absent = sum({mask for mask, is_there in filter(None, presence) if is_there is False})
        (cells,) = places
        return any(
            not any(s & present == present and not s & absent for s in self._sets(rule, number))
            for rule, number, group in self._groups_with.get(cells[0], ())
            if set(group) == set(cells) and self._holds_sets(rule, number)
        )

    def _holds_sets(self, rule: GroupRule, number: int) -> bool:
        """Whether a rule says which different digits a group holds, in whatever order."""
        cells = rule.groups(self._geometry)[number]
        return not rule.order_matters and rule.are_all_different(self._geometry, cells)

    def _sets_of(self, rule: GroupRule, number: int) -> list[int]:
        """The sets of different digits, as masks, that the definition lets a group hold."""
        count = len(rule.groups(self._geometry)[number])
        return [
            sum(1 << digit for digit in digits)
            for digits in combinations(self._digits, count)
            if rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
        ]

    def _is_no_filling_of_a_rule(self, broken: Broken) -> bool:
        """Whether a rule lets no filling of a small group be like that, all of them tried."""
        open_in = broken.open_in
        if broken.amounts:
            return False
        for rule, number, cells in self._groups_with.get(broken.first_cell, ()):
            if len(cells) > MOST_CELLS_TRIED or not open_in.keys() <= set(cells):
                continue
            # Each filling is asked of the definition itself, which knows no clauses.
            choices = (open_in.get(cell, list(self._digits)) for cell in cells)
            if not any(
                rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
                for digits in product(*choices)
            ):
                return True
        return False


def _bounded(fixed: _Fixed) -> Amount:
    return fixed.tables, (fixed.low, fixed.high)


def _presence(amount: Amount) -> tuple[int, bool | None] | None:
    """Of a claim about a single digit its mask, and whether it is there; None of other claims."""
    tables, (low, high) = amount
    table = tables[0][1]
    is_of_a_digit = 1 in table and table.count(0) == len(table) - 1
    if not is_of_a_digit or any(other != table for _, other in tables):
        return None
    return 1 << table.index(1), True if low >= 1 else False if high <= 0 else None
