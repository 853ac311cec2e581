"""The way from the givens on, step by step, always by the easiest technique that leads on."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice, takewhile

from satdoku.encoding.variables import Placement
from satdoku.errors import SatdokuError
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Locked, Position, find_singles, lead_on
from satdoku.explaining.prover import Prover
from satdoku.explaining.step import Level, Step, Strong, Taken, Technique, Way
from satdoku.explaining.techniques.chains import Chains
from satdoku.explaining.techniques.colouring import find_colouring
from satdoku.explaining.techniques.cores import USUAL, CoreFinder, Effort
from satdoku.explaining.techniques.nets import Nets
from satdoku.explaining.techniques.rectangles import Rectangles
from satdoku.explaining.techniques.subsets import HallSets, Subsets
from satdoku.explaining.techniques.wider import Lines, WiderSearch, WiderTruths
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
    """All steps that the level allows; what there is when the limit is reached.

    `possible` are candidates known to stand in some solution: nobody need try to exclude them.
    """
    with Walker(board, level, budget, watch) as walker:
        walker.possible, walker.effort = possible, effort
        return walker.go_on()


# Three lines with fins take longer to see than a chain of two links or an XY-wing.
_EASIER_THAN_FINS = set(takewhile(lambda t: t is not Technique.FINNED_SWORDFISH, Technique))

# A chain of so many links has no name of its own, and is not easier to see than two colours.
_LONG = 4

# How many steps are made before they are proved; on a large board a limit may come before them all.
_MOST_UNPROVED = 100


class _Searches:
    """The searches for steps that are no singles, each of which keeps what it found out."""

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self.lines = Lines(position)
        self.locked = Locked(position)
        self.subsets = Subsets(position)
        self.hall_sets = HallSets(position)
        self.chains = Chains(position, budget)
        self.nets = Nets(position, budget)

    def find_chain(self, may_colour: bool) -> Finding | None:
        """A chain over single truths, or a fish with fins where that is easier.

        In place of a long chain come two colours where these exclude more.
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
        """A chain over links with fins, of what a net could exclude as well."""
        refuted = self.nets.refuted()
        return self.chains.find_finned(refuted) if refuted else None


class Walker(Closable):
    """A position that is led on; every step is proved again before it is handed out.

    `level` may be raised between two stretches of the way. `possible` are candidates known to stand
    in some solution, `effort` is what stories may cost, `near` is the cell that was filled last.
    """

    def __init__(
        self, board: Board, level: Level, budget: Budget, watch: Watch = unwatched
    ) -> None:
        # Whatever follows from them follows from all clues at once, which tells a person nothing.
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

    def assume_only(self, solution: Grid, puzzle: Puzzle | None = None) -> None:
        """Allows techniques that rest on it that this is the only solution of the puzzle.

        The board may be that of a puzzle which a player has filled further.
        """
        board = self.position.board
        self._rectangles = Rectangles(board, puzzle or board.puzzle)
        self._prover.assume_only(solution)

    def go_on(self) -> Way:
        """The way from its beginning to where the level, or the limit, ends it."""
        is_complete = True
        try:
            while self._take(self._look()):
                pass
        except LimitReachedError:
            is_complete = False
        position, dead_end = self.position, self._dead_end
        rests_on = () if dead_end is None else position.taken.behind((dead_end,), position.left)
        steps = tuple(position.steps[: self._proven])
        is_full = is_complete and position.is_full and dead_end is None
        return Way(position.board, steps, dead_end, rests_on, is_full, is_complete)

    def follow(self, way: Way) -> None:
        """Goes a way without stories, which was found and proved on another board of the puzzle."""

        def link_here(link: Strong) -> Strong:
            off, on = (mask_of(map(number_of.__getitem__, candidates_of(m))) for m in link[:2])
            return Strong(off, on, tuple(truth_of[truth.number] for truth in link.truths))

        # Candidates and truths stand in the same order on both.
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

    def ways(self) -> Iterator[Way]:
        """The way as far as it is known, each time that a step is found, and how it ends.

        LimitReachedError where a limit cuts it short.
        """
        told = 0
        while self._take(self._look()):
            self._prove()
            steps = tuple(self.position.steps)
            for count in range(told + 1, len(steps) + 1):
                yield Way(self.position.board, steps[:count])
            told = len(steps)
        yield self.go_on()

    def next_step(self) -> Step | None:
        """A single further step, or None where there is none."""
        if not self._take(islice(self._look(), 1)):
            return None
        self._prove()
        return self.position.steps[-1]

    def every_step(self) -> list[Step]:
        """Return all singles, then steps that exclude something more each; carry out none of them.

        After each that excludes something the search goes on as if it were done, and what it finds
        counts if it holds without that too. Cases are looked for only where there is nothing else.
        """
        position, left = self.position, self.position.left
        empty, single = position.sort_out()
        if empty is not None:
            return []
        steps = [position.step_of(finding) for finding in find_singles(position, single)]
        last_resorts = (self._find_cases, self._search_wider)
        for level, find in self._finders():
            if level.rank > self.level.rank or (find in last_resorts and steps):
                continue
            while (finding := find()) is not None:
                self._budget.require()
                if not any(t.members & left & ~position.left for t in finding.truths):
                    step = position.step_of(finding)
                    steps.append(step._replace(before=left, number=1))
                position.apply(finding)
                if find in last_resorts:
                    break
        for step in steps:
            self._prover.require(step)
        return [step._replace(taken=Taken()) for step in steps]

    def close(self) -> None:
        self._prover.close()
        if self._cores is not None:
            self._cores.close()
        if self._wider_search is not None:
            self._wider_search.close()
        if "_wider" in vars(self):
            self._wider.close()

    def _look(self) -> Iterator[Finding]:
        """Yield singles while there are any, else one harder deduction; nothing at the way's end.

        Each single is looked for on the board with those before it, so the caller carries each out
        before it asks for the next one.
        """
        self._budget.require()
        empty, single = self.position.sort_out()
        if empty is None and single:
            return islice(lead_on(self.position, single, self.near), _MOST_UNPROVED)
        # The search for a harder one may reach the limit, and then what was proved is all there is.
        self._prove()
        self._dead_end = empty
        if self.position.is_full and empty is None and self.position.board.wider:
            self._dead_end = self._wider.find_broken()
        if empty is not None or self.position.is_full:
            return iter(())
        harder = self._find_harder()
        return iter(() if harder is None else (harder,))

    def _take(self, findings: Iterable[Finding]) -> bool:
        """Makes steps of what was found, if there is anything.

        They are proved together, which takes less time.
        """
        position = self.position
        before = len(position.steps)
        for finding in findings:
            self._carry_out(finding)
        if len(position.steps) - self._proven > _MOST_UNPROVED:
            self._prove()
        return len(position.steps) > before

    def _carry_out(self, finding: Finding) -> Step:
        if finding.places is not None:
            self.near = self.position.board.placements[finding.places]
        return self.position.apply(finding)

    def _prove(self) -> None:
        """Has all steps proved that were made since the last time."""
        made = self.position.steps[self._proven :]
        if made:
            self._prover.require_all(made)
            self._proven += len(made)
        for step in made:
            self._watch(f"step {step.number}")

    def _find_harder(self) -> Finding | None:
        """The easiest deduction that is no single."""
        for level, find in self._finders():
            if self.level.rank >= level.rank:
                finding = find()
                if finding is not None:
                    return finding
        return None

    def _finders(self) -> Iterator[tuple[Level, Callable[[], Finding | None]]]:
        """The searches from easy to hard, each with the level from which on it is allowed."""
        if self._searches is None:
            # Made when the first of them is needed: easy puzzles have singles only.
            self._searches = _Searches(self.position, self._budget)
        searches = self._searches
        yield Level.BASIC, searches.lines.find
        yield Level.BASIC, searches.locked.find_for_cells
        if self.position.board.wider:
            yield Level.BASIC, self._wider.find
        yield Level.BASIC, searches.locked.find
        yield Level.BASIC, searches.subsets.find
        yield Level.BASIC, searches.hall_sets.find
        if self.position.board.wider:
            yield Level.BASIC, self._wider.find_beyond
            yield Level.BASIC, self._wider.find_together
            yield Level.BASIC, self._wider.find_in_units
            yield Level.BASIC, self._search_few
        if self._rectangles is not None:
            rectangles = self._rectangles
            yield Level.BASIC, lambda: rectangles.find(self.position)
        # Which of several chains comes first decides whether colours are told, and they are bigger.
        may_colour = self.level.rank >= Level.PATTERNS.rank
        yield Level.CHAINS, lambda: searches.find_chain(may_colour)
        yield Level.PATTERNS, searches.chains.find_with_sets
        yield Level.PATTERNS, searches.chains.find_blossom
        yield Level.PATTERNS, searches.find_finned
        yield Level.ALL, searches.nets.find
        yield Level.ALL, self._find_cases
        if self.position.board.wider:
            yield Level.ALL, self._search_wider

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
            # Built when it is first needed: most puzzles never get here.
            self._cores = CoreFinder(self.position, self._budget, self.possible, self.effort)
        return self._cores.find()
