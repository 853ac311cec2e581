"""Which search finds the solutions of a puzzle."""

from typing import TYPE_CHECKING

from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget
from satdoku.solving.search import Search
from satdoku.solving.settings import Settings
from satdoku.solving.watching import Watch, unwatched

if TYPE_CHECKING:
    from satdoku.solving.large.ladder import Ladder


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
