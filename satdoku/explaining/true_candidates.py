"""The candidates that stand in some solution, each with a solution that has it."""

from dataclasses import dataclass

from satdoku.encoding.variables import Placement
from satdoku.explaining.asking import Asker
from satdoku.explaining.board import Board, build_board, candidates_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError


@dataclass(frozen=True)
class TrueCandidates:
    """The digits of each cell that some solution has there.

    `witness` names for each of them a solution by its place in `solutions`. When not `is_complete`,
    a limit was reached, and there may be more.
    """

    puzzle: Puzzle
    solutions: tuple[Grid, ...]
    witness: dict[Placement, int]
    is_complete: bool = True

    def digits(self, cell: int) -> list[int]:
        """The digits that a cell has in some solution, in order."""
        size = self.puzzle.geometry.size
        return [digit for digit in range(1, size + 1) if Placement(cell, digit) in self.witness]


# Up to so many open candidates the solver that starts fastest is the fastest in all; with more, one
# that searches faster. An empty 9x9 board has 729.
_FEW_CANDIDATES = 700
_SOLVER_FOR_MANY = "glucose4"


def find_true_candidates(puzzle: Puzzle, budget: Budget) -> TrueCandidates:
    """All true candidates, by asking for each one that no solution has shown yet."""
    solutions: list[Grid] = []
    witness: dict[Placement, int] = {}
    if next(find_clashes(puzzle), None) is not None:
        return TrueCandidates(puzzle, (), {})
    board = build_board(puzzle)
    try:
        with _open(board, budget) as asker:
            unseen = board.every_candidate
            # The first question has no assumption, since givens alone may fill the board.
            assumptions: list[int] = []
            while True:
                found = asker.solution(assumptions)
                if found is None and not assumptions:
                    break
                if found is not None:
                    _note(found, len(solutions), witness)
                    solutions.append(found)
                    for literal in asker.literals_of(found).values():
                        unseen &= ~(1 << literal)
                else:
                    unseen &= ~(1 << assumptions[0])
                    asker.session.add_clause([-assumptions[0]])
                if not unseen:
                    break
                assumptions = [next(candidates_of(unseen))]
    except LimitReachedError:
        return TrueCandidates(puzzle, tuple(solutions), witness, False)
    return TrueCandidates(puzzle, tuple(solutions), witness)


def _open(board: Board, budget: Budget) -> Asker:
    if len(board.placements) <= _FEW_CANDIDATES:
        return Asker(board, budget)
    return Asker(board, budget, _SOLVER_FOR_MANY)


def _note(solution: Grid, number: int, witness: dict[Placement, int]) -> None:
    for cell, digit in enumerate(solution.digits):
        witness.setdefault(Placement(cell, digit), number)
