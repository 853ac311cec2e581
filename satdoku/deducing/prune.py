"""Pruning to the point where nothing more can be excluded.

Three ways of reasoning take turns, the cheapest first, and each begins again where another one
excluded something:

- a cell with one digit left takes it from the cells that it shares a unit or a pair with;
- a digit whose places in a unit all lie in another unit too is in no other place of that unit
  (pointing and claiming); a digit with a single place is there;
- the cells of a unit must be able to hold different digits (`all_different.py`).

What goes is in no solution. What stays may still be in none, so a solver has to decide it.
"""

from collections.abc import Callable, Iterator, Mapping

from satdoku.deducing.all_different import Component, ImpossibleError, find_components
from satdoku.deducing.pruned_board import Part, PrunedBoard
from satdoku.puzzle.constraints import digits_of, every_digit
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle


def prune(
    puzzle: Puzzle,
    candidates: Mapping[int, int] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> dict[int, int] | None:
    """The digits that may stand in each empty cell; None when the puzzle has no solution.

    Digits are bits of a mask. `candidates` are those that are known already. `pause` is called
    every millisecond or so; an error that it raises ends the work.

    >>> from satdoku.puzzle.geometry import Geometry
    >>> from satdoku.puzzle.grid import Grid
    >>> grid = Grid(Geometry(2, 2), (1, 2, 3, 0, 3, 4, 0, 2, 2, 0, 4, 3, 4, 3, 2, 0))
    >>> prune(Puzzle(grid))
    {3: 16, 6: 2, 9: 2, 15: 2}
    """
    if next(find_clashes(puzzle), None):
        return None
    try:
        pruning = Pruning(puzzle, candidates)
        for _ in pruning.steps():
            pause()
    except ImpossibleError:
        return None
    return pruning.board.candidates


class Pruning:
    """A board that is being pruned, step by step."""

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int] | None = None) -> None:
        self.board = PrunedBoard(puzzle, candidates)
        self._every = every_digit(self.board.size)

    def steps(self) -> Iterator[None]:
        """Works until nothing more can be excluded, and pauses between the looks at parts.

        Raises ImpossibleError where it turns out that there is no solution.
        """
        board = self.board
        while True:
            # What costs least comes first, as it often leaves the dearer looks less to do.
            if board.settled:
                self._settle(board.settled.pop())
            elif board.cells_with_pairs:
                self._exclude_by_pairs(board.cells_with_pairs.pop())
            elif board.with_changed_digits:
                self._look_at_places(board.with_changed_digits.pop())
                yield
            elif (part := board.next_part()) is not None:
                self._look_at_components(part)
                yield
            else:
                return

    def _settle(self, cell: int) -> None:
        """A cell has one digit left, which the other cells of its units lose."""
        board = self.board
        mask = board.masks[cell]
        digit = mask.bit_length() - 1
        for unit, bit in board.memberships[cell]:
            part = board.parts_of[cell][unit]
            if len(part.cells) > 1:
                part.cells.remove(cell)
                board.parts_of[cell][unit] = Part(unit, [cell], True)
                board.matchings[unit].give(cell, mask)
            board.remove_from_places(unit, board.places[unit][digit] & ~bit, digit)

    def _exclude_by_pairs(self, cell: int) -> None:
        """What every digit left to a cell excludes from another one."""
        board = self.board
        digits = digits_of(board.masks[cell])
        for other, excludes in board.pairs[cell]:
            common = board.masks[other]
            # What goes from the other cell is excluded by every digit that this one may have.
            for digit in digits:
                common &= excludes[digit]
                if not common:
                    break
            else:
                board.remove(other, common)

    def _look_at_places(self, part: Part) -> None:
        """Digits that have a single place in a part, or places that lie in another unit too."""
        board = self.board
        changed, part.changed_digits = part.changed_digits, 0
        # Only in a Hall set each digit has to be somewhere, so only there places say anything.
        if not part.is_hall_set or len(part.cells) < 2:
            return
        unit = part.unit
        cells = board.constraints.units[unit].cells
        for digit in digits_of(changed):
            places = board.places[unit][digit]
            if not places:
                raise ImpossibleError
            first = cells[(places & -places).bit_length() - 1]
            if not places & (places - 1):
                board.remove(first, self._every & ~(1 << digit))
                continue
            for other, _ in board.memberships[first]:
                overlap = board.overlaps.get((unit, other), 0)
                # All its places lie in the other unit too: pointing and claiming are one look.
                if not places & ~overlap:
                    elsewhere = board.places[other][digit] & ~board.overlaps[other, unit]
                    board.remove_from_places(other, elsewhere, digit)

    def _look_at_components(self, part: Part) -> None:
        """Splits a part into its components, whose cells lose the digits of the others."""
        board = self.board
        if len(part.cells) < 2:
            return
        matching = board.matchings[part.unit]
        used = matching.complete(part.cells, board.masks)
        # Digits that no cell needs can replace others, which joins the components that have them.
        unused = 0
        if not part.is_hall_set:
            for cell in part.cells:
                unused |= board.masks[cell] & ~used
        components = find_components(matching, board.masks, used, unused)
        if len(components) > 1:
            self._split(part, components, used)

    def _split(self, part: Part, components: list[Component], used: int) -> None:
        """Makes components parts of their own, and takes the digits of others from their cells."""
        board = self.board
        owner_of = board.matchings[part.unit].owner_of
        lost = 0
        for component in components:
            lost |= component.outside
        for component in components:
            new = self._replace(part, component, used)
            # Only in a Hall set has a digit to be somewhere: where there was none, all its places
            # count from now on.
            changed = lost if part.is_hall_set else component.digits
            if component.is_hall_set and changed & component.digits:
                board.note_changes(new, changed & component.digits)
        for component in components:
            if component.outside:
                for digit in digits_of(component.digits & used):
                    board.remove(owner_of[digit], component.outside, part.unit)

    def _replace(self, part: Part, component: Component, used: int) -> Part:
        """Makes the cells of a component a part of their own, in place of the part they were in."""
        board = self.board
        owner_of = board.matchings[part.unit].owner_of
        cells = [owner_of[digit] for digit in digits_of(component.digits & used)]
        new = Part(part.unit, cells, component.is_hall_set)
        for cell in cells:
            board.parts_of[cell][part.unit] = new
        return new
