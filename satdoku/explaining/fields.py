"""What is left of all truths at once: their members side by side in one integer.

Each truth has a field of bits: one for each member that is left, and above them a guard.

    truth 2         truth 1         truth 0
    guard 1 0 1     guard 0 0 1     guard 0 0 0

When the guards are set and 1 is taken from every field, each field loses its lowest member, or its
guard where no member is left. So a few operations on integers tell which truths have no member
left, and which have one. With all members counted for each puzzle, and counted down for each
candidate that goes, an easy puzzle took a fifth longer to explain.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from satdoku.puzzle.constraints import digits_of


class Fields:
    """Where the members of each truth stand; the same for all boards that share their truths.

    `truths` are the members of each truth, `truths_of` the numbers of the truths that a candidate
    is a member of, `links` the masks of the candidates linked to it.
    """

    def __init__(
        self,
        truths: Sequence[Sequence[int]],
        truths_of: Sequence[Sequence[int]],
        links: Sequence[int],
    ) -> None:
        self._truths = truths
        self._truths_of = truths_of
        self._links = links
        # Each number is written down bit by bit, from the last truth to the first.
        sizes = list(map(len, truths))
        self.members = _read("0" + "1" * size for size in reversed(sizes))
        self.guards = _read("1" + "0" * size for size in reversed(sizes))
        self.lowest = _read("0" * size + "1" for size in reversed(sizes))
        self._first = list(accumulate((size + 1 for size in sizes), initial=0))
        self.truth_at = {first - 1: number for number, first in enumerate(self._first[1:])}
        # Worked out when they are asked for first: on a large board most never are.
        self._bits: dict[int, int] = {}
        self._kept_by: dict[int, tuple[int, int]] = {}

    def kept_by(self, candidate: int) -> tuple[int, int]:
        """What a candidate that holds leaves: of the members, and of the guards of open truths."""
        kept = self._kept_by.get(candidate)
        if kept is None:
            guards = self.guards
            for truth in self._truths_of[candidate]:
                guards ^= 1 << self._first[truth + 1] - 1
            kept = self.without(digits_of(self._links[candidate])), guards
            self._kept_by[candidate] = kept
        return kept

    def without(self, candidates: Iterable[int]) -> int:
        """All members but some candidates."""
        gone = 0
        for candidate in candidates:
            gone |= self._bits.get(candidate) or self._bits_of(candidate)
        return self.members ^ gone

    def _bits_of(self, candidate: int) -> int:
        """The bits of a candidate in all fields."""
        bits = 0
        for truth in self._truths_of[candidate]:
            bits |= 1 << self._first[truth] + self._truths[truth].index(candidate)
        self._bits[candidate] = bits
        return bits


def _read(bits: Iterable[str]) -> int:
    return int("".join(bits) or "0", 2)


class Remains:
    """What is left of the open truths of a board: those of which no member is known to hold."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._left = fields.members
        self._open = fields.guards

    def place(self, candidates: Iterable[int]) -> None:
        """Closes the truths of candidates that hold, and takes away what is linked to these."""
        left, is_open = self._left, self._open
        for members, guards in map(self._fields.kept_by, candidates):
            left &= members
            is_open &= guards
        self._left, self._open = left, is_open

    def exclude(self, candidates: Iterable[int]) -> None:
        """Takes candidates away."""
        self._left &= self._fields.without(candidates)

    def narrow(self) -> tuple[list[int], list[int]]:
        """The numbers of the open truths of which nothing is left, and of which one member is."""
        fields, left = self._fields, self._left
        one_less = (left | fields.guards) - fields.lowest
        others = left & one_less
        two_less = (others | fields.guards) - fields.lowest
        narrow = self._open & ~two_less
        empty = narrow & ~one_less
        truth_at = fields.truth_at
        return (
            [truth_at[guard] for guard in digits_of(empty)],
            [truth_at[guard] for guard in digits_of(narrow ^ empty)],
        )
