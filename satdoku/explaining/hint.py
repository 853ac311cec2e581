"""One hint: where to look, what to look for, and the step in full; wrong entries come first."""

from dataclasses import dataclass

from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.kinds import find_board, own_board
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.way import Walker, Way
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.showing import Shown
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check_within


@dataclass(frozen=True, repr=False)
class Hint(Shown):
    """The next step on a board, told in up to three parts.

    `wrong` are the cells that were filled with another digit than the solution has; then there is
    no step. Neither is there one on a full board, or where no technique leads on. `way` is the step
    on its board.
    """

    outcome: Outcome
    wrong: tuple[int, ...] = ()
    way: Way | None = None
    where: str = ""
    what: str = ""
    how: str = ""

    @property
    def step(self) -> Step | None:
        """The step in full."""
        return None if self.way is None else self.way.steps[0]

    def __repr__(self) -> str:
        return f"<Hint: {self.where or 'none'}>"


def find_hint(puzzle: Puzzle, entered: Grid | None = None, limits: Limits | None = None) -> Hint:
    """The easiest next step, after the digits that were entered beside the givens.

    Raises LimitReachedError when the limits come before any step.
    """
    budget = Budget(limits or Limits())
    outcome = check_within(puzzle, budget)
    if outcome.verdict is Verdict.NONE:
        return Hint(outcome)
    board = puzzle
    if entered is not None:
        solution = outcome.solution if outcome.verdict is Verdict.UNIQUE else None
        wrong = _wrong_cells(entered, puzzle.grid, solution)
        if wrong:
            return Hint(outcome, wrong)
        board = puzzle.with_grid(entered.with_digits(puzzle.givens))
        if solution is None:
            outcome = check_within(board, budget)
            if outcome.verdict is Verdict.NONE:
                return Hint(outcome)
    return _next_step(board, outcome, budget)


def _wrong_cells(entered: Grid, givens: Grid, solution: Grid | None) -> tuple[int, ...]:
    """The entered digits that contradict a given or the only solution."""
    right = givens if solution is None else solution
    return tuple(
        cell
        for cell, (digit, wanted) in enumerate(zip(entered.digits, right.digits, strict=True))
        if digit != EMPTY != wanted and digit != wanted
    )


def _next_step(puzzle: Puzzle, outcome: Outcome, budget: Budget) -> Hint:
    board = find_board(puzzle, budget)
    # Where basic steps are not enough, others are found faster on a board of the puzzle alone.
    step = _first_step(board, Level.ALL if board.root is None else Level.BASIC, budget)
    if step is None and board.root is not None:
        board = own_board(board, budget)
        step = _first_step(board, Level.ALL, budget)
    if step is None:
        return Hint(outcome)
    way = Way(board, (step,))
    names = Names(way.board)
    how = next(Teller(way).tell(Wording.USUAL))
    return Hint(outcome, (), way, _where(names, step), _what(names, step), how)


def _first_step(board: Board, level: Level, budget: Budget) -> Step | None:
    with Walker(board, level, budget) as walker:
        return walker.next_step()


def _where(names: Names, step: Step) -> str:
    """A place to look at, that gives nothing away."""
    units = [truth.unit for truth in step.truths if truth.unit is not None]
    if step.chain or step.stories or step.technique is Technique.SEARCH:
        cells = [names.board.placements[c].cell for c in step.excludes]
        return f"look at {names.cells(cells[:1])} and what follows from its candidates"
    if len(units) == len(step.truths) and len({id(unit) for unit in units}) > 1:
        return f"look at the {names.digit(step.truths[0].digit)}s in {names.units(units)}"
    return f"look at {_unit_of(names, step.truths)}"


def _unit_of(names: Names, truths: tuple[Truth, ...]) -> Unit | str:
    """The unit of some truths; for truths about cells, one that holds all the cells."""
    if truths[0].unit is not None:
        return truths[0].unit
    if truths[0].wider is not None:
        return names.cells(truths[0].wider.cells)
    constraints = names.board.puzzle.constraints
    shared = set.intersection(*(set(constraints.units_of[truth.cell]) for truth in truths))
    if shared:
        return constraints.units[min(shared)]
    return names.cells(truth.cell for truth in truths)


def _what(names: Names, step: Step) -> str:
    """The technique, and the cells that it is about."""
    cells = {
        names.board.placements[member].cell
        for truth in step.truths
        for member in candidates_of(truth.members & step.before)
    }
    return f"{step.technique.value} in {names.cells(cells)}"
