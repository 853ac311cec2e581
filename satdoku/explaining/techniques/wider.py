"""What cages, arrows and other wider truths exclude: each alone, two of them together, and all.

The last is a resort. Cases are told along candidates, of which such truths say too little. So where
no other technique leads on, a solver is asked about candidates with all truths, and names those
that exclude one.
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
from satdoku.explaining.step import Step, Technique
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

# What a few truths exclude together, found out exactly: cages with cages, a line with its row.
#
# A *scope* is some truths that are looked at together, with the links between their candidates. A
# solver fills them in some way that the links allow, again and again, until each candidate is
# either part of a way to fill them, or excluded. The ways are kept: as long as nothing has gone of
# one, it still shows what it showed. So after a step only few questions are asked again.

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
        """Return a mask of the candidates, in a scope or beyond it, that fit no way to fill it."""
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
        """Return those of the candidates that fit no way to fill a scope."""
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
        """Return the exclusions by a way to fill a scope, at least among these candidates."""
        if not asked & ~scope.members:
            # Each of its cells has a digit, which saves looking all links up.
            return ~way
        return self._linked_to(way)

    def _linked_to(self, candidates: int) -> int:
        """Return the candidates that the candidates of a mask exclude."""
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
        """Yield clauses: each digit has a place in a unit all of whose cells lie in the scope.

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


# Two truths on more open cells than this have more ways to be kept than a person goes through.
_MOST_OPEN_CELLS = 12
_PAIR = 2

# A killer has some 400 pairs of cages, global entropy 5,000 pairs of squares. To look at each again
# after each step would take seconds; the search for few truths finds what two exclude as well.
_MOST_PAIRS = 1000

# A unit and the rules that meet it are followed through so many truths: the digits of a row, say,
# and three cages.
_MOST_TRUTHS = 12


class WiderTruths:
    """Looks for candidates that no way to keep a wider truth goes together with.

    They lie within the truth, or beyond it: where every way to fill a cage has a 1 in row 2, no
    other cell of that row has one.
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
        """The first truth that excludes something of its own cells, or settles one of them.

        Small ones come first, as people look at them. A clue that is several truths is looked at
        as one, with what it excludes beyond its cells.
        """
        return self._find_of_clue() or self._find_in(self._alone, False)

    def find_beyond(self) -> Finding | None:
        """The first truth that excludes something of other cells."""
        return self._find_in(self._alone, True)

    def find_together(self) -> Finding | None:
        """The first two truths that exclude something together."""
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
        """A truth that cannot hold with the candidates that are left, seen at once."""
        broken = (each.truths[0] for each in self._alone if self._solver.is_broken(each))
        return next(broken, None)

    def close(self) -> None:
        self._solver.close()

    def _find_of_clue(self) -> Finding | None:
        for scope in self._clues:
            # A digit of the clue that has a single cell left is told alone.
            if any(map(self._is_settled, scope.truths)):
                continue
            excluded = self._solver.excluded(scope) | self._solver.excluded(scope, True)
            if excluded:
                # All that can go goes at once, so that the clue is one step.
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
        """Return the candidate of the first cell that a rule alone leaves a single digit."""
        board, here = self._position.board, scope.members & self._position.left
        if len(scope.truths) > 1:
            return None
        gone = board.digits_in(excluded)
        for cell, mask in board.digits_in(here & ~excluded).items():
            if cell in gone and not mask & (mask - 1):
                return board.number_of[Placement(cell, mask.bit_length() - 1)]
        return None

    def _carry_over(self, excluded: int) -> tuple[list[Truth], int]:
        """Return the cells that are equal to some that lose digits, and what these lose too."""
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
                    # It is looked at again when something has gone of it.
                    scope.looked_at[is_beyond] = scope.members & left
                    continue
                technique = self._technique(truths)
                settled = None if is_beyond else self._settled_by(scope, excluded)
                if settled is not None:
                    # The scope is looked at again, since its cell has lost something.
                    return Finding(technique, truths, settled)
                if len(truths) == 1 and not is_beyond:
                    cells, carried = self._carry_over(excluded)
                    truths, excluded = (*truths, *cells), excluded | carried
                return Finding(technique, truths, excludes=tuple(candidates_of(excluded)))
        return None

    def _ease(self, scope: TruthScope) -> tuple[bool, int]:
        """Return the rank of a scope: small scopes first, derived sums after stated ones.

        What the rule of 45 says of a single cell is seen sooner than most combinations.
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


# How many conflicts a question may take: first all candidates are asked about that are excluded
# soon, since what they leave makes the others easier. A hard question costs as much as all these.
# A step of few truths is looked for with the first only: with the second hardly more are found,
# and a puzzle that has none takes twice the time.
_PATIENCE_OF_ROUNDS = (1, 20, 200, 2000, None)

# A second question names the truths that an exclusion rests on. All truths are assumptions there,
# so it may take more conflicts than the first one did: up to so many times as many, or it is put
# off.
_PATIENCE_FOR_CORE = 10

# Among so many candidates that can be excluded, the one with the fewest truths is taken: more take
# longer and find hardly fewer.
_TRIED_AT_ONCE = 12

# So many of their cores are made smaller in search of one that a person follows.
_SHRUNK = 4

# A core of more truths than this is not made smaller one by one: nobody could follow it anyway.
_LARGE = 60


class WiderSearch:
    """Looks for a candidate that all truths together exclude, and for few of them that do.

    `possible` are candidates known to stand in some solution.
    """

    def __init__(self, position: Position, budget: Budget, possible: int = 0) -> None:
        self._position = position
        self._budget = budget
        board = position.board
        truths = (*board.truths, *board.wider)
        self._formula = BoardFormula(board, WIDER_SOLVER, truths, budget)
        self._truth_of = {self._formula.selector(truth): truth for truth in truths}
        # To assume a hundred truths takes ten times as long as to ask where all of them hold. So
        # that is asked first, and which of them are needed only where the answer is no.
        self._whole = Asker(board, budget, WIDER_SOLVER)
        self._possible = possible
        # The place in the list of patiences that the last question came to.
        self._reached = 0
        # What was found to be excluded, and by which selectors; this stays true.
        self._cores: dict[int, list[int]] = {}
        # The candidates whose cores were made smaller, and what was left of their truths then.
        self._shrunk: dict[int, int] = {}

    def find_few(self) -> Finding | None:
        """Return exclusions by a few truths, rules among them, if they are found soon."""
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
        # What takes long once is seldom followed by what is found at once.
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
        """The exclusions that a core allows."""
        also = {each for each in found if self._core(each, core, patience) is not None}
        truths = tuple(self._truth_of[selector] for selector in core)
        technique = Technique.TOGETHER if self._is_few(core) else Technique.SEARCH
        return Finding(technique, truths, excludes=tuple(sorted({candidate, *also})))

    def _smaller(self, candidate: int, core: list[int], patience: int | None) -> list[int]:
        """Return a minimal part of a core; cores that were minimized once are cached."""
        if len(core) > _LARGE or self._shrunk.get(candidate) == self._left_of(core):
            return core
        # Truths of cells and digits are tried to be left out before rules are.
        core = sorted(core, key=lambda each: self._truth_of[each].wider is None)
        core = shrink(core, lambda rest, _: self._core(candidate, rest, patience))
        self._cores[candidate] = core
        self._shrunk[candidate] = self._left_of(core)
        return core

    def _left_of(self, core: Sequence[int]) -> int:
        """The candidates of some truths that are left."""
        members = 0
        for selector in core:
            members |= self._truth_of[selector].members
        return members & self._position.left

    def _is_few(self, core: Sequence[int]) -> bool:
        """Whether a step that rests on these truths has rules in it, and can be followed."""
        truths = [self._truth_of[selector] for selector in core]
        return len(truths) <= _MOST_TRUTHS and any(truth.wider for truth in truths)

    def close(self) -> None:
        self._formula.close()
        self._whole.close()

    def _learn(self) -> None:
        self._formula.learn(self._position.left, self._position.placed)
        self._whole.learn(self._position.left, self._position.placed)

    def _excluded(self, patience: int | None) -> dict[int, list[int]]:
        """Candidates that are excluded within so many conflicts, each with the selectors needed."""
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
        """Whether all truths exclude a candidate, found out within so many conflicts."""
        if self._possible >> candidate & 1:
            return False
        session = self._whole.session
        status = session.solve(self._budget, patience, [candidate])
        if status is Status.SATISFIABLE:
            # What some solution has is not asked about again.
            self._possible |= mask_of(self._whole.placed())
        return status is Status.UNSATISFIABLE

    def _core(
        self, candidate: int, selectors: Sequence[int], patience: int | None
    ) -> list[int] | None:
        """Return truths among these that exclude a candidate; None if the limit came first."""
        session = self._formula.session
        if session.solve(self._budget, patience, [*selectors, candidate]) is Status.UNSATISFIABLE:
            named = set(session.core())
            return [selector for selector in selectors if selector in named]
        return None


# Lines of which each two neighbours are compared, told at once: thermometers, whispers, the like.
#
# Pair by pair the first cell of a thermometer loses its highest digit, then the second, then the
# first another one, and so on. People count along it: before the third cell stand two smaller
# digits. Two cells with a dot between them, or whatever compares them, are a line of two.

# Of the rules that run along lines two cells are told by what is said of them as a pair.
_FEWEST_CELLS = 3


@runtime_checkable
class PairsAlong(Protocol):
    """A rule about each two cells that follow each other on a line.

    It is known by what it has, since its class is not loaded with puzzles without such rules.
    """

    line: tuple[int, ...]

    def is_wrong(self, one: int, other: int, number: int) -> bool: ...

    def sentence(self, geometry: Geometry) -> str: ...


class Line(NamedTuple):
    """Open cells that follow each other on a line, by their truths, and the rule of the line.

    Two cells that are compared have no rule here: all that is said of the two counts.
    """

    rule: Rule | None
    truths: tuple[Truth, ...]

    def possible(self, board: Board, left: int) -> list[int]:
        """Return, for each cell, the candidates that are part of a way along the whole line.

        Neighbours alone are compared: what cells farther apart exclude is left to other steps.
        """
        here = [truth.members & left for truth in self.truths]
        forth = _reachable(board.links, here)
        return _reachable(board.links, forth[::-1])[::-1]


def lines_of(board: Board) -> list[Line]:
    """The lines of a board; the digits that are given part them. Behind them stand the pairs."""
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
        # Cells that are equal are told as one.
        is_compared = _compares(pair) and not makes_equal(pair)
        if pair.first in open_cells and pair.second in open_cells and is_compared:
            both = tuple(open_cells[cell] for cell in sorted(pair[:2]))
            if frozenset(both) not in known:
                known.add(frozenset(both))
                lines.append(Line(None, both))
    return lines


def _compares(pair: Pair) -> bool:
    """Whether more is said of two cells than that they differ."""
    return any(mask & ~(1 << digit) for digit, mask in enumerate(pair.excludes))


class Lines:
    """The search for lines that exclude something of several of their cells."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._lines = lines_of(position.board)
        # What was left of the cells of each line when it excluded nothing.
        self._tried = [0] * len(self._lines)

    def find(self) -> Finding | None:
        """The first line that is worth telling at once: several of its cells lose something."""
        board, left = self._position.board, self._position.left
        for number, line in enumerate(self._lines):
            here = 0
            for truth in line.truths:
                here |= truth.members & left
            if here == self._tried[number]:
                continue
            possible = line.possible(board, left)
            gone = [t.members & left & ~p for t, p in zip(line.truths, possible, strict=True)]
            # Where a cell loses everything, a single pair tells that soon.
            if all(possible) and sum(map(bool, gone)) > 1:
                excludes = tuple(candidate for each in gone for candidate in candidates_of(each))
                return Finding(Technique.BOUNDS, line.truths, excludes=tuple(sorted(excludes)))
            self._tried[number] = here
        return None


def is_told_along(step: Step) -> bool:
    """Whether a step tells of a line."""
    is_of_cells = step.truths[0].wider is None
    return step.technique is Technique.BOUNDS and step.size > 1 and is_of_cells


def told_line(board: Board, step: Step) -> Line:
    """The line that a step tells of."""
    gone = mask_of(step.excludes)

    def unexplained(line: Line) -> int:
        return sum((gone & each).bit_count() for each in line.possible(board, step.before))

    # Rules may run along the same cells.
    return min((line for line in lines_of(board) if line.truths == step.truths), key=unexplained)


def _reachable(links: Sequence[int], cells: Sequence[int]) -> list[int]:
    """Return the candidates of each cell that fit some candidate of the cell before it."""
    reachable = list(cells[:1])
    for mask in cells[1:]:
        before = reachable[-1]
        # A candidate stays where it does not exclude all that the cell before it may be.
        reachable.append(mask_of(c for c in candidates_of(mask) if before & ~links[c]))
    return reachable
