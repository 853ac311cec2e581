"""A hint as an object for JSON; docs/hint.schema.json describes it."""

from typing import Any

from satdoku.answering.facts import named
from satdoku.explaining.hint import Hint
from satdoku.explaining.objects import way_object
from satdoku.output.ending import Ending
from satdoku.output.words import evidence
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict


def is_solved(found: Hint) -> bool:
    """Whether nothing is left to hint at, because the board is full and right."""
    return (
        found.outcome.verdict is Verdict.UNIQUE
        and found.step is None
        and not (found.wrong or found.missing)
    )


def hint_object(found: Hint, puzzle: Puzzle, entered: Grid | None) -> dict[str, Any]:
    """All parts of a hint at once; a part that this hint does not have is null."""
    result = named(puzzle) | {
        "verdict": found.outcome.verdict.value,
        "solved": is_solved(found),
        "wrong": [] if entered is None else _wrong_digits(found, puzzle, entered),
        "missing": _missing_digits(found, puzzle),
        "where": found.where or None,
        "what": found.what or None,
        "begin": found.begin or None,
        "step": None if found.way is None else way_object(found.way)["steps"][0],
    }
    reason = evidence(found.outcome)
    # A step, or a wrong digit, is the answer; only where there is none, the verdict needs a reason.
    if reason and found.step is None and not (found.wrong or found.missing):
        result["reason"] = reason
    return result


def _missing_digits(found: Hint, puzzle: Puzzle) -> list[str]:
    """The digits of the solution that the player's marks leave out."""
    if found.outcome.solution is None:
        return []
    name_of, digits = puzzle.geometry.name_of, found.outcome.solution.digits
    return [f"{name_of(cell)}={puzzle.name_of_digit(digits[cell])}" for cell in found.missing]


def no_hint_object(puzzle: Puzzle, reason: str) -> dict[str, Any]:
    """What is said instead of a hint when a limit comes before it is known."""
    return named(puzzle) | {"verdict": Ending.UNDECIDED.value, "reason": reason}


def _wrong_digits(found: Hint, puzzle: Puzzle, entered: Grid) -> list[str]:
    name_of, digits = puzzle.geometry.name_of, entered.digits
    return [f"{name_of(cell)}={puzzle.name_of_digit(digits[cell])}" for cell in found.wrong]
