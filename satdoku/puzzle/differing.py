"""Which cells cannot hold the same digit, and cells in groups of which no two can."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from satdoku.puzzle.constraints import Constraints

_LEAST_UNIT = 3
"""Two cells that differ bound a sum hardly better than each by itself."""


def differing(constraints: Constraints) -> tuple[frozenset[int], ...]:
    """For each cell those that cannot hold the same digit, by a unit or a pair."""
    differ: list[set[int]] = [set() for _ in range(constraints.geometry.cell_count)]
    for unit in constraints.units:
        for cell in unit.cells:
            differ[cell].update(unit.cells)
    for pair in constraints.pairs:
        if all(mask >> digit & 1 for digit, mask in enumerate(pair.excludes) if digit):
            differ[pair.first].add(pair.second)
            differ[pair.second].add(pair.first)
    return tuple(frozenset(others - {cell}) for cell, others in enumerate(differ))


def groups_that_differ(
    cells: Iterable[int],
    units: Iterable[frozenset[int]],
    differs: Callable[[int, Sequence[int]], bool],
) -> Iterator[list[int]]:
    """The cells in groups of which no two hold the same digit; the fewer, the closer their sums.

    `differs` says whether a cell differs from all of some others.
    """
    left = list(cells)
    # The largest first. In the order of a line that goes through three rows a row would lose cells
    # to the box before it.
    inside = [unit.intersection(left) for unit in units] if len(left) >= _LEAST_UNIT else []
    while inside:
        largest = max(inside, key=len)
        if len(largest) < _LEAST_UNIT:
            break
        yield sorted(largest)
        for cell in largest:
            left.remove(cell)
        inside = [others - largest for others in inside if len(others) >= _LEAST_UNIT]
    # What differs for other reasons, such as moves.
    groups: list[list[int]] = []
    for cell in left:
        for group in groups:
            if differs(cell, group):
                group.append(cell)
                break
        else:
            groups.append([cell])
    yield from groups
