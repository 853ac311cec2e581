"""Count many solutions with few solver calls, and estimate numbers that are too large to count.

A solver finds one solution. All other solutions that differ from it only in a region, the last open
cells of the board, are found by a plain search (`Fillings`), which takes a tenth of the time of a
solver call. Then a blocking clause excludes all grids that agree with the solution in the cells
before the region. So every solution is counted once, and each is judged.

The first few solutions are counted one by one: many puzzles have no more.

For several processes a puzzle is split into shares: puzzles that partition its solutions.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import islice
from math import inf, log, nextafter
from typing import NamedTuple

from satdoku.lanes.bank import CELLS, Bank
from satdoku.lanes.library import Library, engines_of, find_library
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import MOST_CELLS, byte_judge, find_byte_judge, find_fault
from satdoku.puzzle.puzzle import Puzzle, find_candidates, find_missing
from satdoku.solving.kept import KeptPuzzle, KeptSolvers
from satdoku.solving.limits import Budget
from satdoku.solving.questions import Search
from satdoku.solving.solvers import Settings

# Limit on dead ends of the search: a number at first, and a few more for each filling. A filling
# costs 2.4 dead ends in the last three rows of an empty 9x9 board, and 5.5 in the last four, with
# which counting took half as long again.
_FIRST_DEAD_ENDS = 200
_DEAD_ENDS_A_FILLING = 4


class TooManyDeadEndsError(Exception):
    """Raised if the search for fillings takes too many steps."""


class Fillings:
    """Finds all ways to fill some cells of a board whose other cells are known, one byte per cell.

    A backtracking search with bit masks under the classic rules of one geometry. Callers judge the
    fillings.
    """

    def __init__(self, geometry: Geometry) -> None:
        self._all_digits = (1 << geometry.size) - 1
        size, boxes = geometry.size, geometry.boxes
        box_of = {cell: number for number, box in enumerate(boxes) for cell in box.cells}
        # Rows, columns and boxes are numbered consecutively, so that all masks are in one list.
        self._unit_count = 3 * size
        self._units_of = [
            (cell // size, size + cell % size, 2 * size + box_of[cell])
            for cell in range(geometry.cell_count)
        ]

    def find(self, board: bytes, cells: Sequence[int]) -> Iterator[bytes]:
        """Yield each filling of these cells, tried in their order, in which no digit repeats in a
        unit.

        Raise TooManyDeadEndsError after many steps that led to few fillings.
        """
        if not cells:
            yield board
            return
        filling = bytearray(board)
        used = self._used_digits(board, frozenset(cells))
        units = [self._units_of[cell] for cell in cells]
        last = len(cells) - 1
        row, column, box = units[0]
        # For each cell of the current branch: the digits left to try, and its current digit.
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
        """Return for each unit the digits of its known cells as a mask."""
        used = [0] * self._unit_count
        for cell, digit in enumerate(board):
            if cell not in open_cells:
                for unit in self._units_of[cell]:
                    used[unit] |= 1 << (digit - 1)
        return used


# Solutions found one by one at first. Finding the region takes as long as some twenty solver calls,
# which would be wasted if there are only a few solutions.
_MOST_SINGLE = 8
# With more fillings per solver call, counting would hardly be faster.
_MOST_FILLINGS = 3_000
# Sizes of regions to try, in cells, up to the whole board. 27 is a band of a 9x9 board, with 1,728
# fillings if it has no givens.
_REGIONS = (9, 18, 22, 24, 27, 32, 36, 48, MOST_CELLS)


def can_count_by_fillings(puzzle: Puzzle, settings: Settings) -> bool:
    """Whether the search for fillings supports the rules, and no external solver is set."""
    return find_byte_judge(puzzle) is not None and not settings.command


@cache
def fillings_of(geometry: Geometry) -> Fillings:
    """Return the cached search of a geometry."""
    return Fillings(geometry)


class FillingCounter:
    """Counts the solutions of a puzzle, many at a time."""

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
        """Yield numbers of new solutions; the sum is the total.

        Raise LimitReachedError if a limit ends the count early.
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
        """Return how many fillings the largest region has that is fast to search, and its size."""
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
        """Return how many fillings a region has, and its size, made smaller if the search is too
        slow.

        A region never grows again. Earlier calls with a small region counted solutions that differ
        in it, and a larger region might count them again; a smaller one lies within all earlier
        regions.
        """
        while (number := self._count_fillings(solution, region)) is None:
            region = region * 2 // 3
        return number, region

    def _count_fillings(self, solution: Grid, region: int) -> int | None:
        """Return the number of fillings of the last open cells; None if the search is too slow."""
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
    """Return at least this many puzzles, or fewer if all empty cells were filled.

    Cells are filled in board order, in every way that the other givens allow. A puzzle in which a
    cell allows no digit has no solution and is dropped.
    """
    shares = [puzzle]
    for cell in range(puzzle.geometry.cell_count):
        if len(shares) >= least or not shares:
            break
        if cell not in puzzle.givens:
            shares = [filled for share in shares for filled in _fill(share, cell)]
    return shares


def _fill(puzzle: Puzzle, cell: int) -> list[Puzzle]:
    """Return the puzzle with each digit in this cell that the other givens allow."""
    open_digits = dict(find_candidates(puzzle, find_missing(puzzle)))[cell]
    return [
        puzzle.with_grid(puzzle.grid.with_digits({cell: digit}))
        for digit in range(1, puzzle.geometry.size + 1)
        if open_digits >> digit & 1
    ]


# 9x9 boards with several solutions: listed in order, and counted by the compiled library
#
# Solutions come in the order of their digits, cell by cell, so that a limited list is the same with
# and without the library. If a board has more solutions than one search may find, it is split: its
# first empty cell gets each digit in turn, and the solutions of the resulting boards are listed one
# board after the other. The library, a solver, or a plain search of the last rows finds the
# solutions of such a part in any order.
#
# The verdict "several" is backed by two judged grids. Only a solver decides "none" and "one". The
# number of further solutions relies on the search of the library, if it is used.

# Rounds, of some ten milliseconds each, after which a board without a second solution goes to a
# solver, which is better at boards without solution.
_MOST_LOOKS = 20
# More than the solutions of the empty board: no limit.
_NO_LIMIT = (1 << 64) - 1

# Most solutions of a part to find at once. With a higher limit, the first solution of an empty
# board, which takes dozens of failed parts, would come later; with a lower one, all solutions
# would.
_MOST_IN_LANES = 256
_MOST_OF_SOLVER = 64
# A part with this many open cells (at most 15 givens) nearly always has more solutions than that.
_LEAST_OPEN_OF_MANY = 66
# Most open cells of a part whose solutions the plain search lists: three rows, so that it lists at
# most all fillings of an empty band.
_MOST_OPEN = 27
_MOST_FILLINGS_LISTED = 1_728


def can_be_several(puzzle: Puzzle, settings: Settings) -> bool:
    """Whether the functions below support a puzzle: a classic 9x9 board, and no solver chosen."""
    return puzzle.is_classic and puzzle.geometry == Geometry() and settings.leaves_method_open


def counts_of(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int] | None:
    """Return an iterator of numbers whose sum is the count, or more than the limit.

    None if it is best to find the solutions one by one.
    """
    if not can_count_by_fillings(puzzle, settings):
        return None
    return count_in_lanes(puzzle, settings, limit) or FillingCounter(puzzle, settings).counts()


def count_in_lanes(puzzle: Puzzle, settings: Settings, limit: int | None) -> Iterator[int] | None:
    """Return an iterator of numbers whose sum is the count, or limit + 1, by the library.

    None without the compiled library, or if it does not support this puzzle.
    """
    library = find_library() if can_be_several(puzzle, settings) else None
    return None if library is None else _counts_in_lanes(library, puzzle, settings, limit)


def _counts_in_lanes(
    library: Library, puzzle: Puzzle, settings: Settings, limit: int | None
) -> Iterator[int]:
    """Yield the numbers; if the library found no or one solution, a solver decides."""
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
    """Yield the solutions of a puzzle that `can_be_several`, in the order of their digits.

    Raise LimitReachedError if a limit ends the list early.
    """
    lister = _Lister(puzzle, settings)
    # A stack of boards; the solutions of the top one come first.
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
    """Yield the board with each possible digit in its first empty cell, the highest first."""
    cell = board.index(EMPTY)
    taken = {board[peer] for peer in puzzle.geometry.peers_of(cell)}
    for digit in range(puzzle.geometry.size, 0, -1):
        if digit not in taken:
            yield board[:cell] + bytes([digit]) + board[cell + 1 :]


class _Lister:
    """Lists the solutions of parts of a puzzle."""

    def __init__(self, puzzle: Puzzle, settings: Settings) -> None:
        self._puzzle = puzzle
        self._settings = settings
        self._budget = Budget(settings.limits)
        library = find_library()
        self._bank: Bank | None = None
        if library is not None:
            # The narrowest vectors suffice: the few solutions are found before wider code is
            # loaded.
            *_, narrow = engines_of(library.entries)
            self._bank = Bank(narrow)

    def find(self, board: bytes) -> list[bytes] | None:
        """Return all solutions of a part; None if there are too many to find at once."""
        self._budget.require()
        # For the puzzle itself, only a solver may decide "none" or "one".
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
        """Return the library's solutions; None if there are too many to find at once.

        A solver is asked instead if there are fewer than `least`, or if the search takes long.
        """
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


# Estimate numbers of solutions that are too large to count
#
# A probe is a random descent in the search tree: it takes the cell with the fewest candidates,
# guesses one of them at random, and lets a solver propagate, until it ends. The estimate is the
# product of the numbers of candidates if the probe ends at a solution, and 0 otherwise, which is
# unbiased (Knuth 1975). The seed is fixed, so the same puzzle gets the same estimate on any
# machine.
#
#     estimate(puzzle, counted, budget)     None if the solver cannot load the puzzle
#
# The lower bound does not assume any distribution of the probes. By Markov's inequality the mean of
# a group of probes reaches a times the number of solutions with probability 1/a at most. So the
# smallest of ten means, divided by the tenth root of 100, exceeds that number in one case of 100 at
# most. The upper bound is proved, see `_upper_bound`.

_GROUPS = 10
# Cells of all probes together, which is 200 probes of a 9x9 board; on larger boards probes take
# longer, and there are fewer. 200 take two seconds on an empty board, and its estimate is then off
# by a quarter at most.
_CELLS_OF_ALL_PROBES = 200 * 81
_LEAST, _MOST = 3, 30  # in each group
_SURE = 100
# Steps of the integral of the upper bound, whose error is below a part in a thousand.
_STEPS = 2_000


class Estimate(NamedTuple):
    """An estimate of the number of solutions, a lower bound (99 % sure), and an upper bound."""

    about: int
    at_least: int
    at_most: int

    def __str__(self) -> str:
        parts = f"about {brief(self.about)}", f"at least {brief(self.at_least, -1)}"
        return f"{parts[0]}, {parts[1]} (99 in 100), at most {brief(self.at_most, 1)} (proved)"

    def as_floats(self) -> dict[str, float | None]:
        """Return the numbers rounded so that the bounds hold; None for those above all floats."""
        low, high = float(min(self.at_least, _LARGEST)), _float_of(self.at_most)
        if high is not None and int(high) < self.at_most:
            high = nextafter(high, inf)
        return {
            "about": _float_of(self.about),
            "at_least": nextafter(low, 0.0) if int(low) > self.at_least else low,
            "at_most": high,
        }


_LARGEST = int(sys.float_info.max)


def _float_of(number: int) -> float | None:
    return float(number) if number <= _LARGEST else None


def brief(number: int, away: int = 0) -> str:
    """Return a number with two digits, rounded down for `away` -1 and up for 1.

    >>> brief(6_670_903), brief(6_670_903, -1), brief(6_670_903, 1), brief(12_345)
    ('6.7e6', '6.6e6', '6.7e6', '12,345')
    """
    if number < 10**6:
        return f"{number:,}"
    # Not the length of its text, as Python writes no number of more than 4,300 digits.
    zeros = Decimal(number).adjusted() - 1
    first, rest = divmod(number, 10**zeros)
    first += {-1: 0, 0: 2 * rest >= 10**zeros, 1: rest > 0}[away]
    return f"{first / 10:g}e{zeros + 1}" if first < 100 else f"1e{zeros + 2}"


def estimate(puzzle: Puzzle, counted: int, budget: Budget) -> Estimate | None:
    """Estimate the number of solutions, of which `counted` are known.

    None if a solver cannot load the rules. Raise LimitReachedError if the budget ends first.
    """
    # New solvers, as the learned clauses of a used one would change its propagation.
    with KeptSolvers() as solvers:
        kept = solvers.of(puzzle, budget)
        if kept is None:
            return None
        tree = _Tree(puzzle, kept)
        root = tree.root()
        if root is None:
            return Estimate(counted, counted, counted)
        at_most = max(counted, _upper_bound(puzzle.constraints, root.left))
        count = min(max(_LEAST, _CELLS_OF_ALL_PROBES // (_GROUPS * len(root.left))), _MOST)
        chance = random.Random(" ".join(map(str, puzzle.grid.digits)))
        sums = [sum(tree.probe(root, chance, budget) for _ in range(count)) for _ in range(_GROUPS)]
    # Not as floats, which end at 1.8e308: a large board has more solutions.
    about = sum(sums) // (count * _GROUPS)
    at_least = int(Decimal(min(sums)) / count / Decimal(_SURE) ** (1 / Decimal(_GROUPS)))
    about, at_least = (min(max(counted, each), at_most) for each in (about, at_least))
    return Estimate(about, at_least, at_most)


class _Tree:
    """The search tree of a puzzle: guesses and the candidates after them."""

    def __init__(self, puzzle: Puzzle, kept: KeptPuzzle) -> None:
        self._puzzle = puzzle
        self._kept = kept
        self._size = puzzle.geometry.size
        self._cells = puzzle.geometry.cell_count

    def root(self) -> "_Node | None":
        """Return the node without guesses; None on a conflict."""
        full = (1 << self._size) - 1
        return self._node([], _Node((), [full] * self._cells))

    def _node(self, guesses: Sequence[int], before: "_Node") -> "_Node | None":
        """Return the node of some guesses, of which `before` has all but the last one."""
        found = self._kept.propagate(guesses)
        if found is None:
            return None
        size, last = self._size, self._cells * self._size
        # The solver derives literals guess by guess, so those of `before` come first again.
        known = len(before.derived)
        left = list(before.left)
        for n in found[known:] if found[:known] == before.derived else found:
            if -last <= n < 0:
                left[(-n - 1) // size] &= ~(1 << (-n - 1) % size)
            elif 0 < n <= last:
                left[(n - 1) // size] &= 1 << (n - 1) % size
        return _Node(found, left)

    def probe(self, root: "_Node", chance: random.Random, budget: Budget) -> int:
        """Return the estimate of one probe: 0 if it ends without a solution."""
        budget.require()
        weight, guesses = 1, list[int]()
        node: _Node | None = root
        while node is not None:
            widths = list(map(int.bit_count, node.left))
            width = min((each for each in widths if each != 1), default=1)
            if width == 1:
                digits = tuple(map(int.bit_length, node.left))
                return (
                    0 if find_fault(Grid(self._puzzle.geometry, digits), self._puzzle) else weight
                )
            if not width:
                return 0
            weight *= width
            cell = widths.index(width)
            digit = chance.choice([d for d in range(self._size) if node.left[cell] >> d & 1])
            guesses.append(cell * self._size + digit + 1)
            node = self._node(guesses, node)
        return 0


class _Node(NamedTuple):
    """The literals that the solver derived from some guesses, and a mask of digits per cell."""

    derived: Sequence[int]
    left: Sequence[int]


def _upper_bound(constraints: Constraints, left: Sequence[int]) -> int:
    """Return a proved upper bound of the number of solutions, from a mask of digits per cell.

    Imagine that a random solution is uncovered cell by cell, in random order. When a cell is
    uncovered after a share 1-x of the others, a digit is still possible there only if its places in
    the full units of the cell are all still covered. For a candidate with w such places this has
    probability x^w, so the entropy of the cell is at most the integral of ln(1 + sum of x^w). The
    entropies of all cells sum to the logarithm of the number of solutions (Radhakrishnan's proof of
    Bregman's bound).
    """
    full = [set(unit.cells) for unit in constraints.units if constraints.has_every_digit(unit)]
    open_ = {cell for cell, mask in enumerate(left) if mask.bit_count() > 1}
    terms: dict[tuple[int, int, int], int] = {}
    for cell in sorted(open_):
        units = [unit for unit in full if cell in unit][:3]
        others = left[cell].bit_count() - 1
        # A place in two of three units counts once, and only for one digit.
        shared = [sum(other in unit for unit in units) for other in open_ - {cell}]
        places, double = len(units), sum(number > 1 for number in shared)
        if max(shared, default=0) > 2:
            places, double = 1, 0
        term = others, places, min(double, others)
        terms[term] = terms.get(term, 0) + 1
    total = sum(number * _entropy(*term) for term, number in terms.items())
    return int(Decimal(total * (1 + 1e-9)).exp()) + 1


def _entropy(others: int, places: int, double: int) -> float:
    """Return the integral of ln(1 + sum of x^w) from 0 to 1, rounded up by an upper sum."""
    steps = (n / _STEPS for n in range(1, _STEPS + 1))
    fewer = max(0, places - 1)
    return sum(log(1 + double * x**fewer + (others - double) * x**places) for x in steps) / _STEPS
