"""What a caller wishes for, in names and texts, made into a request."""

from secrets import token_hex
from typing import NamedTuple

from satdoku.errors import SatdokuError, member_named
from satdoku.generating.mask import read_mask
from satdoku.generating.request import Minimality, Request, WantedTechnique
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import Symmetry


class Wishes(NamedTuple):
    """Everything that need not be said.

    Names stand for what they name. `givens` is one number or the smallest and the greatest. Without
    `minimality`, givens are deleted as far as possible, unless a number of them is wanted.
    """

    givens: int | tuple[int, int] | None = None
    minimality: Minimality | str | None = None
    symmetry: Symmetry | str | None = Symmetry.NONE
    mask: str | None = None
    technique: WantedTechnique | str | None = None
    has_random_regions: bool = False
    is_fewest: bool = False


def make_request(board: Puzzle, wishes: Wishes, seed: str | int | None = None) -> Request:
    """The request for a board; without a seed there is a new one each time.

    A board that is not empty is the solution of all puzzles.
    """
    minimality = wishes.minimality
    if minimality is None:
        minimality = Minimality.ORBITS if wishes.givens is None else Minimality.NONE
    is_empty = all(digit == EMPTY for digit in board.grid.digits)
    givens = (wishes.givens, wishes.givens) if isinstance(wishes.givens, int) else wishes.givens
    try:
        return Request(
            board.with_grid(Grid.empty(board.geometry)),
            token_hex(8) if seed is None else str(seed),
            givens,
            member_named(Minimality, minimality),
            None if wishes.symmetry is None else member_named(Symmetry, wishes.symmetry),
            None if wishes.mask is None else read_mask(wishes.mask, board.geometry),
            None if is_empty else board.grid,
            None if wishes.technique is None else member_named(WantedTechnique, wishes.technique),
            wishes.has_random_regions,
            is_fewest=wishes.is_fewest,
        )
    except ValueError as error:
        raise SatdokuError(str(error)) from None
