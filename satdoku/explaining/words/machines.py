"""Which cells of a line that is read in order have lost what matters to a step, in words."""

from collections.abc import Mapping

from satdoku.encoding.wider.machines import live_states
from satdoku.errors import join
from satdoku.explaining.step import Step
from satdoku.explaining.words.names import Names
from satdoku.puzzle.constraints import Machine, digits_of, every_digit, mask_of

# What more cells than this have left nobody keeps in mind beside a line.
_MOST_CELLS_OF_MACHINES = 4


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
    if len(needed) > _MOST_CELLS_OF_MACHINES:
        return ""
    return join([f"{names.cell(c)} {names.may_be(masks[c])}" for c in needed]) if needed else ""


def _possible(machine: Machine, masks: Mapping[int, int]) -> dict[int, int]:
    """The digits of each cell with which a machine reads its line to the end."""
    digits = [digits_of(masks[cell]) for cell in machine.cells]
    live = live_states(machine, digits)
    return {
        cell: mask_of(d for d in digits[n] if any(layer[s][d] in live[n + 1] for s in live[n]))
        for n, (cell, layer) in enumerate(zip(machine.cells, machine.layers, strict=True))
    }
