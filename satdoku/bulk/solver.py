"""Answers many puzzles of one geometry, as fast as Python and a solver allow.

1. The sieve takes many boards at once and excludes candidates, round by round.
2. What is left open of each board becomes a small formula.
3. A fresh solver with native at-most-one constraints searches it, and then once more with that
   solution blocked. So every answer is a solver's: elimination only gives it less to do.

Answers depend on nothing but the puzzle: not on what was asked before or together with it, nor on
the number of processes.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat, starmap
from operator import neg
from typing import Any, NamedTuple

from satdoku.bulk.groups import GroupBuilder, supports
from satdoku.bulk.octets import Octets
from satdoku.bulk.sieve import Sieve, Sifted
from satdoku.bulk.symbols import LineSymbols
from satdoku.errors import SatdokuError
from satdoku.puzzle.byte_judge import ByteJudge
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.pysat_private import Calls, choose_calls


class BulkAnswer(NamedTuple):
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


class BulkSolver:
    """Solves puzzles of one geometry, and proves each answer.

    >>> solver = BulkSolver(Geometry(2, 2))
    >>> boards = [solver.read(line) for line in ("1.....2..3.....4", "1" * 16)]
    >>> [answer.solution_count for answer in solver.answer(boards)]
    [1, 0]
    """

    def __init__(self, geometry: Geometry, calls: Calls | None = None) -> None:
        if not supports(geometry):
            raise SatdokuError(f"boards with boxes of {geometry} are not solved in bulk")
        self.geometry = geometry
        self._chosen_calls = calls
        self._symbols = LineSymbols(geometry.size)
        self._possible = bytes(range(geometry.size + 1))

    def read(self, line: str) -> bytes:
        """A board of a compact line: 1-9 and then A-Z for the digits, 0 or a dot for none."""
        return self.require_board(self._symbols.read(line))

    def write(self, board: bytes) -> str:
        """The same characters for a solution."""
        return self._symbols.write(board)

    def require_board(self, digits: bytes) -> bytes:
        """One byte a cell: its digit, or 0 when it is empty."""
        geometry = self.geometry
        if len(digits) != geometry.cell_count or digits.translate(None, self._possible):
            raise SatdokuError(
                f"a board is {geometry.cell_count} digits, each 0 to {geometry.size}"
            )
        return digits

    def answer(self, boards: Sequence[bytes]) -> Iterator[BulkAnswer]:
        """The answers to boards that `read` or `require_board` returned."""
        return map(self.solve, self.sift(boards))

    def sift(self, boards: Sequence[bytes]) -> Iterator[Sifted]:
        """What solvers have to decide of these boards; the more at once, the sooner."""
        return self._sieve.sift(boards)

    def solve(self, sifted: Sifted) -> BulkAnswer:
        """Look for a solution of the small formula, then for another one."""
        calls = self._calls
        formula = self._groups.build(sifted)
        solutions: list[bytes] = []
        solver = calls.new_solver()
        try:
            _call_each(calls.add_clause, zip(repeat(solver), formula.clauses))
            _call_each(calls.add_at_most, zip(repeat(solver), formula.exclusive, repeat(1)))
            while len(solutions) < 2 and calls.solve(solver):
                true = formula.numbers.intersection(calls.read_model(solver))
                grid = self._octets.fill(sifted.known, formula.true_places(true))
                solutions.append(self._judge.require_solution(sifted.digits, grid))
                calls.add_clause(solver, list(map(neg, true)))
        finally:
            calls.delete_solver(solver)
        return BulkAnswer(*solutions)

    # What follows is worked out when the first puzzle comes.

    @cached_property
    def _calls(self) -> Calls:
        return self._chosen_calls or choose_calls()

    @cached_property
    def _octets(self) -> Octets:
        return Octets(self.geometry)

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve(self._octets)

    @cached_property
    def _groups(self) -> GroupBuilder:
        return GroupBuilder(self._octets)

    @cached_property
    def _judge(self) -> ByteJudge:
        return ByteJudge(self.geometry)


def _call_each(function: Callable[..., object], arguments: Iterable[tuple[Any, ...]]) -> None:
    """Without a loop in Python. `zip` reuses its tuple, where `map` would make a new one a call."""
    deque(starmap(function, arguments), maxlen=0)
