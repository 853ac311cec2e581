"""Find the pairs of cells with a rule that a step needs, among those that its text could name.

The text of a step of several truths names the rules about pairs of its cells. A solver may use
every link, so a rule may hold for two of the cells and have no part in the proof. Such pairs are
left out, as they would puzzle the reader.
"""

from collections.abc import Sequence

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Board, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Deduction
from satdoku.explaining.techniques.wider import ScopeSolver, TruthScope
from satdoku.puzzle.constraints import Pair
from satdoku.solving.assumptions import shrink
from satdoku.solving.limits import Budget

# Conflict limit: steps are found with few conflicts. If a query takes more, all pairs are kept.
_PATIENCE = 1000


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
            answer = session.solve(budget, _PATIENCE, [*assumed, *rest])
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
