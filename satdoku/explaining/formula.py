"""A board inside a solver: the links always hold, and truths where a question assumes them.

`Asker` asks for solutions of the whole board, with some candidates assumed.
"""

from collections.abc import Iterable, Sequence

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import Auxiliaries, Clause, Placement
from satdoku.encoding.wider.write import guarded_clauses
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.puzzle.constraints import Wider
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.solving.assumptions.hitting_sets import Bound
from satdoku.solving.limits import Budget
from satdoku.solving.session import Closable, Session
from satdoku.solving.solvers import Can, find_solver


class BoardFormula:
    """A session with the links of a board, and each of its truths behind a selector.

    A selector is a variable that is assumed where its truth is to hold. Candidates are variables
    by their own numbers. The solver gets to know `truths` at the start, others when their selectors
    are asked for first.
    """

    def __init__(
        self, board: Board, solver: str, truths: Iterable[Truth] = (), budget: Budget | None = None
    ) -> None:
        budget = budget or Budget()
        info = find_solver(solver)
        self.board = board
        self.session = Session(info, with_assumptions=True)
        self._first = len(board.placements)
        self._own = len(board.truths) + len(board.wider)
        self.highest = self._first - 1 + self._own
        # Truths that are not of the board, and those that are, once the solver has them.
        self._others: dict[int, int] = {}
        self._known: set[int] = set()
        # The candidates of which the solver knows whether they hold, beside the givens.
        self._settled = 0
        for truth in truths:
            self.selector(truth)
        # Most boards are small: what is done for each group is half of the time to load one.
        add_at_most_one = self.session.add_at_most_one
        is_native = Can.NATIVE in info.can
        for group in board.groups:
            if is_native:
                add_at_most_one(group)
            else:
                # A clause for each pair: on 16x16 that takes longer than anybody waits for an end.
                budget.work(len(group) * len(group))
                self.session.add_clauses(_pairs(group))
        for first, second in board.pairs:
            self.session.add_clause([-first, -second])
        for given in candidates_of(board.givens):
            self.session.add_clause([given])

    def selector(self, truth: Truth) -> int:
        """The variable that makes a truth hold."""
        selector = self._first + truth.number
        if truth.number >= self._own:
            # Behind those of the board the variables of wider truths begin.
            if truth.number not in self._others:
                self._others[truth.number] = self.fresh()
            selector = self._others[truth.number]
        if selector not in self._known:
            self._known.add(selector)
            if truth.wider is None:
                self.session.add_clause([*truth.listed, -selector])
            else:
                self.session.add_clauses(self._clauses_of(truth, truth.wider, selector))
        return selector

    def fresh(self) -> int:
        """A variable that nobody uses yet."""
        self.highest += 1
        return self.highest

    def _clauses_of(self, truth: Truth, constraint: Wider, selector: int) -> list[Clause]:
        """What a wider truth says where its selector holds, also that its cells have digits."""
        board = self.board
        given = {board.placements[n].cell: n for n in candidates_of(board.givens)}
        numbers: dict[tuple[int, int], int] = {
            (board.placements[n].cell, board.placements[n].digit): n
            for n in (*truth.listed, *given.values())
        }
        auxiliaries = Auxiliaries(self.highest)
        clauses = guarded_clauses(board.puzzle, constraint, numbers, selector, auxiliaries)
        self.highest = auxiliaries.highest
        return clauses

    def learn(self, left: int, placed: int) -> None:
        """Tells the solver what steps have settled since it was told last."""
        settled = (self.board.every_candidate & ~left | placed) & ~self._settled
        self._settled |= settled
        for candidate in candidates_of(settled):
            self.session.add_clause([candidate if placed >> candidate & 1 else -candidate])

    def truths_of(self, literals: Iterable[int]) -> list[Truth]:
        """The truths whose selectors are among some literals, in the order of the board."""
        # Asked for every core, so what the loop needs is looked up once.
        first, truths = self._first, self.board.truths
        last = first + len(truths)
        return [truths[each - first] for each in sorted(literals) if first <= each < last]

    def close(self) -> None:
        self.session.close()


def _pairs(group: Sequence[int]) -> list[list[int]]:
    return [[-one, -other] for n, one in enumerate(group) for other in group[:n]]


# It starts fastest, and takes the links as they are.
SOLVER = "minicard"

# It learns most from question to question of the solvers tried, and takes the links as they are.
# Where rules are wider, questions take many conflicts: to prove steps with long sums took minicard
# three times as long.
WIDER_SOLVER = "gluecard4"


class Asker(Closable):
    """A solver with all truths and links of a board, asked about digits in cells."""

    def __init__(self, board: Board, budget: Budget, solver: str = SOLVER) -> None:
        self.board = board
        self._budget = budget
        truths = (*board.truths, *board.wider)
        self._formula = BoardFormula(board, solver, truths)
        self.session = self._formula.session
        self._highest = self._formula.highest
        for truth in truths:
            self.session.add_clause([self._formula.selector(truth)])

    def learn(self, left: int, placed: int) -> None:
        """Tells the solver what steps have settled."""
        self._formula.learn(left, placed)

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
