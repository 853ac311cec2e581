"""Lines of which each two neighbours are compared, told at once: thermometers, whispers, the like.

Pair by pair the first cell of a thermometer loses its highest digit, then the second, then the
first another one, and so on. People count along it: before the third cell stand two smaller digits.
Two cells with a dot between them, or whatever compares them, are a line of two.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple, Protocol, runtime_checkable

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Step, Technique
from satdoku.puzzle.constraints import Pair, mask_of
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.rule import Rule

# Of the rules that run along lines two cells are told by what is said of them as a pair.
_FEWEST_CELLS = 3


@runtime_checkable
class PairsAlong(Protocol):
    """A rule about each two cells that follow each other on a line.

    It is known by what it has, since its class is not loaded with puzzles without such rules.
    """

    line: tuple[int, ...]

    def is_wrong(self, one: int, other: int, number: int) -> bool: ...

    def sentence(self, geometry: Geometry) -> str: ...


class Line(NamedTuple):
    """Open cells that follow each other on a line, by their truths, and the rule of the line.

    Two cells that are compared have no rule here: all that is said of the two counts.
    """

    rule: Rule | None
    truths: tuple[Truth, ...]

    def possible(self, board: Board, left: int) -> list[int]:
        """For each cell the candidates that are part of a way along the whole line.

        Neighbours alone are compared: what cells farther apart exclude is left to other steps.
        """
        here = [truth.members & left for truth in self.truths]
        forth = _reachable(board.links, here)
        return _reachable(board.links, forth[::-1])[::-1]


def lines_of(board: Board) -> list[Line]:
    """The lines of a board; the digits that are given part them. Behind them stand the pairs."""
    open_cells = {truth.cell: truth for truth in board.open_truths if truth.unit is None}
    lines = []
    for rule in board.puzzle.rules:
        if isinstance(rule, PairsAlong):
            for is_open, cells in groupby(rule.line, open_cells.__contains__):
                truths = tuple(open_cells[cell] for cell in cells) if is_open else ()
                if len(truths) >= _FEWEST_CELLS:
                    lines.append(Line(rule, truths))
    known = {frozenset(two) for line in lines for two in pairwise(line.truths)}
    for pair in board.puzzle.constraints.pairs:
        if pair.first in open_cells and pair.second in open_cells and _compares(pair):
            both = tuple(open_cells[cell] for cell in sorted(pair[:2]))
            if frozenset(both) not in known:
                known.add(frozenset(both))
                lines.append(Line(None, both))
    return lines


def _compares(pair: Pair) -> bool:
    """Whether more is said of two cells than that they differ."""
    return any(mask & ~(1 << digit) for digit, mask in enumerate(pair.excludes))


class Lines:
    """The search for lines that exclude something of several of their cells."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._lines = lines_of(position.board)
        # What was left of the cells of each line when it excluded nothing.
        self._tried = [0] * len(self._lines)

    def find(self) -> Finding | None:
        """The first line that is worth telling at once: several of its cells lose something."""
        board, left = self._position.board, self._position.left
        for number, line in enumerate(self._lines):
            here = 0
            for truth in line.truths:
                here |= truth.members & left
            if here == self._tried[number]:
                continue
            possible = line.possible(board, left)
            gone = [t.members & left & ~p for t, p in zip(line.truths, possible, strict=True)]
            # Where a cell loses everything, a single pair tells that soon.
            if all(possible) and sum(map(bool, gone)) > 1:
                excludes = tuple(candidate for each in gone for candidate in candidates_of(each))
                return Finding(Technique.BOUNDS, line.truths, excludes=tuple(sorted(excludes)))
            self._tried[number] = here
        return None


def is_told_along(step: Step) -> bool:
    """Whether a step tells of a line."""
    return step.technique is Technique.BOUNDS and step.size > 1


def told_line(board: Board, step: Step) -> Line:
    """The line that a step tells of."""
    gone = mask_of(step.excludes)

    def unexplained(line: Line) -> int:
        return sum((gone & each).bit_count() for each in line.possible(board, step.before))

    # Rules may run along the same cells.
    return min((line for line in lines_of(board) if line.truths == step.truths), key=unexplained)


def _reachable(links: Sequence[int], cells: Sequence[int]) -> list[int]:
    """What is left of each cell beside what is left of the one before it, from the first one on."""
    reachable = list(cells[:1])
    for mask in cells[1:]:
        before = reachable[-1]
        # A candidate stays where it does not exclude all that the cell before it may be.
        reachable.append(mask_of(c for c in candidates_of(mask) if before & ~links[c]))
    return reachable
