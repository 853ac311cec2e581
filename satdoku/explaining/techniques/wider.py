"""What cages, arrows and other wider truths exclude: each alone, two of them together, and all.

The last is a resort. Cases are told along candidates, of which such truths say too little. So where
no other technique leads on, a solver is asked about candidates with all truths, and names those
that exclude one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Board, Truth, candidates_of
from satdoku.explaining.formula import WIDER_SOLVER, Asker, BoardFormula
from satdoku.explaining.position import Finding, Position
from satdoku.explaining.step import Technique
from satdoku.explaining.techniques.scopes import ScopeSolver, TruthScope
from satdoku.puzzle.constraints import Sets, mask_of
from satdoku.solving.assumptions.hitting_sets import shrink
from satdoku.solving.limits import Budget

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
        self._stated = frozenset(position.board.puzzle.constraints.wider)
        self._pairs: list[TruthScope] | None = None
        self._units: list[TruthScope] | None = None

    def find(self) -> Finding | None:
        """The first truth that excludes something of its own cells.

        Small ones come first, as people look at them.
        """
        return self._find_in(self._alone, False)

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
        """What a unit excludes with the rules that meet it, by few truths of all these."""
        if self._units is None:
            self._units = list(with_units(self._position.board))
        return self._find_in(self._units, False)

    def find_broken(self) -> Truth | None:
        """A truth that cannot hold with the candidates that are left, seen at once."""
        broken = (each.truths[0] for each in self._alone if self._solver.is_broken(each))
        return next(broken, None)

    def close(self) -> None:
        self._solver.close()

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
                excludes = tuple(candidates_of(excluded))
                return Finding(self._technique(truths), truths, excludes=excludes)
        return None

    def _ease(self, scope: TruthScope) -> tuple[bool, int]:
        """How soon a scope is looked at: small ones first, sums that follow behind those stated.

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


def is_small(position: Position, scope: TruthScope) -> bool:
    """Whether few cells of a scope are open."""
    here = scope.members & position.left & ~position.placed
    cells = {position.board.placements[candidate].cell for candidate in candidates_of(here)}
    return len(cells) <= _MOST_OPEN_CELLS


def pairs_of(board: Board) -> list[tuple[Truth, Truth]]:
    """Each two wider truths that are near each other; none where these are very many."""
    near = list(_near(board))
    return near if len(near) <= _MOST_PAIRS else []


def _near(board: Board) -> Iterator[tuple[Truth, Truth]]:
    """Each two wider truths that share a cell, or of which two cells and more see each other."""
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
    """Each unit that has every digit, with the wider truths of which it has two cells and more."""
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
        """What a few truths exclude, rules among them, where that is found soon."""
        self._learn()
        patience = _PATIENCE_OF_ROUNDS[0]
        found = self._excluded(patience)
        for candidate in sorted(found, key=lambda each: (len(found[each]), each))[:_SHRUNK]:
            core = self._smaller(candidate, found[candidate], patience)
            if self._is_few(core):
                return self._finding(candidate, core, found, patience)
        return None

    def find(self) -> Finding | None:
        """What the fewest truths exclude, among what is found with the fewest conflicts."""
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
        """Of a core what cannot be missed; what was made smaller once is kept so."""
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
        """Those of some truths that exclude a candidate; None where that is not found out."""
        session = self._formula.session
        if session.solve(self._budget, patience, [*selectors, candidate]) is Status.UNSATISFIABLE:
            named = set(session.core())
            return [selector for selector in selectors if selector in named]
        return None
