"""Random irregular regions, each in one piece, for jigsaw puzzles.

Beginning with the boxes, two neighbouring regions exchange a cell each, again and again, where both
stay in one piece.
"""

from collections.abc import Iterator, Sequence

from satdoku.puzzle.chance import Chance
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.regions import Regions

# On 9x9 about one exchange in three is possible; then each cell has moved several times.
ATTEMPTS_A_CELL = 12


def random_regions(geometry: Geometry, chance: Chance) -> Regions:
    """Regions of a random shape; whether any grid keeps them is another question."""
    region_of = [geometry.box_of(cell) for cell in range(geometry.cell_count)]
    for _ in range(ATTEMPTS_A_CELL * geometry.cell_count):
        _try_exchange(geometry, region_of, chance)
    # Regions are numbered in reading order.
    numbers: dict[int, int] = {}
    return Regions(tuple(numbers.setdefault(region, len(numbers)) for region in region_of))


def _try_exchange(geometry: Geometry, region_of: list[int], chance: Chance) -> None:
    """Moves a cell into a neighbouring region, and one of that region back."""
    cell = chance.below(geometry.cell_count)
    mine = region_of[cell]
    others = [region_of[next_] for next_ in _neighbours(geometry, cell) if region_of[next_] != mine]
    if not others:
        return
    theirs = chance.choose(others)
    back = [
        other
        for other in range(geometry.cell_count)
        if region_of[other] == theirs
        and any(
            region_of[next_] == mine and next_ != cell for next_ in _neighbours(geometry, other)
        )
    ]
    if not back:
        return
    other = chance.choose(back)
    region_of[cell], region_of[other] = theirs, mine
    if not (_is_whole(geometry, region_of, mine) and _is_whole(geometry, region_of, theirs)):
        region_of[cell], region_of[other] = mine, theirs


def _is_whole(geometry: Geometry, region_of: Sequence[int], region: int) -> bool:
    """Whether all cells of a region can be reached from its first one."""
    cells = {cell for cell, number in enumerate(region_of) if number == region}
    found = [min(cells)]
    cells.discard(found[0])
    while found:
        for next_ in _neighbours(geometry, found.pop()):
            if next_ in cells:
                cells.discard(next_)
                found.append(next_)
    return not cells


def _neighbours(geometry: Geometry, cell: int) -> Iterator[int]:
    """The cells above, below, left and right."""
    size = geometry.size
    row, column = divmod(cell, size)
    if row > 0:
        yield cell - size
    if row < size - 1:
        yield cell + size
    if column > 0:
        yield cell - 1
    if column < size - 1:
        yield cell + 1
