"""What ratings mean.

| rating | what solves the puzzle |
|---|---|
| 0 | hidden singles: a digit with one place left in a row, column or box |
| 1 | these and naked singles: a cell with one digit left |
| 2 | these, and lines and boxes: refutations without a further step |
| 2 + n | refutations of up to n steps, and what units crowd out |
| None | no assumption of a single candidate is enough |

A candidate is refuted by assuming that it is true. What it excludes is removed; then, in turns, the
singles are found (a step), and what they exclude is removed (a step), until two singles exclude
each other or a cell or a digit of a unit has no candidate left. A unit crowds a candidate out when,
with it, its cells cannot all be filled: so do triples, which no refutation of a few steps sees.
"""

from enum import Enum
from typing import NamedTuple

HIDDEN_SINGLES = 0
SINGLES = 1
LINES_AND_BOXES = 2


class RatingLevel(Enum):
    """Ratings in a word."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    FIENDISH = "fiendish"
    EXTREME = "extreme"
    BEYOND = "beyond"


# Each level begins at a rating and ends before the next one. docs/rating.md says what players think
# of each.
LOWEST_RATINGS = {
    RatingLevel.EASY: HIDDEN_SINGLES,
    RatingLevel.MEDIUM: LINES_AND_BOXES,
    RatingLevel.HARD: LINES_AND_BOXES + 2,
    RatingLevel.VERY_HARD: LINES_AND_BOXES + 3,
    RatingLevel.FIENDISH: LINES_AND_BOXES + 4,
    RatingLevel.EXTREME: LINES_AND_BOXES + 8,
}


class Rating(NamedTuple):
    """How hard a puzzle with one solution is; `number` is None where no assumption is enough.

    >>> Rating(5).level.value, Rating(5).steps
    ('very hard', 3)
    """

    number: int | None

    @property
    def level(self) -> RatingLevel:
        if self.number is None:
            return RatingLevel.BEYOND
        return [level for level, lowest in LOWEST_RATINGS.items() if lowest <= self.number][-1]

    @property
    def steps(self) -> int | None:
        """The steps that the longest refutation takes.

        None where singles are enough and where no refutations are; `number` tells the two apart.
        """
        if self.number is None or self.number < LINES_AND_BOXES:
            return None
        return self.number - LINES_AND_BOXES

    @property
    def sentence(self) -> str:
        """What the rating says of the puzzle, without a capital and without a full stop."""
        if self.number is None:
            return "no assumption of a single candidate is enough to solve it"
        if self.number == HIDDEN_SINGLES:
            return "hidden singles solve it"
        if self.number == SINGLES:
            return "hidden and naked singles solve it"
        if self.number == LINES_AND_BOXES:
            return "singles solve it, with lines and boxes"
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"refuting one assumption at a time solves it, in at most {steps} each"
