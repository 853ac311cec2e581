"""What is excluded beside refutations: by units without room, and by rules about several cells.

Refutations follow singles, so they do not see that three cells of a row take three digits; and they
read each cage or arrow for itself, so they do not see what its cells see of each other, nor what
two cages leave. All of this is found exactly, and with fewer candidates no less is: so what is left
in the end depends on no order.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satdoku.deducing.all_different import ImpossibleError, Matching, find_components
from satdoku.puzzle.constraints import digits_of
from satdoku.puzzle.puzzle import Puzzle
from satdoku.rating.rounds import CandidateGroups, Position
from satdoku.solving.limits import Budget

if TYPE_CHECKING:
    from satdoku.rating.wider_rules import WiderRules

# How many steps a refutation has to be allowed before these count as well. ALONE: what a unit
# crowds out, what one rule excludes, and a sum by the rule of 45, all about as hard to see.
# TOGETHER: what two rules exclude, or a unit with all the rules that meet it.
ALONE = 1
TOGETHER = 2


class Further:
    """The search for what is excluded beside refutations of so many steps.

    `last` is the number of steps above which nothing else is looked for.
    """

    def __init__(
        self, candidates: CandidateGroups, puzzles: Sequence[Puzzle], budget: Budget
    ) -> None:
        self.last = TOGETHER if candidates.readings else ALONE
        self._candidates = candidates
        self._puzzles = puzzles
        self._budget = budget
        self._rules: dict[int, WiderRules] = {}

    def find(self, puzzle: int, position: Position, steps: int) -> set[int]:
        """Candidates of a position that are excluded; the puzzle is named by its place."""
        gone = find_crowded_out(self._candidates, position)
        if gone or not self._candidates.readings:
            return gone
        if puzzle not in self._rules:
            # What explains steps takes as long to import as all that rates classic puzzles.
            from satdoku.rating.wider_rules import WiderRules

            self._rules[puzzle] = WiderRules(self._puzzles[puzzle], self._budget)
        return self._rules[puzzle].find(position, steps)

    def close(self) -> None:
        """Gives back the solvers of all puzzles."""
        while self._rules:
            self._rules.popitem()[1].close()


def find_crowded_out(candidates: CandidateGroups, position: Position) -> set[int]:
    """The candidates that some unit crowds out; none where a unit cannot be filled at all.

    A unit crowds a candidate out if its cells cannot all be filled beside that candidate. Three
    cells of a row that have only the digits 1, 2 and 3 take all of them, so no other cell of the
    row has one. A matching finds all such sets at once.

    What singles and pairs exclude is gone already: nothing was refuted in one step.
    """
    size = candidates.size
    masks = [0] * (candidates.count // size)
    for candidate in position:
        # Digits count from 1, as a matching has them.
        masks[candidate // size] |= 2 << candidate % size
    found: set[int] = set()
    for cells, fewest in candidates.crowding:
        # A cell with one digit left has excluded it from the others already.
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
