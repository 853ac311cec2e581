"""The model of every explanation: truths and links over the candidates that the givens leave open.

A *truth* is a set of candidates of which at least one holds: those of a cell, or those of a digit
in a unit that has every digit. A *link* joins two candidates that cannot both hold. The size of a
step is its number of truths: a single needs one, a pair or an X-wing two.

Candidates are numbered 1, 2, ... as in `encoding/variables.py`. Sets of candidates are masks, in
which bit n stands for candidate n.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import accumulate
from operator import or_, xor
from typing import NamedTuple

from satdoku.encoding.variables import OpenBoard, Placement
from satdoku.explaining.innies import Implied, implied_totals
from satdoku.puzzle.constraints import Constraints, Masks, Pair, Wider, digits_of, mask_of
from satdoku.puzzle.grid import EMPTY, Geometry, Grid, Unit
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.limits import Budget, require_memory_for_links

# Masks of candidates: propagation from many suppositions, and the remaining members of truths
#
# `Propagation`: each candidate has two integers with one bit for each start, that is, for each
# supposition: `on[c]` has the starts under which c must hold, `off[c]` those under which it cannot.
# One operation on these integers propagates all starts, so two hundred suppositions cost hardly
# more than one. All suppositions advance layer by layer: a candidate that is on switches those
# linked to it off, and if all members of a truth but one are off, that member is switched on.
#
# `excluded_by`: some truths hold, so one member of each does. A candidate that every choice of
# members excludes is excluded: this covers a pair, a fish and a chain that closes into a loop.
#
# `cuts_of`: each part of a truth that some candidate excludes, with all candidates that exclude
# exactly this part.
#
# `Fields` and `Remains`: the remaining members of all truths, side by side in one integer. Each
# truth has a field of bits: one for each remaining member, and above them a guard.
#
#     truth 2         truth 1         truth 0
#     guard 1 0 1     guard 0 0 1     guard 0 0 0
#
# When the guards are set and 1 is subtracted from every field, each field loses its lowest member,
# or its guard if no member is left. So a few operations on integers find the truths with no member
# left, and those with one. Counting the members for each puzzle, and down for each removed
# candidate, took a fifth longer for an easy puzzle.


class Propagation:
    """The propagation of suppositions about all members of some truths, in parallel.

    `truths` are masks with two or more members each; candidates in none of them are ignored. Bit c
    of every mask of starts is the supposition about candidate c. `linked_to` lists for each
    candidate of the board those linked to it, which may be in none of the truths.
    """

    def __init__(self, truths: Iterable[int], linked_to: Sequence[Sequence[int]]) -> None:
        self._every = self._count = 0
        # Most truths in stories have two or three members, which need no loop.
        self._pairs: list[tuple[int, int, int]] = []
        self._triples: list[tuple[int, int, int, int]] = []
        self._larger: list[tuple[int, tuple[int, ...]]] = []
        for mask in truths:
            self._every |= mask
            self._count += 1
            match _members_of(mask):
                case one, other:
                    self._pairs.append((mask, one, other))
                case one, other, third:
                    self._triples.append((mask, one, other, third))
                case members:
                    self._larger.append((mask, members))
        self._linked_to = linked_to
        self._on = [0] * len(linked_to)
        self._off = [0] * len(linked_to)

    def first_refuted(self, links: Sequence[int], budget: Budget) -> list[int]:
        """Return the candidates that, when supposed, empty a truth after the fewest layers."""
        return digits_of(next(self.refuted(links, budget), 0))

    def refuted(self, links: Sequence[int], budget: Budget) -> Iterator[int]:
        """Yield after each layer the candidates that, when supposed, empty a truth up to there."""
        on, off = self._on, self._off
        candidates = digits_of(self._every)
        for candidate in candidates:
            on[candidate] = 1 << candidate
            # Links are symmetric, so a candidate is off if one that it is linked to is supposed.
            off[candidate] = links[candidate] & self._every
        # Truths that have not changed since the last layer imply nothing new.
        touched, known = -1, 0
        while touched:
            budget.work(self._count)
            new = [0] * len(on)
            refuted = self._fill_pairs(touched, new)
            refuted |= self._fill_triples(touched, new) | self._fill_larger(touched, new)
            known |= refuted
            if known:
                yield known
            touched = 0
            for candidate in candidates:
                starts = new[candidate] & ~on[candidate] & ~known
                if starts:
                    on[candidate] |= starts
                    touched |= links[candidate]
                    for linked in self._linked_to[candidate]:
                        off[linked] |= starts

    def off_under(self, start: int) -> int:
        """Return the candidates known to be off under a supposition, as far as propagated."""
        return mask_of(c for c, starts in enumerate(self._off) if starts >> start & 1)

    def _fill_pairs(self, touched: int, new: list[int]) -> int:
        """Add to `new` the starts that leave a truth one member; return those that leave none."""
        off, refuted = self._off, 0
        for mask, one, other in self._pairs:
            if mask & touched:
                new[one] |= off[other]
                new[other] |= off[one]
                refuted |= off[one] & off[other]
        return refuted

    def _fill_triples(self, touched: int, new: list[int]) -> int:
        """Like `_fill_pairs`, for truths of three members."""
        off, refuted = self._off, 0
        for mask, one, other, third in self._triples:
            if mask & touched:
                neither = off[one] & off[other]
                new[one] |= off[other] & off[third]
                new[other] |= off[one] & off[third]
                new[third] |= neither
                refuted |= neither & off[third]
        return refuted

    def _fill_larger(self, touched: int, new: list[int]) -> int:
        """Like `_fill_pairs`, for truths of more members."""
        off, refuted = self._off, 0
        for mask, truth in self._larger:
            if not mask & touched:
                continue
            # The starts that leave none of the members so far, and those that leave at most one.
            none = few = -1
            for member in truth:
                here = off[member]
                few = few & here | none
                if not few:
                    break  # every start leaves two members
                none &= here
            else:
                refuted |= none
                few ^= none
                for member in truth:
                    last = few & ~off[member]
                    new[member] |= last
                    few ^= last
        return refuted


@lru_cache(maxsize=4096)
def _members_of(mask: int) -> tuple[int, ...]:
    """Return the members of a truth; cached, as they stay the same between calls."""
    return tuple(digits_of(mask))


def linked_to_all(members: int, links: Sequence[int], among: int = -1) -> int:
    """Return the candidates, among all or some, that each of the members excludes."""
    # Most loops end after two or three members, so the members are not listed first.
    while members and among:
        member = members.bit_length() - 1
        among &= links[member]
        members ^= 1 << member
    return among


def cuts_of(members: int, links: Sequence[int]) -> list[tuple[int, int]]:
    """Return the parts of some members that a single candidate outside excludes, as masks.

    Each part comes with the mask of the candidates that exclude exactly that part.
    """
    # For each member, split the candidates outside into those that exclude it and the others: a
    # truth has many candidates around it, but few parts.
    beside = ~members
    cuts: dict[int, int] = {}
    for member in digits_of(members):
        bit, link = 1 << member, links[member]
        parted = {}
        for cut, who in cuts.items():
            here = who & link
            if here:
                parted[cut | bit] = here
            if who != here:
                parted[cut] = who ^ here
        cuts = parted
        here = beside & link
        if here:
            cuts[bit] = here
            beside ^= here
    return list(cuts.items())


# The most choices to examine. A chain through ten cells with several digits each may have
# thousands; then callers use only the exclusions that they know already.
_MOST_CHOICES = 300


def excluded_by(
    truths: Sequence[int], links: Sequence[int], left: int, most: int = _MOST_CHOICES
) -> int | None:
    """Return the part of `left` that every choice of a member from each truth excludes, as a mask.

    None if there are more than `most` choices.
    """
    common = left
    looked_at = 0
    # The truths still to choose from, and the exclusions of the members chosen so far.
    waiting = [([members & left for members in truths], 0)]
    while waiting:
        open_truths, excluded = waiting.pop()
        looked_at += 1
        if looked_at > most:
            return None
        if not common & ~excluded:
            continue  # this choice cannot change the result
        if not open_truths:
            common &= excluded
            continue
        # The truth with the fewest members first, so that most choices end soon.
        narrow = min(open_truths, key=int.bit_count)
        for member in digits_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, excluded | off))
    return common


class Fields:
    """The positions of the members of each truth, shared by all boards with the same truths.

    `truths` are the members of each truth, `truths_of` the numbers of the truths that contain a
    candidate, `links` the masks of the candidates linked to it.
    """

    def __init__(
        self,
        truths: Sequence[Sequence[int]],
        truths_of: Sequence[Sequence[int]],
        links: Sequence[int],
    ) -> None:
        self._truths = truths
        self._truths_of = truths_of
        self._links = links
        # Each number is written bit by bit, from the last truth to the first.
        sizes = list(map(len, truths))
        self.members = _read("0" + "1" * size for size in reversed(sizes))
        self.guards = _read("1" + "0" * size for size in reversed(sizes))
        self.lowest = _read("0" * size + "1" for size in reversed(sizes))
        self._first = list(accumulate((size + 1 for size in sizes), initial=0))
        self.truth_at = {first - 1: number for number, first in enumerate(self._first[1:])}
        # Computed on first use: on a large board most never are.
        self._bits: dict[int, int] = {}
        self._kept_by: dict[int, tuple[int, int]] = {}

    def kept_by(self, candidate: int) -> tuple[int, int]:
        """Return two masks if a candidate holds: remaining bits, guards of truths still open."""
        kept = self._kept_by.get(candidate)
        if kept is None:
            guards = self.guards
            for truth in self._truths_of[candidate]:
                guards ^= 1 << self._first[truth + 1] - 1
            kept = self.without(digits_of(self._links[candidate])), guards
            self._kept_by[candidate] = kept
        return kept

    def without(self, candidates: Iterable[int]) -> int:
        """Return a mask of all guards and of all members except these candidates."""
        return (self.members | self.guards) ^ self.bits_of(candidates)

    def guards_of(self, truths: Iterable[int]) -> int:
        """Return the guards of some truths."""
        return sum(1 << self._first[truth + 1] - 1 for truth in truths)

    def bits_of(self, candidates: Iterable[int]) -> int:
        """Return the bits of some candidates in all fields."""
        bits = 0
        for candidate in candidates:
            bits |= self._bits.get(candidate) or self._bits_of(candidate)
        return bits

    def _bits_of(self, candidate: int) -> int:
        """Return the bits of a candidate in all fields."""
        bits = 0
        for truth in self._truths_of[candidate]:
            bits |= 1 << self._first[truth] + self._truths[truth].index(candidate)
        self._bits[candidate] = bits
        return bits


def _read(bits: Iterable[str]) -> int:
    return int("".join(bits) or "0", 2)


class Remains:
    """The remains of the open truths of a board: those without a member that is known to hold."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        # All guards are set, so that 1 can be subtracted from every field.
        self._left = fields.members | fields.guards
        self._open = fields.guards

    def place(self, candidates: Iterable[int]) -> None:
        """Close the truths of these candidates, which hold, and remove those linked to them."""
        left, is_open = self._left, self._open
        for members, guards in map(self._fields.kept_by, candidates):
            left &= members
            is_open &= guards
        self._left, self._open = left, is_open

    def exclude(self, candidates: Iterable[int]) -> None:
        """Remove candidates."""
        self._left &= self._fields.without(candidates)

    def narrow(self) -> tuple[list[int], list[int]]:
        """Return the numbers of the open truths with no member left, and of those with one."""
        empty, single = self._narrow()
        truth_at = self._fields.truth_at
        return (
            [truth_at[guard] for guard in digits_of(empty)],
            [truth_at[guard] for guard in digits_of(single)],
        )

    def nearest(self, ranks: Iterable[int], near: Iterable[int]) -> int:
        """Return the number of the first truth with one member left; -1 if there is none.

        `ranks` are masks of guards: truths in an earlier mask come first. `near` are masks of
        members: ties go to truths whose last member is in an earlier mask, then to the lowest
        number. Also -1 if some truth has no member left.
        """
        empty, single = self._narrow()
        if empty:
            return -1
        for rank in ranks:
            if single & rank:
                single &= rank
                break
        fields = self._fields
        for members in near:
            # Truths with a member in this mask keep their guard.
            closer = ((self._left & members | fields.guards) - fields.lowest) & single
            if closer:
                single = closer
                break
        return fields.truth_at[(single & -single).bit_length() - 1] if single else -1

    def _narrow(self) -> tuple[int, int]:
        """Return the guards of open truths with no member left, and those of truths with one."""
        left, guards, lowest = self._left, self._fields.guards, self._fields.lowest
        one_less = left - lowest
        two_less = (left & one_less | guards) - lowest
        narrow = self._open & ~two_less
        single = narrow & one_less
        return narrow ^ single, single


class Truth(NamedTuple):
    """Candidates of which at least one holds.

    They are the candidates of `cell`, or, if that is -1, those of `digit` in `unit`. With `swapped`
    digits, they are the other candidates in the cells of a unique rectangle, and the truth holds in
    puzzles with one solution only (`rectangles.py`).

    If `wider` is set, the truth is that constraint, such as a cage or an arrow: its members are all
    candidates of the constraint's cells. If the rules do not state the constraint, `implied` tells
    how its sum is derived from stated ones.

    `number` is the truth's index on its board, `members` the mask of all its candidates, `listed`
    the same members as a sequence of numbers.
    """

    number: int
    cell: int
    unit: Unit | None
    digit: int
    members: int
    listed: Sequence[int]
    swapped: tuple[int, ...] = ()
    wider: Wider | None = None
    implied: Implied | None = None


class LinkedPair(NamedTuple):
    """Two candidates that a rule about pairs of cells excludes together."""

    first: int
    second: int


# Singles in rows and columns are harder to see than in boxes and other areas.
LINES = ("row", "column")
AREAS = ("box", "region")


def has_boxes_of_nine(units: Iterable[Unit]) -> bool:
    """Whether units have boxes of three by three cells on rows of nine."""
    first = next((unit for unit in units if unit.kind == AREAS[0]), None)
    return first is not None and first.cells[2:4] == (2, 9)


class Bits(NamedTuple):
    """Tables by candidate: the bit of its digit, of its cell, of its row and of its column."""

    digits: list[int]
    cells: list[int]
    rows: list[int]
    columns: list[int]

    def crossing(self, kind: str) -> list[int]:
        """Return, for each candidate, the bit of its column if `kind` is "row", else of its row."""
        return self.columns if kind == "row" else self.rows


class Tables:
    """Tables computed from the truths and links of a board, each on first use."""

    def __init__(
        self,
        constraints: Constraints,
        placements: Sequence[Placement],
        truths: Sequence[Truth],
        links: Sequence[int],
    ) -> None:
        self._constraints = constraints
        self._placements = placements
        self._truths = truths
        self._links = links
        self._cuts: dict[int, list[tuple[int, int]]] = {}
        self._widest_cuts: dict[int, int] = {}
        self._beside: dict[int, int] = {}

    def cuts_of(self, truth: Truth) -> list[tuple[int, int]]:
        """Return `cuts_of` for the members of a truth, cached."""
        known = self._cuts.get(truth.number)
        if known is None:
            known = self._cuts[truth.number] = cuts_of(truth.members, self._links)
        return known

    def widest_cut_of(self, truth: Truth) -> int:
        """Return the most members of a truth that a single candidate outside excludes, cached."""
        known = self._widest_cuts.get(truth.number)
        if known is None:
            known = max((cut.bit_count() for cut, _ in self.cuts_of(truth)), default=0)
            self._widest_cuts[truth.number] = known
        return known

    @cached_property
    def linked_to(self) -> list[list[int]]:
        """Return, for each candidate, the candidates linked to it."""
        return [candidates_of(mask) for mask in self._links]

    @cached_property
    def truths_of(self) -> list[list[int]]:
        """Return, for each candidate, the numbers of the truths that contain it."""
        numbers: list[list[int]] = [[] for _ in self._placements]
        for truth in self._truths:
            for member in truth.listed:
                numbers[member].append(truth.number)
        return numbers

    @cached_property
    def unit_of(self) -> list[int]:
        """Return, for each truth, the index of its unit in `constraints.units`; -1 for a cell."""
        # Keyed by cells: constraints dropped from a cache are rebuilt as other objects.
        places = {unit.cells: place for place, unit in enumerate(self._constraints.units)}
        units = [truth.unit for truth in self._truths]
        return [-1 if unit is None else places[unit.cells] for unit in units]

    @cached_property
    def ease(self) -> list[int]:
        """Return how hard singles of each truth are to see: 1 in an area, 2 in a line, 3 in a cell.

        Explanations name the singles of a position in this order.
        """
        units = [truth.unit for truth in self._truths]
        return [3 if unit is None else 2 if unit.kind in LINES else 1 for unit in units]

    @cached_property
    def by_ease(self) -> list[int]:
        """Return two masks: the guards of the truths of areas, and of those of lines."""
        numbers: list[list[int]] = [[], [], [], []]
        for number, ease in enumerate(self.ease):
            numbers[ease].append(number)
        return list(map(self.fields.guards_of, numbers[1:3]))

    @cached_property
    def guards_in(self) -> list[int]:
        """Return, for each unit, the guards of its truths; the last number, for the cells, is 0."""
        truths: list[list[int]] = [[] for _ in range(len(self._constraints.units) + 1)]
        for number, unit in enumerate(self.unit_of):
            truths[unit].append(number)
        return [*map(self.fields.guards_of, truths[:-1]), 0]

    def around(self, near: Placement) -> tuple[int, int]:
        """Return two masks of field bits: candidates in units of this cell, and of this digit."""
        cell, digit = near
        beside = self._beside.get(cell)
        if beside is None:
            beside = 0
            for index in self._constraints.units_of[cell]:
                beside |= self._bits_of_units[index]
            self._beside[cell] = beside
        return beside, self._bits_of_digits.get(digit, 0)

    @cached_property
    def _bits_of_units(self) -> list[int]:
        by_cell = self._bits_by([cell for cell, _ in self._placements])
        units = [unit.cells for unit in self._constraints.units]
        return [reduce(or_, [by_cell.get(cell, 0) for cell in cells], 0) for cells in units]

    @cached_property
    def _bits_of_digits(self) -> dict[int, int]:
        return self._bits_by([digit for _, digit in self._placements])

    def _bits_by(self, keys: Sequence[int]) -> dict[int, int]:
        """Return for each key the bits of its candidates; `keys` has one key per candidate."""
        bits: dict[int, int] = {}
        for candidate, key in enumerate(keys[1:], 1):
            bits[key] = bits.get(key, 0) | self.fields.bits_of((candidate,))
        return bits

    @cached_property
    def units_of(self) -> list[list[int]]:
        """Return, for each candidate, the indices of the units of its truths; -1 for its cell."""
        unit_of = self.unit_of
        return [[unit_of[truth] for truth in truths] for truths in self.truths_of]

    @cached_property
    def fields(self) -> Fields:
        """The fields of all truths."""
        listed = [truth.listed for truth in self._truths]
        return Fields(listed, self.truths_of, self._links)

    @cached_property
    def truths_in(self) -> list[int]:
        """Return the number of truths of each unit; the last number is for the cells."""
        counts = [0] * (len(self._constraints.units) + 1)
        for unit in self.unit_of:
            counts[unit] += 1
        return counts

    @cached_property
    def cells_of_units(self) -> list[list[Truth]]:
        """Return, for each unit, the truths of its cells."""
        of_cells = {truth.cell: truth for truth in self._truths if truth.unit is None}
        units = self._constraints.units
        return [[of_cells[cell] for cell in unit.cells if cell in of_cells] for unit in units]

    @cached_property
    def lines(self) -> list[tuple[list[Truth], list[int]]]:
        """Return each digit's truths in rows and in columns, with bits of the crossing lines."""
        found: dict[tuple[str, int], list[Truth]] = {}
        for truth in self._truths:
            if truth.unit is not None and truth.unit.kind in LINES:
                found.setdefault((truth.unit.kind, truth.digit), []).append(truth)
        return [(each, self.bits.crossing(kind)) for (kind, _), each in found.items()]

    @cached_property
    def bits(self) -> Bits:
        """The bits of each candidate's digit, cell, row and column."""
        geometry = self._constraints.geometry
        bits = Bits([0], [0], [0], [0])
        for cell, digit in self._placements[1:]:
            bits.digits.append(1 << digit)
            bits.cells.append(1 << cell)
            # Row and column of a cell beside the board have the number -1.
            bits.rows.append(1 << geometry.row_of(cell) + 1)
            bits.columns.append(1 << geometry.column_of(cell) + 1)
        return bits


@dataclass(frozen=True, eq=False)
class Board:
    """A puzzle as truths and links; `links[n]` is the mask of the candidates linked to n.

    `groups` and `pairs` are the same links as the rules state them: at most one of a group, not
    both of a pair. Index 0 of `placements` and `links` is unused, since candidates count from 1.

    If `root` is None, the board numbers its own candidates. Otherwise it shares numbers and tables
    with other boards of its kind: `root` is the board without givens, `givens` is the mask of the
    givens among its candidates, and `every_candidate` is the mask of the candidates that the givens
    leave open.

    `wider` are the truths of wider constraints, numbered after `truths`.
    """

    puzzle: Puzzle
    placements: tuple[Placement, ...]
    truths: tuple[Truth, ...]
    links: tuple[int, ...]
    groups: tuple[Sequence[int], ...]
    pairs: tuple[LinkedPair, ...]
    every_candidate: int
    givens: int = 0
    root: "Board | None" = None
    wider: tuple[Truth, ...] = ()

    @cached_property
    def number_of(self) -> dict[Placement, int]:
        """The number of each open candidate; givens and candidates excluded by them have none."""
        return {self.placements[n]: n for n in candidates_of(self.every_candidate)}

    @property
    def open_truths(self) -> list[Truth]:
        """The truths without a given among their members."""
        return [truth for truth in self.truths if not truth.members & self.givens]

    @cached_property
    def tables(self) -> "Tables":
        """The tables of truths and links, shared by all boards with the same root."""
        if self.root is not None:
            return self.root.tables
        return Tables(self.puzzle.constraints, self.placements, self.truths, self.links)

    def digits_in(self, candidates: int) -> dict[int, int]:
        """Return the digits of some candidates as masks by cell, in the order of the cells."""
        masks: dict[int, int] = {}
        for candidate in candidates_of(candidates):
            cell, digit = self.placements[candidate]
            masks[cell] = masks.get(cell, 0) | 1 << digit
        return masks

    def name_of(self, candidate: int, relation: str = "=") -> str:
        """Return a candidate as text, such as `r4c5=7`."""
        cell, digit = self.placements[candidate]
        name = self.puzzle.geometry.name_of(cell)
        return f"{name}{relation}{self.puzzle.name_of_digit(digit)}"


NOWHERE = Placement(-1, 0)
"""A placeholder at index 0, as candidates count from 1."""


def build_board(puzzle: Puzzle, budget: Budget | None = None) -> Board:
    """Return the truths and links of a puzzle, with candidate numbers of its own, in a fixed order.

    Raise LimitReachedError if the budget ends first: with hundreds of thousands of candidates the
    masks take minutes and gigabytes.
    """
    budget = budget or Budget()
    open_board = OpenBoard(puzzle)
    require_memory_for_links(puzzle.geometry, open_board.count_candidates())
    named = list(budget.watch(open_board.bare_groups()))
    bits = [1 << candidate for candidate in budget.watch(range(len(open_board) + 1))]
    # Every candidate is linked to itself at first, so that the loop needs no test for it.
    links = list(bits)
    truths: list[Truth] = []
    groups: list[Sequence[int]] = []
    for unit, cell, digit, listed, has_one in named:
        budget.work(len(listed))
        # All bits are different, so their sum is the mask.
        members = sum(map(bits.__getitem__, listed))
        if has_one:
            truths.append(Truth(len(truths), cell, unit, digit, members, listed))
        if len(listed) > 1:
            groups.append(listed)
            for member in listed:
                links[member] |= members
    pairs = []
    for _, linked in open_board.pairs():
        for first, second in linked:
            links[first] |= bits[second]
            links[second] |= bits[first]
            pairs.append(LinkedPair(first, second))
    links = list(map(xor, links, bits))
    return Board(
        puzzle,
        (NOWHERE, *open_board.placements()),
        tuple(truths),
        tuple(links),
        tuple(groups),
        tuple(pairs),
        every_candidate=(1 << len(links)) - 2,
        wider=tuple(_wider_truths(puzzle, open_board.placements(), len(truths))),
    )


def _wider_truths(puzzle: Puzzle, placements: Iterable[Placement], first: int) -> Iterator[Truth]:
    """Yield the truths of wider constraints; a truth has no member if all its cells are given."""
    if not puzzle.constraints.wider:
        return
    numbers: dict[int, list[int]] = {}
    for candidate, (cell, _) in enumerate(placements, 1):
        numbers.setdefault(cell, []).append(candidate)
    stated = puzzle.constraints.wider
    implied = implied_totals(puzzle)
    known = [*((each, None) for each in stated), *((each.total, each) for each in implied)]
    for number, (constraint, follows) in enumerate(known, first):
        listed = [n for cell in dict.fromkeys(constraint.cells) for n in numbers.get(cell, ())]
        members = sum(1 << candidate for candidate in listed)
        yield Truth(number, -1, None, 0, members, listed, wider=constraint, implied=follows)


def bare_board(puzzle: Puzzle) -> Board:
    """Return a board without candidates, for the way of a puzzle that gets no steps."""
    return Board(puzzle, (NOWHERE,), (), (0,), (), (), 0)


# List the candidates of a mask in order; the same function as for the digits of a mask.
candidates_of = digits_of


# Boards and `Sight` objects, shared by puzzles with the same shape and rules
#
# Numbering and linking the candidates of a 9x9 board takes longer than all the singles of an easy
# puzzle. So the board without givens is cached, and the board of a puzzle is derived from it by
# removing the candidates that its givens exclude. The candidates keep the order that they have on a
# board of the puzzle alone, so results that depend on the order are the same.
#
# `Sight` tells which filled cells exclude a digit from a cell.

# The largest size of a shared board. Its masks have a bit for each candidate of the empty board. Up
# to 10x10 that hardly slows down easy steps; on larger boards sharing costs more than it saves.
_LARGEST = 10


def find_board(puzzle: Puzzle, budget: Budget | None = None) -> Board:
    """Return the truths and links of a puzzle, shared with others of its kind if possible."""
    return share_board(puzzle) or build_board(puzzle, budget)


def share_board(puzzle: Puzzle) -> Board | None:
    """Return the board of a small puzzle, derived from the shared one of its kind.

    None for the first puzzle of a kind: a shared board takes four times as long to build as the
    puzzle's own, and there may be no second puzzle. None if givens clash.
    """
    if puzzle.geometry.size > _LARGEST:
        return None
    kind = _kind(puzzle.geometry, puzzle.rules)
    kind.asked += 1
    if kind.asked == 1:
        return None
    root = kind.root
    # A plain tuple of cell and digit equals a placement, and is created faster.
    numbers = list(map(root.number_of.get, puzzle.givens.items()))  # type: ignore[arg-type]
    givens = gone = 0
    for number in numbers:
        if number is None:
            # A rule does not allow this given.
            return None
        givens |= 1 << number
        gone |= root.links[number]
    if givens & gone:
        return None
    # Links show clashes of two givens, but not those of a sum, a line or a choice.
    if root.wider and next(find_clashes(puzzle), None) is not None:
        return None
    return Board(
        puzzle,
        root.placements,
        root.truths,
        root.links,
        root.groups,
        root.pairs,
        root.every_candidate & ~gone & ~givens,
        givens,
        root,
        root.wider,
    )


def own_board(board: Board, budget: Budget | None = None) -> Board:
    """Return a board of the same puzzle with candidate numbers of its own, for long searches.

    On a shared board nets take a sixth longer, and solvers also try candidates that are not open.
    """
    return board if board.root is None else build_board(board.puzzle, budget)


# How many kinds are cached: a collection has puzzles of one kind, or each has its own regions. A
# board takes half a megabyte.
MOST_KINDS = 8


class _Kind:
    """The shared board of a kind of puzzles; `asked` counts the puzzles of the kind so far."""

    def __init__(self, geometry: Geometry, rules: tuple[Rule, ...]) -> None:
        self._empty = Puzzle(Grid.empty(geometry), rules=rules)
        self.asked = 0

    @cached_property
    def root(self) -> Board:
        """Return the board without givens."""
        return build_board(self._empty)


@lru_cache(maxsize=MOST_KINDS)
def _kind(geometry: Geometry, rules: tuple[Rule, ...]) -> _Kind:
    return _Kind(geometry, rules)


class Block(NamedTuple):
    """A filled cell that excludes a digit from another cell.

    Without a `pair` the filled cell excludes its own digit, because the two cells share a unit or a
    rule says that they differ. With a pair, the cell's digit excludes those that the pair forbids
    beside it.
    """

    cell: int
    pair: Pair | None = None


class Sight:
    """The cells that can exclude digits from each other, under the rules of a kind of puzzles."""

    def __init__(self, constraints: Constraints) -> None:
        self._constraints = constraints
        self._pairs: defaultdict[int, list[tuple[Block, Masks]]] = defaultdict(list)
        for pair in self._constraints.pairs:
            differs = all(mask in (0, 1 << digit) for digit, mask in enumerate(pair.excludes))
            for other, cell, excludes in pair.both_ways():
                # `excludes` has for each digit of the other cell the digits that it excludes from
                # this one.
                self._pairs[cell].append((Block(other, None if differs else pair), excludes))

    @cached_property
    def _unit_peers(self) -> list[frozenset[int]]:
        """Return for each cell the others that share a unit with it."""
        units = self._constraints.units
        return [
            frozenset().union(*(units[index].cells for index in places)) - {cell}
            for cell, places in enumerate(self._constraints.units_of)
        ]

    def blocking(self, digits: Sequence[int], cell: int, digit: int) -> list[Block]:
        """Return the filled cells that exclude a digit from a cell, those without a pair first."""
        found = [Block(other) for other in self._unit_peers[cell] if digits[other] == digit]
        for block, excludes in self._pairs.get(cell, ()):
            there = digits[block.cell]
            if there != EMPTY and excludes[there] >> digit & 1 and block not in found:
                found.append(block)
        return sorted(found, key=_plain_first)

    def missing(
        self, truth: Truth, digits: Sequence[int], holds: Placement | None = None
    ) -> list[Placement]:
        """Return the truth's placements in empty cells, excluded or not, except `holds`."""
        if truth.unit is None:
            every = range(1, self._constraints.geometry.size + 1)
            places = [Placement(truth.cell, digit) for digit in every]
        else:
            empty = (cell for cell in truth.unit.cells if digits[cell] == EMPTY)
            places = [Placement(cell, truth.digit) for cell in empty]
        return [place for place in places if place != holds]

    def cover(
        self, digits: Sequence[int], places: Iterable[Placement]
    ) -> tuple[list[Block], list[Placement]]:
        """Return few blocks that exclude these placements, and the placements that no block does.

        A block with a pair is used only if a placement needs it; it then counts for every placement
        that it excludes.
        """
        blocked: defaultdict[Block, set[Placement]] = defaultdict(set)
        plain: set[Placement] = set()
        open_places = []
        for place in places:
            found = self.blocking(digits, *place)
            for block in found:
                blocked[block].add(place)
            if not found:
                open_places.append(place)
            elif found[0].pair is None:
                plain.add(place)
        missing = set().union(*blocked.values())
        chosen = _fewest(blocked, missing - plain)
        missing.difference_update(*map(blocked.__getitem__, chosen))
        chosen += _fewest({b: held for b, held in blocked.items() if b.pair is None}, missing)
        return sorted(chosen, key=_plain_first), open_places


def _plain_first(block: Block) -> tuple[bool, int]:
    return block.pair is not None, block.cell


def _fewest(blocked: Mapping[Block, set[Placement]], missing: set[Placement]) -> list[Block]:
    """Return few blocks that exclude all missing placements, chosen greedily."""
    chosen = []
    while missing:
        # The block that excludes the most placements; ties go to the first cell.
        best = min(blocked, key=lambda block: (-len(blocked[block] & missing), block.cell))
        chosen.append(best)
        missing = missing - blocked[best]
    return chosen


def sight_of(puzzle: Puzzle) -> Sight:
    """Return the cached sight of all puzzles with the same rules."""
    return _sight_of(puzzle.geometry, puzzle.rules)


@lru_cache(maxsize=MOST_KINDS)
def _sight_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Sight:
    return Sight(constraints_of(geometry, rules))
