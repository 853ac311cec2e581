"""Check that a formula states only the rules of a puzzle and its givens.

Each clause must be one that any solution of the puzzle satisfies for a reason that is checked here,
from the definitions of the rules (`puzzle/rules/rule.py`), not from the input of the encoders. If
such a formula has no model, the puzzle has no solution, whoever wrote the formula.

The puzzle's constraints only guide the search, so that not all pairs of cells are compared: each
finding counts only after a definition confirms it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, compress, product
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from satdoku.encoding.meanings import Choice, Meaning, State, Table, Tables, Worth
from satdoku.encoding.variables import placement, variable_count
from satdoku.errors import CertificateError, SatdokuError
from satdoku.puzzle.constraints import Machine, Sets, Some, Total, Wider, counting
from satdoku.puzzle.grid import Geometry, Grid, Unit, groups_that_differ
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.group_rule import GroupRule, sums_of
from satdoku.puzzle.rules.machine_rule import Layer, MachineRule
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.encoding.meanings import Meaning


Candidate = tuple[int, int]


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
            # For small groups all fillings are tried; for larger ones rules define worths.
            is_small = isinstance(constraint, Some) and len(constraint.choices) <= MOST_CELLS_TRIED
            is_known = isinstance(rule, GroupRule) and (is_small or bool(rule.counted(geometry)))
        else:
            is_known = not isinstance(constraint, Wider)
        if not is_known:
            return False
    return True


MOST_CELLS_TRIED = 5
"""Larger groups have too many fillings to try."""


def _claims_of(
    puzzle: Puzzle, meanings: Mapping[int, "Meaning"], runs: "Sequence[MachineRun]"
) -> "ClaimJustifier | None":
    """Return the justifier of clauses with auxiliaries, if there are any."""
    if not puzzle.constraints.wider and not meanings:
        return None
    # Imported late: it uses `Justifier` itself.

    return ClaimJustifier(puzzle, meanings, runs)


class Justifier:
    """Decides which clauses over a puzzle's candidates, (cell, digit) pairs, its rules justify.

    `meanings` are those of auxiliaries, `runs` the machines that these refer to.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        meanings: Mapping[int, "Meaning"] = MappingProxyType({}),
        runs: "Sequence[MachineRun]" = (),
    ) -> None:
        self._geometry = puzzle.geometry
        self._rules = puzzle.rules
        self._givens = puzzle.givens
        self._constraints = puzzle.constraints
        self._paired: dict[int, set[int]] = {}
        for pair in puzzle.constraints.pairs:
            self._paired.setdefault(pair.first, set()).add(pair.second)
            self._paired.setdefault(pair.second, set()).add(pair.first)
        # Caches, since many clauses share candidates and units.
        self._givens_near: dict[int, list[Candidate]] = {}
        self._is_excluded: dict[Candidate, bool] = {}
        self._has_every_digit: dict[int, bool] = {}
        self._differ = cache(self._are_different)
        self._claims = _claims_of(puzzle, meanings, runs)

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
        size = self._geometry.size
        if not clause or max(map(abs, clause)) > size**3:
            return False
        candidates = [((abs(n) - 1) // size, (abs(n) - 1) % size + 1) for n in clause]
        # Rules give clauses with positive literals only, or with negative ones only.
        if clause[0] > 0:
            return min(clause) > 0 and self._is_one_true(candidates)
        if max(clause) > 0 or len(candidates) > 2:
            return False
        if len(candidates) == 1:
            return self.is_excluded(candidates[0])
        return self._exclude_each_other(*candidates)

    def is_blocking(self, clause: Sequence[int], solution: Grid) -> bool:
        """Whether every solution of the puzzle but this one satisfies the clause.

        It must negate digits of the solution: those of all cells without a given, and perhaps more.
        """
        size = self._geometry.size
        literals = [-(cell * size + digit) for cell, digit in enumerate(solution.digits)]
        is_open = (cell not in self._givens for cell in range(len(literals)))
        return set(compress(literals, is_open)) <= set(clause) <= set(literals)

    def is_excluded(self, candidate: Candidate) -> bool:
        """Whether a rule excludes a candidate, alone or with a given."""
        known = self._is_excluded.get(candidate)
        if known is None:
            known = self._is_excluded[candidate] = self._find_exclusion(candidate)
        return known

    def _find_exclusion(self, candidate: Candidate) -> bool:
        cell, digit = candidate
        if self._givens.get(cell, digit) != digit:
            return True
        if any(rule.forbids(self._geometry, cell, digit) for rule in self._rules):
            return True
        return any(
            rule.forbids_both(self._geometry, cell, digit, other, given)
            for other, given in self._find_givens_near(cell)
            for rule in self._rules
        )

    def _find_givens_near(self, cell: int) -> list[Candidate]:
        """Return the givens that share a unit or a pair with a cell."""
        if cell not in self._givens_near:
            near = {
                other
                for unit in self._constraints.units_of[cell]
                for other in self._constraints.units[unit].cells
            }
            near |= self._paired.get(cell, set())
            near.discard(cell)
            self._givens_near[cell] = [(o, self._givens[o]) for o in near if o in self._givens]
        return self._givens_near[cell]

    def _is_one_true(self, candidates: Sequence[Candidate]) -> bool:
        cell, digit = candidates[0]
        if len(candidates) == 1 and self._givens.get(cell) == digit:
            return True
        named = set(candidates)
        of_cell = {(cell, each) for each in range(1, self._geometry.size + 1)}
        if self._is_all_that_is_open(named, of_cell):
            return True
        return any(
            self._is_all_that_is_open(
                named, {(other, digit) for other in self._constraints.units[unit].cells}
            )
            and self._holds_every_digit(unit, self._constraints.units[unit])
            for unit in self._constraints.units_of[cell]
        )

    def _is_all_that_is_open(self, named: set[Candidate], group: set[Candidate]) -> bool:
        return named <= group and all(map(self.is_excluded, group - named))

    def _holds_every_digit(self, index: int, unit: Unit) -> bool:
        """Whether a unit has as many cells as digits, all different."""
        if index not in self._has_every_digit:
            self._has_every_digit[index] = len(unit.cells) == self._geometry.size and any(
                rule.are_all_different(self._geometry, unit.cells) for rule in self._rules
            )
        return self._has_every_digit[index]

    def _exclude_each_other(self, one: Candidate, other: Candidate) -> bool:
        (cell, digit), (other_cell, other_digit) = one, other
        if cell == other_cell:
            return digit != other_digit
        if digit == other_digit and self._differ(cell, other_cell):
            return True
        return any(
            rule.forbids_both(self._geometry, cell, digit, other_cell, other_digit)
            for rule in self._rules
        )

    def _are_different(self, cell: int, other: int) -> bool:
        """Whether a rule by itself makes two cells different, whatever the digit."""
        cells = (cell, other)
        return any(rule.are_all_different(self._geometry, cells) for rule in self._rules)


# Impossible amounts and runs
#
# An assignment violates a clause with auxiliaries if all literals are false: each of its claims
# then lies beyond a bound, and each machine that it names is in certain states after certain cells.
# The clause is justified if that is impossible. Fillings are not enumerated. The sum of cells is
# bounded by the digits of each, and by the worth of different digits if rules make the cells
# differ. For a machine only the cells between the first and the last state are read, since what it
# does there does not depend on how it got there.

Bounds = tuple[int, int]


class Counted:
    """The tables of some cells, as one object: tables are slow to hash, and clauses name few."""

    __slots__ = ("cells", "tables")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.cells = frozenset(cell for cell, _ in tables)


Amount = tuple[Counted, Bounds]
Group = tuple[Table, list[int]]
"""Cells that all differ, with the table that they share."""

_FAR = 1 << 40
ANY: Bounds = (-_FAR, _FAR)
"""Bounds that no amount reaches."""

# The three digits of a pill and its shaft have some thousand amounts; made-up meanings may have as
# many as there are fillings.
_MOST_AMOUNTS = 100_000


class Denied(NamedTuple):
    """An amount, and its bounds where a literal about it is false."""

    counted: Counted
    low: int
    high: int


class Broken:
    """The negated claims of a clause: an assignment that violates it satisfies them.

    `open_in` has the digits left in cells with claims of their own, `amounts` the bounds of claims
    about several cells.
    """

    def __init__(self, bounds: Mapping[Counted, Bounds], digits: Iterable[int]) -> None:
        self.open_in: dict[int, tuple[int, ...]] = {}
        self.amounts: list[Amount] = []
        for counted, (low, high) in bounds.items():
            # For one cell the digits are known; for several only their sum.
            if len(counted.tables) > 1:
                self.amounts.append((counted, (low, high)))
                continue
            ((cell, table),) = counted.tables
            left = self.open_in.get(cell, digits)
            self.open_in[cell] = tuple([digit for digit in left if low <= table[digit] <= high])
        self.first_cell = next(iter(bounds)).tables[0][0] if bounds else -1


class Amounts:
    """Bounds the sums of cells by the definitions of a puzzle's rules."""

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
        self._groupings = cache(self._find_groupings)
        self._parted = cache(self._parted_into_groups)
        # What does not depend on the bounds of claims, since these alone differ between most
        # clauses.
        self.counted = cache(Counted)
        self._total = cache(self._total_of)
        self._remainder = cache(self._remainder_of)

    def cannot_add_up(self, broken: Broken) -> bool:
        """Whether one amount cannot be the sum of the others and the rest of its cells."""
        parts = broken.amounts
        # The amount of the most cells is mostly the sum of the others, so it is tried first.
        for whole in sorted(parts, key=_most_cells_first):
            if self.is_apart(whole, [part for part in parts if part is not whole], broken):
                return True
        # The total has no bounds from claims, only those of its parts.
        total = self._total(tuple([counted for counted, _ in parts])), ANY
        return self.is_apart(total, parts, broken)

    def _total_of(self, parts: Sequence[Counted]) -> Counted:
        """Return the sum of parts, which is bounded as well: three digits never sum to 5."""
        together: dict[int, Table] = {}
        for part in parts:
            tables = part.tables
            # The presence of a digit has worth 1, but the digit itself in a sum.
            counted = [digit for digit, worth in enumerate(tables[0][1]) if worth and digit]
            factor = counted[0] if len(counted) == 1 == tables[0][1][counted[0]] else 1
            for cell, table in tables:
                together[cell] = _plus(together.get(cell), table, factor)
        return self.counted(tuple(sorted(together.items())))

    def is_apart(self, whole: Amount, parts: Sequence[Amount], broken: Broken) -> bool:
        """Whether a whole cannot be the sum of its parts and its other cells."""
        factors, rest = self._remainder(whole[0], tuple([counted for counted, _ in parts]))
        low = high = 0
        for factor, (counted, bounds) in zip(factors, parts, strict=True):
            ends = self.ends_between(counted, bounds, broken)
            if ends is None:
                return True
            least, most = factor * ends[0], factor * ends[1]
            low, high = (low + least, high + most) if factor > 0 else (low + most, high + least)
        ends = self.ends_between(*whole, broken)
        if ends is None:
            return True
        if rest.tables:
            others = self.ends_between(rest, ANY, broken)
            if others is None:
                return True
            low, high = low + others[0], high + others[1]
        return ends[1] < low or ends[0] > high

    def _remainder_of(self, whole: Counted, parts: Sequence[Counted]) -> tuple[list[int], Counted]:
        """Return how often a whole has each part, and what it has besides."""
        factors = [_factor(whole.tables, part.tables) for part in parts]
        rest = dict(whole.tables)
        for factor, part in zip(factors, parts, strict=True):
            for cell, table in part.tables:
                rest[cell] = _plus(rest.get(cell), table, -factor)
        left = tuple((cell, table) for cell, table in sorted(rest.items()) if any(table[1:]))
        return factors, self.counted(left)

    def ends_between(
        self, counted: Counted, bounds: Bounds, broken: Broken
    ) -> tuple[int, int] | None:
        """Return the smallest and largest possible value of cells within bounds, None without any.

        The negated claims about single cells are kept.
        """
        narrowed: tuple[tuple[int, tuple[int, ...]], ...] = ()
        if broken.open_in:
            narrowed = tuple([each for each in broken.open_in.items() if each[0] in counted.cells])
        values = self._values(counted, narrowed)
        low, high = bounds
        first = bisect_left(values, low) if low > -_FAR else 0
        end = bisect_right(values, high) if high < _FAR else len(values)
        return (values[first], values[end - 1]) if first < end else None

    def _possible_values(
        self, counted: Counted, narrowed: tuple[tuple[int, tuple[int, ...]], ...]
    ) -> tuple[int, ...]:
        """Return the possible sums of cells, in order.

        It may include impossible sums, if cells differ for reasons that are not seen here.
        `narrowed` has the digits that are left in some of the cells.
        """
        open_in = dict(narrowed)
        # A cell with known digits is bounded better alone. The grouping of the other cells depends
        # on whether it is first or last; either order may give the tighter bound.
        alone, others, rests = self._groupings(counted, frozenset(open_in))
        found = self._values_of_groups([*alone, *others], open_in)
        if alone and rests != others:
            found &= self._values_of_groups([*alone, *rests], open_in)
        return tuple(sorted(found))

    def _find_groupings(
        self, counted: Counted, known: frozenset[int]
    ) -> tuple[list[Group], list[Group], list[Group]]:
        """Return the known cells one by one, and two groupings of the others.

        The first is that of the others alone, the second that of all cells, without the known ones.
        """
        tables = counted.tables
        alone = [(table, [cell]) for cell, table in tables if cell in known]
        others = self._alike(tuple(each for each in tables if each[0] not in known))
        rests = others
        if known:
            left = [
                (table, [cell for cell in cells if cell not in known])
                for table, cells in self._alike(tables)
            ]
            rests = [(table, cells) for table, cells in left if cells]
        return alone, others, rests

    def _values_of_groups(
        self, groups: Iterable[Group], open_in: Mapping[int, Sequence[int]]
    ) -> set[int]:
        """Return the possible sums of groups of cells with the same table that all differ."""
        found = {0}
        for table, cells in groups:
            if len(cells) == 1:
                amounts = {table[digit] for digit in open_in.get(cells[0], self._digits)}
            else:
                amounts = _sums_of(table[1:], len(cells))
            found = {one + other for one in found for other in amounts}
            if len(found) > _MOST_AMOUNTS:
                raise CertificateError(f"an auxiliary has more than {_MOST_AMOUNTS:,} amounts")
        return found

    def _alike(self, tables: Tables) -> list[Group]:
        """Return cells with the same table that all differ, in groups that are built greedily."""
        alike: dict[Table, list[int]] = {}
        for cell, table in tables:
            alike.setdefault(table, []).append(cell)
        return [
            (table, group) for table, cells in alike.items() for group in self._parted(tuple(cells))
        ]

    def _parted_into_groups(self, cells: tuple[int, ...]) -> list[list[int]]:
        return [*groups_that_differ(cells, self._units, self._differs)]

    def _differs(self, cell: int, others: Sequence[int]) -> bool:
        return all(self._differ(cell, each) for each in others)

    def _find_out_whether_they_differ(self, cell: int, other: int) -> bool:
        """Whether the definition of a rule forbids two cells to hold the same digit."""
        rules, geometry = self._puzzle.rules, self._geometry
        return all(
            any(rule.forbids_both(geometry, cell, digit, other, digit) for rule in rules)
            for digit in self._digits
        )


_sums_of = lru_cache(maxsize=1_000)(sums_of)


def _most_cells_first(amount: Amount) -> int:
    return -len(amount[0].tables)


@lru_cache(maxsize=10_000)
def _plus(table: Table | None, other: Table, factor: int) -> Table:
    """Return the sum of two tables, the second multiplied by `factor`; cached.

    Long sums need the same few tables millions of times.
    """
    return tuple(k + factor * t for k, t in zip(table or (0,) * len(other), other, strict=True))


def _factor(whole: Tables, part: Tables) -> int:
    """Return the factor of a part in a whole: in a sum, the presence of 7 counts seven times."""
    cell, table = part[0]
    digit = next((digit for digit, worth in enumerate(table) if worth and digit), 0)
    if not digit:
        return 1
    worth = dict(whole).get(cell, table)[digit]
    return worth // table[digit] if worth and worth % table[digit] == 0 else 1


class MachineRun(NamedTuple):
    """The cells that a machine reads, and its transitions."""

    cells: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def is_dead(self) -> bool:
        """Whether the machine accepts nothing."""
        return all(after < 0 for after in self.layers[0][0][1:])


class Reader:
    """Tests whether a run of a rule's machine goes through given states."""

    def __init__(self, run: MachineRun) -> None:
        self.run = run
        self.cells = run.cells
        self._layers = run.layers

    def excludes(
        self, literals: Sequence[tuple[bool, State]], digits: Mapping[int, Sequence[int]]
    ) -> bool:
        """Whether no accepting run has these states and digits.

        Each state is one that the machine is in, or (False) one that it is not in; cells in
        `digits` hold one of these.
        """
        left = self._left_by(literals)
        if left is None:
            return False
        if not all(left.values()):
            return True
        first, end = self._span(left, digits)
        # An over-approximation: states of any run, perhaps with other digits before them. So no
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

    def _span(self, left: Collection[int], digits: Collection[int]) -> tuple[int, int]:
        """Return the cells to read, first and end: those between known states, or known digits."""
        if not left:
            known = [place for place, cell in enumerate(self.cells) if cell in digits]
            return (known[0], known[-1] + 1) if known else (0, 0)
        # Cells with known digits are used as far as they are next to one of the states.
        first, end = min(left), max(left)
        first -= first > 0 and self.cells[first - 1] in digits
        end += end < len(self.cells) and self.cells[end] in digits
        return first, end

    def _left_by(self, literals: Sequence[tuple[bool, State]]) -> dict[int, set[int]] | None:
        """Return the live states that literals leave, by the number of cells before them.

        None if one speaks of more cells than there are: meanings come from a file.
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
        """Return the live states after each number of cells."""
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
# An auxiliary is a claim: the worth of some cells, by a table for each, is at least a value. A
# candidate is a claim too: its cell has worth 1 for its digit. So an assignment violates a clause
# only if each of its claims lies beyond a bound. The clause is justified if that is impossible:
# because the amounts do not add up, or because a rule's definition allows no such digits. The
# meanings of claims come from the writer of the formula; they only have to be the same in all
# clauses.

# Our formulas name one choice at a time. A made-up one may name as many sets of choices as it has
# clauses; a justifier of a 9x9 board takes at least 35 kB.
_MOST_INSIDE = 256


class ClaimJustifier:
    """Decides which clauses over candidates and auxiliaries follow from the definition of a rule.

    `meanings` come from the writer of the formula. `runs` are the machines that these may name, if
    they belong to other rules than the puzzle's.
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
        self._meaning = cache(self._meaning_of)
        self._denied = cache(self._denied_by)
        self._is_forbidden = cache(self._find_out_whether_forbidden)
        self._sums_with: dict[int, list[Amount]] = {}
        self._groups_with: dict[int, list[tuple[GroupRule, int, tuple[int, ...]]]] = {}
        self._sets = cache(self._sets_of)
        self._runs = runs or runs_of(puzzle.rules, puzzle.geometry)
        # Only for rules that hold here: machines of other choices imply nothing.
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
            fixed = (
                self._amounts.counted(tuple(sorted(zip(cells, worths, strict=True)))),
                (low, high),
            )
            for cell in cells:
                self._sums_with.setdefault(cell, []).append(fixed)
        for run in runs_of([rule], self._geometry):
            reader = Reader(run)
            # Equal machines of two rules have two numbers; a rule that is kept speaks for both.
            numbers = (number for number, each in enumerate(self._runs) if each == run)
            self._readers.update(dict.fromkeys(numbers, reader))
            for cell in run.cells:
                self._readers_with.setdefault(cell, []).append(reader)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether no grid that satisfies the rules violates the clause."""
        if self.is_hopeless or (len(clause) == 2 and self._are_two_states(*clause)):
            return True
        bounds: dict[Counted, Bounds] = {}
        named: list[tuple[int, State | Choice]] = []
        for literal in clause:
            denied = self._denied(literal)
            if isinstance(denied, Denied):
                low, high = bounds.get(denied.counted, ANY)
                bounds[denied.counted] = max(low, denied.low), min(high, denied.high)
            elif denied is None:
                return False  # an auxiliary without a meaning may have any value
            else:
                named.append((literal, denied))
        choices = [(literal > 0, each) for literal, each in named if type(each) is Choice]
        if choices:
            return self._is_of_choices(choices, clause)
        states = [(literal < 0, each) for literal, each in named if type(each) is State]
        return self._is_broken(Broken(bounds, self._digits), states)

    def _are_two_states(self, one: int, other: int) -> bool:
        """Whether a machine would be in two states at once; most clauses of machines deny that."""
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
        # A grid has a digit in each cell, so no grid violates a clause that leaves a cell none.
        if any(self._is_without_digit(*each) for each in broken.open_in.items()):
            return True
        if states:
            return self._is_no_run(states, broken)
        return broken.first_cell >= 0 and (
            self._amounts.cannot_add_up(broken)
            or self._is_no_sum_of_a_rule(broken)
            or self._is_no_set_of_a_rule(broken)
            or any(
                reader.excludes((), broken.open_in)
                for reader in self._readers_with.get(broken.first_cell, ())
            )
            or self._is_no_filling_of_a_rule(broken)
        )

    def _is_without_digit(self, cell: int, digits: Sequence[int]) -> bool:
        """Whether rules forbid all digits that a cell has left."""
        return all(self._is_forbidden(cell, digit) for digit in digits)

    def _find_out_whether_forbidden(self, cell: int, digit: int) -> bool:
        return any(rule.forbids(self._geometry, cell, digit) for rule in self._puzzle.rules)

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether the definition of some rule allows no grid at all."""
        nothing = Broken({}, self._digits)
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
        # Two machines imply nothing about each other: our clauses name only one.
        machine = states[0][1].machine
        if any(each.machine != machine for _, each in states):
            return False
        reader = self._readers.get(machine)
        return reader is not None and reader.excludes(states, broken.open_in)

    def _is_of_choices(self, named: Sequence[tuple[bool, Choice]], clause: Sequence[int]) -> bool:
        """Whether a clause that names choices follows from the rules that offer them.

        It either has all choices of a rule, one of which holds, or its other literals follow if
        every choice that it negates holds.
        """
        if not all(each in self._choices for _, each in named):
            return False
        offered = {each for is_positive, each in named if is_positive}
        for rule in {each.rule for each in offered}:
            if {each for each in self._choices if each.rule == rule} <= offered:
                return True
        denied = frozenset(each for is_positive, each in named if not is_positive)
        if not denied:
            return False
        rest = [each for each in clause if type(self._meaning(abs(each))) is not Choice]
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
            # A rule that no grid satisfies, such as a cage of three cells that sum to 5.
            return None
        return Justifier(inside, self._meanings_inside, self._runs)

    @cached_property
    def _meanings_inside(self) -> dict[int, Meaning]:
        """Return the meanings that stay valid when rules are added: all but those of choices."""
        return {n: each for n, each in self._meanings.items() if not isinstance(each, Choice)}

    def _denied_by(self, literal: int) -> "Denied | State | Choice | None":
        """Return what a literal says, of an amount what is so where the literal is false."""
        meaning = self._meaning(abs(literal))
        if not isinstance(meaning, Worth):
            return meaning
        counted, value = self._amounts.counted(meaning.tables), meaning.value
        return Denied(counted, value, ANY[1]) if literal < 0 else Denied(counted, ANY[0], value - 1)

    def _meaning_of(self, number: int) -> Meaning | None:
        if number > self._highest:
            return self._meanings.get(number)
        cell, digit = placement(self._geometry, number)
        return Worth(((cell, counting(digit, self._geometry.size)),), 1)

    def _is_no_sum_of_a_rule(self, broken: Broken) -> bool:
        """Whether no grid with the sum that a rule fixes has these amounts."""
        return any(
            self._amounts.is_apart(fixed, broken.amounts, broken)
            for fixed in self._sums_with.get(broken.first_cell, ())
        )

    def _is_no_set_of_a_rule(self, broken: Broken) -> bool:
        """Whether no set that a rule allows in some cells has these digits present and absent."""
        places = {tuple(cell for cell, _ in each.tables) for each, _ in broken.amounts}
        # Sets are about present and absent digits, so other claims cannot be used.
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
        """Whether a rule defines which different digits a group holds, in any order."""
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
        """Whether a rule allows no such filling of a small group; all fillings are tried."""
        open_in = broken.open_in
        if broken.amounts:
            return False
        for rule, number, cells in self._groups_with.get(broken.first_cell, ()):
            if len(cells) > MOST_CELLS_TRIED or not open_in.keys() <= set(cells):
                continue
            # Each filling is tested by the definition itself, independently of clauses.
            choices = (open_in.get(cell, list(self._digits)) for cell in cells)
            if not any(
                rule.is_kept(self._geometry, number, [rule.value(digit) for digit in digits])
                for digits in product(*choices)
            ):
                return True
        return False


def _presence(amount: Amount) -> tuple[int, bool | None] | None:
    """Return the mask of a claim about one digit and its presence; None for other claims."""
    counted, (low, high) = amount
    tables = counted.tables
    table = tables[0][1]
    is_of_a_digit = 1 in table and table.count(0) == len(table) - 1
    if not is_of_a_digit or any(other != table for _, other in tables):
        return None
    return 1 << table.index(1), True if low >= 1 else False if high <= 0 else None
