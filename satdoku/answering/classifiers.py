"""The answerers of `rate` and `canonical`: difficulty, and the canonical form shared by twins.

They run in workers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.asked import Row as OptionRow
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out, not_unique_facts
from satdoku.batch.row import Row
from satdoku.errors import FormatError, count_of
from satdoku.making.canonical import Moves, canonical_form
from satdoku.notation.spelling import write_cells
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.rating.estimate import VERSIONS, Estimate, estimate
from satdoku.rating.rater import Rated, rate_all
from satdoku.rating.rating import DEFINITION, Rating
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within

_ESTIMATED = tuple(Column(f"estimated_{name}", ColumnKind.DECIMAL) for name in ("er", "ep", "ed"))


@dataclass(frozen=True)
class Rater(FactFinder):
    """Rates the puzzle of each task, many at once; the result of a row is its rating."""

    has_steps: bool = asked(
        "--steps",
        "Add the number of steps of an explanation, the size of the largest, and the length of the "
        "longest story.",
        columns=tuple(Column(name, ColumnKind.WHOLE) for name in ("steps", "largest", "story")),
    )
    has_estimate: bool = asked(
        "--estimate", "Add estimates of the ratings by Sudoku Explainer.", columns=_ESTIMATED
    )
    estimated_version: str = asked(
        "--estimate-version",
        "The version that is estimated: 1.18, or 1.2.1 as in lists of the players' forum.",
        VERSIONS[0],
        choices=VERSIONS,
    )

    command: ClassVar[str] = "rate"
    needs: ClassVar[Sequence[OptionRow]] = (
        ("--estimate-version", "--estimate", "nothing is estimated without"),
    )
    columns: ClassVar[tuple[Column, ...]] = (Column("level"), Column("rating", ColumnKind.WHOLE))

    @property
    def seconds_together(self) -> float:
        """Return how many seconds of tasks to rate together; see `WorksTogether`.

        Rating 200 puzzles at once takes half as long as rating them in tens; 200 hard ones take
        about three seconds.
        """
        return 0.0 if self._is_slow else 4.0

    @property
    def _is_slow(self) -> bool:
        """Whether the answers added to a rating take longer than the rating."""
        return self.has_steps or self.has_estimate

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        if self._is_slow:
            yield from super().answers(tasks)
            return
        # Invalid puzzles keep their position, so that rows come in the order of the tasks.
        readings = [_read(task) for task in tasks]
        ratings = rate_all((each for each in readings if isinstance(each, Puzzle)), self.limits)
        for task, reading in zip(tasks, readings, strict=True):
            if isinstance(reading, FormatError):
                yield self._refuse(task, reading)
            else:
                yield self._row(task, _facts_of(next(ratings)))

    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        if self._is_slow:
            return super().facts(puzzle, budget)
        budget = budget or Budget(self.limits)
        [rated] = rate_all([puzzle], budget.left)
        return _facts_of(rated, budget=budget)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        [rated] = rate_all([puzzle], budget.left)
        facts = _facts_of(rated, budget=budget)
        if rated.rating is not None and self.has_steps:
            facts = _with_steps(facts, puzzle, budget)
        if rated.rating is not None and self.has_estimate:
            facts = _with_estimate(facts, puzzle, budget, self.estimated_version)
        return facts


def _read(task: Task) -> Puzzle | FormatError:
    try:
        return task.parse()
    except FormatError as error:
        return error


def _with_steps(facts: Facts, puzzle: Puzzle, budget: Budget) -> Facts:
    """Add the steps of an explanation: their number, the largest size in truths, and the longest
    story.

    The last one orders the puzzles that are beyond a rating.
    """
    # The module of explanations is slow to import and rarely needed.
    from satdoku.explaining.explain import explain

    explanation = explain(puzzle, budget=budget)
    if not explanation.is_complete:
        raise LimitReachedError(explanation.reason)
    count, largest = len(explanation.way.steps), explanation.way.biggest
    stories = (story for step in explanation.way.steps for story in step.stories)
    longest = max((story.length for story in stories), default=0)
    line = f"{facts.line}, {count_of(count, 'step')}, the largest of size {largest}"
    if longest:
        line += f", the longest story of {count_of(longest, 'placement')}"
    added = {"steps": count, "largest": largest, "story": longest}
    return facts._replace(line=line, values={**facts.values, **added})


def _with_estimate(facts: Facts, puzzle: Puzzle, budget: Budget, version: str) -> Facts:
    found = estimate(puzzle, budget, version)
    values: dict[str, Any] = {"estimated_version": version}
    values |= {column.name: number for column, number in zip(_ESTIMATED, found, strict=True)}
    line = f"{facts.line}, {write_estimate(found, version)}"
    return facts._replace(line=line, values={**facts.values, **values})


def write_estimate(found: Estimate, version: str) -> str:
    """Return the numbers of an estimate as text, labelled as estimated.

    >>> from satdoku.rating.estimate import Estimate
    >>> write_estimate(Estimate(None, 1.2, 1.2), "1.18")
    'estimated for SE 1.18: ER above 9, EP 1.2, ED 1.2'
    """
    numbers = ["above 9" if number is None else f"{number:.1f}" for number in found]
    names = zip(("ER", "EP", "ED"), numbers, strict=True)
    return f"estimated for SE {version}: " + ", ".join(f"{name} {number}" for name, number in names)


def _facts_of(rated: Rated, budget: Budget | None = None) -> Facts:
    if rated.rating is None:
        return not_unique_facts(rated.outcome, budget)
    line = write_rating(rated.rating)
    values: dict[str, Any] = {"level": rated.rating.level.value, "rating": rated.rating.number}
    values["definition"] = DEFINITION
    return found_out(rated.puzzle, Ending.UNIQUE, line, values, result=rated.rating)


def write_rating(rating: Rating) -> str:
    """Return the number and the level of a rating; the level "beyond" has no number.

    >>> write_rating(Rating(5)), write_rating(Rating(None))
    ('5 very hard', '- beyond')
    """
    number = "-" if rating.number is None else rating.number
    return f"{number} {rating.level.value}"


# 16 bytes: among a billion puzzles, two share a key with a probability of 10^-20.
_BYTES_OF_KEY = 16


@dataclass(frozen=True)
class CanonicalFinder(FactFinder):
    """Finds the canonical form of each puzzle, or of its solution.

    The result of a row is a key that twins share and other puzzles do not.
    """

    of: str = asked(
        "--of",
        "Find the form of the givens, or of the only solution.",
        "puzzle",
        choices=("puzzle", "solution"),
    )
    end: str = asked(
        "--form",
        "The smallest of all twins, or the largest, as in lists of the hardest puzzles.",
        "min",
        choices=("min", "max"),
    )
    tells_moves: bool = asked(
        "--how",
        "After each form, print how to get it: the new order of the lines, and the new digits.",
    )

    command: ClassVar[str] = "canonical"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("canonical"),
        Column("automorphisms", ColumnKind.WHOLE),
    )

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        ending, board = Ending.ANSWERED, puzzle
        if self.of == "solution":
            outcome = check_within(puzzle, budget)
            if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
                return not_unique_facts(outcome)
            ending, board = Ending.UNIQUE, puzzle.with_grid(outcome.solution)
        elif puzzle.is_classic and next(find_clashes(puzzle), None) is not None:
            return not_unique_facts(check_within(puzzle, budget))
        form = canonical_form(board, budget, self.end == "max", self.tells_moves)
        # Do not use the symbols of the puzzle: twins may have different ones.
        line = write_cells(form.grid)
        values: dict[str, Any] = {"canonical": line, "automorphisms": form.automorphisms}
        text = line
        if form.moves is not None:
            values |= {"how": _moves_object(puzzle, form.moves)}
            text = f"{line} {_describe(puzzle, form.moves)}"
        # Include the geometry: boards with boxes of 2x3 and of 3x2 may have the same line.
        key = blake2b(f"{puzzle.geometry} {line}".encode(), digest_size=_BYTES_OF_KEY).digest()
        return found_out(puzzle, ending, text, values, result=key)


def _moves_object(puzzle: Puzzle, moves: Moves) -> dict[str, Any]:
    """Return the moves with rows and columns counted from 1."""
    return {
        "transposed": moves.is_transposed,
        "rows": [row + 1 for row in moves.rows],
        "columns": [column + 1 for column in moves.columns],
        "names": {
            puzzle.name_of_digit(digit): name for digit, name in enumerate(moves.names) if digit
        },
    }


def _describe(puzzle: Puzzle, moves: Moves) -> str:
    """Return the moves in words."""
    found = _moves_object(puzzle, moves)
    rows, columns = (" ".join(map(str, found[lines])) for lines in ("rows", "columns"))
    names = " ".join(f"{old}>{new}" for old, new in found["names"].items())
    transposed = "transposed, " if moves.is_transposed else ""
    return f"{transposed}rows {rows}, columns {columns}, digits {names}"


class Repeats:
    """Filter that drops rows whose key came before.

    Stores 16 bytes a puzzle, which take about 100 bytes in a Python set.
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def leave_out(self, row: Row) -> Row:
        """Return the row, or for a repeat a row without text."""
        if row.result is None:
            return row
        if row.result in self._seen:
            return Row("", Ending.REPEATED)
        self._seen.add(row.result)
        return row
