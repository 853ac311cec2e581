"""The open cells of a board for local search, their candidates, and which of these exclude others.

Candidates are numbered from 0, cell by cell, so those of a cell are a slice.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from satdoku.puzzle.constraints import Constraints, digits_of
from satdoku.puzzle.puzzle import Puzzle

# Neighbours are lists of small integers: so many of them take about 80 MB. The largest board that
# local search was seen to fill, 81x81 with 38 % empty, has 350,000.
MOST_NEIGHBOURS = 10_000_000


class Neighbours:
    """Cells with several candidates, and for each candidate those that cannot stand beside it.

    `candidates` are masks of digits, pruned as far as possible: cells with one digit are left out,
    because their digit is in no other mask that it excludes.
    """

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int]) -> None:
        self._candidates = {cell: mask for cell, mask in candidates.items() if mask & (mask - 1)}
        self.cells = list(self._candidates)
        digits = [digits_of(mask) for mask in self._candidates.values()]
        ends = list(accumulate(map(len, digits)))
        # The candidates of the n-th cell are those in its n-th slice.
        self.slices = [slice(end - len(own), end) for own, end in zip(digits, ends, strict=True)]
        self.cell_of = [n for n, own in enumerate(digits) for _ in own]
        self.digit_of = [digit for own in digits for digit in own]
        self._number = {
            (self.cells[n], digit): number
            for number, (n, digit) in enumerate(zip(self.cell_of, self.digit_of, strict=True))
        }
        self.of: list[Sequence[int]] = self._list_neighbours(puzzle.constraints)

    def _list_neighbours(self, constraints: Constraints) -> list[Sequence[int]]:
        """For each candidate the numbers of those that it excludes in other cells."""
        places: list[dict[int, list[int]]] = [{} for _ in constraints.units]
        for (cell, digit), number in self._number.items():
            for unit in constraints.units_of[cell]:
                places[unit].setdefault(digit, []).append(number)
        by_pairs = self._list_pairs(constraints)
        neighbours: list[Sequence[int]] = []
        for (cell, digit), number in self._number.items():
            excluded = set(by_pairs.get(number, ()))
            for unit in constraints.units_of[cell]:
                excluded.update(places[unit][digit])
            excluded.discard(number)
            neighbours.append(tuple(sorted(excluded)))
        return neighbours

    def _list_pairs(self, constraints: Constraints) -> dict[int, list[int]]:
        """What candidates exclude by rules about pairs of cells."""
        excluded: dict[int, list[int]] = {}
        for pair in constraints.pairs:
            for cell, other, excludes in pair.both_ways():
                for digit in digits_of(self._candidates.get(cell, 0)):
                    common = excludes[digit] & self._candidates.get(other, 0)
                    numbers = [self._number[other, each] for each in digits_of(common)]
                    excluded.setdefault(self._number[cell, digit], []).extend(numbers)
        return excluded


def count_neighbours(puzzle: Puzzle, candidates: Mapping[int, int]) -> int:
    """About how many neighbours there will be, without making them: pairs of a digit in a unit."""
    total = 0
    for unit in puzzle.constraints.units:
        places = [0] * (puzzle.geometry.size + 1)
        for cell in unit.cells:
            for digit in digits_of(candidates.get(cell, 0)):
                places[digit] += 1
        total += sum(count * count for count in places)
    return total
