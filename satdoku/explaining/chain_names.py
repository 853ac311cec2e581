"""What players call chains, recognised from their shape."""

from satdoku.explaining.board import AREAS, LINES, Board, candidates_of
from satdoku.explaining.step import Strong, Technique

# Chains of three links by their truths: V for the digits of a cell, L for the places of a digit.
_WINGS = {
    "LLV": Technique.M_WING,
    "VLL": Technique.M_WING,
    "LVL": Technique.S_WING,
    "VLV": Technique.W_WING,
    "LLL": Technique.L_WING,
}


def name_chain(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """The name of a chain: by its digits, its length, and what its links are."""
    ends = [mask for link in chain for mask in (link.off, link.on)]
    if any(len(link.truths) > 1 for link in chain):
        return _name_with_sets(board, left, chain)
    is_grouped = any(mask & (mask - 1) for mask in ends)
    digits = {board.placements[c].digit for mask in ends for c in candidates_of(mask)}
    if len(digits) == 1:
        if len(chain) == 2:
            return _name_of_two_links(board, chain, is_grouped)
        return Technique.GROUPED_X_CHAIN if is_grouped else Technique.X_CHAIN
    kinds = "".join("V" if link.truths[0].unit is None else "L" for link in chain)
    if "L" not in kinds:
        if len(digits) == 2:
            return Technique.REMOTE_PAIR
        return Technique.XY_WING if len(chain) == 3 else Technique.XY_CHAIN
    if is_grouped:
        return Technique.GROUPED_CHAIN
    if len(chain) == 3:
        is_of_two = len(digits) == 2 or kinds == "LLL"
        return _WINGS.get(kinds, Technique.H_WING) if is_of_two else Technique.H_WING
    return Technique.LOOP if is_loop(board, chain) else Technique.CHAIN


def is_loop(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether the two ends exclude each other, so that exactly one of them holds."""
    end = chain[-1].on
    return all(not end & ~board.links[start] for start in candidates_of(chain[0].off))


def _name_of_two_links(board: Board, chain: tuple[Strong, ...], is_grouped: bool) -> Technique:
    kinds = [link.truths[0].unit.kind for link in chain if link.truths[0].unit is not None]
    is_of_lines = set(kinds) <= set(LINES)
    if is_grouped and kinds[0] == kinds[1] and is_of_lines:
        return _name_with_fins(board, chain, kinds[0])
    if is_grouped:
        is_empty = any(_is_area(link) and not _is_single(link) for link in chain)
        return Technique.EMPTY_RECTANGLE if is_empty else Technique.GROUPED_X_CHAIN
    if set(kinds) == set(LINES):
        return Technique.TWO_STRING_KITE
    if kinds[0] == kinds[1] and is_of_lines:
        return Technique.SKYSCRAPER
    return Technique.TURBOT_FISH


def _is_area(link: Strong) -> bool:
    """Whether a link is about a box, or a region in its place."""
    unit = link.truths[0].unit
    return unit is not None and unit.kind in AREAS


def _is_single(link: Strong) -> bool:
    """Whether both ends are single candidates."""
    return not link.off & (link.off - 1) and not link.on & (link.on - 1)


def _name_with_fins(board: Board, chain: tuple[Strong, ...], kind: str) -> Technique:
    """Two lines of a digit, one with more places: an X-wing with fins, or a part of one."""
    geometry = board.puzzle.geometry
    crossing = geometry.column_of if kind == "row" else geometry.row_of
    start, end = (
        {crossing(board.placements[c].cell) for c in candidates_of(mask)}
        for mask in (chain[0].off, chain[-1].on)
    )
    return Technique.FINNED_X_WING if start & end else Technique.SASHIMI_X_WING


def _name_with_sets(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """A chain through cells with one digit more than they are."""
    truths = [truth for link in chain for truth in link.truths]
    if any(truth.unit is not None for truth in truths) or len(chain) not in (2, 3):
        return Technique.ALS_CHAIN
    if len(chain) == 3:
        return Technique.ALS_XY_WING
    if is_loop(board, chain) and _is_at_crossing(board, chain):
        return Technique.SUE_DE_COQ
    digits = {board.placements[c].digit for t in truths for c in candidates_of(t.members & left)}
    if len(digits) == len(truths):
        named = {3: Technique.XYZ_WING, 4: Technique.WXYZ_WING}
        return named.get(len(truths), Technique.ALS_XZ)
    return Technique.ALS_XZ


def _is_at_crossing(board: Board, chain: tuple[Strong, ...]) -> bool:
    """Whether a set of one unit has several cells in a unit of the other."""
    constraints = board.puzzle.constraints
    one, other = ([truth.cell for truth in link.truths] for link in chain)
    for cells, others in ((one, other), (other, one)):
        shared = set.intersection(*(set(constraints.units_of[cell]) for cell in others))
        if any(len(set(cells) & set(constraints.units[unit].cells)) > 1 for unit in shared):
            return True
    return False
