"""Strong links: where none of some candidates holds, one of some others does.

A truth says so of any two parts of it: the places of a digit in a row are those in the first box
and those in the others. So do k truths whose members lie in k + 1 columns of a table, where each
column has at most one that holds: an *almost locked set*, cells of a unit with one digit more than
they are. When one of its digits has no place in them, each of the others has one.

    r1c1 [1 2]   r1c2 [2 3]        3 digits in 2 cells: no 1 here, so there is a 3

Lines of a digit that would be a fish, but for some *fins*, make one too: a fin holds, or the fish
does.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import or_
from typing import NamedTuple

from satdoku.explaining.bits import linked_to_all
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Strong
from satdoku.puzzle.constraints import mask_of

# Larger almost locked sets are hard to see, and have smaller ones beside them: the rest of a unit.
_LARGEST_SET = 4


class Leading(NamedTuple):
    """A strong link with the numbers of its two ends."""

    start: int
    end: int
    link: Strong


class Ends:
    """The ends of strong links by number: masks of candidates, one of which holds or none.

    They keep their numbers for all of a way. `excludes` has for each what all its candidates
    exclude, left or not, and `beside` the ends of which nothing can hold beside it.
    """

    def __init__(self, position: Position) -> None:
        self._links = position.board.links
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
            gone = linked_to_all(mask, self._links)
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

    def excluded_by(self, mask: int) -> int:
        """The candidates of the board that each of these excludes, left or not."""
        return self.excludes[self.number_of(mask)]


class _Parts(NamedTuple):
    """Two ends between which there are links both ways, and what each excludes beside the other."""

    one_excludes: int
    other_excludes: int
    links: tuple[Leading, Leading]


class _AlmostLocked:
    """A set of cells by their truths: for each digit its candidates, and what these exclude."""

    def __init__(self, ends: Sequence[tuple[int, int]], truths: tuple[Truth, ...]) -> None:
        self.cells = mask_of(truth.cell for truth in truths)
        self._ends = ends
        self._truths = truths
        self._useful: list[int] = []
        self._links: list[Leading] = []

    def links(self, ends: Ends, left: int) -> list[Leading]:
        """The links between those ends that exclude anything that is left."""
        useful = [end for end, excludes in self._ends if excludes & left]
        if useful != self._useful:
            self._useful = useful
            masks = ends.masks
            self._links = [
                Leading(one, other, Strong(masks[one], masks[other], self._truths))
                for one, other in permutations(useful, 2)
            ]
        return self._links


class StrongLinks:
    """The strong links of one board; each may be asked for again after every step.

    Links of which one end excludes nothing beside the other are left out: no chain leads through
    them.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self.ends = Ends(position)
        # What was made of the same members before.
        self._parts_of: dict[int, tuple[int, list[_Parts]]] = {}
        # What single candidates exclude of each truth, as far as it was left at first.
        self._cuts_of: dict[int, set[int]] = {}
        self._sets_of: dict[int, tuple[Hashable, list[_AlmostLocked]]] = {}

    def of_truths(self) -> list[Leading]:
        """The links that single truths make, both ways."""
        left, known = self._position.left, self._parts_of
        found: list[Leading] = []
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

    def of_sets(self) -> list[Leading]:
        """The links that almost locked sets of two cells and more make, both ways."""
        left = self._position.left
        cells = {t.cell: t for t in self._position.open_truths if t.unit is None}
        found: list[Leading] = []
        seen: set[int] = set()
        for number, unit in enumerate(self._position.board.puzzle.constraints.units):
            here = [cells[cell] for cell in unit.cells if cell in cells]
            key = tuple(truth.members & left for truth in here)
            before, sets = self._sets_of.get(number, (None, []))
            if before != key:
                sets = self._sets(here, key)
                self._sets_of[number] = key, sets
            for almost_locked in sets:
                links = almost_locked.links(self.ends, left)
                # Cells in a row and a box make one set.
                if links and almost_locked.cells not in seen:
                    seen.add(almost_locked.cells)
                    found += links
        return found

    def _parts(self, truth: Truth, members: int) -> list[_Parts]:
        """The ways to part what is left of a truth so that something else excludes each part."""
        links, ends = self._position.board.links, self.ends
        if members.bit_count() == 2:
            ones = {members & -members}
        else:
            # A part that nothing excludes as a whole leads no chain on, so only those ways to part
            # the members are looked at that some candidate outside makes. A part and the other one
            # are the same as the other way round.
            found = {members & cut for cut in self._cuts(truth, members)} - {0, members}
            ones = {min(one, members ^ one) for one in found}
        outside = self._position.left & ~members
        parts = []
        for one in sorted(ones):
            other = members ^ one
            if linked_to_all(one, links, outside) and linked_to_all(other, links, outside):
                start, end = ends.number_of(one), ends.number_of(other)
                there = Leading(start, end, Strong(one, other, (truth,)))
                back = Leading(end, start, Strong(other, one, (truth,)))
                excludes = ends.excludes[start] & ~other, ends.excludes[end] & ~one
                parts.append(_Parts(*excludes, (there, back)))
        return parts

    def _cuts(self, truth: Truth, members: int) -> set[int]:
        """What single candidates exclude of a truth; candidates that go later make none anew."""
        cuts = self._cuts_of.get(truth.number)
        if cuts is None:
            links = self._position.board.links
            near = reduce(or_, map(links.__getitem__, candidates_of(members)))
            cuts = {members & links[other] for other in candidates_of(near & ~members)}
            self._cuts_of[truth.number] = cuts
        return cuts

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
        """For each digit of some cells its end, with what that excludes in other cells."""
        placements = self._position.board.placements
        found: dict[int, int] = {}
        for candidate in candidates_of(reduce(or_, cells)):
            digit = placements[candidate].digit
            found[digit] = found.get(digit, 0) | 1 << candidate
        here = reduce(or_, cells)
        numbers = list(map(self.ends.number_of, found.values()))
        return [(number, self.ends.excludes[number] & ~here) for number in numbers]


class Fins(NamedTuple):
    """What keeps lines of a digit from being a fish: `fins`, outside of as many `crossing` lines.

    `excludes` is what both the fins and the fish exclude. It `is_bare` where, without fins, a line
    would have a single place.
    """

    fins: int
    crossing: int
    excludes: int
    is_bare: bool


def find_fins(board: Board, left: int, truths: Sequence[Truth]) -> Fins | None:
    """The first choice of fins that excludes something."""
    unit = truths[0].unit
    assert unit is not None, "a fish is made of lines"
    line_of = board.column_bits[3 if unit.kind == "row" else 2]
    lines = [truth.members & left for truth in truths]
    every: defaultdict[int, int] = defaultdict(int)
    for member in candidates_of(reduce(or_, lines)):
        every[line_of[member]] |= 1 << member
    for inside in combinations(every, len(truths)):
        fins = reduce(or_, [mask for line, mask in every.items() if line not in inside], 0)
        common = linked_to_all(fins, board.links, left) if fins else 0
        if not common:
            continue
        excludes = reduce(or_, [linked_to_all(every[at], board.links, common) for at in inside])
        if excludes:
            is_bare = any((line & ~fins).bit_count() < 2 for line in lines)
            return Fins(fins, sum(inside), excludes, is_bare)
    return None
