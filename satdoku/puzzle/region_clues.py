"""Regions that are to be found, as a constraint: the shape of it, and of the clues about them."""

from typing import Literal, NamedTuple

RegionWord = Literal["same", "apart", "count", "reach", "regions"]
"""What a clue says of hidden regions, in the words of the rule's argument.

`same`: all cells lie in one region. `apart`: no two lie in the same one. `count`: the first cell
says how many of the cells lie in its region. `reach`: the first cell says how many cells its region
has on arms that begin there, without a gap. `regions`: the one cell of the first arm says in how
many regions those of the second one lie.
"""


class RegionClue(NamedTuple):
    """What is said of the hidden regions of some cells.

    A number counts as its digit and `offset`. What reaches has an arm or more, all with the same
    first cell.
    """

    word: RegionWord
    arms: tuple[tuple[int, ...], ...]
    offset: int = 0

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of all arms, each once, with the one that has the clue first."""
        return tuple(dict.fromkeys(cell for arm in self.arms for cell in arm))


class HiddenRegions(NamedTuple):
    """All cells of the board fall into regions that are to be found, and that fit the clues.

    There are as many as digits. In each every digit stands once, and its cells hang together by
    their sides. Whoever reads this may rely on rows and columns, which hold every digit too.
    """

    cells: tuple[int, ...]
    clues: tuple[RegionClue, ...]
    sentence: str
