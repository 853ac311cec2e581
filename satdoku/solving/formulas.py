"""Load the formulas of puzzles into a solver; `sifted.py` has those of small classic boards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from satdoku.encoding.choices import Method
from satdoku.encoding.variables import Auxiliaries, Clause, OpenBoard, decode, variable_count
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, require_memory
from satdoku.solving.session import Receiver
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.encoding.wider.write import Kit

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
        for places in self._board.tight_groups():
            receiver.add_clause(places)
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
