"""The smallest twin of a puzzle, found row by row.

All twins that are equal in the rows so far are kept; each next row is the smallest that any of them
can have there. Twins that have used the same rows, and agree in columns and names, go on as one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.errors import TooLargeError
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.limits import Budget
from satdoku.twins.columns import Stacks, arrange, count_orders, undecided

# A puzzle of 9x9 rarely has more than a few hundred. A nearly full board of 16x16 has billions.
MOST_TWINS = 50_000


class Smallest(NamedTuple):
    """The digits of the smallest twin, and in how many ways the board becomes it."""

    digits: tuple[int, ...]
    ways: int


class _Twin(NamedTuple):
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
) -> Smallest:
    """The smallest twin of a classic board; TooLargeError where too many twins begin alike."""
    size = geometry.size
    budget = budget or Budget()
    rows = [tuple(digits[first : first + size]) for first in range(0, len(digits), size)]
    boards = [rows]
    if geometry.box_rows == geometry.box_columns:
        boards.append(list(zip(*rows, strict=True)))
    stacks = undecided(size, geometry.box_columns)
    twins = Counter(_Twin(bool(number), 0, stacks, ()) for number in range(len(boards)))
    written: list[int] = []
    for row_number in range(size):
        best: tuple[int, ...] | None = None
        found: Counter[_Twin] = Counter()
        for twin, ways in twins.items():
            # To go on with a twin means to look at all its rows.
            budget.work(geometry.cell_count)
            for text, next_twin in _next_rows(
                geometry, boards[twin.is_transposed], twin, row_number
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


def _next_rows(
    geometry: Geometry, rows: Sequence[Sequence[int]], twin: _Twin, row_number: int
) -> Iterator[tuple[tuple[int, ...], _Twin]]:
    """All ways to go on with a row of the band that was begun, or of a new one."""
    height = geometry.box_rows
    names = dict(twin.names)
    for row in range(geometry.size):
        band = ((1 << height) - 1) << (row // height * height)
        is_begun = bool(twin.used & band)
        if twin.used >> row & 1 or is_begun != bool(row_number % height):
            continue
        # A band that is full was passed over above, row by row.
        for text, stacks, new_names in arrange(rows[row], twin.stacks, names):
            used = twin.used | 1 << row
            sorted_names = tuple(sorted(new_names.items()))
            yield text, _Twin(twin.is_transposed, used, stacks, sorted_names)


def _require_few(count: int, most: int) -> None:
    if count > most:
        raise TooLargeError(
            f"more than {most:,} twins of this board begin alike, "
            "so its canonical form is not computed"
        )
