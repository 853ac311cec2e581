"""Check that a formula states only the rules and givens of a puzzle.

Each clause must be implied by the puzzle. That is checked from the definitions of the rules
(`puzzle/rules/rule.py`), not from the input of the encoders. If such a formula has no model, the
puzzle has no solution, whoever wrote the formula.

The puzzle's constraints only guide the search, so that not all pairs of cells are compared: nothing
counts before a definition confirms it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, compress, product, starmap
from types import MappingProxyType
from typing import NamedTuple, cast

from satdoku.encoding.meanings import Choice, Meaning, State, Table, Tables, Worth
from satdoku.encoding.variables import placement, variable_count
from satdoku.errors import CertificateError, SatdokuError
from satdoku.puzzle.constraints import Machine, Sets, Some, Total, Wider, counting
from satdoku.puzzle.grid import Geometry, Grid, groups_that_differ
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.group_rule import GroupRule, sums_of
from satdoku.puzzle.rules.machine_rule import Layer, MachineRule
from satdoku.puzzle.rules.rule import Rule


def require_values_of_digits(puzzle: Puzzle) -> None:
    """Raise an error that names a rule because of which cells count otherwise than their digits.

    No clause is justified then, so a certificate would not be checked.
    """
    for rule in puzzle.rules:
        if rule.makes_values:
            raise SatdokuError(f"there are no certificates yet for the rule {rule.name}")


def require_justifiable(puzzle: Puzzle) -> None:
    """Raise an error that names the rules whose clauses cannot be matched with a definition."""
    for rule in puzzle.rules if puzzle.constraints.wider else ():
        if not _has_claims(rule, puzzle.geometry):
            raise SatdokuError(f"there are no certificates yet for the rule {rule.name}")


def _has_claims(rule: Rule, geometry: Geometry) -> bool:
    """Whether the clauses of a rule's constraints can be justified by its definition."""
    # Each choice is checked as if its rules were the only ones.
    if isinstance(rule, EitherRule):
        return all(_has_claims(each, geometry) for choice in rule.choices for each in choice)
    for constraint in rule.constraints(geometry):
        if isinstance(constraint, Machine):
            is_known = isinstance(rule, MachineRule)
        elif isinstance(constraint, Sets):
            is_known = isinstance(rule, GroupRule) and not rule.order_matters
        elif isinstance(constraint, Total | Some):
            # A `Some` of few cells is checked by trying all fillings, other counts by worths that
            # the rule defines.
            is_small = isinstance(constraint, Some) and len(constraint.choices) <= MOST_CELLS_TRIED
            is_known = isinstance(rule, GroupRule) and (is_small or bool(rule.counted(geometry)))
        else:
            is_known = not isinstance(constraint, Wider)
        if not is_known:
            return False
    return True


MOST_CELLS_TRIED = 5
"""The most cells of a group to try all fillings of; larger groups have too many."""


class Definitions:
    """Cached answers about what the definitions of a puzzle's rules forbid in one or two cells."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._geometry = puzzle.geometry
        self._digits = range(1, puzzle.geometry.size + 1)
        # The rules about each cell; two cells are tested only with rules about one of them.
        self._rules_at: list[list[tuple[Rule, Collection[int]]]] = [
            [] for _ in range(puzzle.geometry.cell_count)
        ]
        for rule in chain.from_iterable(each.made_of() for each in puzzle.rules):
            cells = frozenset(rule.cells(puzzle.geometry))
            for cell in cells:
                self._rules_at[cell].append((rule, cells))
        self.units = [
            cells
            for cells in (frozenset(unit.cells) for unit in puzzle.constraints.units)
            if self._are_all_different(cells)
        ]
        """The sets of cells that differ by the definition of one rule."""
        self._beside: list[set[int]] = [set() for _ in self._rules_at]
        for cells in self.units:
            for cell in cells:
                self._beside[cell] |= cells
        self.forbid = cache(self._forbid)
        self.are_different = cache(self._are_different)
        self._rules_of_both = cache(self._find_rules_of_both)

    def _are_all_different(self, cells: Collection[int]) -> bool:
        """Whether a rule by itself makes cells different."""
        named = tuple(cells)
        return any(
            rule.are_all_different(self._geometry, named) for rule, _ in self._rules_at[named[0]]
        )

    def _forbid(self, cell: int, digit: int) -> bool:
        """Whether a rule by itself forbids a digit in a cell."""
        return any(rule.forbids(self._geometry, cell, digit) for rule, _ in self._rules_at[cell])

    def forbid_both(self, cell: int, digit: int, other: int, other_digit: int) -> bool:
        """Whether two candidates exclude each other; two of the same cell always do."""
        if cell == other:
            return digit != other_digit
        if digit == other_digit and other in self._beside[cell]:
            return True
        return any(
            rule.forbids_both(self._geometry, cell, digit, other, other_digit)
            for rule in self._rules_of_both(cell, other)
        )

    def _find_rules_of_both(self, cell: int, other: int) -> list[Rule]:
        """Return the rules about one of two cells, those about both first."""
        here, there = self._rules_at[cell], self._rules_at[other]
        return [
            *(rule for rule, cells in here if other in cells),
            *(rule for rule, cells in here if other not in cells),
            *(rule for rule, cells in there if cell not in cells),
        ]

    def _are_different(self, cell: int, other: int) -> bool:
        """Whether two cells may never hold the same digit."""
        return all(self.forbid_both(cell, digit, other, digit) for digit in self._digits)


class Justifier:
    """The check whether a puzzle's rules justify clauses over its candidates and auxiliaries.

    `meanings` are the meanings of auxiliaries, `runs` the machines that they refer to.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        meanings: Mapping[int, Meaning] = MappingProxyType({}),
        runs: "Sequence[MachineRun]" = (),
    ) -> None:
        self._size = puzzle.geometry.size
        self._highest = variable_count(puzzle.geometry)
        self._givens = puzzle.givens
        self._constraints = puzzle.constraints
        self._paired: dict[int, set[int]] = {}
        for pair in puzzle.constraints.pairs:
            self._paired.setdefault(pair.first, set()).add(pair.second)
            self._paired.setdefault(pair.second, set()).add(pair.first)
        self._definitions = Definitions(puzzle)
        # Cached, since many clauses share candidates and units.
        self._is_excluded = cache(self._find_exclusion)
        self._givens_near = cache(self._find_givens_near)
        self._full_units = cache(self._find_full_units)
        self._claims: ClaimJustifier | None = None
        if puzzle.constraints.wider or meanings:
            self._claims = ClaimJustifier(puzzle, self._definitions, meanings, runs)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether every solution of the puzzle satisfies the clause.

        Justified are: a given; the exclusion of a candidate by a rule alone or with a given; the
        exclusion of two candidates by a rule; and "at least one" of a cell's open candidates, or of
        a digit's in a unit that holds every digit.
        """
        if self._is_plain(clause):
            return True
        return self._claims is not None and self._claims.is_justified(clause)

    def _is_plain(self, clause: Sequence[int]) -> bool:
        """Whether units, pairs, givens and single cells justify a clause without auxiliaries."""
        if len(clause) == 2:
            # Nearly all clauses are of this kind. For a negative literal, ~ gives its variable from
            # 0.
            one, other = ~clause[0], ~clause[1]
            if 0 <= one < self._highest > other >= 0:
                size = self._size
                cell, digit = divmod(one, size)
                other_cell, other_digit = divmod(other, size)
                return self._definitions.forbid_both(cell, digit + 1, other_cell, other_digit + 1)
        if not clause or max(clause) > self._highest or -min(clause) > self._highest:
            return False
        # Other clauses of rules have only positive literals, or only negative ones.
        if min(clause) > 0:
            return self._is_one_true(clause)
        return len(clause) == 1 and self._is_excluded(-clause[0])

    def is_blocking(self, clause: Sequence[int], solution: Grid) -> bool:
        """Whether every solution of the puzzle but this one satisfies the clause.

        The clause must negate the solution's digits in all cells without a given, and no other
        literal than its digits.
        """
        literals = [-(cell * self._size + digit) for cell, digit in enumerate(solution.digits)]
        is_open = (cell not in self._givens for cell in range(len(literals)))
        return set(compress(literals, is_open)) <= set(clause) <= set(literals)

    def _placement(self, variable: int) -> tuple[int, int]:
        cell, digit = divmod(variable - 1, self._size)
        return cell, digit + 1

    def _find_exclusion(self, variable: int) -> bool:
        """Whether a rule excludes a candidate, alone or with a given."""
        cell, digit = self._placement(variable)
        return (
            self._givens.get(cell, digit) != digit
            or self._definitions.forbid(cell, digit)
            or any(
                self._definitions.forbid_both(cell, digit, other, self._givens[other])
                for other in self._givens_near(cell)
            )
        )

    def _find_givens_near(self, cell: int) -> set[int]:
        """Return the cells with givens that share a unit or a pair with a cell."""
        near = set(self._paired.get(cell, ()))
        for unit in self._constraints.units_of[cell]:
            near.update(self._constraints.units[unit].cells)
        return (near - {cell}) & self._givens.keys()

    def _find_full_units(self, cell: int) -> list[frozenset[int]]:
        """Return the units of a cell that hold every digit."""
        return [
            unit for unit in self._definitions.units if len(unit) == self._size and cell in unit
        ]

    def _is_one_true(self, clause: Sequence[int]) -> bool:
        cell, digit = self._placement(clause[0])
        if len(clause) == 1 and self._givens.get(cell) == digit:
            return True
        named, size = set(clause), self._size
        first = cell * size + 1
        if self._is_all_that_is_open(named, {*range(first, first + size)}):
            return True
        return any(
            self._is_all_that_is_open(named, {other * size + digit for other in unit})
            for unit in self._full_units(cell)
        )

    def _is_all_that_is_open(self, named: set[int], group: set[int]) -> bool:
        return named <= group and all(map(self._is_excluded, group - named))


# Assignments refuted by amounts and by machine runs
#
# An assignment violates a clause with auxiliaries if all its literals are false: then each amount
# that the clause names lies beyond a bound, and each machine is in certain states after certain
# cells. The clause is justified if that is impossible. Fillings are not enumerated. The sum of
# cells is bounded by the digits of each, and by the worths of different digits if rules make the
# cells differ. For a machine only the cells between the first and the last state are read, since
# its transitions there do not depend on earlier cells.

Bounds = tuple[int, int]


class Counted:
    """The worth tables of some cells as one object, since tables are slow to hash."""

    __slots__ = ("cells", "is_of_several", "tables", "worths")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.worths = dict(tables)
        self.cells = frozenset(self.worths)
        self.is_of_several = len(tables) > 1


Group = tuple[Table, list[int]]
"""Cells that all differ, with their common table."""
Narrowed = tuple[tuple[int, tuple[int, ...]], ...]
"""Cells with the digits left in them."""

# More than all amounts of a formula together.
_FAR = 1 << 200
ANY: Bounds = (-_FAR, _FAR)
"""Bounds that hold for every amount."""

# The most possible sums to enumerate. The three digits of a pill and its shaft have some thousand;
# meanings made up by an attacker may have as many as there are fillings.
_MOST_AMOUNTS = 100_000


class Amount(NamedTuple):
    """The sum of some cells within bounds, such as those implied by a false literal."""

    counted: Counted
    bounds: Bounds


class Broken:
    """The negated claims of a clause, which an assignment that violates the clause satisfies.

    `open_in` has the digits left in cells with claims of their own, `bounds` the bounds of sums of
    several cells.
    """

    __slots__ = ("bounds", "first_cell", "open_in")

    def __init__(self, claims: Sequence[Amount], digits: Iterable[int]) -> None:
        self.first_cell = claims[0].counted.tables[0][0] if claims else -1
        self.open_in: dict[int, tuple[int, ...]] = {}
        # Claims about one cell leave certain digits; claims about several bound their sum.
        sums = [each for each in claims if each[0].is_of_several]
        if len(sums) < len(claims):
            for counted, (low, high) in claims:
                if not counted.is_of_several:
                    ((cell, table),) = counted.tables
                    left = self.open_in.get(cell, digits)
                    self.open_in[cell] = tuple([x for x in left if low <= table[x] <= high])
        self.bounds: dict[Counted, Bounds] = dict(sums)
        if len(self.bounds) < len(sums):
            for counted, (low, high) in sums:
                lowest, highest = self.bounds[counted]
                self.bounds[counted] = max(low, lowest), min(high, highest)


class Split(NamedTuple):
    """A sum (the whole) as a linear combination of other sums (the parts) and a rest."""

    whole: int
    """The index of the whole among the amounts; -1 for their total, which no claim bounds."""
    counted: Counted
    shares: tuple[tuple[int, int], ...]
    """The index and the factor of each part."""
    rest: Counted


class Amounts:
    """The bounds of sums of cells, by the definitions of a puzzle's rules."""

    def __init__(self, puzzle: Puzzle, definitions: Definitions) -> None:
        self._digits = range(1, puzzle.geometry.size + 1)
        self._definitions = definitions
        # Results that do not depend on the bounds of claims are cached: most clauses differ only in
        # those bounds.
        self.counted = cache(Counted)
        self._split = cache(self._split_into)
        self._split_of = cache(self._split_of_number)
        self._place_of_sum = cache(self._find_place_of_sum)
        self._apart_from = cache(self._find_apart_from)
        self._parted = cache(self._parted_into_groups)
        self._values = cache(self._possible_values)
        self._ends = cache(self._find_ends)

    def are_apart(self, claims: Sequence[Amount]) -> bool:
        """Whether an amount is the sum of all others, which the bounds alone rule out.

        Most clauses about sums say this, and no other test is as fast.
        """
        place = self._place_of_sum(tuple([counted for counted, _ in claims]))
        if place < 0:
            return False
        low, high = claims[place].bounds
        others = [*claims[:place], *claims[place + 1 :]]
        return high < sum(bounds[0] for _, bounds in others) or low > sum(
            bounds[1] for _, bounds in others
        )

    def _find_place_of_sum(self, amounts: tuple[Counted, ...]) -> int:
        """Return the place of an amount that is the sum of all others; -1 if there is none."""

        def extent(place: int) -> tuple[int, int]:
            tables = amounts[place].tables
            return len(tables), -tables[0][1].count(0)

        place = max(range(len(amounts)), key=extent)
        others = [*amounts[:place], *amounts[place + 1 :]]
        for cell, table in amounts[place].tables:
            total = None
            for each in others:
                if cell in each.worths:
                    total = _plus(total, each.worths[cell], 1)
            if total != table:
                return -1
        whole = amounts[place].cells
        return place if all(each.cells <= whole for each in others) else -1

    def cannot_add_up(self, broken: Broken) -> bool:
        """Whether a sum is impossible beside the other sums within it and its remaining cells."""
        if not broken.bounds:
            return False
        if len(broken.bounds) == 1 and _is_beyond(broken):
            return True
        splits = self._splits(tuple(broken.bounds))
        return self._is_any_apart(splits, ANY, self._all_ends(broken), broken)

    def is_apart(self, whole: Amount, broken: Broken) -> bool:
        """Whether `whole` cannot be the sum of the amounts within it and its other cells."""
        split = self._split(whole.counted, -1, tuple(broken.bounds))
        return self._is_any_apart((split,), whole.bounds, self._all_ends(broken), broken)

    def _all_ends(self, broken: Broken) -> list[Bounds | None]:
        return [self.ends_between(*amount, broken) for amount in broken.bounds.items()]

    def _is_any_apart(
        self,
        splits: Iterable[Split],
        bounds: Bounds,
        ends: Sequence[Bounds | None],
        broken: Broken | None = None,
    ) -> bool:
        """Whether the whole of some split cannot equal its parts and rest.

        `bounds` are the bounds of a whole that is none of the amounts, `ends` those of each amount.
        """
        if None in ends:
            return True
        for place, counted, shares, rest in splits:
            whole = ends[place] if place >= 0 else self.ends_between(counted, bounds, broken)
            others = self.ends_between(rest, ANY, broken) if rest.tables else (0, 0)
            if whole is None or others is None:
                return True
            low, high = others
            for part, factor in shares:
                least, most = ends[part]  # type: ignore[misc]
                if factor > 0:
                    low, high = low + factor * least, high + factor * most
                else:
                    low, high = low + factor * most, high + factor * least
            if whole[1] < low or whole[0] > high:
                return True
        return False

    def _splits(self, amounts: tuple[Counted, ...]) -> Iterator[Split]:
        """Yield each amount split into all others, and last their total split into all."""
        # A single amount has no other split than itself.
        for number in range(len(amounts) + 1) if len(amounts) > 1 else ():
            yield self._split_of(number, amounts)

    def _split_of_number(self, number: int, amounts: tuple[Counted, ...]) -> Split:
        if number == len(amounts):
            return self._split_into(self._total_of(amounts), -1, amounts)
        # The amount with the most cells is mostly the sum of the others, so it comes first.
        places = sorted(range(len(amounts)), key=lambda place: -len(amounts[place].tables))
        return self._split_into(amounts[places[number]], places[number], amounts)

    def _split_into(self, whole: Counted, place: int, amounts: tuple[Counted, ...]) -> Split:
        worths = dict(whole.tables)
        rest = worths.copy()
        shares = []
        for number, part in enumerate(amounts):
            if number != place:
                factor = _factor(worths, part.tables)
                shares.append((number, factor))
                for cell, table in part.tables:
                    rest[cell] = _plus(rest.get(cell), table, -factor)
        left = tuple((cell, table) for cell, table in sorted(rest.items()) if any(table[1:]))
        return Split(place, whole, tuple(shares), self.counted(left))

    def _total_of(self, parts: Sequence[Counted]) -> Counted:
        """Return the sum of all parts, which has bounds as well: three digits never sum to 5."""
        together: dict[int, Table] = {}
        for part in parts:
            tables = part.tables
            # A digit's presence has worth 1 in its own claim, but the digit's value in a sum.
            counted = [digit for digit, worth in enumerate(tables[0][1]) if worth and digit]
            factor = counted[0] if len(counted) == 1 == tables[0][1][counted[0]] else 1
            for cell, table in tables:
                together[cell] = _plus(together.get(cell), table, factor)
        return self.counted(tuple(sorted(together.items())))

    def ends_between(
        self, counted: Counted, bounds: Bounds, broken: Broken | None
    ) -> Bounds | None:
        """Return the least and the greatest sum of the cells within `bounds`; None without any.

        With `broken`, cells hold only digits that it leaves open.
        """
        if broken is None or not broken.open_in:
            return self._ends((counted, bounds))
        cells = counted.cells
        narrowed = tuple([each for each in broken.open_in.items() if each[0] in cells])
        return self._ends((counted, bounds), narrowed)

    def _find_ends(self, amount: tuple[Counted, Bounds], narrowed: Narrowed = ()) -> Bounds | None:
        counted, (low, high) = amount
        values = self._values(counted, narrowed)
        first = bisect_left(values, low) if low > -_FAR else 0
        end = bisect_right(values, high) if high < _FAR else len(values)
        return (values[first], values[end - 1]) if first < end else None

    def _possible_values(self, counted: Counted, narrowed: Narrowed) -> tuple[int, ...]:
        """Return the possible sums of cells, in order.

        The result may include impossible sums, if cells differ for reasons not known here.
        `narrowed` has the digits that are left in some of the cells.
        """
        alone, others = self._apart_from(counted, tuple([cell for cell, _ in narrowed]))
        amounts = [
            {table[digit] for digit in left}
            for table, (_, left) in zip(alone, narrowed, strict=True)
        ]
        found, *rest = (_plus_all(sums, amounts) for sums in others)
        return tuple(sorted(found.intersection(*rest)))

    def _find_apart_from(
        self, counted: Counted, known: tuple[int, ...]
    ) -> tuple[list[Table], list[frozenset[int]]]:
        """Return the tables of known cells, and the possible sums of the others.

        There may be two sets of sums, since the other cells are grouped greedily: with the known
        cells first or last, either of which may give the tighter bound.
        """
        tables = dict(counted.tables)
        ways = [self._alike(tuple(each for each in counted.tables if each[0] not in known))]
        if known:
            left = [
                (table, [cell for cell in cells if cell not in known])
                for table, cells in self._alike(counted.tables)
            ]
            ways.append([(table, cells) for table, cells in left if cells])
        shapes = dict.fromkeys(tuple([(table, len(cells)) for table, cells in way]) for way in ways)
        return [tables[cell] for cell in known], [*map(_sums_of_groups, shapes)]

    def _alike(self, tables: Tables) -> list[Group]:
        """Return greedily built groups of cells that have the same table and all differ."""
        alike: dict[Table, list[int]] = {}
        for cell, table in tables:
            alike.setdefault(table, []).append(cell)
        return [
            (table, group) for table, cells in alike.items() for group in self._parted(tuple(cells))
        ]

    def _parted_into_groups(self, cells: tuple[int, ...]) -> list[list[int]]:
        return [*groups_that_differ(cells, self._definitions.units, self._differs)]

    def _differs(self, cell: int, others: Sequence[int]) -> bool:
        return all(self._definitions.are_different(cell, each) for each in others)


def _is_beyond(broken: Broken) -> bool:
    """Whether a single sum cannot be within its bounds, even if its cells may be equal.

    Most clauses about the presence of a digit say this; no set of possible sums is needed for them.
    """
    ((counted, (low, high)),) = broken.bounds.items()
    left, least, most = broken.open_in, 0, 0
    for cell, table in counted.tables:
        worths = [table[digit] for digit in left[cell]] if cell in left else table[1:]
        least += min(worths)
        most += max(worths)
    return most < low or least > high


# Cached, since many cages and lines have the same shape.
@lru_cache(maxsize=1_000)
def _sums_of_groups(groups: tuple[tuple[Table, int], ...]) -> frozenset[int]:
    """Return the possible sums of groups, each a table and a number of cells that all differ."""
    return _plus_all({0}, [_sums_of(table[1:], count) for table, count in groups])


_sums_of = lru_cache(maxsize=1_000)(sums_of)


def _plus_all(found: Collection[int], amounts: Iterable[Collection[int]]) -> frozenset[int]:
    for each in amounts:
        found = {one + other for one in found for other in each}
        if len(found) > _MOST_AMOUNTS:
            raise CertificateError(f"an auxiliary has more than {_MOST_AMOUNTS:,} amounts")
    return frozenset(found)


@lru_cache(maxsize=10_000)
def _plus(table: Table | None, other: Table, factor: int) -> Table:
    """Return the sum of two tables, the second multiplied by `factor`; cached.

    Long sums need the same few tables millions of times.
    """
    return tuple(k + factor * t for k, t in zip(table or (0,) * len(other), other, strict=True))


def _factor(whole: Mapping[int, Table], part: Tables) -> int:
    """Return the factor of a part in a whole: in a sum, the presence of 7 counts seven times."""
    cell, table = part[0]
    digit = next((digit for digit, worth in enumerate(table) if worth and digit), 0)
    if not digit:
        return 1
    worth = whole.get(cell, table)[digit]
    return worth // table[digit] if worth and worth % table[digit] == 0 else 1


class MachineRun(NamedTuple):
    """The cells and transitions of a machine."""

    cells: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def is_dead(self) -> bool:
        """Whether the machine accepts nothing."""
        return all(after < 0 for after in self.layers[0][0][1:])


class Reader:
    """The test whether a machine has an accepting run through given states."""

    def __init__(self, run: MachineRun) -> None:
        self.run = run
        self.cells = run.cells
        self._layers = run.layers
        self._digits = range(1, len(run.layers[0][0]))

    def excludes(
        self, literals: Sequence[tuple[bool, State]], digits: Mapping[int, Sequence[int]]
    ) -> bool:
        """Whether no accepting run has these states and digits.

        Each literal says that the machine is in a state, or (False) that it is not; cells in
        `digits` hold one of the digits there.
        """
        if len(literals) == 2 and self._is_transition(literals[0], literals[1], digits):
            return True
        left = self._left_by(literals)
        if left is None:
            return False
        if not all(left.values()):
            return True
        first, end = self._span(left, digits)
        # An over-approximation: the states of any run, perhaps with other digits before them. So no
        # possible run is excluded.
        states = left.get(first) or self._live[first]
        for place in range(first, end):
            layer = self._layers[place]
            leading = digits.get(self.cells[place])
            # Without a state left there is no such run; -1, a dead end, is never live.
            reached: set[int] = set()
            for state in states:
                row = layer[state]
                reached.update(row[1:] if leading is None else [row[d] for d in leading])
            states = (left.get(place + 1) or self._live[place + 1]) & reached
            if not states:
                return True
        return not states

    def _is_transition(
        self,
        here: tuple[bool, State],
        there: tuple[bool, State],
        digits: Mapping[int, Sequence[int]],
    ) -> bool:
        """Whether the first state leads to the second, or nowhere, with any digit of its cell.

        Most clauses of machines say this.
        """
        (is_in, (_, behind, state)), (is_there, (_, after, other)) = here, there
        if not is_in or is_there or after != behind + 1 or not 0 <= behind < len(self.cells):
            return False
        layer = self._layers[behind]
        if not 0 <= state < len(layer):
            return False
        row = layer[state]
        return all([row[d] in (other, -1) for d in digits.get(self.cells[behind], self._digits)])

    def _span(self, left: Collection[int], digits: Collection[int]) -> tuple[int, int]:
        """Return the first cell to read and the end: the range of known states and digits."""
        if not left:
            known = [place for place, cell in enumerate(self.cells) if cell in digits]
            return (known[0], known[-1] + 1) if known else (0, 0)
        # Cells with known digits are used as far as they are next to one of the states.
        first, end = min(left), max(left)
        first -= first > 0 and self.cells[first - 1] in digits
        end += end < len(self.cells) and self.cells[end] in digits
        return first, end

    def _left_by(self, literals: Sequence[tuple[bool, State]]) -> dict[int, set[int]] | None:
        """Return the live states that the literals allow, by the number of cells read before.

        None if a literal names more cells than there are, which a wrong file may do.
        """
        left: dict[int, set[int]] = {}
        for is_in, (_, behind, state) in literals:
            if not 0 <= behind <= len(self.cells):
                return None
            states = left[behind] if behind in left else self._live[behind]
            left[behind] = states & {state} if is_in else states - {state}
        return left

    @cached_property
    def _live(self) -> list[set[int]]:
        """Return the live states after each number of cells: reachable ones, never a dead end."""
        live = [{0}]
        for layer in self._layers:
            live.append({after for state in live[-1] for after in layer[state][1:]} - {-1})
        return live


def runs_of(rules: Sequence[Rule], geometry: Geometry) -> list[MachineRun]:
    """Return the machines of some rules, in their order."""
    return [
        MachineRun(cells, tuple(layers))
        for rule in rules
        for part in (chain(*rule.choices) if isinstance(rule, EitherRule) else [rule])
        if isinstance(part, MachineRule)
        for cells, layers in part.machines(geometry)
    ]


# Clauses with auxiliary variables
#
# An auxiliary is a claim that the worth of some cells, by a table for each, is at least some value.
# A candidate is a claim, too: its cell has worth 1 for its digit. So an assignment violates a
# clause only if each of its amounts lies beyond a bound. The clause is justified if that is
# impossible, because the amounts do not add up or because a rule's definition allows no such
# digits. The meanings of claims come from the writer of the formula; they only have to be the same
# in all clauses.

_ONLY_AMOUNTS = {Amount}

# The most justifiers for choices to keep. Our formulas name one choice at a time. A malicious one
# may name as many sets of choices as it has clauses; a justifier of a 9x9 board takes at least 35
# kB.
_MOST_INSIDE = 256


class ClaimJustifier:
    """The check whether clauses over candidates and auxiliaries follow from a rule's definition.

    `meanings` come from the writer of the formula. `runs` are the machines that meanings may name,
    if these are not the machines of the puzzle's own rules.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        definitions: Definitions,
        meanings: Mapping[int, Meaning],
        runs: Sequence[MachineRun] = (),
    ) -> None:
        self._puzzle = puzzle
        self._definitions = definitions
        self._geometry = puzzle.geometry
        self._meanings = meanings
        self._highest = variable_count(puzzle.geometry)
        self._digits = range(1, puzzle.geometry.size + 1)
        self._amounts = Amounts(puzzle, definitions)
        self._meaning = cache(self._meaning_of)
        self._denied = cache(self._denied_by)
        self._sums_with: dict[int, list[Amount]] = {}
        self._groups_with: dict[int, list[tuple[GroupRule, int, tuple[int, ...]]]] = {}
        self._sets = cache(self._sets_of)
        self._runs = runs or runs_of(puzzle.rules, puzzle.geometry)
        # Readers exist only for machines of rules that hold here; those of other choices imply
        # nothing.
        self._readers: dict[int, Reader] = {}
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
        """Index a rule by its cells."""
        for number, cells in enumerate(rule.groups(self._geometry)):
            for cell in cells:
                self._groups_with.setdefault(cell, []).append((rule, number, cells))
        for cells, worths, low, high in rule.counted(self._geometry):
            counted = self._amounts.counted(tuple(sorted(zip(cells, worths, strict=True))))
            fixed = Amount(counted, (low, high))
            for cell in cells:
                self._sums_with.setdefault(cell, []).append(fixed)
        for run in runs_of([rule], self._geometry):
            reader = Reader(run)
            # Equal machines of two rules have two numbers; a rule that holds gives both a reader.
            numbers = (number for number, each in enumerate(self._runs) if each == run)
            self._readers.update(dict.fromkeys(numbers, reader))
            for cell in run.cells:
                self._readers_with.setdefault(cell, []).append(reader)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether no grid that satisfies the rules violates the clause."""
        if self.is_hopeless or (len(clause) == 2 and self._are_two_states(*clause)):
            return True
        denied = [*map(self._denied, clause)]
        kinds = {*map(type, denied)}
        if kinds == _ONLY_AMOUNTS:
            claims = cast(list[Amount], denied)
            sums = sum([each[0].is_of_several for each in claims])
            # Cells and a single sum are compared by `_is_beyond`, which is faster.
            return (sums > 1 and self._amounts.are_apart(claims)) or self._is_broken(
                Broken(claims, self._digits), ()
            )
        if None in denied:
            return False  # an auxiliary without a meaning may have any value
        if Choice in kinds:
            return self._is_of_choices(clause, denied)
        states = [
            (literal < 0, each)
            for literal, each in zip(clause, denied, strict=True)
            if type(each) is State
        ]
        amounts = [each for each in denied if type(each) is Amount]
        return self._is_broken(Broken(amounts, self._digits), states)

    def _are_two_states(self, one: int, other: int) -> bool:
        """Whether a clause denies a machine two states at once; most clauses of machines do."""
        if one > 0 or other > 0:
            return False
        state, second = self._denied(one), self._denied(other)
        if type(state) is not State or type(second) is not State or state == second:
            return False
        machine, behind, _ = state
        reader = self._readers.get(machine)
        return reader is not None and behind <= len(reader.cells) and second[:2] == state[:2]

    def _is_broken(self, broken: Broken, states: Sequence[tuple[bool, State]]) -> bool:
        """Whether the rules allow no grid with these negated claims and these states."""
        # A grid has a digit in each cell, so it cannot violate a clause whose negation leaves a
        # cell none.
        if broken.open_in and any(starmap(self._is_without_digit, broken.open_in.items())):
            return True
        if states:
            return self._is_no_run(states, broken)
        return broken.first_cell >= 0 and (
            self._is_no_set_of_a_rule(broken)
            or self._amounts.cannot_add_up(broken)
            or self._is_no_sum_of_a_rule(broken)
            or any(
                reader.excludes((), broken.open_in)
                for reader in self._readers_with.get(broken.first_cell, ())
            )
            or self._is_no_filling_of_a_rule(broken)
        )

    def _is_without_digit(self, cell: int, digits: Sequence[int]) -> bool:
        """Whether rules forbid each of these digits, all that a cell has left."""
        forbid = self._definitions.forbid
        return not digits or (
            forbid(cell, digits[0]) and all(forbid(cell, digit) for digit in digits)
        )

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether some rule's definition allows no grid, so that every clause is justified."""
        nothing = Broken((), self._digits)
        sums = {fixed for found in self._sums_with.values() for fixed in found}
        groups = {found for each in self._groups_with.values() for found in each}
        return (
            any(self._amounts.ends_between(*fixed, nothing) is None for fixed in sums)
            or any(reader.run.is_dead for reader in self._readers.values())
            or any(
                self._holds_sets(rule, number) and not self._sets(rule, number)
                for rule, number, _ in groups
            )
        )

    def _is_no_run(self, states: Sequence[tuple[bool, State]], broken: Broken) -> bool:
        """Whether no machine of a rule that holds has a run through these states."""
        # States of two machines are not combined: our clauses name only one machine.
        machine = states[0][1].machine
        for _, each in states:
            if each.machine != machine:
                return False
        reader = self._readers.get(machine)
        return reader is not None and reader.excludes(states, broken.open_in)

    def _is_of_choices(
        self, clause: Sequence[int], denied: Sequence[Amount | State | Choice | None]
    ) -> bool:
        """Whether a clause that names choices follows from the rules that offer them.

        It follows if it has all choices of a rule, one of which holds, or if its other literals are
        justified where all choices that it negates hold.
        """
        # Without `set[Choice]()`, which takes a microsecond more.
        offered: set[Choice] = set()
        kept: set[Choice] = set()
        rest: list[int] = []
        for literal, each in zip(clause, denied, strict=True):
            if type(each) is not Choice:
                rest.append(literal)
            elif each not in self._choices:
                return False
            else:
                (offered if literal > 0 else kept).add(each)
        for rule in {each.rule for each in offered} if offered else ():
            if {each for each in self._choices if each.rule == rule} <= offered:
                return True
        if not kept:
            return False
        inside = self._inside(frozenset(kept))
        return inside is None or inside.is_justified(rest)

    def _justifier_where_kept(self, kept: frozenset[Choice]) -> "Justifier | None":
        """Return the justifier for grids with these choices kept; None if there is no such grid.

        It has the rules of the choices beside the puzzle's rules, all of which hold for these
        grids.
        """
        added = dict.fromkeys(rule for choice in sorted(kept) for rule in self._choices[choice])
        try:
            inside = replace(self._puzzle, rules=(*self._puzzle.rules, *added))
        except SatdokuError:
            # Some rule allows no grid, such as a cage of three cells that sum to 5.
            return None
        return Justifier(inside, self._meanings_inside, self._runs)

    @cached_property
    def _meanings_inside(self) -> dict[int, Meaning]:
        """Return the meanings that stay valid when rules are added: all but those of choices."""
        return {n: each for n, each in self._meanings.items() if not isinstance(each, Choice)}

    def _denied_by(self, literal: int) -> Amount | State | Choice | None:
        """Return a literal's state or choice; of an amount, the bounds if the literal is false."""
        meaning = self._meaning(abs(literal))
        if not isinstance(meaning, Worth):
            return meaning
        counted, value = self._amounts.counted(meaning.tables), meaning.value
        return Amount(counted, (value, _FAR) if literal < 0 else (-_FAR, value - 1))

    def _meaning_of(self, number: int) -> Meaning | None:
        if number > self._highest:
            return self._meanings.get(number)
        cell, digit = placement(self._geometry, number)
        return Worth(((cell, counting(digit, self._geometry.size)),), 1)

    def _is_no_sum_of_a_rule(self, broken: Broken) -> bool:
        """Whether these amounts contradict a sum that a rule fixes."""
        return any(
            self._amounts.is_apart(fixed, broken)
            for fixed in self._sums_with.get(broken.first_cell, ())
        )

    def _is_no_set_of_a_rule(self, broken: Broken) -> bool:
        """Whether no set of digits that a rule allows has these digits present and absent."""
        places = {each.cells for each in broken.bounds}
        if len(places) != 1 or broken.open_in:
            return False
        # Only claims about the presence of digits can be compared with sets.
        presence = [*starmap(_presence, broken.bounds.items())]
        if None in presence:
            return False
        present = sum({mask for mask, is_there in filter(None, presence) if is_there})
        absent = sum({mask for mask, is_there in filter(None, presence) if is_there is False})
        (cells,) = places
        return any(
            not any(s & present == present and not s & absent for s in self._sets(rule, number))
            for rule, number, group in self._groups_with.get(broken.first_cell, ())
            if cells == frozenset(group) and self._holds_sets(rule, number)
        )

    def _holds_sets(self, rule: GroupRule, number: int) -> bool:
        """Whether a rule's definition for a group depends only on its set of different digits."""
        cells = rule.groups(self._geometry)[number]
        return not rule.order_matters and rule.are_all_different(self._geometry, cells)

    def _sets_of(self, rule: GroupRule, number: int) -> list[int]:
        """Return the sets of different digits, as masks, that the definition allows in a group."""
        count = len(rule.groups(self._geometry)[number])
        return [
            sum(1 << digit for digit in digits)
            for digits in combinations(self._digits, count)
            if rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
        ]

    def _is_no_filling_of_a_rule(self, broken: Broken) -> bool:
        """Whether a rule allows no filling of one of its groups; only small groups are tried."""
        open_in = broken.open_in
        if broken.bounds:
            return False
        for rule, number, cells in self._groups_with.get(broken.first_cell, ()):
            if len(cells) > MOST_CELLS_TRIED or not open_in.keys() <= set(cells):
                continue
            # Each filling is tested with the rule's definition.
            choices = (open_in.get(cell, list(self._digits)) for cell in cells)
            if not any(
                rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
                for digits in product(*choices)
            ):
                return True
        return False


def _presence(counted: Counted, bounds: Bounds) -> tuple[int, bool | None] | None:
    """Return a digit's mask and whether a claim makes it present; None for other claims."""
    tables, (low, high) = counted.tables, bounds
    table = tables[0][1]
    is_of_a_digit = 1 in table and table.count(0) == len(table) - 1
    if not is_of_a_digit or any(other != table for _, other in tables):
        return None
    return 1 << table.index(1), True if low >= 1 else False if high <= 0 else None
