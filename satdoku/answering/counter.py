"""The answerers of `count` (how many solutions does a puzzle have?) and `narrow`.

They run in workers.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field, replace
from typing import Any, ClassVar, NamedTuple

from satdoku.answering.asked import Column, ColumnKind, asked, setting_values
from satdoku.answering.fact_finder import FactFinder, Plain
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out
from satdoku.batch.row import Row
from satdoku.batch.run import run
from satdoku.errors import count_of
from satdoku.making.narrowing import Narrowing, find_further_clues
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.counting import Estimate, estimate, split_puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import Count, count
from satdoku.solving.solvers import Settings

# Counting fewer solutions takes less time than starting further processes.
_LEAST_TO_SPLIT = 100_000
# Larger boards have either few solutions or too many to count, and splitting them is slow.
_MOST_CELLS_TO_SPLIT = 256
# Shares of a board differ in their numbers of solutions; this many shares for each process keep all
# processes busy until the end.
_SHARES_A_JOB = 100

_NOT_ESTIMATED = "boards above 16x16, hidden regions and very large rules get none"


@value(frozen=True)
class Counts(Plain):
    """One number a line; a plus sign marks counts that stopped early, at any limit."""

    name: ClassVar[str] = "counts"

    limit: int | None = None

    def ending_of(self, task: Task, line: str) -> Ending | None:
        number, plus, _ = line.rstrip("\n").partition(" ")[0].partition("+")
        if plus and number != str(self.limit):
            return Ending.UNDECIDED
        return super().ending_of(task, line)


@value(frozen=True)
class Counter(FactFinder):
    """Answerer that counts the solutions of each puzzle, up to `limit`; 0 means no limit.

    The result of its facts is the `Count`. In the main process, up to `jobs` others take shares of
    a puzzle, if the limit is at least `least_to_split` or there is none.
    """

    limit: int = asked(
        "--limit",
        "Stop counting at N, shown as N+; 0 counts to the end.",
        10_000,
        least=0,
        metavar="N",
    )
    is_of_board: bool = asked(
        "--board-only",
        "Count solutions that differ only in cells beside the board as one.",
    )
    is_estimated: bool = asked(
        "--estimate",
        "If --limit is reached, estimate the number, with a lower and an upper bound.",
        columns=tuple(Column(n, ColumnKind.DECIMAL) for n in ("about", "at_least", "at_most")),
    )
    settings: Settings = field(default_factory=Settings)
    jobs: int = 1
    least_to_split: int = _LEAST_TO_SPLIT

    command: ClassVar[str] = "count"
    endings: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})
    columns: ClassVar[tuple[Column, ...]] = (
        Column("count", ColumnKind.WHOLE),
        Column("exact", ColumnKind.TRUTH),
    )

    def options(self) -> dict[str, Any]:
        return super().options() | setting_values(self.settings)

    @property
    def _most(self) -> int | None:
        """Return the limit for the counting functions; None without a limit."""
        return self.limit or None

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        so_far = 0

        def note(number: int) -> None:
            nonlocal so_far
            so_far = number
            self.watch(f"{number:,} solutions")

        with self._telling(lambda: f"solutions counted so far: {so_far:,}"):
            if self._is_worth_splitting(puzzle):
                counted = self._count_in_shares(puzzle, budget, note)
            else:
                settings = replace(self.settings, limits=budget.left)
                counted = count(puzzle, self._most, settings, note, self.is_of_board)
        # A count that reached --limit is the answer that was asked for, although more solutions
        # exist.
        is_answered = counted.is_complete or counted.is_at_limit
        ending = Ending.ANSWERED if is_answered else Ending.UNDECIDED
        # A count that a limit cut short names the rest of the limit; report the limit as it was
        # set.
        reason = counted.reason if is_answered else budget.why_over() or counted.reason
        values: dict[str, Any] = {"count": counted.number, "exact": counted.is_complete}
        line = str(counted)
        if self.is_estimated:
            found, why_not = self.estimated(puzzle, counted, budget)
            values |= found.as_floats() if found else dict.fromkeys(Estimate._fields)
            line += f" ({found})" if found else ""
            reason += why_not and f"; there is no estimate: {why_not}"
        return found_out(puzzle, ending, line, values, reason, reason, counted)

    def estimated(
        self, puzzle: Puzzle, counted: Count, budget: Budget
    ) -> tuple[Estimate | None, str]:
        """Return an estimate of a count that stopped at its limit, or the reason if there is none.

        Return neither for other counts.
        """
        if not counted.is_at_limit:
            return None, ""
        if self.is_of_board:
            return None, "an estimate is of solutions with the cells beside the board"
        try:
            found = estimate(puzzle, counted.number, budget)
        except LimitReachedError as error:
            return None, str(error)
        return found, "" if found else _NOT_ESTIMATED

    def _is_worth_splitting(self, puzzle: Puzzle) -> bool:
        """Whether to split the count among processes; a limit on conflicts cannot be split."""
        is_long = not self.limit or self.limit >= self.least_to_split
        is_small = puzzle.geometry.cell_count <= _MOST_CELLS_TO_SPLIT
        has_beside = puzzle.geometry.board_count < puzzle.geometry.cell_count
        is_alone = self.limits.conflicts is not None or self.settings.command or has_beside
        is_wanted = self.jobs > 1 and is_long and is_small and not is_alone
        if not is_wanted:
            return False
        # Imported here: a browser has no processes.
        from multiprocessing import parent_process

        # In a worker, which has a parent, the other processes are at work on other puzzles.
        return parent_process() is None

    def _count_in_shares(
        self, puzzle: Puzzle, budget: Budget, note: Callable[[int], None]
    ) -> Count:
        shares = map(_Share, split_puzzle(puzzle, self.jobs * _SHARES_A_JOB))
        left = budget.seconds_left
        end = None if left is None else time.monotonic() + left
        answerer = _ShareCounter(self.settings, self._most, end)
        number, reason = 0, ""
        limits = budget.limits
        # The stop event cannot be sent to workers, so this process ends the rows when it is set.
        rows = run(answerer, shares, self.jobs, is_stopped=lambda: limits.is_stopped)
        with closing(rows):
            for row in rows:
                share: Count = row.result
                number += share.number
                note(number)
                # A number that equals the limit may still be exact.
                if self.limit and (share.is_at_limit or number > self.limit):
                    stopped = f"counting stopped at {self.limit:,}"
                    return Count(self.limit, is_at_limit=True, reason=stopped)
                # When time is over, the remaining shares end at once with their counts so far.
                reason = reason or share.reason
        if limits.is_stopped:
            reason = budget.why_over()
        return Count(number, not reason, reason=reason)


class _Share(NamedTuple):
    """A share as a record for `batch.run`, which needs the text of every record."""

    puzzle: Puzzle
    text: str = ""


@value(frozen=True)
class _ShareCounter:
    """Answerer that counts solutions of shares, until `end` on the system-wide monotonic clock."""

    settings: Settings
    limit: int | None
    end: float | None

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def answers(self, shares: Sequence[_Share]) -> Iterator[Row]:
        for share in shares:
            settings = self.settings
            if self.end is not None:
                # Zero seconds left is a limit too: the share is then given up at its first check of
                # the clock.
                left = Limits(max(0.0, self.end - time.monotonic()))
                settings = replace(settings, limits=left)
            yield Row("", Ending.ANSWERED, result=count(share.puzzle, self.limit, settings))

    def give_up(self, share: _Share, reason: str) -> Row:
        return Row("", Ending.UNDECIDED, result=Count(0, reason=reason))


# The answerer of `narrow`: how many solutions would each further digit or clue leave?


@value(frozen=True)
class Narrower(FactFinder):
    """Answerer that finds how many solutions of each puzzle a further clue leaves.

    The result of its facts is the `Narrowing`.
    """

    limit: int = asked("--limit", "Compare N solutions at most.", 1_000, least=2, metavar="N")
    most: int = asked(
        "--most", "List K clues at most.", 20, least=1,
        metavar="K",
    )  # fmt: skip

    command: ClassVar[str] = "narrow"
    endings: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})
    columns: ClassVar[tuple[Column, ...]] = (
        Column("solutions", ColumnKind.WHOLE),
        Column("exact", ColumnKind.TRUTH),
    )
    keys: ClassVar[Mapping[str, Any]] = {
        "clues": {
            "type": "array",
            "description": "a given, or a rule as --rule takes it, with the solutions it leaves",
            "items": {
                "type": "object",
                "required": ["clue", "left"],
                "properties": {
                    "clue": {"type": "string"},
                    "left": {"type": "integer", "minimum": 1},
                },
            },
        },
    }

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        found = find_further_clues(puzzle, self.limit, budget)
        clues = found.clues[: self.most]
        values = {
            "solutions": found.solutions,
            "exact": found.is_complete,
            "clues": [{"clue": clue.text, "left": clue.left} for clue in clues],
        }
        text = "\n".join(_lines(found._replace(clues=clues)))
        return found_out(puzzle, Ending.ANSWERED, text, values, result=found)


def _lines(found: Narrowing) -> list[str]:
    plus = "" if found.is_complete else " or more"
    lines = [f"{found.solutions}{plus} solutions" if found.solutions != 1 else "one solution"]
    for text, left in found.clues:
        # If only some of the solutions are known, a clue may leave more than are counted here.
        least = "" if found.is_complete else "at least "
        lines.append(f"{text} leaves {least}{count_of(left, 'solution')}")
    return lines
