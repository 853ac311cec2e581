"""The candidates that stand in some solution, each with a solution that has it.

`count_candidates` says in how many solutions each stands, up to a cap.
"""

from collections import defaultdict
from dataclasses import dataclass
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
from satdoku.puzzle.value import Shown
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.solvers import PATIENCE


@dataclass(frozen=True, repr=False)
class TrueCandidates(Shown):
    """The digits of each cell that some solution has there.

    `witness` names for each of them a solution by its place in `solutions`. When not `is_complete`,
    a limit was reached, and there may be more.
    """

    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    witness: dict[Placement, int]
    is_complete: bool = True

    def __repr__(self) -> str:
        count = count_of(len(self.witness), "candidate")
        return f"<TrueCandidates: {count}{'' if self.is_complete else ' so far'}>"

    def mask_on(self, board: Board) -> int:
        """The open ones among them, by their numbers on a board of the puzzle."""
        return mask_of(n for n, place in enumerate(board.placements) if place in self.witness)

    def digits(self, cell: int) -> list[int]:
        """The digits that a cell has in some solution, in order."""
        return self._digits.get(cell, [])

    @classmethod
    def of_only(cls, puzzle: Puzzle, solution: Grid) -> "TrueCandidates":
        """Those of a puzzle that has this solution and no other."""
        return cls(
            puzzle, (solution,), dict.fromkeys(starmap(Placement, enumerate(solution.digits)), 0)
        )

    @property
    def digits_of_cells(self) -> list[list[int]]:
        """The same of every cell."""
        return list(map(self.digits, range(self.puzzle.geometry.cell_count)))

    @cached_property
    def _digits(self) -> dict[int, list[int]]:
        """The same by cell: to ask for each digit of each cell takes a 225x225 board 20 s."""
        found: dict[int, list[int]] = {}
        for cell, digit in sorted(self.witness):
            found.setdefault(cell, []).append(digit)
        return found


# A board that takes more conflicts than the patience with the first solver goes to this one. Opened
# puzzles with very few givens, as non-consecutive ones may have, take it a third of the time.
_SECOND_SOLVER = "cadical195"


def find_true_candidates(
    puzzle: Puzzle, budget: Budget, watch: Watch = unwatched, patience: int = PATIENCE
) -> TrueCandidates:
    """All true candidates, by asking for solutions until none shows a further one.

    A question that takes more than `patience` conflicts is asked of another solver.
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
        """Asks for solutions; False when the patience ends before it is known that none is left."""
        while self._unseen or not self.solutions:
            # The first question is without a clause, since givens alone may fill the board.
            if self.solutions:
                watch(f"{self._unseen.bit_count()} candidates are not settled")
                # That none of them is in a solution is then one proof, and not one for each.
                unseen = list(candidates_of(self._unseen))
                asker.session.add_clause(unseen)
                # Where the solver tries first what no solution has shown, each shows more.
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
        """Keeps the last solution, as a witness of what no other has shown."""
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
    """For each cell the digits that it has in some solution, with the number of these solutions.

    Numbers end at `cap`. When not `is_complete`, a limit was reached, and there may be more.
    """

    numbers: list[dict[int, int]]
    cap: int
    is_complete: bool = True


def count_candidates(puzzle: Puzzle, cap: int, budget: Budget) -> CandidateCounts:
    """How many solutions have each candidate, by asking for solutions that nobody has shown yet.

    Each of them has at least one candidate that still counts, so few are needed: an empty 9x9
    board takes some hundred for a cap of eight, since one solution counts for 81 candidates.
    """
    numbers: list[dict[int, int]] = [defaultdict(int) for _ in range(puzzle.geometry.cell_count)]
    is_complete = True
    if next(find_clashes(puzzle), None) is None:
        try:
            board = build_board(puzzle, budget)
            with Asker(board, budget) as asker:
                _count_up_to(cap, asker, board, numbers)
        except LimitReachedError:
            is_complete = False
    return CandidateCounts([dict(found) for found in numbers], cap, is_complete)


def _count_up_to(cap: int, asker: Asker, board: Board, numbers: list[dict[int, int]]) -> None:
    """Adds the solutions to the numbers, until all candidates are at the cap or none is left."""
    # The candidates below the cap.
    counting = board.every_candidate
    is_first = True
    while counting or is_first:
        if not is_first:
            asker.session.add_clause(list(candidates_of(counting)))
            # Where the solver tries first what is below the cap, each solution counts for more.
            asker.session.suggest(list(candidates_of(counting)))
        if asker.ask() is not Status.SATISFIABLE:
            return
        is_first = False
        placed = asker.placed()
        for cell, digit in enumerate(asker.judged(placed).digits):
            numbers[cell][digit] = min(numbers[cell][digit] + 1, cap)
        for candidate in placed:
            cell, digit = board.placements[candidate]
            if numbers[cell][digit] == cap:
                counting &= ~(1 << candidate)
        if not placed:
            return
        # The next one is another solution.
        asker.session.add_clause([-candidate for candidate in placed])
