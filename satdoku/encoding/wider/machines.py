"""Machines, which read the digits of cells one after the other: a variable for each state."""

from collections.abc import Sequence

from satdoku.encoding.variables import TRUE
from satdoku.encoding.wider.enclosed import write_enclosed
from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import Enclosed, Machine


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
