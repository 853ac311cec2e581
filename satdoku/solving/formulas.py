"""Load the formula of a puzzle into a solver; small classic boards are sifted first.

Nearly every puzzle is small and classic, and a solver with native at-most-one constraints solves it
in less time than a Python loop takes to make its formula. So its candidates are sifted, and groups
are built as bytes (`encoding/small_formula.py`). This doubles the speed of a program that checks
many ordinary 9x9 puzzles, but not of a command for one puzzle, most of whose time is start-up. No
state is kept between puzzles, so answers depend on the puzzle only, and threads share no mutable
state.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from satdoku.deducing.sifter import ByteLayout, Sifted, Sifter
from satdoku.encoding.choices import Method
from satdoku.encoding.small_formula import FormulaBuilder, FormulaTuning, supports
from satdoku.encoding.variables import Auxiliaries, Clause, OpenBoard, decode, variable_count
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, require_memory
from satdoku.solving.session import Receiver
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.encoding.wider.write import Kit


class SmallBoards(NamedTuple):
    """The immutable tables of a geometry, shared by all its boards."""

    layout: ByteLayout
    sifter: Sifter
    formulas: FormulaBuilder


@cache
def small_boards(geometry: Geometry, tuning: FormulaTuning | None = None) -> SmallBoards:
    """Return the tables of a geometry that `supports` accepts; they are cached."""
    layout = ByteLayout(geometry)
    return SmallBoards(layout, Sifter(layout), FormulaBuilder(layout, tuning))


def load_sifted(puzzle: Puzzle, receiver: Receiver) -> "SiftedFormula | None":
    """Load the formula of a small classic puzzle; None for other puzzles, or if givens clash.

    Givens have no variables, so the small formula could not show that they clash.
    """
    if not supports(puzzle.geometry):
        return None
    sifted = small_boards(puzzle.geometry).sifter.sift(bytes(puzzle.grid.digits))
    return None if sifted is None else SiftedFormula(puzzle.geometry, sifted, receiver)


class SiftedFormula:
    """The formula of a small classic puzzle in a solver.

    Only candidates that sifting leaves open have variables. Implements `Loaded`, like the other
    formulas in this file.
    """

    def __init__(self, geometry: Geometry, sifted: Sifted, receiver: Receiver) -> None:
        boards = small_boards(geometry)
        self._layout = boards.layout
        self._known = sifted.known
        self._formula = boards.formulas.build(sifted)
        # A deque consumes the iterator faster than a Python loop does; there are hundreds of calls.
        deque(map(receiver.add_clause, self._formula.clauses), maxlen=0)
        deque(map(receiver.add_at_most_one, self._formula.exclusive), maxlen=0)

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        true = self._formula.numbers.intersection(model)
        digits = self._layout.fill(self._known, self._formula.true_places(true))
        return Grid(self._layout.geometry, tuple(digits)), list(true)

    def cell_of(self, literal: int) -> int:
        return self._layout.candidate_at[self._place_of(literal)][0]

    def literals_of(self, solution: Grid) -> list[int]:
        return [
            number
            for number in sorted({number for group in self._formula.clauses for number in group})
            for cell, digit in [self._layout.candidate_at[self._place_of(number)]]
            if solution.digits[cell] == digit
        ]

    def add_implied(self) -> None:
        """No-op: rows, columns and boxes have been sifted."""

    def _place_of(self, number: int) -> int:
        [place] = self._formula.true_places([number])
        return place


# The formulas of all other puzzles

# Literals between two updates of the budget: an update per group would take a tenth of the time to
# load a small board.
_LITERALS_AT_ONCE = 256


class _Writer:
    """Passes clauses to a receiver, and at-most-one constraints natively or as clauses."""

    def __init__(
        self, settings: Settings, auxiliaries: Auxiliaries, receiver: Receiver, budget: Budget
    ) -> None:
        # None if the solver takes at-most-one constraints natively.
        self.method = None if settings.is_native else settings.at_most_one or Method.PAIRWISE
        self.auxiliaries = auxiliaries
        self.receiver = receiver
        self.budget = budget

    def add(self, clauses: Sequence[Sequence[int]]) -> None:
        for clause in clauses:
            self.receiver.add_clause(clause)
        self.budget.work(2 * len(clauses))  # most clauses have two literals

    def add_at_most_one(self, literals: Sequence[int]) -> None:
        if self.method is None:
            self.receiver.add_at_most_one(literals)
            return
        # Imported late: not needed for the default solver, which takes at-most-one natively.
        from satdoku.encoding.constraint import clauses_of

        self.add(clauses_of(self.method, literals, self.auxiliaries))


class FullFormula:
    """The formula with a variable for every candidate, as in exported files."""

    def __init__(
        self, puzzle: Puzzle, settings: Settings, receiver: Receiver, budget: Budget
    ) -> None:
        # Imported late: needed only if an encoding was chosen.
        from satdoku.encoding.encode import constraints, exclusive_literals, write_clauses

        self._grid = puzzle.grid
        require_memory(puzzle.geometry, variable_count(puzzle.geometry), settings.is_native)
        auxiliaries = Auxiliaries(variable_count(puzzle.geometry))
        writer = _Writer(settings, auxiliaries, receiver, budget)
        budget.require()
        for constraint in constraints(puzzle, settings.encoding, auxiliaries):
            exclusive = exclusive_literals(constraint) if writer.method is None else None
            if exclusive is not None:
                receiver.add_at_most_one(exclusive)
                budget.work(len(exclusive))
            else:
                # Without a method, the remaining constraints contain no at-most-one.
                writer.add(write_clauses(constraint, writer.method or Method.PAIRWISE, auxiliaries))

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        solution = decode(self._grid.geometry, model)
        return solution, self.literals_of(solution)

    def literals_of(self, solution: Grid) -> list[int]:
        size = self._grid.geometry.size
        return [
            cell * size + digit
            for cell, digit in enumerate(solution.digits)
            if digit != EMPTY == self._grid.digits[cell]
        ]

    def cell_of(self, literal: int) -> int:
        return (literal - 1) // self._grid.geometry.size

    def add_implied(self) -> None:
        """No-op: a formula in a chosen encoding has exactly the clauses of that encoding."""


class OpenFormula:
    """The formula over open candidates only, numbered without gaps."""

    def __init__(
        self,
        puzzle: Puzzle,
        settings: Settings,
        receiver: Receiver,
        budget: Budget,
        candidates: Mapping[int, int] | None,
    ) -> None:
        self._board = OpenBoard(puzzle, candidates)
        count = self._board.count_candidates()
        require_memory(puzzle.geometry, count, settings.is_native)
        # A variable that is always true: some solvers crash on a formula without clauses, and its
        # negation is the contradiction for an empty group.
        truth = count + 1
        # Given cells are not open, so no group of the formula shows that two givens clash.
        if next(find_clashes(puzzle), None):
            receiver.add_clause([-truth])
        writer = self._writer = _Writer(settings, Auxiliaries(truth), receiver, budget)
        self._truth = truth
        self._kit: Kit | None = None
        self._add_groups(truth, writer)
        for clauses in self._board.pair_clauses():
            writer.add(clauses)
        if puzzle.constraints.wider:
            self._add_wider(puzzle.constraints)
        # Added last: a solver allocates all variables up to the highest, and the eleven million of
        # an empty 225x225 board take a second, in which no limit is checked.
        receiver.add_clause([truth])

    def _add_wider(self, constraints: Constraints) -> None:
        # Imported late: few puzzles have rules about more than two cells.
        from satdoku.encoding.wider.write import kit_for, write_all

        writer = self._writer
        self._kit = kit_for(
            constraints,
            self._board.literals(),
            writer.auxiliaries,
            constraints.geometry.size,
            add_at_most=writer.receiver.add_at_most if writer.method is None else None,
        )
        for _, clauses, exclusive in write_all(constraints, self._kit):
            self._add(clauses, exclusive)

    def add_implied(self) -> None:
        if self._kit is not None:
            # Imported late: most puzzles are solved without these clauses.
            from satdoku.encoding.wider.sums import write_implied

            write_implied(self._board.puzzle.constraints, self._kit)
            self._add(*self._kit.take())

    def _add(self, clauses: Iterable[Clause], exclusive: Iterable[Clause]) -> None:
        # An empty clause is a contradiction; it is written as the negation of `truth`.
        self._writer.add([clause or (-self._truth,) for clause in clauses])
        for literals in exclusive:
            self._writer.add_at_most_one(literals)

    def _add_groups(self, truth: int, writer: _Writer) -> None:
        budget, add_clause = writer.budget, writer.receiver.add_clause
        budget.require()
        added = 0
        for _, _, _, members, has_one in self._board.bare_groups():
            if has_one:
                add_clause(members or [-truth])
            if len(members) > 1:
                writer.add_at_most_one(members)
            added += len(members)
            if added >= _LITERALS_AT_ONCE:
                budget.work(added)
                added = 0

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        board = self._board
        count = len(board)
        placed = [literal for literal in model if 0 < literal <= count]
        return board.puzzle.grid.with_digits(board.digits_at(placed)), placed

    def cell_of(self, literal: int) -> int:
        return self._board.placement(literal).cell

    def literals_of(self, solution: Grid) -> list[int]:
        digits = solution.digits
        placements = enumerate(self._board.placements(), 1)
        return [n for n, (cell, digit) in placements if digits[cell] == digit]
