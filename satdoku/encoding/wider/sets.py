"""Which digits some cells hold together, said of the presence of each digit.

A variable says whether a digit is present in the cells. What all possible sets have in common is
said by clauses over these: `8 or 9 is present`, `not both 1 and 2`. Short ones propagate best, so
those of up to three literals come first, and each set that they let pass is excluded by one more.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from satdoku.encoding.wider.kit import Kit
from satdoku.puzzle.constraints import Masks, Sets

# Clauses of four literals take as long to find as all shorter ones, and searches are no shorter.
_LONGEST = 3

Literals = tuple[int, ...]


def write_sets(constraint: Sets, kit: Kit) -> None:
    """The cells hold one of the sets; that their digits differ is said elsewhere."""
    cells = frozenset(constraint.cells)
    for clause in clauses_of_sets(constraint.sets, len(cells), kit.size):
        kit.add(*(kit.present(cells, abs(n)) * (1 if n > 0 else -1) for n in clause))


# Cages of a kind come again in a puzzle and in the next one; on 9x9 there are 120 kinds with a sum.
@lru_cache(maxsize=512)
def clauses_of_sets(sets: Masks, count: int, size: int) -> tuple[Literals, ...]:
    """Clauses over digits, present or (negative) absent, that just these sets of `count` keep.

    >>> clauses_of_sets((0b110, ), 2, 3)
    ((1,), (2,), (-3,))
    """
    # For each literal the sets that keep it, as bits.
    keeps: dict[int, int] = {}
    for digit in range(1, size + 1):
        keeps[digit] = sum(1 << n for n, each in enumerate(sets) if each >> digit & 1)
        keeps[-digit] = (1 << len(sets)) - 1 ^ keeps[digit]
    clauses = list(_shortest_clauses(keeps, (1 << len(sets)) - 1, size))
    allowed = set(sets)
    for chosen in combinations(range(1, size + 1), count):
        mask = sum(1 << digit for digit in chosen)
        if mask not in allowed and all(_keeps(mask, clause) for clause in clauses):
            clauses.append(tuple(-digit for digit in chosen))
    return tuple(clauses)


def _shortest_clauses(keeps: dict[int, int], every: int, size: int) -> Iterator[Literals]:
    """The clauses that all sets keep, without those that contain a shorter one."""
    found: set[Literals] = set()
    literals = [sign * digit for digit in range(1, size + 1) for sign in (1, -1)]
    for length in range(1, _LONGEST + 1):
        for clause in combinations(literals, length):
            kept = 0
            for literal in clause:
                kept |= keeps[literal]
            if kept == every and not _contains(clause, found):
                found.add(clause)
                yield clause


def _contains(clause: Literals, found: set[Literals]) -> bool:
    """Whether a part of a clause was found already, or it says nothing."""
    if any(-literal in clause for literal in clause):
        return True
    return any(part in found for n in range(1, len(clause)) for part in combinations(clause, n))


def _keeps(mask: int, clause: Literals) -> bool:
    return any((mask >> abs(n) & 1) == (n > 0) for n in clause)
