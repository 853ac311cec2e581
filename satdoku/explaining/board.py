"""The model of every explanation: truths and links over the candidates that the givens leave open.

A *truth* is a set of candidates of which at least one holds: those of a cell, or those of a digit
in a unit that has every digit. A *link* joins two candidates that do not hold together. What a step
is worth is counted in truths: a single needs one, a pair or an X-wing two.

Candidates are numbered 1, 2, ... as in `encoding/open_board.py`. Sets of candidates are masks, in
which bit n stands for candidate n.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import xor
from typing import NamedTuple

from satdoku.encoding.open_board import OpenBoard
from satdoku.encoding.variables import Placement
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.memory import require_memory_for_links


class Truth(NamedTuple):
    """Candidates of which at least one holds.

    They are the candidates of `cell`, or, where that is -1, those of `digit` in `unit`. Where there
    are `swapped` digits, they are the other candidates in the cells of a unique rectangle, and the
    truth holds in puzzles with one solution only (`rectangles.py`).

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


class LinkedPair(NamedTuple):
    """Two candidates that a rule about pairs of cells forbids to hold together."""

    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Board:
    """A puzzle as truths and links; `links[n]` is the mask of the candidates linked to n.

    `groups` and `pairs` are the same links as they were stated. Index 0 of `placements` and `links`
    is unused, since candidates count from 1.
    """

    puzzle: Puzzle
    placements: tuple[Placement, ...]
    truths: tuple[Truth, ...]
    links: tuple[int, ...]
    groups: tuple[Sequence[int], ...]
    pairs: tuple[LinkedPair, ...]

    @property
    def every_candidate(self) -> int:
        """The mask of all candidates."""
        return (1 << len(self.placements)) - 2

    @cached_property
    def number_of(self) -> dict[Placement, int]:
        """The number of each candidate; what the givens or a rule exclude has none."""
        return {placement: n for n, placement in enumerate(self.placements) if n}

    @cached_property
    def linked_to(self) -> list[list[int]]:
        """For each candidate the candidates linked to it: the same as `links`, as lists."""
        return [candidates_of(mask) for mask in self.links]

    @cached_property
    def column_bits(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """For each candidate the bits of its digit, its cell, its row and its column."""
        size = self.puzzle.geometry.size
        digits, cells, rows, columns = [0], [0], [0], [0]
        for cell, digit in self.placements[1:]:
            digits.append(1 << digit)
            cells.append(1 << cell)
            rows.append(1 << cell // size)
            columns.append(1 << cell % size)
        return digits, cells, rows, columns

    def name_of(self, candidate: int, relation: str = "=") -> str:
        """A candidate as people write it: `r4c5=7`."""
        cell, digit = self.placements[candidate]
        name = self.puzzle.geometry.name_of(cell)
        return f"{name}{relation}{self.puzzle.name_of_digit(digit)}"


NOWHERE = Placement(-1, 0)
"""What stands for candidate 0, as candidates count from 1."""


def build_board(puzzle: Puzzle, budget: Budget | None = None) -> Board:
    """The truths and links of a puzzle, in an order that depends on nothing else.

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
    )


def bare_board(puzzle: Puzzle) -> Board:
    """A board without candidates, for a way of no steps where nothing is explained."""
    return Board(puzzle, (NOWHERE,), (), (0,), (), ())


# The candidates of a mask, in order: bit n stands for candidate n as bit d does for digit d.
candidates_of = digits_of
