"""The solutions that appear when givens of a puzzle with one solution are deleted."""

from collections.abc import Collection, Sequence

from satdoku.encoding.files.status import Status
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import require_solution
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions.rule_solver import RuleSolver
from satdoku.solving.assumptions.shrink import shrink


def find_smallest_difference(
    rules: RuleSolver, other: int, givens: Collection[int]
) -> frozenset[int]:
    """Givens in which another solution differs, as few as can be without changing further ones.

    To be called after a question with the literal `other` that was answered yes; the solution found
    there is changed, given after given, to agree with as many as possible. `givens` are literals.
    """

    def differing() -> list[int]:
        return sorted(set(givens).difference(rules.solution_literals()))

    def differs(rest: Sequence[int], given: int) -> list[int] | None:
        agreed = sorted(set(givens).difference(rest, [given]))
        is_enough = rules.decide([other, *agreed, given]) is Status.SATISFIABLE
        return differing() if is_enough else None

    return frozenset(shrink(reversed(differing()), differs))


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
