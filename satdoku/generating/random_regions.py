"""Random irregular regions, each in one piece, for jigsaw puzzles.

Beginning with the boxes, two neighbouring regions exchange a cell each, again and again, where both
stay in one piece.
"""

from collections.abc import Iterator, Sequence

from satdoku.puzzle.chance import Chance
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.rules.regions import Regions
from satdoku.solving.limits import Budget

# On 9x9 about one exchange in three is possible; then each cell has moved several times.
ATTEMPTS_A_CELL = 12


def random_regions(geometry: Geometry, chance: Chance, budget: Budget | None = None) -> Regions:
    """Regions of a random shape; whether any grid keeps them is another question.

    LimitReachedError when the budget ends before.
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
    """Moves a cell into a neighbouring region, and one of that region back.

    `cells_of` are the cells of each region, in order.
    """
    cell = chance.below(geometry.cell_count)
    mine = region_of[cell]
    others = [region_of[next_] for next_ in _neighbours(geometry, cell) if region_of[next_] != mine]
    if not others:
        return
    theirs = chance.choose(others)
    back = [
        other
        for other in cells_of[theirs]
        if any(region_of[next_] == mine and next_ != cell for next_ in _neighbours(geometry, other))
    ]
    # Without a cell that touches our region, theirs can give none back, and sizes would change.
    if not back:
        return
    other = chance.choose(back)
    new_mine = sorted({*cells_of[mine], other} - {cell})
    new_theirs = sorted({*cells_of[theirs], cell} - {other})
    # A move that tears a region apart is dropped, so each move can be undone by one like it.
    if _is_whole(geometry, new_mine) and _is_whole(geometry, new_theirs):
        region_of[cell], region_of[other] = theirs, mine
        cells_of[mine], cells_of[theirs] = new_mine, new_theirs


def _is_whole(geometry: Geometry, region: Sequence[int]) -> bool:
    """Whether all cells of a region can be reached from its first one."""
    left = set(region[1:])
    found = [region[0]]
    while found:
        for next_ in _neighbours(geometry, found.pop()):
            if next_ in left:
                left.discard(next_)
                found.append(next_)
    return not left


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
