"""Solve many small boards of one geometry at once.

`Bulk` gives the same answers as the rest of `satdoku.solving`, several times as fast.

The compiled library finds the unique solutions of 9x9 boards, thousands at a time. Only its search
shows that a board has no other solution, so a solver checks one board of a thousand too, and any
difference aborts the run. All other boards, and all boards if there is no library, go to a solver:

1. Candidates are sifted, and the remaining ones become a small formula.
2. A new solver with native at-most-one constraints searches for a solution, and then once more with
   that solution blocked.
3. Each solution is judged.

An answer depends on the board only: not on earlier or simultaneous boards, nor on the number of
processes, nor on whether the library is present.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from operator import neg
from typing import Any, NamedTuple

from satdoku.encoding.small_formula import FormulaTuning, supports
from satdoku.errors import SatdokuError
from satdoku.lanes.bank import CELLS, Answers, Found, own_bank
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.judge import ByteJudge, byte_judge
from satdoku.solving.pysat_private import adders_of, new_minicard
from satdoku.solving.sifted import SmallBoards, small_boards

_OF_LANES = Geometry()
"""The geometry of the boards that the compiled library solves."""

_IS_UNIQUE = bytes([found in (Found.ONE, Found.CHOSEN) for found in range(256)])


class Only(NamedTuple):
    """The unique solution of a board.

    `is_compared` tells that the compiled library found it and a solver checked it.
    """

    solution: bytes
    is_compared: bool = False


class Solved(NamedTuple):
    """The answers for a block of boards: one byte per cell, and one byte per board.

    `is_unique` is 1 if `cells` has the unique solution of a board. It is 0 if there is no solution,
    or several, or the compiled library gave up; the cells are then undefined. `compared` counts the
    answers that a solver checked.
    """

    cells: bytes
    is_unique: bytes
    compared: int = 0


class Bulk:
    """Solves boards of one geometry under the classic rules.

    A board has one byte per cell: its digit, or 0. Larger batches are faster per board; the tables
    of the geometry are made with the first batch.

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
        """Yield, for each board, the unique solution.

        None if there is no solution, or more than one, or the compiled library gave up.
        """
        self._require_boards(boards)
        bank = own_bank() if self.geometry == _OF_LANES else None
        if bank is not None:
            return self._from_lanes(boards, bank.answer(b"".join(boards)))
        found = map(self.solve, boards)
        return (Only(solutions[0]) if len(solutions) == 1 else None for solutions in found)

    def blocks(self, blocks: Sequence[bytes]) -> Iterator[Solved]:
        """Solve blocks, each of which consists of several boards one after another."""
        width = self.geometry.cell_count
        boards = b"".join(blocks)
        no_boards = SatdokuError(f"these are not boards of {width} digits each")
        if len(boards) % width:
            raise no_boards
        bank = own_bank() if self.geometry == _OF_LANES else None
        if bank is not None:
            answers = bank.answer(boards)
            # The library has checked that every byte is a digit or 0.
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
        """Compare a solution that the compiled library called unique with a solver's answer."""
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
        """Return up to two solutions that a solver finds; if it returns two, there may be more."""
        solutions: list[bytes] = []
        sifted = self._boards.sifter.sift(board)
        if sifted is None:
            return solutions  # two givens clash
        formula = self._boards.formulas.build(sifted)
        solver = self._new_solver(True)
        try:
            add_clause, add_at_most_one = adders_of(solver)
            # Hundreds of calls per board: Python loops would take 4 % more of all instructions.
            deque(map(add_clause, formula.clauses), maxlen=0)
            deque(map(add_at_most_one, formula.exclusive), maxlen=0)
            # Two solutions prove that there are several; a third would prove nothing else.
            while len(solutions) < 2 and solver.solve():
                # A full board has no variables, so its model is empty.
                true = formula.numbers.intersection(solver.get_model() or ())
                grid = self._boards.layout.fill(sifted.known, formula.true_places(true))
                solutions.append(self._judge.require_solution(board, grid))
                # The blocking clause: any other solution lacks at least one of these candidates.
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
    """Return the bulk solver of a geometry; it is cached, since its tables serve all boards."""
    return Bulk(geometry)
