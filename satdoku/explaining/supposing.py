"""What follows within the truths of a step if an excluded candidate held, up to a contradiction.

A solver finds that a few rules together exclude a candidate; it gives no argument. Here the truths
are applied one after the other, as a player would, until one of them cannot hold any more. If that
does not end in a contradiction, the few digits of a cell are tried one by one.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Board, Truth, candidates_of, linked_to_all
from satdoku.explaining.position import Position
from satdoku.explaining.step import Deduction
from satdoku.explaining.techniques.wider import ScopeSolver, TruthScope
from satdoku.puzzle.constraints import Pair, mask_of
from satdoku.solving.assumptions import shrink
from satdoku.solving.limits import Budget
from satdoku.solving.session import Closable, Session

# The most truths to apply in turn: nobody follows more of them.
_MOST_EVENTS = 6

# The most digits of a cell to try one by one.
_MOST_CASES = 3

# The most cells in search of one whose digits all fail.
_MOST_CELLS = 6

# The most queries for a step: some rules have very many cells.
_MOST_QUERIES = 1500

# The conflict limit of a query about one truth; few take any.
_PATIENCE = 1000


class Event(NamedTuple):
    """A truth, the candidates left before it is applied, and those that it excludes then.

    `own` are all candidates of its own cells that the truth excludes, `gone` those of any cells
    that the argument needs.
    """

    truth: Truth
    left: int
    gone: int
    own: int


class Argument(NamedTuple):
    """The events that follow from a candidate, up to the truth that cannot hold any more.

    `left` are the candidates left at the end. If the cases are not empty, they are the candidates
    of one cell, each with its argument, and `dead_end` is None. `untold` are further candidates of
    this cell whose arguments would be long.
    """

    events: tuple[Event, ...]
    dead_end: Truth | None
    left: int
    cases: tuple[tuple[int, "Argument"], ...] = ()
    untold: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        """Return how many truths are applied."""
        return len(self.events) + 1 + sum(argument.length for _, argument in self.cases)


def arguments_of(board: Board, step: Deduction, most: int) -> list[dict[int, Argument]]:
    """Return an argument of at most `most` truths against each candidate that a step excludes.

    The arguments come in rounds: those of a round may use that the candidates of earlier rounds are
    excluded. Candidates without an argument are in no round.
    """
    rounds: list[dict[int, Argument]] = []
    waiting, left = list(step.excludes), step.before
    with Supposing(board, step) as supposing:
        while waiting:
            found = {}
            for candidate in waiting:
                argument = supposing.argue(candidate, left)
                if argument is not None and argument.length <= most:
                    found[candidate] = argument
            if not found:
                return rounds
            rounds.append(found)
            left &= ~mask_of(found)
            waiting = [candidate for candidate in waiting if candidate not in found]
    return rounds


class Supposing(Closable):
    """The search for the arguments of a step, by the truths of the step alone."""

    def __init__(self, board: Board, step: Deduction) -> None:
        self._board = board
        self._before = step.before
        self._truths = sorted(step.truths, key=lambda truth: truth.wider is not None)
        self._budget = Budget()
        position = Position(board)
        position.left = step.before
        self._solver = ScopeSolver(position, self._budget)
        self._sessions: dict[int, tuple[Session, list[int]]] = {}
        self._queries = 0
        self._ways: dict[int, list[int]] = {}
        self._universe = 0
        for truth in step.truths:
            self._universe |= truth.members & step.before

    def close(self) -> None:
        """Close the solvers."""
        for session, _ in self._sessions.values():
            session.close()

    def argue(self, candidate: int, left: int) -> Argument | None:
        """Return a short argument against a candidate; None if there is none."""
        left = self._with(candidate, left)
        found = self._follow(left)
        if found.dead_end is not None:
            return self._shorten(left, found)
        tried = (self._by_cases(found, cell) for cell in self._cells_to_try(found.left))
        return min((each for each in tried if each), key=lambda each: each.length, default=None)

    def begin(self, candidate: int, left: int) -> Argument | None:
        """Return an argument with one of several cases; None if no case is short."""
        left = self._with(candidate, left)
        for cell in self._cells_to_try(left, len(self._board.puzzle.geometry.row_cells(0))):
            for each in cell:
                start = self._with(each, left)
                then = self._follow(start)
                short = None if then.dead_end is None else self._shorten(start, then)
                if short is not None:
                    others = tuple(other for other in cell if other != each)
                    return Argument((), None, left, ((each, short),), others)
        return None

    def _by_cases(self, found: Argument, cell: Sequence[int]) -> Argument | None:
        """Return the argument that continues with each candidate of a cell; None if some hold."""
        cases = []
        for each in cell:
            start = self._with(each, found.left)
            then = self._follow(start)
            short = None if then.dead_end is None else self._shorten(start, then)
            if short is None:
                return None
            cases.append((each, short))
        return Argument(found.events, None, found.left, tuple(cases))

    def _with(self, candidate: int, left: int) -> int:
        return left & ~self._board.links[candidate]

    def _cells_to_try(self, left: int, most: int = _MOST_CASES) -> Iterator[list[int]]:
        """Yield the candidates of cells with few left, if the truths are about all of them."""
        cells: dict[int, list[int]] = {}
        beside: set[int] = set()
        for candidate in candidates_of(left):
            cell = self._board.placements[candidate].cell
            cells.setdefault(cell, []).append(candidate)
            if not self._universe >> candidate & 1:
                beside.add(cell)
        cells = {cell: each for cell, each in cells.items() if cell not in beside}
        few = (each for each in cells.values() if 1 < len(each) <= most)
        yield from sorted(few, key=len)[:_MOST_CELLS]

    def _follow(self, left: int) -> Argument:
        """Apply truths until one cannot hold, or none excludes anything."""
        events: list[Event] = []
        while len(events) < _MOST_EVENTS:
            for truth in self._truths:
                gone = self._excluded(truth, left)
                if gone is None:
                    return Argument(tuple(events), truth, left)
                if gone:
                    events.append(Event(truth, left, gone, gone & truth.members))
                    left &= ~gone
                    break
            else:
                break
        return Argument(tuple(events), None, left)

    def _excluded(self, truth: Truth, left: int) -> int | None:
        """Return what a truth excludes from the cells of the step; None if it cannot hold."""
        links, members = self._board.links, truth.members & left
        if not members:
            return None
        if truth.wider is None:
            return linked_to_all(members, links, self._universe & left)
        ways = self._ways_of(truth, left)
        if not ways:
            return None if ways is None else 0
        session, assumed = self._session(truth, left)
        gone = 0
        for candidate in candidates_of(self._near(members) & left):
            # The candidate holds in the truth, or excludes some of its members.
            is_inside = members >> candidate & 1
            against = 0 if is_inside else links[candidate] & members
            if any(self._allows(way, candidate, against) for way in ways):
                continue
            supposed = [-each for each in candidates_of(against)] or [candidate]
            answer = self._solve(session, [*assumed, *supposed])
            if answer is Status.UNSATISFIABLE:
                gone |= 1 << candidate
            elif answer is Status.SATISFIABLE:
                ways.append(self._add_way(session, truth, left))
        return gone

    def _ways_of(self, truth: Truth, left: int) -> list[int] | None:
        """Return ways to fill a truth with what is left, at least one; None if there is none.

        Ways that other suppositions allowed count again. Empty if no way is found in time.
        """
        ways = [way for way in self._ways.get(truth.number, ()) if not way & ~left]
        if ways:
            return ways
        session, assumed = self._session(truth, left)
        answer = self._solve(session, assumed)
        if answer is Status.UNSATISFIABLE:
            return None
        return [self._add_way(session, truth, left)] if answer is Status.SATISFIABLE else []

    def _add_way(self, session: Session, truth: Truth, left: int) -> int:
        """Return the way that a solver has found, and keep it."""
        model = session.model()
        members = candidates_of(truth.members & left)
        way = sum(1 << each for each in members if model[each - 1] > 0)
        self._ways.setdefault(truth.number, []).append(way)
        return way

    def _near(self, members: int) -> int:
        """Return the step's candidates that are among `members`, or exclude one of these."""
        links, near = self._board.links, members
        for member in candidates_of(members):
            near |= links[member]
        return near & self._universe & ~self._board.givens

    @staticmethod
    def _allows(way: int, candidate: int, against: int) -> bool:
        return not way & against if against else bool(way >> candidate & 1)

    def _solve(self, session: Session, assumed: Sequence[int]) -> Status:
        """Return the answer of a solver; unknown after very many queries."""
        self._queries += 1
        if self._queries > _MOST_QUERIES:
            return Status.UNKNOWN
        return session.solve(self._budget, _PATIENCE, assumed)

    def _session(self, truth: Truth, left: int) -> tuple[Session, list[int]]:
        """Return the solver of a truth, and the literals for what is left."""
        if truth.number not in self._sessions:
            session, selectors = self._solver.guarded_session(TruthScope((truth,)))
            self._sessions[truth.number] = session, list(selectors)
        session, selectors_ = self._sessions[truth.number]
        lost = truth.members & self._before & ~left
        return session, [*selectors_, *(-each for each in candidates_of(lost))]

    def _shorten(self, left: int, found: Argument) -> Argument | None:
        """Return the argument without the events, and the cells of events, that it can spare."""
        events, dead_end = list(found.events), found.dead_end
        assert dead_end is not None
        for event in found.events[::-1]:
            rest = [other for other in events if other is not event]
            replayed = self._replay(left, rest, dead_end)
            if replayed is not None:
                events, dead_end = list(replayed.events), replayed.dead_end or dead_end
        needed = dead_end.members
        for place in range(len(events) - 1, -1, -1):
            # What is excluded from cells of no later truth has no part in the argument.
            events[place] = events[place]._replace(gone=events[place].gone & needed)
            needed |= events[place].truth.members
        return self._replay(left, events, dead_end)

    def _replay(self, left: int, events: Sequence[Event], dead_end: Truth) -> Argument | None:
        """Apply these truths again, as far as they exclude the same.

        None if that does not end in a contradiction.
        """
        kept: list[Event] = []
        for event in events:
            every = self._excluded(event.truth, left)
            if every is None:
                return Argument(tuple(kept), event.truth, left)
            gone = every & event.gone
            if gone:
                kept.append(Event(event.truth, left, gone, every & event.truth.members))
                left &= ~gone
        if self._excluded(dead_end, left) is not None:
            return None
        return Argument(tuple(kept), dead_end, left)


# Find the pairs of cells with a rule that a step needs, among those that its text could name
#
# The text of a step of several truths names the rules about pairs of its cells. A solver may use
# every link, so a rule may hold for two of the cells and have no part in the proof. Such pairs are
# left out, as they would puzzle the reader.

# Conflict limit: steps are found with few conflicts. If a query takes more, all pairs are kept.
_PATIENCE_OF_PAIRS = 1000


def needed_pairs(board: Board, step: Deduction, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that the proof of a step of several truths needs.

    Pairs with a cell that no truth of the step fills are always kept.
    """
    scope = TruthScope(step.truths)
    inside = {board.placements[candidate].cell for candidate in candidates_of(scope.members)}
    links: dict[frozenset[int], list[int]] = {
        frozenset(pair[:2]): [] for pair in pairs if inside.issuperset(pair[:2])
    }
    for first, second in board.pairs:
        cells = frozenset((board.placements[first].cell, board.placements[second].cell))
        if cells in links:
            links[cells].append(1 << first | 1 << second)
    if not links:
        return list(pairs)
    spared = set(links) - _needed(board, step, scope, links)
    return [pair for pair in pairs if frozenset(pair[:2]) not in spared]


def _needed(
    board: Board, step: Deduction, scope: TruthScope, links: dict[frozenset[int], list[int]]
) -> set[frozenset[int]]:
    """Return the pairs of cells whose links the step needs for all its exclusions."""
    position, budget = Position(board), Budget()
    position.left = step.before
    solver = ScopeSolver(position, budget)
    cells_of = dict(enumerate(links, len(board.placements)))
    session, selectors = solver.guarded_session(scope, list(links.values()))
    needed: set[int] = set()
    assumed: list[int] = []
    with session:

        def core(rest: Sequence[int]) -> list[int] | None:
            answer = session.solve(budget, _PATIENCE_OF_PAIRS, [*assumed, *rest])
            if answer is not Status.UNSATISFIABLE:
                return None
            named = set(session.core())
            return [guard for guard in rest if guard in named]

        for candidate in step.excludes:
            assumed = [*selectors, *solver.supposed(scope, candidate)]
            # Try to drop last the pairs that other exclusions need.
            guards = sorted(cells_of, key=lambda guard: guard in needed)
            found = core(guards)
            if found is None:
                return set(links)
            needed.update(shrink(found, lambda rest, _: core(rest)))
    return {cells_of[guard] for guard in needed}
