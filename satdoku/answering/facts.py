"""What was found out about a puzzle, whatever was asked, and before any form writes it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from satdoku.output.ending import Ending
from satdoku.output.objects import MISMATCH, puzzle_object, to_object
from satdoku.output.words import evidence, verdict_line
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.limits import Budget

COMPLETE = "complete"
"""The value, where an answer has one, that says whether no limit cut it short."""


class Facts(NamedTuple):
    """The answer to a question about a puzzle.

    `line` is what a person reads, without its line end; an answer in prose has several. `values`
    are what a program reads: JSON takes all of them in their order, a table those that have a
    column. `verdict` is always among them, with the word for the ending, and `reason` where there
    is one. `message` is said on stderr besides, behind the place of the puzzle. `result` is for the
    command, and is not written.
    """

    ending: Ending
    line: str
    values: Mapping[str, Any]
    message: str = ""
    puzzle: Puzzle | None = None
    result: Any = None


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
    return f"{Ending.MISMATCH.value}: {fault}" if fault else verdict_line(outcome)


def outcome_facts(outcome: Outcome, has_statistics: bool = False, **further: Any) -> Facts:
    """A verdict with its evidence; `further` values stand behind it."""
    fault = further.get(MISMATCH) or ""
    line = outcome_line(outcome, fault)
    ending = Ending.MISMATCH if fault else Ending.of(outcome.verdict)
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
