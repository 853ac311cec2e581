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
from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import and_, or_
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
    exclude of what was left when it was met first, and `beside` the ends of which nothing can hold
    beside it.
    """

    def __init__(self, position: Position) -> None:
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

    def excluded_by(self, mask: int) -> int:
        """The candidates that each of these excludes."""
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
        position, ends = self._position, self.ends
        cuts = _cuts(members, position.board.links, position.left & ~members)
        large = [cut for cut in cuts if cut & (cut - 1)]
        ones = set()
        for cut in cuts:
            rest = members ^ cut
            # The rest has to be excluded as a whole, too, which single cuts do of one member only.
            for other in large if rest & (rest - 1) else cuts:
                if rest and not rest & ~other:
                    # A part and the other one are the same as the other way round.
                    ones.add(min(cut, rest))
                    break
        parts = []
        for one in sorted(ones):
            other = members ^ one
            start, end = ends.number_of(one), ends.number_of(other)
            there = Leading(start, end, Strong(one, other, (truth,)))
            back = Leading(end, start, Strong(other, one, (truth,)))
            excludes = ends.excludes[start] & ~other, ends.excludes[end] & ~one
            parts.append(_Parts(*excludes, (there, back)))
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
        """For each digit of some cells its end, with what that excludes in other cells."""
        placements = self._position.board.placements
        found: dict[int, int] = {}
        for candidate in candidates_of(reduce(or_, cells)):
            digit = placements[candidate].digit
            found[digit] = found.get(digit, 0) | 1 << candidate
        here = reduce(or_, cells)
        numbers = list(map(self.ends.number_of, found.values()))
        return [(number, self.ends.excludes[number] & ~here) for number in numbers]


def _cuts(members: int, links: Sequence[int], beside: int) -> Iterable[int]:
    """What single candidates of those beside some members exclude of these."""
    # Member by member those that exclude it are told from the others: there are many candidates
    # around a truth, and few ways to cut it.
    cuts: dict[int, int] = {}
    for member in candidates_of(members):
        bit, link = 1 << member, links[member]
        told = {}
        for cut, others in cuts.items():
            here = others & link
            if here:
                told[cut | bit] = here
            if others != here:
                told[cut] = others ^ here
        cuts = told
        here = beside & link
        if here:
            cuts[bit] = here
            beside ^= here
    return cuts


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
    seen = {line: linked_to_all(mask, board.links, left) for line, mask in every.items()}
    if sum(map(bool, seen.values())) <= len(every) - len(truths):
        return None  # something has to be excluded by all that is beside the fish, and in a line
    for inside in combinations(every, len(truths)):
        beside = [line for line in every if line not in inside]
        common = reduce(and_, map(seen.__getitem__, beside), left if beside else 0)
        excludes = reduce(or_, [seen[line] & common for line in inside])
        if excludes:
            fins = reduce(or_, [every[line] for line in beside])
            is_bare = any((line & ~fins).bit_count() < 2 for line in lines)
            return Fins(fins, sum(inside), excludes, is_bare)
    return None
