"""The candidates of a board while they are being pruned, and what has to be looked at again.

Every unit begins as one part: its empty cells. Wherever reasoning finds a Hall set, the part
splits, and from then on a change in one part needs no look at the others. Parts are what is looked
at again, the smallest first: they cost least, and what they exclude often settles larger ones.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import permutations
from typing import NamedTuple

from satdoku.deducing.all_different import ImpossibleError, Matching
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.constraints import Constraints, Masks, digits_of
from satdoku.puzzle.puzzle import Puzzle


class Part:
    """Cells of a unit that share no digit with the other empty cells of this unit.

    When it `is_hall_set`, it has as many digits as cells, so that each digit is in one of them.
    """

    def __init__(self, unit: int, cells: list[int], is_hall_set: bool) -> None:
        self.unit = unit
        self.cells = cells
        self.is_hall_set = is_hall_set
        # Digits whose places changed since they were looked at.
        self.changed_digits = 0
        self.is_queued = False


class Membership(NamedTuple):
    """A unit of a cell, and the cell's bit in the masks of places of this unit."""

    unit: int
    bit: int


class PrunedBoard:
    """Candidates as masks of digits for each cell, and as masks of places for each unit and digit.

    `masks[cell]` are the digits left to a cell; 0 for a given. `places[unit][digit]` are the cells
    left to a digit: bit n is the n-th cell of the unit.
    """

    def __init__(self, puzzle: Puzzle, masks: Mapping[int, int] | None = None) -> None:
        """`masks` are candidates known to be enough; without them, all that givens leave open."""
        self.constraints: Constraints = puzzle.constraints
        self.size = puzzle.geometry.size
        missing = find_missing(puzzle)
        found = dict(find_candidates(puzzle, missing)) if masks is None else masks
        self.masks = [0] * puzzle.geometry.cell_count
        for cell, mask in found.items():
            if not mask:
                raise ImpossibleError
            self.masks[cell] = mask
        self.parts_of: list[dict[int, Part]] = [{} for _ in self.masks]
        self.memberships: list[Sequence[Membership]] = [()] * len(self.masks)
        self.matchings = [Matching(self.size) for _ in self.constraints.units]
        self.places: list[list[int]] = []
        # Cells with one digit that their units do not know of yet.
        self.settled = [cell for cell, mask in found.items() if not mask & (mask - 1)]
        # For two units, the cells of the first that lie in the second too, where these are several.
        self.overlaps: dict[tuple[int, int], int] = {}
        self.pairs = _pairs_by_cell(puzzle)
        self.cells_with_pairs = {cell for cell in self.pairs if self.masks[cell]}
        # Parts whose digits changed places, and parts whose cells lost digits.
        self.with_changed_digits: list[Part] = []
        self._queue: list[tuple[int, int, Part]] = []
        self._queued_ever = 0
        self._add_units(missing)

    @property
    def candidates(self) -> dict[int, int]:
        """The digits that are left to each cell that is not given."""
        return {cell: mask for cell, mask in enumerate(self.masks) if mask}

    def remove(self, cell: int, digits: int, reasoned_in: int = -1) -> None:
        """Takes digits from a cell that may have them, and notes what has to be looked at again.

        `reasoned_in` is the unit from whose components that follows, if any. The part there need
        not be looked at again: whoever split it into components has already noted what changed.
        """
        mask = self.masks[cell]
        digits &= mask
        if not digits:
            return
        mask ^= digits
        if not mask:
            raise ImpossibleError
        self.masks[cell] = mask
        self._note_cell(cell, mask)
        removed = digits_of(digits)
        for unit, bit in self.memberships[cell]:
            places = self.places[unit]
            for digit in removed:
                places[digit] ^= bit
        for unit, part in self.parts_of[cell].items():
            if unit != reasoned_in:
                self.note_changes(part, digits)
                if not part.is_queued:
                    self.queue(part)

    def _note_cell(self, cell: int, mask: int) -> None:
        """Has a cell that lost digits looked at again, where that can lead to anything."""
        if not mask & (mask - 1):
            self.settled.append(cell)
        if cell in self.pairs:
            self.cells_with_pairs.add(cell)

    def note_changes(self, part: Part, digits: int) -> None:
        """Has the places of some digits of a part looked at again."""
        if not part.changed_digits:
            self.with_changed_digits.append(part)
        part.changed_digits |= digits

    def queue(self, part: Part) -> None:
        """Has the components of a part looked at again."""
        part.is_queued = True
        self._queued_ever += 1
        # The running number only keeps the heap from comparing parts.
        heappush(self._queue, (len(part.cells), self._queued_ever, part))

    def next_part(self) -> Part | None:
        """The smallest part in the queue."""
        if not self._queue:
            return None
        part = heappop(self._queue)[2]
        part.is_queued = False
        return part

    def remove_from_places(self, unit: int, places: int, digit: int) -> None:
        """Takes a digit from some of the cells of a unit."""
        cells = self.constraints.units[unit].cells
        while places:
            bit = places & -places
            places ^= bit
            self.remove(cells[bit.bit_length() - 1], 1 << digit)

    def _add_units(self, missing: Sequence[int]) -> None:
        memberships: list[list[Membership]] = [[] for _ in self.masks]
        for index, unit in enumerate(self.constraints.units):
            places = [0] * (self.size + 1)
            cells = []
            for position, cell in enumerate(unit.cells):
                if self.masks[cell]:
                    bit = 1 << position
                    cells.append(cell)
                    memberships[cell].append(Membership(index, bit))
                    for digit in digits_of(self.masks[cell]):
                        places[digit] |= bit
            self.places.append(places)
            if cells:
                self._add_part(index, cells, missing[index])
        for cell, units in enumerate(memberships):
            self.memberships[cell] = units
        self._find_overlaps()

    def _find_overlaps(self) -> None:
        overlaps: defaultdict[tuple[int, int], int] = defaultdict(int)
        for memberships in self.memberships:
            for (unit, bit), (other, _) in permutations(memberships, 2):
                overlaps[unit, other] |= bit
        # In a single common cell pointing says no more than that the digit is there.
        self.overlaps = {units: bits for units, bits in overlaps.items() if bits & (bits - 1)}

    def _add_part(self, index: int, cells: list[int], missing: int) -> None:
        """A unit as the part that it is in the beginning."""
        is_hall_set = self.constraints.has_every_digit(self.constraints.units[index])
        if is_hall_set and any(not self.places[index][digit] for digit in digits_of(missing)):
            raise ImpossibleError
        part = Part(index, cells, is_hall_set)
        for cell in cells:
            self.parts_of[cell][index] = part
        self.note_changes(part, missing)
        self.queue(part)


def _pairs_by_cell(puzzle: Puzzle) -> dict[int, list[tuple[int, Masks]]]:
    """For each cell of a pair the other cells, with what each digit here excludes there."""
    pairs: dict[int, list[tuple[int, Masks]]] = {}
    for pair in puzzle.constraints.pairs:
        for cell, other, excludes in pair.both_ways():
            pairs.setdefault(cell, []).append((other, excludes))
    return pairs
