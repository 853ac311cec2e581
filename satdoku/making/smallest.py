"""The smallest twin of a puzzle, found row by row.

All twins that are equal in the rows so far are kept; each next row is the smallest that any of them
can have there. Twins that have used the same rows, and agree in columns and names, go on as one.

The order of the columns is decided only as far as the rows so far tell them apart. Columns that are
empty in all rows so far may still stand in any order; so may stacks that look the same. Keeping
them together saves trying all 1,296 orders of the columns of 9x9.

    Stacks ((((0, 1), (2,)),), (((3,), (4,), (5,)), ((6,), (7,), (8,))))
           first comes the stack of columns 0 to 2, with 2 behind 0 and 1 in any order;
           then the two other stacks, in any order
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial, prod
from typing import NamedTuple

from satdoku.errors import TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.limits import Budget

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
