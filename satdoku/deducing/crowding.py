"""Which candidates a unit crowds out: with one of them true, its cells cannot all be filled.

Three cells of a row that have only the digits 1, 2 and 3 take all of them; so no other cell of the
row has one. Whichever sets of cells and digits there are, a matching finds all of them at once.
"""

from satdoku.deducing.all_different import ImpossibleError, Matching, find_components
from satdoku.deducing.groups import CandidateGroups, Position
from satdoku.puzzle.constraints import digits_of


def find_crowded_out(candidates: CandidateGroups, position: Position) -> set[int]:
    """The candidates that some unit crowds out; none where a unit cannot be filled at all.

    What singles and pairs exclude is gone already: nothing was refuted in one step.
    """
    size = candidates.size
    masks = [0] * (candidates.count // size)
    for candidate in position:
        # Digits count from 1, as a matching has them.
        masks[candidate // size] |= 2 << candidate % size
    found: set[int] = set()
    for cells, fewest in candidates.crowding:
        is_open = [cell for cell in cells if masks[cell] & (masks[cell] - 1)]
        if len(is_open) < fewest:
            continue
        matching = Matching(size)
        try:
            used = matching.complete(is_open, masks)
        except ImpossibleError:
            return set()  # the puzzle has no solution; refutations will say so
        every = 0
        for cell in is_open:
            every |= masks[cell]
        for component in find_components(matching, masks, used, every & ~used):
            for digit in digits_of(component.digits & used if component.outside else 0):
                cell = matching.owner_of[digit]
                gone = digits_of(component.outside & masks[cell])
                found.update(cell * size + other - 1 for other in gone)
    return found
