"""Cells that hang together, and counts of different digits.

Of the cells that hang together the first one, in their order, is the root. A cell is reached in a
number of steps if it, or a cell beside it, is reached in one step less. Each shaded cell has to be
reached.
"""

from itertools import combinations

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.hidden_regions import write_hidden_regions
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Connected, Distinct, HiddenRegions


def write(constraint: Connected | Distinct | HiddenRegions, kit: Kit) -> None:
    """Add a constraint about the cells of an area."""
    if isinstance(constraint, Connected):
        write_connected(constraint, kit)
    elif isinstance(constraint, Distinct):
        write_distinct(constraint, kit)
    else:
        write_hidden_regions(constraint, kit)


def write_connected(constraint: Connected, kit: Kit) -> None:
    """Add that the cells that hold a digit of the mask hang together, and that there is one."""
    cells = constraint.cells
    inside = [kit.within(cell, constraint.mask) for cell in cells]
    kit.add(*inside)
    roots = _firsts(inside, kit)
    place_of = {cell: place for place, cell in enumerate(cells)}
    beside = [[place_of[other] for other in others] for others in constraint.beside]
    _write_steps(inside, roots, beside, kit)
    if kit.notes is None:
        for known in kit.areas:
            _write_halves(known, constraint, kit)
        kit.areas.append(constraint)
    # A shaded cell that is not alone has a shaded cell beside it.
    for one, other in combinations(range(len(cells)), 2) if len(cells) <= _FEW else ():
        near = [inside[each] for each in beside[one]]
        kit.add(-inside[one], -inside[other], *near)


# With more cells, clauses about each two of them would number in the thousands.
_FEW = 40


def _firsts(inside: list[int], kit: Kit) -> list[int]:
    """Return for each cell whether it is the first that is inside."""
    roots, none_before = [], TRUE
    for literal in inside:
        first, none = kit.fresh(), kit.fresh()
        kit.add(-first, literal)
        kit.add(-first, none_before)
        kit.add(first, -literal, -none_before)
        kit.add(-none, none_before)
        kit.add(-none, -literal)
        kit.add(none, -none_before, literal)
        roots.append(first)
        none_before = none
    return roots


def _longest_way(beside: list[list[int]]) -> int:
    """Return an upper bound for the number of cells of a shortest way between two cells.

    A shortest way touches itself nowhere. So K cells on it have 2K + 2 sides that do not lead along
    it, and each leads out of the area or to one of the other cells, which have four sides.
    """
    outer = sum(4 - len(others) for others in beside)
    return min(len(beside), (4 * len(beside) + outer - 2) // 6)


def _write_steps(inside: list[int], reached: list[int], beside: list[list[int]], kit: Kit) -> None:
    for _ in range(_longest_way(beside) - 1):
        following = [kit.fresh() for _ in inside]
        for place, number in enumerate(following):
            kit.add(-number, inside[place])
            ways = (reached[place], *(reached[other] for other in beside[place]))
            kit.add(-number, *ways)
            # Who reads the formula gets one model a solution; a search is as fast without.
            for way in ways if kit.notes is not None else ():
                kit.add(number, -inside[place], -way)
        reached = following
    for literal, last in zip(inside, reached, strict=True):
        kit.add(-literal, last)


def _write_halves(one: Connected, other: Connected, kit: Kit) -> None:
    """Add what follows if both of two areas of the same cells hang together.

    If each cell belongs to one of them, as in yin-yang puzzles, no 2x2 cells are chequered. On a
    plane, two ways that join the cells across would cross.
    """
    if one.cells != other.cells or one.mask & other.mask:
        return
    is_all = all(
        (one.mask | other.mask) >> digit & 1
        for cell in one.cells
        for digit in kit.open_digits(cell)
    )
    if not is_all:
        return
    near = dict(zip(one.cells, one.beside, strict=True))
    for cell in one.cells:
        for first, second in combinations(near[cell], 2):
            # The cell across from `cell`, which shares sides with both of its neighbours.
            across = set(near[first]).intersection(near[second]) - {cell}
            for far in across:
                if far > cell:
                    square = [kit.within(c, one.mask) for c in (cell, far, first, second)]
                    a, b, c, d = square
                    kit.add(-a, -b, c, d)
                    kit.add(a, b, -c, -d)


def write_distinct(constraint: Distinct, kit: Kit) -> None:
    """Add that the control's number is how many digits are present among the counted cells."""
    present = (kit.present(frozenset(constraint.counted), n) for n in range(1, kit.size + 1))
    kit.add_count(constraint.control, constraint.offset, (n for n in present if n != -TRUE))
