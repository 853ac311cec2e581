"""The rule of 45: derive the sum of a few cells from cages and whole units.

The digits of a row sum to 45 on 9x9. If cages within some rows cover all but a few of their cells
(the innies), the sum of these is known; so it is if cages cover the rows and a few cells outside
(the outies). If there are both, the difference of their sums is known. People look for these sums
before any other hard step in a killer.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from satdoku.puzzle.constraints import Sets, Total, Wider, digits_of
from satdoku.puzzle.grid import Geometry, Unit
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.arguments import write_cells
from satdoku.puzzle.rules.rule import lowest_of

# The most cells of a derived sum: longer ones say little, and people do not compute them.
_MOST_CELLS = 4
# How many adjacent lines are taken together at most.
_MOST_LINES = 3


class _Cage(NamedTuple):
    """Cells with different digits and their sum, as a constraint states it."""

    cells: frozenset[int]
    total: int
    stated: Wider


class Implied(NamedTuple):
    """A sum by the rule of 45: what these units add up to minus what these cages add up to."""

    total: Total
    units: tuple[Unit, ...]
    cages: tuple[Wider, ...]


def implied_totals(puzzle: Puzzle) -> list[Implied]:
    """Return the sums that follow from cages and from units that hold every digit."""
    lowest = lowest_of(puzzle.rules)
    cages = list(_disjoint_cages(puzzle, lowest))
    found: dict[tuple[frozenset[int], frozenset[int]], Implied] = {}
    for units in _areas(puzzle) if cages else ():
        area = frozenset(cell for unit in units for cell in unit.cells)
        size = puzzle.geometry.size
        whole = len(units) * sum(range(lowest, lowest + size))
        for chosen in _choices(cages, area):
            covered = frozenset(chain.from_iterable(cage.cells for cage in chosen))
            innies, outies = area - covered, covered - area
            if 0 < len(innies) + len(outies) <= _MOST_CELLS:
                left = whole - sum(cage.total for cage in chosen)
                is_one = len(units) == 1
                add = "adds" if len(chosen) == 1 else "add"
                what = f"{_name_of(units)} {'adds' if is_one else 'add'} up to {whole}, and "
                what += (
                    f"{_name_of_cages(len(chosen), innies, outies, is_one, puzzle.geometry)} "
                    f"{add} up to {whole - left}"
                )
                total = _total(puzzle, (innies, outies), left, lowest, what)
                stated = tuple(cage.stated for cage in chosen)
                found.setdefault((innies, outies), Implied(total, tuple(units), stated))
    return list(found.values())


def _choices(cages: Sequence[_Cage], area: frozenset[int]) -> Iterator[list[_Cage]]:
    """Yield three sets of cages to subtract from an area.

    First the cages within the area, then all that meet it, then those mostly within it.
    """
    meeting = [cage for cage in cages if cage.cells & area]
    within = [cage for cage in meeting if cage.cells <= area]
    yield from filter(None, (within, meeting))
    mostly = [cage for cage in meeting if len(cage.cells & area) > len(cage.cells - area)]
    if mostly not in ([], within, meeting):
        yield mostly


def _name_of_cages(
    count: int, innies: frozenset[int], outies: frozenset[int], is_one: bool, geometry: Geometry
) -> str:
    """Return some cages by where they lie: within the units, or cells that they cover or not."""
    it = "it" if is_one else "them"
    if not outies:
        return f"the {'cage' if count == 1 else 'cages'} within {it}"
    cover = "the cage that covers" if count == 1 else "the cages that cover"
    inside, outside = (write_cells(tuple(sorted(cells)), geometry) for cells in (innies, outies))
    if not innies:
        return f"{cover} {it}, and also {outside} outside,"
    return f"{cover} all of {it} but {inside}, and also {outside} outside,"


def _disjoint_cages(puzzle: Puzzle, lowest: int) -> Iterator[_Cage]:
    """Yield cages and other cells with a known sum, no two of which share a cell.

    Where a cage shares a cell with another sum, the cage is kept.
    """
    seen: set[int] = set()
    # Cages come before other sums, as people look at them first.
    for kind in (Sets, Total):
        stated = [each for each in puzzle.constraints.wider if isinstance(each, kind)]
        sums = [(each, _sum_of(each, lowest)) for each in stated]
        cages = [_Cage(frozenset(c.cells), total, c) for c, total in sums if total is not None]
        named = Counter(cell for cage in cages for cell in cage.cells)
        alone = {cell for cell, count in named.items() if count == 1} - seen
        yield from (cage for cage in cages if cage.cells <= alone)
        seen.update(named)


def _sum_of(constraint: Wider, lowest: int) -> int | None:
    """Return the sum of the digits of a constraint's cells; None if it is not fixed."""
    if isinstance(constraint, Sets):
        totals = {sum(digits_of(mask)) for mask in constraint.sets}
        # Constraints count digits from 1.
        return totals.pop() + (lowest - 1) * len(constraint.cells) if len(totals) == 1 else None
    if not isinstance(constraint, Total) or constraint.low != constraint.high:
        return None
    values = tuple(range(lowest - 1, lowest - 1 + len(constraint.worths[0])))
    is_plain = len(set(constraint.cells)) == len(constraint.cells) and all(
        worths[1:] == values[1:] for worths in constraint.worths
    )
    return constraint.low if is_plain else None


def _areas(puzzle: Puzzle) -> Iterator[Sequence[Unit]]:
    """Yield areas with a known sum: units that hold every digit, then adjacent rows or columns."""
    constraints = puzzle.constraints
    units = [unit for unit in constraints.units if constraints.has_every_digit(unit)]
    for unit in units:
        yield (unit,)
    for kind in ("row", "column"):
        lines = [unit for unit in units if unit.kind == kind]
        for count in range(2, _MOST_LINES + 1):
            for first in range(len(lines) - count + 1):
                yield lines[first : first + count]


def _name_of(units: Sequence[Unit]) -> str:
    if len(units) == 1:
        return str(units[0])
    first, last = ((unit.number or 0) + 1 for unit in (units[0], units[-1]))
    return f"{units[0].kind}s {first} to {last}"


def _total(
    puzzle: Puzzle,
    sides: tuple[frozenset[int], frozenset[int]],
    total: int,
    lowest: int,
    what: str,
) -> Total:
    """Return the constraint on one side's sum less the other's; `what` says how it was derived."""
    if not sides[0] or (sides[1] and total < 0):
        sides, total = (sides[1], sides[0]), -total
    more, less = (tuple(sorted(cells)) for cells in sides)
    values = tuple(range(lowest - 1, lowest + puzzle.geometry.size))
    negative = tuple(-value for value in values)
    worths = (values,) * len(more) + (negative,) * len(less)
    named, others = (write_cells(cells, puzzle.geometry) for cells in (more, less))
    so = f"{named} {'is' if len(more) == 1 else 'sum to'} {total}"
    if less:
        by = f"{total} more than" if total else "as much as"
        so = f"{named} {'is' if len(more) == 1 else 'sum to'} {by} {others}"
    return Total((*more, *less), worths, total, total, f"{what}, so {so}")
