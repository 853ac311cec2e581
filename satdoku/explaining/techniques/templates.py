"""Templates: all ways to place a digit in every row, column and box at once.

A candidate that no way has is excluded, and so is what every way excludes. What all ways of a digit
have leaves other digits fewer ways, and so on. That takes one look at a board of each digit alone,
but at many ways: so it is only listed, and explanations tell what excludes less.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding
from satdoku.explaining.step import Level, Step, Technique
from satdoku.explaining.techniques.search import Around, Search
from satdoku.explaining.words.names import Names

# An empty 9x9 board has 46,656 ways to place a digit. Nobody looks through more than some hundreds.
_MOST_WAYS = 10_000


def _ways(truths: Sequence[int], links: Sequence[int]) -> list[int] | None:
    """Return the choices of a member from each truth that go together; None if too many."""
    found = []
    waiting = [(list(truths), 0)]
    while waiting:
        open_truths, chosen = waiting.pop()
        if not open_truths:
            found.append(chosen)
        if len(found) + len(waiting) > _MOST_WAYS:
            return None
        # The truth with the fewest members first, so that most choices end soon.
        narrow = min(open_truths, key=int.bit_count, default=0)
        for member in candidates_of(narrow):
            off = links[member]
            others = [mask & ~off for mask in open_truths if not mask >> member & 1]
            if all(others):
                waiting.append((others, chosen | 1 << member))
    return found


class _Digits:
    """The ways to place each digit, without those that what others must hold excludes."""

    def __init__(self, around: Around) -> None:
        position = around.position
        self._links, self._left = position.board.links, position.left
        self._budget = around.budget
        self.truths: dict[int, list[Truth]] = {}
        for truth in position.open_truths:
            if truth.unit is not None:
                self.truths.setdefault(truth.digit, []).append(truth)
        self._ways: dict[int, list[int]] = {}
        # The other digits that the ways of each one rest on.
        self.others: dict[int, set[int]] = {}
        for digit, truths in sorted(self.truths.items()):
            self._budget.require()
            ways = _ways([truth.members & self._left for truth in truths], self._links)
            if ways:
                self._ways[digit], self.others[digit] = ways, set()
        while any([self._narrow(digit) for digit in self._ways]):
            self._budget.require()

    def _excluded_by(self, digit: int) -> int:
        """Return what all ways of a digit exclude beside it."""
        held = reduce(and_, self._ways[digit])
        return reduce(or_, [self._links[member] for member in candidates_of(held)], 0)

    def _narrow(self, digit: int) -> bool:
        """Drop the ways of a digit that others exclude; return whether there were any."""
        before = len(self._ways[digit])
        for other in self._ways:
            gone = self._excluded_by(other) if other != digit else 0
            kept = [way for way in self._ways[digit] if not way & gone]
            if 0 < len(kept) < len(self._ways[digit]):
                self._ways[digit] = kept
                self.others[digit] |= ({other} | self.others[other]) - {digit}
        return len(self._ways[digit]) < before

    def excludes(self) -> Iterator[tuple[int, int]]:
        """Yield for each digit what its ways exclude, as a mask."""
        for digit, ways in self._ways.items():
            every = reduce(or_, [truth.members for truth in self.truths[digit]]) & self._left
            yield digit, (every & ~reduce(or_, ways) | self._excluded_by(digit)) & self._left


def _every(around: Around) -> Iterator[Finding]:
    """Yield for each digit what all ways to place it exclude."""
    digits = _Digits(around)
    for digit, excluded in digits.excludes():
        if excluded:
            truths = list(digits.truths[digit])
            for other in sorted(digits.others[digit]):
                truths += digits.truths[other]
            gone = tuple(candidates_of(excluded))
            yield Finding(Technique.TEMPLATES, tuple(truths), excludes=gone)


def _tell(names: Names, step: Step) -> str:
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
