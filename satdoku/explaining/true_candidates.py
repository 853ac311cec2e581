"""The candidates that hold in at least one solution, each with a solution as witness.

`count_candidates` counts the solutions that contain each candidate, up to a cap.
"""

from collections import defaultdict
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import Placement
from satdoku.errors import count_of
from satdoku.explaining.board import Board, build_board, candidates_of
from satdoku.explaining.prover import SOLVER, Asker
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import Shown, value
from satdoku.solving.kept import kept_here
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.solvers import PATIENCE


@value(frozen=True, repr=False)
class TrueCandidates(Shown):
    """The digits of each cell that occur there in some solution.

    `witness` has for each true candidate the index of a solution in `solutions`. If not
    `is_complete`, a limit was reached, and there may be more candidates.
    """

    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    witness: dict[Placement, int]
    is_complete: bool = True

    def __repr__(self) -> str:
        count = count_of(len(self.witness), "candidate")
        return f"<TrueCandidates: {count}{'' if self.is_complete else ' so far'}>"

    def mask_on(self, board: Board) -> int:
        """Return the true candidates that are open on a board of the puzzle, as a mask."""
        return mask_of(n for n, place in enumerate(board.placements) if place in self.witness)

    def digits(self, cell: int) -> list[int]:
        """Return the digits that a cell has in some solution, in order."""
        return self._digits.get(cell, [])

    @classmethod
    def of_only(cls, puzzle: Puzzle, solution: Grid) -> "TrueCandidates":
        """Return the true candidates of a puzzle that has only this solution."""
        return cls(
            puzzle, (solution,), dict.fromkeys(starmap(Placement, enumerate(solution.digits)), 0)
        )

    @property
    def digits_of_cells(self) -> list[list[int]]:
        """Return the digits of every cell."""
        return list(map(self.digits, range(self.puzzle.geometry.cell_count)))

    @cached_property
    def _digits(self) -> dict[int, list[int]]:
        """The true digits by cell: without this table, `digits` takes 20 s for a 225x225 board."""
        found: dict[int, list[int]] = {}
        for cell, digit in sorted(self.witness):
            found.setdefault(cell, []).append(digit)
        return found


# The solver that takes over when the first one exceeds its conflict limit (`patience`). It takes a
# third of the time for puzzles with very few givens, such as non-consecutive ones.
_SECOND_SOLVER = "cadical195"


def find_true_candidates(
    puzzle: Puzzle, budget: Budget, watch: Watch = unwatched, patience: int = PATIENCE
) -> TrueCandidates:
    """Return all true candidates, by finding solutions until none shows a further one.

    A query that takes more than `patience` conflicts goes to another solver.
    """
    if next(find_clashes(puzzle), None) is not None:
        return TrueCandidates(puzzle, (), {})
    search = _Harvest(puzzle)
    is_complete = True
    try:
        search.run(budget, watch, patience)
    except LimitReachedError:
        is_complete = False
    return TrueCandidates(puzzle, tuple(search.solutions), search.witness, is_complete)


class _Harvest:
    """Solutions that together show every true candidate."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._unseen = 0
        self.solutions: list[Grid] = []
        self.witness: dict[Placement, int] = {}

    def run(self, budget: Budget, watch: Watch, patience: int) -> None:
        board = build_board(self._puzzle, budget)
        self._unseen = board.every_candidate
        for solver, most in ((SOLVER, patience), (_SECOND_SOLVER, None)):
            with Asker(board, budget, solver) as asker:
                if self._is_settled(asker, most, watch):
                    return

    def _is_settled(self, asker: Asker, patience: int | None, watch: Watch) -> bool:
        """Find solutions; return False if the patience ends before all candidates are settled."""
        while self._unseen or not self.solutions:
            # The first query has no clause, since givens alone may fill the board.
            if self.solutions:
                watch(f"{self._unseen.bit_count()} candidates are not settled")
                # A clause of all unseen candidates: one proof then shows that none of them is in a
                # solution.
                unseen = list(candidates_of(self._unseen))
                asker.session.add_clause(unseen)
                # Solutions show more if the solver tries unseen candidates first.
                asker.session.suggest(unseen)
            spent = asker.session.counters()["conflicts"]
            status = asker.ask(None if patience is None else max(patience - spent, 1))
            if status is Status.UNKNOWN:
                return False
            if status is Status.UNSATISFIABLE:
                return True
            self._note(asker)
        return True

    def _note(self, asker: Asker) -> None:
        """Keep the last solution, as the witness of its candidates that no earlier one has."""
        number = len(self.solutions)
        placed = asker.placed()
        self.solutions.append(asker.judged(placed))
        if not number:
            for cell, digit in self._puzzle.givens.items():
                self.witness[Placement(cell, digit)] = 0
        for candidate in placed:
            self.witness.setdefault(asker.board.placements[candidate], number)
        self._unseen &= ~mask_of(placed)


class CandidateCounts(NamedTuple):
    """A table of each cell's digits in solutions, with the number of solutions of each.

    Counts stop at `cap`. If not `is_complete`, a limit was reached, and there may be more.
    """

    numbers: list[dict[int, int]]
    cap: int
    is_complete: bool = True


def count_candidates(puzzle: Puzzle, cap: int, budget: Budget) -> CandidateCounts:
    """Return how many solutions contain each candidate, by finding new solutions.

    Each new one must have a candidate below the cap, so few are needed: an empty 9x9 board takes
    some hundred for a cap of eight, since one solution counts for 81 candidates.
    """
    numbers: list[dict[int, int]] = [defaultdict(int) for _ in range(puzzle.geometry.cell_count)]
    is_complete = True
    if next(find_clashes(puzzle), None) is None:
        try:
            # With further rules, encoding them takes most of the time, so a kept solver is used.
            kept = None if puzzle.is_classic else kept_here().of(puzzle, budget)
            if kept is not None:
                found, is_complete = kept.count_candidates(cap)
                return CandidateCounts(found, cap, is_complete)
            board = build_board(puzzle, budget)
            with Asker(board, budget) as asker:
                _count_up_to(cap, asker, board, numbers)
        except LimitReachedError:
            is_complete = False
    return CandidateCounts([dict(found) for found in numbers], cap, is_complete)


def _count_up_to(cap: int, asker: Asker, board: Board, numbers: list[dict[int, int]]) -> None:
    """Count solutions until all candidates are at the cap or no solution is left."""
    givens = board.puzzle.givens.items()
    below = dict.fromkeys(candidates_of(board.every_candidate), 0)
    is_first = True
    while below or is_first:
        if not is_first:
            literals = list(below)
            asker.session.add_clause(literals)
            # Solutions count for more if the solver tries candidates below the cap first.
            asker.session.suggest(literals)
        if asker.ask() is not Status.SATISFIABLE:
            return
        is_first = False
        placed = asker.placed()
        asker.judged(placed)
        for cell, digit in givens:
            numbers[cell][digit] = min(numbers[cell][digit] + 1, cap)
        for candidate in filter(below.__contains__, placed):
            below[candidate] += 1
            cell, digit = board.placements[candidate]
            numbers[cell][digit] = below[candidate]
            if below[candidate] == cap:
                del below[candidate]
        if not placed:
            return
        # Exclude this solution.
        asker.session.add_clause([-candidate for candidate in placed])
