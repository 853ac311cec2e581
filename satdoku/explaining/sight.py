"""Which filled cells keep a digit out of a cell."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Truth
from satdoku.explaining.kinds import MOST_KINDS
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule


class Sight:
    """The rules of a kind of puzzles, asked about single cells."""

    def __init__(self, constraints: Constraints) -> None:
        self._constraints = constraints
        self._pairs: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for pair in self._constraints.pairs:
            for other, cell, excludes in pair.both_ways():
                # Seen from a cell: for each digit of the other one, which of its own go.
                self._pairs[cell].append((other, excludes))

    @cached_property
    def _unit_peers(self) -> list[frozenset[int]]:
        """For each cell the others that share a unit with it."""
        units = self._constraints.units
        return [
            frozenset().union(*(units[index].cells for index in places)) - {cell}
            for cell, places in enumerate(self._constraints.units_of)
        ]

    def blocking(self, digits: Sequence[int], cell: int, digit: int) -> list[int]:
        """The filled cells whose digit does not go together with this one, in order."""
        found = {other for other in self._unit_peers[cell] if digits[other] == digit}
        for other, excludes in self._pairs.get(cell, ()):
            if digits[other] != EMPTY and excludes[digits[other]] >> digit & 1:
                found.add(other)
        return sorted(found)

    def missing(
        self, truth: Truth, digits: Sequence[int], holds: Placement | None = None
    ) -> list[Placement]:
        """The places of a truth in empty cells, whether or not excluded, but for what holds."""
        if truth.unit is None:
            every = range(1, self._constraints.geometry.size + 1)
            places = [Placement(truth.cell, digit) for digit in every]
        else:
            empty = (cell for cell in truth.unit.cells if digits[cell] == EMPTY)
            places = [Placement(cell, truth.digit) for cell in empty]
        return [place for place in places if place != holds]

    def cover(
        self, digits: Sequence[int], places: Iterable[Placement]
    ) -> tuple[list[int], list[Placement]]:
        """Few filled cells that keep digits out of cells, and the places that none keeps free."""
        blocked: defaultdict[int, set[Placement]] = defaultdict(set)
        open_places = []
        for place in places:
            found = self.blocking(digits, *place)
            for other in found:
                blocked[other].add(place)
            if not found:
                open_places.append(place)
        chosen = []
        missing = set().union(*blocked.values())
        while missing:
            # The cell that accounts for the most places, the first one where several do.
            best = min(blocked, key=lambda other: (-len(blocked[other] & missing), other))
            chosen.append(best)
            missing -= blocked.pop(best)
        return sorted(chosen), open_places


def sight_of(puzzle: Puzzle) -> Sight:
    """What puzzles with the same rules see, worked out once for all of them."""
    return _sight_of(puzzle.geometry, puzzle.rules)


@lru_cache(maxsize=MOST_KINDS)
def _sight_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Sight:
    return Sight(constraints_of(geometry, rules))
