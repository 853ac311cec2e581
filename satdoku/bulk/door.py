"""The door of the bulk solver: boards in, solutions out, all of one geometry.

1. The sieve takes all boards together and excludes candidates, round by round.
2. What is left open of each board becomes a small formula.
3. A fresh solver with native at-most-one constraints searches it, and then once more with that
   solution blocked. So every answer is a solver's: the sieve only gives it less to do.
4. Each solution is judged.

Answers depend on nothing but the board: not on what was asked before or together with it, nor on
the number of processes.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from operator import neg
from typing import NamedTuple

from satdoku.bulk.sieve import Sieve
from satdoku.bulk.tuning import Tuning
from satdoku.deducing.layout import ByteLayout, Sifted
from satdoku.encoding.small.formula import FormulaBuilder
from satdoku.encoding.small.unit_tables import supports
from satdoku.errors import SatdokuError
from satdoku.puzzle.byte_judge import ByteJudge, byte_judge
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.pysat_private import Calls, choose_calls


class BulkAnswer(NamedTuple):
    """Up to two solutions, one byte a cell; where there are two, there may be more."""

    solution: bytes | None = None
    second: bytes | None = None

    @property
    def solution_count(self) -> int:
        """0, 1, or 2 for several."""
        return sum(found is not None for found in self)


class Bulk:
    """Solves boards of one geometry under the classic rules, and proves each answer.

    A board is one byte a cell: its digit, or 0. The more boards are given together, the sooner each
    is answered; all that is the same for them is worked out when the first ones come.

    >>> easy, hopeless = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]), bytes([1] * 16)
    >>> [found and list(found[:4]) for found in Bulk(Geometry(2, 2)).solutions([easy, hopeless])]
    [[1, 2, 4, 3], None]
    """

    def __init__(
        self, geometry: Geometry, calls: Calls | None = None, tuning: Tuning | None = None
    ) -> None:
        if not supports(geometry):
            raise SatdokuError(f"boards with boxes of {geometry} are not solved in bulk")
        self.geometry = geometry
        self._chosen_calls = calls
        self._tuning = tuning or Tuning()
        self._possible = bytes(range(geometry.size + 1))

    def solutions(self, boards: Sequence[bytes]) -> Iterator[bytes | None]:
        """For each board its only solution; None where there is none, or more than one."""
        for answer in self.answers(boards):
            yield answer.solution if answer.second is None else None

    def answers(self, boards: Sequence[bytes]) -> Iterator[BulkAnswer]:
        """For each board up to two solutions."""
        self._require_boards(boards)
        return map(self._solve, self._sieve.sift(boards))

    def _require_boards(self, boards: Iterable[bytes]) -> None:
        count = self.geometry.cell_count
        for board in boards:
            if len(board) != count or board.translate(None, self._possible):
                size = self.geometry.size
                raise SatdokuError(f"a board is {count} digits, each 0 to {size}, not {board!r}")

    def _solve(self, sifted: Sifted) -> BulkAnswer:
        """Looks for a solution of the small formula, then for another one."""
        calls = self._calls
        formula = self._formulas.build(sifted)
        solutions: list[bytes] = []
        solver = calls.new_solver()
        try:
            # Hundreds of calls a board: in Python loops they take 4 % more of all instructions.
            deque(map(calls.add_clause, repeat(solver), formula.clauses), maxlen=0)
            deque(map(calls.add_at_most, repeat(solver), formula.exclusive, repeat(1)), maxlen=0)
            # Two solutions say that there are several; to find more would say nothing else.
            while len(solutions) < 2 and calls.solve(solver):
                true = formula.numbers.intersection(calls.read_model(solver))
                board = self._layout.fill(sifted.known, formula.true_places(true))
                solutions.append(self._judge.require_solution(sifted.digits, board))
                # Any other solution lacks at least one of these candidates.
                calls.add_clause(solver, list(map(neg, true)))
        finally:
            calls.delete_solver(solver)
        return BulkAnswer(*solutions)

    @cached_property
    def _calls(self) -> Calls:
        return self._chosen_calls or choose_calls()

    @cached_property
    def _layout(self) -> ByteLayout:
        return ByteLayout(self.geometry)

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve(self._layout, self._tuning)

    @cached_property
    def _formulas(self) -> FormulaBuilder:
        return FormulaBuilder(self._layout, self._tuning.formula)

    @cached_property
    def _judge(self) -> ByteJudge:
        return byte_judge(self.geometry)
