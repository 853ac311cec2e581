"""Which digits stand between the lowest digit and the highest one of a line.

A machine that adds digits up knows neither that no two are equal nor, before it met both ends, how
far apart they are. Here a variable for each digit says that it stands between the ends, and one for
each number of digits that so many do: both know which sets there are, of which a sum has few.
"""

from collections.abc import Mapping, Sequence

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.kit import Kit
from satdoku.encoding.wider.sets import clauses_of_sets
from satdoku.puzzle.constraints import Enclosed


def write_enclosed(constraint: Enclosed, kit: Kit) -> None:
    """The digits between the ends are one of the sets; that all stand once is said elsewhere."""
    sets_of: dict[int, list[int]] = {}
    for each in constraint.sets:
        sets_of.setdefault(each.bit_count(), []).append(each)
    counts = {count: kit.fresh() for count in sets_of}
    kit.add(*counts.values())
    kit.add_at_most_one(list(counts.values()))
    _add_distances(constraint.cells, counts, kit)
    inside = _inside(constraint.cells, kit)
    for count, number in counts.items():
        for clause in clauses_of_sets(tuple(sets_of[count]), count, kit.size):
            kit.add(-number, *(inside[n] if n > 0 else -inside[-n] for n in clause))


def _add_distances(cells: Sequence[int], counts: Mapping[int, int], kit: Kit) -> None:
    """As many cells are between the ends as some set has digits; `counts` has a literal for each.

    Its keys are those numbers of digits.
    """
    lowest = [kit.literal(cell, 1) for cell in cells]
    highest = [kit.literal(cell, kit.size) for cell in cells]
    for here, there in ((lowest, highest), (highest, lowest)):
        for place, end in enumerate(here):
            kit.add(-end, *(o for n, o in enumerate(there) if abs(n - place) - 1 in counts))
    for place, one in enumerate(lowest):
        for other_place, other in enumerate(highest):
            between = abs(other_place - place) - 1
            if between in counts:
                kit.add(-one, -other, counts[between])


def _inside(cells: Sequence[int], kit: Kit) -> dict[int, int]:
    """For each digit the literal that says: it stands between the two ends."""
    size = kit.size
    inside = {digit: kit.fresh() for digit in range(2, size)}
    # Before each cell, and behind the last: whether one end was met, and whether both were.
    met_one = [-TRUE, *(kit.fresh() for _ in cells[2:]), TRUE, TRUE]
    met_both = [-TRUE, -TRUE, *(kit.fresh() for _ in cells[2:]), TRUE]
    for place, cell in enumerate(cells):
        end = kit.within(cell, 1 << 1 | 1 << size)
        one, one_next = met_one[place], met_one[place + 1]
        both, both_next = met_both[place], met_both[place + 1]
        kit.add(-one, one_next)
        kit.add(-end, one_next)
        kit.add(end, one, -one_next)
        kit.add(-both, -end)
        kit.add(-both, both_next)
        kit.add(-both_next, one)
        kit.add(-end, -one, both_next)
        kit.add(end, both, -both_next)
        for digit, said in inside.items():
            here = kit.literal(cell, digit)
            kit.add(-here, -one, both_next, said)
            kit.add(-here, one_next, -said)
            kit.add(-here, -both, -said)
    return {1: -TRUE, **inside, size: -TRUE}
