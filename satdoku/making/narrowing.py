"""How far a puzzle is from one solution: how many solutions each further digit or clue would leave.

All solutions are listed once, up to a limit. Each clue that some solution shows is then counted in
the list: a digit in a cell; the sum, the difference and the ratio of neighbours; and numbers beside
the board. No clue needs a further solver call.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.cages import Killer
from satdoku.puzzle.rules.classic import Columns, Rows
from satdoku.puzzle.rules.dots import PairSum
from satdoku.puzzle.rules.rule import lowest_of
from satdoku.solving.limits import Budget
from satdoku.solving.questions import find_solutions
from satdoku.solving.solvers import Settings


class FurtherClue(NamedTuple):
    """A given such as `r1c1=5`, or a rule as text, and the number of solutions that it leaves."""

    text: str
    left: int


class Narrowing(NamedTuple):
    """The number of solutions, and the clues that leave fewer of them, the strongest first.

    If not `is_complete`, only as many solutions as the limit were listed, and a clue may leave more
    than `left` says.
    """

    solutions: int
    is_complete: bool
    clues: list[FurtherClue]


def find_further_clues(puzzle: Puzzle, limit: int, budget: Budget) -> Narrowing:
    """Return how many of the solutions, up to `limit`, each further clue would leave.

    Raise LimitReachedError if the budget ends before the solutions are listed.
    """
    settings = Settings(limits=budget.rest())
    most = min(limit, sys.maxsize - 1)  # the largest argument of `islice` is one more
    found = list(islice(find_solutions(puzzle, settings), most + 1))
    is_complete, found = len(found) <= limit, found[:limit]
    number, lowest = len(found), lowest_of(puzzle.rules)
    counts: Counter[str] = Counter()
    is_square = puzzle.geometry.is_plain and {Rows(), Columns()} <= {*puzzle.rules}
    for grid in found:
        values = [digit + lowest - 1 for digit in grid.digits]
        counts.update(_clues_of(grid.geometry, values, (Killer if is_square else PairSum).name))
        counts.update(_clues_of_lines(grid.geometry, values) if is_square else ())
    # Given cells, and relations that hold in all solutions, exclude nothing.
    clues = [FurtherClue(text, left) for text, left in counts.items() if left < number]
    # Digits come before rules; the order does not depend on which solution was found first.
    clues.sort(key=lambda clue: (clue.left, ":" in clue.text, clue.text))
    return Narrowing(number, is_complete, clues)


def _clues_of(geometry: Geometry, values: Sequence[int], of_sums: str) -> Iterator[str]:
    """Yield the clues that a solution shows; `values` are its digits as numbers.

    `of_sums` names the rule of sums of neighbours: no cage where neighbours may be equal.
    """
    names = list(map(geometry.name_of, range(geometry.cell_count)))
    yield from (f"{name}={value}" for name, value in zip(names, values, strict=True))
    for cell, other in _neighbours(geometry):
        first, second = sorted((values[cell], values[other]))
        cells = f"{names[cell]},{names[other]}"
        yield f"{of_sums}:{first + second}={cells}"
        yield f"difference:{second - first}={cells}"
        if first and not second % first:
            yield f"ratio:{second // first}={cells}"


def _neighbours(geometry: Geometry) -> Iterator[tuple[int, int]]:
    for row in range(geometry.height):
        for column in range(geometry.width):
            cell = geometry.cell_at(row, column)
            for other in (geometry.cell_at(row, column + 1), geometry.cell_at(row + 1, column)):
                if cell is not None and other is not None:
                    yield cell, other


def _clues_of_lines(geometry: Geometry, values: Sequence[int]) -> Iterator[str]:
    """Yield the numbers beside a square board that a solution shows."""
    size = geometry.size
    for number in range(size):
        row = values[number * size : (number + 1) * size]
        yield from _beside(f"row{number + 1}", row)
        yield from _beside(f"col{number + 1}", values[number::size])


def _beside(line: str, values: Sequence[int]) -> Iterator[str]:
    """Yield the numbers beside a row or column: sandwiches, and skyscrapers from both ends."""
    low, high = sorted((values.index(min(values)), values.index(max(values))))
    yield f"sandwich:{line}={sum(values[low + 1 : high])}"
    far = "left" if line.startswith("row") else "up"
    yield f"skyscraper:{line}={_visible(values)}"
    yield f"skyscraper:{line}.{far}={_visible(values[::-1])}"


def _visible(values: Iterable[int]) -> int:
    # The initial height is 0, so that a digit 0 is not seen.
    return len({*accumulate(values, max, initial=0)} - {0})
