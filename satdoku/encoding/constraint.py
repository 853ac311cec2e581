"""What an encoding says, and the ways to say it in clauses that at most one of some literals holds.

Solving, exporting and explaining are three readers of the same stream of constraints: a solver
with native at-most-one constraints takes them as they are, DIMACS gets their clauses.

    name          on 9 literals: clauses / auxiliaries
    pairwise      36 / 0     every pair excludes itself
    textbook      36 / 0     the same; a pair that a box shares with a line comes twice
    sequential    23 / 8     a running "seen one already" (Sinz 2005)
    product       24 / 6     literals on a square, at most one row and column (Chen 2010)
    bitwise       36 / 4     each literal spells its number in binary
    ...           the others are those of python-sat's `card` module

`satdoku encodings` prints what each costs on a whole board.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from itertools import combinations
from math import isqrt
from typing import NamedTuple

from satdoku.encoding.choices import Method
from satdoku.encoding.variables import Auxiliaries, Clause
from satdoku.puzzle.geometry import Geometry, Unit


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


# The names that python-sat's card module uses for them.
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


# A solution may have several models where auxiliaries do not follow from the literals. Those of a
# ladder always do, even where no literal holds.
_ALWAYS_FIXED = {Method.LADDER}
# These say of a sum only that it is not less, so that some auxiliaries may be true for no reason.
_NEVER_FIXED = {Method.TOTALIZER, Method.SORTNETWORK, Method.CARDNETWORK}


class Template(NamedTuple):
    """At most one of the literals 1..n, with auxiliaries from n + 1 on."""

    clauses: tuple[Clause, ...]
    auxiliaries: int


@cache
def template(method: Method, count: int) -> Template:
    """The method's clauses for `count` literals, made once and then only renumbered."""
    literals = range(1, count + 1)
    if count < 2:
        return Template((), 0)
    if method in (Method.PAIRWISE, Method.TEXTBOOK):
        return Template(tuple((-a, -b) for a, b in combinations(literals, 2)), 0)
    if method is Method.PRODUCT:
        clauses, highest = _product(list(literals), count)
    else:
        clauses, highest = _from_card(method, list(literals))
    # Some of python-sat's encodings state a clause twice or a tautology.
    distinct = {tuple(sorted(set(clause), key=abs)): None for clause in clauses}
    useful = tuple(c for c in distinct if not any(-literal in c for literal in c))
    return Template(useful, highest - count)


def clauses_of(
    method: Method,
    literals: Sequence[int],
    auxiliaries: Auxiliaries,
    is_said: Callable[[int, int], bool] | None = None,
) -> list[Clause]:
    """The clauses that say by this method that at most one of the literals holds.

    Pairs that are said already are left out where the method states pairs. Textbooks count them, so
    the method of that name states them again.
    """
    pattern = template(method, len(literals))
    # Without auxiliaries all methods state pairs, those of few literals too.
    if not pattern.auxiliaries:
        leaves_out = None if method is Method.TEXTBOOK else is_said
        return [
            (-a, -b) for a, b in combinations(literals, 2) if not (leaves_out and leaves_out(a, b))
        ]
    positive = [*literals, *auxiliaries.take(pattern.auxiliaries)]
    # Negative literals count from the end, so one list serves both signs.
    renumber = [0, *positive, *(-literal for literal in reversed(positive))].__getitem__
    return [tuple(map(renumber, clause)) for clause in pattern.clauses]


def may_vary(method: Method, count: int, may_be_none: bool) -> bool:
    """Whether auxiliaries may have several values for the same values of `count` literals.

    Those of most methods follow from the literal that holds, and are free where none does.
    `may_be_none` tells that none of the literals may hold.
    """
    if not template(method, count).auxiliaries or method in _ALWAYS_FIXED:
        return False
    return may_be_none or method in _NEVER_FIXED


def _product(literals: Sequence[int], highest: int) -> tuple[list[Clause], int]:
    """Literals on a rectangle: at most one row, at most one column, and each has both."""
    # Pairs of four are 6 clauses, a square of them has 10; and here the recursion ends.
    if len(literals) <= 4:
        return [(-a, -b) for a, b in combinations(literals, 2)], highest
    # The root rounded up, and as many rows as that leaves: nearly a square, the last row shorter.
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
    """The clauses of python-sat's method, and the highest variable in them."""
    from pysat.card import CardEnc, EncType

    formula = CardEnc.atmost(literals, 1, encoding=getattr(EncType, _CARD_NAMES[method]))
    return [tuple(clause) for clause in formula.clauses], max(formula.nv, len(literals))
