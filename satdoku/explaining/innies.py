"""The rule of 45: what cages that fill a unit, all but a few cells, leave to these few.

The digits of a row sum to 45 on 9x9. So where cages fill some rows but for a few cells, these, the
innies, have the rest; and where cages cover some rows and a few cells besides, so do these, the
outies. People look for them before anything else that is hard in a killer.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from satdoku.puzzle.constraints import Sets, Total, digits_of
from satdoku.puzzle.geometry import Unit
from satdoku.puzzle.puzzle import Puzzle

# Sums of more cells than this say little, and nobody works them out.
_MOST_CELLS = 4
# So many lines side by side are taken together.
_MOST_LINES = 3


class _Cage(NamedTuple):
    """Cells with different digits and what they sum to."""

    cells: frozenset[int]
    total: int


def implied_totals(puzzle: Puzzle) -> list[Total]:
    """The sums that follow from cages and from units that hold every digit."""
    cages = list(_disjoint_cages(puzzle))
    # Sentences have the sums of digits that count from 1.
    if not cages or any(rule.name == "digits" for rule in puzzle.rules):
        return []
    found: dict[frozenset[int], Total] = {}
    for units in _areas(puzzle):
        area = frozenset(cell for unit in units for cell in unit.cells)
        whole = len(units) * puzzle.geometry.size * (puzzle.geometry.size + 1) // 2
        name = _name_of(units)
        inside = [cage for cage in cages if cage.cells <= area]
        touching = [cage for cage in cages if cage.cells & area]
        rest = area.difference(*(cage.cells for cage in inside))
        if inside and 0 < len(rest) <= _MOST_CELLS:
            left = whole - sum(cage.total for cage in inside)
            what = f"{name} sums to {whole}, all cages within it to {whole - left}"
            found.setdefault(rest, _total(puzzle, rest, left, what))
        covered = frozenset(chain.from_iterable(cage.cells for cage in touching))
        beyond = covered - area
        if area <= covered and 0 < len(beyond) <= _MOST_CELLS:
            cages_sum = sum(cage.total for cage in touching)
            what = f"{name} sums to {whole}, the cages that cover it to {cages_sum}"
            found.setdefault(beyond, _total(puzzle, beyond, cages_sum - whole, what))
    return list(found.values())


def _disjoint_cages(puzzle: Puzzle) -> Iterator[_Cage]:
    """The cages with a sum; of those that share a cell only the first."""
    seen: set[int] = set()
    for constraint in puzzle.constraints.wider:
        if isinstance(constraint, Sets):
            totals = {sum(digits_of(mask)) for mask in constraint.sets}
            if len(totals) == 1 and seen.isdisjoint(constraint.cells):
                seen.update(constraint.cells)
                yield _Cage(frozenset(constraint.cells), totals.pop())


def _areas(puzzle: Puzzle) -> Iterator[Sequence[Unit]]:
    """Units that hold every digit, alone, and lines that lie side by side."""
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


def _total(puzzle: Puzzle, cells: Iterable[int], total: int, what: str) -> Total:
    """The sum of some cells, with the sums that it follows from in its sentence."""
    ordered = tuple(sorted(cells))
    names = ",".join(map(puzzle.geometry.name_of, ordered))
    worths = (tuple(range(puzzle.geometry.size + 1)),) * len(ordered)
    rest = "is" if len(ordered) == 1 else "sum to"
    return Total(ordered, worths, total, total, f"{what}: so {names} {rest} {total}")
