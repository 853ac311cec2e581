"""How many solutions a puzzle has: none, one or several, decided in this process."""

from itertools import islice

from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Statistics, Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.search import Search
from satdoku.solving.settings import Settings

_NUMBER_OF_SOLUTIONS = {0: Verdict.NONE, 1: Verdict.UNIQUE, 2: Verdict.MULTIPLE}


def decide(puzzle: Puzzle, settings: Settings) -> Outcome:
    """Whether a puzzle has no, one or several solutions, with the solutions as evidence."""
    budget = Budget(settings.limits)
    found: list[Grid] = []
    counters: dict[str, int] = {}
    reason = ""
    try:
        with Search(puzzle, settings, budget) as search:
            try:
                found.extend(islice(search, 2))
            finally:
                counters = search.counters()
        verdict = _NUMBER_OF_SOLUTIONS[len(found)]
    except LimitReachedError as limit:
        verdict, reason = Verdict.UNDECIDED, str(limit)
    statistics = Statistics(settings.engine, settings.encoding.value, budget.seconds, counters)
    solution, second, *_ = [*found, None, None]
    return Outcome(puzzle, verdict, solution, second, reason, statistics)
