"""Exclude candidates by three methods in turn, until a fixpoint is reached.

The cheapest method comes first, and each is repeated after another one excluded something:

- a cell with one digit left takes it from the cells that share a unit or a pair with it;
- a digit whose places in a unit all lie in another unit too is excluded from the other places of
  that unit (pointing and claiming); a digit with a single place is placed there;
- the cells of a unit must be able to hold different digits (the first part of this file).

An excluded candidate is in no solution. A remaining candidate may be in no solution either; a
solver has to decide that.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import permutations
from typing import NamedTuple

from satdoku.puzzle.constraints import Constraints, Masks, digits_of, every_digit
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing

# Exclude candidates of cells that must all hold different digits (all-different).
#
# Give every cell a different digit: that is a matching. Now draw an arrow from a cell to every cell
# whose digit it could take over. A cell can give up its digit only along a cycle of arrows, where
# each cell takes over the digit of the next, or along a path that ends at an unused digit. So a
# candidate that leads from one strongly connected component of this graph to another is in no
# matching, and is excluded (J.-C. Regin, 1994). An example, with the matching in brackets:
#
#     r1c1 [1]2      r1c1 and r1c2 can exchange their digits; r1c3 can take 2 from r1c2, but there
#     r1c2 1[2]      is no way back: the arrow from r1c3 to r1c2 is on no cycle, and so 2 is
#     r1c3  2[3]     excluded from r1c3, in which 3 remains.
#
# The cells of a component keep only the digits of this component: as many as there are cells, which
# is called a Hall set. Only the component of the unused digits may have more digits than cells, if
# the unit has fewer cells than there are digits.
#
# Sets of digits are bit masks, so one step of a search handles all digits of a cell at once.


class ImpossibleError(Exception):
    """There is no solution: a cell has no digit left, or a digit has no place in a unit."""


class Matching:
    """A matching of cells of one unit with different digits; it may be incomplete."""

    def __init__(self, size: int) -> None:
        # The digit of a cell as a mask; cells without a digit are missing.
        self.digit_of: dict[int, int] = {}
        # The cell to which a digit was last given. Valid only for digits in use.
        self.owner_of = [-1] * (size + 1)

    def give(self, cell: int, digit: int) -> None:
        """Give a cell a digit, as a mask with one bit."""
        self.digit_of[cell] = digit
        self.owner_of[digit.bit_length() - 1] = cell

    def complete(self, cells: Iterable[int], masks: Sequence[int]) -> int:
        """Match each of the cells to a digit in its mask, and return all these digits.

        Cells keep their digits if possible, so that a small change takes little work.
        """
        used = 0
        without = []
        digit_of = self.digit_of
        for cell in cells:
            digit = digit_of.get(cell, 0) & masks[cell]
            if digit:
                used |= digit
            else:
                without.append(cell)
        for cell in without:
            used |= self._find_digit(cell, masks, used)
        return used

    def _find_digit(self, start: int, masks: Sequence[int], used: int) -> int:
        """Match one more cell along an augmenting path, and return the newly used digit.

        The search is breadth first: from a cell it visits the owners of the digits that the cell
        may hold, until one of them can take an unused digit.
        """
        wanted_by: dict[int, int] = {}
        seen = 0
        queue = [start]
        for cell in queue:
            new = masks[cell] & ~seen
            unused = new & ~used
            if unused:
                found = unused & -unused
                self._pass_on(start, cell, found, wanted_by)
                return found
            seen |= new
            while new:
                digit = new & -new
                new ^= digit
                owner = self.owner_of[digit.bit_length() - 1]
                wanted_by[owner] = cell
                queue.append(owner)
        raise ImpossibleError

    def _pass_on(self, start: int, cell: int, digit: int, wanted_by: dict[int, int]) -> None:
        """Give a cell a digit, its former digit to the cell that wanted it, and so on up to
        `start`.
        """
        while cell != start:
            former = self.digit_of[cell]
            self.give(cell, digit)
            cell, digit = wanted_by[cell], former
        self.give(start, digit)


class Component(NamedTuple):
    """Digits that only exchange places among themselves, with the cells that hold them.

    `outside` are the digits that the cells must lose. If `is_hall_set`, there are as many digits as
    cells, and every digit is in one of the cells; otherwise some digits are unused.
    """

    digits: int
    outside: int
    is_hall_set: bool


def find_components(
    matching: Matching, masks: Sequence[int], used: int, unused: int
) -> list[Component]:
    """Return the strong components of the cells to which `complete` has given the digits `used`.

    `unused` are the other digits that these cells may hold. The search follows arrows and keeps the
    components on its path (Purdom and Munro, 1968): an arrow back to one of them merges it with all
    components after it; when the last one has no arrow left, it is complete.
    """
    components: list[Component] = []
    owner_of = matching.owner_of
    complete = 0
    unvisited = used
    path: list[tuple[int, int]] = []
    if unused:
        # A cell may take an unused digit, and its own digit is then unused. So arrows lead from
        # every unused digit to digits in use and back: all of these are one component from the
        # start.
        path.append((unused, used))
    while path or unvisited:
        if not path:
            digit = unvisited & -unvisited
            unvisited ^= digit
            path.append((digit, masks[owner_of[digit.bit_length() - 1]]))
        digits, reached = path[-1]
        ahead = reached & ~(digits | complete)
        if not ahead:
            path.pop()
            complete |= digits
            components.append(Component(digits, reached & ~digits, not digits & unused))
            continue
        back = ahead & ~unvisited
        if back:
            path.pop()
            # `back` are digits on the path: these and all later ones are on a cycle.
            while back:
                more_digits, more_reached = path.pop()
                digits |= more_digits
                reached |= more_reached
                back &= ~more_digits
            path.append((digits, reached))
        else:
            digit = ahead & -ahead
            unvisited ^= digit
            path.append((digit, masks[owner_of[digit.bit_length() - 1]]))
    return components


# The candidates of a board during pruning, and the queue of parts to examine again.
#
# Every unit begins as one part: its empty cells. A Hall set splits a part into two, and from then
# on a change in one part does not affect the other. The smallest parts come first: they cost least,
# and their exclusions often settle larger parts.


class Part:
    """Cells of a unit that have no candidate digit in common with the other empty cells of the
    unit.

    If `is_hall_set`, the part has as many digits as cells, so that each digit is in one of the
    cells.
    """

    def __init__(self, unit: int, cells: list[int], is_hall_set: bool) -> None:
        self.unit = unit
        self.cells = cells
        self.is_hall_set = is_hall_set
        # Digits whose places changed since the places were last examined.
        self.changed_digits = 0
        self.is_queued = False


class Membership(NamedTuple):
    """A unit that contains a cell, and the cell's bit in the masks of places of the unit."""

    unit: int
    bit: int


class PrunedBoard:
    """Candidates as masks of digits for each cell, and as masks of places for each unit and digit.

    `masks[cell]` are the remaining digits of a cell; 0 for a given. `places[unit][digit]` are the
    remaining cells of a digit: bit n is the n-th cell of the unit.
    """

    def __init__(self, puzzle: Puzzle, masks: Mapping[int, int] | None = None) -> None:
        """Start with these candidates, which must include those of all solutions; by default with
        the candidates that the givens leave.
        """
        self.constraints: Constraints = puzzle.constraints
        self.size = puzzle.geometry.size
        missing = find_missing(puzzle)
        found = dict(find_candidates(puzzle, missing)) if masks is None else masks
        self.masks = [0] * puzzle.geometry.cell_count
        for cell, mask in found.items():
            if not mask:
                raise ImpossibleError
            self.masks[cell] = mask
        self.parts_of: list[dict[int, Part]] = [{} for _ in self.masks]
        self.memberships: list[Sequence[Membership]] = [()] * len(self.masks)
        self.matchings = [Matching(self.size) for _ in self.constraints.units]
        self.places: list[list[int]] = []
        # Cells with one digit that is not yet excluded from the rest of their units.
        self.settled = [cell for cell, mask in found.items() if not mask & (mask - 1)]
        # For two units, a mask of the cells of the first that lie in the second too, if there are
        # several.
        self.overlaps: dict[tuple[int, int], int] = {}
        self.pairs = _pairs_by_cell(puzzle)
        self.cells_with_pairs = {cell for cell in self.pairs if self.masks[cell]}
        # Parts with digits that lost places; parts with cells that lost digits are in the queue.
        self.with_changed_digits: list[Part] = []
        self._queue: list[tuple[int, int, Part]] = []
        self._queued_ever = 0
        self._add_units(missing)

    @property
    def candidates(self) -> dict[int, int]:
        """Return the remaining digits of each cell that is not given."""
        return {cell: mask for cell, mask in enumerate(self.masks) if mask}

    def remove(self, cell: int, digits: int, reasoned_in: int = -1) -> None:
        """Remove digits from a cell that has them, and queue the affected parts.

        `reasoned_in` is the unit whose components imply the removal, or -1. The cell's part in that
        unit is not queued: splitting it into components takes account of the change.
        """
        mask = self.masks[cell]
        digits &= mask
        if not digits:
            return
        mask ^= digits
        if not mask:
            raise ImpossibleError
        self.masks[cell] = mask
        self._note_cell(cell, mask)
        removed = digits_of(digits)
        for unit, bit in self.memberships[cell]:
            places = self.places[unit]
            for digit in removed:
                places[digit] ^= bit
        for unit, part in self.parts_of[cell].items():
            if unit != reasoned_in:
                self.note_changes(part, digits)
                if not part.is_queued:
                    self.queue(part)

    def _note_cell(self, cell: int, mask: int) -> None:
        """Queue a cell that lost digits if the loss may imply further exclusions."""
        if not mask & (mask - 1):
            self.settled.append(cell)
        if cell in self.pairs:
            self.cells_with_pairs.add(cell)

    def note_changes(self, part: Part, digits: int) -> None:
        """Record that the places of some digits of a part changed, and queue the part."""
        if not part.changed_digits:
            self.with_changed_digits.append(part)
        part.changed_digits |= digits

    def queue(self, part: Part) -> None:
        """Queue a part, so that its components are computed again."""
        part.is_queued = True
        self._queued_ever += 1
        # The running number breaks ties, since parts cannot be compared.
        heappush(self._queue, (len(part.cells), self._queued_ever, part))

    def next_part(self) -> Part | None:
        """Return the smallest part in the queue; None if it is empty."""
        if not self._queue:
            return None
        part = heappop(self._queue)[2]
        part.is_queued = False
        return part

    def remove_from_places(self, unit: int, places: int, digit: int) -> None:
        """Remove a digit from some of the cells of a unit."""
        cells = self.constraints.units[unit].cells
        while places:
            bit = places & -places
            places ^= bit
            self.remove(cells[bit.bit_length() - 1], 1 << digit)

    def _add_units(self, missing: Sequence[int]) -> None:
        memberships: list[list[Membership]] = [[] for _ in self.masks]
        for index, unit in enumerate(self.constraints.units):
            places = [0] * (self.size + 1)
            cells = []
            for position, cell in enumerate(unit.cells):
                if self.masks[cell]:
                    bit = 1 << position
                    cells.append(cell)
                    memberships[cell].append(Membership(index, bit))
                    for digit in digits_of(self.masks[cell]):
                        places[digit] |= bit
            self.places.append(places)
            if cells:
                self._add_part(index, cells, missing[index])
        for cell, units in enumerate(memberships):
            self.memberships[cell] = units
        self._find_overlaps()

    def _find_overlaps(self) -> None:
        overlaps: defaultdict[tuple[int, int], int] = defaultdict(int)
        for memberships in self.memberships:
            for (unit, bit), (other, _) in permutations(memberships, 2):
                overlaps[unit, other] |= bit
        # If two units share only one cell, pointing would find only digits with a single place.
        self.overlaps = {units: bits for units, bits in overlaps.items() if bits & (bits - 1)}

    def _add_part(self, index: int, cells: list[int], missing: int) -> None:
        """Add a unit as its initial part."""
        is_hall_set = self.constraints.has_every_digit(self.constraints.units[index])
        if is_hall_set and any(not self.places[index][digit] for digit in digits_of(missing)):
            raise ImpossibleError
        part = Part(index, cells, is_hall_set)
        for cell in cells:
            self.parts_of[cell][index] = part
        self.note_changes(part, missing)
        self.queue(part)


def _pairs_by_cell(puzzle: Puzzle) -> dict[int, list[tuple[int, Masks]]]:
    """Return, for each cell of a pair, the other cells with the masks that its digits exclude."""
    pairs: dict[int, list[tuple[int, Masks]]] = {}
    for pair in puzzle.constraints.pairs:
        for cell, other, excludes in pair.both_ways():
            pairs.setdefault(cell, []).append((other, excludes))
    return pairs


def prune(
    puzzle: Puzzle,
    candidates: Mapping[int, int] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> dict[int, int] | None:
    """Return the remaining digits of each empty cell; None if the puzzle has no solution.

    Digits are bits of a mask. `candidates`, if given, are candidates that are already computed.
    `pause` is called about every millisecond; an error that it raises ends the work.

    >>> from satdoku.puzzle.grid import Geometry
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
    """Prunes a board step by step."""

    def __init__(self, puzzle: Puzzle, candidates: Mapping[int, int] | None = None) -> None:
        self.board = PrunedBoard(puzzle, candidates)
        self._every = every_digit(self.board.size)

    def steps(self) -> Iterator[None]:
        """Run until a fixpoint is reached, and yield after each part.

        Raise ImpossibleError if there is no solution.
        """
        board = self.board
        while True:
            # The cheapest method comes first, as it often leaves less work for the others.
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
        """Exclude the only digit of a cell from the other cells of its units."""
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
        """Remove from other cells the digits that every remaining digit of this cell excludes."""
        board = self.board
        digits = digits_of(board.masks[cell])
        for other, excludes in board.pairs[cell]:
            common = board.masks[other]
            for digit in digits:
                common &= excludes[digit]
                if not common:
                    break
            else:
                board.remove(other, common)

    def _look_at_places(self, part: Part) -> None:
        """Examine digits with a single place in a part, or with all places in another unit too."""
        board = self.board
        changed, part.changed_digits = part.changed_digits, 0
        # Only in a Hall set must each digit be in one of the places.
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
                # All places lie in the other unit too, which covers pointing and claiming.
                if not places & ~overlap:
                    elsewhere = board.places[other][digit] & ~board.overlaps[other, unit]
                    board.remove_from_places(other, elsewhere, digit)

    def _look_at_components(self, part: Part) -> None:
        """Split a part into its components, whose cells lose the digits of the others."""
        board = self.board
        if len(part.cells) < 2:
            return
        matching = board.matchings[part.unit]
        used = matching.complete(part.cells, board.masks)
        # Unused digits can replace others, which merges the components of those digits.
        unused = 0
        if not part.is_hall_set:
            for cell in part.cells:
                unused |= board.masks[cell] & ~used
        components = find_components(matching, board.masks, used, unused)
        if len(components) > 1:
            self._split(part, components, used)

    def _split(self, part: Part, components: list[Component], used: int) -> None:
        """Make components parts of their own, and remove the digits of other components from their
        cells.
        """
        board = self.board
        owner_of = board.matchings[part.unit].owner_of
        lost = 0
        for component in components:
            lost |= component.outside
        for component in components:
            new = self._replace(part, component, used)
            # Only in a Hall set must each digit be somewhere: if the part becomes one, the places
            # of all its digits have to be examined.
            changed = lost if part.is_hall_set else component.digits
            if component.is_hall_set and changed & component.digits:
                board.note_changes(new, changed & component.digits)
        for component in components:
            if component.outside:
                for digit in digits_of(component.digits & used):
                    board.remove(owner_of[digit], component.outside, part.unit)

    def _replace(self, part: Part, component: Component, used: int) -> Part:
        """Make the cells of a component a part of their own, and return it."""
        board = self.board
        owner_of = board.matchings[part.unit].owner_of
        cells = [owner_of[digit] for digit in digits_of(component.digits & used)]
        new = Part(part.unit, cells, component.is_hall_set)
        for cell in cells:
            board.parts_of[cell][part.unit] = new
        return new
