"""The model of every explanation: truths and links over the candidates that the givens leave open.

A *truth* is a set of candidates of which at least one holds: those of a cell, or those of a digit
in a unit that has every digit. A *link* joins two candidates that do not hold together. What a step
is worth is counted in truths: a single needs one, a pair or an X-wing two.

Candidates are numbered 1, 2, ... as in `encoding/open_board.py`. Sets of candidates are masks, in
which bit n stands for candidate n.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from satdoku.encoding.open_board import OpenBoard, OpenGroup
from satdoku.encoding.variables import Placement
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle


class Truth(NamedTuple):
    """Candidates of which at least one holds.

    They are the candidates of `cell`, or, where that is -1, those of `digit` in `unit`.
    `number` is the truth's place on its board, `members` the mask of all its candidates.
    """

    number: int
    cell: int
    unit: Unit | None
    digit: int
    members: int


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
        return [list(candidates_of(mask)) for mask in self.links]

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


def build_board(puzzle: Puzzle) -> Board:
    """The truths and links of a puzzle, in an order that depends on nothing else."""
    open_board = OpenBoard(puzzle)
    groups = list(open_board.groups())
    count = len(open_board)
    links = [0] * (count + 1)
    truths: list[Truth] = []
    for group in groups:
        members = mask_of(group.members)
        if group.has_one:
            truths.append(_truth_of(group, len(truths), members))
        for member in group.members:
            links[member] |= members
    pairs = []
    for _, linked in open_board.pairs():
        for first, second in linked:
            links[first] |= 1 << second
            links[second] |= 1 << first
            pairs.append(LinkedPair(first, second))
    for candidate in range(1, count + 1):
        links[candidate] &= ~(1 << candidate)
    nowhere = Placement(-1, 0)
    return Board(
        puzzle,
        (nowhere, *map(open_board.placement, range(1, count + 1))),
        tuple(truths),
        tuple(links),
        tuple(group.members for group in groups if len(group.members) > 1),
        tuple(pairs),
    )


def _truth_of(group: OpenGroup, number: int, members: int) -> Truth:
    cell = -1 if group.unit is not None else group.cell
    return Truth(number, cell, group.unit, group.digit, members)


def mask_of(candidates: Sequence[int]) -> int:
    """The mask of some candidates.

    >>> bin(mask_of([1, 3]))
    '0b1010'
    """
    mask = 0
    for candidate in candidates:
        mask |= 1 << candidate
    return mask


def candidates_of(mask: int) -> Iterator[int]:
    """The candidates of a mask, in order.

    >>> list(candidates_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
