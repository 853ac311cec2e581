"""The canonical form of a puzzle, or of its solution, the moves that lead to it, and random twins.

A full 9x9 grid has an algorithm of its own. The row-by-row search for puzzles would try 23,328
first rows, as each of them can be written 123456789. The second row decides faster. Let A, B and C
be the stacks in the order in which they are written. In the second row, stack A has digits that the
first row has in B or C. If all three come from B, the second row begins with 456; if no twin allows
that, it can begin with 457, with two from B and one from C. No other start can be smallest, and
both cases leave few orders of the columns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, permutations
from math import factorial, prod
from typing import NamedTuple

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.lanes.bank import CELLS, find_forms, is_sample, require_same
from satdoku.making.full_grid import Chance, shuffled_lines
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import Shown, value
from satdoku.solving.limits import Budget

# The smallest twin of a puzzle, found row by row
#
# The search keeps all twins that are equal in the rows so far; the next row is the smallest that
# any of them can have. Twins that have used the same rows, and agree in columns and names, are
# merged.
#
# The order of the columns is decided only as far as the rows so far distinguish them. Columns that
# are empty in all rows so far may still be in any order, and so may stacks that look the same.
# Keeping them undecided saves trying all 1,296 orders of the columns of 9x9.
#
#     Stacks ((((0, 1), (2,)),), (((3,), (4,), (5,)), ((6,), (7,), (8,))))
#     first comes the stack of columns 0 to 2, with 2 behind 0 and 1 in any order;
#     then the two other stacks, in any order

Class = tuple[int, ...]
"""Columns of a stack whose order is still undecided."""

Stack = tuple[Class, ...]
"""The columns of a stack as classes, in the order that is decided so far."""

Stacks = tuple[tuple[Stack, ...], ...]
"""All stacks; the order of the stacks in one inner tuple is still undecided."""

Names = Mapping[int, int]
"""The new names of digits, as far as they are decided."""


class Arranged(NamedTuple):
    """A row as it is written, with the stacks and names that writing it decides."""

    text: tuple[int, ...]
    stacks: Stacks
    names: dict[int, int]


def undecided(size: int, width: int) -> Stacks:
    """Return the stacks of a board before any row was read."""
    return (tuple((tuple(range(first, first + width)),) for first in range(0, size, width)),)


def count_orders(stacks: Stacks) -> int:
    """Return how many orders of the columns are still possible."""
    return prod(
        factorial(len(alike)) * prod(factorial(len(class_)) for stack in alike for class_ in stack)
        for alike in stacks
    )


def arrange(row: Sequence[int], stacks: Stacks, names: Names, blank: int = 0) -> Iterator[Arranged]:
    """Yield all ways to write a row as the smallest text, with `blank` for empty cells.

    They differ in the order of columns or in the names of new digits. Blanks come before all
    digits, or, if `blank` is not 0, after them.
    """
    partial = [Arranged((), (), dict(names))]
    for alike in stacks:
        partial = [whole for begun in partial for whole in _place_alike(row, alike, begun, blank)]
    yield from partial


def _place_alike(
    row: Sequence[int], alike: tuple[Stack, ...], begun: Arranged, blank: int
) -> list[Arranged]:
    """Return all ways to write some stacks, in any order, as the smallest text.

    Stacks without a digit in this row come first, or last, and their order remains undecided.
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
    """Return all ways to write stacks with digits in this row as the smallest text.

    Each stack is tried as the first, followed by the others, and the smallest text is kept.
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
    """Append stacks that have no digits in this row."""
    blanks = (blank,) * sum(len(class_) for stack in empty for class_ in stack)
    return Arranged(begun.text + blanks, (*begun.stacks, empty), begun.names)


def _place_stack(
    row: Sequence[int], stack: Stack, names: dict[int, int], blank: int
) -> Iterator[tuple[tuple[int, ...], Stack, dict[int, int]]]:
    """Yield all ways to write the cells of a row in one stack as the smallest text.

    The columns of a class may still be in any order. They are written as follows: columns that are
    empty in this row, then columns whose digits already have new names, by name, then columns whose
    digits get a name now; if blanks come after digits, the empty columns are last. Only the columns
    with new names have several orders.
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
        # The columns of new digits are filled in below, in each of their orders.
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
    """Yield all sequences that have the items of the first list in any order, then of the second,
    etc.
    """
    if not lists:
        yield ()
        return
    for first in permutations(lists[0]):
        for rest in _orders(lists[1:]):
            yield first + rest


# Most partial twins. A 9x9 puzzle rarely has more than a few hundred; a nearly full 16x16 board has
# billions.
MOST_TWINS = 50_000


class Smallest(NamedTuple):
    """The digits of the smallest twin, and the number of moves that lead to it."""

    digits: tuple[int, ...]
    ways: int


class PartialTwin(NamedTuple):
    """A partial twin: the rows used so far, and the order of stacks and names that they decide."""

    is_transposed: bool
    used: int
    """The used rows, as a mask."""
    stacks: Stacks
    names: tuple[tuple[int, int], ...]
    """Pairs of the old and the new name of a digit, sorted."""


def find_smallest(
    geometry: Geometry,
    digits: Sequence[int],
    most_twins: int = MOST_TWINS,
    budget: Budget | None = None,
    blank: int = 0,
) -> Smallest:
    """Return the smallest twin of a classic board; raise TooLargeError for too many partial twins.

    If `blank` is above all digits, given cells come before empty ones in the comparison.
    """
    size = geometry.size
    budget = budget or Budget()
    boards = boards_of(geometry, digits)
    stacks = undecided(size, geometry.box_columns)
    twins = Counter(PartialTwin(bool(number), 0, stacks, ()) for number in range(len(boards)))
    written: list[int] = []
    for row_number in range(size):
        best: tuple[int, ...] | None = None
        found: Counter[PartialTwin] = Counter()
        for twin, ways in twins.items():
            # Extending a twin reads all rows of the board.
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
    """Return the rows of a board, and of the transposed board if that has the same shape."""
    size = geometry.size
    rows = [tuple(digits[first : first + size]) for first in range(0, len(digits), size)]
    if geometry.box_rows != geometry.box_columns:
        return [rows]
    return [rows, list(zip(*rows, strict=True))]


def next_rows(
    geometry: Geometry,
    rows: Sequence[Sequence[int]],
    twin: PartialTwin,
    row_number: int,
    blank: int,
) -> Iterator[tuple[tuple[int, ...], PartialTwin]]:
    """Yield all ways to continue with another row of the current band, or of a new band."""
    height = geometry.box_rows
    names = dict(twin.names)
    for row in range(geometry.size):
        band = ((1 << height) - 1) << (row // height * height)
        is_begun = bool(twin.used & band)
        if twin.used >> row & 1 or is_begun != bool(row_number % height):
            continue
        for text, stacks, new_names in arrange(rows[row], twin.stacks, names, blank):
            used = twin.used | 1 << row
            sorted_names = tuple(sorted(new_names.items()))
            yield text, PartialTwin(twin.is_transposed, used, stacks, sorted_names)


def _require_few(count: int, most: int) -> None:
    if count > most:
        raise TooLargeError(
            f"more than {most:,} twins of this board begin alike, "
            "so its canonical form is not computed"
        )


class Moves(NamedTuple):
    """Moves in this order: transpose or not, reorder lines, rename digits.

    `rows` and `columns` list, counted from 0, which line comes first, second and so on; `names` has
    the new name of each digit at the index of the old one, and 0 at index 0 for an empty cell.
    """

    is_transposed: bool
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    names: tuple[int, ...]

    def apply(self, digits: Sequence[int]) -> tuple[int, ...]:
        """Return the board after the moves."""
        size = len(self.rows)
        rows = [digits[first : first + size] for first in range(0, len(digits), size)]
        if self.is_transposed:
            rows = list(zip(*rows, strict=True))
        return tuple(self.names[rows[row][column]] for row in self.rows for column in self.columns)


def find_moves(
    geometry: Geometry, digits: Sequence[int], form: Sequence[int], blank: int, budget: Budget
) -> Moves:
    """Return the moves from a board to its form, as `find_smallest` wrote it."""
    size = geometry.size
    boards = boards_of(geometry, digits)
    stacks = undecided(size, geometry.box_columns)
    texts = [tuple(form[first : first + size]) for first in range(0, len(form), size)]
    # A stack of partial twins that agree with the form so far; most of them soon fail.
    begun: list[tuple[PartialTwin, tuple[int, ...]]] = [
        (PartialTwin(bool(number), 0, stacks, ()), ()) for number in range(len(boards))
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


def _moves(twin: PartialTwin, rows: tuple[int, ...], size: int, blank: int) -> Moves:
    columns = tuple(chain.from_iterable(chain.from_iterable(chain.from_iterable(twin.stacks))))
    known = dict(twin.names)
    # Digits that are not among the givens get the remaining names.
    rest = iter(name for name in range(1, size + 1) if name not in known.values())
    names = (known.get(digit) or next(rest) for digit in range(1, size + 1))
    turned = (blank - name if blank else name for name in names)
    return Moves(twin.is_transposed, rows, columns, (0, *turned))


_OF_LANES = Geometry()
"""The geometry of the boards that the compiled library supports."""

# A minimal 16x16 puzzle takes a fifth of a second. On 25x25 a row has so many givens that there are
# too many orders of its columns alone.
LARGEST_SIZE = 16


@value(frozen=True)
class Canonical(Shown):
    """The smallest twin of a board, and the number of its automorphisms.

    `automorphisms` is the number of moves that map the board to itself: 1 (the identity) for nearly
    every puzzle. Boards are twins if and only if their `grid` is the same. `moves` lead to the
    smallest twin, if they were requested.
    """

    grid: Grid
    automorphisms: int
    moves: Moves | None = None


def canonical_form(
    puzzle: Puzzle, budget: Budget | None = None, is_largest: bool = False, with_moves: bool = False
) -> Canonical:
    """Return the canonical form of a classic puzzle, whether it has one solution or not.

    With `is_largest`, return the largest twin instead of the smallest; with `with_moves`, also the
    moves to it.

    A puzzle of 9x9 takes a few milliseconds, or a hundredth with the compiled library. Raise
    SatdokuError if givens clash, TooLargeError for boards above 16x16, and for nearly full ones
    above 9x9; LimitReachedError if the budget ends.
    """
    if not puzzle.is_classic:
        names = dict.fromkeys(rule.name for rule in puzzle.further_rules)
        raise SatdokuError(
            "canonical forms are for rows, columns and boxes only; "
            f"this puzzle has {', '.join(names) or 'fewer rules'}"
        )
    size = puzzle.geometry.size
    if size > LARGEST_SIZE:
        raise TooLargeError(
            f"canonical forms are computed up to {LARGEST_SIZE}x{LARGEST_SIZE}, "
            f"not for {size}x{size}"
        )
    # The algorithm assumes that no digit repeats in a row: otherwise twins would get different
    # forms.
    clash = next(find_clashes(puzzle), None)
    if clash is not None:
        raise SatdokuError(
            "a board whose givens clash has no canonical form: "
            f"{clash.describe(puzzle.name_of_digit)}"
        )
    # The largest twin is the smallest one of the reversed digits, 9 to 1 and 1 to 9, if blanks come
    # after all digits.
    blank = size + 1 if is_largest else 0
    budget = budget or Budget()
    found = _find(puzzle.geometry, puzzle.grid.digits, budget, blank)
    moves = None
    if with_moves:
        moves = find_moves(puzzle.geometry, puzzle.grid.digits, found.digits, blank, budget)
    return Canonical(Grid(puzzle.geometry, _turned(found.digits, blank)), found.ways, moves)


def _find(geometry: Geometry, digits: Sequence[int], budget: Budget, blank: int) -> Smallest:
    if geometry == _OF_LANES:
        budget.require()
        [form] = canonical_forms(bytes(digits), bool(blank))
        if form is not None:
            return Smallest(_turned(form.digits, blank), form.ways)
    return find_in_python(geometry, digits, budget, blank)


def find_in_python(
    geometry: Geometry, digits: Sequence[int], budget: Budget, blank: int
) -> Smallest:
    """Return the smallest twin without the compiled library."""
    if EMPTY not in digits and geometry == _OF_LANES:
        return find_smallest_full(digits)
    return find_smallest(geometry, digits, MOST_TWINS, budget, blank)


def _turned(digits: Iterable[int], blank: int) -> tuple[int, ...]:
    """Reverse the order of digits: `blank` minus each digit, or no change if `blank` is 0."""
    return tuple(blank - digit if blank else digit for digit in digits)


class Form(NamedTuple):
    """The form of a 9x9 board, one byte per digit, and the number of moves that lead to it."""

    digits: bytes
    ways: int
    is_compared: bool


def canonical_forms(boards: bytes, is_largest: bool) -> Iterator[Form | None]:
    """Yield the forms of 9x9 boards from the compiled library, which compares some with Python
    code.

    None for each board whose givens clash, and for all boards without the library.
    """
    found = find_forms(boards, is_largest)
    blank = _OF_LANES.size + 1 if is_largest else 0
    for begin in range(0, len(boards), CELLS):
        ways = found.ways[begin // CELLS] if found else 0
        if not found or not ways:
            yield None
            continue
        form, board = found.boards[begin : begin + CELLS], boards[begin : begin + CELLS]
        is_compared = is_sample(board)
        if is_compared:
            expected = find_in_python(_OF_LANES, board, Budget(), blank)
            own = Smallest(_turned(form, blank), ways)
            require_same(board, own, expected)
        yield Form(form, ways, is_compared)


_STACKS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_Rows = Sequence[Sequence[int]]


def find_smallest_full(digits: Sequence[int]) -> Smallest:
    """Return the smallest twin of a full grid, and the number of moves that lead to it."""
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
    # All of these twins have the same first row; the second row leaves few of them.
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
    """Yield column orders whose second row starts with 456, and continues with 789."""
    for a, b, _ in permutations(_STACKS):
        # If A has its digits from B, then B from C and C from A: nine digits allow nothing else.
        if {second[column] for column in a} == {first[column] for column in b}:
            for of_a in permutations(a):
                of_b = [first.index(second[column]) for column in of_a]
                yield [*of_a, *of_b, *(first.index(second[column]) for column in of_b)]


def _orders_from_two_stacks(first: Sequence[int], second: Sequence[int]) -> Iterator[list[int]]:
    """Yield column orders whose second row starts with 457."""
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
    """Return a row in this column order, with digits renamed so that `names_row` becomes 1, 2, 3
    ...
    """
    name_of = {names_row[column]: name for name, column in enumerate(order, 1)}
    return tuple(name_of[row[column]] for column in order)


def _write_all(board: _Rows, first: int, second: int, order: Sequence[int]) -> tuple[int, ...]:
    """Return the whole grid; rows in the two further bands, and these bands, are sorted."""
    written = [_write(board[first], row, order) for row in board]
    top = first // 3 * 3
    third = next(row for row in range(top, top + 3) if row not in (first, second))
    bands = sorted(sorted(written[start : start + 3]) for start in (0, 3, 6) if start != top)
    rows = [written[first], written[second], written[third], *bands[0], *bands[1]]
    return tuple(digit for row in rows for digit in row)


# Random twins of classic puzzles, and the moves that lead to them and back


class Twin(NamedTuple):
    """A twin of a puzzle, which differs by a symmetry only, and the `moves` that made it."""

    puzzle: Puzzle
    moves: Moves

    def apply(self, grid: Grid) -> Grid:
        """Apply the same moves to another grid, such as the solution."""
        return moved(grid, self.moves)

    def undo(self, grid: Grid) -> Grid:
        """Return the grid that the moves turn into this one."""
        return moved(grid, inverse(self.moves))


def random_twin(puzzle: Puzzle, seed: str | int, number: int = 0) -> Twin:
    """Return a random twin, each as likely as any other; `number` tells the twins of a seed apart.

    The twin depends on the cells, the seed and the number alone, and is the same on every machine.
    """
    if not puzzle.is_classic:
        names = ", ".join(dict.fromkeys(rule.name for rule in puzzle.further_rules))
        raise SatdokuError(
            "symmetric twins are known for rows, columns and boxes only, and this puzzle has "
            f"{names or 'fewer rules'}"
        )
    line = f"{puzzle.geometry} {puzzle.grid.line}"
    moves = random_moves(puzzle.geometry, Chance(f"{seed} {line}", number))
    return Twin(puzzle.with_grid(moved(puzzle.grid, moves)), moves)


def is_in_test(key: bytes, seed: str | int, share: float) -> bool:
    """Whether puzzles with this key belong to the test part of a data set, drawn at random by a
    seed.

    This depends on key and seed alone, so that twins stay together, even in files split later.
    """
    if not 0 <= share <= 1:
        raise SatdokuError(f"a share of {share} is not between 0 and 1")
    drawn = blake2b(key, digest_size=8, key=blake2b(str(seed).encode()).digest()).digest()
    return int.from_bytes(drawn, "big") < share * (1 << 64)


def random_moves(geometry: Geometry, chance: Chance) -> Moves:
    """Return random moves of a board: transposing, orders of lines and bands, names of digits."""
    size = geometry.size
    # Transposed boxes that are not square have another shape, which not every format can state.
    is_transposed = geometry.box_rows == geometry.box_columns and bool(chance.below(2))
    rows = tuple(shuffled_lines(size, geometry.box_rows, chance))
    columns = tuple(shuffled_lines(size, geometry.box_columns, chance))
    # 0 is an empty cell, and stays 0.
    names = (0, *chance.shuffled(range(1, size + 1)))
    return Moves(is_transposed, rows, columns, names)


def moved(grid: Grid, moves: Moves) -> Grid:
    """Return a grid after the moves."""
    geometry = grid.geometry
    if moves.is_transposed:
        geometry = Geometry(geometry.box_columns, geometry.box_rows)
    return Grid(geometry, moves.apply(grid.digits))


def inverse(moves: Moves) -> Moves:
    """Return the moves that lead back.

    >>> moves = Moves(True, (1, 0, 2, 3), (3, 2, 0, 1), (0, 2, 3, 4, 1))
    >>> inverse(moves).apply(moves.apply([1, 2, 3, 4] * 4)) == (1, 2, 3, 4) * 4
    True
    """
    rows, columns = _inverted(moves.rows), _inverted(moves.columns)
    if moves.is_transposed:
        rows, columns = columns, rows
    return Moves(moves.is_transposed, rows, columns, _inverted(moves.names))


def _inverted(order: tuple[int, ...]) -> tuple[int, ...]:
    places = {value: place for place, value in enumerate(order)}
    return tuple(places[value] for value in range(len(order)))
