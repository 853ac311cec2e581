"""Strong links: where none of some candidates holds, one of some others does.

A truth says so of any two parts of it: the places of a digit in a row are those in the first box
and those in the others. So do k truths whose members lie in k + 1 columns of a table, where each
column has at most one that holds: an *almost locked set*, cells of a unit with one digit more than
they are. When one of its digits has no place in them, each of the others has one.

    r1c1 [1 2]   r1c2 [2 3]        3 digits in 2 cells: no 1 here, so there is a 3

Lines of a digit with one line more that crosses them are such a set as well: without fins in one of
the crossing lines there is a fish, so each of the others has the digit there.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations, permutations
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from satdoku.explaining.board import Board, Truth, candidates_of, linked_to_all
from satdoku.explaining.position import Position
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from satdoku.explaining.position import Position


# The ends of strong links by number, and links by the numbers of their ends.

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


# Larger almost locked sets are hard to see, and have smaller ones beside them: the rest of a unit.
_MOST_CELLS = 4
# Four lines with fins nobody sees.
_MOST_LINES = 3

# Of a budget, so that the clock is looked at every millisecond on boards of 25x25.
_WORK_A_MEMBER = 32


class _Parts(NamedTuple):
    """A truth that is parted in two: the links from either part to the other.

    With them comes what each part excludes besides; where that is gone, the links lead nowhere.
    """

    one_excludes: int
    other_excludes: int
    links: tuple[Leading, Leading]


class _Cuts(NamedTuple):
    """What single candidates exclude of the members left of a truth: each cut, and `who` makes it.

    `parts_of` has for each cut, taken as fins, how the rest was parted.
    """

    members: int
    who: dict[int, int]
    parts_of: dict[int, list[_Parts]]


class _AlmostLocked:
    """A set of truths: for each column its candidates, and what these exclude."""

    def __init__(self, ends: Sequence[tuple[int, int]], truths: tuple[Truth, ...]) -> None:
        self.truths = mask_of(truth.number for truth in truths)
        self._ends = ends
        self._truths = truths
        self._useful: list[int] = []
        self._links: list[Leading] = []

    def links(self, left: int) -> list[Leading]:
        """The links between those ends that exclude anything that is left."""
        useful = [end for end, excludes in self._ends if excludes & left]
        if useful != self._useful:
            self._useful = useful
            self._links = [(one, other, self._truths) for one, other in permutations(useful, 2)]
        return self._links


class _Columns(NamedTuple):
    """Truths that do not share members, the column of each candidate, and the largest set seen."""

    truths: list[Truth]
    column_of: Sequence[int]
    most: int


class StrongLinks:
    """The strong links of one board; each may be asked for again after every step.

    Links of which one end excludes nothing beside the other are left out: no chain leads through
    them.
    """

    def __init__(self, position: Position, budget: Budget | None = None) -> None:
        self._position = position
        self._budget = budget or Budget()
        self.ends = Ends(position)
        # What was made of the same members before.
        self._parts_of: dict[int, tuple[int, list[_Parts]]] = {}
        self._cuts_of: dict[int, _Cuts] = {}
        self._sets_of: dict[int, tuple[Hashable, list[_AlmostLocked]]] = {}

    def of_truths(self) -> list[Leading]:
        """The links that single truths make, both ways."""
        left, known = self._position.left, self._parts_of
        found: list[Leading] = []
        for truth in self._position.open_truths:
            members = truth.members & left
            before, parts = known.get(truth.number, (0, []))
            if before != members:
                self._budget.work(_WORK_A_MEMBER * members.bit_count())
                parts = self._parts(self._cut(truth, members), truth, members)
                known[truth.number] = members, parts
            for one, other, links in parts:
                if one & left and other & left:
                    found += links
        return found

    def of_finned(self, suspects: int) -> list[Finned]:
        """The links that single truths make where some of their members are excluded.

        That is, for each of the `suspects` what it would leave of a truth, parted in two.
        """
        left = self._position.left
        found: list[Finned] = []
        for truth in self._position.open_truths:
            members = truth.members & left
            if members.bit_count() < 3:
                continue
            cuts = self._cuts_of.get(truth.number)
            if cuts is None or cuts.members != members:
                self._budget.work(_WORK_A_MEMBER * members.bit_count())
                cuts = _Cuts(members, self._cut(truth, members), {})
                self._cuts_of[truth.number] = cuts
            for fins, who in cuts.who.items():
                only = who & suspects
                if only:
                    for one, other, links in self._parts_beside(fins, truth, cuts):
                        if one & left and other & left:
                            found += [Finned(link, only) for link in links]
        return found

    def of_sets(self) -> list[Leading]:
        """The links that almost locked sets of two truths and more make, both ways."""
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
                # Cells in a row and a box make one set.
                if links and almost_locked.truths not in seen:
                    seen.add(almost_locked.truths)
                    found += links
        return found

    @cached_property
    def _tables(self) -> list[_Columns]:
        """Return the tables of cells by digits for each unit, and of lines by lines for digits."""
        tables = self._position.board.tables
        digits = tables.bits.digits
        found = [_Columns(cells, digits, _MOST_CELLS) for cells in tables.cells_of_units]
        return found + [_Columns(*line, _MOST_LINES) for line in tables.lines]

    def _cut(self, truth: Truth, members: int) -> dict[int, int]:
        """Return which of these members single candidates exclude, and which candidates do so."""
        # Those that are gone count as well: so what is kept of the same members stays the same.
        board = self._position.board
        found: dict[int, int] = {}
        # Parts of the whole truth that differ only in other members are one part here.
        for every, who in board.tables.cuts_of(truth):
            cut, here = every & members, who & board.every_candidate
            if cut and here:
                found[cut] = found.get(cut, 0) | here
        return found

    def _parts_beside(self, fins: int, truth: Truth, cuts: _Cuts) -> list[_Parts]:
        """The ways to part what is left of a truth beside its fins."""
        parts = cuts.parts_of.get(fins)
        if parts is None:
            rest = cuts.members ^ fins
            smaller = {cut & rest for cut in cuts.who if cut & rest}
            parts = cuts.parts_of[fins] = self._parts(smaller, truth, rest)
        return parts

    def _parts(self, cuts: Collection[int], truth: Truth, members: int) -> list[_Parts]:
        """The ways to part some members of a truth so that something else excludes each part."""
        ends = self.ends
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
        """The almost locked sets among some truths; `left` has what is left of each."""
        # The columns of each truth as a mask, and its place in the list.
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
        """Return, for each column of some truths, its end and its further exclusions."""
        found: dict[int, int] = {}
        here = reduce(or_, members)
        for candidate in candidates_of(here):
            column = column_of[candidate]
            found[column] = found.get(column, 0) | 1 << candidate
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


def every_fins(board: Board, left: int, truths: Sequence[Truth]) -> Iterator[Fins]:
    """Yield the choices of fins that exclude something."""
    unit = truths[0].unit
    assert unit is not None, "a fish is made of lines"
    line_of = board.tables.bits.crossing(unit.kind)
    lines = [truth.members & left for truth in truths]
    every: defaultdict[int, int] = defaultdict(int)
    for member in candidates_of(reduce(or_, lines)):
        every[line_of[member]] |= 1 << member
    seen = {line: linked_to_all(mask, board.links, left) for line, mask in every.items()}
    # What so many lines exclude: all beside the fish have to, and one of those inside.
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
