"""Strong links: where none of some candidates holds, one of some others does.

A truth says so of any two parts of it: the places of a digit in a row are those in the first box
and those in the others. So do k truths whose members lie in k + 1 columns of a table, where each
column has at most one that holds: an *almost locked set*, cells of a unit with one digit more than
they are. When one of its digits has no place in them, each of the others has one.

    r1c1 [1 2]   r1c2 [2 3]        3 digits in 2 cells: no 1 here, so there is a 3

`name_chain` says what players call a chain of such links; it knows it from the shape.
"""

from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import combinations, permutations
from operator import or_
from typing import NamedTuple

from satdoku.explaining.board import AREAS, LINES, Board, Truth, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Strong, Technique
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


# Chains of three links by their truths: V for the digits of a cell, L for the places of a digit.
_WINGS = {
    "LLV": Technique.M_WING,
    "VLL": Technique.M_WING,
    "LVL": Technique.S_WING,
    "VLV": Technique.W_WING,
    "LLL": Technique.L_WING,
}


def name_chain(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """The name of a chain: by its digits, its length, and what its links are."""
    ends = [mask for link in chain for mask in (link.off, link.on)]
    if any(len(link.truths) > 1 for link in chain):
        return _name_with_sets(board, left, chain)
    is_grouped = any(mask & (mask - 1) for mask in ends)
    digits = {board.placements[c].digit for mask in ends for c in candidates_of(mask)}
    if len(digits) == 1:
        if len(chain) == 2:
            return _name_of_two_links(board, chain, is_grouped)
        return Technique.GROUPED_X_CHAIN if is_grouped else Technique.X_CHAIN
    kinds = "".join("V" if link.truths[0].unit is None else "L" for link in chain)
    if "L" not in kinds:
        if len(digits) == 2:
            return Technique.REMOTE_PAIR
        return Technique.XY_WING if len(chain) == 3 else Technique.XY_CHAIN
    if is_grouped:
        return Technique.GROUPED_CHAIN
    if len(chain) == 3:
        is_of_two = len(digits) == 2 or kinds == "LLL"
        return _WINGS.get(kinds, Technique.H_WING) if is_of_two else Technique.H_WING
    return Technique.LOOP if is_loop(board, chain) else Technique.CHAIN


def is_loop(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether the two ends exclude each other, so that exactly one of them holds."""
    end = chain[-1].on
    return all(not end & ~board.links[start] for start in candidates_of(chain[0].off))


def _name_of_two_links(board: Board, chain: tuple[Strong, ...], is_grouped: bool) -> Technique:
    kinds = [link.truths[0].unit.kind for link in chain if link.truths[0].unit is not None]
    is_of_lines = set(kinds) <= set(LINES)
    if is_grouped and kinds[0] == kinds[1] and is_of_lines:
        return _name_with_fins(board, chain, kinds[0])
    if is_grouped:
        is_empty = any(_is_area(link) and not _is_single(link) for link in chain)
        return Technique.EMPTY_RECTANGLE if is_empty else Technique.GROUPED_X_CHAIN
    if set(kinds) == set(LINES):
        return Technique.TWO_STRING_KITE
    if kinds[0] == kinds[1] and is_of_lines:
        return Technique.SKYSCRAPER
    return Technique.TURBOT_FISH


def _is_area(link: Strong) -> bool:
    """Whether a link is about a box, or a region in its place."""
    unit = link.truths[0].unit
    return unit is not None and unit.kind in AREAS


def _is_single(link: Strong) -> bool:
    """Whether both ends are single candidates."""
    return not link.off & (link.off - 1) and not link.on & (link.on - 1)


def _name_with_fins(board: Board, chain: tuple[Strong, ...], kind: str) -> Technique:
    """Two lines of a digit, one with more places: an X-wing with fins, or a part of one."""
    geometry = board.puzzle.geometry
    crossing = geometry.column_of if kind == "row" else geometry.row_of
    start, end = (
        {crossing(board.placements[c].cell) for c in candidates_of(mask)}
        for mask in (chain[0].off, chain[-1].on)
    )
    return Technique.FINNED_X_WING if start & end else Technique.SASHIMI_X_WING


def _name_with_sets(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """A chain through cells with one digit more than they are."""
    truths = [truth for link in chain for truth in link.truths]
    if any(truth.unit is not None for truth in truths) or len(chain) not in (2, 3):
        return Technique.ALS_CHAIN
    if len(chain) == 3:
        return Technique.ALS_XY_WING
    if is_loop(board, chain) and _is_at_crossing(board, chain):
        return Technique.SUE_DE_COQ
    digits = {board.placements[c].digit for t in truths for c in candidates_of(t.members & left)}
    if len(digits) == len(truths):
        named = {3: Technique.XYZ_WING, 4: Technique.WXYZ_WING}
        return named.get(len(truths), Technique.ALS_XZ)
    return Technique.ALS_XZ


def _is_at_crossing(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether a set of one unit has several cells in a unit of the other."""
    constraints = board.puzzle.constraints
    one, other = ([truth.cell for truth in link.truths] for link in chain)
    for cells, others in ((one, other), (other, one)):
        shared = set.intersection(*(set(constraints.units_of[cell]) for cell in others))
        if any(len(set(cells) & set(constraints.units[unit].cells)) > 1 for unit in shared):
            return True
    return False
