"""Templates: all ways to place a digit in every row, column and box at once.

A candidate in no way is excluded, and so is a candidate that every way excludes. Candidates common
to all ways of a digit leave other digits fewer ways, and so on. A person would have to look through
many ways, so templates appear only in lists of all steps, not in explanations.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Deduction, Level, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names

# An empty 9x9 board has 46,656 ways to place a digit. A person looks through some hundreds at most.
_MOST_WAYS = 10_000


def _ways(truths: Sequence[int], links: Sequence[int]) -> list[int] | None:
    """Return all compatible choices of a member from each truth, as masks; None if too many."""
    found = []
    waiting = [(list(truths), 0)]
    while waiting:
        open_truths, chosen = waiting.pop()
        if not open_truths:
            found.append(chosen)
        if len(found) + len(waiting) > _MOST_WAYS:
            return None
        # Take the truth with the fewest members first, so that most choices end soon.
        narrow = min(open_truths, key=int.bit_count, default=0)
        for member in candidates_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, chosen | 1 << member))
    return found


class _Digits:
    """The ways to place each digit, except those that the certain places of others exclude."""

    def __init__(self, around: Around) -> None:
        position = around.position
        self._links, self._left = position.board.links, position.left
        self._budget = around.budget
        self.truths: dict[int, list[Truth]] = {}
        for truth in position.open_truths:
            if truth.unit is not None:
                self.truths.setdefault(truth.digit, []).append(truth)
        self._ways: dict[int, list[int]] = {}
        # By digit, the other digits whose ways were used to drop some of its ways.
        self.others: dict[int, set[int]] = {}
        for digit, truths in sorted(self.truths.items()):
            self._budget.require()
            ways = _ways([truth.members & self._left for truth in truths], self._links)
            if ways:
                self._ways[digit], self.others[digit] = ways, set()
        while any([self._narrow(digit) for digit in self._ways]):
            self._budget.require()

    def _excluded_by(self, digit: int) -> int:
        """Return the mask of candidates excluded by those common to all ways of a digit."""
        held = reduce(and_, self._ways[digit])
        return reduce(or_, [self._links[member] for member in candidates_of(held)], 0)

    def _narrow(self, digit: int) -> bool:
        """Drop the ways of a digit that other digits exclude; return whether there were any."""
        before = len(self._ways[digit])
        for other in self._ways:
            gone = self._excluded_by(other) if other != digit else 0
            kept = [way for way in self._ways[digit] if not way & gone]
            if 0 < len(kept) < len(self._ways[digit]):
                self._ways[digit] = kept
                self.others[digit] |= ({other} | self.others[other]) - {digit}
        return len(self._ways[digit]) < before

    def excludes(self) -> Iterator[tuple[int, int]]:
        """Yield each digit with the mask of candidates that its ways exclude."""
        for digit, ways in self._ways.items():
            every = reduce(or_, [truth.members for truth in self.truths[digit]]) & self._left
            yield digit, (every & ~reduce(or_, ways) | self._excluded_by(digit)) & self._left


def _every(around: Around) -> Iterator[Finding]:
    """Yield a finding for each digit whose ways exclude something."""
    digits = _Digits(around)
    for digit, excluded in digits.excludes():
        if excluded:
            truths = list(digits.truths[digit])
            for other in sorted(digits.others[digit]):
                truths += digits.truths[other]
            gone = tuple(candidates_of(excluded))
            yield Finding(Technique.TEMPLATES, tuple(truths), excludes=gone)


def _tell(names: Names, step: Deduction) -> str:
    digits = list(dict.fromkeys(truth.digit for truth in step.truths))
    name = names.digit(digits[0])
    others = f" that what {names.digits(digits[1:])} must hold leaves" if digits[1:] else ""
    return (
        f"look at all ways to place {name} in every row, column and box{others}: what goes is in "
        f"none of them, or beside what is in all of them; so {names.without(step.excludes)}"
    )


SEARCH = Search(
    {Technique.TEMPLATES: ("HoDoKu 1201", "HoDoKu 1202")},
    Level.ALL,
    None,
    _every,
    _tell,
)
