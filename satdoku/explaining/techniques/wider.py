"""Exclusions by cages, arrows and other wider truths: each alone, two together, and all together.

All together is the last resort: stories of cases follow candidates, about which wider truths say
too little. So if no other technique applies, a solver is asked about candidates with all truths,
and its core has the truths that exclude one.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, groupby, pairwise
from operator import or_
from typing import NamedTuple, Protocol, runtime_checkable

from satdoku.encoding.choices import Status
from satdoku.encoding.variables import TRUE, Auxiliaries, Clause, Placement
from satdoku.encoding.wider.write import Kit, write
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.prover import SOLVER, WIDER_SOLVER, Asker, BoardFormula
from satdoku.explaining.step import Deduction, Technique
from satdoku.explaining.techniques.compared import equal_cells, makes_equal
from satdoku.puzzle.constraints import (
    Pair,
    Sets,
    Some,
    Wider,
    differing,
    mask_of,
)
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.rules.rule import Rule
from satdoku.solving.assumptions import shrink
from satdoku.solving.limits import Budget
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

# All exclusions by a few truths together: cages with cages, a line with its row.
#
# A *scope* is a set of truths that are examined together, with the links between their candidates.
# A solver finds ways to fill the scope until each candidate is either in one of the ways or
# excluded. The ways are kept: while no candidate of a way is excluded, it still shows that its
# candidates are possible. So after a step only few queries have to be repeated.

# Conflict limit of a query about a scope: most take a handful of conflicts, long sums took
# hundreds. A query that takes more is left undecided.
_PATIENCE_IN_SCOPES = 1000

# The most solvers of scopes to keep: loading a scope takes longer than querying it again. A killer
# has some 400 pairs of cages; a solver takes a quarter of a megabyte.
_MOST_KEPT = 200

# How many excluded candidates of a scope get their core shrunk; the others, which took half of the
# time on average, seldom have a smaller core.
_TRIED_IN_SCOPES = 6


class TruthScope:
    """A set of truths that are examined together.

    Exclusions are searched among the candidates of the truths (within) or among those linked to
    them (beyond). `ways` are the known ways to fill the scope. `looked_at` has, for within (False)
    and beyond (True), the candidates left when nothing was found there.
    """

    def __init__(self, truths: Sequence[Truth]) -> None:
        self.truths = tuple(truths)
        self.members = 0
        for truth in truths:
            self.members |= truth.members
        self.ways: list[int] = []
        self.looked_at = {False: 0, True: 0}


class _Kept(NamedTuple):
    """A solver with a scope, and the settled candidates that were added to it."""

    session: Session
    settled: int


class _Written(NamedTuple):
    """A truth as clauses and at-most-one constraints; its auxiliary variables begin at `first`."""

    clauses: Sequence[Clause]
    exclusive: Sequence[Clause]
    auxiliaries: int


class ScopeSolver:
    """The solvers of scopes on a position, which may advance between queries.

    Each scope has a solver of its own, with the candidates of a few cells: a solver with the whole
    board assigns all its variables for every answer, which takes twenty times as long.
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
        """Return a mask of candidates, within a scope or beyond it, that fit no way to fill it."""
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
        """Close the solvers that were kept."""
        while self._kept:
            self._kept.popitem()[1].session.close()

    def smallest(self, scope: TruthScope, excluded: int) -> tuple[tuple[Truth, ...], int]:
        """Return a small subset of a scope's truths that excludes something, with its exclusions.

        The smallest of the cores of the excluded candidates is taken, and shrunk truth by truth.
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
        """Return those of the candidates that fit no way to fill a scope."""
        excluded, open_ones = self._ask_once(scope, asked)
        found = excluded & scope.members
        while found and open_ones:
            # What is known now may decide the others: a step should tell all that its truths say.
            self._session(scope).add_clauses([(-each,) for each in candidates_of(found)])
            more, open_ones = self._ask_once(scope, open_ones)
            excluded, found = excluded | more, more & scope.members
        return excluded

    def _ask_once(self, scope: TruthScope, asked: int) -> tuple[int, int]:
        """Return the candidates that fit no way to fill a scope, and those left undecided."""
        holding = scope.members & self._holding
        listed = candidates_of(scope.members & self._position.left & ~holding)
        excluded, undecided = 0, 0
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
                gone = self._gone_with(scope, way, asked | undecided)
                asked, undecided = asked & gone, undecided & gone
            else:
                undecided |= lowest
        return excluded, undecided

    def supposed(self, scope: TruthScope, candidate: int) -> list[int]:
        """Return literals that suppose a candidate; for one outside the scope, what it excludes."""
        if scope.members >> candidate & 1:
            return [candidate]
        linked = self._position.board.links[candidate]
        return [-member for member in candidates_of(linked & scope.members & self._position.left)]

    def _gone_with(self, scope: TruthScope, way: int, asked: int) -> int:
        """Return the candidates that a way to fill a scope excludes, at least among these."""
        if not asked & ~scope.members:
            # A way fills every cell of the scope, so it excludes all others: no links are looked
            # up.
            return ~way
        return self._linked_to(way)

    def _linked_to(self, candidates: int) -> int:
        """Return the candidates that the candidates of a mask exclude."""
        links, excluded = self._position.board.links, 0
        for candidate in candidates_of(candidates):
            excluded |= links[candidate]
        return excluded

    def _session(self, scope: TruthScope) -> Session:
        """Return a solver with a scope's truths and the links between their candidates left."""
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
        """Return a unit clause for each settled candidate."""
        holding = self._holding
        return [(c,) if holding >> c & 1 else (-c,) for c in candidates_of(settled)]

    def guarded_session(
        self, scope: TruthScope, guarded: Sequence[Collection[int]] = ()
    ) -> tuple[Session, dict[int, Truth]]:
        """Return a solver in which each truth is enabled by a selector, and these selectors.

        The links in each collection of `guarded`, as masks of two candidates, also get a selector;
        these have the first numbers after the candidates.
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
        """Yield clauses: each digit has a place in a unit all of whose cells lie in the scope.

        The clauses are implied, but a solver takes hundreds of conflicts to derive them.
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
        """Return the clauses of a wider truth and of its cells' truths, over candidates left."""
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
    """Return a clause with its auxiliary variables, those from `first` on, moved by `shift`."""
    if not shift:
        return literals
    return [
        each + shift if each >= first else each - shift if each <= -first else each
        for each in literals
    ]


# The most open cells of two truths: with more, they have more ways to be filled than a person goes
# through.
_MOST_OPEN_CELLS = 12
_PAIR = 2

# The most pairs of truths to examine. A killer has some 400 pairs of cages, global entropy 5,000
# pairs of squares, which would take seconds after each step; there the search for few truths finds
# the same exclusions.
_MOST_PAIRS = 1000

# The most truths of a step by a unit and the rules that meet it: the digits of a row, say, and
# three cages.
_MOST_TRUTHS = 12


# The most cells that a rule settles by steps of their own; each of them has the same sentence.
_MOST_PLACED = 2


class WiderTruths:
    """The search for candidates that fit no way to fill a wider truth.

    The candidates lie within the truth or beyond it: if every way to fill a cage has a 1 in row 2,
    no other cell of that row has one.
    """

    def __init__(self, position: Position, budget: Budget) -> None:
        self._position = position
        self._solver = ScopeSolver(position, budget)
        self._alone = [TruthScope((truth,)) for truth in position.board.wider if truth.members]
        self._clues = [TruthScope(truths) for truths in clues_of(position.board)]
        truths = {truth.cell: truth for truth in position.board.truths if truth.unit is None}
        self._equal = [
            [truths[cell] for cell in group if cell in truths]
            for group in equal_cells(position.board)
        ]
        self._stated = frozenset(position.board.puzzle.constraints.wider)
        self._pairs: list[TruthScope] | None = None
        self._units: list[TruthScope] | None = None

    def find(self) -> Finding | None:
        """Return the first truth that excludes candidates of its own cells, or settles one of them.

        Small truths come first, as people look at them. A clue that is several truths is examined
        as one, also for exclusions beyond its cells.
        """
        return self._find_of_clue() or self._find_in(self._alone, False)

    def find_beyond(self) -> Finding | None:
        """Return the first truth that excludes candidates of other cells."""
        return self._find_in(self._alone, True)

    def find_together(self) -> Finding | None:
        """Return the first two truths that exclude something together."""
        if self._pairs is None:
            self._pairs = [TruthScope(pair) for pair in pairs_of(self._position.board)]
        small = [pair for pair in self._pairs if is_small(self._position, pair)]
        return self._find_in(small, False) or self._find_in(small, True)

    def find_in_units(self) -> Finding | None:
        """Return exclusions by a unit with the rules that meet it, on few of their truths."""
        if self._units is None:
            self._units = list(with_units(self._position.board))
        return self._find_in(self._units, False)

    def find_broken(self) -> Truth | None:
        """Return a truth that cannot be filled with the candidates left, if one is seen at once."""
        broken = (each.truths[0] for each in self._alone if self._solver.is_broken(each))
        return next(broken, None)

    def close(self) -> None:
        self._solver.close()

    def _find_of_clue(self) -> Finding | None:
        for scope in self._clues:
            # If a digit of the clue has a single cell left, that is a step of its own.
            if any(map(self._is_settled, scope.truths)):
                continue
            excluded = self._solver.excluded(scope) | self._solver.excluded(scope, True)
            if excluded:
                # All exclusions of the clue make one step.
                excludes = tuple(candidates_of(excluded))
                return Finding(Technique.BOUNDS, scope.truths, excludes=excludes)
        return None

    def _is_settled(self, truth: Truth) -> bool:
        board, left = self._position.board, self._position.left | self._position.board.givens
        masks = board.digits_in(truth.members & left)
        choices = truth.wider.choices if isinstance(truth.wider, Some) else ()
        able = [cell for cell, digits in choices if masks.get(cell, 0) & digits]
        return len(able) == 1

    def _settled_by(self, scope: TruthScope, excluded: int) -> int | None:
        """Return the last candidate of the first cell that a rule alone leaves one, or None.

        If it settles several cells, none is placed: one step excludes all others in all of them.
        """
        board, here = self._position.board, scope.members & self._position.left
        if len(scope.truths) > 1:
            return None
        gone = board.digits_in(excluded)
        settled = [
            board.number_of[Placement(cell, mask.bit_length() - 1)]
            for cell, mask in board.digits_in(here & ~excluded).items()
            if cell in gone and not mask & (mask - 1)
        ]
        return settled[0] if 0 < len(settled) <= _MOST_PLACED else None

    def _carry_over(self, excluded: int) -> tuple[list[Truth], int]:
        """Return the cells equal to some that lose digits, and all exclusions, theirs included."""
        board, left = self._position.board, self._position.left
        gone = board.digits_in(excluded)
        cells: list[Truth] = []
        carried = 0
        for group in self._equal:
            digits = reduce(or_, (gone.get(truth.cell, 0) for truth in group), 0)
            theirs = sum(truth.members for truth in group if digits) & left & ~excluded
            more = [c for c in candidates_of(theirs) if digits >> board.placements[c].digit & 1]
            cells += group if more else []
            carried |= mask_of(more)
        return cells, carried

    def _find_in(self, scopes: Sequence[TruthScope], is_beyond: bool) -> Finding | None:
        left = self._position.left
        for scope in sorted(scopes, key=self._ease):
            excluded, truths = self._solver.excluded(scope, is_beyond), scope.truths
            if excluded:
                if len(truths) > _PAIR:
                    truths, excluded = self._solver.smallest(scope, excluded)
                if len(truths) > _MOST_TRUTHS:
                    # The scope is examined again when some of its candidates are gone.
                    scope.looked_at[is_beyond] = scope.members & left
                    continue
                technique = self._technique(truths)
                settled = None if is_beyond else self._settled_by(scope, excluded)
                if settled is not None:
                    # The scope is examined again, since its cell has lost candidates.
                    return Finding(technique, truths, settled)
                if len(truths) == 1 and not is_beyond:
                    cells, carried = self._carry_over(excluded)
                    truths, excluded = (*truths, *cells), excluded | carried
                return Finding(technique, truths, excludes=tuple(candidates_of(excluded)))
        return None

    def _ease(self, scope: TruthScope) -> tuple[bool, int]:
        """Return the rank of a scope: small scopes first, derived sums after stated ones.

        A single cell derived by the rule of 45 is seen sooner than most combinations.
        """
        follows = any(t.implied and len(t.implied.total.cells) > 1 for t in scope.truths)
        return follows, (scope.members & self._position.left).bit_count()

    def _technique(self, truths: Sequence[Truth]) -> Technique:
        if len(truths) > 1:
            return Technique.TOGETHER
        if truths[0].wider not in self._stated:
            return Technique.RULE_OF_45
        return Technique.SUM if isinstance(truths[0].wider, Sets) else Technique.BOUNDS


def clues_of(board: Board) -> list[tuple[Truth, ...]]:
    """Return the clues that are several truths about the same cells, such as quadruples."""
    truths_of: dict[tuple[str, frozenset[int]], list[Truth]] = {}
    for truth in board.wider:
        if isinstance(truth.wider, Some) and truth.members:
            clue = truth.wider.sentence, frozenset(truth.wider.cells)
            truths_of.setdefault(clue, []).append(truth)
    return [tuple(truths) for truths in truths_of.values() if len(truths) > 1]


def is_small(position: Position, scope: TruthScope) -> bool:
    """Whether few cells of a scope are open."""
    here = scope.members & position.left & ~position.placed
    cells = {position.board.placements[candidate].cell for candidate in candidates_of(here)}
    return len(cells) <= _MOST_OPEN_CELLS


def pairs_of(board: Board) -> list[tuple[Truth, Truth]]:
    """Return the pairs of wider truths that are near each other; empty if there are very many."""
    near = list(_near(board))
    return near if len(near) <= _MOST_PAIRS else []


def _near(board: Board) -> Iterator[tuple[Truth, Truth]]:
    """Yield the pairs of wider truths that share a cell, or have two cells that see each other."""
    units_of = board.puzzle.constraints.units_of
    truths = [truth for truth in board.wider if truth.wider is not None and truth.members]
    cells = {truth.number: set(truth.wider.cells) for truth in truths if truth.wider is not None}
    units_in = {
        number: {unit for cell in inside for unit in units_of[cell]}
        for number, inside in cells.items()
    }
    for one, other in combinations(truths, 2):
        here, there = cells[one.number], cells[other.number]
        if not here.isdisjoint(there) or any(
            sum(not units_in[second].isdisjoint(units_of[cell]) for cell in first) > 1
            for first, second in ((here, other.number), (there, one.number))
        ):
            yield one, other


def with_units(board: Board) -> Iterator[TruthScope]:
    """Yield each unit with every digit, with the wider truths that have two cells or more in it."""
    constraints = board.puzzle.constraints
    for unit in constraints.units:
        cells = set(unit.cells)
        meeting = [
            truth
            for truth in board.wider
            if truth.members and truth.wider and len(cells.intersection(truth.wider.cells)) > 1
        ]
        if meeting and constraints.has_every_digit(unit):
            own = (
                t for t in board.open_truths if t.unit is unit or (not t.unit and t.cell in cells)
            )
            yield TruthScope((*meeting, *own))


# Conflict limits of successive rounds of queries: candidates that are excluded easily come first,
# since their exclusion makes the others easier, and a hard query costs as much as all easy ones. A
# step of few truths is searched with the first limit only: with the second hardly more are found,
# and a puzzle without any takes twice the time.
_PATIENCE_OF_ROUNDS = (1, 20, 200, 2000, None)

# A second query finds the truths that an exclusion rests on. It has all truths as assumptions, so
# it may take more conflicts than the first: up to this factor times the limit, or the candidate is
# postponed.
_PATIENCE_FOR_CORE = 10

# How many excludable candidates to collect, of which the one with the fewest truths is taken: more
# take longer and hardly find a smaller core.
_TRIED_AT_ONCE = 12

# How many of their cores to shrink in search of one that a person can follow.
_SHRUNK = 4

# The most truths of a core to shrink: nobody could follow larger ones anyway.
_LARGE = 60


class WiderSearch:
    """The search for candidates that all truths together exclude, and for few truths that do.

    `possible` are candidates known to hold in some solution.
    """

    def __init__(self, position: Position, budget: Budget, possible: int = 0) -> None:
        self._position = position
        self._budget = budget
        board = position.board
        truths = (*board.truths, *board.wider)
        self._formula = BoardFormula(board, WIDER_SOLVER, truths, budget)
        self._truth_of = {self._formula.selector(truth): truth for truth in truths}
        # A query with a hundred truths as assumptions takes ten times as long as one with all
        # truths as clauses. So a solver with all as clauses is asked first; the core is computed
        # only if its answer is no.
        self._whole = Asker(board, budget, WIDER_SOLVER)
        self._possible = possible
        # The index in `_PATIENCE_OF_ROUNDS` at which the last search ended.
        self._reached = 0
        # The candidates found to be excluded, each with the selectors of its core; this stays true.
        self._cores: dict[int, list[int]] = {}
        # The candidates whose cores were shrunk, with the members of their truths left at that
        # time.
        self._shrunk: dict[int, int] = {}

    def find_few(self) -> Finding | None:
        """Return exclusions by a few truths, rules among them, if found with the first limit."""
        self._learn()
        patience = _PATIENCE_OF_ROUNDS[0]
        found = self._excluded(patience)
        for candidate in sorted(found, key=lambda each: (len(found[each]), each))[:_SHRUNK]:
            core = self._smaller(candidate, found[candidate], patience)
            if self._is_few(core):
                return self._finding(candidate, core, found, patience)
        return None

    def find(self) -> Finding | None:
        """Return the finding on the fewest truths among those found with the fewest conflicts."""
        self._learn()
        # After a hard step, easy ones are rare, so the search starts one round earlier than it
        # ended.
        first = max(0, self._reached - 1)
        for self._reached in range(first, len(_PATIENCE_OF_ROUNDS)):
            patience = _PATIENCE_OF_ROUNDS[self._reached]
            found = self._excluded(patience)
            if found:
                candidate = min(found, key=lambda each: (len(found[each]), each))
                core = self._smaller(candidate, found[candidate], patience)
                return self._finding(candidate, core, found, patience)
        return None

    def _finding(
        self,
        candidate: int,
        core: Sequence[int],
        found: Mapping[int, list[int]],
        patience: int | None,
    ) -> Finding:
        """Return the finding of a core: this candidate, and others that its truths exclude."""
        also = {each for each in found if self._core(each, core, patience) is not None}
        truths = tuple(self._truth_of[selector] for selector in core)
        technique = Technique.TOGETHER if self._is_few(core) else Technique.SEARCH
        return Finding(technique, truths, excludes=tuple(sorted({candidate, *also})))

    def _smaller(self, candidate: int, core: list[int], patience: int | None) -> list[int]:
        """Return a minimal part of a core; results are kept."""
        if len(core) > _LARGE or self._shrunk.get(candidate) == self._left_of(core):
            return core
        # Try to remove truths of cells and digits before rules.
        core = sorted(core, key=lambda each: self._truth_of[each].wider is None)
        core = shrink(core, lambda rest, _: self._core(candidate, rest, patience))
        self._cores[candidate] = core
        self._shrunk[candidate] = self._left_of(core)
        return core

    def _left_of(self, core: Sequence[int]) -> int:
        """Return the mask of remaining members of these truths."""
        members = 0
        for selector in core:
            members |= self._truth_of[selector].members
        return members & self._position.left

    def _is_few(self, core: Sequence[int]) -> bool:
        """Whether these truths include rules and are few enough for a person to follow."""
        truths = [self._truth_of[selector] for selector in core]
        return len(truths) <= _MOST_TRUTHS and any(truth.wider for truth in truths)

    def close(self) -> None:
        self._formula.close()
        self._whole.close()

    def _learn(self) -> None:
        self._formula.learn(self._position.left, self._position.placed)
        self._whole.learn(self._position.left, self._position.placed)

    def _excluded(self, patience: int | None) -> dict[int, list[int]]:
        """Return candidates refuted within this conflict limit, each with a core of selectors."""
        position = self._position
        found: dict[int, list[int]] = {}
        for candidate in candidates_of(position.left & ~position.placed & ~position.board.givens):
            core = self._cores.get(candidate)
            if core is None and self._is_excluded(candidate, patience):
                more = patience and patience * _PATIENCE_FOR_CORE
                core = self._core(candidate, list(self._truth_of), more)
            if core is not None:
                self._cores[candidate] = found[candidate] = core
            if len(found) == _TRIED_AT_ONCE:
                break
        return found

    def _is_excluded(self, candidate: int, patience: int | None) -> bool:
        """Whether all truths exclude a candidate, as far as shown within this conflict limit."""
        if self._possible >> candidate & 1:
            return False
        session = self._whole.session
        status = session.solve(self._budget, patience, [candidate])
        if status is Status.SATISFIABLE:
            # Candidates of this solution are not queried again.
            self._possible |= mask_of(self._whole.placed())
        return status is Status.UNSATISFIABLE

    def _core(
        self, candidate: int, selectors: Sequence[int], patience: int | None
    ) -> list[int] | None:
        """Return selectors of truths that exclude a candidate; None if the limit came first."""
        session = self._formula.session
        if session.solve(self._budget, patience, [*selectors, candidate]) is Status.UNSATISFIABLE:
            named = set(session.core())
            return [selector for selector in selectors if selector in named]
        return None


# Lines with a rule about neighbouring cells, explained as a whole: thermometers, whispers, etc.
#
# Pair by pair, the first cell of a thermometer would lose its highest digit, then the second, then
# the first another one, and so on. People count along the line instead: the third cell has two
# smaller digits before it. Two cells that a rule compares, such as by a dot between them, are a
# line of two.

# The fewest cells of a rule's line: two cells are worded as a pair.
_FEWEST_CELLS = 3


@runtime_checkable
class PairsAlong(Protocol):
    """A rule about every two neighbouring cells of a line.

    A protocol, because the class is not loaded for puzzles without such rules.
    """

    line: tuple[int, ...]

    def is_wrong(self, one: int, other: int, number: int) -> bool: ...

    def sentence(self, geometry: Geometry) -> str: ...


class Line(NamedTuple):
    """The truths of successive open cells on a line, and the rule of the line.

    For a line of two compared cells `rule` is None: all rules about the two count.
    """

    rule: Rule | None
    truths: tuple[Truth, ...]

    def possible(self, board: Board, left: int) -> list[int]:
        """Return, for each cell, the candidates that are part of a way to fill the whole line.

        Only neighbours are compared: exclusions between cells farther apart are left to other
        steps.
        """
        here = [truth.members & left for truth in self.truths]
        forth = _reachable(board.links, here)
        return _reachable(board.links, forth[::-1])[::-1]


def lines_of(board: Board) -> list[Line]:
    """Return the lines of a board, split at givens; then the compared pairs as lines of two."""
    open_cells = {truth.cell: truth for truth in board.open_truths if truth.unit is None}
    lines = []
    for rule in board.puzzle.rules:
        if isinstance(rule, PairsAlong):
            for is_open, cells in groupby(rule.line, open_cells.__contains__):
                truths = tuple(open_cells[cell] for cell in cells) if is_open else ()
                if len(truths) >= _FEWEST_CELLS:
                    lines.append(Line(rule, truths))
    known = {frozenset(two) for line in lines for two in pairwise(line.truths)}
    for pair in board.puzzle.constraints.pairs:
        # Equal cells have a technique of their own.
        is_compared = _compares(pair) and not makes_equal(pair)
        if pair.first in open_cells and pair.second in open_cells and is_compared:
            both = tuple(open_cells[cell] for cell in sorted(pair[:2]))
            if frozenset(both) not in known:
                known.add(frozenset(both))
                lines.append(Line(None, both))
    return lines


def _compares(pair: Pair) -> bool:
    """Whether a pair constraint says more than that two cells differ."""
    return any(mask & ~(1 << digit) for digit, mask in enumerate(pair.excludes))


class Lines:
    """The search for lines that exclude candidates of several of their cells."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._lines = lines_of(position.board)
        # The candidates left in each line's cells when it was last found to exclude nothing.
        self._tried = [0] * len(self._lines)

    def find(self) -> Finding | None:
        """Return the first line of which several cells lose candidates."""
        board, left = self._position.board, self._position.left
        for number, line in enumerate(self._lines):
            here = 0
            for truth in line.truths:
                here |= truth.members & left
            if here == self._tried[number]:
                continue
            possible = line.possible(board, left)
            gone = [t.members & left & ~p for t, p in zip(line.truths, possible, strict=True)]
            # If a cell would lose everything, a step of a single pair shows that more simply.
            if all(possible) and sum(map(bool, gone)) > 1:
                excludes = tuple(candidate for each in gone for candidate in candidates_of(each))
                return Finding(Technique.BOUNDS, line.truths, excludes=tuple(sorted(excludes)))
            self._tried[number] = here
        return None


def is_told_along(step: Deduction) -> bool:
    """Whether a step is about a line."""
    is_of_cells = step.truths[0].wider is None
    return step.technique is Technique.BOUNDS and step.size > 1 and is_of_cells


def told_line(board: Board, step: Deduction) -> Line:
    """Return the line that a step is about."""
    gone = mask_of(step.excludes)

    def unexplained(line: Line) -> int:
        return sum((gone & each).bit_count() for each in line.possible(board, step.before))

    # Several rules may run along the same cells: take the one that explains most exclusions.
    return min((line for line in lines_of(board) if line.truths == step.truths), key=unexplained)


def _reachable(links: Sequence[int], cells: Sequence[int]) -> list[int]:
    """Return the candidates of each cell that fit some candidate of the cell before it."""
    reachable = list(cells[:1])
    for mask in cells[1:]:
        before = reachable[-1]
        # A candidate stays unless it excludes all candidates that the cell before it may hold.
        reachable.append(mask_of(c for c in candidates_of(mask) if before & ~links[c]))
    return reachable
