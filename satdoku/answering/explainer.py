"""The answerers of `explain`, `hint` and `candidates`. They run in workers."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from satdoku.answering.form import Form
from satdoku.answering.forms import Json, Verdicts
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.explaining.explain import Explanation, Wishes, explain
from satdoku.explaining.objects import candidates_object, explanation_object, way_object
from satdoku.explaining.slides import show_of
from satdoku.explaining.true_candidates import TrueCandidates, find_true_candidates
from satdoku.explaining.why import Answer, Question, answer, read_question
from satdoku.explaining.words.explanation import USUAL, Style, describe, numbered
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.render.candidates import render_candidates, write_candidates
from satdoku.reporting.objects import dump_line
from satdoku.solving.limits import Budget, Limits

Self = TypeVar("Self", bound="_OneByOne")


@dataclass(frozen=True)
class Prose(Verdicts):
    """Paragraphs for a person: several lines a puzzle, so that output cannot be resumed."""

    name: ClassVar[str] = "prose"

    def is_linewise(self, parser: Any) -> bool:
        return False


@dataclass(frozen=True)
class _OneByOne(ABC):
    """What the answerers here have in common: a puzzle at a time, in a form, within limits."""

    form: Form

    @property
    @abstractmethod
    def _limits(self) -> Limits: ...

    @abstractmethod
    def _answer(self, task: Task, puzzle: Puzzle) -> Row: ...

    @property
    def timeout(self) -> float | None:
        return self._limits.timeout

    def in_form(self: Self, form: Form) -> Self:
        return replace(self, form=form)

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {"--timeout": self._limits.timeout, "--conflicts": self._limits.conflicts}

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        for task in tasks:
            try:
                yield self._answer(task, task.parse())
            except FormatError as error:
                text = self.form.of_unreadable(task, error)
                yield Row(text, Ending.UNREADABLE, str(error))

    def give_up(self, task: Task, reason: str) -> Row:
        """The answer where the worker died, hung, or ran out of memory."""
        word = Ending.UNDECIDED.value
        found = _head(task) | {"verdict": word, "complete": False, "reason": reason}
        text = dump_line(found) if self._is_json else f"{word}: {reason}\n"
        return Row(text, Ending.UNDECIDED, message=f"{task.place}: {word}: {reason}")

    @property
    def _is_json(self) -> bool:
        return isinstance(self.form, Json)


@dataclass(frozen=True)
class Explainer(_OneByOne):
    """Explains the puzzle of each task; with `questions`, only what they ask about.

    With `is_shown` each row has a show of all steps beside it.
    """

    wishes: Wishes = field(default_factory=Wishes)
    style: Style = USUAL
    questions: tuple[str, ...] = ()
    is_shown: bool = False

    @property
    def _limits(self) -> Limits:
        return self.wishes.limits

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        own = {"--level": self.wishes.level.value, "--why": list(self.questions)}
        return own | super().options()

    def _answer(self, task: Task, puzzle: Puzzle) -> Row:
        # A question that makes no sense is refused before any work.
        questions = [self._read(question, task, puzzle) for question in self.questions]
        explanation = explain(puzzle, self.wishes)
        answered = [answer(question, explanation) for question in questions]
        write = self._object if self._is_json else self._text
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        show = show_of(explanation) if self.is_shown else None
        return Row(write(task, explanation, answered), ending, result=show)

    def _read(self, question: str, task: Task, puzzle: Puzzle) -> Question:
        try:
            return read_question(question, puzzle)
        except SatdokuError as error:
            raise FormatError(str(error), task.place) from None

    def _text(self, task: Task, explanation: Explanation, answered: Sequence[Answer]) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style)) + "\n"
        lines = []
        for sentence, way in answered:
            lines.append(sentence)
            if way is not None:
                lines += numbered(way, self.style)
        return "\n".join(lines) + "\n"

    def _object(self, task: Task, explanation: Explanation, answered: Sequence[Answer]) -> str:
        found = _head(task, explanation.puzzle.name) | explanation_object(explanation)
        if self.questions:
            found["why"] = []
            for question, (sentence, way) in zip(self.questions, answered, strict=True):
                steps = {"steps": []} if way is None else way_object(way)
                found["why"].append({"question": question, "answer": sentence, **steps})
            # The whole way would hide what was asked for.
            found["steps"] = []
        return dump_line(found)


@dataclass(frozen=True)
class CandidateFinder(_OneByOne):
    """Finds the true candidates of the puzzle of each task.

    `is_flat` writes them as one line of N characters a cell, instead of a board.
    """

    limits: Limits = field(default_factory=Limits)
    has_witnesses: bool = False
    is_flat: bool = False

    @property
    def _limits(self) -> Limits:
        return self.limits

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {"--witnesses": self.has_witnesses, "--flat": self.is_flat} | super().options()

    def _answer(self, task: Task, puzzle: Puzzle) -> Row:
        true = find_true_candidates(puzzle, Budget(self.limits))
        if self._is_json:
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


def _head(task: Task, name: str = "") -> dict[str, Any]:
    """Where the puzzle is from, before what is said of it."""
    return {"line": task.record.line, **({"name": name} if name else {})}
