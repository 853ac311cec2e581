"""The answerers of `grade` and `judge`: is an answer right, and is each claim in it?

The judge alone says that an answer is right, so any solution counts where a puzzle has several. A
solver is asked only about answers that are not right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar

from satdoku.answering.asked import Column, ColumnKind, asked
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.many import board_of, may_use_bulk, only_solutions
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Facts, Task, found_out
from satdoku.errors import FormatError, SatdokuError, count_of
from satdoku.explaining.claims import Judged, Worth, judge_claims
from satdoku.explaining.step import Level
from satdoku.lanes.library import find_library
from satdoku.notation.answers import Claims, grid_of_answer, read_claims
from satdoku.notation.outcomes import write_grid
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.judge import find_byte_judge, find_clashes, find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Clash
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget, LimitReachedError
from satdoku.solving.questions import check_within
from satdoku.solving.solvers import Settings


class Mark(Enum):
    """The mark of an answer.

    WRONG: a given was changed, a rule is broken, or no solution has these digits. INCOMPLETE: cells
    are empty, and the others have digits of a solution. MALFORMED: the answer holds no board of the
    puzzle's size. MISSING: there is no answer.
    """

    RIGHT = Ending.RIGHT.value
    WRONG = Ending.WRONG.value
    INCOMPLETE = Ending.INCOMPLETE.value
    MALFORMED = Ending.MALFORMED.value
    MISSING = Ending.MISSING.value


@value(frozen=True)
class Grade:
    """The mark of an answer, and what is wrong with it.

    `cells` are the filled cells that are known to be wrong. If the puzzle has one solution, they
    differ from it; otherwise they are changed givens, or they break a rule.
    """

    mark: Mark
    reason: str = ""
    grid: Grid | None = None
    cells: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    broken: tuple[Clash, ...] = ()

    @property
    def is_right(self) -> bool:
        return self.mark is Mark.RIGHT


def grade_answer(puzzle: Puzzle, answer: str | None, budget: Budget) -> Grade:
    """Return the grade of an answer; raise LimitReachedError if a limit was reached first."""
    if answer is None:
        return Grade(Mark.MISSING, "there is no answer")
    try:
        grid = grid_of_answer(answer, puzzle)
    except SatdokuError as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        return Grade(Mark.MALFORMED, message)
    judge = find_byte_judge(puzzle)
    given, found = puzzle.grid.digits, grid.digits
    # Most answers of good models are right, and their judge for bytes takes a tenth of the time.
    is_right = judge is not None and judge.is_solution(bytes(given), bytes(found))
    if is_right or not find_fault(grid, puzzle):
        return Grade(Mark.RIGHT, grid=grid)
    changed = tuple(c for c, digit in enumerate(given) if digit and found[c] not in (EMPTY, digit))
    broken = tuple(find_clashes(puzzle, grid))
    cells, reason = _wrong_cells(puzzle, grid, changed, broken, budget)
    if cells or reason:
        reason = reason or _reason(puzzle, grid, cells, changed)
        return Grade(Mark.WRONG, reason, grid, cells, changed, broken)
    empty = count_of(found.count(EMPTY), "cell")
    return Grade(Mark.INCOMPLETE, f"{empty} empty", grid)


def _wrong_cells(
    puzzle: Puzzle,
    grid: Grid,
    changed: Sequence[int],
    broken: Sequence[Clash],
    budget: Budget,
) -> tuple[tuple[int, ...], str]:
    """Return the wrong cells, and a reason where no single cell is wrong by itself."""
    right = _only_solution(puzzle, budget)
    outcome = check_within(puzzle, budget) if right is None else None
    if outcome and outcome.verdict is Verdict.UNIQUE and outcome.solution is not None:
        right = outcome.solution.digits
    if right is not None:
        pairs = enumerate(zip(grid.digits, right, strict=True))
        return tuple(cell for cell, (digit, wanted) in pairs if digit not in (EMPTY, wanted)), ""
    clashing = {cell for clash in broken for cell in clash.cells}
    if known := tuple(sorted({*changed, *clashing})):
        return known, ""
    if outcome and outcome.verdict is Verdict.NONE:
        return (), "the puzzle has no solution"
    filled = puzzle.with_grid(grid.with_digits(puzzle.givens))
    outcome = check_within(filled, budget)
    if outcome.verdict is Verdict.UNDECIDED:
        raise LimitReachedError(outcome.reason)
    is_none = outcome.verdict is Verdict.NONE
    return (), "no solution has all of these digits" if is_none else ""


def _only_solution(puzzle: Puzzle, budget: Budget) -> Sequence[int] | None:
    """Return the digits of a unique solution that the compiled library finds, else None."""
    is_open = may_use_bulk(Settings(limits=budget.limits)) and not budget.why_over()
    board = board_of(puzzle) if is_open and find_library() is not None else None
    [only] = only_solutions([board], least=1)
    return None if only is None else only.solution


# A line lists at most this many cells and clashes, so that it can be read at a glance.
_MOST_LISTED = 3


def _reason(puzzle: Puzzle, grid: Grid, cells: Sequence[int], changed: Sequence[int]) -> str:
    """Return in words what is wrong with an answer that has wrong cells."""
    named = [_describe(puzzle, grid, cell) for cell in cells[:_MOST_LISTED]]
    more = ", ..." if len(cells) > _MOST_LISTED else ""
    told = [f"{count_of(len(cells), 'wrong cell')} ({', '.join(named)}{more})"]
    if changed:
        told.append(f"{count_of(len(changed), 'given')} changed")
    empty = grid.digits.count(EMPTY)
    if empty:
        told.append(f"{count_of(empty, 'cell')} empty")
    clash = next(find_clashes(puzzle, grid), None)
    if clash is not None:
        told.append(clash.describe(puzzle.name_of_digit))
    return "; ".join(told)


def _describe(puzzle: Puzzle, grid: Grid, cell: int) -> str:
    name, digit = puzzle.geometry.name_of(cell), puzzle.name_of_digit(grid.digits[cell])
    given = puzzle.grid.digits[cell]
    if given not in (EMPTY, grid.digits[cell]):
        return f"{name} is {digit}, given as {puzzle.name_of_digit(given)}"
    return f"{name} is {digit}"


def grade_values(puzzle: Puzzle, grade: Grade) -> dict[str, Any]:
    """Return the values of a grade for an object or a row, without its mark and reason."""
    names = {
        "cells": [puzzle.geometry.name_of(cell) for cell in grade.cells],
        "changed": [puzzle.geometry.name_of(cell) for cell in grade.changed],
    }
    return {
        "answer": write_grid(grade.grid, puzzle),
        "wrong": None if grade.grid is None else len(grade.cells),
        **names,
        "broken": [clash.describe(puzzle.name_of_digit) for clash in grade.broken],
        "empty": None if grade.grid is None else grade.grid.digits.count(EMPTY),
    }


@value(frozen=True)
class Grader(FactFinder):
    """Answerer that grades the answer beside each puzzle; the result of a row is its `Grade`."""

    answer: str | None = None

    command: ClassVar[str] = "grade"
    good: ClassVar[frozenset[Ending]] = frozenset({Ending.RIGHT})
    columns: ClassVar[tuple[Column, ...]] = (
        Column("answer"),
        Column("wrong", ColumnKind.WHOLE),
        Column("cells", ColumnKind.WORDS),
        Column("changed", ColumnKind.WORDS),
        Column("empty", ColumnKind.WHOLE),
    )
    keys: ClassVar[Mapping[str, Any]] = {
        "broken": {
            "type": "array",
            "items": {"type": "string"},
            "description": "the rules that the answer breaks, each as a sentence",
        }
    }
    endings: ClassVar[frozenset[Ending]] = frozenset(
        {Ending.RIGHT, Ending.WRONG, Ending.INCOMPLETE, Ending.MALFORMED, Ending.MISSING}
    )

    def _placed(self, task: Task) -> "Grader":
        return replace(super()._placed(task), answer=task.beside)

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        grade = grade_answer(puzzle, self.answer, budget)
        word, reason = grade.mark.value, grade.reason
        line = f"{word}: {reason}" if reason else word
        values = grade_values(puzzle, grade)
        return found_out(puzzle, Ending(word), line, values, reason, result=grade)


# The answerer of `judge`: does each claim in an answer hold, and does it follow from the board?


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
