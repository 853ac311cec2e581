"""Compute the candidates of empty cells from givens and rules, as bit masks: bit d stands for digit
d.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satdoku.puzzle.constraints import every_digit
from satdoku.puzzle.grid import EMPTY

if TYPE_CHECKING:
    from satdoku.puzzle.puzzle import Puzzle


def find_missing(puzzle: "Puzzle") -> list[int]:
    """Return, for each unit, the mask of the digits that no given in it holds."""
    every = every_digit(puzzle.geometry.size)
    constraints = puzzle.constraints
    missing = [every] * len(constraints.units)
    for cell, digit in enumerate(puzzle.grid.digits):
        if digit != EMPTY:
            other = ~(1 << digit)
            for unit in constraints.units_of[cell]:
                missing[unit] &= other
    return missing


def find_candidates(puzzle: "Puzzle", missing: list[int]) -> Iterator[tuple[int, int]]:
    """Yield every empty cell with the mask of the digits that neither givens nor rules exclude.

    `missing` is what `find_missing` returned.
    """
    constraints = puzzle.constraints
    every = every_digit(puzzle.geometry.size)
    others = _masks_beside_units(puzzle)
    for cell, digit in enumerate(puzzle.grid.digits):
        if digit == EMPTY:
            mask = every
            for unit in constraints.units_of[cell]:
                mask &= missing[unit]
            yield cell, mask & others[cell] if cell in others else mask


def _masks_beside_units(puzzle: "Puzzle") -> dict[int, int]:
    """Return, for each cell that a pair or an `Allowed` constraint restricts, the mask of digits
    left.
    """
    digits = puzzle.grid.digits
    every = every_digit(puzzle.geometry.size)
    masks: dict[int, int] = {}
    for allowed in puzzle.constraints.allowed:
        masks[allowed.cell] = masks.get(allowed.cell, every) & allowed.digits
    for pair in puzzle.constraints.pairs:
        for cell, other, excludes in pair.both_ways():
            if digits[cell] != EMPTY:
                masks[other] = masks.get(other, every) & ~excludes[digits[cell]]
    return masks
