"""The answerers of `explain`, `hint` and `candidates`. They run in workers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from satdoku.answering.form import Form
from satdoku.answering.forms import Json, Verdicts
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.explaining.explain import Explanation, Wishes, explain
from satdoku.explaining.objects import candidates_object, explanation_object, way_object
from satdoku.explaining.true_candidates import TrueCandidates, find_true_candidates
from satdoku.explaining.why import answer, read_question
from satdoku.explaining.words.explanation import USUAL, Style, describe, numbered
from satdoku.output.ending import Ending
from satdoku.puzzle.verdict import Verdict
from satdoku.render.candidates import render_candidates, write_candidates
from satdoku.reporting.objects import dump_line
from satdoku.solving.limits import Budget, Limits


@dataclass(frozen=True)
class Prose(Verdicts):
    """Paragraphs for a person: several lines a puzzle, so that output cannot be resumed."""

    name: ClassVar[str] = "prose"

    def is_linewise(self, parser: Any) -> bool:
        return False


@dataclass(frozen=True)
class Explainer:
    """Explains the puzzle of each task; with `questions`, only what they ask about."""

    form: Form
    wishes: Wishes = field(default_factory=Wishes)
    style: Style = USUAL
    questions: tuple[str, ...] = ()

    @property
    def timeout(self) -> float | None:
        return self.wishes.limits.timeout

    def in_form(self, form: Form) -> "Explainer":
        return replace(self, form=form)

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {
            "--level": self.wishes.level.value,
            "--why": list(self.questions),
            "--timeout": self.wishes.limits.timeout,
            "--conflicts": self.wishes.limits.conflicts,
        }

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        return map(self._answer, tasks)

    def give_up(self, task: Task, reason: str) -> Row:
        return _undecided(self.form, task, reason)

    def _answer(self, task: Task) -> Row:
        try:
            puzzle = task.parse()
            # A question that makes no sense is refused before any work.
            for question in self.questions:
                read_question(question, puzzle)
        except FormatError as error:
            return _refuse(self.form, task, error)
        except SatdokuError as error:
            return _refuse(self.form, task, FormatError(str(error), task.place))
        explanation = explain(puzzle, self.wishes)
        text = self._object(task, explanation) if _is_json(self.form) else self._text(explanation)
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        return Row(text, ending)

    def _text(self, explanation: Explanation) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style)) + "\n"
        lines = []
        for question in self.questions:
            sentence, way = answer(read_question(question, explanation.puzzle), explanation)
            lines.append(sentence)
            if way is not None:
                lines += numbered(way, self.style)
        return "\n".join(lines) + "\n"

    def _object(self, task: Task, explanation: Explanation) -> str:
        found = _head(task, explanation.puzzle.name) | explanation_object(explanation)
        if self.questions:
            found["why"] = []
            for question in self.questions:
                sentence, way = answer(read_question(question, explanation.puzzle), explanation)
                steps = {"steps": []} if way is None else way_object(way)
                found["why"].append({"question": question, "answer": sentence, **steps})
            # The whole way would hide what was asked for.
            found["steps"] = []
        return dump_line(found)


@dataclass(frozen=True)
class CandidateFinder:
    """Finds the true candidates of the puzzle of each task.

    `is_flat` writes them as one line of N characters a cell, instead of a board.
    """

    form: Form
    limits: Limits = field(default_factory=Limits)
    has_witnesses: bool = False
    is_flat: bool = False

    @property
    def timeout(self) -> float | None:
        return self.limits.timeout

    def in_form(self, form: Form) -> "CandidateFinder":
        return replace(self, form=form)

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {
            "--witnesses": self.has_witnesses,
            "--flat": self.is_flat,
            "--timeout": self.limits.timeout,
            "--conflicts": self.limits.conflicts,
        }

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        return map(self._answer, tasks)

    def give_up(self, task: Task, reason: str) -> Row:
        return _undecided(self.form, task, reason)

    def _answer(self, task: Task) -> Row:
        try:
            puzzle = task.parse()
        except FormatError as error:
            return _refuse(self.form, task, error)
        true = find_true_candidates(puzzle, Budget(self.limits))
        if _is_json(self.form):
            found = candidates_object(true, self.has_witnesses)
            text = dump_line(_head(task, puzzle.name) | found)
        else:
            text = self._text(true)
        message = ""
        if not true.is_complete:
            message = f"{task.place}: there may be more, the limit was reached"
        return Row(text, _ending(true), message)

    def _text(self, true: TrueCandidates) -> str:
        cells = range(true.puzzle.geometry.cell_count)
        digits = [true.digits(cell) for cell in cells]
        if self.is_flat:
            return write_candidates(true.puzzle, digits)
        return render_candidates(true.puzzle, digits)


def _ending(true: TrueCandidates) -> Ending:
    if not true.is_complete:
        return Ending.UNDECIDED
    verdict = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(true.solutions), 2)]
    return Ending.of(verdict)


def _is_json(form: Form) -> bool:
    return isinstance(form, Json)


def _head(task: Task, name: str) -> dict[str, Any]:
    """Where the puzzle is from, before what is said of it."""
    return {"line": task.record.line, **({"name": name} if name else {})}


def _refuse(form: Form, task: Task, error: FormatError) -> Row:
    return Row(form.of_unreadable(task, error), Ending.UNREADABLE, str(error))


def _undecided(form: Form, task: Task, reason: str) -> Row:
    """The answer where the worker died, hung, or ran out of memory."""
    word = Ending.UNDECIDED.value
    line = task.record.line
    found = {"line": line, "verdict": word, "complete": False, "reason": reason}
    text = dump_line(found) if _is_json(form) else f"{word}: {reason}\n"
    return Row(text, Ending.UNDECIDED, message=f"{task.place}: {word}: {reason}")
