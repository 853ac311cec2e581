"""The canonical form of a puzzle, or of its solution, and the moves that lead to it.

A full grid of 9x9 has a way of its own. Going row by row as for puzzles would try 23,328 first
rows: all of them can be written 123456789. But the second row decides at once. Let A, B and C be
the stacks in the order in which they are written. In the second row, stack A has digits that the
first row has in B or C. If all three come from B, the row begins with 456; if not in any twin, it
can begin with 457, two from B and one from C. Nothing else can be the smallest, and either leaves
few orders of the columns.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from typing import NamedTuple

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.making.smallest import (
    MOST_TWINS,
    Smallest,
    Twin,
    boards_of,
    find_smallest,
    next_rows,
    undecided,
)
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import Shown
from satdoku.solving.limits import Budget


class Moves(NamedTuple):
    """Transposing or not, then lines into a new order, then new names for digits.

    `rows` and `columns` say, counted from 0, which line comes first, second and so on; `names` has
    the new name of each digit at the place of the old one, and 0 for an empty cell at its front.
    """

    is_transposed: bool
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[int, ...]

    def apply(self, digits: Sequence[int]) -> tuple[int, ...]:
        """The board that the moves make of one."""
        size = len(self.rows)
        rows = [digits[first : first + size] for first in range(0, len(digits), size)]
        if self.is_transposed:
            rows = list(zip(*rows, strict=True))
        return tuple(self.names[rows[row][column]] for row in self.rows for column in self.columns)


def find_moves(
    geometry: Geometry, digits: Sequence[int], form: Sequence[int], blank: int, budget: Budget
) -> Moves:
    """The moves that lead from a board to its form, as `find_smallest` has written it."""
    size = geometry.size
    boards = boards_of(geometry, digits)
    stacks = undecided(size, geometry.box_columns)
    texts = [tuple(form[first : first + size]) for first in range(0, len(form), size)]
    # Ways that begin like the form, the last one first; most of them come to an end soon.
    begun: list[tuple[Twin, tuple[int, ...]]] = [
        (Twin(bool(number), 0, stacks, ()), ()) for number in range(len(boards))
    ]
    while begun:
        twin, rows = begun.pop()
        if len(rows) == size:
            return _moves(twin, rows, size, blank)
        budget.work(geometry.cell_count)
        for text, following in next_rows(
            geometry, boards[twin.is_transposed], twin, len(rows), blank
        ):
            if text == texts[len(rows)]:
                row = (following.used ^ twin.used).bit_length() - 1
                begun.append((following, (*rows, row)))
    raise ValueError("the form is of another board")


def _moves(twin: Twin, rows: tuple[int, ...], size: int, blank: int) -> Moves:
    columns = tuple(chain.from_iterable(chain.from_iterable(chain.from_iterable(twin.stacks))))
    known = dict(twin.names)
    # Digits without a given get the names that are left.
    rest = iter(name for name in range(1, size + 1) if name not in known.values())
    names = (known.get(digit) or next(rest) for digit in range(1, size + 1))
    turned = (blank - name if blank else name for name in names)
    return Moves(twin.is_transposed, rows, columns, (0, *turned))


# A minimal puzzle of 16x16 takes a fifth of a second. On 25x25 a row has so many givens that its
# column orders alone are too many.
LARGEST_SIZE = 16


@dataclass(frozen=True)
class Canonical(Shown):
    """The smallest twin of a board, and its automorphisms.

    `automorphisms` is the number of ways to move the board onto itself: 1 for nearly every puzzle,
    where only to leave it as it is does that. Boards are twins exactly when their grids here are
    equal. `moves` lead there, where they were asked for.
    """

    grid: Grid
    automorphisms: int
    moves: Moves | None = None


def canonical_form(
    puzzle: Puzzle, budget: Budget | None = None, is_largest: bool = False, with_moves: bool = False
) -> Canonical:
    """The canonical form of a classic puzzle, whether it has one solution or not.

    With `is_largest` it is the largest twin in place of the smallest, `with_moves` it is told how
    the board becomes it.

    A puzzle of 9x9 takes a few milliseconds. SatdokuError where givens clash, TooLargeError for
    boards above 16x16, and for nearly full ones above 9x9; LimitReachedError when the budget ends.
    """
    if not puzzle.is_classic:
        names = dict.fromkeys(rule.name for rule in puzzle.further_rules)
        raise SatdokuError(
            "canonical forms are for rows, columns and boxes alone; "
            f"this puzzle has {', '.join(names) or 'fewer rules'}"
        )
    size = puzzle.geometry.size
    if size > LARGEST_SIZE:
        raise TooLargeError(
            f"canonical forms are computed up to {LARGEST_SIZE}x{LARGEST_SIZE}, "
            f"not for {size}x{size}"
        )
    # Rows are written as having each digit once: with a digit twice, twins would get several forms.
    clash = next(find_clashes(puzzle), None)
    if clash is not None:
        raise SatdokuError(
            "a board whose givens clash has no canonical form: "
            f"{clash.describe(puzzle.name_of_digit)}"
        )
    # The largest twin is the smallest one with all digits turned round, from 9 to 1 and from 1 to
    # 9, and with blanks behind them all.
    blank = size + 1 if is_largest else 0
    budget = budget or Budget()
    found = _find(puzzle, budget, blank)
    moves = None
    if with_moves:
        moves = find_moves(puzzle.geometry, puzzle.grid.digits, found.digits, blank, budget)
    digits = tuple(blank - digit for digit in found.digits) if blank else found.digits
    return Canonical(Grid(puzzle.geometry, digits), found.ways, moves)


def _find(puzzle: Puzzle, budget: Budget, blank: int) -> Smallest:
    grid = puzzle.grid
    if grid.is_full and grid.geometry == Geometry(3, 3):
        return find_smallest_full(grid.digits)
    return find_smallest(grid.geometry, grid.digits, MOST_TWINS, budget, blank)


_STACKS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_Rows = Sequence[Sequence[int]]


def find_smallest_full(digits: Sequence[int]) -> Smallest:
    """The smallest twin of a full grid, and in how many ways the grid becomes it."""
    rows = [tuple(digits[first : first + 9]) for first in range(0, 81, 9)]
    boards = (rows, list(zip(*rows, strict=True)))
    pairs = [
        (board, first, second)
        for board in boards
        for first in range(9)
        for second in range(first // 3 * 3, first // 3 * 3 + 3)
        if first != second
    ]
    begun = [(b, f, s, o) for b, f, s in pairs for o in _orders_from_one_stack(b[f], b[s])]
    if not begun:
        begun = [(b, f, s, o) for b, f, s in pairs for o in _orders_from_two_stacks(b[f], b[s])]
    # All of these have the same first row; the second row leaves few of them.
    seconds = [_write(b[f], b[s], order) for b, f, s, order in begun]
    smallest = min(seconds)
    grids = [
        _write_all(board, first, second, order)
        for (board, first, second, order), row in zip(begun, seconds, strict=True)
        if row == smallest
    ]
    best = min(grids)
    return Smallest(best, grids.count(best))


def _orders_from_one_stack(first: Sequence[int], second: Sequence[int]) -> Iterator[list[int]]:
    """Column orders with which the second row begins with 456, and goes on with 789."""
    for a, b, _ in permutations(_STACKS):
        # Then B has its digits from C, and C from A: nine digits leave no other way.
        if {second[column] for column in a} == {first[column] for column in b}:
            for of_a in permutations(a):
                of_b = [first.index(second[column]) for column in of_a]
                yield [*of_a, *of_b, *(first.index(second[column]) for column in of_b)]


def _orders_from_two_stacks(first: Sequence[int], second: Sequence[int]) -> Iterator[list[int]]:
    """Column orders with which the second row begins with 457."""
    for a, b, c in permutations(_STACKS):
        from_b = [column for column in a if first.index(second[column]) in b]
        if len(from_b) != 2:
            continue
        from_c = next(column for column in a if column not in from_b)
        seventh = first.index(second[from_c])
        eighth, ninth = (column for column in c if column != seventh)
        for fourth_and_fifth in permutations(from_b):
            of_b = [first.index(second[column]) for column in fourth_and_fifth]
            of_b += [column for column in b if column not in of_b]
            begun = [*fourth_and_fifth, from_c, *of_b, seventh]
            yield [*begun, eighth, ninth]
            yield [*begun, ninth, eighth]


def _write(names_row: Sequence[int], row: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """A row with its columns in this order, and the digits that make `names_row` 1, 2, 3 ..."""
    name_of = {names_row[column]: name for name, column in enumerate(order, 1)}
    return tuple(name_of[row[column]] for column in order)


def _write_all(board: _Rows, first: int, second: int, order: Sequence[int]) -> tuple[int, ...]:
    """The whole grid; bands, and rows within the two other bands, by their first digits."""
    written = [_write(board[first], row, order) for row in board]
    top = first // 3 * 3
    third = next(row for row in range(top, top + 3) if row not in (first, second))
    bands = sorted(sorted(written[start : start + 3]) for start in (0, 3, 6) if start != top)
    rows = [written[first], written[second], written[third], *bands[0], *bands[1]]
    return tuple(digit for row in rows for digit in row)
