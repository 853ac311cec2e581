"""What is to be answered, a record of the input, and what was found out about its puzzle.

Facts stand between a question and the form that writes its answer: whatever was asked, they are
the same kind of value.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import isqrt
from typing import Any, NamedTuple

from satdoku.answering.output.ending import Ending
from satdoku.errors import SolutionError
from satdoku.notation.outcomes import (
    MISMATCH,
    NO_KNOWN_SOLUTION,
    contradicts,
    evidence,
    puzzle_object,
    to_object,
    verdict_line,
)
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.record import Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.limits import Budget, Limits

COMPLETE = "complete"
"""The value, where an answer has one, that says whether no limit cut it short."""


class Facts(NamedTuple):
    """The answer to a question about a puzzle.

    `line` is what a person reads, without its line end; an answer in prose has several. `values`
    are what a program reads: JSON takes all of them in their order, a table those that have a
    column. `verdict` is always among them, with the word for the ending, and `reason` where there
    is one. `message` is said on stderr besides, behind the place of the puzzle. `result` is for the
    command, and is not written. `compared` is 1 where two ways led to the answer, which agreed.
    """

    ending: Ending
    line: str
    values: Mapping[str, Any]
    message: str = ""
    puzzle: Puzzle | None = None
    result: Any = None
    compared: int = 0


def found_out(
    puzzle: Puzzle,
    ending: Ending,
    line: str,
    values: Mapping[str, Any],
    reason: str = "",
    message: str = "",
    result: Any = None,
) -> Facts:
    """Facts about a puzzle, with what all answers have in common around the `values`."""
    found = {**puzzle_object(puzzle), "verdict": ending.value, **values, "reason": reason}
    return Facts(ending, line, found, message, puzzle, result)


def nothing_found(reason: str, ending: Ending = Ending.UNDECIDED) -> Facts:
    """There is no answer, and this is why."""
    values = {"verdict": ending.value, "reason": reason}
    return Facts(ending, f"{ending.value}: {reason}", values)


def outcome_line(outcome: Outcome, fault: str = "") -> str:
    """The verdict with its evidence; instead, how a known solution is wrong, where one is."""
    is_wrong = contradicts(fault)
    return f"{Ending.MISMATCH.value}: {fault}" if is_wrong else verdict_line(outcome)


def outcome_facts(outcome: Outcome, has_statistics: bool = False, **further: Any) -> Facts:
    """A verdict with its evidence; `further` values stand behind it."""
    fault = further.get(MISMATCH) or ""
    line = outcome_line(outcome, fault)
    ending = Ending.MISMATCH if contradicts(fault) else Ending.of(outcome.verdict)
    values = {**to_object(outcome, has_statistics), **further}
    return Facts(ending, line, values, puzzle=outcome.puzzle)


def not_unique_facts(outcome: Outcome, budget: Budget | None = None) -> Facts:
    """The answer to a question that makes sense for a puzzle with one solution alone.

    Where a limit came first, the check had only what was left of the `budget`, and names that; the
    user knows the limits as they were set.
    """
    if outcome.reason and budget is not None:
        outcome = replace(outcome, reason=budget.why_over() or outcome.reason)
    line = verdict_line(outcome)
    return found_out(outcome.puzzle, Ending.of(outcome.verdict), line, {}, evidence(outcome))


def named(puzzle: Puzzle) -> dict[str, Any]:
    """The name of a puzzle, if it has one, to stand before what is said of it."""
    # Without a name there is no member, as in what was read.
    return {"name": puzzle.name} if puzzle.name else {}


class Task(NamedTuple):
    """A record with the parser for it; `number` counts the records of all sources from 1.

    `bare` is what its format has read from it already, as it has from the first record of a text,
    by which it was told. To read it took so many `seconds`, which count for the limit of its
    answer.

    A task may be a block: so many `puzzles`, neighbouring plain lines of one kind, which are read,
    answered and written together. Only who asks for blocks gets any (`Tasks`).
    """

    parser: Parser
    record: Record
    number: int
    bare: Puzzle | None = None
    puzzles: int = 1
    seconds: float = 0

    @property
    def text(self) -> str:
        return self.record.text

    @property
    def place(self) -> str:
        """Where the record begins, as messages say it: `puzzles.txt:12`."""
        return f"{self.parser.source}:{self.record.line}"

    @property
    def geometry(self) -> Geometry:
        """That of the boards of a block."""
        # Each line of a block has its line end besides the cells.
        size = isqrt(len(self.record.text) // self.puzzles - 1)
        return Geometry.of_size(size)

    def cells(self) -> bytes:
        """The boards of a block, board after board, one byte a cell."""
        return plain_lines(self.geometry).read_block(self.record.text)

    def lines(self) -> "list[Task]":
        """The tasks of a block one by one."""
        first = self.record.line
        return [
            Task(self.parser, Record(first + index, line), self.number + index)
            for index, line in enumerate(self.record.text.splitlines())
        ]

    def budget(self, limits: Limits) -> Budget:
        """The limits of an answer, being used up since the first byte of the record was read."""
        budget = Budget(limits)
        budget.started -= self.seconds
        return budget

    def parse(self) -> Puzzle:
        """The puzzle; a FormatError says what is wrong with the text."""
        return self.parser(self.record, self.bare)

    @property
    def is_compared(self) -> bool:
        """Whether a solution beside the puzzle is to be compared, so that answers speak of it."""
        return self.parser.hints.solution_column is not None

    def parse_known_solution(self, puzzle: Puzzle) -> Grid | str | None:
        """Return the solution beside the puzzle, or a sentence that says why there is none.

        None where no solutions are compared: a column of that name means nothing unless the user
        named it.
        """
        if not self.is_compared:
            return None
        parser = self.parser
        # On the board of its puzzle: so it is told how many cells it should have.
        hints = replace(parser.hints, geometry=puzzle.geometry)
        try:
            known = parser.format.parse_solution(self.record, hints, parser.source)
        except SolutionError as error:
            return error.message
        return NO_KNOWN_SOLUTION if known is None else known
