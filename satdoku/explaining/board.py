"""The model of every explanation: truths and links over the candidates that the givens leave open.

A *truth* is a set of candidates of which at least one holds: those of a cell, or those of a digit
in a unit that has every digit. A *link* joins two candidates that do not hold together. What a step
is worth is counted in truths: a single needs one, a pair or an X-wing two.

Candidates are numbered 1, 2, ... as in `encoding/open_board.py`. Sets of candidates are masks, in
which bit n stands for candidate n.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import xor
from typing import NamedTuple

from satdoku.encoding.open_board import OpenBoard
from satdoku.encoding.variables import Placement
from satdoku.explaining.bits import Fields, cuts_of
from satdoku.explaining.innies import Implied, implied_totals
from satdoku.puzzle.constraints import Constraints, Wider, digits_of
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, require_memory_for_links


class Truth(NamedTuple):
    """Candidates of which at least one holds.

    They are the candidates of `cell`, or, where that is -1, those of `digit` in `unit`. Where there
    are `swapped` digits, they are the other candidates in the cells of a unique rectangle, and the
    truth holds in puzzles with one solution only (`rectangles.py`).

    Where there is a `wider` constraint, the truth is that one: a cage, an arrow. All candidates of
    its cells are its members then, of which surely some hold. Where the rules do not state it, it
    is `implied`, a sum of what they state.

    `number` is the truth's place on its board, `members` the mask of all its candidates, `listed`
    the same as numbers.
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
    """Two candidates that a rule about pairs of cells forbids to hold together."""

    first: int
    second: int


# Rows and columns are harder to look over than boxes and other areas.
LINES = ("row", "column")
AREAS = ("box", "region")


class Bits(NamedTuple):
    """For each candidate the bits of its digit, its cell, its row and its column."""

    digits: list[int]
    cells: list[int]
    rows: list[int]
    columns: list[int]

    def crossing(self, kind: str) -> list[int]:
        """The bits of the lines that cross those of a kind."""
        return self.columns if kind == "row" else self.rows


class Tables:
    """What is worked out from the truths and links of a board, each when it is first asked for."""

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

    def cuts_of(self, truth: Truth) -> list[tuple[int, int]]:
        """What `cuts_of` says of the members of a truth."""
        known = self._cuts.get(truth.number)
        if known is None:
            known = self._cuts[truth.number] = cuts_of(truth.members, self._links)
        return known

    @cached_property
    def linked_to(self) -> list[list[int]]:
        """For each candidate the candidates linked to it."""
        return [candidates_of(mask) for mask in self._links]

    @cached_property
    def truths_of(self) -> list[list[int]]:
        """For each candidate the numbers of the truths that it is a member of."""
        numbers: list[list[int]] = [[] for _ in self._placements]
        for truth in self._truths:
            for member in truth.listed:
                numbers[member].append(truth.number)
        return numbers

    @cached_property
    def unit_of(self) -> list[int]:
        """For each truth the place of its unit among the units of the rules; -1 for a cell."""
        # By their cells, because constraints that were forgotten are made anew, of other objects.
        places = {unit.cells: place for place, unit in enumerate(self._constraints.units)}
        units = [truth.unit for truth in self._truths]
        return [-1 if unit is None else places[unit.cells] for unit in units]

    @cached_property
    def ease(self) -> list[int]:
        """For each truth how hard its singles are to see: 1 in an area, 2 in a line, 3 in a cell.

        Explanations name the singles of a position in this order. It is kept as a list, because it
        is looked up for every single.
        """
        units = [truth.unit for truth in self._truths]
        return [3 if unit is None else 2 if unit.kind in LINES else 1 for unit in units]

    @cached_property
    def units_of(self) -> list[list[int]]:
        """For each candidate the places of the units of its truths; -1 for its cell."""
        unit_of = self.unit_of
        return [[unit_of[truth] for truth in truths] for truths in self.truths_of]

    @cached_property
    def units_at(self) -> list[int]:
        """For each cell the mask of the places of its units."""
        return [sum(1 << place for place in places) for places in self._constraints.units_of]

    @cached_property
    def fields(self) -> Fields:
        """The members of all truths side by side."""
        listed = [truth.listed for truth in self._truths]
        return Fields(listed, self.truths_of, self._links)

    @cached_property
    def truths_in(self) -> list[int]:
        """How many truths there are of each unit; the last number is for the cells."""
        counts = [0] * (len(self._constraints.units) + 1)
        for unit in self.unit_of:
            counts[unit] += 1
        return counts

    @cached_property
    def cells_of_units(self) -> list[list[Truth]]:
        """For each unit the truths of its cells."""
        of_cells = {truth.cell: truth for truth in self._truths if truth.unit is None}
        units = self._constraints.units
        return [[of_cells[cell] for cell in unit.cells if cell in of_cells] for unit in units]

    @cached_property
    def lines(self) -> list[tuple[list[Truth], list[int]]]:
        """For each digit its rows, and its columns, with the bits of the lines that cross them."""
        found: dict[tuple[str, int], list[Truth]] = {}
        for truth in self._truths:
            if truth.unit is not None and truth.unit.kind in LINES:
                found.setdefault((truth.unit.kind, truth.digit), []).append(truth)
        return [(each, self.bits.crossing(kind)) for (kind, _), each in found.items()]

    @cached_property
    def bits(self) -> Bits:
        """The bits of each candidate."""
        size = self._constraints.geometry.size
        bits = Bits([0], [0], [0], [0])
        for cell, digit in self._placements[1:]:
            bits.digits.append(1 << digit)
            bits.cells.append(1 << cell)
            bits.rows.append(1 << cell // size)
            bits.columns.append(1 << cell % size)
        return bits


@dataclass(frozen=True, eq=False)
class Board:
    """A puzzle as truths and links; `links[n]` is the mask of the candidates linked to n.

    `groups` and `pairs` are the same links as they were stated. Index 0 of `placements` and `links`
    is unused, since candidates count from 1.

    A board either has the numbers of its candidates for itself; then its `root` is None. Or it
    shares them, and all that has to be worked out, with other boards of its kind (`kinds.py`): then
    `root` is the board without givens, `givens` are the givens as candidates of it, and
    `every_candidate` is what they leave open.

    `wider` are the truths about more cells than candidates can tell, with numbers behind `truths`.
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
        """The number of each candidate; what the givens or a rule exclude has none."""
        return {self.placements[n]: n for n in candidates_of(self.every_candidate)}

    @property
    def open_truths(self) -> list[Truth]:
        """The truths that no given settles."""
        return [truth for truth in self.truths if not truth.members & self.givens]

    @cached_property
    def tables(self) -> "Tables":
        """What is worked out from truths and links, once for all boards with the same root."""
        if self.root is not None:
            return self.root.tables
        return Tables(self.puzzle.constraints, self.placements, self.truths, self.links)

    def digits_in(self, candidates: int) -> dict[int, int]:
        """The digits of some candidates by their cells, in the order of these, as masks."""
        masks: dict[int, int] = {}
        for candidate in candidates_of(candidates):
            cell, digit = self.placements[candidate]
            masks[cell] = masks.get(cell, 0) | 1 << digit
        return masks

    def name_of(self, candidate: int, relation: str = "=") -> str:
        """A candidate as people write it: `r4c5=7`."""
        cell, digit = self.placements[candidate]
        name = self.puzzle.geometry.name_of(cell)
        return f"{name}{relation}{self.puzzle.name_of_digit(digit)}"


NOWHERE = Placement(-1, 0)
"""What stands for candidate 0, as candidates count from 1."""


def build_board(puzzle: Puzzle, budget: Budget | None = None) -> Board:
    """The truths and links of a puzzle alone, in an order that depends on nothing else.

    LimitReachedError when the budget ends before: with hundreds of thousands of candidates the
    masks take minutes and gigabytes.
    """
    budget = budget or Budget()
    open_board = OpenBoard(puzzle)
    require_memory_for_links(puzzle.geometry, open_board.count_candidates())
    named = list(budget.watch(open_board.bare_groups()))
    bits = [1 << candidate for candidate in budget.watch(range(len(open_board) + 1))]
    # Every candidate is linked to itself at first: that saves a test for each pair.
    links = list(bits)
    truths: list[Truth] = []
    groups: list[Sequence[int]] = []
    for unit, cell, digit, listed, has_one in named:
        budget.work(len(listed))
        # All bits are different, so that their sum is their mask.
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
    """The truths that wider constraints are; those of given cells alone have no member."""
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
    """A board without candidates, for a way of no steps where nothing is explained."""
    return Board(puzzle, (NOWHERE,), (), (0,), (), (), 0)


# The candidates of a mask, in order: bit n stands for candidate n as bit d does for digit d.
candidates_of = digits_of
