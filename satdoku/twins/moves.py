"""How a board becomes one of its twins: what is moved where, and how digits are renamed."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from satdoku.puzzle.geometry import Geometry
from satdoku.solving.limits import Budget
from satdoku.twins.smallest import Twin, boards_of, next_rows, undecided


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
