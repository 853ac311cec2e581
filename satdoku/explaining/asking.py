"""Solutions of a board under assumptions."""

from collections.abc import Iterable, Sequence

from satdoku.encoding.files.status import Status
from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Board
from satdoku.explaining.formula import Formula
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.solving.assumptions.hitting_sets import Bound
from satdoku.solving.limits import Budget

# It starts fastest, and takes the links as they are.
SOLVER = "minicard"


class Asker:
    """A solver with all truths and links of a board, asked about digits in cells."""

    def __init__(self, board: Board, budget: Budget, solver: str = SOLVER) -> None:
        self.board = board
        self._budget = budget
        truths = (*board.truths, *board.wider)
        self._formula = Formula(board, solver, truths)
        self.session = self._formula.session
        self._highest = self._formula.highest
        for truth in truths:
            self.session.add_clause([self._formula.selector(truth)])

    def candidate(self, cell: int, digit: int) -> int:
        """The literal that a cell holds a digit; the digit must be open there."""
        return self.board.number_of[Placement(cell, digit)]

    def new_variable(self) -> int:
        self._highest += 1
        return self._highest

    def bound(self, literals: Sequence[int], most: int) -> Bound:
        """How many of some literals hold, for bounds up to `most`."""
        bound = Bound(self.session, literals, most, self._highest)
        self._highest = bound.highest
        return bound

    def ask(self, patience: int | None = None) -> Status:
        """Whether there is a solution; UNKNOWN where that takes more conflicts than `patience`."""
        return self.session.solve(self._budget, patience)

    def has_solution(self, assumptions: Sequence[int]) -> bool:
        """Whether some solution keeps the assumptions."""
        return self.session.solve(self._budget, assumptions=assumptions) is Status.SATISFIABLE

    def solution(self, assumptions: Sequence[int] = ()) -> Grid | None:
        """A solution that keeps the assumptions, judged, or None where there is none."""
        return self.read() if self.has_solution(assumptions) else None

    def read(self) -> Grid:
        """The grid of the last solution."""
        return self.judged(self.placed())

    def judged(self, placed: Iterable[int]) -> Grid:
        """The grid in which these candidates hold, which must be a solution."""
        puzzle = self.board.puzzle
        grid = puzzle.grid.with_digits(dict(map(self.board.placements.__getitem__, placed)))
        return require_solution(grid, puzzle)

    def placed(self) -> list[int]:
        """The candidates that hold in the last solution."""
        # Models list their variables in order, and candidates have the first numbers.
        model = self.session.model()[: len(self.board.placements) - 1]
        return [literal for literal in model if literal > 0]

    def literals_of(self, grid: Grid) -> dict[int, int]:
        """For each open cell the literal that it holds the digit of a grid."""
        number_of = self.board.number_of
        givens = self.board.puzzle.grid.digits
        # A placement is a tuple of cell and digit, and equal to a plain one, which is made faster.
        return {
            place[0]: number_of[place]  # type: ignore[index]
            for place in enumerate(grid.digits)
            if not givens[place[0]]
        }

    def require_other_than(self, literals: Iterable[int]) -> int:
        """A literal under which not all of these hold."""
        switch = self.new_variable()
        self.session.add_clause([-switch, *(-literal for literal in literals)])
        return switch

    def close(self) -> None:
        self.session.close()

    def __enter__(self) -> "Asker":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
