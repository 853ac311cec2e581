"""Answers puzzles of one geometry, one after the other, as fast as Python and a solver allow.

1. Puzzles that look hard go straight to step 3 with what the givens leave open: nearly all of
   their time is search, and propagation would settle none of them.
2. The others are propagated by a long-lived solver, over cells and segments or, when there are
   many givens, over cells alone at first. When that assigns every variable, the solution is found
   and proven unique; a conflict proves that there is none.
3. A fresh solver with native at-most-one constraints searches the small formula of the open
   candidates, and then searches once more with that solution blocked.

Which way a puzzle goes depends on nothing but the puzzle, so answers never depend on what was
asked before, on the number of processes or on the order of puzzles.
"""

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from itertools import repeat
from operator import getitem, neg
from typing import NamedTuple

from satdoku.encoding.encode import Encoding
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.bulk.calls import Calls, choose_calls
from satdoku.solving.bulk.elimination import (
    OpenBoard,
    count_hidden_singles,
    eliminate,
    fill_grid,
)
from satdoku.solving.bulk.groups import LARGEST_BYTE_FORMULA, GroupBuilder, SmallFormula
from satdoku.solving.bulk.propagator import Propagator
from satdoku.solving.bulk.referee import Referee
from satdoku.solving.bulk.symbols import LineSymbols
from satdoku.solving.bulk.tables import Tables, build_tables, supports
from satdoku.solving.verdict import Verdict

# With more givens than this the plain rules nearly always settle a puzzle by propagation.
EASY_SHARE = 0.38

# A puzzle with no more digits to place by a look at its boxes than this counts as hard. Of random
# minimal puzzles 23 % do, of magictour 78 %, of the two hardest collections 98 % and more.
FEW_HIDDEN_SINGLES = 2


class LineAnswer(NamedTuple):
    """Up to two solutions, digits as bytes; when there are two, there may be more."""

    solution: bytes | None = None
    second: bytes | None = None

    @property
    def solution_count(self) -> int:
        """0, 1, or 2 for several."""
        return (self.solution is not None) + (self.second is not None)

    @property
    def verdict(self) -> Verdict:
        return (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[self.solution_count]


NO_SOLUTION = LineAnswer()


class LineSolver:
    """Solves puzzle after puzzle of one geometry, and proves each answer.

    >>> solver = LineSolver(Geometry(2, 2))
    >>> answer = solver.answer_line("1.....2..3.....4")
    >>> answer.solution_count, solver.write(answer.solution)
    (1, '1243342143122134')
    """

    def __init__(self, geometry: Geometry, calls: Calls | None = None) -> None:
        if not supports(geometry):
            raise SatdokuError(f"boards with boxes of {geometry} are not solved in bulk")
        self.geometry = geometry
        self._chosen_calls = calls
        self._symbols = LineSymbols(geometry.size)

    def answer(self, digits: bytes) -> LineAnswer:
        """The answer to one byte a cell: its digit, or 0 when it is empty."""
        size = self.geometry.size
        if len(digits) != self.geometry.cell_count or max(digits) > size:
            raise SatdokuError(f"a board is {self.geometry.cell_count} digits, each 0 to {size}")
        given_count = len(digits) - digits.count(0)
        if given_count > EASY_SHARE * len(digits):
            return self._answer_by_propagation(digits, self._quick_propagator)
        # With two givens a row or fewer, too much is open for the small formula.
        if given_count > 2 * size:
            effects = filter(None, map(getitem, self._tables.effects, digits))
            board = eliminate(self._tables, effects)
            if self._looks_hard(board):
                formula = self._groups.build(board.open_ones, is_hard=True)
                # A group that is empty without a digit in it is for the propagator to refute.
                if formula.empty == 4 * board.placed_ones.bit_count():
                    return self._search(digits, board, formula)
        return self._answer_by_propagation(digits, self._propagator)

    def answer_line(self, line: str) -> LineAnswer:
        """The answer to a compact line: 1-9 and then A-Z for the digits, 0 or a dot for none."""
        return self.answer(self._symbols.read(line))

    def write(self, digits: bytes) -> str:
        """The same characters for a solution."""
        return self._symbols.write(digits)

    def _looks_hard(self, board: OpenBoard) -> bool:
        count = board.open_ones.bit_count()
        return (
            self.geometry.cell_count < count <= LARGEST_BYTE_FORMULA
            and not board.has_clash
            and count_hidden_singles(self._tables, board.open_ones) <= FEW_HIDDEN_SINGLES
        )

    def _answer_by_propagation(self, digits: bytes, propagator: Propagator) -> LineAnswer:
        tables = self._tables
        givens = list(filter(None, map(getitem, tables.literals, digits)))
        is_consistent, literals = propagator.propagate(givens)
        if not is_consistent:
            return NO_SOLUTION
        placed = tables.placements.intersection(literals)
        if len(literals) == propagator.variable_count:
            return LineAnswer(self._referee.require_right(digits, self._read_grid(placed)))
        if propagator is not self._propagator:
            return self._answer_by_propagation(digits, self._propagator)
        effect_of = tables.effects_of_literal.__getitem__
        board = eliminate(tables, map(effect_of, placed))
        if board.open_ones.bit_count() > LARGEST_BYTE_FORMULA:
            # Segments exclude more; that is worth its time when it saves the slow way of building.
            board = eliminate(tables, map(effect_of, tables.facts.intersection(literals)))
        is_hard = board.open_ones.bit_count() > 2 * self.geometry.cell_count
        return self._search(digits, board, self._groups.build(board.open_ones, is_hard))

    def _search(self, digits: bytes, board: OpenBoard, formula: SmallFormula) -> LineAnswer:
        """Look for a solution of the small formula, then for another one."""
        calls, tables = self._calls, self._tables
        solutions: list[bytes] = []
        solver = calls.new_searcher()
        try:
            _run(map(calls.add_clause, repeat(solver), formula.groups))
            _run(map(calls.add_at_most, repeat(solver), formula.groups, repeat(1)))
            while len(solutions) < 2 and calls.solve(solver):
                true = tables.numbers.intersection(calls.read_model(solver))
                grid = fill_grid(tables, board.placed_ones | formula.true_ones(true))
                solutions.append(self._referee.require_right(digits, grid))
                calls.add_clause(solver, list(map(neg, true)))
        finally:
            calls.delete_searcher(solver)
        return LineAnswer(*solutions)

    def _read_grid(self, placements: frozenset[int]) -> bytes:
        """The digits of a complete set of placements, in the order of the cells."""
        digit_of = self._digit_of_literal.__getitem__
        return bytes(map(digit_of, sorted(placements, reverse=True)))

    # What follows is worked out when the first puzzle comes, in 40 ms for 9x9.

    @cached_property
    def _calls(self) -> Calls:
        return self._chosen_calls or choose_calls()

    @cached_property
    def _tables(self) -> Tables:
        return build_tables(self.geometry)

    @cached_property
    def _groups(self) -> GroupBuilder:
        return GroupBuilder.of(self._tables)

    @cached_property
    def _propagator(self) -> Propagator:
        return Propagator(self.geometry, Encoding.TRIADS, self._calls)

    @cached_property
    def _quick_propagator(self) -> Propagator:
        return Propagator(self.geometry, Encoding.EXTENDED, self._calls)

    @cached_property
    def _referee(self) -> Referee:
        return Referee(self.geometry)

    @cached_property
    def _digit_of_literal(self) -> list[int]:
        """By negative index: the digit that literal -v places."""
        digits = range(self.geometry.size, 0, -1)
        return [0, *(list(digits) * self.geometry.cell_count)]


def _run(calls: Iterator[object]) -> None:
    """Exhaust a `map` without a loop in Python."""
    deque(calls, maxlen=0)
