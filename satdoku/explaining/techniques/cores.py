"""Cases: where no net is left, a solver says which truths exclude a candidate together.

The solver's own set of truths (its core) is four times as large as it need be. So the shortest
cores are made smaller one truth at a time, a story is told of each, and the shortest story wins: it
reads better than the one with the fewest truths.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.prover import BoardFormula
from satdoku.explaining.step import Story, Technique
from satdoku.explaining.techniques.nets import Telling, finding_of
from satdoku.puzzle.constraints import mask_of
from satdoku.solving.assumptions import shrink
from satdoku.solving.limits import Budget

# A solver that says which truths exclude a candidate; it learns from one question to the next.
#
# Where no story can be told of its answers, it excludes what keeps a truth from being settled: a
# search. Puzzles with very few givens, which rules such as non-consecutive allow, begin with steps
# that rest on nearly all truths of the board. Such a step is proved like any other, but nobody
# could follow its cases. So few of them are made: each leaves as little as can be of the narrowest
# truth, and mostly places a digit by that, from which easier steps lead on.

# glucose4 finds cores with the fewest truths of the solvers tried.
SOLVER = "glucose4"


class Effort(NamedTuple):
    """What the stories of a puzzle may cost before searches take their place."""

    # Conflicts of a question. It took 98 at most on 40 of the hardest classic puzzles, 233 with the
    # rule anti-knight. Where it takes more than this, cores have 200 truths and more, and nobody
    # can follow a story of these.
    patience: int = 300

    # Conflicts of all questions together. Those 40 puzzles took 7,000 at most. Puzzles of few
    # givens would go on for minutes, with hundreds of stories that hardly lead on.
    conflicts: int = 20_000

    # Placements of a story; where every core needs more, cases may stand inside cases. One story
    # without such a limit took 20 s for a single puzzle.
    longest: int = 200

    # Boards of up to so many digits are asked about all candidates at every step; on larger ones
    # that takes half of the time (`KnownCores` below).
    asked_all: int = 9


USUAL = Effort()


class TooHardError(Exception):
    """A question that takes too much for a story to come out of its answer."""


class CoreSolver:
    """The truths of a position inside a solver, each behind its selector.

    `possible` are candidates that stand in some solution, as a mask: no truths exclude them.
    `spent` are the conflicts that the questions for stories took.
    """

    def __init__(self, position: Position, budget: Budget, patience: int = USUAL.patience) -> None:
        self.position = position
        self.budget = budget
        self.possible = 0
        self.spent = 0
        self._patience = patience
        self._formula = BoardFormula(position.board, SOLVER, position.board.truths, budget)
        self._selectors = list(map(self._formula.selector, position.board.truths))

    def learn(self) -> None:
        """Tells the solver what the steps have settled since it was told last."""
        self._formula.learn(self.position.left, self.position.placed)

    def to_ask_about(self, candidates: int) -> Iterator[int]:
        """Yield the candidates that may be excluded: neither placed nor in a known solution.

        What is noted as possible on the way is passed over.
        """
        for candidate in candidates_of(candidates & self.position.left & ~self.position.placed):
            if not self.possible >> candidate & 1:
                yield candidate

    def by_width(self, truths: Iterable[Truth]) -> list[Truth]:
        """Truths with few members left first."""
        left = self.position.left
        return sorted(truths, key=lambda t: ((t.members & left).bit_count(), t.number))

    def core(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        """Return truths among these that exclude a candidate; None if it can hold with all of them.

        Raises TooHardError when that takes more than a story can tell.
        """
        session = self._formula.session
        before = session.conflicts
        found = self._ask(candidate, truths, self._patience)
        self.spent += session.conflicts - before
        if found is Status.UNKNOWN:
            raise TooHardError
        return self._core(found)

    def search(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        """Like `core`, without a limit on conflicts."""
        return self._core(self._ask(candidate, truths))

    def note_model(self) -> None:
        """Adds to `possible` what the solution has that the solver has just found.

        To be called after a question about all truths: only then is its model a solution.
        """
        self.possible |= self._held()

    def excluded_by_model(self, truths: Iterable[Truth]) -> int:
        """Return the exclusions by those members of the truths that hold in the last model.

        All else goes together with these truths, too.
        """
        links, held = self.position.board.links, self._held()
        chosen = excluded = 0
        for truth in truths:
            holding = truth.members & held
            if not holding & chosen:
                lowest = holding & -holding
                chosen |= lowest
                excluded |= links[lowest.bit_length() - 1]
        return excluded

    def needed_by_model(self, candidate: int, missing: Truth, rest: Sequence[Truth]) -> set[int]:
        """The numbers of truths that a core needs: without any of them it leaves the candidate.

        The solver has just found that this is so of one that is `missing` from a core. Where one of
        its members takes the place of those that it excludes, another truth alone may have nothing
        that holds: then that one is needed, too, and so on. So two of three questions are saved.
        """
        links = self.position.board.links
        possible = self.position.left & ~links[candidate]
        needed = {missing.number}
        waiting = [(missing, self._held())]
        core = [missing, *rest]
        while waiting:
            truth, held = waiting.pop()
            for member in candidates_of(truth.members & possible):
                instead = held & ~links[member] | 1 << member
                empty = [each for each in core if not each.members & instead]
                if len(empty) == 1 and empty[0].number not in needed:
                    needed.add(empty[0].number)
                    waiting.append((empty[0], instead))
        return needed

    def _held(self) -> int:
        """The candidates that hold in what the solver has just found."""
        # Candidates have the first numbers.
        model = self._formula.session.model()[: len(self.position.board.links) - 1]
        return mask_of(literal for literal in model if literal > 0)

    def close(self) -> None:
        self._formula.close()

    def _ask(self, candidate: int, truths: Iterable[Truth], patience: int | None = None) -> Status:
        """Whether the candidate can hold when these truths do."""
        selectors = self._selectors
        assumptions = [candidate, *[selectors[truth.number] for truth in truths]]
        return self._formula.session.solve(self.budget, patience, assumptions)

    def _core(self, found: Status) -> list[Truth] | None:
        session = self._formula.session
        if found is Status.UNSATISFIABLE:
            return self._formula.truths_of(session.core())
        return None


# A core becomes smaller when it is asked about alone, and after so many times hardly any more.
_TRIMMINGS = 4


def find_by_search(solver: CoreSolver) -> Finding | None:
    """Return the exclusions, by a solver, in the narrowest truth that has any."""
    every = solver.by_width(solver.position.open_truths)
    for narrowest in every:
        rests_on: dict[int, Truth] = {}
        excluded = []
        for candidate in solver.to_ask_about(narrowest.members):
            core = _trimmed(solver, candidate, every)
            if core is not None:
                excluded.append(candidate)
                rests_on |= {truth.number: truth for truth in core}
        if excluded:
            truths = tuple(rests_on[number] for number in sorted(rests_on))
            return Finding(Technique.SEARCH, truths, excludes=tuple(excluded))
    return None


def _trimmed(solver: CoreSolver, candidate: int, every: list[Truth]) -> list[Truth] | None:
    """Truths that exclude a candidate; None where nothing does."""
    found = solver.search(candidate, every)
    if found is None:
        solver.note_model()
        return None
    for _ in range(_TRIMMINGS):
        found = solver.search(candidate, found) or found
    return found


# Cores on large boards: kept from step to step, and asked about again where that may pay.
#
# A 16x16 board has hundreds of candidates to exclude, mostly with cores of 400 truths. To ask about
# all of them at every step, and to tell stories of cores that have none, took most of the time. A
# core holds at every later step as well, so it is asked about again only when it is one of the most
# promising, or in its turn.

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
        """Return how long a story of this weight may be to be better than the best one."""
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
        """Return a story with all truths: more cases fail at once, but it takes longer."""
        for candidate in candidates:
            known = self._known[candidate]
            if self._turn - known.failed_with_all_at >= _STEPS_UNTOLD:
                story = self._tell(candidate, self._position.open_truths, longest)
                if story is not None:
                    return story
                known.failed_with_all_at = self._turn
        return None


# How many of the shortest cores are worth a story. With 4 the stories of the hardest puzzles are a
# quarter longer, with 16 they are hardly shorter and take twice the time.
_CORES = 8

# How many candidates are told with all truths where no core has a story; each may take 0.3 s.
_TOLD_WITH_ALL_TRUTHS = 3

# Cases stand inside cases this deep at most. The hardest classic puzzles never need more.
_DEEPEST = 2

# Where more candidates than this are left, and open cells have on average more than this share of
# all digits, a search takes the place of stories. On such a board a story excludes one candidate
# and hardly ever leads on: for a puzzle with the rule non-consecutive 131 stories took 21 s, five
# searches 2 s. When cases began, the share was 0.49 at most on the hardest classic puzzles, and
# 0.57 on those with the rule anti-knight.
_MANY, _CROWDED = 300, 0.6

Core = tuple[int, list[Truth]]


class _Told(NamedTuple):
    """A story, with the depth and the members of truths that it was told with."""

    story: Story
    told_with: tuple[int, tuple[int, ...]]


class CoreFinder:
    """Finds cases, or a search where a puzzle would need too many of them to be followed.

    `possible` are candidates known to stand in some solution.
    """

    def __init__(
        self, position: Position, budget: Budget, possible: int = 0, effort: Effort = USUAL
    ) -> None:
        self._position = position
        self._budget = budget
        self._effort = effort
        self._solver = CoreSolver(position, budget, effort.patience)
        self._solver.possible = possible
        self._core_of: dict[int, list[Truth]] = {}
        self._asks_all = position.board.puzzle.geometry.size <= effort.asked_all
        self._known = KnownCores(position, self._core, self._shrink, self._tell_flat)
        # The last story of each candidate.
        self._told: dict[int, _Told] = {}

    def find(self) -> Finding | None:
        """The candidate with the shortest story, if the truths exclude any candidate at all."""
        self._solver.learn()
        if self._is_crowded():
            return find_by_search(self._solver)
        try:
            story = None if self._asks_all else self._known_story()
            if story is None:
                self._core_of |= self._known.truths()
                cores = self._cores()
                if not cores:
                    return None
                story = self._best_story(cores)
                if self._known:
                    self._known.keep(self._core_of.items())
            if story is not None:
                return self._whole(finding_of((story,), Technique.CASES))
        except TooHardError:
            pass
        return find_by_search(self._solver)

    def close(self) -> None:
        self._solver.close()

    def _whole(self, finding: Finding) -> Finding:
        """The same with all else that its truths exclude, in at most as many placements again."""
        if not self._asks_all:
            return finding
        [story] = finding.stories
        position = self._position
        near = 0
        for truth in finding.truths:
            for member in candidates_of(truth.members & position.left):
                near |= position.board.links[member]
        told = [story]
        longest = story.length
        asked = (
            near & position.left & ~(position.placed | self._solver.possible | 1 << story.suppose)
        )
        while asked and longest > 1:
            candidate = (asked & -asked).bit_length() - 1
            asked &= asked - 1
            if self._core(candidate, finding.truths) is None:
                # What goes together with an answer need not be asked about: that leaves one of ten.
                asked &= self._solver.excluded_by_model(finding.truths)
                continue
            other = self._tell(candidate, finding.truths, longest, max(1, story.depth))
            if other is not None:
                told.append(other)
                longest -= other.length
        return finding_of(tuple(told), finding.technique)

    def _is_crowded(self) -> bool:
        count = (self._position.left & ~self._position.placed).bit_count()
        cells = sum(truth.unit is None for truth in self._position.open_truths)
        return count > max(_MANY, _CROWDED * cells * self._position.board.puzzle.geometry.size)

    def _known_story(self) -> Story | None:
        """A short story without cases inside cases, where most cores are not asked for."""
        if not self._known:
            self._known.keep(self._cores())
        return self._known.best_story(
            self._solver.to_ask_about(self._position.left), self._effort.longest
        )

    def _best_story(self, cores: list[Core]) -> Story | None:
        small = self._smallest(cores)
        # All truths offer more cases that fail at once than a core does, so they come before cases
        # inside cases; but a story of few truths is easier to follow, so it comes first.
        story = self._shortest_story(small, 1)
        for candidate, _ in small[:_TOLD_WITH_ALL_TRUTHS]:
            story = story or self._tell(
                candidate, self._position.open_truths, self._effort.longest, 1
            )
        for deepest in range(2, _DEEPEST + 1):
            story = story or self._shortest_story(small, deepest)
        return story

    def _smallest(self, cores: list[Core]) -> list[Core]:
        """The shortest cores, without what they can do without."""
        cores = sorted(cores, key=lambda core: (len(core[1]), core[0]))
        return [(candidate, self._shrink(candidate, core)) for candidate, core in cores[:_CORES]]

    def _cores(self) -> list[Core]:
        """Return, for each candidate that the truths exclude, the truths that the solver names.

        A core found for an earlier step still holds. Asking about its truths alone takes a third of
        the time, and what was settled since makes it smaller.
        """
        solver = self._solver
        every = solver.by_width(self._position.open_truths)
        cores = []
        for candidate in solver.to_ask_about(self._position.left):
            core = self._core(candidate, self._core_of.get(candidate, every))
            if core is None:
                solver.note_model()
            else:
                self._core_of[candidate] = core
                cores.append((candidate, core))
        return cores

    def _core(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        if self._solver.spent > self._effort.conflicts:
            raise TooHardError
        return self._solver.core(candidate, truths)

    def _shrink(self, candidate: int, core: list[Truth]) -> list[Truth]:
        """The core without what it can do without; truths with many members are tried first."""
        solver = self._solver
        needed: set[int] = set()

        def is_enough(rest: Sequence[Truth], truth: Truth) -> list[Truth] | None:
            if truth.number in needed:
                return None
            found = self._core(candidate, rest)
            if found is None:
                needed.update(solver.needed_by_model(candidate, truth, rest))
            return found

        small = self._core_of[candidate] = shrink(solver.by_width(core), is_enough)
        return small

    def _shortest_story(self, cores: list[Core], deepest: int) -> Story | None:
        best: Story | None = None
        for candidate, core in cores:
            longest = self._effort.longest * deepest if best is None else best.length
            if len(core) >= longest:
                # A story needs all truths of a core that can do without none, a placement for each.
                continue
            story = self._tell(candidate, core, longest, deepest)
            if story is not None and (best is None or story.length < best.length):
                best = story
        return best

    def _tell_flat(self, candidate: int, truths: Sequence[Truth], longest: int) -> Story | None:
        """A story without cases inside cases."""
        return self._tell(candidate, truths, longest, 1)

    def _tell(
        self, candidate: int, truths: Sequence[Truth], longest: int, deepest: int
    ) -> Story | None:
        position = self._position
        # Whatever else has changed, the same truths with the same members make the same story.
        told_with = deepest, tuple(truth.members & position.left for truth in truths)
        if candidate in self._told and self._told[candidate].told_with == told_with:
            return self._told[candidate].story
        telling = Telling(position.board, position.left, truths, self._budget)
        story = telling.tell(candidate, longest, deepest)
        if story is not None:
            self._told[candidate] = _Told(story, told_with)
        return story
