"""The solutions that appear when givens of a puzzle with one solution are deleted."""

from collections.abc import Collection, Iterable, Sequence

from satdoku.encoding.files.status import Status
from satdoku.minimizing.rule_solver import RuleSolver
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle


def find_smallest_difference(
    rules: RuleSolver, other: int, givens: Collection[int]
) -> frozenset[int]:
    """Givens in which another solution differs, as few as can be without changing further ones.

    To be called after a question with the literal `other` that was answered yes; the solution found
    there is changed, given after given, to agree with as many as possible. `givens` are literals.
    """
    agreed = _agreeing(rules, givens)
    for given in sorted(set(givens) - agreed):
        if given in agreed:
            continue
        if rules.decide([other, *sorted(agreed), given]) is Status.SATISFIABLE:
            agreed = _agreeing(rules, givens)
    return frozenset(givens) - agreed


def _agreeing(rules: RuleSolver, givens: Iterable[int]) -> set[int]:
    """The givens that the solution of the last question keeps."""
    return set(rules.solution_literals()).intersection(givens)


def find_witnesses(rules: RuleSolver, puzzle: Puzzle, cells: Sequence[int]) -> dict[int, Grid]:
    """For each of these cells a solution that appears when its given is deleted from the puzzle.

    The puzzle has one solution; a cell without an entry is redundant.
    """
    literal_of = dict(zip(puzzle.givens, rules.literals(puzzle.grid), strict=True))
    witnesses = {}
    for cell in cells:
        rest = [literal for given, literal in literal_of.items() if given != cell]
        if rules.decide([-literal_of[cell], *rest]) is Status.SATISFIABLE:
            fewer = puzzle.with_grid(puzzle.grid.with_digits({cell: 0}))
            witnesses[cell] = require_solution(rules.solution(), fewer)
    return witnesses
