"""The numbering of boolean variables: which variable is which digit in which cell.

Cell c (from 0, row by row) holding digit d (from 1) is variable c * N + d:

    4x4:  cell 0 -> 1..4    cell 1 -> 5..8    ...    cell 15 -> 61..64
    9x9:  cell 0 -> 1..9    cell 1 -> 10..18  ...    cell 80 -> 721..729

Auxiliary variables are above N * N * N; `decode` ignores them in a model. `meanings.py` tells what
they mean.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import repeat, starmap
from typing import NamedTuple

from satdoku.errors import SolverError
from satdoku.puzzle.constraints import Masks, Pair, digits_of, reversed_masks
from satdoku.puzzle.grid import EMPTY, Geometry, Grid, Unit
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing

Clause = tuple[int, ...]
"""Literals (variables and negated variables) of which at least one is true."""

TRUE = 1 << 62
"""A literal that is always true, for a candidate that is given; `-TRUE` is always false. Formulas
do not contain it.
"""


class Placement(NamedTuple):
    """A digit in a cell: the meaning of a cell variable that is true."""

    cell: int
    digit: int


def variable(geometry: Geometry, cell: int, digit: int) -> int:
    """Return the variable that is true if `cell` holds `digit`.

    >>> variable(Geometry(2, 2), cell=15, digit=4)
    64
    """
    return cell * geometry.size + digit


def placement(geometry: Geometry, number: int) -> Placement:
    """Return the cell and digit of a cell variable.

    >>> placement(Geometry(2, 2), 64)
    Placement(cell=15, digit=4)
    """
    cell, digit = divmod(number - 1, geometry.size)
    return Placement(cell, digit + 1)


def variable_count(geometry: Geometry) -> int:
    """Return the number of cell variables, which is also the highest of them."""
    return geometry.cell_count * geometry.size


def variable_name(geometry: Geometry, number: int) -> str:
    """Return a cell variable as text.

    >>> variable_name(Geometry(2, 2), 64)
    'r4c4=4'
    """
    cell, digit = placement(geometry, number)
    return f"{geometry.name_of(cell)}={digit}"


class Auxiliaries:
    """Allocates auxiliary variables, above those of the cells."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def take(self, count: int) -> range:
        """Allocate the next `count` unused variables."""
        first = self.highest + 1
        self.highest += count
        return range(first, first + count)


def decode(geometry: Geometry, model: Iterable[int]) -> Grid:
    """Return the grid of a model's true cell variables; auxiliaries are ignored.

    A cell without a true variable stays empty; two digits in one cell are an error.
    """
    digits = [EMPTY] * geometry.cell_count
    highest, size = variable_count(geometry), geometry.size
    for literal in model:
        # Negative literals are false variables, higher ones are auxiliaries.
        if 0 < literal <= highest:
            # `placement` inlined, which takes a third of the time of a call.
            cell, digit = (literal - 1) // size, (literal - 1) % size + 1
            if digits[cell] not in (EMPTY, digit):
                raise SolverError(
                    f"the model has both {digits[cell]} and {digit} in {geometry.name_of(cell)}"
                )
            digits[cell] = digit
    return Grid(geometry, tuple(digits))


def blocking_clause(solution: Grid, puzzle: Puzzle) -> tuple[int, ...]:
    """Return the clause that only `solution` violates: some open cell must have another digit.

    If no cell is open, the clause covers all cells and contradicts the givens.
    """
    geometry = solution.geometry
    return tuple(
        -variable(geometry, cell, digit)
        for cell, digit in enumerate(solution.digits)
        if puzzle.grid.digits[cell] == EMPTY or puzzle.grid.is_full
    )


# The candidates that the givens leave open, numbered without gaps.
#
# A large board with a third of its cells empty has tens of thousands of open candidates among
# millions of variables. Here only open candidates get numbers, 1..n in the order of their cells;
# `variable` converts a number to that of a whole board.


class OpenGroup(NamedTuple):
    """Open candidates of which at most one is true: candidates of a cell, or places of a digit in a
    unit.

    `unit` is None for a cell. If `has_one`, exactly one of them is true; a group without members
    then means that the puzzle has no solution.
    """

    unit: Unit | None
    cell: int
    digit: int
    members: Sequence[int]
    has_one: bool = True


class OpenBoard:
    """The open candidates of a puzzle, which are numbered while `groups` is iterated."""

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int] | None = None) -> None:
        """Start from `candidates`, the masks of digits of all empty cells, if they are known.

        Otherwise a candidate is open if no given and no rule excludes it.
        """
        self.puzzle = puzzle
        self._missing = find_missing(puzzle)
        found = find_candidates(puzzle, self._missing) if candidates is None else candidates.items()
        self._masks = list(found)
        self._cells: list[int] = []
        self._digits: list[int] = []

    def __len__(self) -> int:
        """Return how many candidates have numbers so far."""
        return len(self._cells)

    def count_candidates(self) -> int:
        """Return how many open candidates there are, without numbering them."""
        return sum(mask.bit_count() for _, mask in self._masks)

    @property
    def candidates(self) -> dict[int, int]:
        """Return the open digits of every empty cell, as masks."""
        return dict(self._masks)

    def placement(self, number: int) -> Placement:
        """Return the cell and digit of an open candidate."""
        return Placement(self._cells[number - 1], self._digits[number - 1])

    def digits_at(self, numbers: Iterable[int]) -> dict[int, int]:
        """Return the digit of each cell, for a set of open candidates, given by their numbers."""
        cells, digits = self._cells, self._digits
        return {cells[number - 1]: digits[number - 1] for number in numbers}

    def placements(self) -> Iterator[Placement]:
        """Yield the cell and digit of every open candidate numbered so far."""
        return map(Placement, self._cells, self._digits)

    def variable(self, number: int) -> int:
        """Return the variable of the candidate in the formula of the whole board."""
        return self._cells[number - 1] * self.puzzle.geometry.size + self._digits[number - 1]

    def groups(self) -> Iterator[OpenGroup]:
        """Yield the candidates of every empty cell, and the places of every missing digit of a
        unit.
        """
        return starmap(OpenGroup, self.bare_groups())

    def bare_groups(self) -> Iterator[tuple[Unit | None, int, int, Sequence[int], bool]]:
        """Yield the same groups as plain tuples: an `OpenGroup` for each would take a tenth of the
        time to load a small board.
        """
        constraints = self.puzzle.constraints
        units_of = constraints.units_of
        # All missing digits have a list from the start, so that a digit without a place yields an
        # empty group.
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
                # If the digit may be absent from the unit, fewer than two places need no
                # constraint.
                if has_one or len(members) > 1:
                    yield unit, -1, digit, members, has_one

    def tight_groups(self) -> Iterator[list[int]]:
        """Yield the places of each digit that a unit must hold, as it has no digits to spare.

        A unit has none to spare if its open cells have as many candidate digits together as there
        are cells, though the unit has fewer cells than the board has digits. An example is a row of
        1 to 9 on a board of more digits. Valid only after `groups` was read.
        """
        constraints, masks = self.puzzle.constraints, self.candidates
        short = [unit for unit in constraints.units if not constraints.has_every_digit(unit)]
        numbers: dict[int, dict[int, int]] = {}
        for unit in short:
            cells = [cell for cell in unit.cells if cell in masks]
            left = 0
            for cell in cells:
                left |= masks[cell]
            if left.bit_count() == len(cells):
                # Made when it is needed: cages are short too, and hardly ever tight.
                numbers = numbers or self._numbers()
                for digit in _digits_of(left):
                    yield [numbers[c][digit] for c in cells if masks[c] >> digit & 1]

    def pairs(self) -> Iterator[tuple[Pair, list[tuple[int, int]]]]:
        """Yield each pair of cells, with its pairs of open candidates that exclude each other.

        Valid only after `groups` was read.
        """
        for pair, (here, ours), (there, theirs) in self._open_pairs():
            excluded = _excluded(pair.excludes, ours, theirs)
            if excluded:
                yield pair, [(here + one, there + other) for one, other in excluded]

    def pair_clauses(self) -> Iterator[list[tuple[int, ...]]]:
        """Yield the clauses of each pair. Valid only after `groups` was read.

        They state either the excluded pairs of candidates, or which candidates of the second cell
        each candidate of the first allows, whichever takes fewer clauses.
        """
        for pair, (here, ours), (there, theirs) in self._open_pairs():
            excluded = _excluded(pair.excludes, ours, theirs)
            if not excluded:
                continue
            if len(excluded) <= ours.bit_count() + theirs.bit_count():
                yield [(-here - one, -there - other) for one, other in excluded]
                continue
            # In both directions, so that propagation is as strong as with excluded pairs.
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
        """Yield the pairs of two empty cells, each cell with its first number and the mask of its
        digits.
        """
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
        """Return a function from a cell and a digit to the literal; `TRUE` or `-TRUE` if settled.

        Valid only after `groups` was read.
        """
        given, numbers = self.puzzle.grid.digits, self._numbers()

        def literal(cell: int, digit: int) -> int:
            if given[cell]:
                return TRUE if given[cell] == digit else -TRUE
            return numbers[cell].get(digit, -TRUE) if cell in numbers else -TRUE

        return literal

    def _numbers(self) -> dict[int, dict[int, int]]:
        """Return the numbers of the open candidates, by cell and digit."""
        numbers: dict[int, dict[int, int]] = {}
        for number, (cell, digit) in enumerate(zip(self._cells, self._digits, strict=True), 1):
            numbers.setdefault(cell, {})[digit] = number
        return numbers


# Enough for all masks of boards up to 9x9; a few hundred of them occur again and again.
@lru_cache(maxsize=1 << 10)
def _digits_of(mask: int) -> tuple[int, ...]:
    return tuple(digits_of(mask))


# Pairs of one rule share a table, and many cells have the same open digits, so that results recur.
@lru_cache(maxsize=1 << 10)
def _excluded(excludes: Masks, here: int, there: int) -> list[tuple[int, int]]:
    """Return the pairs of open digits of two cells that exclude each other, as indices."""
    places = {digit: place for place, digit in enumerate(_digits_of(there))}
    return [
        (place, places[other])
        for place, digit in enumerate(_digits_of(here))
        for other in _digits_of(excludes[digit] & there)
    ]


@lru_cache(maxsize=1 << 10)
def _left(excludes: Masks, here: int, there: int) -> list[tuple[int, list[int]]]:
    """Return each open digit of one cell that excludes digits of the other, with the digits that
    remain there.

    Digits are returned as indices among the open digits of their cell.
    """
    places = {digit: place for place, digit in enumerate(_digits_of(there))}
    return [
        (place, [places[other] for other in _digits_of(there & ~excludes[digit])])
        for place, digit in enumerate(_digits_of(here))
        if excludes[digit] & there
    ]
