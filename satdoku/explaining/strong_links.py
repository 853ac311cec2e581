"""Strong links: where none of some candidates holds, one of some others does.

A truth says so of any two parts of it: the places of a digit in a row are those in the first box
and those in the others. So do k truths whose members lie in k + 1 columns of a table, where each
column has at most one that holds: an *almost locked set*, cells of a unit with one digit more than
they are. When one of its digits has no place in them, each of the others has one.

    r1c1 [1 2]   r1c2 [2 3]        3 digits in 2 cells: no 1 here, so there is a 3
"""

from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import or_
from typing import NamedTuple

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Strong
from satdoku.puzzle.constraints import mask_of

# Larger almost locked sets are hard to see, and have smaller ones beside them: the rest of a unit.
_LARGEST_SET = 4


class _Parts(NamedTuple):
    """Two ends between which there are links both ways, and what each excludes beside the other."""

    one_excludes: int
    other_excludes: int
    links: tuple[Strong, Strong]


class _AlmostLocked(NamedTuple):
    """A set of cells by their truths: for each digit its candidates, and what these exclude."""

    ends: list[tuple[int, int]]
    truths: tuple[Truth, ...]


class StrongLinks:
    """The strong links of one board; each may be asked for again after every step.

    Links of which one end excludes nothing beside the other are left out: no chain leads through
    them.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self._common: dict[int, int] = {}
        # What was made of the same members before.
        self._parts_of: dict[int, tuple[int, list[_Parts]]] = {}
        self._sets_of: dict[int, tuple[Hashable, list[_AlmostLocked]]] = {}

    def excluded_by(self, ends: int) -> int:
        """The candidates of the board that each of these excludes, left or not."""
        common = self._common.get(ends)
        if common is None:
            common = -1
            for end in candidates_of(ends):
                common &= self._position.board.links[end]
            self._common[ends] = common
        return common

    def of_truths(self) -> list[Strong]:
        """The links that single truths make, both ways."""
        left, known = self._position.left, self._parts_of
        found: list[Strong] = []
        for truth in self._position.open_truths:
            members = truth.members & left
            before, parts = known.get(truth.number, (0, []))
            if before != members:
                parts = self._parts(truth, members)
                known[truth.number] = members, parts
            for one, other, links in parts:
                if one & left and other & left:
                    found += links
        return found

    def of_sets(self) -> list[Strong]:
        """The links that almost locked sets of two cells and more make, both ways."""
        left = self._position.left
        cells = {t.cell: t for t in self._position.open_truths if t.unit is None}
        found: list[Strong] = []
        seen: set[int] = set()
        for number, unit in enumerate(self._position.board.puzzle.constraints.units):
            here = [cells[cell] for cell in unit.cells if cell in cells]
            key = tuple(truth.members & left for truth in here)
            before, sets = self._sets_of.get(number, (None, []))
            if before != key:
                sets = self._sets(here, key)
                self._sets_of[number] = key, sets
            for ends, truths in sets:
                useful = [end for end, excludes in ends if excludes & left]
                # Cells in a row and a box make one set.
                which = mask_of(truth.cell for truth in truths) if len(useful) > 1 else 0
                if which and which not in seen:
                    seen.add(which)
                    found += (Strong(one, other, truths) for one, other in permutations(useful, 2))
        return found

    def _parts(self, truth: Truth, members: int) -> list[_Parts]:
        """The ways to part what is left of a truth so that something else excludes each part."""
        listed = candidates_of(members)
        if len(listed) == 2:
            ones = {1 << listed[0]}
        else:
            links = self._position.board.links
            near = reduce(or_, map(links.__getitem__, listed))
            found = {members & links[other] for other in candidates_of(near & ~members)}
            # A part and the other one are the same as the other way round.
            ones = {min(one, members ^ one) for one in found if one != members}
        parts = []
        for one in sorted(ones):
            other = members ^ one
            excludes = self.excluded_by(one) & ~other, self.excluded_by(other) & ~one
            if all(excludes):
                both = Strong(one, other, (truth,)), Strong(other, one, (truth,))
                parts.append(_Parts(*excludes, both))
        return parts

    def _sets(self, cells: Sequence[Truth], left: Sequence[int]) -> list[_AlmostLocked]:
        """The almost locked sets among the cells of a unit, of each of which so much is left."""
        digits = self._position.board.column_bits[0]
        # The digits of each cell as a mask, and the cell's place in the list.
        masks = [
            (reduce(or_, map(digits.__getitem__, candidates_of(members))), place)
            for place, members in enumerate(left)
        ]
        sets = []
        for size in range(2, min(_LARGEST_SET, len(cells) - 1) + 1):
            narrow = [entry for entry in masks if entry[0].bit_count() <= size + 1]
            for chosen in combinations(narrow, size):
                every = 0
                for mask, _ in chosen:
                    every |= mask
                if every.bit_count() == size + 1:
                    places = [place for _, place in chosen]
                    ends = self._ends([left[place] for place in places])
                    sets.append(_AlmostLocked(ends, tuple(cells[place] for place in places)))
        return sets

    def _ends(self, cells: Sequence[int]) -> list[tuple[int, int]]:
        """For each digit of some cells its candidates, with what they exclude in other cells."""
        placements = self._position.board.placements
        found: dict[int, int] = {}
        for candidate in candidates_of(reduce(or_, cells)):
            digit = placements[candidate].digit
            found[digit] = found.get(digit, 0) | 1 << candidate
        here = reduce(or_, cells)
        return [(end, self.excluded_by(end) & ~here) for end in found.values()]
