"""A plain backtracking solver that the tests believe instead of satdoku.

It knows nothing of SAT and imports nothing from the package, so it shares no mistake with it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice


def count_solutions(
    box_rows: int, box_columns: int, digits: Sequence[int], limit: int | None = None
) -> int:
    """How many solutions a board has; counting stops at `limit`."""
    return sum(1 for _ in islice(solutions_of(box_rows, box_columns, digits), limit))


def solutions_of(
    box_rows: int, box_columns: int, digits: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Every full board that keeps the given digits, by trying the tightest cell first."""
    size = box_rows * box_columns
    places = [
        (row, size + column, 2 * size + row // box_rows * box_rows + column // box_columns)
        for row in range(size)
        for column in range(size)
    ]
    used = [0] * (3 * size)
    board = list(digits)
    for place, digit in zip(places, board, strict=True):
        for unit in place if digit else ():
            if used[unit] >> digit & 1:
                return
            used[unit] |= 1 << digit
    empty = [cell for cell, digit in enumerate(board) if not digit]
    yield from _fill(board, empty, places, used, (2 << size) - 2)


def _fill(
    board: list[int],
    empty: list[int],
    places: list[tuple[int, int, int]],
    used: list[int],
    every: int,
) -> Iterator[tuple[int, ...]]:
    if not empty:
        yield tuple(board)
        return
    cell, open_digits = _tightest(empty, places, used, every)
    rest = [other for other in empty if other != cell]
    for digit in range(1, every.bit_length()):
        if not open_digits >> digit & 1:
            continue
        for unit in places[cell]:
            used[unit] ^= 1 << digit
        board[cell] = digit
        yield from _fill(board, rest, places, used, every)
        board[cell] = 0
        for unit in places[cell]:
            used[unit] ^= 1 << digit


def _tightest(
    empty: list[int], places: list[tuple[int, int, int]], used: list[int], every: int
) -> tuple[int, int]:
    """The empty cell with the fewest open digits, and these as bits."""
    best, best_open, best_count = -1, 0, every.bit_length() + 1
    for cell in empty:
        row, column, box = places[cell]
        open_digits = every & ~(used[row] | used[column] | used[box])
        count = bin(open_digits).count("1")
        if count < best_count:
            best, best_open, best_count = cell, open_digits, count
            if count < 2:
                break
    return best, best_open
