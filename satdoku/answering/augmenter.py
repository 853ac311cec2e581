"""Answerers about symmetric twins: random ones for `augment`, and keys to find or part them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satdoku.answering.asked import Column, asked
from satdoku.answering.classifiers import MOVES, CanonicalFinder, describe_moves, moves_object
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out
from satdoku.errors import SatdokuError
from satdoku.making.twins import random_twin
from satdoku.notation.outcomes import NO_KNOWN_SOLUTION, write_grid
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget


@dataclass(frozen=True)
class KeyFinder(CanonicalFinder):
    """Finds the key that twins share, puzzle by puzzle, for runs that look at each row."""

    seed: str = asked(
        "--seed",
        "Seed of the draw; the same seed sends the same puzzles to the same part.",
        "0",
        metavar="TEXT",
    )

    @property
    def takes_blocks(self) -> bool:
        return False


@dataclass(frozen=True)
class Augmenter(FactFinder):
    """Finds a random twin of the puzzle of each task, and the same twin of a known solution.

    The tasks of one puzzle are numbered by what is `beside` them.
    """

    times: int = asked("--times", "Twins of each puzzle.", 1, least=1, metavar="N")
    seed: str = asked(
        "--seed",
        "Seed of the symmetries; the same seed gives the same twins on every machine.",
        "0",
        metavar="TEXT",
    )
    tells_moves: bool = asked(
        "--how",
        "After each twin, print how to get it: the new order of the lines, and the new digits.",
        columns=(Column("how"),),
    )
    task: Task | None = None

    command: ClassVar[str] = "augment"
    columns: ClassVar[tuple[Column, ...]] = (Column("twin"), Column("twin_solution"))
    keys: ClassVar[Mapping[str, Any]] = {"how": MOVES}
    endings: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})

    def tasks_of(self, tasks: Iterator[Task]) -> Iterator[Task]:
        """Yield each task once for each of its twins."""
        return (task._replace(beside=number) for task in tasks for number in range(self.times))

    def _placed(self, task: Task) -> "Augmenter":
        return replace(super()._placed(task), task=task)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        number = 0 if self.task is None else self.task.beside or 0
        twin = random_twin(puzzle, self.seed, number)
        known = self._known_solution(puzzle)
        solution = None if known is None else twin.apply(known)
        line = write_grid(twin.puzzle.grid, puzzle) or ""
        values: dict[str, Any] = {"twin": line, "twin_solution": write_grid(solution, puzzle)}
        if self.tells_moves:
            values["how"] = moves_object(puzzle, twin.moves)
            line = f"{line} {describe_moves(puzzle, twin.moves)}"
        return found_out(puzzle, Ending.ANSWERED, line, values, result=twin)

    def _known_solution(self, puzzle: Puzzle) -> Grid | None:
        known = None if self.task is None else self.task.parse_known_solution(puzzle)
        if isinstance(known, str) and known != NO_KNOWN_SOLUTION:
            raise SatdokuError(known)
        return known if isinstance(known, Grid) else None
