"""Whether a formula says nothing but the rules of a puzzle and its givens.

Each clause must be one that any solution of the puzzle satisfies for a reason that is checked here,
from the definitions of the rules (`puzzle/rules/rule.py`), not from what encoders are given. What
such a formula refutes has no solution, however it was made.

The puzzle's constraints tell only where to look, so that not every cell is compared with every
other: what is found there counts when a definition confirms it.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import TYPE_CHECKING

from satdoku.errors import SatdokuError
from satdoku.puzzle.constraints import Machine, Sets, Some, Total, Wider
from satdoku.puzzle.geometry import Geometry, Unit
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.either import EitherRule
from satdoku.puzzle.rules.group_rule import GroupRule
from satdoku.puzzle.rules.machine_rule import MachineRule
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.certifying.claims import ClaimJustifier
    from satdoku.certifying.possible import MachineRun
    from satdoku.encoding.meanings import Meaning

Candidate = tuple[int, int]


def require_justifiable(puzzle: Puzzle) -> None:
    """Refuses rules, by name, whose clauses nobody here can match with a definition."""
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
            # Small groups are tried filling by filling; of larger ones rules tell what they count.
            is_small = isinstance(constraint, Some) and len(constraint.choices) <= MOST_CELLS_TRIED
            is_known = isinstance(rule, GroupRule) and (is_small or bool(rule.counted(geometry)))
        else:
            is_known = not isinstance(constraint, Wider)
        if not is_known:
            return False
    return True


MOST_CELLS_TRIED = 5
"""Groups of more cells have too many fillings to be tried one by one."""


def _claims_of(
    puzzle: Puzzle, meanings: Mapping[int, "Meaning"], runs: "Sequence[MachineRun]"
) -> "ClaimJustifier | None":
    """What knows clauses with auxiliaries, where there are any."""
    if not puzzle.constraints.wider and not meanings:
        return None
    # Imported here: it asks the justifier of units and pairs in its turn.
    from satdoku.certifying.claims import ClaimJustifier

    return ClaimJustifier(puzzle, meanings, runs)


class Justifier:
    """Says which clauses over a puzzle's candidates, (cell, digit) pairs, its rules justify.

    `meanings` are those of auxiliaries, `runs` the machines that they speak of.
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
        # What was found out, since many clauses speak of the same candidates and units.
        self._givens_near: dict[int, list[Candidate]] = {}
        self._is_excluded: dict[Candidate, bool] = {}
        self._has_every_digit: dict[int, bool] = {}
        self._claims = _claims_of(puzzle, meanings, runs)

    def is_justified(self, clause: Sequence[int]) -> bool:
        """Whether every solution of the puzzle satisfies the clause.

        Known are a given; a candidate that a rule forbids, on its own or beside a given; two
        candidates that a rule forbids together; and all that is open for a cell, or for a digit in
        a unit that holds every digit.
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
        # Rules say that one of some candidates holds, or that some exclude each other: no mixture.
        if clause[0] > 0:
            return min(clause) > 0 and self._is_one_true(candidates)
        if max(clause) > 0 or len(candidates) > 2:
            return False
        if len(candidates) == 1:
            return self.is_excluded(candidates[0])
        return self._exclude_each_other(*candidates)

    def is_blocking(self, clause: Sequence[int], solution: Grid) -> bool:
        """Whether every solution of the puzzle but this one satisfies the clause.

        It denies digits of the solution: in every cell without a given, perhaps in more.
        """
        size = self._geometry.size
        literals = [-(cell * size + digit) for cell, digit in enumerate(solution.digits)]
        is_open = (cell not in self._givens for cell in range(len(literals)))
        return set(compress(literals, is_open)) <= set(clause) <= set(literals)

    def is_excluded(self, candidate: Candidate) -> bool:
        """Whether a given, or a rule on its own or beside a given, excludes a candidate."""
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
        """The givens that share a unit or a pair with a cell."""
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
        """Whether a unit has a place for each digit: as many cells as digits, all different."""
        if index not in self._has_every_digit:
            self._has_every_digit[index] = len(unit.cells) == self._geometry.size and any(
                rule.are_all_different(self._geometry, unit.cells) for rule in self._rules
            )
        return self._has_every_digit[index]

    def _exclude_each_other(self, one: Candidate, other: Candidate) -> bool:
        (cell, digit), (other_cell, other_digit) = one, other
        if cell == other_cell:
            return digit != other_digit
        return any(
            rule.forbids_both(self._geometry, cell, digit, other_cell, other_digit)
            for rule in self._rules
        )
