"""Sets of digits, and machines (DFAs), which read the digits of cells in turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.write import Kit
from satdoku.puzzle.constraints import Enclosed, Machine, Masks, Sets, digits_of, mask_of


def write(constraint: Sets | Machine | Enclosed, kit: Kit) -> None:
    """Add a constraint about sets or sequences of digits.

    An `Enclosed` may stand in for a machine; it has its own encoding.
    """
    if isinstance(constraint, Sets):
        _write_sets(constraint, kit)
    elif isinstance(constraint, Enclosed):
        write_enclosed(constraint, kit)
    else:
        _write_machine(constraint, kit)


# Sets of digits
#
# A clause over the presence of digits states what all possible sets of some cells have in common:
# `8 or 9 is present`, `not both 1 and 2`. Short clauses propagate best, so those of up to three
# literals come first, and each set that they do not exclude gets one clause more.

Literals = tuple[int, ...]


def _write_sets(constraint: Sets, kit: Kit) -> None:
    """Add that the cells hold one of the sets; other constraints make their digits differ."""
    cells = frozenset(constraint.cells)
    for clause in clauses_of_sets(constraint.sets, len(cells), kit.size):
        kit.add(*(kit.present(cells, abs(n)) * (1 if n > 0 else -1) for n in clause))
    # For fewer cells or sets, the generic clauses already say nearly everything.
    if len(cells) > 3 and len(constraint.sets) > 2:
        kit.add_counted(cells)


# Cages of a kind recur within and between puzzles; 9x9 has 120 kinds with a sum.
@lru_cache(maxsize=512)
def clauses_of_sets(sets: Masks, count: int, size: int) -> tuple[Literals, ...]:
    """Return clauses over present or (negative) absent digits that exactly these sets satisfy.

    All sets have `count` digits.

    >>> clauses_of_sets((0b110, ), 2, 3)
    ((1,), (2,), (-3,))
    """
    # For each literal the sets that violate it, as bits.
    breaks: dict[int, int] = {}
    for digit in range(1, size + 1):
        breaks[-digit] = sum(1 << n for n, each in enumerate(sets) if each >> digit & 1)
        breaks[digit] = (1 << len(sets)) - 1 ^ breaks[-digit]
    clauses = list(_shortest_clauses(breaks))
    passing = set(_passing(clauses, count, size)).difference(sets)
    clauses += sorted(tuple(-digit for digit in digits_of(mask)) for mask in passing)[::-1]
    return tuple(clauses)


def _passing(clauses: Iterable[Literals], count: int, size: int) -> Iterable[int]:
    """Yield the sets of `count` digits that satisfy all clauses."""
    # Sets are built digit by digit, and a clause is checked once its last digit is decided, so that
    # most sets are pruned early. A cage of eight cells on 16x16 has 12,870 of them: checking each
    # whole set took a second.
    clauses_of: dict[int, list[tuple[int, int]]] = {}
    for clause in clauses:
        absent = mask_of(-literal for literal in clause if literal < 0)
        named = mask_of(map(abs, clause))
        clauses_of.setdefault(max(map(abs, clause)), []).append((named, absent))
    begun = [0]
    for digit in range(1, size + 1):
        # With fewer than `least` digits so far, the remaining ones are too few.
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
    """Yield the clauses of up to three literals that all sets satisfy, each without a shorter one.

    Clauses of four literals take as long to find as all shorter ones, and do not shorten searches.
    """
    ordered = sorted(breaks, key=lambda literal: (abs(literal), literal < 0))
    yield from ((literal,) for literal in ordered if not breaks[literal])
    # A literal that all sets satisfy, or none, is not used in longer clauses.
    literals = [(each, breaks[each]) for each in ordered if breaks[each] and breaks[-each]]
    pairs: set[Literals] = set()
    # Pairs that some sets violate, with those sets as bits, and the index in `literals` of the
    # first literal that may be added.
    begun = []
    for n, (one, broken_by) in enumerate(literals, 1):
        for place, (other, by_other) in enumerate(literals[n:], n + 1):
            still = broken_by & by_other
            if still:
                begun.append((one, other, still, place))
            # A literal and its negation say nothing.
            elif one != -other:
                pairs.add((one, other))
                yield one, other
    for one, other, broken_by, place in begun:
        for last, by_last in literals[place:]:
            says_more = not broken_by & by_last and last != -other
            if says_more and (one, last) not in pairs and (other, last) not in pairs:
                yield one, other, last


# The digits between the lowest and the highest digit of a line
#
# A machine that adds digits up does not know that they differ nor, before it met both ends, how far
# apart the ends are. Here a variable for each digit says that it is between the ends, and a
# variable for each number says that so many digits are: both propagate by the possible sets, which
# are few for a sum.


def write_enclosed(constraint: Enclosed, kit: Kit) -> None:
    """Add that the digits between the ends are one of the sets; they differ by other clauses."""
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
    """Add that the number of cells between the ends is the size of some set.

    `counts` has the literal of each size.
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
    """Return for each digit the literal of "it is between the two ends"."""
    size = kit.size
    inside = {digit: kit.fresh() for digit in range(2, size)}
    # Before each cell, and after the last: whether one end was met, and whether both were.
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


def _write_machine(machine: Machine, kit: Kit) -> None:
    """Add that the digits of the cells lead from the first state to a state of the last layer."""
    live = live_states(machine, list(map(kit.open_digits, machine.cells)))
    here = {0: TRUE}
    if 0 not in live[0]:
        kit.add()
        return
    for number, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True)):
        states = sorted(live[number + 1])
        # A single state needs no variable.
        there = {states[0]: TRUE}
        if len(states) > 1:
            there = {state: kit.fresh() for state in states}
            if kit.notes is not None:
                kit.notes.add_states(machine, number + 1, there)
        _write_layer(cell, layer, here, there, kit)
        # "At least one" follows from the clauses; "at most one" does too, but solvers would learn
        # it late.
        kit.add_at_most_one(list(there.values()))
        here = there


def _write_layer(
    cell: int,
    layer: tuple[tuple[int, ...], ...],
    here: dict[int, int],
    there: dict[int, int],
    kit: Kit,
) -> None:
    """Add that a state and a digit imply the next state, and a state its predecessors."""
    bits = [(digit, 1 << digit) for digit in kit.open_digits(cell)]
    add, within = kit.add, kit.within
    entered_by = dict.fromkeys(there, 0)
    entered_from: dict[int, list[int]] = {state: [] for state in there}
    for state, literal in here.items():
        row = layer[state]
        leading: dict[int, int] = {}
        for digit, bit in bits:
            # All digits without a next state share a clause.
            target = row[digit]
            if target not in there:
                target = -1
            leading[target] = leading.get(target, 0) | bit
        for target, mask in leading.items():
            # Digits that lead to the same state share a clause, and a literal for their set.
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
    """Return the states before each cell, and after the last, that occur in a complete run.

    `digits` has the open digits of each cell; others are not read.
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
