"""The definition of ratings, and the refutation of candidates.

| rating | what solves the puzzle |
|---|---|
| 0 | hidden singles: a digit with one place left in a row, column or box |
| 1 | hidden and naked singles: the latter are cells with one digit left |
| 2 | singles, and lines and boxes: refutations without a further step |
| 2 + n | refutations of up to n steps, units that crowd out candidates, and wider rules |
| None | no assumption of a single candidate is enough |

A candidate is refuted by assuming that it is true. The candidates that it excludes are removed;
then, in turns, the singles are found (a step), and their exclusions are removed (a step), until two
singles exclude each other or a cell or a digit of a unit has no candidate left. A unit crowds out a
candidate if, with it, its cells cannot all be filled: triples do, which no refutation of a few
steps finds. Cages and the like exclude more in combination with the cells that see theirs, and
together (`rater.py`).

Each assumption is a board of its own, and all boards share the masks:

    bit 0    the puzzle without an assumption
    bit 1    assumes its first candidate that is not alone in its cell
    bit 2    assumes the second such candidate ...

Exclusions by singles without an assumption need no extra pass: if an excluded candidate is assumed,
the single has no place, which is a contradiction before the first step. Bit 0 only shows puzzles
that contradict themselves.

First, `apply_singles` solves a puzzle if singles suffice, and otherwise finds its open candidates.
The compiled library does the same for classic 9x9 puzzles (`lanes/native/rating.c`).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from copy import copy
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from satdoku.puzzle.constraints import Machine, Sets, Some, Total, Wider, digits_of, every_digit
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget

# One round of singles on many boards at once
#
# Each candidate has a mask of the boards on which it is open: bit b is for board b. So one
# operation on two integers covers thousands of boards, and takes hardly longer than for one.
#
#     open[r1c1=5] = 0b0110    5 is open in r1c1 on boards 1 and 2
#
# A round first finds all singles, and then removes their exclusions, all at once. So it does not
# depend on an order of cells or digits, and earlier removals never make it remove less.
#
# Candidates that a rule about several cells, such as a cage, cannot complete are removed in the
# same round. The cells of such a rule are read in order, with a state that has everything that the
# remaining cells depend on: the digits of a cage, the sum of an arrow, the state of a machine. Each
# state has a mask of the boards on which it is reached, so that this too is done for all boards at
# once.
#
# Candidate n is digit n % N + 1 in cell n // N. A *group* consists of candidates of which at most
# one is true in a solution: the candidates of a cell, or the places of a digit in a unit.

Group = tuple[int, ...]

Position = tuple[int, ...]
"""The open candidates of a puzzle, in order."""


class CandidateGroups:
    """The groups of candidates for the rules of one puzzle, without its givens."""

    def __init__(self, board: Puzzle) -> None:
        self._geometry = board.geometry
        self.size = board.geometry.size
        self.count = board.geometry.cell_count * self.size
        self._constraints = board.constraints
        self.live: Sequence[int] = range(self.count)
        """The candidates that are open on some board, perhaps with others."""
        self.cells: list[Group] = [
            tuple(range(first, first + self.size)) for first in range(0, self.count, self.size)
        ]
        self.hidden: list[Group] = []
        """The groups of digits in units that hold every digit: exactly one candidate is true."""
        self._others: list[Group] = []
        self.crowding: list[tuple[Sequence[int], int]] = []
        """The cells of each unit, and how many must be open before the unit can crowd out any
        candidate.

        Sets of one or two cells are refuted in one step, so a set has three cells or more. In a
        unit that holds every digit, the other open cells and digits form such a set too: 3 + 3. In
        any other unit one cell beside the set is enough: 3 + 1.
        """
        self.readings = [_Reading(each, self.size) for each in self._constraints.wider]
        for unit in self._constraints.units:
            has_every = self._constraints.has_every_digit(unit)
            self.crowding.append((unit.cells, 6 if has_every else 4))
            for index in range(self.size):
                group = tuple(cell * self.size + index for cell in unit.cells)
                (self.hidden if has_every else self._others).append(group)

    @cached_property
    def full_groups(self) -> list[Group]:
        """Return the groups of which exactly one candidate is true."""
        return self.cells + self.hidden

    @cached_property
    def all_groups(self) -> list[Group]:
        """Return the groups of which at most one candidate is true, pairs included."""
        return self.full_groups + self._others + list(self._pairs())

    def narrowed(self, open_: "BoardMasks") -> "CandidateGroups":
        """Return these groups without the candidates that are open on no board.

        On large boards most candidates are dropped. Removed candidates never return, and the groups
        of the others stay the same; a pair of which one is removed is dropped.
        """
        narrow = copy(self)
        narrow.cells, narrow.hidden = _narrow(self.cells, open_), _narrow(self.hidden, open_)
        narrow.full_groups = narrow.cells + narrow.hidden
        narrow.all_groups = [group for group in _narrow(self.all_groups, open_) if len(group) > 1]
        narrow.live = [candidate for candidate in self.live if open_[candidate]]
        return narrow

    def open_in(self, grid: Grid) -> list[int]:
        """Return the candidates that are open at the start.

        In a given cell only the given is open, in other cells every digit that rules allow.
        """
        size = self.size
        return [
            cell * size + index
            for cell, (digit, allowed) in enumerate(zip(grid.digits, self._allowed, strict=True))
            for index in (range(size) if digit == EMPTY else (digit - 1,))
            if allowed >> (index + 1) & 1
        ]

    def read_grid(self, position: Sequence[int]) -> Grid:
        """Return the grid with the last candidate of each cell; cells without one are empty."""
        digits = [EMPTY] * (self.count // self.size)
        for candidate in position:
            digits[candidate // self.size] = candidate % self.size + 1
        return Grid(self._geometry, tuple(digits))

    @cached_property
    def _allowed(self) -> list[int]:
        """Return, for each cell, a mask of the digits that rules allow."""
        masks = [every_digit(self.size)] * (self.count // self.size)
        for allowed in self._constraints.allowed:
            masks[allowed.cell] &= allowed.digits
        return masks

    def _pairs(self) -> Iterator[Group]:
        """Yield pairs of candidates in different cells that exclude each other by a rule."""
        for pair in self._constraints.pairs:
            for digit, other in pair.digit_pairs():
                yield (pair.first * self.size + digit - 1, pair.second * self.size + other - 1)


BoardMasks = list[int]


def _narrow(groups: Sequence[Group], open_: BoardMasks) -> list[Group]:
    return [tuple(candidate for candidate in group if open_[candidate]) for group in groups]


Step = Callable[[int, int, int], int]
"""A transition function: from the index of a cell, a state and a digit to the next state, or -1."""


class _Reading:
    """A rule about several cells, as an automaton from state 0 to the states that satisfy it."""

    def __init__(self, constraint: Wider, size: int) -> None:
        cells = tuple(dict.fromkeys(constraint.cells))
        self._candidates = [cell * size + index for cell in cells for index in range(size)]
        step, is_end = _steps_of(constraint, cells)
        reached = [{0}]
        for place in range(len(cells)):
            after = {step(place, s, digit) for s in reached[-1] for digit in range(1, size + 1)}
            reached.append(after - {-1})
        leading = set(filter(is_end, reached.pop()))
        # For each cell, the transitions that can reach an end, as (state, candidate, next state).
        self._arcs: list[list[tuple[int, int, int]]] = []
        for place in reversed(range(len(cells))):
            first = cells[place] * size - 1
            tried = ((s, d, step(place, s, d)) for s in reached.pop() for d in range(1, size + 1))
            self._arcs.append([(s, first + d, after) for s, d, after in tried if after in leading])
            leading = {state for state, _, _ in self._arcs[-1]}
        self._arcs.reverse()

    def find_kept(self, open_: BoardMasks, every: int) -> dict[int, int]:
        """Return, for each candidate of its cells, the boards on which it can be completed."""
        reached = [{0: every}]
        for arcs in self._arcs:
            after: defaultdict[int, int] = defaultdict(int)
            before = reached[-1]
            for state, candidate, target in arcs:
                if state in before:
                    after[target] |= before[state] & open_[candidate]
            reached.append(after)
        # A digit without a transition cannot be completed on any board.
        kept = dict.fromkeys(self._candidates, 0)
        leading = reached.pop()
        for arcs in reversed(self._arcs):
            before, ahead = reached.pop(), defaultdict[int, int](int)
            for state, candidate, target in arcs:
                # Boards that reach the state, have this digit open, and can reach an end after it.
                boards = before.get(state, 0) & open_[candidate] & leading.get(target, 0)
                kept[candidate] |= boards
                ahead[state] |= boards
            leading = ahead
        return kept


def _steps_of(constraint: Wider, cells: tuple[int, ...]) -> tuple[Step, Callable[[int], bool]]:
    """Return the transition function, and the test for states that satisfy the rule."""
    if isinstance(constraint, Sets):
        sets = frozenset(constraint.sets)
        return lambda _, seen, d: -1 if seen >> d & 1 else seen | 1 << d, sets.__contains__
    if isinstance(constraint, Total):
        worths = constraint.worths
        # A state is the sum so far minus the lowest possible one, so that states start at 0.
        least = [min(table[1:]) for table in worths]
        low, high = constraint.low - sum(least), constraint.high - sum(least)
        ends = range(low, high + 1)
        return lambda n, so_far, d: so_far + worths[n][d] - least[n], ends.__contains__
    if isinstance(constraint, Some):
        wanted = {(cell, d) for cell, mask in constraint.choices for d in digits_of(mask)}
        return lambda n, is_kept, d: is_kept | ((cells[n], d) in wanted), bool
    assert isinstance(constraint, Machine)  # rules with choices were rejected by name
    layers = constraint.layers
    return lambda n, state, d: layers[n][state][d], lambda _: True


class ManyBoards:
    """The candidates of many boards.

    `open` has the candidates that are not removed. `bad` has a bit for each board with a
    contradiction: a group without a candidate, or two singles that exclude each other.
    """

    def __init__(self, candidates: CandidateGroups, open_: BoardMasks, every: int) -> None:
        self._candidates = candidates
        self.open = open_
        self.every = every
        self.bad = 0
        # The boards on which each candidate is settled and its exclusions are removed.
        self._settled = [0] * candidates.count

    def copy(self) -> "ManyBoards":
        """Return a copy, to continue from this state more than once."""
        other = ManyBoards(self._candidates, self.open.copy(), self.every)
        other.bad = self.bad
        other._settled = self._settled
        return other

    def narrow(self) -> None:
        """Drop from the groups each candidate that no board has open; saves time only."""
        self._candidates = self._candidates.narrowed(self.open)

    def settle_singles(self, has_naked: bool = True) -> int:
        """Settle, in one round, every candidate that is the last one of a digit in a unit.

        With `has_naked`, also every candidate that is the last one of its cell.

        A group that is already empty, and two singles that exclude each other, are contradictions.
        Return the boards on which any candidate is newly settled. If there are none, further rounds
        change nothing.
        """
        open_, every, bad = self.open, self.every, self.bad
        alone_in = [0] * len(open_)
        for group in self._candidates.full_groups if has_naked else self._candidates.hidden:
            # The boards on which the group has at least one candidate, and at least two.
            once = twice = 0
            for candidate in group:
                mask = open_[candidate]
                twice |= once & mask
                once |= mask
            # The group has no candidate on boards whose bit is not set in `once`.
            bad |= once ^ every
            alone = once ^ twice
            if alone:
                for candidate in group:
                    alone_in[candidate] |= alone
        self.bad = bad
        settled = [0] * len(open_)
        for candidate in self._candidates.live:
            settled[candidate] = open_[candidate] & alone_in[candidate]
        return self.settle(settled)

    def settle(self, settled: BoardMasks) -> int:
        """Settle these open candidates: remove their exclusions, and then those of rules.

        Return the boards on which a candidate is newly settled, or a rule excludes something.
        """
        return self.exclude(settled) | self.keep_rules()

    def exclude(self, settled: BoardMasks) -> int:
        """Remove the exclusions of these open candidates; return the boards with new ones."""
        new = self._note(settled)
        removed = [0] * len(new)
        bad = changed = 0
        for group in self._candidates.all_groups:
            once = twice = 0
            for candidate in group:
                mask = new[candidate]
                if mask:
                    twice |= once & mask
                    once |= mask
            if once:
                changed |= once
                # Two candidates of a group were settled in the same round.
                bad |= twice
                for candidate in group:
                    removed[candidate] |= once
        self.bad |= bad
        # A settled candidate stays open itself, although it is in the groups from which it excludes
        # the rest.
        self.open = left = self.open.copy()
        for candidate in self._candidates.live:
            if gone := removed[candidate]:
                left[candidate] = left[candidate] & ~gone | new[candidate]
        return changed

    def _note(self, settled: BoardMasks) -> BoardMasks:
        """Note these candidates as settled, and return those that were not before."""
        # A copy, since copies of these boards go on from the one before.
        known, new = self._settled.copy(), [0] * len(settled)
        for candidate in self._candidates.live:
            if mask := settled[candidate] & ~known[candidate]:
                new[candidate] = mask
                known[candidate] |= mask
        self._settled = known
        return new

    def keep_rules(self) -> int:
        """Remove candidates that rules about several cells exclude; return the changed boards."""
        found = [each.find_kept(self.open, self.every) for each in self._candidates.readings]
        changed = 0
        # Removed all at once, so that no rule depends on the removals of another one.
        for kept in found:
            for candidate, boards in kept.items():
                changed |= self.open[candidate] & ~boards
                self.open[candidate] &= boards
        return changed

    def find_contradictions(self) -> int:
        """Return the boards with a contradiction so far."""
        for group in self._candidates.full_groups:
            once = 0
            for candidate in group:
                once |= self.open[candidate]
            self.bad |= once ^ self.every
        return self.bad

    def find_filled(self) -> int:
        """Return the boards without contradiction on which every cell has one candidate left."""
        filled = self.every & ~self.find_contradictions()
        for group in self._candidates.cells:
            once = twice = 0
            for candidate in group:
                twice |= once & self.open[candidate]
                once |= self.open[candidate]
            filled &= ~twice
        return filled


# The meaning of the lowest numbers. Above the last of them a rating depends on the number of steps.
HIDDEN_SINGLES = 0
SINGLES = 1
LINES_AND_BOXES = 2


DEFINITION = "satdoku 1"
"""The name of the definition in docs/rating.md. It changes if any puzzle's rating may change."""


class RatingLevel(Enum):
    """Words for ratings."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    FIENDISH = "fiendish"
    EXTREME = "extreme"
    BEYOND = "beyond"


# The rating at which each level starts, up to the next one. docs/rating.md compares levels with the
# opinions of players.
LOWEST_RATINGS = {
    RatingLevel.EASY: HIDDEN_SINGLES,
    RatingLevel.MEDIUM: LINES_AND_BOXES,
    RatingLevel.HARD: LINES_AND_BOXES + 2,
    RatingLevel.VERY_HARD: LINES_AND_BOXES + 3,
    RatingLevel.FIENDISH: LINES_AND_BOXES + 4,
    RatingLevel.EXTREME: LINES_AND_BOXES + 8,
}


class Rating(NamedTuple):
    """How hard a puzzle with one solution is; `number` is None if no assumption is enough.

    >>> Rating(5).level.value, Rating(5).steps
    ('very hard', 3)
    """

    number: int | None

    @property
    def level(self) -> RatingLevel:
        if self.number is None:
            return RatingLevel.BEYOND
        return [level for level, lowest in LOWEST_RATINGS.items() if lowest <= self.number][-1]

    @property
    def steps(self) -> int | None:
        """Return the number of steps of the longest refutation.

        None both if singles are enough and if refutations are not; `number` distinguishes the two
        cases.
        """
        if self.number is None or self.number < LINES_AND_BOXES:
            return None
        return self.number - LINES_AND_BOXES

    @property
    def sentence(self) -> str:
        """Return the meaning of the rating as a sentence, without a capital and a full stop."""
        if self.number is None:
            return "no assumption of a single candidate is enough to solve it"
        if self.number == HIDDEN_SINGLES:
            return "hidden singles solve it"
        if self.number == SINGLES:
            return "hidden and naked singles solve it"
        if self.number == LINES_AND_BOXES:
            return "singles solve it, with lines and boxes"
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"refuting one assumption at a time solves it, in at most {steps} each"


class Refutation(NamedTuple):
    """The result of refuting for some steps.

    `is_impossible` if the position contradicts itself; `is_final` if more steps would not refute
    any further candidate.
    """

    is_impossible: bool
    is_final: bool


# The groups are narrowed once so few of their candidates are left: narrowing at each pass takes a
# quarter of the time of a rating.
_SHARE_TO_NARROW = 0.9


class Assumptions:
    """All assumptions on a position; their state is kept between passes.

    `position` has the remaining candidates.
    """

    def __init__(self, candidates: CandidateGroups, position: Position, budget: Budget) -> None:
        self._budget = budget
        self.position = position
        # A candidate that is alone in its cell is true, so it needs no assumption.
        in_cell = Counter(candidate // candidates.size for candidate in position)
        self._chosen = [c for c in position if in_cell[c // candidates.size] > 1]
        # A bit for each assumption, and the lowest bit for the puzzle without any.
        every = (2 << len(self._chosen)) - 1
        open_, assumed = [0] * candidates.count, [0] * candidates.count
        for candidate in position:
            open_[candidate] = every
        for bit, candidate in enumerate(self._chosen, 1):
            assumed[candidate] = 1 << bit
        # The state before the first round; its `bad` has the boards of refuted assumptions.
        self._start = ManyBoards(candidates, open_, every)
        self._start.exclude(assumed)
        self._narrowed = candidates.count
        self.begin()

    def begin(self) -> None:
        """Start a pass: every assumption is made anew, on the remaining candidates."""
        if len(self.position) < _SHARE_TO_NARROW * self._narrowed:
            self._narrowed = len(self.position)
            self._start.narrow()
        self._boards = self._start.copy()
        # Applied to the copy: in `_start` the removals of all passes would accumulate.
        self._boards.keep_rules()
        self._rounds = 0
        self._moving = self._boards.every

    def refute(self, steps: int) -> Refutation:
        """Follow all assumptions for this many steps, and remove the refuted candidates.

        A refuted candidate is removed from all boards at once, not after the pass. So a pass may
        remove more, but nothing that later passes would not remove too.
        """
        boards = self._boards
        # A round is two steps: the first finds singles that exclude each other, the second empty
        # groups.
        for _ in range(self._rounds, (steps + 1) // 2):
            self._budget.require()
            if not self._moving & ~boards.bad:
                break
            self._moving = boards.settle_singles()
            self._remove_refuted()
        self._rounds = (steps + 1) // 2
        if steps % 2 == 0:
            boards.find_contradictions()
            self._remove_refuted()
        return Refutation(bool(boards.bad & 1), not self._moving & ~boards.bad)

    def _remove_refuted(self) -> None:
        """Remove the candidates whose assumptions led to a contradiction since the last call."""
        # Bit 0 has no assumption.
        new = (self._boards.bad & ~self._start.bad) >> 1
        self._start.bad = self._boards.bad
        self.remove({self._chosen[bit] for bit in digits_of(new)})

    def remove(self, gone: Set[int]) -> None:
        """Remove candidates from all boards, now and in all later passes."""
        for candidate in gone:
            self._boards.open[candidate] = self._start.open[candidate] = 0
        if gone:
            self.position = tuple(c for c in self.position if c not in gone)


class Start(NamedTuple):
    """The effect of singles on a puzzle: its rating if they solve it, else open candidates."""

    rating: int | None
    is_impossible: bool
    position: Position


def apply_singles(candidates: CandidateGroups, grid: Grid, budget: Budget) -> Start:
    """Apply hidden singles as far as possible, then naked ones too."""
    open_, given = [0] * candidates.count, [0] * candidates.count
    for candidate in candidates.open_in(grid):
        open_[candidate] = 1
        given[candidate] = int(grid.digits[candidate // candidates.size] != EMPTY)
    # Settling the givens removes the candidates that they exclude.
    board = ManyBoards(candidates, open_, 1)
    board.settle(given)
    board.narrow()
    # Only hidden singles first: a puzzle that these solve has rating 0, not 1.
    for rating in (HIDDEN_SINGLES, SINGLES):
        while board.settle_singles(has_naked=rating == SINGLES) & ~board.bad:
            budget.require()
        if board.find_filled():
            return Start(rating, False, ())
    return Start(None, bool(board.bad), tuple(c for c, mask in enumerate(board.open) if mask))
