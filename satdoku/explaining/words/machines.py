"""Which cells of a line that is read in order have lost what matters to a step, in words."""

from collections.abc import Mapping

from satdoku.errors import join
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import Machine, digits_of, every_digit, mask_of

# What more cells than this have left nobody keeps in mind beside a line.
_MOST_CELLS = 4


def tell_needed(names: Names, machine: Machine, masks: Mapping[int, int], step: Step) -> str:
    """What is left of the cells that take part in excluding something; empty for too many.

    A cell takes part where more would be possible if it had all digits. Whether digits may repeat
    is left out here, so what rests on that is not told.
    """
    gone = [names.board.placements[candidate] for candidate in step.excludes]
    is_within = {cell for cell, _ in gone} <= set(machine.cells)
    if not is_within or len(set(machine.cells)) < len(machine.cells):
        return ""

    def excludes_all(assumed: Mapping[int, int]) -> bool:
        possible = _possible(machine, assumed)
        return not any(possible.get(cell, 0) >> digit & 1 for cell, digit in gone)

    assumed = dict(masks)
    if not excludes_all(assumed):
        return ""
    every = every_digit(names.board.puzzle.geometry.size)
    needed = []
    for cell in machine.cells:
        wider = {**assumed, cell: every}
        if excludes_all(wider):
            assumed = wider
        else:
            needed.append(cell)
    # What a cell loses it has left before.
    needed = [cell for cell in needed if masks[cell] != every]
    if len(needed) > _MOST_CELLS:
        return ""
    return join([f"{names.cell(c)} {names.may_be(masks[c])}" for c in needed]) if needed else ""


def _possible(machine: Machine, masks: Mapping[int, int]) -> dict[int, int]:
    """The digits of each cell with which a machine reads its line to the end."""
    # The states behind each cell that lead to the end, from the last cell on; its ends are no -1.
    reached: list[set[int]] = [{0}]
    for cell, layer in zip(machine.cells, machine.layers, strict=True):
        digits = digits_of(masks[cell])
        reached.append({layer[state][d] for state in reached[-1] for d in digits} - {-1})
    good, possible = reached[-1], {}
    for place in range(len(machine.cells) - 1, -1, -1):
        cell, layer = machine.cells[place], machine.layers[place]
        ways = [
            (state, digit)
            for state in reached[place]
            for digit in digits_of(masks[cell])
            if layer[state][digit] in good
        ]
        good = {state for state, _ in ways}
        possible[cell] = mask_of({digit for _, digit in ways})
    return possible
