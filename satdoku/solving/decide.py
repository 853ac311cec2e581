"""How many solutions a puzzle has: none, one or several, decided in this process.

`open_search` chooses what looks for them: one solver, or on large boards several methods in turn.
"""

from itertools import islice
from typing import TYPE_CHECKING

from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.limits import Budget, LimitReachedError, Watch, unwatched
from satdoku.solving.search import Search
from satdoku.solving.settings import Settings

if TYPE_CHECKING:
    from satdoku.solving.large.ladder import Ladder


_NUMBER_OF_SOLUTIONS = {0: Verdict.NONE, 1: Verdict.UNIQUE, 2: Verdict.MULTIPLE}


def decide(puzzle: Puzzle, settings: Settings, watch: Watch = unwatched) -> Outcome:
    """Whether a puzzle has no, one or several solutions, with the solutions as evidence.

    `watch` is called with the name of each method whose turn begins, where there are several.
    """
    budget = Budget(settings.limits)
    found: list[Grid] = []
    counters: dict[str, int] = {}
    method = reason = ""
    try:
        with open_search(puzzle, settings, budget, watch) as search:
            try:
                found.extend(islice(search, 2))
            finally:
                counters, method = search.counters(), search.method
        verdict = _NUMBER_OF_SOLUTIONS[len(found)]
    except LimitReachedError as limit:
        verdict, reason = Verdict.UNDECIDED, str(limit)
    statistics = Statistics(
        settings.engine, settings.encoding.value, budget.seconds, counters, method
    )
    solution, second, *_ = [*found, None, None]
    return Outcome(puzzle, verdict, solution, second, reason, statistics)


def open_search(
    puzzle: Puzzle,
    settings: Settings,
    budget: Budget,
    watch: Watch = unwatched,
) -> "Search | Ladder":
    """A solver's search, or on large boards several methods in turn.

    `watch` is called with the name of each method whose turn begins, where there are several.
    """
    if settings.has_ladder(puzzle.geometry.size):
        # Imported here because most runs are about small boards, and should start fast.
        from satdoku.solving.large.ladder import Ladder

        return Ladder(puzzle, settings, budget, watch)
    return Search(puzzle, settings, budget)
