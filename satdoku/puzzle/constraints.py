"""The types of constraint that rules are translated into, and all constraints of a board.

Most rules need only units, pairs and allowed digits. Rules that relate several cells at once use
one of the wider types: `Some`, `Sets`, `Total`, `Machine`, `HiddenRegions`, `Connected`,
`Distinct`, `Ranked`, and `Either`, a choice between lists of the other types but `HiddenRegions`.

All code that reasons about a puzzle (candidates, encoders, the check of certificates) uses only
these types and never the rules behind them. Digits are bits of masks: bit d stands for digit d.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from satdoku.puzzle.grid import Geometry, Unit

# Constraints about hidden regions, and about the clues that describe them.

RegionWord = Literal["same", "apart", "count", "reach", "regions"]
"""Kinds of clues about hidden regions, as the rule's argument names them.

`same`: all cells lie in one region. `apart`: no two cells lie in the same region. `count`: the
first cell's number is how many of the cells lie in its region. `reach`: the first cell's number is
how many cells of its region lie on arms that begin at it, without a gap. `regions`: the first arm
is one cell; its number is how many regions the cells of the second arm lie in.
"""


class RegionClue(NamedTuple):
    """A clue about the hidden regions of some cells.

    The clue's number is its digit plus `offset`. A `reach` clue has one or more arms, all with the
    same first cell.
    """

    word: RegionWord
    arms: tuple[tuple[int, ...], ...]
    offset: int = 0

    @property
    def cells(self) -> tuple[int, ...]:
        """Return the cells of all arms, each once; the cell with the clue is first."""
        return tuple(dict.fromkeys(cell for arm in self.arms for cell in arm))


class HiddenRegions(NamedTuple):
    """A division of all cells into regions, which the solver has to find and which must fit the
    clues.

    There are as many regions as digits. A region holds every digit once and is connected by sides.
    Encoders may rely on rows and columns, which hold every digit too.
    """

    cells: tuple[int, ...]
    clues: tuple[RegionClue, ...]
    sentence: str


Masks = tuple[int, ...]


class Pair(NamedTuple):
    """Two cells, and the pairs of digits that they may not hold together.

    When the first cell holds digit d, the second holds none of the digits in `excludes[d]`.
    `sentence` states this in words, with placeholders for the names of both cells.
    """

    first: int
    second: int
    excludes: Masks
    sentence: str

    def digit_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield each excluded pair: a digit of the first cell and a digit of the second."""
        for digit, mask in enumerate(self.excludes):
            for other in digits_of(mask):
                yield digit, other

    def both_ways(self) -> Iterator[tuple[int, int, Masks]]:
        """Yield (cell, other cell, masks), once for each of the two cells as the first: `masks[d]`
        are the digits that digit d of the first excludes from the other.
        """
        yield self.first, self.second, self.excludes
        yield self.second, self.first, reversed_masks(self.excludes)


class Allowed(NamedTuple):
    """A cell and the mask of digits that it may hold; `sentence` states this, with a placeholder
    for the name of the cell.
    """

    cell: int
    digits: int
    sentence: str


class Some(NamedTuple):
    """Cells, each with a mask of digits: at least one cell holds a digit of its mask."""

    choices: tuple[tuple[int, int], ...]
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, _ in self.choices)


class Sets(NamedTuple):
    """Cells whose digits together form one of several sets, given as masks.

    The sets do not exclude repeated digits; for that, a unit of the same cells is needed too.
    """

    cells: tuple[int, ...]
    sets: Masks
    sentence: str


class Total(NamedTuple):
    """Cells whose digits have a weighted sum from `low` to `high`.

    `worths` has a table for each cell: the weight of each digit; entry 0 is unused. Products of
    factors, numbers of several digits, and counts of a single digit are totals too.
    """

    cells: tuple[int, ...]
    worths: tuple[tuple[int, ...], ...]
    low: int
    high: int
    sentence: str


class Machine(NamedTuple):
    """Cells whose digits, read in order, a finite automaton (DFA) accepts.

    The start is state 0. `layers[n][state][digit]` is the state after cell n, or -1 if the digit
    may not follow; entry 0 of the digits is unused. In the last layer every digit that may follow
    leads to an accepting state.

    `by_cases`, if given, is an equivalent constraint, perhaps only as long as no two of the cells
    hold the same digit.
    """

    cells: tuple[int, ...]
    layers: Sequence[tuple[tuple[int, ...], ...]]
    sentence: str
    by_cases: "Either | Enclosed | Machine | None" = None
    cases_are_of_different: bool = True


class Enclosed(NamedTuple):
    """The sets of digits, as masks, that may lie between the lowest and the highest digit of cells.

    Valid only for cells in which every digit occurs once. No rule uses this type by itself: it is
    an equivalent form of a machine (`Machine.by_cases`).
    """

    cells: tuple[int, ...]
    sets: Masks
    sentence: str


class Either(NamedTuple):
    """Several lists of constraints; all constraints of at least one list must hold."""

    choices: "tuple[tuple[Constraint, ...], ...]"
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        named = (cells_of(each) for choice in self.choices for each in choice)
        return tuple(dict.fromkeys(cell for cells in named for cell in cells))


class Connected(NamedTuple):
    """Cells of which those with a digit of the mask form one connected area, which is not empty.

    `beside` lists, for each cell, the other cells that share a side with it.
    """

    cells: tuple[int, ...]
    beside: tuple[tuple[int, ...], ...]
    mask: int
    sentence: str


class Distinct(NamedTuple):
    """A cell whose digit, plus `offset`, is the number of different digits in the counted cells."""

    control: int
    counted: tuple[int, ...]
    offset: int
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys((self.control, *self.counted)))


class Ranked(NamedTuple):
    """Lines of cells, read as numbers: the first is greater than `below` of those that begin alike.

    It begins with the digit of the mask, and of the other lines that do so exactly `below` are
    lower. None of them is equal to it, unless they `may_tie`.
    """

    lines: tuple[tuple[int, ...], ...]
    mask: int
    below: int
    may_tie: bool
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(cell for line in self.lines for cell in line))


Wider = Some | Sets | Total | Machine | Either | HiddenRegions | Connected | Distinct | Ranked
Constraint = Unit | Pair | Allowed | Wider


def cells_of(constraint: Constraint) -> tuple[int, ...]:
    """Return the cells that a constraint is about."""
    if isinstance(constraint, Pair):
        return constraint.first, constraint.second
    return (constraint.cell,) if isinstance(constraint, Allowed) else constraint.cells


# Most sums of one total that are enumerated; for more, `is_impossible` returns False.
_MOST_AMOUNTS = 10_000


def is_impossible(constraint: Constraint) -> bool:
    """Whether no digits satisfy the constraint; False also where only a search would tell."""
    if isinstance(constraint, Machine):
        return all(after < 0 for after in constraint.layers[0][0])
    if isinstance(constraint, Total):
        # Digits may repeat here: which cells must differ depends on the rules of the whole puzzle.
        amounts = {0}
        for worths in constraint.worths:
            amounts = {known + worth for known in amounts for worth in set(worths[1:])}
            if len(amounts) > _MOST_AMOUNTS:
                return False
        return not any(constraint.low <= amount <= constraint.high for amount in amounts)
    if isinstance(constraint, Pair):
        every = every_digit(len(constraint.excludes) - 1)
        return all(mask & every == every for mask in constraint.excludes[1:])
    if isinstance(constraint, Either):
        return all(any(map(is_impossible, choice)) for choice in constraint.choices)
    return isinstance(constraint, Sets) and not constraint.sets


class Constraints(NamedTuple):
    """All constraints of a board, each stated once.

    Units with the same cells are merged. A pair omits exclusions that a unit already makes.
    `units_of[cell]` lists the indices in `units` of the units that contain the cell.
    """

    geometry: Geometry
    units: tuple[Unit, ...]
    units_of: tuple[tuple[int, ...], ...]
    pairs: tuple[Pair, ...]
    allowed: tuple[Allowed, ...]
    wider: tuple[Wider, ...] = ()

    def has_every_digit(self, unit: Unit) -> bool:
        """Whether the unit has as many cells as there are digits, and so holds every digit."""
        return len(unit.cells) == self.geometry.size

    def count_pairs(self) -> int:
        """Return how many pairs of candidates the pairs exclude; each becomes one clause."""
        # Most pairs share one tuple of masks with other pairs of their rule.
        count_of = {pair.excludes: sum(map(int.bit_count, pair.excludes)) for pair in self.pairs}
        return sum(count_of[pair.excludes] for pair in self.pairs)


def every_digit(size: int) -> int:
    """Return the mask of the digits 1 to `size`.

    >>> bin(every_digit(4))
    '0b11110'
    """
    return (2 << size) - 2


def counting(digit: int, size: int) -> tuple[int, ...]:
    """Return weights by which a total counts this digit: 1 for it and 0 for all others; entry 0 is
    unused.
    """
    return tuple(int(each == digit) for each in range(size + 1))


def digits_of(mask: int) -> list[int]:
    """Return the digits whose bits are set, in order.

    >>> digits_of(0b1010)
    [1, 3]
    """
    # The highest bit is removed first, so that the integer gets shorter: this takes half to two
    # thirds of the time for masks of all candidates of a board, which are hundreds of bits long.
    digits = []
    while mask:
        highest = mask.bit_length() - 1
        digits.append(highest)
        mask ^= 1 << highest
    digits.reverse()
    return digits


def mask_of(digits: Iterable[int]) -> int:
    """Return the mask of these digits."""
    mask = 0
    for digit in digits:
        mask |= 1 << digit
    return mask


@lru_cache(maxsize=64)
def reversed_masks(excludes: Masks) -> Masks:
    """Return the same exclusions, indexed by the digits of the second cell."""
    return tuple(
        mask_of(digit for digit, mask in enumerate(excludes) if mask >> other & 1)
        for other in range(len(excludes))
    )


def collect(geometry: Geometry, constraints: Iterable[Constraint]) -> Constraints:
    """Return the constraints of all rules of a board, without duplicates."""
    units: dict[frozenset[int], Unit] = {}
    pairs: list[Pair] = []
    allowed: list[Allowed] = []
    wider: list[Wider] = []
    for constraint in constraints:
        if isinstance(constraint, Unit):
            # A unit of one cell excludes nothing.
            if len(constraint.cells) > 1:
                units.setdefault(frozenset(constraint.cells), constraint)
        elif isinstance(constraint, Pair):
            pairs.append(constraint)
        elif isinstance(constraint, Allowed):
            allowed.append(constraint)
        else:
            wider.append(constraint)
    units_of: list[list[int]] = [[] for _ in range(geometry.cell_count)]
    for index, unit in enumerate(units.values()):
        for cell in unit.cells:
            units_of[cell].append(index)
    places = tuple(map(tuple, units_of))
    return Constraints(
        geometry,
        tuple(units.values()),
        places,
        tuple(_without_repeats(geometry, pairs, places)) if pairs else (),
        tuple(allowed),
        tuple(dict.fromkeys(wider)),
    )


def differing(constraints: Constraints) -> tuple[frozenset[int], ...]:
    """Return, for each cell, the cells that cannot hold its digit because of a unit or a pair."""
    differ: list[set[int]] = [set() for _ in range(constraints.geometry.cell_count)]
    for unit in constraints.units:
        for cell in unit.cells:
            differ[cell].update(unit.cells)
    for pair in constraints.pairs:
        if all(mask >> digit & 1 for digit, mask in enumerate(pair.excludes) if digit):
            differ[pair.first].add(pair.second)
            differ[pair.second].add(pair.first)
    return tuple(frozenset(others - {cell}) for cell, others in enumerate(differ))


def _without_repeats(
    geometry: Geometry, pairs: Iterable[Pair], units_of: tuple[tuple[int, ...], ...]
) -> Iterator[Pair]:
    """Yield the pairs without the exclusions that units or earlier pairs make already."""
    equal_digits = tuple(1 << digit for digit in range(geometry.size + 1))
    said: dict[tuple[int, int], Masks] = {}
    for pair in pairs:
        cells = (pair.first, pair.second)
        known = said.get(cells)
        if known is None and not set(units_of[cells[0]]).isdisjoint(units_of[cells[1]]):
            known = equal_digits
        excludes = pair.excludes
        # Fast path: an earlier rule excludes exactly the same. Entry 0 is unused and not compared.
        # Two rules seldom share only a part of a pair's exclusions.
        if known is not None and excludes[1:] == known[1:]:
            continue
        if known is not None:
            excludes, both = _beyond(excludes, known)
        else:
            both = excludes
        said[cells], said[cells[::-1]] = both, reversed_masks(both)
        if any(excludes):
            # If nothing was removed, keep the tuple that the rule's pairs share.
            yield pair if excludes == pair.excludes else pair._replace(excludes=excludes)


# Cached, as a rule excludes the same digits for most of its pairs.
@lru_cache(maxsize=256)
def _beyond(excludes: Masks, known: Masks) -> tuple[Masks, Masks]:
    """Return the exclusions that are not yet known, and the union of known and new ones."""
    pairs = list(zip(excludes, known, strict=True))
    return tuple(new & ~old for new, old in pairs), tuple(new | old for new, old in pairs)
