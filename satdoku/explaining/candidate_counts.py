"""In how many solutions each candidate stands, counted up to a cap."""

from collections import defaultdict
from typing import NamedTuple

from satdoku.encoding.files.status import Status
from satdoku.explaining.asking import Asker
from satdoku.explaining.board import Board, build_board, candidates_of
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError


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
                _harvest(asker, board, cap, numbers)
        except LimitReachedError:
            is_complete = False
    return CandidateCounts([dict(found) for found in numbers], cap, is_complete)


def _harvest(asker: Asker, board: Board, cap: int, numbers: list[dict[int, int]]) -> None:
    # Those below the cap.
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
