"""What ratings mean, and which candidates are refuted.

| rating | what solves the puzzle |
|---|---|
| 0 | hidden singles: a digit with one place left in a row, column or box |
| 1 | these and naked singles: a cell with one digit left |
| 2 | these, and lines and boxes: refutations without a further step |
| 2 + n | refutations of up to n steps, what units crowd out, and what wider rules exclude |
| None | no assumption of a single candidate is enough |

A candidate is refuted by assuming that it is true. What it excludes is removed; then, in turns, the
singles are found (a step), and what they exclude is removed (a step), until two singles exclude
each other or a cell or a digit of a unit has no candidate left. A unit crowds a candidate out when,
with it, its cells cannot all be filled: so do triples, which no refutation of a few steps sees.
Cages and the like exclude more with all that their cells see, and together (`further.py`).

Each assumption is a board of its own, and the assumptions of many puzzles share the masks. The
boards of one puzzle lie side by side:

    bit 0       the puzzle as it is, without an assumption
    bit 1       its first candidate that is not alone in its cell is assumed
    bit 2       the second one is assumed ...

What singles remove without an assumption needs no look of its own: to assume it leaves the single
no place, which is a contradiction before the first step. Bit 0 only shows puzzles that contradict
themselves.

Before that, `apply_singles` tells which puzzles singles solve, and what is open where they do not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from enum import Enum
from typing import NamedTuple

from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.rating.rounds import BoardMasks, CandidateGroups, ManyBoards, Position
from satdoku.solving.limits import Budget

# What the lowest numbers say of a puzzle. From the last of them on a rating counts steps above it.
HIDDEN_SINGLES = 0
SINGLES = 1
LINES_AND_BOXES = 2


class RatingLevel(Enum):
    """Ratings in a word."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    FIENDISH = "fiendish"
    EXTREME = "extreme"
    BEYOND = "beyond"


# Each level begins at a rating and ends before the next one. docs/rating.md says what players think
# of each.
LOWEST_RATINGS = {
    RatingLevel.EASY: HIDDEN_SINGLES,
    RatingLevel.MEDIUM: LINES_AND_BOXES,
    RatingLevel.HARD: LINES_AND_BOXES + 2,
    RatingLevel.VERY_HARD: LINES_AND_BOXES + 3,
    RatingLevel.FIENDISH: LINES_AND_BOXES + 4,
    RatingLevel.EXTREME: LINES_AND_BOXES + 8,
}


class Rating(NamedTuple):
    """How hard a puzzle with one solution is; `number` is None where no assumption is enough.

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
        """The steps that the longest refutation takes.

        None where singles are enough and where no refutations are; `number` tells the two apart.
        """
        if self.number is None or self.number < LINES_AND_BOXES:
            return None
        return self.number - LINES_AND_BOXES

    @property
    def sentence(self) -> str:
        """What the rating says of the puzzle, without a capital and without a full stop."""
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
    """What is left of a position after all its candidates were assumed, each for itself.

    It `is_impossible` where the position contradicts itself. It `is_final` when no assumption would
    go any further with more steps.
    """

    position: Position
    is_impossible: bool
    is_final: bool


class Assumptions:
    """All assumptions on some positions, which are kept between one look at them and the next."""

    def __init__(
        self, candidates: CandidateGroups, positions: Sequence[Position], budget: Budget
    ) -> None:
        self._candidates = candidates
        self._budget = budget
        self._positions = list(positions)
        self._chosen = [_choose_assumptions(candidates, position) for position in positions]
        # All puzzles get as many bits as the one with the most assumptions, in whole bytes.
        self._width = (max(map(len, self._chosen)) + 8) // 8 * 8
        # Before the first round. `bad` are the boards whose assumption is refuted by now.
        self._start = self._load()
        self.begin()

    def begin(self) -> None:
        """Begins a look: every assumption is made anew, on what is left of the positions."""
        self._start.narrow()
        self._boards = self._start.copy()
        # On a copy, so that it counts once for each assumption, however many looks there are.
        self._boards.keep_rules()
        self._rounds = 0
        self._moving = self._boards.every
        self._removed: list[set[int]] = [set() for _ in self._positions]

    def refute(self, steps: int) -> list[Refutation]:
        """Follows all assumptions for so many steps, and says what is left of each position.

        A refuted candidate is removed from all boards of its puzzle at once, not after the look at
        all of them. So a look may remove more, but nothing that later looks would not remove too.
        """
        boards = self._boards
        # A round is two steps: singles that exclude each other are seen in the first of them, a
        # group that becomes empty in the second one.
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
        moving = self._moving & ~boards.bad
        return [
            Refutation(
                self._without(number, gone),
                bool(boards.bad >> (number * self._width) & 1),
                not moving & self._boards_of(number),
            )
            for number, gone in enumerate(self._removed)
        ]

    def _remove_refuted(self) -> None:
        """Removes the candidates whose assumption met a contradiction since the last time."""
        boards = self._boards
        new = boards.bad & ~self._start.bad
        self._start.bad = boards.bad
        step = self._width // 8
        data = new.to_bytes(step * len(self._chosen), "little")
        for number, chosen in enumerate(self._chosen):
            # Bit 0 assumes nothing.
            mine = int.from_bytes(data[number * step : (number + 1) * step], "little") >> 1
            if not mine:
                continue
            refuted = {chosen[bit] for bit in digits_of(mine)}
            self._removed[number] |= refuted
            self._take_off(number, refuted)

    def remove(self, number: int, gone: Set[int]) -> Position:
        """Removes candidates of a position for another reason; returns what is left of it."""
        self._take_off(number, gone)
        return self._without(number, gone)

    def _take_off(self, number: int, gone: Iterable[int]) -> None:
        """Removes candidates from all boards of a position, now and in all later looks."""
        others = self._boards.every & ~self._boards_of(number)
        for candidate in gone:
            for state in (self._boards, self._start):
                state.open[candidate] &= others

    def _boards_of(self, number: int) -> int:
        return ((1 << self._width) - 1) << (number * self._width)

    def _without(self, number: int, removed: Set[int]) -> Position:
        """The position of a puzzle without what was removed, now and in all later looks."""
        if removed:
            left = tuple(c for c in self._positions[number] if c not in removed)
            self._positions[number] = left
        return self._positions[number]

    def _load(self) -> ManyBoards:
        """The boards of all puzzles, with what their assumptions exclude removed."""
        open_ = [0] * self._candidates.count
        assumed = [0] * self._candidates.count
        every = 0
        for number, (position, chosen) in enumerate(
            zip(self._positions, self._chosen, strict=True)
        ):
            self._budget.require()
            first = number * self._width
            # A bit for each assumption, and the lowest for the puzzle without any.
            mine = ((2 << len(chosen)) - 1) << first
            every |= mine
            for candidate in position:
                open_[candidate] |= mine
            for bit, candidate in enumerate(chosen, first + 1):
                assumed[candidate] |= 1 << bit
        boards = ManyBoards(self._candidates, open_, every)
        boards.exclude(assumed)
        return boards


def _choose_assumptions(candidates: CandidateGroups, position: Position) -> Position:
    """The candidates that are worth assuming: one that is alone in its cell is true anyway."""
    in_cell = Counter(candidate // candidates.size for candidate in position)
    return tuple(c for c in position if in_cell[c // candidates.size] > 1)


class Start(NamedTuple):
    """What singles make of some puzzles, in masks of which bit p is for puzzle p.

    `open` are the candidates that are left when singles of both kinds find nothing more.
    """

    filled_by_hidden: int
    filled: int
    impossible: int
    open: BoardMasks


def apply_singles(candidates: CandidateGroups, grids: Sequence[Grid], budget: Budget) -> Start:
    """Hidden singles as far as they go, then naked ones too."""
    boards = _load(candidates, grids, budget)
    # Hidden ones alone at first: which puzzles these fill is the difference between 0 and 1.
    while boards.settle_singles(candidates.hidden) & ~boards.bad:
        budget.require()
    filled_by_hidden = boards.find_filled()
    while boards.settle_singles() & ~boards.bad:
        budget.require()
    filled = boards.find_filled()
    return Start(filled_by_hidden, filled, boards.bad, boards.open)


def _load(candidates: CandidateGroups, grids: Sequence[Grid], budget: Budget) -> ManyBoards:
    """The boards, with what the givens exclude removed."""
    open_ = [0] * candidates.count
    given = [0] * candidates.count
    for number, grid in enumerate(grids):
        budget.work(len(grid.digits))
        board = 1 << number
        for candidate in candidates.open_in(grid):
            open_[candidate] |= board
            if grid.digits[candidate // candidates.size] != EMPTY:
                given[candidate] |= board
    boards = ManyBoards(candidates, open_, (1 << len(grids)) - 1)
    boards.settle(given)
    return boards
