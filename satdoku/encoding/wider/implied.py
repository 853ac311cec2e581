"""Redundant constraints on units with several cages or sums, for searches that take long.

Solvers do not learn these facts, and easy puzzles are solved before they pay off. They do not
change the solutions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from satdoku.encoding.wider.sums import Worths, is_one_amount, write_groups
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Constraints, Sets, Total, digits_of
from satdoku.puzzle.geometry import Unit

# 32 sums have 500 pairs, each of which takes a tenth of a millisecond to bound.
_MOST_SUMS = 32

# Two for each box. The clauses of sums of more groups are too many to help a search.
_MOST_GROUPS = 18


def write_implied(constraints: Constraints, kit: Kit) -> None:
    """Add what wider constraints imply together with the units that have every digit."""
    full = [unit for unit in constraints.units if constraints.has_every_digit(unit)]
    # Lines of consecutive digits, which are sets too, gain nothing.
    cages = [
        frozenset(each.cells)
        for each in constraints.wider
        if isinstance(each, Sets) and len({sum(digits_of(mask)) for mask in each.sets}) == 1
    ]
    if cages:
        for unit in full:
            _write_places(unit, cages, kit)
    by_worths: dict[Worths, list[Total]] = {}
    for total in constraints.wider:
        if isinstance(total, Total) and total.low == total.high and len({*total.worths}) == 1:
            by_worths.setdefault(total.worths[0], []).append(total)
    for worths, totals in by_worths.items():
        if 1 < len(totals) <= _MOST_SUMS and is_one_amount(worths, 1):
            for joint in _joint_sums(totals, worths, list(_layouts(full))):
                groups = [(worths, group) for group in joint.groups]
                write_groups(groups, joint.total, joint.total, kit)


def _write_places(unit: Unit, cages: Iterable[frozenset[int]], kit: Kit) -> None:
    """Add that each digit of a unit is in the part of one of the cages, or in another of its cells.

    If a cage holds a digit, its neighbours in the unit then lose that digit by propagation.
    """
    left = set(unit.cells)
    parts = []
    for cage in cages:
        part = cage & left
        if len(part) > 1:
            left -= part
            parts.append(part)
            _write_split(cage, part, kit)
    if parts:
        for digit in range(1, kit.size + 1):
            places = [kit.present(part, digit) for part in parts]
            places += [kit.literal(cell, digit) for cell in sorted(left)]
            kit.add(*places)
            kit.add_at_most_one(places)


def _write_split(cage: frozenset[int], part: frozenset[int], kit: Kit) -> None:
    """Add that each digit of a cage is in this part of it or in the rest."""
    rest = cage - part
    if not rest:
        return
    for digit in range(1, kit.size + 1):
        whole, here, there = (kit.present(cells, digit) for cells in (cage, part, rest))
        kit.add(-here, whole)
        kit.add(-there, whole)
        kit.add(-whole, here, there)
    kit.add_counted(part)


class _Joint(NamedTuple):
    """Several sums added up, cell by cell, in groups of cells that all differ.

    A cell in several of the sums is in as many groups. `score` tells how tightly the total binds
    the groups: the total range of all of them by themselves, less their range under the total. If
    it is below zero, the total says next to nothing.
    """

    counts: Counter[int]
    total: int
    groups: Sequence[Sequence[int]]
    score: int


def _joint_sums(
    totals: Sequence[Total], worths: Worths, layouts: Sequence[Sequence[Unit]]
) -> Iterator[_Joint]:
    """Yield sums of totals, added in pairs while the result is tighter than its parts.

    For example, some long diagonals together need more nines than their boxes have; this refutes
    them at once, where each diagonal alone says nothing.
    """
    known = [_joint(Counter(each.cells), each.low, worths, layouts) for each in totals]
    left = [each for each in known if each]
    # Keyed by the places of both, so that each pair is added once.
    gains: dict[tuple[int, int], tuple[int, _Joint]] = {}
    gone: set[int] = set()
    fresh = list(combinations(range(len(left)), 2))
    while True:
        for one, other in fresh:
            first, second = left[one], left[other]
            both = _joint(first.counts + second.counts, first.total + second.total, worths, layouts)
            if both and both.score > first.score + second.score:
                gains[one, other] = both.score - first.score - second.score, both
        if not gains:
            return
        best = max(gains, key=lambda pair: (gains[pair][0], pair))
        joint = gains[best][1]
        yield joint
        gone.update(best)
        gains = {pair: gain for pair, gain in gains.items() if gone.isdisjoint(pair)}
        fresh = [(place, len(left)) for place in range(len(left)) if place not in gone]
        left.append(joint)


def _joint(
    counts: Counter[int], total: int, worths: Worths, layouts: Sequence[Sequence[Unit]]
) -> _Joint | None:
    """Return the sum of cells with these multiplicities, grouped by the units that bind it most."""
    ordered, best = sorted(worths[1:]), None
    for layout in layouts:
        groups = [group for unit in layout for group in _layers(unit.cells, counts)]
        sizes = [len(group) for group in groups]
        if len(groups) > _MOST_GROUPS or not all(is_one_amount(worths, n) for n in {*sizes}):
            continue
        least = sum(sum(ordered[:size]) for size in sizes)
        most = sum(sum(ordered[-size:]) for size in sizes)
        open_ones = sum(size < len(ordered) for size in sizes)
        score = most - least - min(total - least, most - total) * open_ones
        if best is None or score > best.score:
            best = _Joint(counts, total, groups, score)
    return best


def _layers(cells: Iterable[int], counts: Counter[int]) -> Iterator[list[int]]:
    """Yield the cells that count at least once, those that count twice or more, and so on."""
    times = 1
    while layer := [cell for cell in cells if counts[cell] >= times]:
        yield layer
        times += 1


def _layouts(full: Iterable[Unit]) -> Iterator[Sequence[Unit]]:
    """Yield the disjoint units of each kind: rows, columns, boxes or regions."""
    by_kind: dict[str, list[Unit]] = {}
    for unit in full:
        by_kind.setdefault(unit.kind, []).append(unit)
    for units in by_kind.values():
        # They then cover the board, so that no cell of a sum is left out.
        if len({cell for unit in units for cell in unit.cells}) == len(units[0].cells) ** 2:
            yield units
