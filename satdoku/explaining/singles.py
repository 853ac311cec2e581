"""Singles: truths of which a single candidate is left."""

from satdoku.explaining.board import Truth
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique

# Rows and columns are harder to look over than boxes and other areas.
LINES = ("row", "column")


def find_singles(position: Position, single: list[Truth]) -> list[Finding]:
    """All singles of a position, the easiest to see first, each candidate once.

    `single` are the truths of which one candidate is left.
    """
    left, tables = position.left, position.board.tables
    open_digits, unit_of, units_of = position.open_in.copy(), tables.unit_of, tables.units_of
    ranked = [(_rank(t, open_digits[unit_of[t.number]]), t.number, t) for t in single]
    ranked.sort()
    findings: list[Finding] = []
    seen = 0
    for rank, index, truth in ranked:
        candidate = truth.members & left
        if seen & candidate:
            continue
        seen |= candidate
        number = candidate.bit_length() - 1
        is_last = truth.unit is not None and open_digits[unit_of[index]] == 1
        technique = Technique.FULL_HOUSE if is_last else _NAMES[rank]
        findings.append(Finding(technique, (truth,), number))
        # Singles before this one may have left its unit a single empty cell.
        for unit in units_of[number]:
            open_digits[unit] -= 1
    return findings


_NAMES = (
    Technique.FULL_HOUSE,
    Technique.HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE,
    Technique.NAKED_SINGLE,
)


def _rank(truth: Truth, open_digits: int) -> int:
    """The place of a single in the order of ease; it is the place of its name in `_NAMES`."""
    if truth.unit is None:
        return 3
    if open_digits == 1:
        return 0
    return 2 if truth.unit.kind in LINES else 1
