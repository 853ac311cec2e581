"""The canonical form of a puzzle, or of its solution, and the moves that lead to it.

A full grid of 9x9 has a way of its own. Going row by row as for puzzles would try 23,328 first
rows: all of them can be written 123456789. But the second row decides at once. Let A, B and C be
the stacks in the order in which they are written. In the second row, stack A has digits that the
first row has in B or C. If all three come from B, the row begins with 456; if not in any twin, it
can begin with 457, two from B and one from C. Nothing else can be the smallest, and either leaves
few orders of the columns.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from math import factorial, prod
from typing import NamedTuple

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import Shown
from satdoku.solving.limits import Budget

# The smallest twin of a puzzle, found row by row.
#
# All twins that are equal in the rows so far are kept; each next row is the smallest that any of
# them can have there. Twins that have used the same rows, and agree in columns and names, go on as
# one.
#
# The order of the columns is decided only as far as the rows so far tell them apart. Columns that
# are empty in all rows so far may still stand in any order; so may stacks that look the same.
# Keeping them together saves trying all 1,296 orders of the columns of 9x9.
#
#     Stacks ((((0, 1), (2,)),), (((3,), (4,), (5,)), ((6,), (7,), (8,))))
#            first comes the stack of columns 0 to 2, with 2 behind 0 and 1 in any order;
#            then the two other stacks, in any order

Class = tuple[int, ...]
"""Columns of a stack that cannot be told apart yet."""

Stack = tuple[Class, ...]
"""The columns of a stack, as far as their order is known."""

Stacks = tuple[tuple[Stack, ...], ...]
"""All stacks: those in an inner tuple cannot be told apart yet."""

Names = Mapping[int, int]
"""The new names of digits, as far as they are known."""


class Arranged(NamedTuple):
    """A row as it is written, with what it decides."""

    text: tuple[int, ...]
    stacks: Stacks
    names: dict[int, int]


def undecided(size: int, width: int) -> Stacks:
    """The stacks of a board before any row was looked at."""
    return (tuple((tuple(range(first, first + width)),) for first in range(0, size, width)),)


def count_orders(stacks: Stacks) -> int:
    """How many orders of the columns are still possible."""
    return prod(
        factorial(len(alike)) * prod(factorial(len(class_)) for stack in alike for class_ in stack)
        for alike in stacks
    )


def arrange(row: Sequence[int], stacks: Stacks, names: Names, blank: int = 0) -> Iterator[Arranged]:
    """All ways to write a row as small as possible, with `blank` for what is empty.

    They all have the same text, and differ in the columns or in the names that new digits get.
    Blanks come before all digits, or, where they are not 0, after them.
    """
    partial = [Arranged((), (), dict(names))]
    for alike in stacks:
        partial = [whole for begun in partial for whole in _place_alike(row, alike, begun, blank)]
    yield from partial


def _place_alike(
    row: Sequence[int], alike: tuple[Stack, ...], begun: Arranged, blank: int
) -> list[Arranged]:
    """All ways to write stacks that may stand in any order as small as possible.

    Stacks in which this row has no digit come first, or last, and remain alike.
    """
    empty = tuple(stack for stack in alike if not any(row[c] for class_ in stack for c in class_))
    given = tuple(stack for stack in alike if stack not in empty)
    if not given:
        return [_with_empty(begun, empty, blank)]
    if not empty:
        return _place_given(row, given, begun, blank)
    if not blank:
        return _place_given(row, given, _with_empty(begun, empty, blank), blank)
    found = _place_given(row, given, begun, blank)
    return [_with_empty(whole, empty, blank) for whole in found]


def _place_given(
    row: Sequence[int], given: tuple[Stack, ...], begun: Arranged, blank: int
) -> list[Arranged]:
    """The same for stacks in which this row has digits.

    Each is tried as the first, with the others behind it, and whatever has the smallest text stays.
    """
    found = []
    for first in given:
        rest = tuple(stack for stack in given if stack is not first)
        for text, stack, names in _place_stack(row, first, begun.names, blank):
            whole = Arranged(begun.text + text, (*begun.stacks, (stack,)), names)
            found += _place_given(row, rest, whole, blank) if rest else [whole]
    smallest = min(whole.text for whole in found)
    return [whole for whole in found if whole.text == smallest]


def _with_empty(begun: Arranged, empty: tuple[Stack, ...], blank: int) -> Arranged:
    """The same with stacks behind it in which the row has no digit."""
    blanks = (blank,) * sum(len(class_) for stack in empty for class_ in stack)
    return Arranged(begun.text + blanks, (*begun.stacks, empty), begun.names)


def _place_stack(
    row: Sequence[int], stack: Stack, names: dict[int, int], blank: int
) -> Iterator[tuple[tuple[int, ...], Stack, dict[int, int]]]:
    """All ways to write the cells of a row in one stack as small as possible.

    A class is columns that may still change places. Written first are those of its columns that
    are empty in this row, then those whose digits have new names already, by name, and last those
    whose digits get one now, unless blanks come after these. Only among the new there is a choice.
    """
    text: list[int] = []
    decided: list[Class] = []
    fresh: list[list[int]] = []
    highest = len(names)
    for class_ in stack:
        empty = tuple(column for column in class_ if not row[column])
        named = sorted((names[row[c]], c) for c in class_ if row[c] in names)
        new = [column for column in class_ if row[column] and row[column] not in names]
        digits = [*[name for name, _ in named], *range(highest + 1, highest + 1 + len(new))]
        # The places of new digits are filled below, in every order.
        columns: list[Class] = [*[(column,) for _, column in named], *[()] * len(new)]
        alike, blanks = [empty] if empty else [], [blank] * len(empty)
        decided += columns + alike if blank else alike + columns
        text += digits + blanks if blank else blanks + digits
        fresh.append(new)
        highest += len(new)
    for order in _orders(fresh):
        filled = iter(order)
        given_names = dict(names)
        for column in order:
            given_names[row[column]] = len(given_names) + 1
        yield tuple(text), tuple(class_ or (next(filled),) for class_ in decided), given_names


def _orders(lists: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """All sequences that begin with the first list in some order, then the second, and so on."""
    if not lists:
        yield ()
        return
    for first in permutations(lists[0]):
        for rest in _orders(lists[1:]):
            yield first + rest


# A puzzle of 9x9 rarely has more than a few hundred. A nearly full board of 16x16 has billions.
MOST_TWINS = 50_000


class Smallest(NamedTuple):
    """The digits of the smallest twin, and in how many ways the board becomes it."""

    digits: tuple[int, ...]
    ways: int


class Twin(NamedTuple):
    """The beginning of a twin: the rows used, and what they decide."""

    is_transposed: bool
    used: int
    """A mask of rows."""
    stacks: Stacks
    names: tuple[tuple[int, int], ...]
    """Old and new names of digits, sorted."""


def find_smallest(
    geometry: Geometry,
    digits: Sequence[int],
    most_twins: int = MOST_TWINS,
    budget: Budget | None = None,
    blank: int = 0,
) -> Smallest:
    """The smallest twin of a classic board; TooLargeError where too many twins begin alike.

    With `blank` behind all digits, the pattern of givens comes first and not the empty cells.
    """
    size = geometry.size
    budget = budget or Budget()
    boards = boards_of(geometry, digits)
    stacks = undecided(size, geometry.box_columns)
    twins = Counter(Twin(bool(number), 0, stacks, ()) for number in range(len(boards)))
    written: list[int] = []
    for row_number in range(size):
        best: tuple[int, ...] | None = None
        found: Counter[Twin] = Counter()
        for twin, ways in twins.items():
            # To go on with a twin means to look at all its rows.
            budget.work(geometry.cell_count)
            for text, next_twin in next_rows(
                geometry, boards[twin.is_transposed], twin, row_number, blank
            ):
                if best is None or text < best:
                    best = text
                    found.clear()
                if text == best:
                    found[next_twin] += ways
                    _require_few(len(found), most_twins)
        twins = found
        written += best or ()
    ways = sum(ways * count_orders(twin.stacks) for twin, ways in twins.items())
    return Smallest(tuple(written), ways)


def boards_of(geometry: Geometry, digits: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """The rows of a board, and of the transposed one where that has the same shape."""
    size = geometry.size
    rows = [tuple(digits[first : first + size]) for first in range(0, len(digits), size)]
    if geometry.box_rows != geometry.box_columns:
        return [rows]
    return [rows, list(zip(*rows, strict=True))]


def next_rows(
    geometry: Geometry, rows: Sequence[Sequence[int]], twin: Twin, row_number: int, blank: int
) -> Iterator[tuple[tuple[int, ...], Twin]]:
    """All ways to go on with a row of the band that was begun, or of a new one."""
    height = geometry.box_rows
    names = dict(twin.names)
    for row in range(geometry.size):
        band = ((1 << height) - 1) << (row // height * height)
        is_begun = bool(twin.used & band)
        if twin.used >> row & 1 or is_begun != bool(row_number % height):
            continue
        # A band that is full was passed over above, row by row.
        for text, stacks, new_names in arrange(rows[row], twin.stacks, names, blank):
            used = twin.used | 1 << row
            sorted_names = tuple(sorted(new_names.items()))
            yield text, Twin(twin.is_transposed, used, stacks, sorted_names)


def _require_few(count: int, most: int) -> None:
    if count > most:
        raise TooLargeError(
            f"more than {most:,} twins of this board begin alike, "
            "so its canonical form is not computed"
        )


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
