"""Shapes beyond rectangles whose digits could be swapped: loops, two lines of three, whole boards.

A *unique loop* is a ring of six or more cells in which two digits alternate; neighbours on the ring
share a unit, and every unit has as many cells of one digit as of the other. If the cells held only
these two digits, the digits could be swapped all along the loop:

    . 3 . | . 7 .          . 7 . | . 3 .
    . 7 3 | . . .    or    . 3 7 | . . .
    . . 7 | . 3 .          . . 3 | . 7 .

An *extended rectangle* is two lines that hold three digits in the same three crossing lines: there
the lines could be swapped. A *BUG* (bivalue universal grave) is a board on which every open cell
has two candidates, and every open digit two places in each unit; a BUG+n has *extra* candidates
besides, one of which must hold.

Each shape is a truth, "another digit is here", which `rectangles.py` combines with others. The
prover checks the truth against the only solution.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from satdoku.explaining.board import candidates_of
from satdoku.explaining.position import Position
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.puzzle import Puzzle

Cells = tuple[int, ...]

# The most cells of a loop, and of its cells with further digits: longer loops are hard to see, and
# those with more such cells exclude hardly anything.
_MOST_CELLS = 10
_MOST_OTHERS = 3

_WIDTH = 3
_FEWEST_BARE = 4

# The most cells with more than two candidates in a BUG+n, and the most ways to leave two in each.
_MOST_WIDE = 4
_MOST_WAYS = 200


def unique_loops(puzzle: Puzzle, digits_in: Mapping[int, int]) -> Iterator[tuple[Cells, int]]:
    """Yield loops with their two digits as a mask; `digits_in` has the digits of open cells."""
    pairs = sorted({mask for mask in digits_in.values() if mask.bit_count() == 2})
    for pair in pairs:
        cells = {
            cell: mask != pair
            for cell, mask in digits_in.items()
            if mask & pair == pair and not puzzle.grid.digits[cell]
        }
        seen: set[frozenset[int]] = set()
        for loop in _Loops(puzzle, cells).every():
            if frozenset(loop) not in seen:
                seen.add(frozenset(loop))
                yield loop, pair


class _Loops:
    """The search for loops through some cells; `others` are the cells with further digits."""

    def __init__(self, puzzle: Puzzle, others: Mapping[int, bool]) -> None:
        self._units_of = puzzle.constraints.units_of
        self._others = others
        self._next = {
            cell: [
                each
                for each in others
                if each != cell and not set(self._units_of[cell]).isdisjoint(self._units_of[each])
            ]
            for cell in others
        }

    def every(self) -> Iterator[Cells]:
        """Yield the loops, each from its lowest cell without further digits."""
        for start, has_others in self._others.items():
            if not has_others:
                yield from self._from((start,), dict.fromkeys(self._units_of[start], 1), 0)

    def _from(self, path: Cells, balance: dict[int, int], others: int) -> Iterator[Cells]:
        """Yield the loops that begin with a path.

        `balance` counts in each unit how many more cells have the first digit than the second.
        """
        if len(path) > 4 and path[0] in self._next[path[-1]] and not any(balance.values()):
            yield path
        if len(path) == _MOST_CELLS:
            return
        sign = -1 if len(path) % 2 else 1
        for cell in self._next[path[-1]]:
            more = others + self._others[cell]
            if (cell < path[0] and not self._others[cell]) or cell in path or more > _MOST_OTHERS:
                continue
            after = dict(balance)
            for unit in self._units_of[cell]:
                after[unit] = after.get(unit, 0) + sign
            # Two cells with the same digit in a unit are no loop.
            if all(abs(after[unit]) <= 1 for unit in self._units_of[cell]):
                yield from self._from((*path, cell), after, more)


def extended_rectangles(
    puzzle: Puzzle, digits_in: Mapping[int, int]
) -> Iterator[tuple[Cells, int]]:
    """Yield the cells of two lines in three crossing lines, with the three digits as a mask."""
    size = puzzle.geometry.size
    for is_turned, (one, other) in product((False, True), combinations(range(size), 2)):
        pairs = []
        for across in range(size):
            places = [across * size + k if is_turned else k * size + across for k in (one, other)]
            if all(cell in digits_in and not puzzle.grid.digits[cell] for cell in places):
                pairs.append((places[0], places[1]))
        for three in combinations(pairs, _WIDTH):
            digits = _three_digits(digits_in, [cell for pair in three for cell in pair])
            if digits and _can_swap_lines(puzzle, three):
                yield tuple(sorted(cell for pair in three for cell in pair)), digits


def _three_digits(digits_in: Mapping[int, int], cells: Sequence[int]) -> int:
    """Return three digits that are the only ones of some cells, and among those of the others."""
    bare = [digits_in[cell] for cell in cells if digits_in[cell].bit_count() <= _WIDTH]
    digits = 0
    for mask in bare:
        digits |= mask
    if len(bare) < _FEWEST_BARE or digits.bit_count() != _WIDTH:
        return 0
    return digits if all((digits_in[cell] & digits).bit_count() >= 2 for cell in cells) else 0


def _can_swap_lines(puzzle: Puzzle, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether each unit keeps its digits if the cells of each pair are swapped.

    A unit does if it has both cells or neither of every pair, or the same side of all pairs.
    """
    units_of = puzzle.constraints.units_of
    for unit in {unit for pair in pairs for cell in pair for unit in units_of[cell]}:
        one, other = (
            {place for place, pair in enumerate(pairs) if unit in units_of[pair[side]]}
            for side in (0, 1)
        )
        if one != other and {len(one), len(other)} != {0, len(pairs)}:
            return False
    return True


def extras_of_bug(position: Position) -> int:
    """Return the extra candidates of a BUG+n as a mask, two or more; 0 if there is none."""
    left = position.left
    masks = [(truth, truth.members & left) for truth in position.open_truths]
    cells = [mask for truth, mask in masks if truth.unit is None]
    wide = [mask for mask in cells if mask.bit_count() > 2]
    if not 1 < len(wide) <= _MOST_WIDE or any(mask.bit_count() < 2 for mask in cells):
        return 0
    units = [mask for truth, mask in masks if truth.unit is not None]
    ways = [[*combinations(candidates_of(mask), 2)] for mask in wide]
    every = 0
    for mask in wide:
        every |= mask
    if any((mask & ~every).bit_count() > 2 for mask in units):
        return 0
    for number, kept in enumerate(product(*ways)):
        if number == _MOST_WAYS:
            return 0
        extras = every & ~mask_of(candidate for pair in kept for candidate in pair)
        if all((mask & ~extras).bit_count() == 2 for mask in units):
            return extras
    return 0
