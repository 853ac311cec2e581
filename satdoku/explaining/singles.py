"""Singles: truths of which a single candidate is left."""

from collections.abc import Iterator, Sequence

from satdoku.explaining.board import Truth
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique


def find_singles(position: Position, single: Sequence[Truth]) -> Iterator[Finding]:
    """All singles of a position, the easiest to see first, each candidate once.

    `single` are the truths of which one candidate is left. The position is looked at
    when the first single is asked for; steps made of the first ones do not change the rest.
    """
    board, left, tables = position.board, position.left, position.board.tables
    ease, unit_of, units_of = tables.ease, tables.unit_of, tables.units_of
    open_digits = position.open_in.copy()
    # The last number is for the cells, and a digit is never the last one of these.
    open_digits[-1] = 0
    ranked = sorted(
        [(0 if open_digits[unit_of[n]] == 1 else ease[n], n) for n in [t.number for t in single]]
    )
    seen = 0
    for rank, index in ranked:
        truth = board.truths[index]
        candidate = truth.members & left
        if seen & candidate:
            continue
        seen |= candidate
        number = candidate.bit_length() - 1
        # Singles before this one may have left its unit a single empty cell.
        name = _NAMES[0 if open_digits[unit_of[index]] == 1 else rank]
        yield Finding(name, (truth,), number)
        for unit in units_of[number]:
            open_digits[unit] -= 1


# By how hard they are to see, as `Tables.ease` has it; 0 is for the last empty cell of a unit.
_NAMES = (
    Technique.FULL_HOUSE,
    Technique.HIDDEN_SINGLE,
    Technique.HIDDEN_SINGLE,
    Technique.NAKED_SINGLE,
)
