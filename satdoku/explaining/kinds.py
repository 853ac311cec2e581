"""What puzzles of one kind share, which differ in their givens only: boards, and who sees whom.

To number the candidates of a 9x9 board and to link them takes longer than all the singles of an
easy puzzle. So the board without givens is kept, and the board of a puzzle is that one without what
its givens exclude. Its candidates come in the same order as if they were numbered for the puzzle
alone, so whatever goes by this order comes out the same.

`Sight` says which filled cells keep a digit out of a cell.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Board, Truth, build_board
from satdoku.puzzle.constraints import Constraints, Masks, Pair
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle, constraints_of
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.limits import Budget

# Masks have a bit for each candidate of the board, whether or not a puzzle leaves it open. Up to
# 10x10 that makes easy steps hardly slower; on larger boards it would take more than it saves.
_LARGEST = 10


def find_board(puzzle: Puzzle, budget: Budget | None = None) -> Board:
    """The truths and links of a puzzle, shared with other puzzles of its kind where that can be."""
    return share_board(puzzle) or build_board(puzzle, budget)


def share_board(puzzle: Puzzle) -> Board | None:
    """The board of a small puzzle, made of the one that all puzzles of its kind share.

    The first puzzle of a kind gets none: what others share takes four times as long to make as its
    own, and perhaps no other comes. Nor does one whose givens clash.
    """
    if puzzle.geometry.size > _LARGEST:
        return None
    kind = _kind(puzzle.geometry, puzzle.rules)
    kind.asked += 1
    if kind.asked == 1:
        return None
    root = kind.root
    # A placement is a tuple of cell and digit, and equal to a plain one, which is made faster.
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
    """The same puzzle with numbers for it alone, which what searches long is faster with.

    Nets take a sixth longer with the numbers of all candidates, and solvers try the unused ones.
    """
    return board if board.root is None else build_board(board.puzzle, budget)


# A collection has puzzles of one kind, or each has regions of its own. A board takes half a
# megabyte.
MOST_KINDS = 8


class _Kind:
    """A shape and its rules; `asked` counts the puzzles that came so far."""

    def __init__(self, geometry: Geometry, rules: tuple[Rule, ...]) -> None:
        self._empty = Puzzle(Grid.empty(geometry), rules=rules)
        self.asked = 0

    @cached_property
    def root(self) -> Board:
        """The board without givens."""
        return build_board(self._empty)


@lru_cache(maxsize=MOST_KINDS)
def _kind(geometry: Geometry, rules: tuple[Rule, ...]) -> _Kind:
    return _Kind(geometry, rules)


class Block(NamedTuple):
    """A filled cell that keeps a digit out of another cell.

    Without a `pair` it keeps out its own digit, because the two cells share a unit or a rule says
    that they differ. With one it keeps out what the pair says of its digit.
    """

    cell: int
    pair: Pair | None = None


class Sight:
    """The rules of a kind of puzzles, asked about single cells."""

    def __init__(self, constraints: Constraints) -> None:
        self._constraints = constraints
        self._pairs: defaultdict[int, list[tuple[Block, Masks]]] = defaultdict(list)
        for pair in self._constraints.pairs:
            differs = all(mask in (0, 1 << digit) for digit, mask in enumerate(pair.excludes))
            for other, cell, excludes in pair.both_ways():
                # Seen from a cell: for each digit of the other one, which of its own are excluded.
                self._pairs[cell].append((Block(other, None if differs else pair), excludes))

    @cached_property
    def _unit_peers(self) -> list[frozenset[int]]:
        """For each cell the others that share a unit with it."""
        units = self._constraints.units
        return [
            frozenset().union(*(units[index].cells for index in places)) - {cell}
            for cell, places in enumerate(self._constraints.units_of)
        ]

    def blocking(self, digits: Sequence[int], cell: int, digit: int) -> list[Block]:
        """Return the filled cells beside which a cell does not hold a digit, without pair first."""
        found = [Block(other) for other in self._unit_peers[cell] if digits[other] == digit]
        for block, excludes in self._pairs.get(cell, ()):
            there = digits[block.cell]
            if there != EMPTY and excludes[there] >> digit & 1 and block not in found:
                found.append(block)
        return sorted(found, key=_plain_first)

    def missing(
        self, truth: Truth, digits: Sequence[int], holds: Placement | None = None
    ) -> list[Placement]:
        """The places of a truth in empty cells, whether or not excluded, but for what holds."""
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
        """Return few blocks that keep digits out of cells, and the places that none keeps free.

        A pair is told only where some place needs it, and then accounts for all that it excludes.
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
    """Return few blocks that account for all that is missing, chosen greedily."""
    chosen = []
    while missing:
        # The block that accounts for the most places, the first one where several do.
        best = min(blocked, key=lambda block: (-len(blocked[block] & missing), block.cell))
        chosen.append(best)
        missing = missing - blocked[best]
    return chosen


def sight_of(puzzle: Puzzle) -> Sight:
    """What puzzles with the same rules see, worked out once for all of them."""
    return _sight_of(puzzle.geometry, puzzle.rules)


@lru_cache(maxsize=MOST_KINDS)
def _sight_of(geometry: Geometry, rules: tuple[Rule, ...]) -> Sight:
    return Sight(constraints_of(geometry, rules))
