"""Cores on large boards: kept from step to step, and asked about again where that may pay.

A 16x16 board has hundreds of candidates to exclude, mostly with cores of 400 truths. To ask about
all of them at every step, and to tell stories of cores that have none, took most of the time. A
core holds at every later step as well, so it is asked about again only when it is one of the most
promising, or in its turn.
"""

from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush

from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Story
from satdoku.puzzle.constraints import mask_of

# What excludes one of two members of a truth places the other one, and one of three makes a strong
# link; with four and more it hardly ever leads on. So cores and stories are compared by their
# length times 1, 1.5 or 2.
_WEIGHTS = {2: 1.0, 3: 1.5}
_WEIGHT_OF_OTHERS = 2.0

# So many stories are told at a step where one was found; as on small boards.
_STORIES = 8

# So many cores are made smaller at a step, more where there is no story yet. That takes some forty
# easy questions for a core; asking about it once is one hard question, and counts as a quarter.
_SHRUNK, _SHRUNK_WITHOUT_STORY = 16, 32
_QUESTION = 0.25

# To make a core of more truths smaller takes hundreds of conflicts, sometimes thousands, and hardly
# ever is there a story of it. Asked about again later it mostly is much shorter.
_LARGE = 110

# Asked with the truths of a core alone, the solver needs fewer of them. Where it needs more than
# this share, to ask once more brings nothing.
# A core that has no story is told again when it is so much shorter, or after some steps: the truths
# of a large core change at nearly every step, and its story still fails.
_SAME = 0.9
_STEPS_UNTOLD = 8

# A core that is not promising is asked about once in so many steps.
_TURNS = 24

# How many candidates are told with all truths where no core has a story; each may take 0.5 s.
_WITH_ALL_TRUTHS = 3


class _KnownCore:
    """A core, what is known of it, and when a story of it was last tried without success."""

    def __init__(self, truths: list[Truth], left: int) -> None:
        self.is_trimmed = self.is_small = False
        self.weight = _WEIGHT_OF_OTHERS
        self.failed_with: tuple[int, int] | None = None
        self.failed_at = self.failed_with_all_at = -_STEPS_UNTOLD
        self.put(truths, left)

    def put(self, truths: list[Truth], left: int) -> None:
        self.truths = truths
        self.numbers = mask_of(truth.number for truth in truths)
        self.span = 0
        for truth in truths:
            self.span |= truth.members & left

    def rank(self, is_open: int) -> float:
        """Its weight times how many of its truths are open; `is_open` has a bit for each such."""
        return (self.numbers & is_open).bit_count() * self.weight

    def may_be_told(self, longest: int, turn: int) -> bool:
        """Whether a story is worth a try: it did not fail lately with nearly as many truths."""
        if self.failed_with is None or turn - self.failed_at >= _STEPS_UNTOLD:
            return True
        size, tried = self.failed_with
        return len(self.truths) <= _SAME * size or longest > tried


class _Shortest:
    """The shortest story of a step so far, by its length times its weight."""

    def __init__(self, longest: int) -> None:
        self.story: Story | None = None
        self._rank = 0.0
        self._longest = longest
        self._told = 0

    def longest(self, weight: float) -> int:
        """How long a story of this weight may be: a longer one is no better than the best."""
        if self.story is None:
            return self._longest
        return min(self._longest, int(self._rank / weight) + 1)

    def is_enough(self, rank: float) -> bool:
        """Whether no more are told: there were many, or the next core is too large."""
        if self.story is None:
            return self._told >= 2 * _STORIES
        return self._told >= _STORIES or rank >= self._rank

    def note(self, story: Story | None, weight: float) -> None:
        self._told += 1
        if story is not None and (self.story is None or story.length * weight < self._rank):
            self.story, self._rank = story, story.length * weight


class KnownCores:
    """The cores of a board, by the candidates that they exclude.

    `ask` gives of a core what the solver needs of it; `shrink` gives it without what it can do
    without; `tell` tells a story of a candidate with some truths, in fewer placements than that.
    """

    def __init__(
        self,
        position: Position,
        ask: Callable[[int, Sequence[Truth]], list[Truth] | None],
        shrink: Callable[[int, list[Truth]], list[Truth]],
        tell: Callable[[int, Sequence[Truth], int], Story | None],
    ) -> None:
        self._position = position
        self._ask = ask
        self._shrink = shrink
        self._tell = tell
        self._known: dict[int, _KnownCore] = {}
        self._turn = 0

    def __bool__(self) -> bool:
        return bool(self._known)

    def keep(self, cores: Iterable[tuple[int, list[Truth]]]) -> None:
        """Keeps cores that were found for candidates, where no smaller ones are known."""
        for candidate, truths in cores:
            known = self._known.get(candidate)
            if known is None:
                self._known[candidate] = _KnownCore(truths, self._position.left)
            elif len(truths) < len(known.truths):
                known.put(truths, self._position.left)

    def truths(self) -> dict[int, list[Truth]]:
        """The cores by their candidates."""
        return {candidate: known.truths for candidate, known in self._known.items()}

    def best_story(self, candidates: Iterable[int], longest: int) -> Story | None:
        """The shortest story by its weight, of some of the candidates; None where none is found."""
        self._turn += 1
        self._weigh()
        is_open = mask_of(truth.number for truth in self._position.open_truths)
        waiting = self._queue(candidates, is_open)
        found = _Shortest(longest)
        shrunk = 0.0
        first: list[int] = []
        while waiting and not found.is_enough(waiting[0][0]):
            _, candidate = heappop(waiting)
            known = self._known[candidate]
            if known.is_small and not self._is_to_ask(known):
                first.append(candidate)
                self._try(candidate, known, found)
            elif shrunk < (_SHRUNK_WITHOUT_STORY if found.story is None else _SHRUNK):
                cost = self._make_smaller(candidate, known)
                shrunk += cost
                if cost:
                    heappush(waiting, (known.rank(is_open), candidate))
        return found.story or self._told_with_all(first[:_WITH_ALL_TRUTHS], longest)

    def _queue(self, candidates: Iterable[int], is_open: int) -> list[tuple[float, int]]:
        """The candidates that have a core as a heap, those with the most promising cores first."""
        waiting = []
        for candidate in candidates:
            known = self._known.get(candidate)
            if known is not None:
                if not (candidate + self._turn) % _TURNS and not known.is_small:
                    self._ask_again(candidate, known)
                waiting.append((known.rank(is_open), candidate))
        heapify(waiting)
        return waiting

    def _try(self, candidate: int, known: _KnownCore, found: _Shortest) -> None:
        """Tells a story of a core, unless that is known to be in vain."""
        longest = found.longest(known.weight)
        if known.may_be_told(longest, self._turn):
            story = self._tell(candidate, known.truths, longest)
            found.note(story, known.weight)
            if story is None:
                known.failed_with, known.failed_at = (len(known.truths), longest), self._turn

    def _weigh(self) -> None:
        """Notes for each candidate how far its exclusion may lead."""
        left = self._position.left
        weights: dict[int, float] = {}
        for truth in self._position.open_truths:
            members = truth.members & left
            weight = _WEIGHTS.get(members.bit_count())
            if weight is not None:
                for candidate in candidates_of(members):
                    weights[candidate] = min(weight, weights.get(candidate, weight))
        for candidate, known in self._known.items():
            known.weight = weights.get(candidate, _WEIGHT_OF_OTHERS)

    def _is_to_ask(self, known: _KnownCore) -> bool:
        """Whether a core may well have become smaller since it was asked about."""
        has_changed = known.span & ~self._position.left
        return bool(has_changed) or not (known.is_trimmed or known.is_small)

    def _ask_again(self, candidate: int, known: _KnownCore) -> None:
        if self._is_to_ask(known):
            placed = self._position.placed
            smaller = self._ask(candidate, [t for t in known.truths if not t.members & placed])
            assert smaller is not None, "a core holds at later steps as well"
            known.is_trimmed = len(smaller) >= _SAME * len(known.truths)
            known.put(smaller, self._position.left)

    def _make_smaller(self, candidate: int, known: _KnownCore) -> float:
        """Brings a core a step nearer to a story; what that took, 0 where it is too large."""
        if self._is_to_ask(known):
            self._ask_again(candidate, known)
            return _QUESTION
        if len(known.truths) > _LARGE:
            return 0
        known.put(self._shrink(candidate, known.truths), self._position.left)
        known.is_small = True
        return 1

    def _told_with_all(self, candidates: Iterable[int], longest: int) -> Story | None:
        """All truths offer more cases that fail at once than a core does, but take longer."""
        for candidate in candidates:
            known = self._known[candidate]
            if self._turn - known.failed_with_all_at >= _STEPS_UNTOLD:
                story = self._tell(candidate, self._position.open_truths, longest)
                if story is not None:
                    return story
                known.failed_with_all_at = self._turn
        return None
