"""Unique rectangles: whoever assumes one solution leaves out what would make a second one.

Four cells of two rows and two columns that hold only two digits, crosswise, can swap these digits:

    3 . 7        7 . 3
    . . .   or   . . .
    7 . 3        3 . 7

If no given stands in them and every unit has as many 3s as before, both are solutions or none is.
So in a puzzle with one solution some cell of the four holds another digit. That is a truth, though
one that only holds where the solution is known to be the only one.
"""

from collections.abc import Iterator
from itertools import combinations

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.unit_rule import UnitRule

KIND = "rectangle"

# The corners in the order of reading; the first and the last are opposite, and have the same digit.
Corners = tuple[int, int, int, int]


class Rectangles:
    """The unique rectangles of one board; `is_for_us` says whether its rules allow any."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.is_for_us = _has_units_only(board.puzzle)
        self._truths: dict[tuple[Corners, int], Truth] = {}
        self._candidates_in: dict[int, list[int]] = {}
        for candidate, (cell, _) in enumerate(board.placements):
            if candidate:
                self._candidates_in.setdefault(cell, []).append(candidate)

    def find(self, position: Position) -> Finding | None:
        """The first rectangle whose further candidates all exclude the same one."""
        if not self.is_for_us:
            return None
        left, links = position.left, self._board.links
        for corners, digits in self._near_rectangles(left):
            truth = self._truth_of(corners, digits)
            common = left
            for member in candidates_of(truth.members & left):
                common &= links[member]
            if truth.members & left and common:
                found = tuple(candidates_of(common))
                return Finding(Technique.UNIQUE_RECTANGLE, (truth,), excludes=found)
        return None

    def _near_rectangles(self, left: int) -> Iterator[tuple[Corners, int]]:
        """Rectangles of which two cells have the same two candidates left, and no others.

        With one such cell alone, hardly ever do all further candidates exclude the same one.
        """
        cells_with: dict[int, list[int]] = {}
        digits_in: dict[int, int] = {}
        for cell, candidates in self._candidates_in.items():
            placements = self._board.placements
            digits = mask_of(placements[c].digit for c in candidates if left >> c & 1)
            digits_in[cell] = digits
            if digits.bit_count() == 2:
                cells_with.setdefault(digits, []).append(cell)
        for digits, cells in sorted(cells_with.items()):
            for first, second in combinations(cells, 2):
                for corners in self._corners(first, second):
                    others = all(digits_in.get(c, 0) & digits == digits for c in corners)
                    if others and can_be_swapped(self._board.puzzle, corners):
                        yield corners, digits

    def _corners(self, first: int, second: int) -> Iterator[Corners]:
        """The rectangles with these two cells as corners."""
        size = self._board.puzzle.geometry.size
        (row, column), (row_2, column_2) = divmod(first, size), divmod(second, size)
        rows = [r for r in range(size) if r != row] if row == row_2 else [row_2]
        columns = [c for c in range(size) if c != column] if column == column_2 else [column_2]
        for top, bottom in (sorted((row, other)) for other in rows):
            for start, end in (sorted((column, other)) for other in columns):
                yield (
                    *(top * size + start, top * size + end),
                    *(bottom * size + start, bottom * size + end),
                )

    def _truth_of(self, corners: Corners, digits: int) -> Truth:
        """The truth that some corner holds another digit than these two."""
        key = corners, digits
        if key not in self._truths:
            placements = self._board.placements
            listed = [
                candidate
                for cell in corners
                for candidate in self._candidates_in[cell]
                if not digits >> placements[candidate].digit & 1
            ]
            known = len(self._board.truths) + len(self._board.wider)
            number = known + len(self._truths)
            unit = Unit(KIND, None, corners)
            members = mask_of(listed)
            swapped = tuple(candidates_of(digits))
            self._truths[key] = Truth(number, -1, unit, 0, members, listed, swapped)
        return self._truths[key]


def can_be_swapped(puzzle: Puzzle, corners: Corners) -> bool:
    """Whether two digits that stand crosswise in these cells can change places.

    No given may be moved, and each unit must have as many of the cells with the one digit as of
    those with the other.
    """
    constraints = puzzle.constraints
    balance: dict[int, int] = {}
    for cell, sign in zip(corners, (1, -1, -1, 1), strict=True):
        if puzzle.grid.digits[cell]:
            return False
        for unit in constraints.units_of[cell]:
            balance[unit] = balance.get(unit, 0) + sign
    return not any(balance.values())


def _has_units_only(puzzle: Puzzle) -> bool:
    """Whether all rules say no more than that no digit stands twice in a unit.

    Whatever else a rule says, it may well tell the two digits apart.
    """
    return all(
        isinstance(rule, UnitRule)
        and type(rule).constraints is UnitRule.constraints
        and type(rule).find_clashes is UnitRule.find_clashes
        for rule in puzzle.rules
    )
