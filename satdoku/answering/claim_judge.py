"""The answerer of `judge`: does each claim in an answer hold, and does it follow from the board?"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out
from satdoku.errors import SatdokuError, count_of
from satdoku.explaining.claims import Judged, Worth, judge_claims
from satdoku.explaining.step import Level
from satdoku.notation.claims import Claims, read_claims
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget


@value(frozen=True)
class JudgeOfClaims(FactFinder):
    """Answerer that judges the claims beside each puzzle; a row's result is a list of `Judged`."""

    level: str = asked(
        "--level",
        "The hardest steps that count as reasons; a claim that needs harder steps is a guess.",
        Level.ALL.value,
        choices=tuple(level.value for level in Level),
    )
    answer: str | None = None

    command: ClassVar[str] = "judge"
    good: ClassVar[frozenset[Ending]] = frozenset({Ending.ANSWERED})
    columns: ClassVar[tuple[Column, ...]] = (
        Column("claims", ColumnKind.WHOLE),
        *(Column(worth.value, ColumnKind.WHOLE) for worth in Worth),
    )
    keys: ClassVar[Mapping[str, Any]] = {
        "suppositions": {"type": "integer"},
        "faults": {
            "type": "array",
            "items": {"type": "string"},
            "description": "what was not understood, each with its place",
        },
        "judged": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["claim", "worth", "text", "steps", "largest"],
                "properties": {
                    "claim": {"type": "string"},
                    "worth": {"enum": [worth.value for worth in Worth]},
                    "text": {"type": "string"},
                    "steps": {"type": ["integer", "null"]},
                    "largest": {"type": ["integer", "null"]},
                },
            },
        },
    }
    endings: ClassVar[frozenset[Ending]] = frozenset(
        {Ending.ANSWERED, Ending.WRONG, Ending.MALFORMED, Ending.MISSING}
    )

    def _placed(self, task: Task) -> "JudgeOfClaims":
        return replace(super()._placed(task), answer=task.beside)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        if self.answer is None:
            return _nothing_judged(puzzle, Ending.MISSING, "there is no answer")
        try:
            read = read_claims(self.answer, puzzle)
        except SatdokuError as error:
            return _nothing_judged(puzzle, Ending.MALFORMED, str(error))
        judged = list(judge_claims(puzzle, read.claims, read.is_grid, Level(self.level), budget))
        counts = Counter(each.worth for each in judged)
        is_wrong = counts[Worth.WRONG] or read.faults
        values: dict[str, Any] = {
            "claims": len(judged) + len(read.faults),
            **{worth.value: counts[worth] for worth in Worth},
            "suppositions": read.suppositions,
            "faults": list(read.faults),
            "judged": [judged_object(puzzle, each) for each in judged],
        }
        line = "\n".join(_lines(puzzle, read, judged))
        ending = Ending.WRONG if is_wrong else Ending.ANSWERED
        return found_out(puzzle, ending, line, values, result=judged)


def _nothing_judged(puzzle: Puzzle, ending: Ending, reason: str) -> Facts:
    return found_out(puzzle, ending, f"{ending.value}: {reason}", {"claims": 0}, reason)


def judged_object(puzzle: Puzzle, judged: Judged) -> dict[str, Any]:
    """Return a judged claim as an object."""
    return {
        "claim": judged.claim.name(puzzle),
        "worth": judged.worth.value,
        "text": judged.text,
        "steps": judged.steps,
        "largest": judged.largest,
    }


def _lines(puzzle: Puzzle, read: Claims, judged: list[Judged]) -> list[str]:
    """Return a line for each claim, and one with the counts."""
    told = [f"{each.claim.name(puzzle)}: {each.worth.value}: {each.text}" for each in judged]
    told += [f"malformed: {fault}" for fault in read.faults]
    counts = Counter(each.worth for each in judged)
    parts = [f"{counts[worth]} {worth.value}" for worth in Worth if counts[worth]]
    if read.faults:
        parts.append(f"{len(read.faults)} malformed")
    summary = f"{count_of(len(told), 'claim')}: {', '.join(parts) or 'nothing new'}"
    if read.suppositions:
        summary += f"; {count_of(read.suppositions, 'supposition')} passed over"
    return [*told, summary]
