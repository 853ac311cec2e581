"""One hint: where to look, what to look for, and the step in full; wrong entries come first."""

from collections.abc import Collection
from dataclasses import replace
from typing import cast

from satdoku.encoding.variables import Placement
from satdoku.errors import join
from satdoku.explaining.board import Board, Truth, build_board, candidates_of, find_board, own_board
from satdoku.explaining.step import Deduction, Level, Technique, Way
from satdoku.explaining.told import Step, steps_of
from satdoku.explaining.way import Walker
from satdoku.explaining.words.headings import heading_of
from satdoku.explaining.words.names import Names
from satdoku.explaining.words.steps import Teller, Wording
from satdoku.puzzle.grid import EMPTY, Grid, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.single_cells import Candidates
from satdoku.puzzle.value import Shown, value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.limits import Budget, Limits
from satdoku.solving.questions import check_within


@value(frozen=True, repr=False)
class Hint(Shown):
    """The next step on a board, in up to four parts; only chains and stories have a `begin`.

    There is no step if the player made mistakes: `wrong` are cells filled with another digit than
    the solution's, `missing` cells whose marks leave that digit out. Nor is there one on a full
    board, or if no technique finds any. `way` has the step alone. `is_open` says that cells are
    empty though the requested techniques find no step. `entered` is the player's board.
    """

    outcome: Outcome
    wrong: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    way: Way | None = None
    where: str = ""
    what: str = ""
    begin: str = ""
    how: str = ""
    is_open: bool = False
    entered: Grid | None = None

    @property
    def step(self) -> Step | None:
        """The step with its cells and digits."""
        return next(iter(steps_of(self.way)), None)

    @property
    def is_solved(self) -> bool:
        """Whether the board is full and right, so that no hint is needed."""
        return (
            self.outcome.verdict is Verdict.UNIQUE
            and self.way is None
            and not (self.wrong or self.missing or self.is_open)
        )

    def __repr__(self) -> str:
        return f"<Hint: {self.where or 'none'}>"


def find_hint(
    puzzle: Puzzle,
    entered: Grid | None = None,
    limits: Limits | None = None,
    marks: Candidates | None = None,
    assumes_unique: bool = False,
) -> Hint:
    """Return the easiest next step on the board with the player's entries.

    `marks` are the digits that the player has left in cells; all others count as excluded. With
    `assumes_unique`, steps may use the fact that there is only one solution, if that is so. Raise
    LimitReachedError if a limit is reached before a step is found.
    """
    budget = Budget(limits or Limits())
    hint, board = position_of(puzzle, entered, marks, budget)
    if board is None:
        return hint
    near = _filled_last(puzzle, entered, budget)
    if assumes_unique and hint.outcome.solution is not None:
        return _step_assuming(board, puzzle, hint.outcome, budget, near)
    return _next_step(board, hint.outcome, budget, near)


def find_every_hint(
    puzzle: Puzzle,
    entered: Grid | None = None,
    limits: Limits | None = None,
    marks: Candidates | None = None,
    assumes_unique: bool = False,
    wanted: Collection[Technique] = frozenset(Technique),
) -> tuple[Hint, list[Way]]:
    """Return all steps of some techniques that are possible now, easiest first, each as a way.

    The hint has the first of them. Of several steps of a technique that exclude the same
    candidates, only the smallest is listed.
    """
    budget = Budget(limits or Limits())
    hint, asked = position_of(puzzle, entered, marks, budget)
    if asked is None:
        return hint, []
    board = build_board(asked, budget)
    with Walker(board, Level.ALL, budget) as walker:
        if assumes_unique:
            _assume(walker, puzzle, hint.outcome)
        steps = walker.every_step(wanted)
    if not steps:
        return replace(hint, is_open=EMPTY in asked.grid.digits), []
    return hint_of(board, steps[0], hint.outcome), [Way(board, (step,)) for step in steps]


def position_of(
    puzzle: Puzzle, entered: Grid | None, marks: Candidates | None, budget: Budget
) -> tuple[Hint, Puzzle | None]:
    """Return a hint without a step, and the puzzle with the player's entries and marks.

    That puzzle is None if there is no step to look for: wrong digits, marks that leave out the
    right digit, or no solution.
    """
    outcome = check_within(puzzle, budget)
    if outcome.verdict is Verdict.NONE:
        return Hint(outcome), None
    board = puzzle
    solution = outcome.solution if outcome.verdict is Verdict.UNIQUE else None
    if entered is not None:
        wrong = _wrong_cells(entered, puzzle.grid, solution)
        if wrong:
            return Hint(outcome, wrong), None
        board = puzzle.with_grid(entered.with_digits(puzzle.givens))
    if marks is not None:
        marks = cast(Candidates, marks.beside(puzzle.rules))
        missing = _missing_cells(marks, solution)
        if missing:
            return Hint(outcome, missing=missing), None
        board = board.with_rules([marks])
    # If the puzzle has several solutions, no single entry is wrong, but all together may be.
    if board is not puzzle and solution is None:
        outcome = check_within(board, budget)
        if outcome.verdict is Verdict.NONE:
            return Hint(outcome), None
    return Hint(outcome), board


def _wrong_cells(entered: Grid, givens: Grid, solution: Grid | None) -> tuple[int, ...]:
    """Return the cells whose entered digits contradict a given or the only solution."""
    right = givens if solution is None else solution
    return tuple(
        cell
        for cell, (digit, wanted) in enumerate(zip(entered.digits, right.digits, strict=True))
        if digit != EMPTY != wanted and digit != wanted
    )


def _missing_cells(marks: Candidates, solution: Grid | None) -> tuple[int, ...]:
    """Return the cells whose marks leave out the only solution's digit."""
    if solution is None:
        return ()
    return tuple(
        cell for cell, digits in marks.sets if marks.value(solution.digits[cell]) not in digits
    )


def _assume(walker: Walker, puzzle: Puzzle, outcome: Outcome) -> None:
    """Let steps use the fact that the puzzle has one solution, if it has."""
    if outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
        walker.assume_only(outcome.solution, puzzle)


def _filled_last(puzzle: Puzzle, entered: Grid | None, budget: Budget) -> Placement | None:
    """Return the player's last entry, if the entries were made in the explanation's order.

    The next single is then one near this entry, as in the explanation. None if nothing was entered,
    if the entries are not the first placements of the explanation, or if it needs steps harder than
    the basic ones.
    """
    waiting = {} if entered is None else dict(enumerate(entered.digits))
    waiting = {
        cell: digit for cell, digit in waiting.items() if digit and cell not in puzzle.givens
    }
    if not waiting:
        return None
    with Walker(find_board(puzzle, budget), Level.BASIC, budget) as walker:
        while waiting and (step := walker.next_step()) is not None:
            if step.places is not None:
                cell, digit = walker.position.board.placements[step.places]
                if waiting.pop(cell, EMPTY) != digit:
                    return None
        return None if waiting else walker.near


def _step_assuming(
    asked: Puzzle, puzzle: Puzzle, outcome: Outcome, budget: Budget, near: Placement | None
) -> Hint:
    board = build_board(asked, budget)
    with Walker(board, Level.ALL, budget) as walker:
        walker.near = near
        _assume(walker, puzzle, outcome)
        step = walker.next_step()
    return hint_of(board, step, outcome)


def _next_step(puzzle: Puzzle, outcome: Outcome, budget: Budget, near: Placement | None) -> Hint:
    board = find_board(puzzle, budget)
    # If basic steps are not enough, harder ones are found faster on a board of the puzzle alone.
    step = _first_step(board, Level.ALL if board.root is None else Level.BASIC, budget, near)
    if step is None and board.root is not None:
        board = own_board(board, budget)
        step = _first_step(board, Level.ALL, budget, near)
    return hint_of(board, step, outcome)


def hint_of(board: Board, step: Deduction | None, outcome: Outcome) -> Hint:
    """Return the hint for a step, in its parts."""
    if step is None:
        return Hint(outcome)
    way = Way(board, (step,))
    names = Names(way.board)
    how = next(Teller(way).tell(Wording.USUAL))
    where, what, begin = _where(names, step), _what(names, step), _begin(names, step)
    return Hint(outcome, (), (), way, where, what, begin, how)


def _first_step(
    board: Board, level: Level, budget: Budget, near: Placement | None
) -> Deduction | None:
    with Walker(board, level, budget) as walker:
        walker.near = near
        return walker.next_step()


def _where(names: Names, step: Deduction) -> str:
    """Return the place to look at, without the technique or the digits."""
    units = [truth.unit for truth in step.truths if truth.unit is not None]
    if step.assumes_unique:
        return f"look at {names.cells(units[0].cells)}"
    if step.chain:
        return f"look at {_beginning(names, step)}"
    if step.technique is Technique.SEARCH:
        return f"look at {_unit_of(names, step.truths[:1])} and what follows from it"
    if step.stories:
        return (
            f"look at {names.cells(_first_cell(names, step))} and what follows from its candidates"
        )
    implied = step.truths[0].implied
    if implied is not None and step.size == 1:
        them = "it" if len(implied.units) == 1 else "them"
        return f"look at {names.units(implied.units)} and the cages that cover {them}"
    if step.technique is Technique.MEDUSA:
        return "look at cells, and digits in units, that have two candidates left"
    if len(units) == len(step.truths) and len({id(unit) for unit in units}) > 1:
        digits = list(dict.fromkeys(f"{names.digit(truth.digit)}s" for truth in step.truths))
        return f"look at the {join(digits)} in {names.units(list(dict.fromkeys(units)))}"
    return f"look at {_unit_of(names, step.truths)}"


def _first_cell(names: Names, step: Deduction) -> list[int]:
    """Return the cell of the candidate that the first story supposes."""
    return [names.board.placements[step.stories[0].suppose].cell]


def _beginning(names: Names, step: Deduction) -> str:
    """Return where a chain begins: the candidates of its only digit, or its first unit or cell."""
    # The first truth of a death blossom is its stem.
    is_blossom = step.technique is Technique.DEATH_BLOSSOM
    truths = step.truths[:1] if is_blossom else step.chain[0].truths
    digits = _digits_of(names, step)
    if len(digits) == 1 and not is_blossom:
        return f"the {names.digit(digits.pop())}s"
    if truths[0].unit is None:
        return names.cells(truth.cell for truth in truths)
    return (
        f"the {names.digit(truths[0].digit)}s in {names.units([t.unit for t in truths if t.unit])}"
    )


def _digits_of(names: Names, step: Deduction) -> set[int]:
    """Return the digits of a chain's candidates."""
    ends = (candidates_of(link.off | link.on) for link in step.chain)
    return {names.board.placements[candidate].digit for end in ends for candidate in end}


def _begin(names: Names, step: Deduction) -> str:
    """Return how the reasoning of a chain or a story begins, without its conclusion."""
    if step.stories:
        return f"suppose {names.candidate(step.stories[0].suppose)}"
    if step.technique is Technique.DEATH_BLOSSOM:
        stem = names.left(step.truths[0], step.before)
        return f"{join(stem, 'or')} holds: look at what each of these leads to"
    if step.chain:
        off = [names.candidate(candidate) for candidate in candidates_of(step.chain[0].off)]
        return f"begin with {join(off, 'or')}, and suppose that it does not hold"
    return ""


def _unit_of(names: Names, truths: tuple[Truth, ...]) -> Unit | str:
    """Return the unit of some truths; for truths about cells, a unit that contains them all."""
    if truths[0].unit is not None:
        return truths[0].unit
    constraints = names.board.puzzle.constraints
    wider = [truth.wider for truth in truths if truth.wider is not None]
    if wider:
        every = {cell for constraint in wider for cell in constraint.cells}
        whole = (unit for unit in constraints.units if every == {*unit.cells})
        return next(whole, names.cells(every))
    # In a pattern of cells and units, only the cells count.
    cells = [truth.cell for truth in truths if truth.unit is None]
    shared = set.intersection(*(set(constraints.units_of[cell]) for cell in cells))
    return constraints.units[min(shared)] if shared else names.cells(cells)


def _what(names: Names, step: Deduction) -> str:
    """Return the technique and the cells of its pattern; for a chain, also its digits.

    For an exocet only the base cells, and for a story its first cell: all the cells of the truths
    would be twenty and more.
    """
    if step.stories:
        return f"{heading_of(names, step)} that begins in {names.cells(_first_cell(names, step))}"
    is_exocet = step.technique in (Technique.JUNIOR_EXOCET, Technique.DOUBLE_EXOCET)
    cells = {
        names.board.placements[member].cell
        for truth in step.truths
        for member in candidates_of(truth.members & step.before)
        if not is_exocet or truth.unit is None
    }
    digits = f" with {names.digits(_digits_of(names, step))}" if step.chain else ""
    return f"{heading_of(names, step)}{digits} in {names.cells(cells)}"
