"""Puzzles whose certificates are to be there: `verify --puzzles` compares both sides."""

from collections.abc import Hashable, Iterable

from satdoku.answering.task import Task
from satdoku.puzzle.puzzle import Puzzle


class ExpectedPuzzles:
    """The puzzles of some tasks, and which of them have been met.

    Two puzzles are the same when their givens and their rules are; names do not matter.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        """Raises the FormatError of a task that holds no puzzle."""
        # The place of each puzzle. Equal puzzles share an entry: one certificate serves both.
        self._place_of: dict[Hashable, str] = {}
        for task in tasks:
            self._place_of.setdefault(_identity(task.parse()), task.place)
        self._met: set[Hashable] = set()

    def meet(self, puzzle: Puzzle) -> bool:
        """Whether this puzzle is one of them; it counts as met from now on."""
        identity = _identity(puzzle)
        self._met.add(identity)
        return identity in self._place_of

    def missing(self) -> list[str]:
        """The places of the puzzles that have not been met, in order."""
        return [place for puzzle, place in self._place_of.items() if puzzle not in self._met]


def _identity(puzzle: Puzzle) -> Hashable:
    # Not the puzzles themselves, which differ where the same rules come in another order.
    return puzzle.grid, frozenset(puzzle.rules)
