"""Masks of candidates: followed from every supposition or every choice, and what truths have left.

`Propagation`: each candidate carries two integers with one bit for each start, that is, for each
supposition that is followed: `on[c]` says under which of them c must hold, `off[c]` under which it
cannot. A single operation on these integers carries a consequence over for all starts, so two
hundred suppositions cost hardly more than one. All follow the same layers: what is on switches
others off, and of a truth with one member that is not off, that member is switched on.

`excluded_by`: one member of each of some truths holds. Whichever members these are, what each
choice of them excludes is excluded: so of a pair, of a fish and of a chain that closes into a loop
alike.

`cuts_of`: what single candidates exclude of a truth, each part of it with all that exclude just it.

`Fields` and `Remains`: what is left of all truths at once, their members side by side in one
integer. Each truth has a field of bits: one for each member that is left, and above them a guard.

    truth 2         truth 1         truth 0
    guard 1 0 1     guard 0 0 1     guard 0 0 0

When the guards are set and 1 is taken from every field, each field loses its lowest member, or its
guard where no member is left. So a few operations on integers tell which truths have no member
left, and which have one. With all members counted for each puzzle, and counted down for each
candidate that goes, an easy puzzle took a fifth longer to explain.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from satdoku.puzzle.constraints import digits_of
from satdoku.solving.limits import Budget


class Propagation:
    """All suppositions about the members of some truths, followed side by side.

    `truths` are masks with two or more members each; what lies in none of them is left out. Bit c
    of every mask of starts is the supposition about candidate c. `linked_to` lists for each
    candidate of the board those linked to it; that some lie in none of the truths does no harm.
    """

    def __init__(self, truths: Iterable[int], linked_to: Sequence[Sequence[int]]) -> None:
        self._every = self._count = 0
        # Most truths that stories go through have two or three members, which need no loop.
        self._pairs: list[tuple[int, int, int]] = []
        self._triples: list[tuple[int, int, int, int]] = []
        self._larger: list[tuple[int, tuple[int, ...]]] = []
        for mask in truths:
            self._every |= mask
            self._count += 1
            match _members_of(mask):
                case one, other:
                    self._pairs.append((mask, one, other))
                case one, other, third:
                    self._triples.append((mask, one, other, third))
                case members:
                    self._larger.append((mask, members))
        self._linked_to = linked_to
        self._on = [0] * len(linked_to)
        self._off = [0] * len(linked_to)

    def first_refuted(self, links: Sequence[int], budget: Budget) -> list[int]:
        """The candidates that, when supposed, leave nothing of a truth after the fewest layers."""
        return digits_of(next(self.refuted(links, budget), 0))

    def refuted(self, links: Sequence[int], budget: Budget) -> Iterator[int]:
        """Layer by layer the candidates that, when supposed, leave nothing of a truth by then."""
        on, off = self._on, self._off
        candidates = digits_of(self._every)
        for candidate in candidates:
            on[candidate] = 1 << candidate
            # Links go both ways, so a candidate is off where one that it is linked to is supposed.
            off[candidate] = links[candidate] & self._every
        # Truths that have lost nothing since they were looked at say nothing new.
        touched, known = -1, 0
        while touched:
            budget.work(self._count)
            new = [0] * len(on)
            refuted = self._fill_pairs(touched, new)
            refuted |= self._fill_triples(touched, new) | self._fill_larger(touched, new)
            known |= refuted
            if known:
                yield known
            touched = 0
            for candidate in candidates:
                starts = new[candidate] & ~on[candidate] & ~known
                if starts:
                    on[candidate] |= starts
                    touched |= links[candidate]
                    for linked in self._linked_to[candidate]:
                        off[linked] |= starts

    def _fill_pairs(self, touched: int, new: list[int]) -> int:
        """Notes in `new` where a member is the last of a truth; returns the starts of none."""
        off, refuted = self._off, 0
        for mask, one, other in self._pairs:
            if mask & touched:
                new[one] |= off[other]
                new[other] |= off[one]
                refuted |= off[one] & off[other]
        return refuted

    def _fill_triples(self, touched: int, new: list[int]) -> int:
        """The same for truths of three members."""
        off, refuted = self._off, 0
        for mask, one, other, third in self._triples:
            if mask & touched:
                neither = off[one] & off[other]
                new[one] |= off[other] & off[third]
                new[other] |= off[one] & off[third]
                new[third] |= neither
                refuted |= neither & off[third]
        return refuted

    def _fill_larger(self, touched: int, new: list[int]) -> int:
        """The same for truths of more members."""
        off, refuted = self._off, 0
        for mask, truth in self._larger:
            if not mask & touched:
                continue
            # Those that leave none of the members so far, and those that leave one at the most.
            none = few = -1
            for member in truth:
                here = off[member]
                few = few & here | none
                if not few:
                    break  # each start leaves two
                none &= here
            else:
                refuted |= none
                few ^= none
                for member in truth:
                    last = few & ~off[member]
                    new[member] |= last
                    few ^= last
        return refuted


@lru_cache(maxsize=4096)
def _members_of(mask: int) -> tuple[int, ...]:
    """The members of a truth, which stay the same from one question to the next."""
    return tuple(digits_of(mask))


def linked_to_all(members: int, links: Sequence[int], among: int = -1) -> int:
    """Those of some candidates, or of all, that each of the members excludes."""
    # Most end after two or three members, so they are not all listed first.
    while members and among:
        member = members.bit_length() - 1
        among &= links[member]
        members ^= 1 << member
    return among


def cuts_of(members: int, links: Sequence[int]) -> list[tuple[int, int]]:
    """The parts of some members that a single candidate beside them excludes, as masks.

    With each part goes the mask of the candidates that exclude just that part, and no other member.
    """
    # Member by member those that exclude it are told from the others: there are many candidates
    # around a truth, and few ways to cut it.
    beside = ~members
    cuts: dict[int, int] = {}
    for member in digits_of(members):
        bit, link = 1 << member, links[member]
        parted = {}
        for cut, who in cuts.items():
            here = who & link
            if here:
                parted[cut | bit] = here
            if who != here:
                parted[cut] = who ^ here
        cuts = parted
        here = beside & link
        if here:
            cuts[bit] = here
            beside ^= here
    return list(cuts.items())


# How many choices are looked at. Chains through ten cells with several digits each may have
# thousands; then it is left at what is known already.
_MOST_CHOICES = 300


def excluded_by(truths: Sequence[int], links: Sequence[int], left: int) -> int | None:
    """What of `left` cannot hold with any choice of a member from each truth, as a mask.

    None where there are too many choices to be looked at.
    """
    common = left
    looked_at = 0
    # What is still to be chosen from, and what the members chosen so far exclude.
    waiting = [([members & left for members in truths], 0)]
    while waiting:
        open_truths, excluded = waiting.pop()
        looked_at += 1
        if looked_at > _MOST_CHOICES:
            return None
        if not common & ~excluded:
            continue  # whatever this choice excludes beside, it changes nothing
        if not open_truths:
            common &= excluded
            continue
        # The narrowest first: so most choices end soon.
        narrow = min(open_truths, key=int.bit_count)
        for member in digits_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, excluded | off))
    return common


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
        self._listed = 0

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
        self._listed = 0
        return self.narrow_more()

    def narrow_more(self) -> tuple[list[int], list[int]]:
        """The same without truths of one member that were listed since `narrow`, or by it."""
        fields, left = self._fields, self._left
        one_less = (left | fields.guards) - fields.lowest
        others = left & one_less
        two_less = (others | fields.guards) - fields.lowest
        narrow = self._open & ~two_less
        empty = narrow & ~one_less
        single = narrow ^ empty
        more, self._listed = single & ~self._listed, single
        truth_at = fields.truth_at
        return (
            [truth_at[guard] for guard in digits_of(empty)],
            [truth_at[guard] for guard in digits_of(more)],
        )
