"""What players call chains: by their digits, their length, and what their links are."""

from satdoku.explaining.board import AREAS, LINES, Board, candidates_of
from satdoku.explaining.step import Strong, Technique

# Chains through lines and cells by their links, from either end: a letter for a digit of a line,
# two letters for the digits of a cell, in the order in which the chain meets them.
_WINGS = {
    "ab b ba": Technique.W_WING,
    "ab b a": Technique.M_WING,
    "ab b c": Technique.M3_WING,
    "a ab b": Technique.S_WING,
    "a b a": Technique.L_WING,
    "a a b": Technique.L2_WING,
    "a b c": Technique.L3_WING,
    "a a ab": Technique.H1_WING,
    "a ab ba": Technique.H2_WING,
    "a b b a": Technique.IW_WING,
}


def name_chain(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """The name of a chain: by its digits, its length, and what its links are."""
    if any(link.fins(left) for link in chain):
        return Technique.FINNED_CHAIN
    ends = [mask for link in chain for mask in (link.off, link.on)]
    # A link of several truths is a set of cells or lines; others are a cell, or a digit of a unit.
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
        return _name_through_cells(len(chain), len(digits))
    if is_grouped:
        return Technique.GROUPED_CHAIN
    if len(chain) > 3 and is_loop(board, chain):
        return Technique.LOOP
    # The search may run from either end, and forums write chains both ways too.
    back = tuple(Strong(link.on, link.off, link.truths) for link in reversed(chain))
    named = (_WINGS.get(_letters(board, links)) for links in (chain, back))
    other = Technique.H3_WING if len(chain) == 3 else Technique.CHAIN
    return next(filter(None, named), other)


def _letters(board: Board, chain: tuple[Strong, ...]) -> str:
    """The digits of each link, with letters for them in the order in which they are met."""
    letters: dict[int, str] = {}
    words = []
    for link in chain:
        digits = [board.placements[end.bit_length() - 1].digit for end in (link.off, link.on)]
        for digit in digits:
            letters.setdefault(digit, chr(ord("a") + len(letters)))
        words.append("".join(letters[digit] for digit in dict.fromkeys(digits)))
    return " ".join(words)


def _name_through_cells(length: int, digit_count: int) -> Technique:
    if digit_count == 2:
        return Technique.REMOTE_PAIR
    return Technique.XY_WING if length == 3 else Technique.XY_CHAIN


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
    # A box and a line, or two boxes: players have no further name for these.
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
    # Where the ends share a line, all corners of the X-wing are there; else one is missing.
    return Technique.FINNED_X_WING if start & end else Technique.SASHIMI_X_WING


def _name_with_sets(board: Board, left: int, chain: tuple[Strong, ...]) -> Technique:
    """A chain through cells with one digit more than they are, or lines that are nearly a fish."""
    truths = [truth for link in chain for truth in link.truths]
    if any(link.truths[0].unit for link in chain if len(link.truths) > 1):
        return Technique.FISH_CHAIN
    if any(truth.unit is not None for truth in truths) or len(chain) not in (2, 3):
        return Technique.ALS_CHAIN
    if len(chain) == 3:
        return Technique.ALS_XY_WING
    if is_loop(board, chain) and _is_at_crossing(board, chain):
        return Technique.SUE_DE_COQ
    digits = {board.placements[c].digit for t in truths for c in candidates_of(t.members & left)}
    # As many digits as cells: players see a pivot and wings in that, not two sets.
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
