"""Many small boards at once: boards in, solutions out, all of one geometry.

`Bulk` gives the same answers as the rest of `satdoku.solving`, several times as fast.

The compiled library finds the only solutions of 9x9 boards, thousands at a time. That a board has
no other solution rests on its search, so one board of a thousand is answered by a solver too, and a
difference ends the run. All other boards, and all without the library, are for a solver:

1. Candidates are sifted, and what is left open of a board becomes a small formula.
2. A fresh solver with native at-most-one constraints searches it, and then once more with that
   solution blocked.
3. Each solution is judged.

Answers depend on nothing but the board: not on what was asked before or together with it, nor on
the number of processes, nor on whether there is a library.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from operator import neg
from typing import Any, NamedTuple

from satdoku.encoding.small_formula import FormulaTuning, supports
from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS, Answers, Found, own_bank
from satdoku.puzzle.byte_judge import ByteJudge, byte_judge
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.pysat_private import adders_of, new_minicard
from satdoku.solving.sifted import SmallBoards, small_boards

_OF_LANES = Geometry()
"""The shape of the boards that the compiled library knows."""

_IS_UNIQUE = bytes([found in (Found.ONE, Found.CHOSEN) for found in range(256)])


class Only(NamedTuple):
    """The only solution of a board; `is_compared` if the compiled library found it, and a solver
    was asked too."""

    solution: bytes
    is_compared: bool = False


class Solved(NamedTuple):
    """What is known of a block of boards: one byte a cell, and one byte a board.

    `is_unique` is 1 where `cells` have the only solution of a board, and 0 where there is none, or
    several, or the compiled library gave up; the cells mean nothing there. So many answers were
    `compared` with that of a solver.
    """

    cells: bytes
    is_unique: bytes
    compared: int = 0


class Bulk:
    """Solves boards of one geometry under the classic rules.

    A board is one byte a cell: its digit, or 0. The more boards are given together, the sooner each
    is answered; all that is the same for them is worked out when the first ones come.

    >>> easy, hopeless = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]), bytes([1] * 16)
    >>> for found in Bulk(Geometry(2, 2)).solutions([easy, hopeless]):
    ...     print(found and list(found.solution[:4]))
    [1, 2, 4, 3]
    None
    """

    def __init__(
        self,
        geometry: Geometry,
        new_solver: Callable[[bool], Any] = new_minicard,
        tuning: FormulaTuning | None = None,
    ) -> None:
        if not supports(geometry):
            raise SatdokuError(f"boards with boxes of {geometry} are not solved in bulk")
        self.geometry = geometry
        self._new_solver = new_solver
        self._tuning = tuning
        self._possible = bytes(range(geometry.size + 1))

    def solutions(self, boards: Sequence[bytes]) -> Iterator[Only | None]:
        """For each board its only solution; None where there is none, or more than one, or where
        the compiled library gave up."""
        self._require_boards(boards)
        bank = own_bank() if self.geometry == _OF_LANES else None
        if bank is not None:
            return self._from_lanes(boards, bank.answer(b"".join(boards)))
        found = map(self.solve, boards)
        return (Only(solutions[0]) if len(solutions) == 1 else None for solutions in found)

    def blocks(self, blocks: Sequence[bytes]) -> Iterator[Solved]:
        """The same for blocks of boards, each of which is boards behind one another."""
        width = self.geometry.cell_count
        boards = b"".join(blocks)
        no_boards = SatdokuError(f"these are no boards of {width} digits each")
        if len(boards) % width:
            raise no_boards
        bank = own_bank() if self.geometry == _OF_LANES else None
        if bank is not None:
            answers = bank.answer(boards)
            # The library has looked at every cell already.
            if Found.UNREADABLE in answers.found:
                raise no_boards
            yield from self._blocks_from_lanes(blocks, boards, answers)
            return
        if boards.translate(None, self._possible):
            raise no_boards
        nothing = bytes(width)
        for block in blocks:
            starts = range(0, len(block), width)
            found = list(self.solutions([block[start : start + width] for start in starts]))
            yield Solved(
                b"".join([nothing if only is None else only.solution for only in found]),
                bytes([only is not None for only in found]),
            )

    def compare(self, board: bytes, solution: bytes) -> None:
        """Has a solver answer a board that the compiled library has answered by this solution."""
        if self.solve(board) != [solution]:
            raise SatdokuError(
                f"this is a bug, please report it: the compiled library says that {list(board)} has"
                " one solution, and a solver does not; SATDOKU_LANES=0 does without the library"
            )

    def _from_lanes(self, boards: Sequence[bytes], answers: Answers) -> Iterator[Only | None]:
        for number, (board, found) in enumerate(zip(boards, answers.found, strict=True)):
            if found not in (Found.ONE, Found.CHOSEN):
                yield None
                continue
            solution = bytes(answers.solutions[CELLS * number : CELLS * (number + 1)])
            if found == Found.CHOSEN:
                self.compare(board, solution)
            yield Only(solution, found == Found.CHOSEN)

    def _blocks_from_lanes(
        self, blocks: Sequence[bytes], boards: bytes, answers: Answers
    ) -> Iterator[Solved]:
        solutions, found = bytes(answers.solutions), bytes(answers.found)
        begin = 0
        for block in blocks:
            end = begin + len(block)
            some = found[begin // CELLS : end // CELLS]
            chosen = some.find(Found.CHOSEN)
            while chosen >= 0:
                board = slice(begin + CELLS * chosen, begin + CELLS * (chosen + 1))
                self.compare(boards[board], solutions[board])
                chosen = some.find(Found.CHOSEN, chosen + 1)
            is_unique = some.translate(_IS_UNIQUE)
            yield Solved(solutions[begin:end], is_unique, some.count(Found.CHOSEN))
            begin = end

    def _require_boards(self, boards: Iterable[bytes]) -> None:
        count = self.geometry.cell_count
        for board in boards:
            if len(board) != count or board.translate(None, self._possible):
                size = self.geometry.size
                raise SatdokuError(f"a board is {count} digits, each 0 to {size}, not {board!r}")

    def solve(self, board: bytes) -> list[bytes]:
        """Up to two solutions that a solver finds; where there are two, there may be more."""
        solutions: list[bytes] = []
        sifted = self._boards.sifter.sift(board)
        if sifted is None:
            return solutions  # two givens clash
        formula = self._boards.formulas.build(sifted)
        solver = self._new_solver(True)
        try:
            add_clause, add_at_most_one = adders_of(solver)
            # Hundreds of calls a board: in Python loops they take 4 % more of all instructions.
            deque(map(add_clause, formula.clauses), maxlen=0)
            deque(map(add_at_most_one, formula.exclusive), maxlen=0)
            # Two solutions say that there are several; to find more would say nothing else.
            while len(solutions) < 2 and solver.solve():
                # A full board has no variables, and so no model.
                true = formula.numbers.intersection(solver.get_model() or ())
                grid = self._boards.layout.fill(sifted.known, formula.true_places(true))
                solutions.append(self._judge.require_solution(board, grid))
                # Any other solution lacks at least one of these candidates.
                add_clause(list(map(neg, true)))
        finally:
            solver.delete()
        return solutions

    @cached_property
    def _boards(self) -> SmallBoards:
        return small_boards(self.geometry, self._tuning)

    @cached_property
    def _judge(self) -> ByteJudge:
        return byte_judge(self.geometry)


@cache
def bulk_of(geometry: Geometry) -> Bulk:
    """The bulk solver of a geometry, kept: what it has worked out serves all further boards."""
    return Bulk(geometry)
