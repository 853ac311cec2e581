"""The ends of strong links by number, and links by the numbers of their ends."""

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from satdoku.explaining.bits import linked_to_all
from satdoku.explaining.board import Truth, candidates_of

if TYPE_CHECKING:
    from satdoku.explaining.position import Position

# A strong link by the numbers of its ends, the one of which nothing holds and the other, and its
# truths.
Leading = tuple[int, int, tuple[Truth, ...]]


class Finned(NamedTuple):
    """A strong link that counts where one of the candidates `only` is supposed to hold.

    Each of these excludes its *fins*, the members of its truth that lie at neither end.
    """

    link: Leading
    only: int


class Ends:
    """The ends of strong links by number: masks of candidates, one of which holds or none.

    They keep their numbers for all of a way. `excludes` has for each what all its candidates
    exclude of what was left when it was met first, and `beside` the ends of which nothing can hold
    beside it.
    """

    def __init__(self, position: "Position") -> None:
        self._position = position
        self._numbers: dict[int, int] = {}
        self._with_lowest: defaultdict[int, list[int]] = defaultdict(list)
        self.masks: list[int] = []
        self.excludes: list[int] = []
        self.beside: list[list[int]] = []

    def number_of(self, mask: int) -> int:
        """The number of an end, a new one where it was not met before."""
        number = self._numbers.get(mask)
        if number is None:
            number = self._numbers[mask] = len(self.masks)
            gone = linked_to_all(mask, self._position.board.links, self._position.left)
            # Links go both ways, so what an end excludes as a whole excludes it as a whole.
            beside = [
                other
                for candidate in candidates_of(gone)
                for other in self._with_lowest.get(candidate, ())
                if not self.masks[other] & ~gone
            ]
            for other in beside:
                self.beside[other].append(number)
            self.masks.append(mask)
            self.excludes.append(gone)
            self.beside.append(beside)
            self._with_lowest[(mask & -mask).bit_length() - 1].append(number)
        return number
