"""What a few truths exclude together, found out exactly: cages with cages, a line with its row.

A *scope* is some truths that are looked at together, with the links between their candidates. A
solver fills them in some way that the links allow, again and again, until each candidate is either
part of a way to fill them, or excluded. The ways are kept: as long as nothing has gone of one, it
still shows what it showed. So after a step only few questions are asked again.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import TRUE, Auxiliaries, Clause, Placement
from satdoku.encoding.wider.write import Kit, write
from satdoku.explaining.board import Truth, candidates_of
from satdoku.explaining.formula import SOLVER
from satdoku.explaining.position import Position
from satdoku.puzzle.constraints import Wider, differing, mask_of
from satdoku.solving.assumptions.hitting_sets import shrink
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

# Most questions about a few truths take a handful of conflicts. Long sums took hundreds; where it
# is more than this, the question is left open.
_PATIENCE_IN_SCOPES = 1000

# To load a scope takes longer than to ask about it again, so the solvers of so many scopes are
# kept: a killer has some 400 pairs of cages, a solver takes a quarter of a megabyte.
_MOST_KEPT = 200

# The fewest truths are looked for behind so many of the excluded candidates; on average half of
# the time went into the others, which seldom rest on fewer.
_TRIED_IN_SCOPES = 6


class TruthScope:
    """Some truths that are looked at together.

    What they exclude is looked for within them, or beyond them: in what their members exclude.
    `ways` are the ways to fill them that are known. `looked_at` has for within (False) and beyond
    (True) what was left of them when nothing was found there.
    """

    def __init__(self, truths: Sequence[Truth]) -> None:
        self.truths = tuple(truths)
        self.members = 0
        for truth in truths:
            self.members |= truth.members
        self.ways: list[int] = []
        self.looked_at = {False: 0, True: 0}


class _Kept(NamedTuple):
    """A solver with a scope, and the candidates of which it knows whether they hold."""

    session: Session
    settled: int


class _Written(NamedTuple):
    """A truth as clauses and at-most-ones; its auxiliaries count from the first number on."""

    clauses: Sequence[Clause]
    exclusive: Sequence[Clause]
    auxiliaries: int


class ScopeSolver:
    """Asks a solver about scopes on a position, which may be led on in between.

    Each has one of its own, with a few cells' candidates: a solver that has the whole board sets
    all its variables for every answer, which takes twenty times as long.
    """

    def __init__(
        self, position: Position, budget: Budget, patience: int | None = _PATIENCE_IN_SCOPES
    ) -> None:
        self._position = position
        self._budget = budget
        self._patience = patience
        self._first = len(position.board.placements)
        self._constraints = position.board.puzzle.constraints
        self._differ = differing(self._constraints)
        self._written: dict[int, _Written] = {}
        self._kept: OrderedDict[TruthScope, _Kept] = OrderedDict()
        board = position.board
        self._groups = list(map(mask_of, board.groups))
        self._pairs = [1 << pair.first | 1 << pair.second for pair in board.pairs]

    def excluded(self, scope: TruthScope, is_beyond: bool = False) -> int:
        """What no way to fill a scope goes together with, within it or beyond it, as a mask."""
        position = self._position
        here = scope.members & position.left
        if scope.looked_at[is_beyond] == here:
            return 0
        asked = here & ~self._holding
        if is_beyond:
            asked = self._linked_to(asked) & position.left & ~here & ~self._holding
        scope.ways = [way for way in scope.ways if not way & ~(here | self._holding)]
        for way in scope.ways:
            asked &= self._gone_with(scope, way, asked)
        excluded = self._ask(scope, asked) if asked else 0
        if not excluded:
            scope.looked_at[is_beyond] = here
        return excluded

    def is_broken(self, scope: TruthScope) -> bool:
        """Whether there is no way at all to fill a scope."""
        return self._session(scope).solve(self._budget, self._patience) is Status.UNSATISFIABLE

    def close(self) -> None:
        """Gives back the solvers that were kept."""
        while self._kept:
            self._kept.popitem()[1].session.close()

    def smallest(self, scope: TruthScope, excluded: int) -> tuple[tuple[Truth, ...], int]:
        """Few truths of a scope that exclude some of what it excludes, and all that they do.

        Of the cores for each candidate the smallest is taken, and made smaller truth by truth.
        """
        session, selectors = self.guarded_session(scope)
        with session:

            def core(candidate: int, assumed: Sequence[int]) -> list[int] | None:
                supposed = self.supposed(scope, candidate)
                answer = session.solve(self._budget, self._patience, [*supposed, *assumed])
                if answer is not Status.UNSATISFIABLE:
                    return None
                named = set(session.core())
                return [each for each in assumed if each in named]

            tried = candidates_of(excluded)[:_TRIED_IN_SCOPES]
            cores = {each: core(each, list(selectors)) for each in tried}
            candidate, needed = min(
                ((each, found) for each, found in cores.items() if found is not None),
                key=lambda entry: (len(entry[1]), entry[0]),
                default=(0, None),
            )
            if needed is None:
                return scope.truths, excluded
            needed = shrink(needed, lambda rest, _: core(candidate, rest))
            also = [each for each in candidates_of(excluded) if core(each, needed) is not None]
        return tuple(selectors[each] for each in needed), sum(1 << each for each in also)

    @property
    def _holding(self) -> int:
        return self._position.placed | self._position.board.givens

    def _ask(self, scope: TruthScope, asked: int) -> int:
        """Those of some candidates that go together with no way to fill a scope."""
        holding = scope.members & self._holding
        listed = candidates_of(scope.members & self._position.left & ~holding)
        excluded = 0
        session = self._session(scope)
        while asked:
            lowest = asked & -asked
            asked ^= lowest
            supposed = self.supposed(scope, lowest.bit_length() - 1)
            answer = session.solve(self._budget, self._patience, supposed)
            if answer is Status.UNSATISFIABLE:
                excluded |= lowest
            elif answer is Status.SATISFIABLE:
                model = session.model()
                way = holding + sum([1 << each for each in listed if model[each - 1] > 0])
                scope.ways.append(way)
                asked &= self._gone_with(scope, way, asked)
        return excluded

    def supposed(self, scope: TruthScope, candidate: int) -> list[int]:
        """That a candidate holds: of one beyond the scope, what it excludes there."""
        if scope.members >> candidate & 1:
            return [candidate]
        linked = self._position.board.links[candidate]
        return [-member for member in candidates_of(linked & scope.members & self._position.left)]

    def _gone_with(self, scope: TruthScope, way: int, asked: int) -> int:
        """What a way to fill a scope excludes, at least of the candidates that are asked about."""
        if not asked & ~scope.members:
            # Each of its cells has a digit, which saves looking all links up.
            return ~way
        return self._linked_to(way)

    def _linked_to(self, candidates: int) -> int:
        """What the candidates of a mask exclude."""
        links, excluded = self._position.board.links, 0
        for candidate in candidates_of(candidates):
            excluded |= links[candidate]
        return excluded

    def _session(self, scope: TruthScope) -> Session:
        """A solver that knows the truths of a scope, and links between what is left of them."""
        position = self._position
        settled = scope.members & (self._holding | ~position.left)
        kept = self._kept.pop(scope, None)
        if kept is None:
            session, selectors = self.guarded_session(scope)
            session.add_clauses([[each] for each in selectors])
            session.add_clauses(list(self._places_in(scope)))
        else:
            session = kept.session
            session.add_clauses(self._settling(settled & ~kept.settled))
        self._kept[scope] = _Kept(session, settled)
        if len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)[1].session.close()
        return session

    def _settling(self, settled: int) -> list[Clause]:
        """A clause for each candidate of which it is known: that it holds, or that it does not."""
        holding = self._holding
        return [(c,) if holding >> c & 1 else (-c,) for c in candidates_of(settled)]

    def guarded_session(
        self, scope: TruthScope, guarded: Sequence[Collection[int]] = ()
    ) -> tuple[Session, dict[int, Truth]]:
        """A solver in which each truth holds only where its selector is assumed.

        With the session come the selectors. The links in each list of `guarded`, as masks of two
        candidates, hold only under a selector of their own: these have the first numbers.
        """
        position, holding = self._position, self._holding
        session = Session(find_solver(SOLVER), with_assumptions=True)
        settled = scope.members & (holding | ~position.left)
        session.add_clauses(self._settling(settled))
        selectors: dict[int, Truth] = {}
        guard_of = {pair: n for n, each in enumerate(guarded, self._first) for pair in each}
        first = self._first + len(guarded)
        for truth in scope.truths:
            written = self._clauses_of(truth)
            shift = first - self._first
            first += written.auxiliaries + 1
            selector = first - 1
            selectors[selector] = truth
            session.add_clauses(
                [[*_shifted(each, self._first, shift), -selector] for each in written.clauses]
            )
            for literals in written.exclusive:
                session.add_at_most_one(_shifted(literals, self._first, shift))
        here = scope.members & position.left
        for group in self._groups:
            linked = group & here
            if linked & (linked - 1):
                session.add_at_most_one(candidates_of(linked))
        for pair in self._pairs:
            if not pair & ~here:
                guard = [-guard_of[pair]] if pair in guard_of else []
                session.add_clause([*guard, *(-member for member in candidates_of(pair))])
        return session, selectors

    def _places_in(self, scope: TruthScope) -> Iterator[Clause]:
        """Each digit has a place in a unit all of whose cells have one in the scope.

        This follows, but a solver takes hundreds of conflicts to see that.
        """
        constraints = self._constraints
        cells = {cell for truth in scope.truths if truth.wider for cell in truth.wider.cells}
        for number in {unit for cell in cells for unit in constraints.units_of[cell]}:
            unit = constraints.units[number]
            if constraints.has_every_digit(unit) and cells.issuperset(unit.cells):
                yield from (
                    tuple(truth.listed)
                    for truth in self._position.open_truths
                    if truth.unit == unit
                )

    def _clauses_of(self, truth: Truth) -> _Written:
        known = self._written.get(truth.number)
        if known is None:
            known = (
                _Written([tuple(truth.listed)], [], 0)
                if truth.wider is None
                else self._write(truth.wider)
            )
            self._written[truth.number] = known
        return known

    def _write(self, constraint: Wider) -> _Written:
        """The clauses of a wider truth over what is left now, and that its cells have digits."""
        board = self._position.board
        left, holding = self._position.left, self._holding
        number_of = (board.root or board).number_of

        def literal(cell: int, digit: int) -> int:
            number = number_of.get(Placement(cell, digit))
            if number is None:
                return TRUE if board.puzzle.grid.digits[cell] == digit else -TRUE
            if holding >> number & 1:
                return TRUE
            return number if left >> number & 1 else -TRUE

        auxiliaries = Auxiliaries(self._first - 1)
        size = board.puzzle.geometry.size
        kit = Kit(literal, auxiliaries, size, self._differ)
        for cell in dict.fromkeys(constraint.cells):
            kit.add(*(literal(cell, digit) for digit in range(1, size + 1)))
        write(constraint, kit)
        clauses, exclusive = kit.take()
        return _Written(clauses, exclusive, auxiliaries.highest - self._first + 1)


def _shifted(literals: Sequence[int], first: int, shift: int) -> Sequence[int]:
    """The same with other auxiliaries: those from the first number on are moved."""
    if not shift:
        return literals
    return [
        each + shift if each >= first else each - shift if each <= -first else each
        for each in literals
    ]
