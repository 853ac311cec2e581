"""Digits that lead from state to state, with a variable for each state behind each cell."""

from collections import defaultdict

from satdoku.encoding.wider.kit import TRUE, Kit
from satdoku.puzzle.constraints import Machine, mask_of


def write_machine(machine: Machine, kit: Kit) -> None:
    """The digits of the cells lead from the first state to some state of the last layer."""
    live = _live_states(machine, kit)
    here = {0: TRUE}
    if 0 not in live[0]:
        kit.add()
        return
    for number, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True)):
        states = sorted(live[number + 1])
        # Of a single state there is nothing to tell.
        there = {state: kit.fresh() if len(states) > 1 else TRUE for state in states}
        _write_layer(cell, layer, here, there, kit)
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
    digits = kit.open_digits(cell)
    entered_by: dict[int, set[int]] = {state: set() for state in there}
    entered_from: dict[int, list[int]] = {state: [] for state in there}
    for state, literal in here.items():
        by_target: defaultdict[int, list[int]] = defaultdict(list)
        for digit in digits:
            target = layer[state][digit]
            by_target[target if target in there else -1].append(digit)
        for target, leading in by_target.items():
            # Digits that lead to the same state share a clause, and their literal with others.
            is_led = kit.within(cell, mask_of(leading))
            kit.add(-literal, -is_led, there.get(target, -TRUE))
            if target in there:
                entered_by[target].update(leading)
                entered_from[target].append(literal)
    for target, literal in there.items():
        kit.add(-literal, *entered_from[target])
        kit.add(-literal, kit.within(cell, mask_of(entered_by[target])))


def _live_states(machine: Machine, kit: Kit) -> list[set[int]]:
    """The states before each cell, and behind the last, that open digits lead to and on from."""
    digits = [kit.open_digits(cell) for cell in machine.cells]
    reached: list[set[int]] = [{0}]
    for opened, layer in zip(digits, machine.layers, strict=True):
        reached.append({layer[s][d] for s in reached[-1] for d in opened} - {-1})
    for number in range(len(machine.layers) - 1, -1, -1):
        layer, after = machine.layers[number], reached[number + 1]
        reached[number] = {
            s for s in reached[number] if any(layer[s][d] in after for d in digits[number])
        }
    return reached
