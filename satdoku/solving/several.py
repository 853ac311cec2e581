"""9x9 boards with several solutions: listed in order, and counted by the compiled library.

Solutions come in the order of their digits, cell by cell, so that they are the same ones wherever a
limit cuts the list, with and without the library. A board with more solutions than are looked for
at once is taken apart: its first empty cell gets each digit in turn, and the boards that this makes
are listed one after the other. What lists the solutions of such a part, in any order, is the
library, or else a solver, or a plain search of the last rows.

That there are two solutions rests on two grids, which were judged. None and one are said by a
solver. How many more there are rests on the search of the library, where it takes part.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from satdoku.lanes.bank import CELLS, Bank
from satdoku.lanes.library import Library, engines_of, find_library
from satdoku.puzzle.byte_judge import byte_judge
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.counting import (
    FillingCounter,
    TooManyDeadEndsError,
    can_count_by_fillings,
    fillings_of,
)
from satdoku.solving.limits import Budget
from satdoku.solving.search import Search
from satdoku.solving.solvers import Settings

# Without a second solution for so many looks, of some ten milliseconds each, a board is left to a
# solver, which is better at boards without solution.
_MOST_LOOKS = 20
# More than the solutions of the empty board: no limit.
_NO_LIMIT = (1 << 64) - 1

# Solutions of a part that are looked for at once. With more the first one of an empty board, for
# which dozens of parts are tried in vain, would come later; with fewer all of them would.
_MOST_IN_LANES = 256
_MOST_OF_SOLVER = 64
# A part with so many open cells, 15 givens and less, nearly always has more.
_LEAST_OPEN_OF_MANY = 66
# Of so many open cells, three rows, the plain search lists up to all fillings of an empty band.
_MOST_OPEN = 27
_MOST_FILLINGS_LISTED = 1_728


def can_be_several(puzzle: Puzzle, settings: Settings) -> bool:
    """Whether a puzzle is one of those that are listed and counted here."""
    return puzzle.is_classic and puzzle.geometry == Geometry() and settings.leaves_method_open


def counts_of(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int] | None:
    """Numbers whose sum is that of the solutions, or more than the limit.

    None where there is no better way than to find the solutions one by one.
    """
    if not can_count_by_fillings(puzzle, settings):
        return None
    return count_in_lanes(puzzle, settings, limit) or FillingCounter(puzzle, settings).counts()


def count_in_lanes(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int] | None:
    """Numbers whose sum is that of the solutions, or one more than the limit, by the compiled
    library; None without it, and where it is not for this puzzle."""
    library = find_library() if can_be_several(puzzle, settings) else None
    return None if library is None else _counts_in_lanes(library, puzzle, settings, limit)


def _counts_in_lanes(
    library: Library, puzzle: Puzzle, settings: Settings, limit: int | None
) -> Iterator[int]:
    """The numbers; none and one are said by a solver, after another count."""
    budget = Budget(settings.limits)
    counted = 0
    with Bank(library) as bank:
        most = _NO_LIMIT if limit is None else min(limit + 1, _NO_LIMIT)
        for look, more in enumerate(bank.counts(bytes(puzzle.grid.digits), most), 1):
            budget.require()
            before, counted = counted, counted + more
            if counted > 1:
                yield counted if before <= 1 else more
            elif look == _MOST_LOOKS:
                break
    if counted <= 1:
        yield from FillingCounter(puzzle, replace(settings, limits=budget.left)).counts()


def solutions_in_order(puzzle: Puzzle, settings: Settings) -> Iterator[Grid]:
    """The solutions of a puzzle that `can_be_several`, in the order of their digits.

    LimitReachedError when a limit cuts them short.
    """
    lister = _Lister(puzzle, settings)
    # Boards whose solutions come one after the other, the first ones last.
    left = [bytes(puzzle.grid.digits)]
    while left:
        board = left.pop()
        found = lister.find(board)
        if found is None:
            left.extend(_parts(puzzle, board))
        else:
            for digits in sorted(found):
                yield Grid(puzzle.geometry, tuple(digits))


def _parts(puzzle: Puzzle, board: bytes) -> Iterator[bytes]:
    """The board with each digit that its first empty cell may hold, the highest first."""
    cell = board.index(EMPTY)
    taken = {board[peer] for peer in puzzle.geometry.peers_of(cell)}
    for digit in range(puzzle.geometry.size, 0, -1):
        if digit not in taken:
            yield board[:cell] + bytes([digit]) + board[cell + 1 :]


class _Lister:
    """Lists the solutions of the parts of a puzzle."""

    def __init__(self, puzzle: Puzzle, settings: Settings) -> None:
        self._puzzle = puzzle
        self._settings = settings
        self._budget = Budget(settings.limits)
        library = find_library()
        self._bank: Bank | None = None
        if library is not None:
            # The narrowest vectors: so few solutions are found before the wider ones are loaded.
            *_, narrow = engines_of(library.entries)
            self._bank = Bank(narrow)

    def find(self, board: bytes) -> list[bytes] | None:
        """All solutions of a part; None if they are too many to be looked for at once."""
        self._budget.require()
        # That the puzzle itself has none, or only one, is for a solver to say.
        least = 2 if board == bytes(self._puzzle.grid.digits) else 0
        if not least and board.count(EMPTY) >= _LEAST_OPEN_OF_MANY:
            return None
        if self._bank is not None:
            return self._find_in_lanes(self._bank, board, least)
        if board.count(EMPTY) <= _MOST_OPEN:
            try:
                return self._find_fillings(board)
            except TooManyDeadEndsError:
                pass
        return self._ask(board)

    def _find_in_lanes(self, bank: Bank, board: bytes, least: int) -> list[bytes] | None:
        """By the library, if it finds the least number of them, and finds them soon."""
        room = bytearray(CELLS * (_MOST_IN_LANES + 1))
        counted = 0
        for look, more in enumerate(bank.counts(board, _MOST_IN_LANES + 1, room), 1):
            self._budget.require()
            counted += more
            if look == _MOST_LOOKS and counted <= 1:
                return self._ask(board)
        if counted < least:
            return self._ask(board)
        return _cut(bytes(room), counted) if counted <= _MOST_IN_LANES else None

    def _find_fillings(self, board: bytes) -> list[bytes] | None:
        geometry = self._puzzle.geometry
        judge = byte_judge(geometry)
        cells = [cell for cell, digit in enumerate(board) if digit == EMPTY]
        found = list(islice(fillings_of(geometry).find(board, cells), _MOST_FILLINGS_LISTED + 1))
        if len(found) > _MOST_FILLINGS_LISTED:
            return None
        return [judge.require_solution(board, filling) for filling in found]

    def _ask(self, board: bytes) -> list[bytes] | None:
        part = self._puzzle.with_grid(Grid(self._puzzle.geometry, tuple(board)))
        with Search(part, self._settings, self._budget) as search:
            found = [bytes(grid.digits) for grid in islice(search, _MOST_OF_SOLVER + 1)]
        return found if len(found) <= _MOST_OF_SOLVER else None


def _cut(grids: bytes, count: int) -> list[bytes]:
    return [grids[CELLS * number : CELLS * (number + 1)] for number in range(count)]
