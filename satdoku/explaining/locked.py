"""Locked candidates: whichever member of a truth holds, it excludes the same candidate elsewhere.

In box 2 the 7 must be in row 1, so no other cell of row 1 has a 7 (pointing); or the other way
round, from a row to the rest of a box (claiming).
"""

from satdoku.explaining.board import LINES, Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique


class Locked:
    """The search for locked candidates on one board; `find` may be asked again after each step."""

    def __init__(self, position: Position) -> None:
        self._position = position
        # What was left of each truth when it excluded nothing. As long as the same is left, it
        # excludes nothing: there are only ever fewer candidates that it could exclude.
        self._tried = [0] * len(position.board.truths)

    def find(self) -> Finding | None:
        """The first truth whose members all exclude the same candidates."""
        position, tried = self._position, self._tried
        left, links = position.left, position.board.links
        for truth in position.open_truths:
            members = truth.members & left
            if members == tried[truth.number]:
                continue
            common = left
            for member in candidates_of(members):
                common &= links[member]
                if not common:
                    break
            if common:
                technique = _name(position.board, truth, left, common)
                return Finding(technique, (truth,), excludes=tuple(candidates_of(common)))
            tried[truth.number] = members
        return None


def _name(board: Board, truth: Truth, left: int, excluded: int) -> Technique:
    """Pointing and claiming are between a line and another unit; the rest has one common name."""
    if truth.unit is None:
        return Technique.LOCKED
    shared = _units_shared(board, truth.members & left | excluded)
    if truth.unit.kind in LINES:
        return Technique.CLAIMING if shared - set(LINES) else Technique.LOCKED
    return Technique.POINTING if shared & set(LINES) else Technique.LOCKED


def _units_shared(board: Board, candidates: int) -> set[str]:
    """The kinds of the units in which all these candidates lie."""
    constraints = board.puzzle.constraints
    shared: set[int] | None = None
    for candidate in candidates_of(candidates):
        units = set(constraints.units_of[board.placements[candidate].cell])
        shared = units if shared is None else shared & units
    return {constraints.units[index].kind for index in shared or ()}
