"""Which filled cells keep a digit out of a cell."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle


class Sight:
    """The rules of a puzzle, asked about single cells."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._constraints = puzzle.constraints
        self._pairs: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for pair in self._constraints.pairs:
            for other, cell, excludes in pair.both_ways():
                # Seen from a cell: for each digit of the other one, which of its own go.
                self._pairs[cell].append((other, excludes))

    def blocking(self, digits: Sequence[int], cell: int, digit: int) -> list[int]:
        """The filled cells whose digit does not go together with this one, in order."""
        found: set[int] = set()
        for index in self._constraints.units_of[cell]:
            found.update(
                other
                for other in self._constraints.units[index].cells
                if digits[other] == digit and other != cell
            )
        for other, excludes in self._pairs.get(cell, ()):
            if digits[other] != EMPTY and excludes[digits[other]] >> digit & 1:
                found.add(other)
        return sorted(found)

    def cover(
        self, digits: Sequence[int], places: Iterable[tuple[int, int]]
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """Few filled cells that keep digits out of cells, and the places that none keeps free.

        `places` are pairs of a cell and a digit.
        """
        blocked: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        open_places = []
        for cell, digit in places:
            found = self.blocking(digits, cell, digit)
            for other in found:
                blocked[other].add((cell, digit))
            if not found:
                open_places.append((cell, digit))
        chosen = []
        missing = set().union(*blocked.values())
        while missing:
            # The cell that accounts for the most places, the first one where several do.
            best = min(blocked, key=lambda other: (-len(blocked[other] & missing), other))
            chosen.append(best)
            missing -= blocked.pop(best)
        return sorted(chosen), open_places
