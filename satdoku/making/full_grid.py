"""Random full grids: of classic boards without a solver, of others with one; random regions.

On classic boards parts of lines are exchanged. Two rows of a band, compared column by column, form
cycles of digits:

    row 1:  5 3 4 | 6 7 8 | 9 1 2        5 over 6, 6 over 1, 1 over 9, 9 over 3, 3 over 7, 7 over 5
    row 2:  6 7 2 | 1 9 5 | 3 4 8        and 4 over 2, 2 over 8, 8 over 5 ...

If the two rows are exchanged in the columns of one cycle, rows, columns and boxes stay valid. The
same holds for two columns of a stack. A grid is made by many such exchanges, starting with a known
pattern whose digits, rows and columns were shuffled.

Each exchange is as likely as its inverse, so after many of them all reachable grids are equally
likely. (A grid whose pairs of lines are one cycle each cannot be reached from others; one pair in
four is like that, and 9x9 has 18 pairs.) The share of bands whose three boxes consist of the same
three triples is 0.0357 among all grids of 9x9, and 0.036 here; for the first solution of a SAT
solver with random phases it is 0.045 to 0.048.

With further rules a solver is queried cell by cell. The cells come in a random order; each gets the
first digit, in a random order of digits, with which the board can still be filled. Only verdicts
are used, so the grid does not depend on the solver. It is random, but not all grids are equally
likely.

Connected regions for jigsaw puzzles are made in a similar way. Starting with the boxes, two
neighbouring regions repeatedly exchange one cell each, if both stay connected.

Random choices are the same in every version of Python: `Random.random()` is documented to give the
same numbers for the same seed; `shuffle`, `sample` and `randrange` are not. So only `random()` is
used here.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from itertools import combinations
from random import Random
from typing import TypeVar

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import decode, variable
from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry, Grid, Unit
from satdoku.puzzle.rules.regions import Regions
from satdoku.puzzle.symmetry import pattern_digit
from satdoku.solving.assumptions import RuleSolver
from satdoku.solving.limits import Budget

Item = TypeVar("Item")


def seed_words(seed: str, index: int) -> bytes:
    """Return the key that Python derives from the seed of a Chance: 32-bit words, little-endian.

    The key seeds the Mersenne twister, so that other code can draw the same numbers.
    """
    text = f"{seed}:{index}".encode()
    number = int.from_bytes(text + sha512(text).digest(), "big")
    return number.to_bytes((number.bit_length() + 31) // 32 * 4, "little")


class Chance:
    """The random choices for one puzzle: number `index` of the run with this seed."""

    def __init__(self, seed: str, index: int) -> None:
        # Python hashes a seed that is a text by SHA-512, so neighbouring indexes are unrelated.
        self._random = Random(f"{seed}:{index}").random

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1, all equally likely."""
        return int(self._random() * count)

    def choose(self, items: Sequence[Item]) -> Item:
        return items[int(self._random() * len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in a random order, all orders equally likely."""
        result = list(items)
        random = self._random
        for place in range(len(result) - 1, 0, -1):
            other = int(random() * (place + 1))
            result[place], result[other] = result[other], result[place]
        return result


_LinePair = tuple[tuple[int, ...], tuple[int, ...]]

# Exchanges for each pair of lines. After 3 exchanges the share of the bands described above was
# still 0.041 on 9x9; from 6 on it stays at 0.031 to 0.036. An exchange takes four microseconds.
EXCHANGES_A_PAIR = 7


def random_grid(geometry: Geometry, chance: Chance, budget: Budget | None = None) -> Grid:
    """Return a random full grid of a classic board; raise LimitReachedError at a limit."""
    digits = _shuffled_pattern(geometry, chance)
    pairs = _line_pairs(geometry)
    exchanges = range(EXCHANGES_A_PAIR * len(pairs))
    for _ in exchanges if budget is None else budget.watch(exchanges):
        first, second = chance.choose(pairs)
        _exchange(digits, first, second, chance.below(geometry.size))
    return Grid(geometry, tuple(digits))


def _exchange(
    digits: list[int], first: tuple[int, ...], second: tuple[int, ...], place: int
) -> None:
    """Exchange two lines in the columns of the cycle that contains this place."""
    old = [digits[cell] for cell in first]
    begin = old[place]
    while True:
        one, other = first[place], second[place]
        below = digits[other]
        digits[one], digits[other] = below, digits[one]
        if below == begin:
            return
        # The first line now has this digit twice, so its other place is exchanged next.
        place = old.index(below)


@lru_cache(maxsize=16)
def _line_pairs(geometry: Geometry) -> tuple[_LinePair, ...]:
    """Return all pairs of rows in a band, and of columns in a stack."""
    return (
        *_pairs_among(geometry.rows, geometry.box_rows),
        *_pairs_among(geometry.columns, geometry.box_columns),
    )


def _pairs_among(lines: tuple[Unit, ...], height: int) -> list[_LinePair]:
    return [
        (one.cells, other.cells)
        for start in range(0, len(lines), height)
        for one, other in combinations(lines[start : start + height], 2)
    ]


def _shuffled_pattern(geometry: Geometry, chance: Chance) -> list[int]:
    """Return a known grid with shuffled digits and lines, so that all positions are alike."""
    rows = shuffled_lines(geometry.size, geometry.box_rows, chance)
    columns = shuffled_lines(geometry.size, geometry.box_columns, chance)
    names = chance.shuffled(range(1, geometry.size + 1))
    return [
        names[pattern_digit(geometry, row * geometry.size + column) - 1]
        for row in rows
        for column in columns
    ]


def shuffled_lines(size: int, height: int, chance: Chance) -> list[int]:
    """Return rows or columns in a random order that keeps the lines of a box together."""
    starts = chance.shuffled(range(0, size, height))
    return [line for start in starts for line in chance.shuffled(range(start, start + height))]


def asked_grid(rules: RuleSolver, chance: Chance) -> Grid:
    """Return a random full grid that satisfies the rules, by solver queries."""
    geometry = rules.geometry
    if rules.decide([], is_patient=True) is Status.UNSATISFIABLE:
        raise SatdokuError("no grid keeps these rules")
    digits = range(1, geometry.size + 1)
    chosen: list[int] = []
    for cell in chance.shuffled(range(geometry.cell_count)):
        *others, last = chance.shuffled(digits)
        for digit in others:
            literal = variable(geometry, cell, digit)
            if rules.decide([*chosen, literal], is_patient=True) is Status.SATISFIABLE:
                break
        else:
            # All other digits were refuted, so the last one needs no query.
            literal = variable(geometry, cell, last)
        chosen.append(literal)
    return decode(geometry, chosen)


# Attempts per cell. On 9x9 one exchange in three is possible, so each cell moves several times.
ATTEMPTS_A_CELL = 12


def random_regions(geometry: Geometry, chance: Chance, budget: Budget | None = None) -> Regions:
    """Return connected regions of random shapes; a grid for them need not exist.

    Raise LimitReachedError if the budget ends first.
    """
    region_of = [geometry.box_of(cell) for cell in range(geometry.cell_count)]
    cells_of = [sorted(box.cells) for box in geometry.boxes]
    budget = budget or Budget()
    for _ in range(ATTEMPTS_A_CELL * geometry.cell_count):
        _try_exchange(geometry, region_of, cells_of, chance)
        budget.work(geometry.size)
    # Regions are numbered in reading order.
    numbers: dict[int, int] = {}
    return Regions(tuple(numbers.setdefault(region, len(numbers)) for region in region_of))


def _try_exchange(
    geometry: Geometry, region_of: list[int], cells_of: list[list[int]], chance: Chance
) -> None:
    """Move a cell into a neighbouring region, and a cell of that region back.

    `cells_of` are the cells of each region, in order.
    """
    cell = chance.below(geometry.cell_count)
    mine = region_of[cell]
    others = [region_of[next_] for next_ in geometry.beside(cell) if region_of[next_] != mine]
    if not others:
        return
    theirs = chance.choose(others)
    back = [
        other
        for other in cells_of[theirs]
        if any(region_of[next_] == mine and next_ != cell for next_ in geometry.beside(other))
    ]
    # If no cell of the other region touches ours, it cannot return a cell, and sizes would change.
    if not back:
        return
    other = chance.choose(back)
    new_mine = sorted({*cells_of[mine], other} - {cell})
    new_theirs = sorted({*cells_of[theirs], cell} - {other})
    # A move that disconnects a region is undone, so each move has an inverse.
    if is_whole(geometry, new_mine) and is_whole(geometry, new_theirs):
        region_of[cell], region_of[other] = theirs, mine
        cells_of[mine], cells_of[theirs] = new_mine, new_theirs


def is_whole(geometry: Geometry, region: Sequence[int]) -> bool:
    """Whether a region is connected."""
    left = set(region[1:])
    found = [region[0]]
    while found:
        for next_ in geometry.beside(found.pop()):
            if next_ in left:
                left.discard(next_)
                found.append(next_)
    return not left
