"""Puzzles with provably the fewest givens.

Up to 6x6 no puzzle with the same solution has fewer givens. On larger boards nobody can prove that
in reasonable time: for a single grid of 9x9 it takes hours to see that 16 givens are not enough.
There, a larger puzzle is made first; of all puzzles with one solution that lie within it, none has
fewer givens than the one that is made. The larger puzzle is told as `within`, so that whoever wants
to can prove it again.

`minimizing/fewest.py` finds how few givens are enough. That number is a fact; which of several
smallest sets it finds depends on the solver. So the cells are then gone through in a random order,
and each is given for which a smallest set exists that has it and those given before, and none of
those passed over. That leads to the same set with every solver.
"""

from collections.abc import Sequence

from satdoku.encoding.files.status import Status
from satdoku.generating.draft import Draft
from satdoku.minimizing.deletion import delete_redundant
from satdoku.minimizing.fewest import find_fewest
from satdoku.minimizing.other_solutions import find_smallest_difference
from satdoku.minimizing.rule_solver import Exclusion, RuleSolver
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.grid import Grid
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.session import Session
from satdoku.solving.solvers import find_solver

# Of all 36 cells of a 6x6 board the fewest are proved in a few tenths of a second. Of 49 cells of
# 9x9 it takes ten seconds, so there so many givens are left to choose from.
MOST_CELLS = 36

# Small formulas, hundreds of questions.
_CHOOSING_SOLVER = "minisat22"


def draft_fewest(rules: RuleSolver, grid: Grid, chance: Chance) -> Draft:
    """The puzzle with the fewest givens for this solution; LimitReachedError where time ends."""
    within: Sequence[int] = range(rules.geometry.cell_count)
    if len(within) > MOST_CELLS:
        groups = [(cell,) for cell in chance.shuffled(within)]
        within = delete_redundant(rules, grid, groups, MOST_CELLS).cells
    differences: list[frozenset[int]] = []
    fewest = find_fewest(rules, grid, within, differences=differences)
    if not fewest.is_proven:
        raise LimitReachedError(fewest.reason)
    with rules.excluding(grid) as other, _Choice(rules, grid, within, other) as choice:
        choice.require_at_most(fewest.lower)
        for difference in differences:
            choice.meet(difference)
        cells = choice.choose(chance.shuffled(within), fewest.cells)
    return Draft(grid, cells, is_minimal=True, within=tuple(within))


class _Choice:
    """Chooses among all smallest sets of cells that are enough; variable n is the n-th cell."""

    def __init__(
        self, rules: RuleSolver, grid: Grid, cells: Sequence[int], other: Exclusion
    ) -> None:
        self._rules = rules
        self._other = other.literal
        literals = rules.literals(grid)
        self._literal_of = {cell: literals[cell] for cell in cells}
        self._variable_of = {cell: number for number, cell in enumerate(cells, 1)}
        self._variable_of_literal = {literals[cell]: self._variable_of[cell] for cell in cells}
        self._session = Session(find_solver(_CHOOSING_SOLVER), with_assumptions=True)

    def require_at_most(self, count: int) -> None:
        """No set is larger than this."""
        from pysat.card import CardEnc, EncType

        variables = list(self._variable_of.values())
        limit = CardEnc.atmost(variables, bound=count, encoding=EncType.totalizer)
        self._session.add_clauses([variable, -variable] for variable in variables)
        self._session.add_clauses(limit.clauses)

    def meet(self, difference: frozenset[int]) -> None:
        """Every set has one of these givens, told by their literals."""
        self._session.add_clause(sorted(self._variable_of_literal[each] for each in difference))

    def choose(self, order: Sequence[int], known: Sequence[int]) -> tuple[int, ...]:
        """The set that this order leads to; `known` is one of the sets."""
        decided: list[int] = []
        best = frozenset(known)
        for cell in order:
            variable = self._variable_of[cell]
            found = best if cell in best else self._find([*decided, variable])
            best = best if found is None else found
            decided.append(-variable if found is None else variable)
        return tuple(sorted(best))

    def _find(self, wanted: Sequence[int]) -> frozenset[int] | None:
        """A smallest set that is enough and has these variables; None if there is none."""
        budget = self._rules.budget or Budget()
        while self._session.solve(budget, assumptions=wanted) is Status.SATISFIABLE:
            model = set(self._session.model())
            chosen = [cell for cell, variable in self._variable_of.items() if variable in model]
            literals = [self._literal_of[cell] for cell in chosen]
            # Patient, since what ends without an answer would be taken for a proof.
            status = self._rules.decide([self._other, *literals], is_patient=True)
            if status is Status.UNSATISFIABLE:
                return frozenset(chosen)
            self.meet(
                find_smallest_difference(self._rules, self._other, list(self._variable_of_literal))
            )
        return None

    def __enter__(self) -> "_Choice":
        return self

    def __exit__(self, *error: object) -> None:
        self._session.close()
