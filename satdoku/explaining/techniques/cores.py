"""Cases: if there is no net, a solver finds truths that together exclude a candidate.

The solver's set of truths (its core) is four times as large as needed. So the shortest cores are
shrunk one truth at a time, a story is made for each, and the shortest story is taken: it reads
better than the one with the fewest truths.
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

# A solver that finds truths which exclude a candidate, and keeps learned clauses between queries.
#
# If no story can be made from its answers, a *search* takes all exclusions from one truth. Puzzles
# with very few givens, which rules such as non-consecutive allow, begin with steps that rest on
# nearly all truths of the board. Such a step is proved like any other, but nobody could follow its
# cases. To need few of them, each search excludes all that can be excluded from the narrowest
# truth, which mostly places a digit, so that easier steps follow.

# glucose4 finds cores with the fewest truths of the solvers tried.
SOLVER = "glucose4"


class Effort(NamedTuple):
    """Limits on the cost of a puzzle's stories, after which searches take their place."""

    # Conflicts of a query. It took at most 98 on 40 of the hardest classic puzzles, and 233 with
    # the rule anti-knight. Queries that take more than this have cores of 200 truths or more, and
    # nobody can follow a story of these.
    patience: int = 300

    # Conflicts of all queries together. Those 40 puzzles took at most 7,000. Puzzles with few
    # givens would take minutes, with hundreds of stories that exclude hardly anything.
    conflicts: int = 20_000

    # Placements of a story; if every core needs more, nested cases are allowed. One story without
    # such a limit took 20 s.
    longest: int = 200

    # The largest board size on which all candidates are queried at every step; on larger boards
    # that takes half of the time, so `KnownCores` is used.
    asked_all: int = 9


USUAL = Effort()


class TooHardError(Exception):
    """A query that reached a limit of `Effort`, so that no story can be made from its answer."""


class CoreSolver:
    """The truths of a position as a formula, each enabled by a selector.

    `possible` is the mask of candidates known to hold in some solution: no truths exclude them.
    `spent` counts the conflicts of the queries for stories.
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
        """Add to the solver the candidates that steps have settled since the last call."""
        self._formula.learn(self.position.left, self.position.placed)

    def to_ask_about(self, candidates: int) -> Iterator[int]:
        """Yield the candidates that may be excluded: neither placed nor in a known solution.

        Candidates that become `possible` during the iteration are skipped.
        """
        for candidate in candidates_of(candidates & self.position.left & ~self.position.placed):
            if not self.possible >> candidate & 1:
                yield candidate

    def by_width(self, truths: Iterable[Truth]) -> list[Truth]:
        """Return the truths sorted by how many members are left, fewest first."""
        left = self.position.left
        return sorted(truths, key=lambda t: ((t.members & left).bit_count(), t.number))

    def core(self, candidate: int, truths: Sequence[Truth]) -> list[Truth] | None:
        """Return truths among these that exclude a candidate; None if it can hold with all of them.

        Raise TooHardError if the query exceeds its conflict limit.
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
        """Add the candidates of the solver's last model to `possible`.

        Call this only after a query with all truths: only then is the model a solution.
        """
        self.possible |= self._held()

    def excluded_by_model(self, truths: Iterable[Truth]) -> int:
        """Return the candidates excluded by members of the truths that hold in the last model.

        All other candidates are compatible with the truths, too.
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
        """Return the numbers of truths that a core needs: without any one, the candidate may hold.

        The solver has just found a model without the truth `missing`. Make one of its members hold
        in place of the candidates that it excludes: if then exactly one other truth has no member
        that holds, that truth is needed, too, and so on. That saves two of three queries (model
        rotation).
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
        """Return the candidates that hold in the last model."""
        # Candidates are the first variables of the model.
        model = self._formula.session.model()[: len(self.position.board.links) - 1]
        return mask_of(literal for literal in model if literal > 0)

    def close(self) -> None:
        self._formula.close()

    def _ask(self, candidate: int, truths: Iterable[Truth], patience: int | None = None) -> Status:
        """Ask the solver whether a candidate can hold together with these truths."""
        selectors = self._selectors
        assumptions = [candidate, *[selectors[truth.number] for truth in truths]]
        return self._formula.session.solve(self.budget, patience, assumptions)

    def _core(self, found: Status) -> list[Truth] | None:
        session = self._formula.session
        if found is Status.UNSATISFIABLE:
            return self._formula.truths_of(session.core())
        return None


# How often a core is queried again alone to get a smaller one; more rounds gain hardly anything.
_TRIMMINGS = 4


def find_by_search(solver: CoreSolver) -> Finding | None:
    """Return all exclusions that a solver finds in the narrowest truth that has any."""
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
    """Return truths that exclude a candidate, trimmed; None if it can hold."""
    found = solver.search(candidate, every)
    if found is None:
        solver.note_model()
        return None
    for _ in range(_TRIMMINGS):
        found = solver.search(candidate, found) or found
    return found


# Cores on large boards: kept from step to step, and queried again if that may shorten them.
#
# A 16x16 board has hundreds of candidates to exclude, mostly with cores of 400 truths. To query all
# of them at every step, and to try stories for cores that have none, took most of the time. A core
# stays valid at every later step, so it is queried again only if it is one of the most promising,
# or once in `_TURNS` steps.

# Excluding one of two members of a truth places the other one, and excluding one of three makes a
# strong link; with four or more it hardly ever helps. So cores and stories are compared by their
# length times 1, 1.5 or 2.
_WEIGHTS = {2: 1.0, 3: 1.5}
_WEIGHT_OF_OTHERS = 2.0

# The most stories to try at a step at which one was found, as on small boards.
_STORIES = 8

# The most cores to shrink at a step; more if there is no story yet. Shrinking a core takes some
# forty easy queries; querying it once is one hard query, and counts as a quarter.
_SHRUNK, _SHRUNK_WITHOUT_STORY = 16, 32
_QUESTION = 0.25

# The most truths of a core to shrink. Larger ones take hundreds of conflicts, sometimes thousands,
# and hardly ever have a story. Queried again at a later step, they are mostly much shorter.
_LARGE = 110

# Queried with the truths of a core alone, the solver needs fewer of them. If it needs more than
# this share, another query gains nothing. A core whose story failed is tried again if it is shorter
# by this factor, or after some steps: the truths of a large core change at nearly every step, and
# its story still fails.
_SAME = 0.9
_STEPS_UNTOLD = 8

# A core that is not promising is queried once in this many steps.
_TURNS = 24

# If no core has a story, how many candidates to try with all truths; each may take 0.5 s.
_WITH_ALL_TRUTHS = 3


class _KnownCore:
    """A core with its weight, whether it was trimmed or shrunk, and when its story last failed."""

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
        """Return the number of the core's open truths (the mask `is_open`) times its weight."""
        return (self.numbers & is_open).bit_count() * self.weight

    def may_be_told(self, longest: int, turn: int) -> bool:
        """Whether a story is worth trying: none failed lately with nearly as many truths."""
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
        """Whether to try no more stories: many were tried, or the next core is too large."""
        if self.story is None:
            return self._told >= 2 * _STORIES
        return self._told >= _STORIES or rank >= self._rank

    def note(self, story: Story | None, weight: float) -> None:
        self._told += 1
        if story is not None and (self.story is None or story.length * weight < self._rank):
            self.story, self._rank = story, story.length * weight


class KnownCores:
    """The cores of a board, by the candidates that they exclude.

    `ask` returns the part of a core that the solver needs, `shrink` a minimal part of it, and
    `tell` a story that refutes a candidate with some truths, of at most a given length.
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
        """Store cores found for candidates unless smaller ones are known."""
        for candidate, truths in cores:
            known = self._known.get(candidate)
            if known is None:
                self._known[candidate] = _KnownCore(truths, self._position.left)
            elif len(truths) < len(known.truths):
                known.put(truths, self._position.left)

    def truths(self) -> dict[int, list[Truth]]:
        """Return the cores by the candidates that they exclude."""
        return {candidate: known.truths for candidate, known in self._known.items()}

    def best_story(self, candidates: Iterable[int], longest: int) -> Story | None:
        """Return the story with the least weighted length for one of these candidates, or None."""
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
        """Return the candidates that have a core as a heap, the most promising cores first."""
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
        """Search a story for a core, unless a recent search for it failed."""
        longest = found.longest(known.weight)
        if known.may_be_told(longest, self._turn):
            story = self._tell(candidate, known.truths, longest)
            found.note(story, known.weight)
            if story is None:
                known.failed_with, known.failed_at = (len(known.truths), longest), self._turn

    def _weigh(self) -> None:
        """Set the weight of each core by how much its candidate's exclusion may help."""
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
        """Whether a core may have become smaller since the last query about it."""
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
        """Query a core again, or shrink it; return the cost, 0 if the core is too large."""
        if self._is_to_ask(known):
            self._ask_again(candidate, known)
            return _QUESTION
        if len(known.truths) > _LARGE:
            return 0
        known.put(self._shrink(candidate, known.truths), self._position.left)
        known.is_small = True
        return 1

    def _told_with_all(self, candidates: Iterable[int], longest: int) -> Story | None:
        """Return a story with all truths: more suppositions fail at once, but it takes longer."""
        for candidate in candidates:
            known = self._known[candidate]
            if self._turn - known.failed_with_all_at >= _STEPS_UNTOLD:
                story = self._tell(candidate, self._position.open_truths, longest)
                if story is not None:
                    return story
                known.failed_with_all_at = self._turn
        return None


# How many of the shortest cores get a story. With 4, the stories of the hardest puzzles are a
# quarter longer; with 16, they are hardly shorter and take twice the time.
_CORES = 8

# If no core has a story, how many candidates to try with all truths; each may take 0.3 s.
_TOLD_WITH_ALL_TRUTHS = 3

# The deepest nesting of cases. The hardest classic puzzles never need more.
_DEEPEST = 2

# If more candidates than this are left, and open cells have on average more than this share of all
# digits, a search takes the place of stories. On such a board a story excludes one candidate and
# hardly ever helps: for a puzzle with the rule non-consecutive 131 stories took 21 s, five searches
# 2 s. When cases began, the share was 0.49 at most on the hardest classic puzzles, and 0.57 on
# those with the rule anti-knight.
_MANY, _CROWDED = 300, 0.6

Core = tuple[int, list[Truth]]


class _Told(NamedTuple):
    """A story with the depth and the members of truths that it was made from."""

    story: Story
    told_with: tuple[int, tuple[int, ...]]


class CoreFinder:
    """The search for steps by cases, or by a solver's search if nobody could follow the cases.

    `possible` are candidates known to hold in some solution.
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
        """Return the step with the shortest story, or, if stories take too long, that of a search.

        Return None if no further candidate can be excluded.
        """
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
        """Add stories for other exclusions by the finding's truths, in sum at most as long."""
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
                # Candidates compatible with this model need no query: one in ten is left.
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
        """Return a story without nested cases, without querying most cores; None if not found."""
        if not self._known:
            self._known.keep(self._cores())
        return self._known.best_story(
            self._solver.to_ask_about(self._position.left), self._effort.longest
        )

    def _best_story(self, cores: list[Core]) -> Story | None:
        small = self._smallest(cores)
        # A story of a core comes first, since few truths are easier to follow. All truths come
        # next, as more suppositions fail at once with them than with a core; nested cases come
        # last.
        story = self._shortest_story(small, 1)
        for candidate, _ in small[:_TOLD_WITH_ALL_TRUTHS]:
            story = story or self._tell(
                candidate, self._position.open_truths, self._effort.longest, 1
            )
        for deepest in range(2, _DEEPEST + 1):
            story = story or self._shortest_story(small, deepest)
        return story

    def _smallest(self, cores: list[Core]) -> list[Core]:
        """Return the shortest cores, each shrunk to a minimal one."""
        cores = sorted(cores, key=lambda core: (len(core[1]), core[0]))
        return [(candidate, self._shrink(candidate, core)) for candidate, core in cores[:_CORES]]

    def _cores(self) -> list[Core]:
        """Return a core for each candidate that the truths exclude.

        A core found for an earlier step still holds. Querying its truths alone takes a third of the
        time, and steps since then make it smaller.
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
        """Shrink a core to a minimal one by deletion, trying the widest truths first."""
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
                # A minimal core is used whole, with a placement for each truth, so this story is no
                # shorter.
                continue
            story = self._tell(candidate, core, longest, deepest)
            if story is not None and (best is None or story.length < best.length):
                best = story
        return best

    def _tell_flat(self, candidate: int, truths: Sequence[Truth], longest: int) -> Story | None:
        """Return a story without nested cases, or None."""
        return self._tell(candidate, truths, longest, 1)

    def _tell(
        self, candidate: int, truths: Sequence[Truth], longest: int, deepest: int
    ) -> Story | None:
        position = self._position
        # The same truths with the same members make the same story, whatever else has changed.
        told_with = deepest, tuple(truth.members & position.left for truth in truths)
        if candidate in self._told and self._told[candidate].told_with == told_with:
            return self._told[candidate].story
        telling = Telling(position.board, position.left, truths, self._budget)
        story = telling.tell(candidate, longest, deepest)
        if story is not None:
            self._told[candidate] = _Told(story, told_with)
        return story
