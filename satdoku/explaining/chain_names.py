"""What players call the chains that have a name of their own."""

from satdoku.explaining.board import LINES, Board, Truth
from satdoku.explaining.step import Placed, Technique


def name_chain(board: Board, start: int, chain: tuple[Placed, ...]) -> Technique:
    """The name of a chain that begins with a candidate that does not hold.

    Chains about one digit are told from chains through cells of two digits and from mixed ones.
    """
    digits = {board.placements[start].digit, *(board.placements[p.candidate].digit for p in chain)}
    truths = [link.truth for link in chain]
    in_cells = [truth.unit is None for truth in truths]
    if len(digits) == 1:
        return _name_of_two_links(truths) if len(chain) == 2 else Technique.X_CHAIN
    if all(in_cells):
        return Technique.XY_WING if len(chain) == 3 else Technique.XY_CHAIN
    # A W-wing is two cells with the same two digits, and a place for one of them between.
    if in_cells == [True, False, True] and len(digits) == 2:
        return Technique.W_WING
    return Technique.CHAIN


def _name_of_two_links(truths: list[Truth]) -> Technique:
    kinds = [truth.unit.kind for truth in truths if truth.unit is not None]
    if set(kinds) == set(LINES):
        return Technique.TWO_STRING_KITE
    if kinds[0] == kinds[1] and kinds[0] in LINES:
        return Technique.SKYSCRAPER
    return Technique.TURBOT_FISH
