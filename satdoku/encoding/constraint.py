"""What an encoding says, before it is turned into clauses.

Solving, exporting and explaining are three readers of the same stream of constraints: a solver
with native at-most-one constraints takes them as they are, DIMACS gets their clauses.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry, Unit

Clause = tuple[int, ...]


class Rule(Enum):
    """Why a constraint stands in the formula, as a sentence."""

    GIVEN = "{cell} is given as {digit}"
    SETTLED = "what the givens settle in {cell}"
    CELL_HAS_DIGIT = "{cell} has a digit"
    CELL_ONCE = "{cell} has at most one digit"
    UNIT_HAS_DIGIT = "{digit} stands somewhere in {unit}"
    UNIT_ONCE = "{digit} stands at most once in {unit}"
    SEGMENT = "{segment} has {digit} when one of its cells has it"
    SEGMENT_ONCE = "{digit} stands at most once in {segment}"
    UNIT_HAS_SEGMENT = "{digit} stands in one segment of {unit}"
    UNIT_ONE_SEGMENT = "{digit} stands in at most one segment of {unit}"
    BLOCKED = "another solution than the blocked one"


class Reason(NamedTuple):
    """A rule at a place: what a clause says, and what an explanation will quote."""

    rule: Rule
    geometry: Geometry
    digit: int = 0
    cell: int = -1
    unit: Unit | None = None
    segment: str = ""

    def __str__(self) -> str:
        return self.rule.value.format(
            cell=self.geometry.name_of(self.cell),
            digit=self.digit,
            unit=self.unit,
            segment=self.segment,
        )


class AtLeastOne(NamedTuple):
    """One clause: any of the literals holds."""

    reason: Reason
    literals: Clause


class AtMostOne(NamedTuple):
    """No two of the literals hold; `is_said` names the pairs that other constraints exclude."""

    reason: Reason
    literals: Clause
    is_said: Callable[[int, int], bool] | None = None


Constraint = AtLeastOne | AtMostOne


class ClauseGroup(NamedTuple):
    """The clauses of one constraint."""

    reason: Reason
    clauses: list[Clause]
