"""Unique rectangles: with one solution, four cells cannot hold two digits that could be swapped.

Four cells of two rows and two columns that hold only two digits, crosswise, can swap these digits:

    3 . 7        7 . 3
    . . .   or   . . .
    7 . 3        3 . 7

If no given is in the four cells and every unit keeps as many 3s, either both are part of a solution
or neither is. So in a puzzle with one solution, some cell of the four holds another digit. That is
a truth, valid only if the solution is known to be the only one. It also holds if two or three of
the cells are filled already, but not by givens: then the rectangle is *avoidable*.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Board, Truth, candidates_of, excluded_by
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.swaps import extended_rectangles, extras_of_bug, unique_loops
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import EMPTY, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import UnitRule

KIND = "rectangle"

# Corners in reading order; the first and the last are opposite, and would hold the same digit.
Corners = tuple[int, int, int, int]
_CORNERS = 4


# The most further truths of a step: more are hard to see together with a rectangle.
_MOST_BESIDE = 2


class Rectangle(NamedTuple):
    """Four corners, and two digits as a mask; `bare` counts the corners with no other candidate.

    In an avoidable rectangle some corners are filled. Other shapes (`swaps.py`) have more cells,
    or, for a BUG+n, `extras`, the mask of candidates of which one holds.
    """

    corners: tuple[int, ...]
    digits: int
    bare: int
    is_avoidable: bool = False
    extras: int = 0


def _name(rectangle: Rectangle, beside: tuple[Truth, ...]) -> Technique:
    if rectangle.extras:
        return Technique.BUG_N
    if len(rectangle.corners) > _CORNERS:
        is_loop = rectangle.digits.bit_count() == 2
        return Technique.UNIQUE_LOOP if is_loop else Technique.EXTENDED_RECTANGLE
    if rectangle.is_avoidable:
        return Technique.AVOIDABLE_RECTANGLE
    if rectangle.bare == 1 and beside:
        return Technique.HIDDEN_RECTANGLE
    return Technique.UNIQUE_RECTANGLE


class Rectangles:
    """The search for unique rectangles on a board; `is_for_us` says whether its rules allow any.

    `puzzle` is the one known to have one solution; the board may have more digits than its givens,
    and fewer candidates.
    """

    def __init__(self, board: Board, puzzle: Puzzle) -> None:
        self._board = board
        self._puzzle = puzzle
        self.is_for_us = puzzle.geometry.is_plain and _has_units_only(puzzle)
        constraints = puzzle.constraints
        # Swapping all digits of a BUG keeps only units that hold every digit.
        self._may_have_bug = all(map(constraints.has_every_digit, constraints.units))
        # The digits filled in before the first step, without the givens.
        filled = enumerate(board.puzzle.grid.digits)
        self._entered = {c: d for c, d in filled if d != EMPTY == puzzle.grid.digits[c]}
        self._truths: dict[tuple[tuple[int, ...], int, int], Truth] = {}
        self._candidates_in: dict[int, list[int]] = {}
        for candidate, (cell, _) in enumerate(board.placements):
            if candidate:
                self._candidates_in.setdefault(cell, []).append(candidate)

    def find(self, position: Position) -> Finding | None:
        """Return the exclusions of a rectangle or larger shape with the fewest further truths."""
        return next(self.every(position, is_whole=True), None)

    def every(self, position: Position, is_whole: bool = False) -> Iterator[Finding]:
        """Yield the findings of rectangles, then a BUG+1, then the findings of larger shapes.

        Findings with the fewest further truths come first. With `is_whole`, only rectangles in
        which no corner has lost one of the two digits.
        """
        if not self.is_for_us:
            return
        near = [*self._near_rectangles(position.left, is_whole), *self._avoidable(position)]
        yield from self._excluded(near, position)
        bug = self._find_bug(position) if self._may_have_bug else None
        if bug is not None:
            yield bug
        yield from self._excluded([*self._further_shapes(position)], position)

    def _excluded(self, near: Sequence[Rectangle], position: Position) -> Iterator[Finding]:
        """Yield the findings of some shapes, those with the fewest further truths first."""
        left, links = position.left, self._board.links
        # All shapes are tried with few truths first: fewer truths are easier to see.
        known = dict.fromkeys(near, 0)
        for count in range(_MOST_BESIDE + 1):
            for rectangle in near:
                truth = self._truth_of(rectangle.corners, rectangle.digits, rectangle.extras)
                for beside in combinations(self._beside(rectangle, truth, position), count):
                    masks = [t.members for t in (truth, *beside)]
                    excluded = excluded_by(masks, links, left) or 0
                    if excluded & ~known[rectangle]:
                        known[rectangle] |= excluded
                        if excluded == (excluded_by(masks[1:], links, left) if beside else 0):
                            continue  # the rectangle adds nothing
                        found = tuple(candidates_of(excluded))
                        technique = _name(rectangle, beside)
                        yield Finding(technique, (truth, *beside), excludes=found)

    def _further_shapes(self, position: Position) -> Iterator[Rectangle]:
        """Yield loops, extended rectangles, and a BUG+n."""
        digits_in = self._digits_in(position.left & ~position.placed)
        for cells, digits in unique_loops(self._puzzle, digits_in):
            yield Rectangle(cells, digits, 0)
        for cells, digits in extended_rectangles(self._puzzle, digits_in):
            yield Rectangle(cells, digits, 0)
        extras = extras_of_bug(position) if self._may_have_bug else 0
        if extras:
            places = [self._board.placements[each] for each in candidates_of(extras)]
            cells = tuple(dict.fromkeys(place.cell for place in places))
            kept = position.left & ~extras
            swapped = [self._board.placements[each] for each in candidates_of(kept)]
            digits = mask_of(place.digit for place in swapped if place.cell in cells)
            yield Rectangle(cells, digits, 0, extras=extras)

    def _digits_in(self, candidates: int) -> dict[int, int]:
        """Return for each open cell the digits among these candidates, as a mask."""
        placements = self._board.placements
        return {
            cell: mask_of(placements[c].digit for c in listed if candidates >> c & 1)
            for cell, listed in self._candidates_in.items()
        }

    def _beside(self, rectangle: Rectangle, truth: Truth, position: Position) -> list[Truth]:
        """Return the truths that may exclude something together with a rectangle's truth.

        They are truths of one of its two digits with both places in corners, and cells outside with
        only further digits of the corners.
        """
        left, placements = position.left, self._board.placements
        further = mask_of(placements[c].digit for c in candidates_of(truth.members & left))

        def is_beside(other: Truth) -> bool:
            cells, digits = zip(
                *map(placements.__getitem__, candidates_of(other.members & left)), strict=True
            )
            if other.unit is None:
                in_rectangle = other.cell in rectangle.corners
                return not in_rectangle and not mask_of(digits) & ~further
            is_of_two = len(cells) == 2 and bool(rectangle.digits >> other.digit & 1)
            return is_of_two and set(cells) <= set(rectangle.corners)

        return [other for other in position.open_truths if is_beside(other)]

    def _find_bug(self, position: Position) -> Finding | None:
        """Return a BUG+1: all open cells have two candidates, but one has a third, which holds.

        The third is the digit with three places in the cell's units. Without it every unit would
        have two places for each open digit, and such a board has no solution or at least two.
        """
        left, placements = position.left, self._board.placements
        wide = [t for t in position.open_truths if (t.members & left).bit_count() != 2]
        three = [t for t in wide if t.unit is None]
        if len(three) != 1 or any((t.members & left).bit_count() != 3 for t in wide):
            return None
        for candidate in candidates_of(three[0].members & left):
            rest = three[0].members & left & ~(1 << candidate)
            if all(truth.members >> candidate & 1 for truth in wide):
                through = [t for t in position.open_truths if t.members >> candidate & 1]
                if len(through) == len(wide):
                    swapped = tuple(placements[c].digit for c in candidates_of(rest))
                    truth = self._truth_of((three[0].cell,), mask_of(swapped))
                    found = tuple(candidates_of(rest))
                    return Finding(Technique.BUG, (truth,), excludes=found)
        return None

    def _near_rectangles(self, left: int, is_whole: bool) -> Iterator[Rectangle]:
        """Yield rectangles with a cell that has two candidates; other cells have these and more.

        Unless `is_whole`, the other cells need have only one of the two.
        """
        digits_in = self._digits_in(left)
        seen: set[tuple[Corners, int]] = set()
        size = self._board.puzzle.geometry.size
        for cell, digits in sorted(digits_in.items()):
            # The corner opposite to a cell with the two digits is in another row and column.
            others = range(size * size) if digits.bit_count() == 2 else ()
            for opposite in others:
                if opposite // size == cell // size or opposite % size == cell % size:
                    continue
                for corners in self._corners(cell, opposite):
                    both = (digits_in.get(c, 0) & digits for c in corners)
                    fits = all(each == digits if is_whole else each for each in both)
                    if fits and (corners, digits) not in seen:
                        seen.add((corners, digits))
                        if can_be_swapped(self._puzzle, corners):
                            bare = sum(digits_in[c] == digits for c in corners)
                            yield Rectangle(corners, digits, bare)

    def _avoidable(self, position: Position) -> Iterator[Rectangle]:
        """Yield rectangles with two neighbouring corners filled, or three corners."""
        placements = self._board.placements
        found = (placements[c] for c in candidates_of(position.placed))
        filled = self._entered | {placement.cell: placement.digit for placement in found}
        left = {placements[c] for c in candidates_of(position.left)}
        size = self._board.puzzle.geometry.size
        seen: set[Corners] = set()
        for one, other in combinations(sorted(filled), 2):
            in_line = one // size == other // size or one % size == other % size
            for corners in self._corners(one, other) if in_line else ():
                # Opposite corners would hold the same digit, and these two corners are neighbours.
                digits = filled[one], filled[other]
                first = digits if corners.index(one) in (0, 3) else digits[::-1]
                wanted = list(map(Placement, corners, (*first, *first[::-1])))
                is_open = [place.cell not in filled for place in wanted]
                fits = (filled.get(place.cell) == place.digit or place in left for place in wanted)
                if any(is_open) and corners not in seen and all(fits):
                    seen.add(corners)
                    if can_be_swapped(self._puzzle, corners):
                        yield Rectangle(corners, mask_of(digits), 0, is_avoidable=True)

    def _corners(self, first: int, second: int) -> Iterator[Corners]:
        """Yield the rectangles with these two cells as corners."""
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

    def _truth_of(self, corners: tuple[int, ...], digits: int, extras: int = 0) -> Truth:
        """Return the truth that some corner holds a digit other than these.

        With `extras`, it is the truth that one of these candidates is true.
        """
        key = corners, digits, extras
        if key not in self._truths:
            placements = self._board.placements
            listed = [
                candidate
                for cell in corners
                for candidate in self._candidates_in.get(cell, ())
                if not digits >> placements[candidate].digit & 1
            ]
            listed = candidates_of(extras) if extras else listed
            known = len(self._board.truths) + len(self._board.wider)
            number = known + len(self._truths)
            unit = Unit(KIND, None, corners)
            members = mask_of(listed)
            swapped = tuple(candidates_of(digits))
            self._truths[key] = Truth(number, -1, unit, 0, members, listed, swapped)
        return self._truths[key]


def can_be_swapped(puzzle: Puzzle, corners: Corners) -> bool:
    """Whether two digits placed crosswise in these cells can be swapped.

    No given may be moved, and each unit must contain as many cells of one digit as of the other.
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
    """Whether all rules only forbid a digit twice in a unit.

    Any other rule may hold for one of the two digits and not for the other.
    """
    return all(
        isinstance(rule, UnitRule)
        and type(rule).constraints is UnitRule.constraints
        and type(rule).find_clashes is UnitRule.find_clashes
        for rule in puzzle.rules
    )
