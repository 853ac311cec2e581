"""Find the way from the givens on, step by step, always with the easiest technique that applies."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, partial
from itertools import takewhile

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Locked, Position, find_singles
from satdoku.explaining.prover import Prover
from satdoku.explaining.step import ASSUMING_UNIQUE, Deduction, Level, Strong, Taken, Technique, Way
from satdoku.explaining.techniques.chains import Chains, Family
from satdoku.explaining.techniques.colouring import find_colouring
from satdoku.explaining.techniques.compared import EqualCells, Neighbours
from satdoku.explaining.techniques.cores import USUAL, CoreFinder, Effort
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.rectangles import Rectangles
from satdoku.explaining.techniques.search import PLACES, Around, every_search
from satdoku.explaining.techniques.subsets import HallSets, Subsets
from satdoku.explaining.techniques.wider import Lines, WiderSearch, WiderTruths
from satdoku.explaining.words.chains import WINGS
from satdoku.puzzle.constraints import HiddenRegions, mask_of
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.session import Closable


def find_way(
    board: Board,
    level: Level,
    budget: Budget,
    watch: Watch = unwatched,
    possible: int = 0,
    effort: Effort = USUAL,
) -> Way:
    """Return all steps that the level allows; at a limit, the steps so far.

    `possible` are candidates known to hold in some solution, which no search tries to exclude.
    """
    with Walker(board, level, budget, watch) as walker:
        walker.possible, walker.effort = possible, effort
        return walker.go_on()


# Techniques before a finned swordfish: three lines with fins take longer to see than a chain of two
# links or an XY-wing.
_EASIER_THAN_FINS = set(takewhile(lambda t: t is not Technique.FINNED_SWORDFISH, Technique))

# Chains of at least this many links have no name of their own, and are not easier to see than two
# colours.
_LONG = 4

_Find = Callable[[], Finding | None]

# The most steps to take before proving them: on a large board a limit may come before all of them
# are made.
_MOST_UNPROVED = 100


# The techniques of each search that can list all of its findings.
_LOCKED = {Technique.POINTING, Technique.CLAIMING, Technique.LOCKED, Technique.BOUNDS}
_SUBSETS = {
    Technique.LOCKED_PAIR,
    Technique.NAKED_PAIR,
    Technique.HIDDEN_PAIR,
    Technique.X_WING,
    Technique.LOCKED_TRIPLE,
    Technique.NAKED_TRIPLE,
    Technique.HIDDEN_TRIPLE,
    Technique.SWORDFISH,
    Technique.NAKED_QUAD,
    Technique.HIDDEN_QUAD,
    Technique.JELLYFISH,
}
_FINNED = {
    Technique.FINNED_SWORDFISH,
    Technique.SASHIMI_SWORDFISH,
    Technique.FINNED_JELLYFISH,
    Technique.SASHIMI_JELLYFISH,
}
_IN_TURN = {
    Technique.SUM,
    Technique.RULE_OF_45,
    Technique.BOUNDS,
    Technique.EQUAL,
    Technique.NEIGHBOURS,
    Technique.TOGETHER,
    Technique.HALL_SET,
    Technique.CASES,
    Technique.SEARCH,
}
_OF_DIGITS = {
    Technique.SKYSCRAPER,
    Technique.TWO_STRING_KITE,
    Technique.TURBOT_FISH,
    Technique.X_CHAIN,
}
_OF_FAMILY = {
    Family.DIGIT: _OF_DIGITS,
    Family.GROUPED_DIGIT: {
        Technique.EMPTY_RECTANGLE,
        Technique.FINNED_X_WING,
        Technique.SASHIMI_X_WING,
        Technique.GROUPED_X_CHAIN,
    },
    Family.CELLS: {Technique.XY_WING, Technique.REMOTE_PAIR, Technique.XY_CHAIN},
    Family.SINGLE: {Technique.LOOP, Technique.CHAIN, *WINGS.values(), Technique.H3_WING},
    Family.GROUPED: {Technique.GROUPED_CHAIN},
    Family.SETS: {
        Technique.XYZ_WING,
        Technique.WXYZ_WING,
        Technique.SUE_DE_COQ,
        Technique.ALS_XZ,
        Technique.ALS_XY_WING,
    },
    Family.ALL: {Technique.ALS_W_WING, Technique.ALS_CHAIN},
}


class _Different:
    """A collection of findings; of those of a technique that exclude the same, the smallest."""

    def __init__(self, wanted: Collection[Technique]) -> None:
        self._wanted = wanted
        self._found: dict[tuple[Technique, int | None, tuple[int, ...]], Finding] = {}

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found.values())

    @property
    def gone(self) -> int:
        """The mask of the candidates that the findings exclude."""
        return mask_of({c for finding in self for c in finding.excludes})

    def add(self, findings: Iterable[Finding]) -> None:
        """Add the findings that exclude something different, or the same with fewer truths."""
        for finding in findings:
            # A loop may exclude nothing; then it is no step.
            is_step = finding.places is not None or finding.excludes
            if is_step and finding.technique in self._wanted:
                key = finding.technique, finding.places, finding.excludes
                known = self._found.get(key)
                if known is None or len(finding.truths) < len(known.truths):
                    self._found[key] = finding


class _Searches:
    """The searches for all steps but singles; each keeps its state between calls."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self.equal_cells = EqualCells(position)
        self.neighbours = Neighbours(position)
        self.lines = Lines(position)
        self.locked = Locked(position)
        self.subsets = Subsets(position)
        self.hall_sets = HallSets(position)
        self.chains = Chains(position, budget)
        self.nets = Nets(position, budget)
        self.around = Around(position, budget, self.nets, {})

    def find_chain(self, may_colour: bool) -> Finding | None:
        """Return a chain over single truths, or a finned fish if that is easier.

        Two colours replace a long chain if they exclude more.
        """
        found = self.chains.find_simple()
        if found is not None and found.technique in _EASIER_THAN_FINS:
            return found
        finned = self.subsets.find_finned()
        if finned is None and found is not None and may_colour and len(found.chain) >= _LONG:
            coloured = find_colouring(self._position)
            if coloured is not None and len(coloured.excludes) > len(found.excludes):
                return coloured
        return finned or found

    def find_finned(self) -> Finding | None:
        """Return a chain over links with fins, for a candidate that a net could exclude too."""
        refuted = self.nets.refuted()
        return self.chains.find_finned(refuted) if refuted else None


class Walker(Closable):
    """A position that advances step by step; a solver proves every step before it is returned.

    `level` may be raised between two calls. `possible` are candidates known to hold in some
    solution, `effort` limits the search for stories, `near` is the last placement.
    """

    def __init__(
        self, board: Board, level: Level, budget: Budget, watch: Watch = unwatched
    ) -> None:
        # Hidden regions are no truths here: a step from them would rest on all clues at once, which
        # tells a person nothing.
        if any(isinstance(truth.wider, HiddenRegions) for truth in board.wider):
            raise SatdokuError(
                "explanations do not follow hidden regions yet, which this puzzle has"
            )
        self.position = Position(board)
        self.level = level
        self.possible = 0
        self.effort = USUAL
        self.near: Placement | None = None
        self._dead_end: Truth | None = None
        self._proven = 0
        self._budget = budget
        self._watch = watch
        self._prover = Prover(board, budget)
        self._searches: _Searches | None = None
        self._wider_search: WiderSearch | None = None
        self._cores: CoreFinder | None = None
        self._rectangles: Rectangles | None = None
        # Created on first use: easy puzzles need singles only.
        self._finders: list[tuple[Level, _Find]] = []

    def assume_only(self, solution: Grid, puzzle: Puzzle | None = None) -> None:
        """Allow techniques that use the fact that this is the only solution of the puzzle.

        The board may have entries of a player; `puzzle` is then the one without them.
        """
        board = self.position.board
        self._rectangles = Rectangles(board, puzzle or board.puzzle)
        self._finders = []
        self._prover.assume_only(solution)

    def go_on(self) -> Way:
        """Return the way from its beginning to the level's last step, or to the limit."""
        is_complete = True
        try:
            while self._advance():
                pass
        except LimitReachedError:
            is_complete = False
        position, dead_end = self.position, self._dead_end
        rests_on = () if dead_end is None else position.taken.behind((dead_end,), position.left)
        steps = tuple(position.steps[: self._proven])
        is_full = is_complete and position.is_full and dead_end is None
        return Way(position.board, steps, dead_end, rests_on, is_full, is_complete)

    def follow(self, way: Way) -> None:
        """Take the steps of a way without stories, proved on another board of the puzzle."""

        def link_here(link: Strong) -> Strong:
            off, on = (mask_of(map(number_of.__getitem__, candidates_of(m))) for m in link[:2])
            return Strong(off, on, tuple(truth_of[truth.number] for truth in link.truths))

        # Candidates and truths have the same order on both boards.
        candidates = candidates_of(way.board.every_candidate)
        number_of = {candidate: number for number, candidate in enumerate(candidates, 1)}
        open_truths = zip(way.board.open_truths, self.position.board.truths, strict=True)
        truth_of = {theirs.number: ours for theirs, ours in open_truths}
        for step in way.steps:
            truths = tuple(truth_of[truth.number] for truth in step.truths)
            places = None if step.places is None else number_of[step.places]
            excludes = tuple(number_of[candidate] for candidate in step.excludes)
            chain = tuple(map(link_here, step.chain))
            finding = Finding(step.technique, truths, places, excludes, chain)
            self._prover.note(self._carry_out(finding))
        self._proven = len(way.steps)

    def go_along(self, steps: Iterable[Deduction]) -> None:
        """Apply steps that were found and proved on this board."""
        for step in steps:
            finding = Finding(step.technique, step.truths, step.places, step.excludes)
            self._prover.note(self._carry_out(finding))
        self._proven = len(self.position.steps)

    def ways(self) -> Iterator[Way]:
        """Yield the way so far after each step found, then the complete way.

        Raise LimitReachedError if a limit is reached first.
        """
        told = 0
        while self._advance():
            self._prove()
            steps = tuple(self.position.steps)
            for count in range(told + 1, len(steps) + 1):
                yield Way(self.position.board, steps[:count])
            told = len(steps)
        yield self.go_on()

    def next_step(self) -> Deduction | None:
        """Take one further step and return it; None if there is none."""
        if not self._advance(1):
            return None
        self._prove()
        return self.position.steps[-1]

    def every_step(self, wanted: Collection[Technique] = frozenset(Technique)) -> list[Deduction]:
        """Return the steps of these techniques that exclude something different, easiest first.

        No step is applied. Of several steps of a technique that exclude the same, the one with the
        fewest truths is listed. Cases are searched only if there is nothing else.
        """
        position = self.position
        empty, single = position.sort_out()
        if empty is not None:
            return []
        findings = _Different(wanted)
        findings.add(find_singles(position, single))
        findings.add(self._every_finding(wanted))
        findings.add(self._further_findings(wanted, findings.gone))
        steps = [position.step_of(finding)._replace(number=1) for finding in findings]
        is_any = bool(steps) or set(wanted) != set(Technique)
        if not _IN_TURN.isdisjoint(wanted):
            steps += [s for s in self._steps_in_turn(is_any, wanted) if s.technique in wanted]
        order = {technique: place for place, technique in enumerate(Technique)}
        steps.sort(key=lambda step: (order[step.technique], step.size))
        for step in steps:
            self._prover.require(step)
        return [step._replace(taken=Taken()) for step in steps]

    def _every_finding(self, wanted: Collection[Technique]) -> Iterator[Finding]:
        """Yield all findings of each search that may find some of the wanted techniques."""
        if self._searches is None:
            self._searches = _Searches(self.position, self._budget)
        searches, rectangles = self._searches, self._rectangles
        if not _LOCKED.isdisjoint(wanted):
            yield from searches.locked.every()
        if not _SUBSETS.isdisjoint(wanted):
            yield from searches.subsets.every()
        if rectangles is not None and not ASSUMING_UNIQUE.isdisjoint(wanted):
            yield from rectangles.every(self.position)
        if not _FINNED.isdisjoint(wanted):
            yield from searches.subsets.every_finned()
        families = [f for f, names in _OF_FAMILY.items() if not names.isdisjoint(wanted)]
        yield from searches.chains.every(families)
        if Technique.DEATH_BLOSSOM in wanted:
            yield from searches.chains.every_blossom()

    def _further_findings(self, wanted: Collection[Technique], gone: int) -> Iterator[Finding]:
        """Yield finned chains, findings of `techniques/` files, and nets for others than `gone`."""
        assert self._searches is not None, "easier ones were looked for"
        nets = self._searches.nets
        if Technique.FINNED_CHAIN in wanted:
            finned = self._searches.find_finned()
            yield from () if finned is None else (finned,)
        around = self._searches.around
        for search in every_search():
            if not search.elsewhere.keys().isdisjoint(wanted):
                yield from search.every(around)
        if Technique.NET in wanted:
            yield from nets.every(nets.refuted() & ~gone)

    def _steps_in_turn(self, is_any: bool, wanted: Collection[Technique]) -> list[Deduction]:
        """Return steps of rules and of large sets, each of which holds without the ones before it.

        Each finding is applied, so that the next search finds something else. If nothing is found
        at all, cases are searched.
        """
        position, left = self.position, self.position.left
        steps: list[Deduction] = []
        last_resorts = (self._find_cases, self._search_wider)
        for find in (
            *self._finders_of_rules(wanted),
            *last_resorts[: 1 + bool(position.board.wider)],
        ):
            while not (find in last_resorts and (is_any or steps)):
                finding = find()
                if finding is None:
                    break
                self._budget.require()
                if not any(t.members & left & ~position.left for t in finding.truths):
                    steps.append(position.step_of(finding)._replace(before=left, number=1))
                position.apply(finding)
        return steps

    def _finders_of_rules(
        self, wanted: Collection[Technique]
    ) -> list[Callable[[], Finding | None]]:
        assert self._searches is not None, "easier ones were looked for"
        searches = self._searches
        found = [searches.equal_cells.find, searches.lines.find, searches.neighbours.find]
        found.append(searches.hall_sets.find)
        if self.position.board.wider:
            wider = self._wider
            found += [wider.find, wider.find_beyond]
            if Technique.TOGETHER in wanted:
                found += [wider.find_together, wider.find_in_units, self._search_few]
        return found

    def close(self) -> None:
        self._prover.close()
        if self._cores is not None:
            self._cores.close()
        if self._wider_search is not None:
            self._wider_search.close()
        if "_wider" in vars(self):
            self._wider.close()

    def _advance(self, most: int = _MOST_UNPROVED) -> bool:
        """Take singles while there are any, up to `most`; if there is none, one harder step.

        Singles are proved together, which takes less time. Return whether any step was taken.
        """
        self._budget.require()
        position = self.position
        before = len(position.steps)
        self.near = position.lead_on(self.near, most)
        if len(position.steps) == before:
            # Prove the steps so far first: the search may reach the limit, and unproved steps would
            # be lost.
            self._prove()
            harder = self._find_other()
            if harder is None:
                return False
            self._carry_out(harder)
        if len(position.steps) - self._proven > _MOST_UNPROVED:
            self._prove()
        return True

    def _find_other(self) -> Finding | None:
        """Return the easiest finding that is no single; None at the end of the way."""
        position = self.position
        self._dead_end, _ = position.sort_out()
        if position.is_full and self._dead_end is None and position.board.wider:
            self._dead_end = self._wider.find_broken()
        if self._dead_end is not None or position.is_full:
            return None
        return self._find_harder()

    def _carry_out(self, finding: Finding) -> Deduction:
        if finding.places is not None:
            self.near = self.position.board.placements[finding.places]
        return self.position.apply(finding)

    def _prove(self) -> None:
        """Let the prover check all steps made since the last call."""
        made = self.position.steps[self._proven :]
        if made:
            self._prover.require_all(made)
            self._proven += len(made)
            self._watch(f"step {made[-1].number}")

    def _find_harder(self) -> Finding | None:
        """Return the easiest finding that is no single, by the searches that the level allows."""
        if not self._finders:
            self._finders = list(self._every_finder())
        hardest = self.level.rank
        for level, find in self._finders:
            if hardest >= level.rank:
                finding = find()
                if finding is not None:
                    return finding
        return None

    def _every_finder(self) -> Iterator[tuple[Level, _Find]]:
        """Yield the searches from easy to hard, each with the lowest level that allows it."""
        if self._searches is None:
            self._searches = _Searches(self.position, self._budget)
        waiting = [search for search in every_search() if search.find is not None]
        for technique, level, find in self._own_finders(self._searches):
            while waiting and waiting[0].place < PLACES[technique]:
                search = waiting.pop(0)
                assert search.find is not None, "others do not wait"
                yield search.level, partial(search.find, self._searches.around)
            yield level, find

    def _own_finders(self, searches: _Searches) -> Iterator[tuple[Technique, Level, _Find]]:
        """Yield the searches without a file of their own, each with its first technique."""
        yield Technique.EQUAL, Level.BASIC, searches.equal_cells.find
        yield Technique.SUM, Level.BASIC, searches.lines.find
        yield Technique.BOUNDS, Level.BASIC, searches.locked.find_for_cells
        yield Technique.NEIGHBOURS, Level.BASIC, searches.neighbours.find
        if self.position.board.wider:
            yield Technique.BOUNDS, Level.BASIC, self._wider.find
        yield Technique.POINTING, Level.BASIC, searches.locked.find
        yield Technique.LOCKED_PAIR, Level.BASIC, searches.subsets.find
        yield Technique.HALL_SET, Level.BASIC, searches.hall_sets.find
        if self.position.board.wider:
            yield Technique.TOGETHER, Level.BASIC, self._wider.find_beyond
            yield Technique.TOGETHER, Level.BASIC, self._wider.find_together
            yield Technique.TOGETHER, Level.BASIC, self._wider.find_in_units
            yield Technique.TOGETHER, Level.BASIC, self._search_few
        if self._rectangles is not None:
            rectangles = self._rectangles
            yield Technique.UNIQUE_RECTANGLE, Level.BASIC, lambda: rectangles.find(self.position)
        yield Technique.SKYSCRAPER, Level.CHAINS, lambda: searches.find_chain(self._may_colour)
        yield Technique.XYZ_WING, Level.PATTERNS, searches.chains.find_with_sets
        yield Technique.DEATH_BLOSSOM, Level.PATTERNS, searches.chains.find_blossom
        yield Technique.FINNED_CHAIN, Level.PATTERNS, searches.find_finned
        yield Technique.NET, Level.ALL, searches.nets.find
        yield Technique.CASES, Level.ALL, self._find_cases
        if self.position.board.wider:
            yield Technique.SEARCH, Level.ALL, self._search_wider

    @property
    def _may_colour(self) -> bool:
        """Whether two colours may replace a chain.

        They do only at levels with patterns: whether they do depends on which of several chains
        comes first, and they are larger.
        """
        return self.level.rank >= Level.PATTERNS.rank

    @cached_property
    def _wider(self) -> WiderTruths:
        return WiderTruths(self.position, self._budget)

    def _search_few(self) -> Finding | None:
        return self._opened_search().find_few()

    def _search_wider(self) -> Finding | None:
        return self._opened_search().find()

    def _opened_search(self) -> WiderSearch:
        if self._wider_search is None:
            self._wider_search = WiderSearch(self.position, self._budget, self.possible)
        return self._wider_search

    def _find_cases(self) -> Finding | None:
        if self._cores is None:
            # Created on first use: most puzzles need no cores.
            self._cores = CoreFinder(self.position, self._budget, self.possible, self.effort)
        return self._cores.find()
