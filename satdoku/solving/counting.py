"""Counting many solutions with few questions to a solver.

A solver finds one solution. All others that differ from it only in some cells, the last open ones
of the board, are found by a plain search (`Fillings`), which takes a tenth of the time that a
question to the solver takes. Then the solver is kept from everything that agrees with the solution
in the cells before. So every solution is counted once, and each is judged.

The first few solutions are counted one by one: many puzzles that are counted have no more.

For several processes a puzzle is split into shares: puzzles whose solutions together are its own,
each in one of them.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from satdoku.puzzle.byte_judge import MOST_CELLS, byte_judge, find_byte_judge
from satdoku.puzzle.candidates import find_candidates, find_missing
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.search import Search
from satdoku.solving.solvers import Settings

# A filling costs some dead ends: 2.4 in the last three rows of an empty 9x9 board, 5.5 in the last
# four, with which counting took half as long again. The first ones say little.
_FIRST_DEAD_ENDS = 200
_DEAD_ENDS_A_FILLING = 4


class TooManyDeadEndsError(Exception):
    """Searching for fillings does not pay here."""


class Fillings:
    """All ways to fill some cells of a board whose other cells are known, a byte a cell.

    A plain search by bit masks under the classic rules of one geometry. What it yields is still
    judged.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._all_digits = (1 << geometry.size) - 1
        size, boxes = geometry.size, geometry.boxes
        box_of = {cell: number for number, box in enumerate(boxes) for cell in box.cells}
        # Rows, columns and boxes are numbered through, so that one list has the masks of all.
        self._unit_count = 3 * size
        self._units_of = [
            (cell // size, size + cell % size, 2 * size + box_of[cell])
            for cell in range(geometry.cell_count)
        ]

    def find(self, board: bytes, cells: Sequence[int]) -> Iterator[bytes]:
        """Each filling of these cells, tried in their order, where no digit stands twice in a unit.

        TooManyDeadEndsError after many steps that led to few fillings.
        """
        if not cells:
            yield board
            return
        filling = bytearray(board)
        used = self._used_digits(board, frozenset(cells))
        units = [self._units_of[cell] for cell in cells]
        last = len(cells) - 1
        row, column, box = units[0]
        # For each cell that is being tried: the digits left to try, and the one that stands there.
        left = [0] * len(cells)
        standing = [0] * len(cells)
        left[0] = self._all_digits & ~(used[row] | used[column] | used[box])
        depth = 0
        dead_ends_left = _FIRST_DEAD_ENDS
        while depth >= 0:
            row, column, box = units[depth]
            if bit := standing[depth]:
                used[row] ^= bit
                used[column] ^= bit
                used[box] ^= bit
            digits = left[depth]
            if not digits:
                standing[depth] = 0
                depth -= 1
                continue
            bit = digits & -digits
            left[depth] = digits ^ bit
            filling[cells[depth]] = bit.bit_length()
            if depth == last:
                standing[depth] = 0
                dead_ends_left += _DEAD_ENDS_A_FILLING
                yield bytes(filling)
                continue
            standing[depth] = bit
            used[row] |= bit
            used[column] |= bit
            used[box] |= bit
            depth += 1
            row, column, box = units[depth]
            left[depth] = self._all_digits & ~(used[row] | used[column] | used[box])
            if not left[depth]:
                dead_ends_left -= 1
                if not dead_ends_left:
                    raise TooManyDeadEndsError

    def _used_digits(self, board: bytes, open_cells: frozenset[int]) -> list[int]:
        """For each unit the digits of its known cells, one bit a digit."""
        used = [0] * self._unit_count
        for cell, digit in enumerate(board):
            if cell not in open_cells:
                for unit in self._units_of[cell]:
                    used[unit] |= 1 << (digit - 1)
        return used


# To find the region takes as long as some twenty questions to the solver, in vain where there are
# only a few solutions.
_MOST_SINGLE = 8
# More fillings from one question to the solver would hardly make it faster.
_MOST_FILLINGS = 3_000
# Regions to try at first, in cells. 27 are a band of a 9x9 board, with 1,728 fillings if nothing in
# it is given; the others lead up to it and beyond. The last one is the whole board.
_REGIONS = (9, 18, 22, 24, 27, 32, 36, 48, MOST_CELLS)


def can_count_by_fillings(puzzle: Puzzle, settings: Settings) -> bool:
    """Whether the search for fillings knows the rules, and no external solver was asked for."""
    return find_byte_judge(puzzle) is not None and not settings.command


@cache
def fillings_of(geometry: Geometry) -> Fillings:
    """What is worked out for a geometry serves all its puzzles."""
    return Fillings(geometry)


class FillingCounter:
    """Goes through the solutions of a puzzle, many at once, and says how many there are."""

    def __init__(
        self, puzzle: Puzzle, settings: Settings, most_fillings: int = _MOST_FILLINGS
    ) -> None:
        self._puzzle = puzzle
        self._settings = settings
        self._most_fillings = most_fillings
        self._budget = Budget(settings.limits)
        self._givens = bytes(puzzle.grid.digits)
        self._open = [cell for cell, digit in enumerate(self._givens) if digit == EMPTY]
        self._fillings = fillings_of(puzzle.geometry)
        self._judge = byte_judge(puzzle.geometry)

    def counts(self) -> Iterator[int]:
        """Numbers of solutions that were met since the last number; their sum is all of them.

        LimitReachedError when a limit cuts the counting short.
        """
        region: int | None = None
        single: list[Grid] = []
        with Search(self._puzzle, self._settings, self._budget) as search:
            while (solution := search.next_solution()) is not None:
                if len(single) < _MOST_SINGLE:
                    single.append(solution)
                    yield 1
                    continue
                if region is None:
                    number, region = self._find_region(solution)
                else:
                    number, region = self._count_around(solution, region)
                outside = self._open[: len(self._open) - region]
                search.block_agreeing(outside)
                yield number - sum(_agree(solution, counted, outside) for counted in single)

    def _find_region(self, solution: Grid) -> tuple[int, int]:
        """The largest region whose fillings are found easily, after the number of these."""
        found = 1, 0
        for cells in _REGIONS:
            region = min(cells, len(self._open))
            if region == found[1]:
                break
            number = self._count_fillings(solution, region)
            if number is None:
                break
            found = number, region
        return found

    def _count_around(self, solution: Grid, region: int) -> tuple[int, int]:
        """The number of fillings of a region, and the region: smaller where it has too many.

        A region never grows again. What was counted with a small one has only its cells free, so a
        larger one might meet it a second time; a smaller one lies within all that came before.
        """
        while (number := self._count_fillings(solution, region)) is None:
            region = region * 2 // 3
        return number, region

    def _count_fillings(self, solution: Grid, region: int) -> int | None:
        """The number of fillings of the last open cells, None if finding them does not pay."""
        number = 0
        cells = self._open[len(self._open) - region :]
        try:
            found = self._fillings.find(bytes(solution.digits), cells)
            for filling in self._budget.watch(found):
                self._judge.require_solution(self._givens, filling)
                number += 1
                if number > self._most_fillings:
                    return None
        except TooManyDeadEndsError:
            return None
        return number


def _agree(one: Grid, other: Grid, cells: Sequence[int]) -> bool:
    """Whether two grids have the same digits in these cells."""
    return all(one.digits[cell] == other.digits[cell] for cell in cells)


def split_puzzle(puzzle: Puzzle, least: int) -> list[Puzzle]:
    """At least so many puzzles, or fewer where filling empty cells makes no more.

    Cell after cell in the order of the board is filled in every way that the other givens leave
    open. Where a cell has no way left there is no solution, and the puzzle is dropped.
    """
    shares = [puzzle]
    for cell in range(puzzle.geometry.cell_count):
        if len(shares) >= least or not shares:
            break
        if cell not in puzzle.givens:
            shares = [filled for share in shares for filled in _fill(share, cell)]
    return shares


def _fill(puzzle: Puzzle, cell: int) -> list[Puzzle]:
    """The puzzle with each digit in this cell that the other givens leave open."""
    open_digits = dict(find_candidates(puzzle, find_missing(puzzle)))[cell]
    return [
        puzzle.with_grid(puzzle.grid.with_digits({cell: digit}))
        for digit in range(1, puzzle.geometry.size + 1)
        if open_digits >> digit & 1
    ]
