"""Exclusions by rules about pairs of cells: equal cells, and two neighbours of a cell on a line.

Cells that must be equal are one cell to a player: a digit excluded from one is excluded from all. A
cell on a whisper line lies between two neighbours that see each other: it cannot hold a digit that
leaves both of them only the same digit.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import Masks, Pair, every_digit


def makes_equal(pair: Pair) -> bool:
    """Whether a pair constraint makes two cells equal."""
    every = every_digit(len(pair.excludes) - 1)
    return all(mask == every & ~(1 << digit) for digit, mask in enumerate(pair.excludes) if digit)


def equal_cells(board: Board) -> list[list[int]]:
    """Return the cells that rules make equal, group by group."""
    found: dict[int, set[int]] = {}
    for pair in board.puzzle.constraints.pairs:
        if makes_equal(pair):
            found.setdefault(pair.first, set()).add(pair.second)
            found.setdefault(pair.second, set()).add(pair.first)
    return [sorted(group) for group in _joined(found)]


class EqualCells:
    """The search for cells with candidates that cells equal to them have lost."""

    def __init__(self, position: Position) -> None:
        self._position = position
        truths = {t.cell: t for t in position.board.truths if t.unit is None}
        self._groups = [
            [truths[cell] for cell in group]
            for group in equal_cells(position.board)
            if truths.keys() >= {*group}
        ]

    def find(self) -> Finding | None:
        """Return the first group of equal cells some of which have digits that others have lost."""
        board, left = self._position.board, self._position.left
        for truths in self._groups:
            masks = board.digits_in(sum(truth.members for truth in truths) & left)
            common = -1
            for truth in truths:
                common &= masks.get(truth.cell, 0)
            excludes = tuple(
                candidate
                for truth in truths
                for candidate in candidates_of(truth.members & left)
                if not common >> board.placements[candidate].digit & 1
            )
            # Without a common digit there is a contradiction, which single steps explain better.
            if excludes and common:
                return Finding(Technique.EQUAL, tuple(truths), excludes=tuple(sorted(excludes)))
        return None


def _joined(others: dict[int, set[int]]) -> Iterator[set[int]]:
    """Yield the connected groups of cells."""
    waiting = set(others)
    while waiting:
        group: set[int] = set()
        reached = {min(waiting)}
        while reached:
            cell = reached.pop()
            group.add(cell)
            reached |= others[cell] - group
        waiting -= group
        yield group


class Neighbours:
    """The search for exclusions from a cell by rules about it and each of two cells beside it.

    A digit is excluded if it leaves each of the two cells a single digit, and these two exclude
    each other.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        board = position.board
        open_cells = {t.cell: t for t in board.open_truths if t.unit is None}
        self._beside: dict[int, list[Truth]] = {}
        for pair in board.puzzle.constraints.pairs:
            for cell, other, excludes in pair.both_ways():
                if cell in open_cells and other in open_cells and _leaves_few(excludes):
                    self._beside.setdefault(cell, []).append(open_cells[other])
        self._open_cells = open_cells
        self._tried: dict[int, int] = {}

    def find(self) -> Finding | None:
        """Return the exclusions from the first cell between two others that exclude something."""
        left = self._position.left
        for cell, beside in self._beside.items():
            here = self._open_cells[cell].members & left
            around = here
            for each in beside:
                around |= each.members & left
            if len(beside) < 2 or self._tried.get(cell) == around or not here & (here - 1):
                continue
            finding = self._find_at(here, beside)
            if finding is not None:
                return finding
            self._tried[cell] = around
        return None

    def _find_at(self, here: int, beside: Sequence[Truth]) -> Finding | None:
        board = self._position.board
        gone: dict[tuple[int, int], list[int]] = {}
        for candidate in candidates_of(here):
            forced = self._forced(candidate, beside)
            for (one, first), (other, second) in combinations(forced.items(), 2):
                if board.links[first] >> second & 1:
                    gone.setdefault((one, other), []).append(candidate)
        if not gone:
            return None
        both, _ = max(gone.items(), key=lambda entry: len(entry[1]))
        truths = tuple(sorted((beside[place] for place in both), key=lambda t: t.number))
        return Finding(Technique.NEIGHBOURS, truths, excludes=tuple(sorted(gone[both])))

    def _forced(self, candidate: int, beside: Sequence[Truth]) -> dict[int, int]:
        """Return the candidates forced by this one, the last ones of cells beside it, by place."""
        left, links = self._position.left, self._position.board.links
        forced = {}
        for place, truth in enumerate(beside):
            members = truth.members & left
            kept = members & ~links[candidate]
            if members & (members - 1) and kept and not kept & (kept - 1):
                forced[place] = kept.bit_length() - 1
        return forced


def _leaves_few(excludes: Masks) -> bool:
    """Whether some digit excludes others than itself, so that it may leave a single candidate."""
    return any(mask & ~(1 << digit) for digit, mask in enumerate(excludes))
