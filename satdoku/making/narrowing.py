"""How far a puzzle is from one solution: how many solutions each further digit or clue would leave.

All solutions are listed once, up to a limit. Each clue that some solution shows is then counted in
the list: a digit in a cell; the sum, the difference and the ratio of neighbours; and numbers beside
the board. No clue needs a further solver call.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
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
    for grid in found:
        counts.update(_clues_of(grid.geometry, [digit + lowest - 1 for digit in grid.digits]))
    # Given cells, and relations that hold in all solutions, exclude nothing.
    clues = [FurtherClue(text, left) for text, left in counts.items() if left < number]
    # Digits come before rules; the order does not depend on which solution was found first.
    clues.sort(key=lambda clue: (clue.left, ":" in clue.text, clue.text))
    return Narrowing(number, is_complete, clues)


def _clues_of(geometry: Geometry, values: Sequence[int]) -> Iterator[str]:
    """Yield the clues that a solution shows; `values` are its digits as numbers."""
    size = geometry.size
    names = list(map(geometry.name_of, range(geometry.cell_count)))
    yield from (f"{name}={value}" for name, value in zip(names, values, strict=True))
    for cell, other in _neighbours(geometry):
        first, second = sorted((values[cell], values[other]))
        cells = f"{names[cell]},{names[other]}"
        yield f"killer:{first + second}={cells}"
        yield f"difference:{second - first}={cells}"
        if first and not second % first:
            yield f"ratio:{second // first}={cells}"
    for number in range(size):
        row = values[number * size : (number + 1) * size]
        column = values[number::size]
        yield from _beside(f"row{number + 1}", row)
        yield from _beside(f"col{number + 1}", column)


def _neighbours(geometry: Geometry) -> Iterator[tuple[int, int]]:
    size = geometry.size
    for cell in range(geometry.cell_count):
        if (cell + 1) % size:
            yield cell, cell + 1
        if cell + size < geometry.cell_count:
            yield cell, cell + size


def _beside(line: str, values: Sequence[int]) -> Iterator[str]:
    """Yield the numbers beside a row or column: sandwiches, and skyscrapers from both ends."""
    low, high = sorted((values.index(min(values)), values.index(max(values))))
    yield f"sandwich:{line}={sum(values[low + 1 : high])}"
    far = "left" if line.startswith("row") else "up"
    yield f"skyscraper:{line}={_visible(values)}"
    yield f"skyscraper:{line}.{far}={_visible(values[::-1])}"


def _visible(values: Iterable[int]) -> int:
    highest = seen = 0
    for value in values:
        if value > highest or not seen:
            highest, seen = max(highest, value), seen + 1
    return seen
