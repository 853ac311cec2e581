"""How a full grid falls into regions that nobody has drawn: a search that knows no SAT.

A region is as many cells as there are digits. They hang together by their sides, and no digit
stands twice among them. The search takes the cell with the fewest ways onward, tries all regions
with it, and goes on with the cells that are left.
"""

from collections.abc import Callable, Iterator, Sequence

from satdoku.errors import TooLargeError
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.geometry import Geometry

Region = int
"""The cells of a region, as a mask: bit c stands for cell c."""

# Grids of published puzzles take a few thousand, within a tenth of a second, or 300,000 where clues
# count nothing but regions; so many take four seconds.
MOST_TRIED = 2_000_000


def find_divisions(
    geometry: Geometry,
    digits: Sequence[int],
    may_be: Callable[[Region], bool],
    may_begin: Callable[[Sequence[Region]], bool] = lambda _: True,
) -> Iterator[tuple[Region, ...]]:
    """All ways in which a full grid falls into regions for each of which `may_be` holds.

    After each region `may_begin` is asked about those found so far: where it says no, the search
    goes no further with them.
    """
    return _Search(geometry, digits, may_be, may_begin).divide((), (1 << geometry.cell_count) - 1)


class _Search:
    def __init__(
        self,
        geometry: Geometry,
        digits: Sequence[int],
        may_be: Callable[[Region], bool],
        may_begin: Callable[[Sequence[Region]], bool],
    ) -> None:
        self._size = geometry.size
        self._digits = [1 << digit for digit in digits]
        self._beside = [
            sum(1 << other for other in geometry.beside(cell))
            for cell in range(geometry.cell_count)
        ]
        self._may_be = may_be
        self._may_begin = may_begin
        self._tried = 0

    def divide(self, found: tuple[Region, ...], left: Region) -> Iterator[tuple[Region, ...]]:
        """The regions that were found, with those of the cells that are left."""
        if not left:
            yield found
            return
        for region in self._regions_with(self._most_enclosed(left), left):
            so_far, rest = (*found, region), left & ~region
            if self._may_begin(so_far) and self._falls_into_parts(rest):
                yield from self.divide(so_far, rest)

    def _most_enclosed(self, left: Region) -> Region:
        """The cell with the fewest neighbours that are left, since few regions can have it."""
        return 1 << min(digits_of(left), key=lambda cell: (self._beside[cell] & left).bit_count())

    def _regions_with(self, start: Region, left: Region) -> Iterator[Region]:
        """All regions among the cells that are left with the one at `start`, each once."""
        first = start.bit_length() - 1
        # A region so far, its digits, the cells that may come next, and those that may not.
        waiting = [(start, self._digits[first], self._beside[first] & left, ~left | start)]
        while waiting:
            region, seen, edge, closed = waiting.pop()
            if region.bit_count() == self._size:
                if self._may_be(region):
                    yield region
                continue
            self._count()
            while edge:
                bit = edge & -edge
                edge ^= bit
                cell = bit.bit_length() - 1
                # Whatever comes later on this level does without the cell.
                closed |= bit
                if not seen & self._digits[cell]:
                    further = (edge | self._beside[cell]) & ~closed
                    waiting.append((region | bit, seen | self._digits[cell], further, closed))

    def _falls_into_parts(self, left: Region) -> bool:
        """Whether the cells that are left hang together in parts that regions can fill."""
        while left:
            part, edge = 0, left & -left
            while edge:
                part |= edge
                around = 0
                while edge:
                    bit = edge & -edge
                    edge ^= bit
                    around |= self._beside[bit.bit_length() - 1]
                edge = around & left & ~part
            if part.bit_count() % self._size:
                return False
            left &= ~part
        return True

    def _count(self) -> None:
        self._tried += 1
        if self._tried > MOST_TRIED:
            # Costs this puzzle its verdict, and no other one of a run.
            raise TooLargeError(
                f"more than {MOST_TRIED:,} ways to draw hidden regions were tried on a grid"
            )
