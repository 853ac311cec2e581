"""Constraint types of the encodings, and the encodings of at-most-one as clauses.

Solving, exporting and explaining read the same stream of constraints: a solver with native
at-most-one constraints takes them as they are, DIMACS gets their clauses.

    name          on 9 literals: clauses / auxiliaries
    pairwise      36 / 0     a clause for every pair
    textbook      36 / 0     as pairwise, but pairs that a box shares with a line come twice
    sequential    23 / 8     auxiliary n: one of the first n literals is true (Sinz 2005)
    product       24 / 6     literals on a square; at most one row and one column (Chen 2010)
    bitwise       36 / 4     auxiliaries are the true literal's number in binary
    ...           the others are those of python-sat's `card` module

`satdoku encodings` prints the cost of each on a whole board.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from itertools import combinations
from math import isqrt
from typing import NamedTuple

from satdoku.encoding.choices import Method
from satdoku.encoding.variables import Auxiliaries, Clause
from satdoku.puzzle.grid import Geometry, Unit


class Why(Enum):
    """The reason of a constraint in the formula, as a sentence."""

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
    """The meaning of a clause as a sentence, with the place that the sentence is about.

    `text` is a rule's statement about two cells, or the name of a segment.
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
    """One clause: at least one of the literals is true."""

    reason: Reason
    literals: Clause


class AtMostOne(NamedTuple):
    """At most one of the literals is true; `is_said` tells which pairs others already exclude."""

    reason: Reason
    literals: Clause
    is_said: Callable[[int, int], bool] | None = None


class NeverBoth(NamedTuple):
    """Pairs of literals that are not both true."""

    reason: Reason
    pairs: tuple[tuple[int, int], ...]


class Clauses(NamedTuple):
    """Several clauses that state one constraint, and may use auxiliary variables."""

    reason: Reason
    clauses: tuple[Clause, ...]


Constraint = AtLeastOne | AtMostOne | NeverBoth | Clauses


class ExactlyOne(NamedTuple):
    """Exactly one of the literals is true: for formats that state this in one line."""

    reason: Reason
    literals: Clause


NativeConstraint = Constraint | ExactlyOne


class ClauseGroup(NamedTuple):
    """The clauses of one constraint."""

    reason: Reason
    clauses: list[Clause]


# The names of the methods in python-sat's card module.
_CARD_NAMES = {
    Method.SEQUENTIAL: "seqcounter",
    Method.BITWISE: "bitwise",
    Method.LADDER: "ladder",
    Method.TOTALIZER: "totalizer",
    Method.MTOTALIZER: "mtotalizer",
    Method.KMTOTALIZER: "kmtotalizer",
    Method.SORTNETWORK: "sortnetwrk",
    Method.CARDNETWORK: "cardnetwrk",
}


# With most methods auxiliaries are free if no literal is true, so a solution may have several
# models. A ladder determines its auxiliaries even then.
_ALWAYS_FIXED = {Method.LADDER}
# These methods encode a sum in one direction only, so auxiliaries may be true without need.
_NEVER_FIXED = {Method.TOTALIZER, Method.SORTNETWORK, Method.CARDNETWORK}


class Template(NamedTuple):
    """Clauses for at most one of the literals 1..n, with auxiliaries from n + 1 on."""

    clauses: tuple[Clause, ...]
    auxiliaries: int


@cache
def template(method: Method, count: int) -> Template:
    """Return the method's clauses for `count` literals, cached; callers replace the variables."""
    literals = range(1, count + 1)
    if count < 2:
        return Template((), 0)
    if method in (Method.PAIRWISE, Method.TEXTBOOK):
        return Template(tuple((-a, -b) for a, b in combinations(literals, 2)), 0)
    if method is Method.PRODUCT:
        clauses, highest = _product(list(literals), count)
    else:
        clauses, highest = _from_card(method, list(literals))
    # Some of python-sat's encodings repeat a clause or contain a tautology.
    distinct = {tuple(sorted(set(clause), key=abs)): None for clause in clauses}
    useful = tuple(c for c in distinct if not any(-literal in c for literal in c))
    return Template(useful, highest - count)


def clauses_of(
    method: Method,
    literals: Sequence[int],
    auxiliaries: Auxiliaries,
    is_said: Callable[[int, int], bool] | None = None,
) -> list[Clause]:
    """Return the clauses by which this method states that at most one of the literals is true.

    A method that states pairs skips the pairs for which `is_said` is true. The textbook method
    keeps them, since sizes in textbooks count them twice.
    """
    pattern = template(method, len(literals))
    # Methods without auxiliaries state pairs, and so do all methods for few literals.
    if not pattern.auxiliaries:
        leaves_out = None if method is Method.TEXTBOOK else is_said
        return [
            (-a, -b) for a, b in combinations(literals, 2) if not (leaves_out and leaves_out(a, b))
        ]
    positive = [*literals, *auxiliaries.take(pattern.auxiliaries)]
    # A negative index counts from the end of a list, so this list renumbers negated literals too.
    renumber = [0, *positive, *(-literal for literal in reversed(positive))].__getitem__
    return [tuple(map(renumber, clause)) for clause in pattern.clauses]


def may_vary(method: Method, count: int, may_be_none: bool) -> bool:
    """Whether the auxiliaries may have several values for the same values of `count` literals.

    With most methods the true literal determines them, and they are free if no literal is true.
    `may_be_none` means that all literals may be false.
    """
    if not template(method, count).auxiliaries or method in _ALWAYS_FIXED:
        return False
    return may_be_none or method in _NEVER_FIXED


def _product(literals: Sequence[int], highest: int) -> tuple[list[Clause], int]:
    """Place the literals on a rectangle, with at most one row and at most one column true.

    Each literal implies its row and its column.
    """
    # Four literals take 6 clauses as pairs and 10 on a square; this also ends the recursion.
    if len(literals) <= 4:
        return [(-a, -b) for a, b in combinations(literals, 2)], highest
    # The width is the square root rounded up; the last row may be shorter.
    width = isqrt(len(literals) - 1) + 1
    height = -(-len(literals) // width)
    columns = range(highest + 1, highest + 1 + width)
    rows = range(columns.stop, columns.stop + height)
    clauses: list[Clause] = []
    for index, literal in enumerate(literals):
        row, column = divmod(index, width)
        clauses += [(-literal, rows[row]), (-literal, columns[column])]
    highest = rows.stop - 1
    for line in (rows, columns):
        more, highest = _product(line, highest)
        clauses += more
    return clauses, highest


def _from_card(method: Method, literals: list[int]) -> tuple[list[Clause], int]:
    """Return the clauses of python-sat's method, and the highest variable in them."""
    from pysat.card import CardEnc, EncType

    formula = CardEnc.atmost(literals, 1, encoding=getattr(EncType, _CARD_NAMES[method]))
    return [tuple(clause) for clause in formula.clauses], max(formula.nv, len(literals))
