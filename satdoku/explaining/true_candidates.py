"""The candidates that stand in some solution, each with a solution that has it."""

from dataclasses import dataclass
from functools import cached_property

from satdoku.encoding.variables import Placement
from satdoku.errors import count_of
from satdoku.explaining.asking import Asker
from satdoku.explaining.board import Board, build_board, candidates_of
from satdoku.puzzle.constraints import mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.showing import Shown
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.watching import Watch, unwatched


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


# Up to so many open candidates the solver that starts fastest is the fastest in all; with more, one
# that searches faster. An empty 9x9 board has 729.
_FEW_CANDIDATES = 700
_SOLVER_FOR_MANY = "glucose4"


def find_true_candidates(
    puzzle: Puzzle, budget: Budget, watch: Watch = unwatched
) -> TrueCandidates:
    """All true candidates, by asking for each one that no solution has shown yet."""
    search = _Harvest(puzzle)
    if next(find_clashes(puzzle), None) is not None:
        return TrueCandidates(puzzle, (), {})
    is_complete = True
    try:
        search.run(budget, watch)
    except LimitReachedError:
        is_complete = False
    return TrueCandidates(puzzle, tuple(search.solutions), search.witness, is_complete)


class _Harvest:
    """Solutions that together show every true candidate."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self.solutions: list[Grid] = []
        self.witness: dict[Placement, int] = {}

    def run(self, budget: Budget, watch: Watch) -> None:
        board = build_board(self._puzzle, budget)
        unseen = board.every_candidate
        with _open(board, budget) as asker:
            # The first question has no assumption, since givens alone may fill the board.
            if not asker.has_solution([]):
                return
            unseen &= ~self._note(asker)
            while unseen:
                watch(f"{unseen.bit_count()} candidates are not settled")
                candidate = (unseen & -unseen).bit_length() - 1
                if asker.has_solution([candidate]):
                    unseen &= ~self._note(asker)
                    # Where the solver tries first what no solution has shown, each shows more.
                    asker.session.suggest(candidates_of(unseen))
                else:
                    unseen &= ~(1 << candidate)
                    asker.session.add_clause([-candidate])

    def _note(self, asker: Asker) -> int:
        """Keeps the last solution as a witness of what it shows first; returns its candidates."""
        number = len(self.solutions)
        placed = asker.placed()
        self.solutions.append(asker.judged(placed))
        if not number:
            for cell, digit in self._puzzle.givens.items():
                self.witness[Placement(cell, digit)] = 0
        for candidate in placed:
            self.witness.setdefault(asker.board.placements[candidate], number)
        return mask_of(placed)


def _open(board: Board, budget: Budget) -> Asker:
    if len(board.placements) <= _FEW_CANDIDATES:
        return Asker(board, budget)
    return Asker(board, budget, _SOLVER_FOR_MANY)
