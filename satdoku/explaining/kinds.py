"""Boards of puzzles of one kind, which differ in their givens only.

To number the candidates of a 9x9 board and to link them takes longer than all the singles of an
easy puzzle. So the board without givens is kept, and the board of a puzzle is that one without what
its givens exclude. Its candidates come in the same order as if they were numbered for the puzzle
alone, so whatever goes by this order comes out the same.
"""

from functools import cached_property, lru_cache

from satdoku.explaining.board import Board, build_board
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
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
