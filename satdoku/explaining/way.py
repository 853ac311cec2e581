"""The way from the givens on, step by step, always by the easiest technique that leads on."""

from collections.abc import Iterator
from dataclasses import dataclass

from satdoku.explaining.board import Board, Truth
from satdoku.explaining.chains import find_chain
from satdoku.explaining.cores import CoreFinder
from satdoku.explaining.locked import find_locked
from satdoku.explaining.nets import find_net
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.prover import Prover
from satdoku.explaining.singles import find_singles
from satdoku.explaining.step import Level, Step
from satdoku.explaining.subsets import find_subset
from satdoku.solving.limits import Budget, LimitReachedError


@dataclass(frozen=True)
class Way:
    """Steps on a board, in an order in which each follows from those before it.

    `dead_end` is a truth that the steps leave nothing of: then the puzzle has no solution.
    `is_full` says that every cell has its digit. Otherwise the steps end where the level has no
    further one, or, when not `is_complete`, where the limit was reached.
    """

    board: Board
    steps: tuple[Step, ...]
    dead_end: Truth | None = None
    dead_end_rests_on: tuple[int, ...] = ()
    is_full: bool = False
    is_complete: bool = True

    @property
    def biggest(self) -> int:
        """The size of the hardest step, in truths."""
        return max((step.size for step in self.steps), default=0)


def find_way(board: Board, level: Level, budget: Budget) -> Way:
    """All steps that the level allows; what there is when the limit is reached."""
    walk = Walk(board, level, budget)
    is_complete = True
    try:
        for _ in walk.steps():
            pass
    except LimitReachedError:
        is_complete = False
    finally:
        walk.close()
    position = walk.position
    rests_on = () if walk.dead_end is None else position.steps_behind((walk.dead_end,))
    steps = tuple(position.steps[: walk.proven])
    return Way(board, steps, walk.dead_end, rests_on, position.is_full, is_complete)


class Walk:
    """A position that is led on; every step is proved again before it is handed out."""

    def __init__(self, board: Board, level: Level, budget: Budget) -> None:
        self.position = Position(board)
        self.dead_end: Truth | None = None
        self.proven = 0
        self._level = level
        self._budget = budget
        self._prover = Prover(board, budget)
        self._cores: CoreFinder | None = None

    def steps(self) -> Iterator[Step]:
        """The steps one after the other, until none is left or a truth is empty."""
        while True:
            self._budget.require()
            empty, single = self.position.sort_out()
            if empty is not None:
                self.dead_end = empty
                return
            if single:
                for finding in find_singles(self.position, single):
                    # Another single of the same round excludes it: then a truth is empty.
                    if self.position.left >> (finding.places or 0) & 1:
                        yield self._apply(finding)
                continue
            if not self.position.open_truths:
                return
            harder = self._find_harder()
            if harder is None:
                return
            yield self._apply(harder)

    def close(self) -> None:
        self._prover.close()
        if self._cores is not None:
            self._cores.close()

    def _apply(self, finding: Finding) -> Step:
        step = self.position.apply(finding)
        self._prover.require(step)
        self.proven = step.number
        return step

    def _find_harder(self) -> Finding | None:
        """The easiest deduction that is no single."""
        finding = None
        if self._level.rank >= Level.BASIC.rank:
            finding = find_locked(self.position) or find_subset(self.position)
        if finding is None and self._level.rank >= Level.CHAINS.rank:
            finding = find_chain(self.position)
        if finding is None and self._level is Level.ALL:
            finding = find_net(self.position, self._budget) or self._find_cases()
        return finding

    def _find_cases(self) -> Finding | None:
        if self._cores is None:
            # Built when it is first needed: most puzzles never get here.
            self._cores = CoreFinder(self.position, self._budget)
        return self._cores.find()
