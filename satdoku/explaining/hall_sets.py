"""Hall sets: subsets of five cells and more, which only boards above 9x9 have room for.

`subsets.py` tries all choices of up to four truths. Larger ones are too many, but a matching of
cells and digits finds them without trying (`deducing/all_different.py`): cells that have only as
many digits as they are. With fewer cells beside them than in them it is told the other way round:
so many digits have only as many cells.
"""

from collections.abc import Sequence

from satdoku.deducing.all_different import ImpossibleError, Matching, find_components
from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import digits_of, mask_of
from satdoku.puzzle.geometry import Unit

# Of nine open cells four or fewer are in the set, or four or fewer beside it.
_FEWEST_CELLS = 10


class HallSets:
    """The search for Hall sets on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # The candidates of each unit when no Hall set of it excluded anything.
        self._tried: dict[int, dict[int, int]] = {}

    def find(self) -> Finding | None:
        """The first Hall set that excludes something, unit by unit."""
        position = self._position
        puzzle = position.board.puzzle
        if puzzle.geometry.size < _FEWEST_CELLS:
            return None
        truths = {t.cell: t for t in position.open_truths if t.unit is None}
        left = {cell: truth.members & position.left for cell, truth in truths.items()}
        for number, unit in enumerate(puzzle.constraints.units):
            here = {cell: left[cell] for cell in unit.cells if cell in left}
            if len(here) < _FEWEST_CELLS or self._tried.get(number) == here:
                continue
            found = self._find_in(unit, here, truths)
            if found is not None:
                return found
            self._tried[number] = here
        return None

    def _find_in(
        self, unit: Unit, left: dict[int, int], truths: dict[int, Truth]
    ) -> Finding | None:
        """The first Hall set of a unit whose open cells have these candidates."""
        position = self._position
        placements = position.board.placements
        cells = list(left)
        masks = [0] * position.board.puzzle.geometry.cell_count
        for cell, candidates in left.items():
            masks[cell] = mask_of(placements[number].digit for number in candidates_of(candidates))
        for inside, digits in _closed_sets(cells, masks, position.board.puzzle.geometry.size):
            excluded = _excluded(position, [c for c in cells if c not in inside], digits)
            if excluded:
                used = [truths[cell] for cell in inside]
                others = _others(position, unit, digits)
                if others and len(others) < len(used):
                    used = others
                return Finding(Technique.HALL_SET, tuple(used), excludes=excluded)
        return None


def _closed_sets(
    cells: Sequence[int], masks: Sequence[int], size: int
) -> list[tuple[list[int], int]]:
    """The Hall sets of some cells that contain no smaller one, each with its digits."""
    matching = Matching(size)
    try:
        used = matching.complete(cells, masks)
    except ImpossibleError:
        return []  # these cells cannot all be filled; cases will tell why
    every = 0
    for cell in cells:
        every |= masks[cell]
    return [
        (sorted(matching.owner_of[digit] for digit in digits_of(found.digits)), found.digits)
        for found in find_components(matching, masks, used, every & ~used)
        if found.is_hall_set and not found.outside
    ]


def _excluded(position: Position, cells: Sequence[int], digits: int) -> tuple[int, ...]:
    """The candidates of some cells with these digits."""
    numbers = position.board.number_of
    wanted = (Placement(cell, digit) for cell in cells for digit in digits_of(digits))
    found = (numbers[place] for place in wanted if place in numbers)
    return tuple(sorted(number for number in found if position.left >> number & 1))


def _others(position: Position, unit: Unit, digits: int) -> list[Truth]:
    """The truths about the other digits of the unit, where it has every digit."""
    here = [truth for truth in position.open_truths if truth.unit is unit]
    return [truth for truth in here if not digits >> truth.digit & 1]
