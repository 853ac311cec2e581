"""Write wider constraints as clauses: the kit, choices, and the entry points for all shapes.

Each shape is encoded in its own file. To ask a solver what one constraint alone implies, write it
behind a selector (`guarded_clauses`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from satdoku.encoding.variables import TRUE, Auxiliaries, Clause
from satdoku.puzzle.constraints import (
    Allowed,
    Connected,
    Constraint,
    Constraints,
    Distinct,
    Either,
    Enclosed,
    HiddenRegions,
    Machine,
    Pair,
    Ranked,
    Sets,
    Some,
    Total,
    Wider,
    differing,
    digits_of,
    mask_of,
)
from satdoku.puzzle.grid import Unit
from satdoku.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from satdoku.encoding.meanings import Notes, Table, Tables


# The kit of all wider constraints: literals, fresh variables, and clauses
#
# Every auxiliary variable states a fact about the digits of some cells, and clauses define it in
# both directions; so a solution has one model, except for the choices of `Either`.

_NEVER = -TRUE


class Kit:
    """Collects the clauses of wider constraints over the candidates of a board.

    `literal` returns the literal of a cell and a digit, TRUE or -TRUE if it is settled. `differ`
    has for each cell those that cannot hold the same digit, `units` the cells of units. With
    `notes`, the meaning of each variable is noted, and no clause is left out because a constraint
    implies it. `add_at_most` is given for solvers with native cardinality constraints: at most so
    many of these literals are true.
    """

    def __init__(
        self,
        literal: Callable[[int, int], int],
        auxiliaries: Auxiliaries,
        size: int,
        differ: Sequence[frozenset[int]],
        notes: "Notes | None" = None,
        units: Sequence[frozenset[int]] = (),
        add_at_most: Callable[[Sequence[int], int], object] | None = None,
    ) -> None:
        self.literal = literal
        self.size = size
        self.differ = differ
        self.notes = notes
        self.units = units
        self._add_at_most = add_at_most
        self.clauses: list[Clause] = []
        self.exclusive: list[Clause] = []
        self._auxiliaries = auxiliaries
        self._literals: dict[int, Sequence[int]] = {}
        self._open: dict[int, Sequence[int]] = {}
        # Equal questions get the same variable: formulas are shorter, and a certificate defines
        # each amount once.
        self._within: dict[tuple[int, int], int] = {}
        self.areas: list[Connected] = []
        self._present: dict[tuple[frozenset[int], int], int] = {}

    def take(self) -> tuple[list[Clause], list[Clause]]:
        """Return, and forget, the clauses and the at-most-one groups added since the last call."""
        taken = self.clauses, self.exclusive
        self.clauses, self.exclusive = [], []
        return taken

    def fresh(self) -> int:
        """Return an unused variable."""
        return self._auxiliaries.take(1)[0]

    def worth(self, tables: "Tables", value: int) -> int:
        """Return a fresh variable for "these digits sum to `value` or more".

        The caller adds the clauses. `tables` has the worth of each digit of each cell; it is only
        read with notes.
        """
        number = self.fresh()
        if self.notes is not None:
            self.notes.add_worth(number, tables, value)
        return number

    def counting(self, mask: int) -> "Table":
        """Return a table with worth 1 for the digits of a mask."""
        return tuple(mask >> digit & 1 for digit in range(self.size + 1))

    def add(self, *literals: int) -> None:
        """Add a clause without its false literals; no-op if a literal is always true.

        An empty clause is added too; callers must handle it.
        """
        if TRUE in literals:
            return
        # Most clauses have neither; this test is faster than filtering each clause.
        if _NEVER in literals:
            literals = tuple([each for each in literals if each != _NEVER])
        self.clauses.append(literals)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        """Add that at most one of these literals is true, which no other clause states."""
        if TRUE in literals:
            for each in literals:
                if each != TRUE:
                    self.add(-each)
            return
        open_ones = tuple(each for each in literals if each != _NEVER)
        if len(open_ones) > 1:
            self.exclusive.append(open_ones)

    def literals_of(self, cell: int) -> Sequence[int]:
        """Return the literals of a cell: entry d is that of digit d, entry 0 is unused."""
        if cell not in self._literals:
            digits = range(1, self.size + 1)
            self._literals[cell] = [0, *(self.literal(cell, digit) for digit in digits)]
        return self._literals[cell]

    def open_digits(self, cell: int) -> Sequence[int]:
        """Return the digits that are open in a cell."""
        if cell not in self._open:
            literals = self.literals_of(cell)
            self._open[cell] = [d for d in range(1, self.size + 1) if literals[d] != _NEVER]
        return self._open[cell]

    def within(self, cell: int, mask: int) -> int:
        """Return the literal of "the cell holds one of these digits"."""
        # Machines ask for the same ones repeatedly.
        known = self._within.get((cell, mask))
        if known is None:
            known = self._within[cell, mask] = self._find_within(cell, mask)
        return known

    def _find_within(self, cell: int, mask: int) -> int:
        literals, digits = self.literals_of(cell), self.open_digits(cell)
        inside = [literals[digit] for digit in digits if mask >> digit & 1]
        outside = [literals[digit] for digit in digits if not mask >> digit & 1]
        if not inside or not outside:
            return TRUE if inside else _NEVER
        if len(inside) == 1:
            return inside[0]
        if len(outside) == 1:
            return -outside[0]
        # A mask and its complement share a variable, defined for the side of the lowest digit.
        open_mask = mask_of(digits)
        if not mask >> digits[0] & 1:
            return -self.within(cell, open_mask & ~mask)
        if mask & ~open_mask:
            return self.within(cell, open_mask & mask)
        number = self.worth(((cell, self.counting(mask)),), 1)
        for literal in inside:
            self.add(-literal, number)
        for literal in outside:
            self.add(-literal, -number)
        return number

    def present(self, cells: frozenset[int], digit: int) -> int:
        """Return the literal of "one of the cells holds the digit"."""
        key = cells, digit
        if key not in self._present:
            places = [self.literal(cell, digit) for cell in sorted(cells)]
            open_places = [place for place in places if place != _NEVER]
            if TRUE in places:
                self._present[key] = TRUE
            elif len(open_places) < 2:
                self._present[key] = open_places[0] if open_places else _NEVER
            else:
                counts = self.counting(1 << digit)
                tables = tuple((cell, counts) for cell in sorted(cells))
                number = self._present[key] = self.worth(tables, 1)
                self.add(-number, *open_places)
                for place in open_places:
                    self.add(-place, number)
        return self._present[key]

    def counted(self, literals: Iterable[int], most: int | None = None) -> list[int]:
        """Return literals of "at least n of these are true", for each n from 0 up to `most`."""
        at_least = [TRUE]
        for literal in literals:
            before = [*at_least, -TRUE]
            if most is not None:
                before = before[: most + 1]
            at_least = [TRUE, *(self.fresh() for _ in before[1:])]
            for now, (one_less, as_many) in zip(at_least[1:], pairwise(before), strict=True):
                self.add(-as_many, now)
                self.add(-one_less, -literal, now)
                self.add(-now, as_many, literal)
                self.add(-now, one_less)
        return at_least

    def add_count(self, cell: int, offset: int, literals: Iterable[int]) -> None:
        """Add that the digit of a cell, plus `offset`, is how many of the literals are true."""
        at_least = self.counted(literals)
        for digit in self.open_digits(cell):
            placed, number = self.literal(cell, digit), digit + offset
            if not 0 <= number < len(at_least):
                self.add(-placed)
                continue
            self.add(-placed, at_least[number])
            if number + 1 < len(at_least):
                self.add(-placed, -at_least[number + 1])

    def add_counted(self, cells: frozenset[int]) -> None:
        """Add that cells that all differ hold as many digits as there are cells.

        This is redundant, but otherwise propagates only once the cells have their digits. A solver
        with native cardinality constraints searches a tenth to a third less with it. As clauses it
        would be too long, so it is left out for others.
        """
        if self._add_at_most is None:
            return
        present = [self.present(cells, digit) for digit in range(1, self.size + 1)]
        open_ones = [each for each in present if abs(each) != TRUE]
        most = len(cells) - present.count(TRUE)
        if 0 < most < len(open_ones):
            self._add_at_most(open_ones, most)
            self._add_at_most([-each for each in open_ones], len(open_ones) - most)

    def add_differing(self, cells: Sequence[int]) -> None:
        """Add that no digit is twice in the cells; as many cells as digits hold every digit."""
        for digit in range(1, self.size + 1):
            places = [self.literal(cell, digit) for cell in cells]
            for one, other in combinations(places, 2):
                self.add(-one, -other)
            if len(cells) == self.size:
                self.add(*places)

    def add_excluded(self, first: int, second: int, excludes: Sequence[int]) -> None:
        """Add that the cells do not hold two digits that exclude each other."""
        for digit, mask in enumerate(excludes):
            for other in digits_of(mask):
                self.add(-self.literal(first, digit), -self.literal(second, other))


class GuardedKit(Kit):
    """A kit whose clauses hold only if a literal does: for one of several cases."""

    def __init__(self, kit: Kit, guard: int) -> None:
        super().__init__(kit.literal, kit._auxiliaries, kit.size, kit.differ, kit.notes, kit.units)
        self._kit = kit
        self._guard = guard

    def add(self, *literals: int) -> None:
        self._kit.add(-self._guard, *literals)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        for one, other in combinations(literals, 2):
            self.add(-one, -other)


class ChoiceKit(GuardedKit):
    """A kit for one of several choices of a constraint.

    The meaning of variables about digits does not depend on the choice, so all choices share them:
    eleven lunchboxes then take a fifth of the clauses.
    """

    def within(self, cell: int, mask: int) -> int:
        return self._kit.within(cell, mask)

    def present(self, cells: frozenset[int], digit: int) -> int:
        return self._kit.present(cells, digit)

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        # Only machines call this, for their states. Under another choice no state need be true, so
        # the constraint holds without the guard, but a certificate could not justify it then. The
        # transitions imply it, and with the guard it would be two thirds of such a formula.
        if self.notes is None:
            self._kit.add_at_most_one(literals)


def write(constraint: Constraint | Enclosed, kit: Kit) -> None:
    """Add the clauses of a constraint to the kit."""
    if isinstance(constraint, Unit):
        kit.add_differing(constraint.cells)
    elif isinstance(constraint, Pair):
        kit.add_excluded(constraint.first, constraint.second, constraint.excludes)
    elif isinstance(constraint, Allowed):
        kit.add(kit.within(constraint.cell, constraint.digits))
    else:
        _write_wider(constraint, kit)


# Each file is imported at the first of its constraints: most puzzles need one or two of them.
_FILES: Mapping[type[Wider | Enclosed], str] = {
    Total: "sums",
    Sets: "machines",
    Machine: "machines",
    Enclosed: "machines",
    Connected: "connected",
    Distinct: "connected",
    HiddenRegions: "connected",
    Ranked: "ranks",
}


def _write_wider(constraint: Wider | Enclosed, kit: Kit) -> None:
    if isinstance(constraint, Some):
        kit.add(*(kit.within(cell, mask) for cell, mask in constraint.choices))
    elif isinstance(constraint, Either):
        _write_choices(constraint, kit)
    else:
        file = import_module(f"satdoku.encoding.wider.{_FILES[type(constraint)]}")
        file.write(constraint, kit)


def _write_choices(either: Either, kit: Kit) -> None:
    """Add that one of the lists holds: each has a selector, of which at least one is true."""
    guards = [kit.fresh() for _ in either.choices]
    if kit.notes is not None:
        kit.notes.add_choices(either, guards)
    kit.add(*guards)
    for guard, choice in zip(guards, either.choices, strict=True):
        guarded = ChoiceKit(kit, guard)
        for each in choice:
            by_cases = _cases_of(each, kit) if kit.notes is None else None
            write(by_cases or each, guarded)


def kit_for(
    constraints: Constraints,
    literal: Callable[[int, int], int],
    auxiliaries: Auxiliaries,
    size: int,
    notes: "Notes | None" = None,
    add_at_most: Callable[[Sequence[int], int], object] | None = None,
) -> Kit:
    """Return a kit for the wider constraints of a board.

    Solvers that have `add_at_most` get redundant cardinality constraints through it.
    """
    units = [frozenset(unit.cells) for unit in constraints.units]
    return Kit(literal, auxiliaries, size, differing(constraints), notes, units, add_at_most)


def write_all(
    constraints: Constraints, kit: Kit
) -> Iterator[tuple[Wider, Sequence[Clause], Sequence[Clause]]]:
    """Yield each wider constraint with its clauses and at-most-one groups.

    An empty clause means that the constraint is unsatisfiable.
    """
    for constraint in constraints.wider:
        # Notes describe the auxiliaries of machines by their states.
        by_cases = _cases_of(constraint, kit) if kit.notes is None else None
        write(by_cases or constraint, kit)
        yield (constraint, *kit.take())


def _cases_of(constraint: Constraint, kit: Kit) -> Either | Enclosed | Machine | None:
    """Return the cases of a machine, if they are equivalent to it.

    Cases know which digits cells hold together, which a machine does not: puzzles with x-sums take
    a hundredth of the conflicts, and hard ones with sandwiches a twentieth.
    """
    if not isinstance(constraint, Machine) or constraint.by_cases is None:
        return None
    if not constraint.cases_are_of_different:
        return constraint.by_cases
    cells = frozenset(constraint.cells)
    differ = len(cells) == len(constraint.cells) and all(
        kit.differ[cell] >= cells - {cell} for cell in cells
    )
    return constraint.by_cases if differ else None


def guarded_clauses(
    puzzle: Puzzle,
    constraint: Wider,
    numbers: Mapping[tuple[int, int], int],
    guard: int,
    auxiliaries: Auxiliaries,
) -> list[Clause]:
    """Return clauses, over numbered candidates, that state a constraint if the guard is true.

    They also state that each cell of the constraint has a digit, as it says nothing otherwise. A
    candidate without a number is true if it is a given of the puzzle, else false.
    """
    digits = puzzle.grid.digits

    def literal(cell: int, digit: int) -> int:
        number = numbers.get((cell, digit))
        if number is not None:
            return number
        return TRUE if digits[cell] == digit else -TRUE

    size = puzzle.geometry.size
    kit = kit_for(puzzle.constraints, literal, auxiliaries, size)
    guarded = GuardedKit(kit, guard)
    for cell in dict.fromkeys(constraint.cells):
        guarded.add(*(literal(cell, digit) for digit in range(1, size + 1)))
    write(constraint, guarded)
    return kit.clauses


def guarded_rule(
    own: Constraints,
    known: Constraints,
    literal: Callable[[int, int], int],
    guard: int,
    auxiliaries: Auxiliaries,
) -> Kit:
    """Return a kit with the clauses of a rule, which hold if the guard does.

    `known` are constraints that always hold, and `own` those together with the rule's.
    """
    kit = kit_for(own, literal, auxiliaries, own.geometry.size)
    guarded = ChoiceKit(kit, guard)
    stated = {*known.units, *known.pairs, *known.allowed, *known.wider}
    for each in (*own.units, *own.pairs, *own.allowed, *own.wider):
        if each not in stated:
            write(_cases_of(each, kit) or each, guarded)
    return kit
