"""What follows from units with several cages or sums, for searches that prove long.

Solvers that learn clauses never see these facts, and easy puzzles are done before they pay. None of
them is needed: solutions stay the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from satdoku.encoding.wider.sums import Worths, is_one_amount, write_groups
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Constraints, Sets, Total, digits_of
from satdoku.puzzle.geometry import Unit

# Pairs of 32 sums are 500, each of which is bounded in a tenth of a millisecond.
_MOST_SUMS = 32

# Two for each box. The clauses of sums of more groups are too many to help a search.
_MOST_GROUPS = 18


def write_implied(constraints: Constraints, kit: Kit) -> None:
    """Adds what the wider constraints say together with the units that have every digit."""
    full = [unit for unit in constraints.units if constraints.has_every_digit(unit)]
    # Lines of consecutive digits, which are sets as well, gain nothing by it.
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
    """Each digit stands in one of the cages' parts in a unit, or in one of its other cells.

    That a cage holds a digit then says at once that its neighbours in the unit do not.
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
    """What a cage holds is in a part of it or in the rest."""
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
    """Sums that are added up, cell by cell, in groups of cells of which no two are equal.

    A cell that is in several of the sums is in as many groups. `score` says how closely the total
    binds the groups: how far all of them together can vary by themselves, less how far the total
    lets each open one vary. Where that is below zero, the total says next to nothing of them.
    """

    counts: Counter[int]
    total: int
    groups: Sequence[Sequence[int]]
    score: int


def _joint_sums(
    totals: Sequence[Total], worths: Worths, layouts: Sequence[Sequence[Unit]]
) -> Iterator[_Joint]:
    """Sums of totals, two by two, as long as they are bound closer than what they are made of.

    A few long diagonals that need more nines than their boxes have are refuted in a moment by it,
    where each of them alone says nothing.
    """
    known = [_joint(Counter(each.cells), each.low, worths, layouts) for each in totals]
    left = [each for each in known if each]
    # By their places, so that each pair is added up once.
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
    """The sum of cells that count so often, in groups by the units that bind them closest."""
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
    """The cells that count at all, those that count twice or more, and so on."""
    times = 1
    while layer := [cell for cell in cells if counts[cell] >= times]:
        yield layer
        times += 1


def _layouts(full: Iterable[Unit]) -> Iterator[Sequence[Unit]]:
    """The units of each kind that share no cell: rows, columns, boxes or regions."""
    by_kind: dict[str, list[Unit]] = {}
    for unit in full:
        by_kind.setdefault(unit.kind, []).append(unit)
    for units in by_kind.values():
        # They cover the board then, so that no cell of a sum is left out.
        if len({cell for unit in units for cell in unit.cells}) == len(units[0].cells) ** 2:
            yield units
