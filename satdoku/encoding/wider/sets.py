"""Which sets of digits cells hold together.

What all possible sets of some cells have in common is said by clauses over the presence of digits:
`8 or 9 is present`, `not both 1 and 2`. Short ones propagate best, so those of up to three literals
come first, and each set that they let pass is excluded by one more.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import Masks, Sets, digits_of, mask_of

# Clauses of four literals take as long to find as all shorter ones, and searches are no shorter.
_LONGEST = 3

Literals = tuple[int, ...]


def write_sets(constraint: Sets, kit: Kit) -> None:
    """The cells hold one of the sets; that their digits differ is said elsewhere."""
    cells = frozenset(constraint.cells)
    for clause in clauses_of_sets(constraint.sets, len(cells), kit.size):
        kit.add(*(kit.present(cells, abs(n)) * (1 if n > 0 else -1) for n in clause))
    # Of few cells or sets the clauses say nearly all that there is.
    if len(cells) > 3 and len(constraint.sets) > 2:
        kit.add_counted(cells)


# Cages of a kind come again in a puzzle and in the next one; on 9x9 there are 120 kinds with a sum.
@lru_cache(maxsize=512)
def clauses_of_sets(sets: Masks, count: int, size: int) -> tuple[Literals, ...]:
    """Clauses over digits, present or (negative) absent, that just these sets of `count` keep.

    >>> clauses_of_sets((0b110, ), 2, 3)
    ((1,), (2,), (-3,))
    """
    # For each literal the sets that break it, as bits.
    breaks: dict[int, int] = {}
    for digit in range(1, size + 1):
        breaks[-digit] = sum(1 << n for n, each in enumerate(sets) if each >> digit & 1)
        breaks[digit] = (1 << len(sets)) - 1 ^ breaks[-digit]
    clauses = list(_shortest_clauses(breaks))
    passing = set(_passing(clauses, count, size)).difference(sets)
    clauses += sorted(tuple(-digit for digit in digits_of(mask)) for mask in passing)[::-1]
    return tuple(clauses)


def _passing(clauses: Iterable[Literals], count: int, size: int) -> Iterable[int]:
    """The sets of `count` digits that keep all clauses."""
    # Sets are built digit by digit, and a clause is tried as soon as its last digit is decided, so
    # that most sets are given up early. A cage of eight cells on 16x16 has 12,870 of them: to try
    # each one as a whole took a second.
    clauses_of: dict[int, list[tuple[int, int]]] = {}
    for clause in clauses:
        absent = mask_of(-literal for literal in clause if literal < 0)
        named = mask_of(map(abs, clause))
        clauses_of.setdefault(max(map(abs, clause)), []).append((named, absent))
    begun = [0]
    for digit in range(1, size + 1):
        # With fewer than `least` digits by now, those still to come would be too few.
        least, ending = count - (size - digit), clauses_of.get(digit, ())
        begun = [
            mask
            for before in begun
            for mask in (before, before | 1 << digit)
            if least <= mask.bit_count() <= count
        ]
        for named, absent in ending:
            begun = [mask for mask in begun if mask & named != absent]
    return begun


def _shortest_clauses(breaks: Mapping[int, int]) -> Iterator[Literals]:
    """The clauses that all sets keep, without those that contain a shorter one."""
    ordered = sorted(breaks, key=lambda literal: (abs(literal), literal < 0))
    yield from ((literal,) for literal in ordered if not breaks[literal])
    # Neither these nor their opposites stand in longer ones.
    literals = [literal for literal in ordered if breaks[literal] and breaks[-literal]]
    found: set[Literals] = set()
    # Clauses that some sets break, with those sets as bits, and the place in `literals` from which
    # on others may be added.
    begun: list[tuple[Literals, int, int]]
    begun = [((literal,), breaks[literal], n) for n, literal in enumerate(literals, 1)]
    for length in range(2, _LONGEST + 1):
        longer = []
        for clause, broken_by, first in begun:
            for place, literal in enumerate(literals[first:], first + 1):
                still = broken_by & breaks[literal]
                if not still:
                    # All sets keep it. It is of no use with a literal and its opposite, or where
                    # it contains a clause that was found.
                    if -literal not in clause and not _ends_one(clause, literal, found):
                        found.add((*clause, literal))
                        yield (*clause, literal)
                elif length < _LONGEST:
                    longer.append(((*clause, literal), still, place))
        begun = longer


def _ends_one(clause: Literals, literal: int, found: set[Literals]) -> bool:
    """Whether some literals of the clause, with this one behind them, are a clause found before."""
    return any(
        (*part, literal) in found for n in range(1, len(clause)) for part in combinations(clause, n)
    )
