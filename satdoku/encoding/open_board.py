"""What the givens leave open, numbered densely.

A large board with a third of its cells empty has tens of thousands of open candidates among
millions of variables. Here only the open ones get numbers, 1..n in the order of their cells;
`variable` leads back to the numbering of `variables.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat, starmap
from typing import NamedTuple

from satdoku.encoding.variables import TRUE, Placement
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.constraints import Masks, Pair, digits_of, reversed_masks
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle


class OpenGroup(NamedTuple):
    """Open candidates of which at most one holds: those of a cell, or of a digit in a unit.

    `unit` is None for a cell. When `has_one`, exactly one of them holds; then no member at all
    means that the puzzle has no solution.
    """

    unit: Unit | None
    cell: int
    digit: int
    members: Sequence[int]
    has_one: bool = True


class OpenBoard:
    """The open candidates of a puzzle; they get their numbers while `groups` is read."""

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int] | None = None) -> None:
        """`candidates` has the digits of every empty cell, as masks, where more is known.

        Without it, every digit is open that no given and no rule excludes.
        """
        self.puzzle = puzzle
        self._missing = find_missing(puzzle)
        found = find_candidates(puzzle, self._missing) if candidates is None else candidates.items()
        self._masks = list(found)
        self._cells: list[int] = []
        self._digits: list[int] = []

    def __len__(self) -> int:
        """How many candidates are numbered."""
        return len(self._cells)

    def count_candidates(self) -> int:
        """How many candidates there are, without numbering them."""
        return sum(mask.bit_count() for _, mask in self._masks)

    @property
    def candidates(self) -> dict[int, int]:
        """The open digits of every empty cell, as masks."""
        return dict(self._masks)

    def placement(self, number: int) -> Placement:
        """The cell and digit of an open candidate."""
        return Placement(self._cells[number - 1], self._digits[number - 1])

    def digits_at(self, numbers: Iterable[int]) -> dict[int, int]:
        """The digits that these open candidates put into their cells."""
        cells, digits = self._cells, self._digits
        return {cells[number - 1]: digits[number - 1] for number in numbers}

    def placements(self) -> Iterator[Placement]:
        """The cells and digits of all open candidates that have a number by now."""
        return map(Placement, self._cells, self._digits)

    def variable(self, number: int) -> int:
        """The candidate's number among all candidates of the board."""
        return self._cells[number - 1] * self.puzzle.geometry.size + self._digits[number - 1]

    def groups(self) -> Iterator[OpenGroup]:
        """For every empty cell its candidates; for every missing digit of a unit its places."""
        return starmap(OpenGroup, self.bare_groups())

    def bare_groups(self) -> Iterator[tuple[Unit | None, int, int, Sequence[int], bool]]:
        """The same groups without names for their parts, which loading a small board is too
        short for: naming them would take a tenth of it.
        """
        constraints = self.puzzle.constraints
        units_of = constraints.units_of
        # Lists for all missing digits from the start: one without a place must not get lost.
        places_in: list[dict[int, list[int]]] = [
            {digit: [] for digit in _digits_of(mask)} for mask in self._missing
        ]
        number = len(self._cells) + 1
        for cell, mask in self._masks:
            digits, first = _digits_of(mask), number
            here = [places_in[unit] for unit in units_of[cell]]
            for digit in digits:
                for places in here:
                    places[digit].append(number)
                number += 1
            self._digits += digits
            self._cells += repeat(cell, len(digits))
            yield None, cell, 0, range(first, number), True
        for unit, places in zip(constraints.units, places_in, strict=True):
            has_one = constraints.has_every_digit(unit)
            for digit, members in places.items():
                # Of a digit that need not stand in the unit, fewer than two places say nothing.
                if has_one or len(members) > 1:
                    yield unit, -1, digit, members, has_one

    def pairs(self) -> Iterator[tuple[Pair, list[tuple[int, int]]]]:
        """Each pair of cells with those of its open candidates that exclude each other.

        To be read after `groups`.
        """
        for pair, (here, ours), (there, theirs) in self._open_pairs():
            excluded = _excluded(pair.excludes, ours, theirs)
            if excluded:
                yield pair, [(here + one, there + other) for one, other in excluded]

    def pair_clauses(self) -> Iterator[list[tuple[int, ...]]]:
        """The clauses of each pair, to be read after `groups`.

        They say which candidates exclude each other, or what each of them leaves to the other cell,
        whichever takes fewer clauses.
        """
        for pair, (here, ours), (there, theirs) in self._open_pairs():
            excluded = _excluded(pair.excludes, ours, theirs)
            if not excluded:
                continue
            if len(excluded) <= ours.bit_count() + theirs.bit_count():
                yield [(-here - one, -there - other) for one, other in excluded]
                continue
            # Both ways, so that propagation knows as much as it does of what excludes each other.
            reverse = reversed_masks(pair.excludes)
            clauses = [
                (-here - one, *[there + other for other in others])
                for one, others in _left(pair.excludes, ours, theirs)
            ]
            clauses += [
                (-there - one, *[here + other for other in others])
                for one, others in _left(reverse, theirs, ours)
            ]
            yield clauses

    def _open_pairs(self) -> Iterator[tuple[Pair, tuple[int, int], tuple[int, int]]]:
        """The pairs of two empty cells, each with its first number and the mask of its digits."""
        if not self.puzzle.constraints.pairs:
            return
        firsts: dict[int, tuple[int, int]] = {}
        first = 1
        for cell, mask in self._masks:
            firsts[cell] = first, mask
            first += mask.bit_count()
        for pair in self.puzzle.constraints.pairs:
            ours, theirs = firsts.get(pair.first), firsts.get(pair.second)
            if ours and theirs:
                yield pair, ours, theirs

    def literals(self) -> Callable[[int, int], int]:
        """Gives the number of a cell and a digit; `TRUE` or its negation where that is settled.

        To be read after `groups`.
        """
        given, numbers = self.puzzle.grid.digits, self._numbers()

        def literal(cell: int, digit: int) -> int:
            if given[cell]:
                return TRUE if given[cell] == digit else -TRUE
            return numbers[cell].get(digit, -TRUE) if cell in numbers else -TRUE

        return literal

    def _numbers(self) -> dict[int, dict[int, int]]:
        """The numbers of the open candidates, by cell and digit."""
        numbers: dict[int, dict[int, int]] = {}
        for number, (cell, digit) in enumerate(zip(self._cells, self._digits, strict=True), 1):
            numbers.setdefault(cell, {})[digit] = number
        return numbers


# All masks of boards up to 9x9: the same few hundred are asked for again and again.
@lru_cache(maxsize=1 << 10)
def _digits_of(mask: int) -> tuple[int, ...]:
    return tuple(digits_of(mask))


# The pairs of a rule have the same table, and most cells the same open digits.
@lru_cache(maxsize=1 << 10)
def _excluded(excludes: Masks, here: int, there: int) -> list[tuple[int, int]]:
    """The open digits of two cells that exclude each other, as places among those of each."""
    places = {digit: place for place, digit in enumerate(_digits_of(there))}
    return [
        (place, places[other])
        for place, digit in enumerate(_digits_of(here))
        for other in _digits_of(excludes[digit] & there)
    ]


@lru_cache(maxsize=1 << 10)
def _left(excludes: Masks, here: int, there: int) -> list[tuple[int, list[int]]]:
    """For each open digit that excludes some of the other cell, those that it leaves, as places."""
    places = {digit: place for place, digit in enumerate(_digits_of(there))}
    return [
        (place, [places[other] for other in _digits_of(there & ~excludes[digit])])
        for place, digit in enumerate(_digits_of(here))
        if excludes[digit] & there
    ]
