"""Solutions of a board under assumptions, and sets of few elements that hit many others."""

from collections.abc import Iterable, Sequence

from satdoku.encoding.files.status import Status
from satdoku.encoding.variables import Placement
from satdoku.explaining.board import Board
from satdoku.explaining.formula import Formula
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

# It starts fastest, and takes the links as they are.
SOLVER = "minicard"


class Asker:
    """A solver with all truths and links of a board, asked about digits in cells."""

    def __init__(self, board: Board, budget: Budget, solver: str = SOLVER) -> None:
        self.board = board
        self._budget = budget
        self._formula = Formula(board, solver, board.truths)
        self.session = self._formula.session
        self._highest = self._formula.highest
        for truth in board.truths:
            self.session.add_clause([self._formula.selector(truth)])

    def candidate(self, cell: int, digit: int) -> int:
        """The literal that a cell holds a digit; the digit must be open there."""
        return self.board.number_of[Placement(cell, digit)]

    def new_variable(self) -> int:
        self._highest += 1
        return self._highest

    def bound(self, literals: Sequence[int], most: int) -> "Bound":
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


class Bound:
    """How many of some literals hold, so that a question may assume a bound."""

    def __init__(self, session: Session, literals: Sequence[int], most: int, highest: int) -> None:
        # python-sat's cardinality module takes 15 ms to import, and few questions need it.
        from pysat.card import ITotalizer

        self._count = len(literals)
        with ITotalizer(lits=list(literals), ubound=most, top_id=highest) as totalizer:
            session.add_clauses(totalizer.cnf.clauses)
            self._outputs = list(totalizer.rhs)
            self.highest: int = max(highest, totalizer.top_id)

    def at_most(self, number: int) -> list[int]:
        """The assumptions under which no more than so many hold."""
        return [] if number >= self._count else [-self._outputs[number]]


class HittingSets:
    """Sets over the elements 0..n-1, and a smallest choice that has one element of each."""

    def __init__(self, count: int, budget: Budget) -> None:
        self._budget = budget
        self._session = Session(find_solver(SOLVER), with_assumptions=True)
        self._variables = range(1, count + 1)
        # Every variable is mentioned, so that each is in the model.
        self._session.add_clauses([[v, -v] for v in self._variables])
        self._bound = Bound(self._session, self._variables, max(count - 1, 1), count)
        self.at_least = 0

    def add(self, elements: Iterable[int]) -> None:
        """One more set that must be hit."""
        self._session.add_clause([element + 1 for element in elements])

    def exclude(self, elements: Iterable[int]) -> None:
        """Forbids a choice, and every larger one that contains it."""
        self._session.add_clause([-element - 1 for element in elements])

    def smallest(self) -> list[int] | None:
        """A smallest choice; `at_least` is its size then. None where nothing hits all sets."""
        while True:
            assumptions = self._bound.at_most(self.at_least)
            status = self._session.solve(self._budget, assumptions=assumptions)
            if status is Status.SATISFIABLE:
                chosen = [v for v in self._session.model() if 0 < v <= len(self._variables)]
                return [variable - 1 for variable in chosen]
            if not assumptions:
                return None
            self.at_least += 1

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> "HittingSets":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
