"""Machines, which read the digits of cells one after the other: a variable for each state."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Enclosed, Machine, Masks, Sets, digits_of, mask_of

# Which sets of digits cells hold together.
#
# What all possible sets of some cells have in common is said by clauses over the presence of
# digits: `8 or 9 is present`, `not both 1 and 2`. Short ones propagate best, so those of up to
# three literals come first, and each set that they let pass is excluded by one more.

# Clauses of four literals take as long to find as all shorter ones, and searches are no shorter.
_LONGEST = 3

Literals = tuple[int, ...]


def write_sets(constraint: Sets, kit: Kit) -> None:
    """The cells hold one of the sets; that their digits differ is said elsewhere."""
    cells = frozenset(constraint.cells)
    for clause in clauses_of_sets(constraint.sets, len(cells), kit.size):
        kit.add(*(kit.present(cells, abs(n)) * (1 if n > 0 else -1) for n in clause))
    # Of few cells or sets the clauses say nearly all that there is.
    if len(cells) > 3 and len(constraint.sets) > 2:
        kit.add_counted(cells)


# Cages of a kind come again in a puzzle and in the next one; on 9x9 there are 120 kinds with a sum.
@lru_cache(maxsize=512)
def clauses_of_sets(sets: Masks, count: int, size: int) -> tuple[Literals, ...]:
    """Clauses over digits, present or (negative) absent, that just these sets of `count` keep.

    >>> clauses_of_sets((0b110, ), 2, 3)
    ((1,), (2,), (-3,))
    """
    # For each literal the sets that break it, as bits.
    breaks: dict[int, int] = {}
    for digit in range(1, size + 1):
        breaks[-digit] = sum(1 << n for n, each in enumerate(sets) if each >> digit & 1)
        breaks[digit] = (1 << len(sets)) - 1 ^ breaks[-digit]
    clauses = list(_shortest_clauses(breaks))
    passing = set(_passing(clauses, count, size)).difference(sets)
    clauses += sorted(tuple(-digit for digit in digits_of(mask)) for mask in passing)[::-1]
    return tuple(clauses)


def _passing(clauses: Iterable[Literals], count: int, size: int) -> Iterable[int]:
    """The sets of `count` digits that keep all clauses."""
    # Sets are built digit by digit, and a clause is tried as soon as its last digit is decided, so
    # that most sets are given up early. A cage of eight cells on 16x16 has 12,870 of them: to try
    # each one as a whole took a second.
    clauses_of: dict[int, list[tuple[int, int]]] = {}
    for clause in clauses:
        absent = mask_of(-literal for literal in clause if literal < 0)
        named = mask_of(map(abs, clause))
        clauses_of.setdefault(max(map(abs, clause)), []).append((named, absent))
    begun = [0]
    for digit in range(1, size + 1):
        # With fewer than `least` digits by now, those still to come would be too few.
        least, ending = count - (size - digit), clauses_of.get(digit, ())
        begun = [
            mask
            for before in begun
            for mask in (before, before | 1 << digit)
            if least <= mask.bit_count() <= count
        ]
        for named, absent in ending:
            begun = [mask for mask in begun if mask & named != absent]
    return begun


def _shortest_clauses(breaks: Mapping[int, int]) -> Iterator[Literals]:
    """The clauses that all sets keep, without those that contain a shorter one."""
    ordered = sorted(breaks, key=lambda literal: (abs(literal), literal < 0))
    yield from ((literal,) for literal in ordered if not breaks[literal])
    # Neither these nor their opposites stand in longer ones.
    literals = [literal for literal in ordered if breaks[literal] and breaks[-literal]]
    found: set[Literals] = set()
    # Clauses that some sets break, with those sets as bits, and the place in `literals` from which
    # on others may be added.
    begun: list[tuple[Literals, int, int]]
    begun = [((literal,), breaks[literal], n) for n, literal in enumerate(literals, 1)]
    for length in range(2, _LONGEST + 1):
        longer = []
        for clause, broken_by, first in begun:
            for place, literal in enumerate(literals[first:], first + 1):
                still = broken_by & breaks[literal]
                if not still:
                    # All sets keep it. It is of no use with a literal and its opposite, or where
                    # it contains a clause that was found.
                    if -literal not in clause and not _ends_one(clause, literal, found):
                        found.add((*clause, literal))
                        yield (*clause, literal)
                elif length < _LONGEST:
                    longer.append(((*clause, literal), still, place))
        begun = longer


def _ends_one(clause: Literals, literal: int, found: set[Literals]) -> bool:
    """Whether some literals of the clause, with this one behind them, are a clause found before."""
    return any(
        (*part, literal) in found for n in range(1, len(clause)) for part in combinations(clause, n)
    )


# Which digits stand between the lowest digit and the highest one of a line.
#
# A machine that adds digits up knows neither that no two are equal nor, before it met both ends,
# how far apart they are. Here a variable for each digit says that it stands between the ends, and
# one for each number of digits that so many do: both know which sets there are, of which a sum has
# few.


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


def write_machine(machine: Machine | Enclosed, kit: Kit) -> None:
    """The digits of the cells lead from the first state to some state of the last layer.

    What is `Enclosed` stands for a machine, and has variables of its own.
    """
    if isinstance(machine, Enclosed):
        write_enclosed(machine, kit)
        return
    live = live_states(machine, list(map(kit.open_digits, machine.cells)))
    here = {0: TRUE}
    if 0 not in live[0]:
        kit.add()
        return
    for number, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True)):
        states = sorted(live[number + 1])
        # Of a single state there is nothing to tell.
        there = {states[0]: TRUE}
        if len(states) > 1:
            there = {state: kit.fresh() for state in states}
            if kit.notes is not None:
                kit.notes.add_states(machine, number + 1, there)
        _write_layer(cell, layer, here, there, kit)
        # That one of them holds follows from the clauses; that no two do, solvers would learn late.
        kit.add_at_most_one(list(there.values()))
        here = there


def _write_layer(
    cell: int,
    layer: tuple[tuple[int, ...], ...],
    here: dict[int, int],
    there: dict[int, int],
    kit: Kit,
) -> None:
    """What follows from a state and the digit of a cell, and what a state follows from."""
    bits = [(digit, 1 << digit) for digit in kit.open_digits(cell)]
    add, within = kit.add, kit.within
    entered_by = dict.fromkeys(there, 0)
    entered_from: dict[int, list[int]] = {state: [] for state in there}
    for state, literal in here.items():
        row = layer[state]
        leading: dict[int, int] = {}
        for digit, bit in bits:
            # All ways that end nowhere share a clause, whatever they lead to.
            target = row[digit]
            if target not in there:
                target = -1
            leading[target] = leading.get(target, 0) | bit
        for target, mask in leading.items():
            # Digits that lead to the same state share a clause, and their literal with others.
            if target < 0:
                add(-literal, -within(cell, mask))
            else:
                add(-literal, -within(cell, mask), there[target])
                entered_by[target] |= mask
                entered_from[target].append(literal)
    for target, literal in there.items():
        add(-literal, *entered_from[target])
        add(-literal, within(cell, entered_by[target]))


def live_states(machine: Machine, digits: Sequence[Sequence[int]]) -> list[set[int]]:
    """The states before each cell, and behind the last one, that a run to the end can be in.

    Each cell has some `digits` open, and no others are read.
    """
    # Forwards, then backwards: givens make most states of a table unreachable.
    reached: list[set[int]] = [{0}]
    for opened, layer in zip(digits, machine.layers, strict=True):
        reached.append({layer[s][d] for s in reached[-1] for d in opened} - {-1})
    for number in range(len(machine.layers) - 1, -1, -1):
        layer, after = machine.layers[number], reached[number + 1]
        reached[number] = {
            s for s in reached[number] if any(layer[s][d] in after for d in digits[number])
        }
    return reached
