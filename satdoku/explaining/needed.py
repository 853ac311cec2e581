"""Which of the pairs of cells that a step could name it needs.

A step of several truths is told with what rules say of two of its cells. Links are free, so what is
said of two cells may be true and still have no part in it. Who reads it looks for its part in vain.
"""

from collections.abc import Sequence

from satdoku.encoding.choices import Status
from satdoku.explaining.board import Board, candidates_of
from satdoku.explaining.position import Position
from satdoku.explaining.step import Step
from satdoku.explaining.techniques.wider import ScopeSolver, TruthScope
from satdoku.puzzle.constraints import Pair
from satdoku.solving.assumptions import shrink
from satdoku.solving.limits import Budget

# Steps were found with few conflicts; where it takes more, all pairs stay.
_PATIENCE = 1000


def needed_pairs(board: Board, step: Step, pairs: Sequence[Pair]) -> list[Pair]:
    """Return those of the pairs that a step of several truths needs.

    Of cells that no truth of the step fills the links alone are looked at, so their pairs stay.
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
    board: Board, step: Step, scope: TruthScope, links: dict[frozenset[int], list[int]]
) -> set[frozenset[int]]:
    """The cells whose linked candidates a step needs to exclude all that it does."""
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
            # What other exclusions need is left out last.
            guards = sorted(cells_of, key=lambda guard: guard in needed)
            found = core(guards)
            if found is None:
                return set(links)
            needed.update(shrink(found, lambda rest, _: core(rest)))
    return {cells_of[guard] for guard in needed}
