"""What an encoding says, before it is turned into clauses.

Solving, exporting and explaining are three readers of the same stream of constraints: a solver
with native at-most-one constraints takes them as they are, DIMACS gets their clauses.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry, Unit

Clause = tuple[int, ...]


class Why(Enum):
    """Why a constraint stands in the formula, as a sentence."""

    GIVEN = "{cell} is given as {digit}"
    SETTLED = "what the givens settle in {cell}"
    ALLOWED = "{text}"
    CELL_HAS_DIGIT = "{cell} has a digit"
    CELL_ONCE = "{cell} has at most one digit"
    CELL_EXACTLY_ONE = "{cell} has exactly one digit"
    UNIT_HAS_DIGIT = "{digit} stands somewhere in {unit}"
    UNIT_ONCE = "{digit} stands at most once in {unit}"
    UNIT_EXACTLY_ONCE = "{digit} stands exactly once in {unit}"
    PAIR = "{text}"
    WIDER = "{text}"
    CLASH = "two givens clash: {text}"
    SEGMENT = "{text} has {digit} when one of its cells has it"
    SEGMENT_ONCE = "{digit} stands at most once in {text}"
    UNIT_HAS_SEGMENT = "{digit} stands in one segment of {unit}"
    UNIT_ONE_SEGMENT = "{digit} stands in at most one segment of {unit}"
    BLOCKED = "another solution than the blocked one"


class Reason(NamedTuple):
    """A sentence at a place: what a clause says, and what an explanation will quote.

    `text` is what a rule says about two cells, or the name of a segment.
    """

    why: Why
    geometry: Geometry
    digit: int = 0
    cell: int = -1
    unit: Unit | None = None
    text: str = ""

    def __str__(self) -> str:
        return self.why.value.format(
            cell=self.geometry.name_of(self.cell),
            digit=self.digit,
            unit=self.unit,
            text=self.text,
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


class NeverBoth(NamedTuple):
    """Pairs of literals that do not hold together."""

    reason: Reason
    pairs: tuple[tuple[int, int], ...]


class Clauses(NamedTuple):
    """What several clauses say together, with auxiliary variables."""

    reason: Reason
    clauses: tuple[Clause, ...]


Constraint = AtLeastOne | AtMostOne | NeverBoth | Clauses


class ExactlyOne(NamedTuple):
    """One of the literals holds, and no two: for formats that can say this at once."""

    reason: Reason
    literals: Clause


NativeConstraint = Constraint | ExactlyOne


class ClauseGroup(NamedTuple):
    """The clauses of one constraint."""

    reason: Reason
    clauses: list[Clause]
