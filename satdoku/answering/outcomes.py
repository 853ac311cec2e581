"""The answerer of `satdoku.check_many`: puzzles in, outcomes out. Runs in workers.

What travels is small. A worker gets no puzzle but the bytes of its board where these say it all,
and of a unique puzzle it sends nothing but the solution: `outcome_of` makes the outcome of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from satdoku.answering.many import (
    LEAST_BOARDS,
    board_of,
    may_use_bulk,
    only_solutions,
    unique_outcome,
)
from satdoku.batch.row import Row
from satdoku.notation.plain_lines import PlainBoard
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.questions import check
from satdoku.solving.settings import Settings


class Asked(NamedTuple):
    """A puzzle to check, as its board where that says it all; neither is one that had a fault.

    Faults travel too: so there is a row for everything that was read, and what was read beside it
    is let go with its row.
    """

    board: PlainBoard | None = None
    puzzle: Puzzle | None = None

    @classmethod
    def of(cls, puzzle: Puzzle) -> "Asked":
        board = board_of(puzzle)
        return cls(board) if board is not None else cls(puzzle=puzzle)

    @property
    def text(self) -> Sequence[int]:
        """The digits of the board: a batch looks at the length of a text only."""
        if self.board is not None:
            return self.board.digits
        return () if self.puzzle is None else self.puzzle.grid.digits

    def to_puzzle(self) -> Puzzle:
        """The puzzle, without what does not matter for its verdict."""
        if self.board is None:
            assert self.puzzle is not None
            return self.puzzle
        return Puzzle(self.board.grid)


@dataclass(frozen=True)
class OutcomeFinder:
    """Checks puzzles; the result of a row is for `outcome_of`, and None for a fault."""

    settings: Settings = field(default_factory=Settings)

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def answers(self, records: Sequence[Asked]) -> Iterator[Row]:
        """One row for each puzzle; the bulk solver helps where there are many small boards."""
        if len(records) < LEAST_BOARDS or not may_use_bulk(self.settings):
            yield from map(self._answer, records)
            return
        solutions = only_solutions([record.board for record in records])
        for record, only in zip(records, solutions, strict=True):
            if only is None:
                yield self._answer(record)
            else:
                yield Row("", Ending.UNIQUE, result=only.solution, compared=int(only.is_compared))

    def give_up(self, record: Asked, reason: str) -> Row:
        outcome = Outcome(record.to_puzzle(), Verdict.UNDECIDED, reason=reason)
        return Row("", Ending.UNDECIDED, result=outcome)

    def _answer(self, record: Asked) -> Row:
        if record.board is None and record.puzzle is None:
            return Row("", Ending.UNREADABLE)
        outcome = check(record.to_puzzle(), self.settings)
        return Row("", Ending.of(outcome.verdict), result=outcome)


def outcome_of(puzzle: Puzzle, row: Row, settings: Settings) -> Outcome:
    """The outcome of a puzzle, given the row of what was asked about it."""
    if isinstance(row.result, bytes):
        return unique_outcome(puzzle, row.result, settings)
    outcome: Outcome = row.result
    return replace(outcome, puzzle=puzzle)
