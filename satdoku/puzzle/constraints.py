"""What rules ask of a solver, in a few shapes, and all that the rules of a board ask together.

Most rules say all by units, pairs and allowed digits. What needs more cells at once comes in one of
the wider shapes: some, sets, totals, machines, hidden regions, and either of several lists of all
but the last.

Everything that reasons about a puzzle (candidates, encoders, the check of certificates) reads these
shapes and never asks which rule they come from. Digits are bits of masks: bit d stands for digit d.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from satdoku.puzzle.geometry import Geometry, Unit

# Regions that are to be found, as a constraint: the shape of it, and of the clues about them.

RegionWord = Literal["same", "apart", "count", "reach", "regions"]
"""What a clue says of hidden regions, in the words of the rule's argument.

`same`: all cells lie in one region. `apart`: no two lie in the same one. `count`: the first cell
says how many of the cells lie in its region. `reach`: the first cell says how many cells its region
has on arms that begin there, without a gap. `regions`: the one cell of the first arm says in how
many regions those of the second one lie.
"""


class RegionClue(NamedTuple):
    """What is said of the hidden regions of some cells.

    A number counts as its digit and `offset`. What reaches has an arm or more, all with the same
    first cell.
    """

    word: RegionWord
    arms: tuple[tuple[int, ...], ...]
    offset: int = 0

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of all arms, each once, with the one that has the clue first."""
        return tuple(dict.fromkeys(cell for arm in self.arms for cell in arm))


class HiddenRegions(NamedTuple):
    """All cells of the board fall into regions that are to be found, and that fit the clues.

    There are as many as digits. In each every digit stands once, and its cells hang together by
    their sides. Whoever reads this may rely on rows and columns, which hold every digit too.
    """

    cells: tuple[int, ...]
    clues: tuple[RegionClue, ...]
    sentence: str


Masks = tuple[int, ...]


class Pair(NamedTuple):
    """Two cells and what they may not hold together.

    When the first holds digit d, the second holds none of the digits in `excludes[d]`.
    `sentence` says so of the two names that are put into it.
    """

    first: int
    second: int
    excludes: Masks
    sentence: str

    def digit_pairs(self) -> Iterator[tuple[int, int]]:
        """The digits, one of each cell, that do not go together."""
        for digit, mask in enumerate(self.excludes):
            for other in digits_of(mask):
                yield digit, other

    def both_ways(self) -> Iterator[tuple[int, int, Masks]]:
        """Each cell, the other one, and what a digit of the first excludes from the other."""
        yield self.first, self.second, self.excludes
        yield self.second, self.first, reversed_masks(self.excludes)


class Allowed(NamedTuple):
    """A cell and the digits that it may hold; `sentence` says so of the name put into it."""

    cell: int
    digits: int
    sentence: str


class Some(NamedTuple):
    """At least one of some cells holds one of the digits that stand beside it, as a mask."""

    choices: tuple[tuple[int, int], ...]
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, _ in self.choices)


class Sets(NamedTuple):
    """Cells that hold together one of some sets of digits, as masks, each digit once.

    That the digits differ is not said here: a unit of the same cells says it.
    """

    cells: tuple[int, ...]
    sets: Masks
    sentence: str


class Total(NamedTuple):
    """Cells whose digits are worth `low` to `high` together.

    `worths` has a table for each cell, with what each digit counts for; entry 0 says nothing. So a
    factor, the digits of a longer number, or a count of a single digit are totals as well.
    """

    cells: tuple[int, ...]
    worths: tuple[tuple[int, ...], ...]
    low: int
    high: int
    sentence: str


class Machine(NamedTuple):
    """Cells whose digits, read one after the other, lead through states and never to none.

    It begins in state 0. `layers[n][state][digit]` is the state behind cell n, or -1 where that
    digit may not follow; entry 0 of the digits says nothing. Where a state of the last layer is
    not to be an end, no digit leads to it.

    `by_cases`, where there is one, says the same in other words, perhaps only of cells of which no
    two hold the same digit.
    """

    cells: tuple[int, ...]
    layers: tuple[tuple[tuple[int, ...], ...], ...]
    sentence: str
    by_cases: "Either | Enclosed | Machine | None" = None
    cases_are_of_different: bool = True


class Enclosed(NamedTuple):
    """Which sets of digits, as masks, may stand between the lowest digit and the highest one.

    It is about cells in which every digit stands once. No rule asks for it by itself: it says in
    other words what a machine says (`Machine.by_cases`).
    """

    cells: tuple[int, ...]
    sets: Masks
    sentence: str


class Either(NamedTuple):
    """Several lists of constraints of which at least one list is kept."""

    choices: "tuple[tuple[Constraint, ...], ...]"
    sentence: str

    @property
    def cells(self) -> tuple[int, ...]:
        named = (cells_of(each) for choice in self.choices for each in choice)
        return tuple(dict.fromkeys(cell for cells in named for cell in cells))


Wider = Some | Sets | Total | Machine | Either | HiddenRegions
Constraint = Unit | Pair | Allowed | Wider


def cells_of(constraint: Constraint) -> tuple[int, ...]:
    """The cells that a constraint is about."""
    if isinstance(constraint, Pair):
        return constraint.first, constraint.second
    return (constraint.cell,) if isinstance(constraint, Allowed) else constraint.cells


# Amounts of a total; one with more of them is left to solvers.
_MOST_AMOUNTS = 10_000


def is_impossible(constraint: Constraint) -> bool:
    """Whether no digits keep a constraint, as far as that is seen without a search."""
    if isinstance(constraint, Machine):
        return all(after < 0 for after in constraint.layers[0][0])
    if isinstance(constraint, Total):
        # That cells differ is left out: it takes the rules of the whole puzzle to know.
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

    Units with the same cells count as one. A pair leaves out what a unit says of its cells already.
    `units_of[cell]` are the places in `units` of those that contain the cell.
    """

    geometry: Geometry
    units: tuple[Unit, ...]
    units_of: tuple[tuple[int, ...], ...]
    pairs: tuple[Pair, ...]
    allowed: tuple[Allowed, ...]
    wider: tuple[Wider, ...] = ()

    def has_every_digit(self, unit: Unit) -> bool:
        """Whether a unit has as many cells as there are digits, so that each digit is in it."""
        return len(unit.cells) == self.geometry.size

    def count_pairs(self) -> int:
        """How many pairs of candidates further rules exclude, each a clause."""
        # Most pairs share one tuple of masks with others of their rule.
        count_of = {pair.excludes: sum(map(int.bit_count, pair.excludes)) for pair in self.pairs}
        return sum(count_of[pair.excludes] for pair in self.pairs)


def every_digit(size: int) -> int:
    """The mask of the digits 1 to `size`.

    >>> bin(every_digit(4))
    '0b11110'
    """
    return (2 << size) - 2


def counting(digit: int, size: int) -> tuple[int, ...]:
    """What the digits from 0 on count for where only one of them counts, once."""
    return tuple(int(each == digit) for each in range(size + 1))


def digits_of(mask: int) -> list[int]:
    """The digits whose bits are set, in order.

    >>> digits_of(0b1010)
    [1, 3]
    """
    # From the highest bit down, so that the integer becomes shorter: that takes half to two thirds
    # of the time on masks of all candidates of a board, which are hundreds of bits long.
    digits = []
    while mask:
        highest = mask.bit_length() - 1
        digits.append(highest)
        mask ^= 1 << highest
    digits.reverse()
    return digits


def mask_of(digits: Iterable[int]) -> int:
    """The mask of some digits."""
    mask = 0
    for digit in digits:
        mask |= 1 << digit
    return mask


@lru_cache(maxsize=64)
def reversed_masks(excludes: Masks) -> Masks:
    """The same exclusions, asked from the other cell of the pair."""
    return tuple(
        mask_of(digit for digit, mask in enumerate(excludes) if mask >> other & 1)
        for other in range(len(excludes))
    )


def collect(geometry: Geometry, constraints: Iterable[Constraint]) -> Constraints:
    """The constraints of all rules of a board, with nothing stated twice."""
    units: dict[frozenset[int], Unit] = {}
    pairs: list[Pair] = []
    allowed: list[Allowed] = []
    wider: list[Wider] = []
    for constraint in constraints:
        if isinstance(constraint, Unit):
            # In a unit of a single cell nothing can stand twice, unless it is the whole board.
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
    """For each cell those that cannot hold the same digit, by a unit or a pair."""
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
    """The pairs without what units, or pairs before them, exclude already."""
    equal_digits = tuple(1 << digit for digit in range(geometry.size + 1))
    said: dict[tuple[int, int], Masks] = {}
    for pair in pairs:
        cells = (pair.first, pair.second)
        known = said.get(cells)
        if known is None and not set(units_of[cells[0]]).isdisjoint(units_of[cells[1]]):
            known = equal_digits
        excludes = pair.excludes
        # Another rule excludes the same already. Digits count from 1, so entry 0 says nothing. This
        # is looked at first, as rules seldom share only a part of what a pair excludes.
        if known is not None and excludes[1:] == known[1:]:
            continue
        if known is not None:
            excludes, both = _beyond(excludes, known)
        else:
            both = excludes
        said[cells], said[cells[::-1]] = both, reversed_masks(both)
        if any(excludes):
            # The tuple that a rule shares among its pairs stays shared where nothing was left out.
            yield pair if excludes == pair.excludes else pair._replace(excludes=excludes)


# A rule says the same of most of its pairs.
@lru_cache(maxsize=256)
def _beyond(excludes: Masks, known: Masks) -> tuple[Masks, Masks]:
    """What is excluded besides what is known, and both together."""
    pairs = list(zip(excludes, known, strict=True))
    return tuple(new & ~old for new, old in pairs), tuple(new | old for new, old in pairs)
