"""Answers puzzles of one geometry, one after the other, as fast as Python and a solver allow.

1. Puzzles that look hard go straight to step 3 with what the givens leave open, less the locked
   candidates: nearly all of their time is search, and propagation would settle none of them.
2. The others are propagated by a long-lived solver, over cells and segments or, when there are
   many givens, over cells alone at first. When that assigns every variable, the solution is found
   and proven unique; a conflict proves that there is none.
3. A fresh solver with native at-most-one constraints searches the small formula of the open
   candidates, and then searches once more with that solution blocked.

Which way a puzzle goes depends on nothing but the puzzle, so answers never depend on what was
asked before, on the number of processes or on the order of puzzles.
"""

from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import repeat, starmap
from operator import getitem, neg
from typing import Any, NamedTuple

from satdoku.encoding.encode import Encoding
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.bulk.bits import Bits
from satdoku.solving.bulk.calls import Calls, choose_calls
from satdoku.solving.bulk.groups import LARGEST_BYTE_FORMULA, GroupBuilder, SmallFormula, supports
from satdoku.solving.bulk.judge import QuickJudge
from satdoku.solving.bulk.octets import Octets
from satdoku.solving.bulk.places import Places
from satdoku.solving.bulk.propagator import Propagator
from satdoku.solving.bulk.symbols import LineSymbols
from satdoku.solving.verdict import Verdict

# With more givens than this the plain rules nearly always settle a puzzle by propagation.
EASY_SHARE = 0.38

# A puzzle counts as hard when no cell has one candidate left, and a look at the boxes places no
# more digits than this: of random minimal puzzles 14 %, of magictour 57 %, of the hardest all.
FEW_HIDDEN_SINGLES = 4


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
        self._possible = bytes(range(geometry.size + 1))

    def answer(self, digits: bytes) -> LineAnswer:
        """The answer to one byte a cell: its digit, or 0 when it is empty."""
        size = self.geometry.size
        if len(digits) != self.geometry.cell_count or digits.translate(None, self._possible):
            raise SatdokuError(f"a board is {self.geometry.cell_count} digits, each 0 to {size}")
        given_count = len(digits) - digits.count(0)
        if given_count > EASY_SHARE * len(digits):
            return self._answer_by_propagation(digits, self._quick_propagator)
        # With two givens a row or fewer, too much is open for the small formula.
        if given_count > 2 * size:
            bits = self._bits
            board = bits.eliminate(filter(None, map(getitem, bits.effects, digits)))
            open_bits = bits.exclude_locked(board.open_bits)
            if not board.has_clash and self._looks_hard(open_bits):
                formula = self._groups.build(open_bits, is_hard=True)
                # A group that is empty without a digit in it is for the propagator to refute.
                placed = board.placed_bits.bit_count()
                if len(formula.exclusive) == self._groups.group_count - 4 * placed:
                    return self._search(digits, digits, formula)
        return self._answer_by_propagation(digits, self._propagator)

    def answer_line(self, line: str) -> LineAnswer:
        """The answer to a compact line: 1-9 and then A-Z for the digits, 0 or a dot for none."""
        return self.answer(self._symbols.read(line))

    def write(self, digits: bytes) -> str:
        """The same characters for a solution."""
        return self._symbols.write(digits)

    def _looks_hard(self, open_bits: int) -> bool:
        return (
            open_bits.bit_count() > self.geometry.cell_count
            and not self._bits.count_naked_singles(open_bits)
            and self._bits.count_hidden_singles(open_bits) <= FEW_HIDDEN_SINGLES
        )

    def _answer_by_propagation(self, digits: bytes, propagator: Propagator) -> LineAnswer:
        is_consistent, literals = propagator.propagate(digits)
        if not is_consistent:
            return NO_SOLUTION
        placed = propagator.placements.intersection(literals)
        if len(literals) == propagator.variable_count:
            return LineAnswer(self._judge.require_right(digits, propagator.read_solution(placed)))
        if propagator is not self._propagator:
            return self._answer_by_propagation(digits, self._propagator)
        bits = self._bits
        effect_of = bits.effects_of_literal.__getitem__
        board = bits.eliminate(map(effect_of, placed))
        if board.open_bits.bit_count() > LARGEST_BYTE_FORMULA:
            # Segments exclude more; that is worth its time when it saves the slow way of building.
            board = bits.eliminate(map(effect_of, propagator.facts.intersection(literals)))
        is_hard = board.open_bits.bit_count() > 2 * self.geometry.cell_count
        known = propagator.read_grid(placed)
        return self._search(digits, known, self._groups.build(board.open_bits, is_hard))

    def _search(self, digits: bytes, known: bytes, formula: SmallFormula) -> LineAnswer:
        """Look for a solution of the small formula, then for another one."""
        calls = self._calls
        solutions: list[bytes] = []
        solver = calls.new_searcher()
        try:
            _call_each(calls.add_clause, zip(repeat(solver), formula.clauses))
            _call_each(calls.add_at_most, zip(repeat(solver), formula.exclusive, repeat(1)))
            while len(solutions) < 2 and calls.solve(solver):
                true = formula.numbers.intersection(calls.read_model(solver))
                grid = self._octets.fill_grid(known, formula.true_ones(true))
                solutions.append(self._judge.require_right(digits, grid))
                calls.add_clause(solver, list(map(neg, true)))
        finally:
            calls.delete_searcher(solver)
        return LineAnswer(*solutions)

    # What follows is worked out when the first puzzle comes, in 40 ms for 9x9.

    @cached_property
    def _calls(self) -> Calls:
        return self._chosen_calls or choose_calls()

    @cached_property
    def _places(self) -> Places:
        return Places(self.geometry)

    @cached_property
    def _bits(self) -> Bits:
        return Bits(self._places)

    @cached_property
    def _octets(self) -> Octets:
        return Octets(self._places)

    @cached_property
    def _groups(self) -> GroupBuilder:
        return GroupBuilder(self._octets)

    @cached_property
    def _propagator(self) -> Propagator:
        return Propagator(self.geometry, Encoding.TRIADS, self._calls)

    @cached_property
    def _quick_propagator(self) -> Propagator:
        return Propagator(self.geometry, Encoding.EXTENDED, self._calls)

    @cached_property
    def _judge(self) -> QuickJudge:
        return QuickJudge(self.geometry)


def _call_each(function: Callable[..., object], arguments: Iterable[tuple[Any, ...]]) -> None:
    """Without a loop in Python. `zip` reuses its tuple, where `map` would make a new one a call."""
    deque(starmap(function, arguments), maxlen=0)
