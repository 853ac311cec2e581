"""Strong links: if no candidate of one end holds, a candidate of the other end does.

A truth that is split in two joins its parts by a strong link, such as a digit's places in a row
within the first box and those in the other boxes. So are any two columns of an *almost locked set*:
k truths whose members lie in k + 1 columns of a table, with at most one member of each column that
holds, such as k cells of a unit with k + 1 digits. If one of the digits has no place in them, each
of the others has one.

    r1c1 [1 2]   r1c2 [2 3]        3 digits in 2 cells: no 1 here, so there is a 3

The k lines of a digit whose places lie in k + 1 crossing lines are such a set as well: if one
crossing line has no place, there is a fish, so each of the others has one.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations, permutations
from operator import and_, or_
from typing import NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of, linked_to_all
from satdoku.explaining.position import Position
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.limits import Budget

# Ends of strong links have numbers, and links refer to them by number.

# A strong link: the number of the end of which no candidate holds, the number of the end that then
# does, and the truths.
Leading = tuple[int, int, tuple[Truth, ...]]


class Finned(NamedTuple):
    """A strong link that is valid only if one of the candidates `only` is supposed to hold.

    Each of these candidates excludes its *fins*, the members of its truth that are in neither end.
    """

    link: Leading
    only: int


class Ends:
    """The numbered ends of strong links: masks of candidates of which at most one holds.

    Ends keep their numbers for a whole way. `excludes` has for each end the candidates, of those
    left when the end was first met, that all its candidates exclude; `beside` has the ends all of
    whose candidates are among these.
    """

    def __init__(self, position: "Position") -> None:
        self._position = position
        self._numbers: dict[int, int] = {}
        self._with_lowest: defaultdict[int, list[int]] = defaultdict(list)
        self.masks: list[int] = []
        self.excludes: list[int] = []
        self.beside: list[list[int]] = []

    def number_of(self, mask: int) -> int:
        """Return the number of an end; an end not met before gets a new one."""
        number = self._numbers.get(mask)
        if number is None:
            number = self._numbers[mask] = len(self.masks)
            gone = linked_to_all(mask, self._position.board.links, self._position.left)
            # Links are symmetric: if an end excludes all of another end, the other excludes all of
            # it.
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


# The most cells of an almost locked set: larger ones are hard to see, and the rest of their unit is
# mostly a smaller one.
_MOST_CELLS = 4
# The most lines of a digit in an almost locked set: nobody sees four lines with fins.
_MOST_LINES = 3

# Work units charged for each member, so that time is checked every millisecond on 25x25 boards.
_WORK_A_MEMBER = 32


class _Parts(NamedTuple):
    """The links, both ways, between two parts of a truth.

    With the links come the candidates that each part excludes outside the other; when one has none
    left, no chain can use the links.
    """

    one_excludes: int
    other_excludes: int
    links: tuple[Leading, Leading]


class _Cuts(NamedTuple):
    """The cuts of a truth: parts of its members that a candidate excludes; `who` has these.

    `parts_of` has for each cut, taken as fins, the parts of the other members.
    """

    members: int
    who: dict[int, int]
    parts_of: dict[int, list[_Parts]]


class _AlmostLocked:
    """An almost locked set: its truths, and for each column the end and what the end excludes."""

    def __init__(self, ends: Sequence[tuple[int, int]], truths: tuple[Truth, ...]) -> None:
        self.truths = mask_of(truth.number for truth in truths)
        self._ends = ends
        self._truths = truths
        self._useful: list[int] = []
        self._links: list[Leading] = []

    def links(self, left: int) -> list[Leading]:
        """Return the links between those ends that exclude a remaining candidate."""
        useful = [end for end, excludes in self._ends if excludes & left]
        if useful != self._useful:
            self._useful = useful
            self._links = [(one, other, self._truths) for one, other in permutations(useful, 2)]
        return self._links


class _Columns(NamedTuple):
    """Disjoint truths, the column of each candidate, and the most truths of a set."""

    truths: list[Truth]
    column_of: Sequence[int]
    most: int


class StrongLinks:
    """The strong links of one board; the methods may be called again after every step.

    Links with an end that excludes nothing outside the other end are left out: no chain can use
    them.
    """

    def __init__(self, position: Position, budget: Budget | None = None) -> None:
        self._position = position
        self._budget = budget or Budget()
        self.ends = Ends(position)
        # Results by truth or table, reused while the remaining members are the same.
        self._parts_of: dict[int, tuple[int, list[_Parts]]] = {}
        self._cuts_of: dict[int, _Cuts] = {}
        self._sets_of: dict[int, tuple[Hashable, list[_AlmostLocked]]] = {}

    def of_truths(self) -> list[Leading]:
        """Return the links of single truths, both ways."""
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

    def of_finned(self, suspects: int) -> list[Finned]:
        """Return the links of single truths that are valid if their fins are excluded.

        The fins are the members that one of the `suspects` excludes; the other members make two
        ends.
        """
        left = self._position.left
        found: list[Finned] = []
        for truth in self._position.open_truths:
            members = truth.members & left
            if members.bit_count() < 3:
                continue
            cuts = self._cuts(truth, members)
            for fins, who in cuts.who.items():
                only = who & suspects
                if only:
                    for one, other, links in self._parts_beside(fins, truth, cuts):
                        if one & left and other & left:
                            found += [Finned(link, only) for link in links]
        return found

    def of_sets(self) -> list[Leading]:
        """Return the links of almost locked sets of two or more truths, both ways."""
        left = self._position.left
        is_open = {truth.number for truth in self._position.open_truths}
        found: list[Leading] = []
        seen: set[int] = set()
        for number, table in enumerate(self._tables):
            here = [truth for truth in table.truths if truth.number in is_open]
            key = tuple(truth.members & left for truth in here)
            before, sets = self._sets_of.get(number, (None, []))
            if before != key:
                self._budget.work(_WORK_A_MEMBER * sum(map(int.bit_count, key)))
                sets = self._sets(table, here, key)
                self._sets_of[number] = key, sets
            for almost_locked in sets:
                links = almost_locked.links(left)
                # Cells that share a row and a box are found twice.
                if links and almost_locked.truths not in seen:
                    seen.add(almost_locked.truths)
                    found += links
        return found

    @cached_property
    def _tables(self) -> list[_Columns]:
        """Return tables: cells by digits for each unit, lines by crossing lines for each digit."""
        tables = self._position.board.tables
        digits = tables.bits.digits
        found = [_Columns(cells, digits, _MOST_CELLS) for cells in tables.cells_of_units]
        return found + [_Columns(*line, _MOST_LINES) for line in tables.lines]

    def _parts(self, truth: Truth, members: int) -> list[_Parts]:
        """Return the splits of these members in two parts each of which some candidate excludes."""
        self._budget.work(_WORK_A_MEMBER * members.bit_count())
        # Most truths have too many members for two cuts.
        if members.bit_count() > 2 * self._position.board.tables.widest_cut_of(truth):
            return []
        return self._split(self._cuts(truth, members).who, truth, members)

    def _cuts(self, truth: Truth, members: int) -> _Cuts:
        """Return the parts of these members that a candidate excludes, and by which candidates."""
        known = self._cuts_of.get(truth.number)
        if known is None or known.members != members:
            self._budget.work(_WORK_A_MEMBER * members.bit_count())
            board = self._position.board
            # The cuts of fewer members come from those of more. Excluded candidates count as well,
            # so that the result depends on the members alone.
            wider = board.tables.cuts_of(truth) if known is None else known.who.items()
            who: dict[int, int] = {}
            for cut, around in wider:
                here, outside = cut & members, around & board.every_candidate
                if here and outside:
                    # Cuts that differ only in members already excluded become one cut.
                    who[here] = who.get(here, 0) | outside
            known = self._cuts_of[truth.number] = _Cuts(members, who, {})
        return known

    def _parts_beside(self, fins: int, truth: Truth, cuts: _Cuts) -> list[_Parts]:
        """Return the splits in two of the members of a truth that are not fins."""
        parts = cuts.parts_of.get(fins)
        if parts is None:
            rest = cuts.members ^ fins
            smaller = {cut & rest for cut in cuts.who if cut & rest}
            parts = cuts.parts_of[fins] = self._split(smaller, truth, rest)
        return parts

    def _split(self, cuts: Collection[int], truth: Truth, members: int) -> list[_Parts]:
        """Return the splits of these members in two parts each of which is a cut or within one."""
        ends = self.ends
        large = [cut for cut in cuts if cut & (cut - 1)]
        ones = set()
        for cut in cuts:
            rest = members ^ cut
            # The split is the same with its parts swapped, so only one order is kept.
            if rest in cuts:
                ones.add(min(cut, rest))
                continue
            # The rest must lie within a cut, too; for a rest of several members that is a large
            # cut.
            for other in large if rest & (rest - 1) else cuts:
                if rest and not rest & ~other:
                    ones.add(min(cut, rest))
                    break
        parts, truths = [], (truth,)
        for one in sorted(ones):
            other = members ^ one
            start, end = ends.number_of(one), ends.number_of(other)
            there, back = (start, end, truths), (end, start, truths)
            excludes = ends.excludes[start] & ~other, ends.excludes[end] & ~one
            parts.append(_Parts(*excludes, (there, back)))
        return parts

    def _sets(
        self, table: _Columns, truths: Sequence[Truth], left: Sequence[int]
    ) -> list[_AlmostLocked]:
        """Return the almost locked sets among some truths; `left` has the members left of each."""
        # The columns of each truth as a mask, and the index of the truth.
        masks = [
            (reduce(or_, map(table.column_of.__getitem__, candidates_of(members))), place)
            for place, members in enumerate(left)
        ]
        sets = []
        for size in range(2, min(table.most, len(truths) - 1) + 1):
            narrow = [entry for entry in masks if entry[0].bit_count() <= size + 1]
            for chosen in combinations(narrow, size):
                every = 0
                for mask, _ in chosen:
                    every |= mask
                if every.bit_count() == size + 1:
                    places = [place for _, place in chosen]
                    ends = self._ends(table.column_of, [left[place] for place in places])
                    sets.append(_AlmostLocked(ends, tuple(truths[place] for place in places)))
        return sets

    def _ends(self, column_of: Sequence[int], members: Sequence[int]) -> list[tuple[int, int]]:
        """Return for each column of some truths its end and the exclusions outside the set."""
        found: dict[int, int] = {}
        here = reduce(or_, members)
        for candidate in candidates_of(here):
            column = column_of[candidate]
            found[column] = found.get(column, 0) | 1 << candidate
        numbers = list(map(self.ends.number_of, found.values()))
        return [(number, self.ends.excludes[number] & ~here) for number in numbers]


class Fins(NamedTuple):
    """Lines of a digit that would be a fish but for `fins`, places outside of the `crossing` lines.

    `excludes` has the candidates that both the fins and the fish exclude. `is_bare` says that
    without fins a line would have a single place.
    """

    fins: int
    crossing: int
    excludes: int
    is_bare: bool


def every_fins(board: Board, left: int, truths: Sequence[Truth]) -> Iterator[Fins]:
    """Yield the choices of fins and crossing lines that exclude something."""
    unit = truths[0].unit
    assert unit is not None, "a fish is made of lines"
    line_of = board.tables.bits.crossing(unit.kind)
    lines = [truth.members & left for truth in truths]
    every: defaultdict[int, int] = defaultdict(int)
    for member in candidates_of(reduce(or_, lines)):
        every[line_of[member]] |= 1 << member
    seen = {line: linked_to_all(mask, board.links, left) for line, mask in every.items()}
    # By count, the candidates that so many crossing lines exclude: all lines outside the fish must,
    # and one inside.
    common_to = [left] + [0] * (len(every) - len(truths) + 1)
    for mask in seen.values():
        for count in range(len(common_to) - 1, 0, -1):
            common_to[count] |= common_to[count - 1] & mask
    if not common_to[-1]:
        return
    for inside in combinations(every, len(truths)):
        beside = [line for line in every if line not in inside]
        common = reduce(and_, map(seen.__getitem__, beside), left if beside else 0)
        excludes = reduce(or_, [seen[line] & common for line in inside])
        if excludes:
            fins = reduce(or_, [every[line] for line in beside])
            is_bare = any((line & ~fins).bit_count() < 2 for line in lines)
            yield Fins(fins, sum(inside), excludes, is_bare)
