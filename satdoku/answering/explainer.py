"""The answerer of `explain`: why a puzzle has one solution, several or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from satdoku.answering.one_by_one import (
    OneByOne,
    answer_lines,
    answer_object,
    head,
    read_questions,
)
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.explaining.explain import Explanation, Wishes, explain
from satdoku.explaining.objects import explanation_object
from satdoku.explaining.why import Answer, answer
from satdoku.explaining.words.explanation import USUAL, Style, describe
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.objects import dump_line
from satdoku.solving.limits import Limits


@dataclass(frozen=True)
class Explainer(OneByOne):
    """Explains the puzzle of each task; with `questions`, only what they ask about."""

    wishes: Wishes = field(default_factory=Wishes)
    style: Style = USUAL
    questions: tuple[str, ...] = ()

    @property
    def _limits(self) -> Limits:
        return self.wishes.limits

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        own = {
            "--level": self.wishes.level.value,
            "--assume-unique": self.wishes.assumes_unique,
            "--why": list(self.questions),
        }
        return own | super().options()

    def _answer(self, task: Task, puzzle: Puzzle) -> Row:
        questions = read_questions(self.questions, task, puzzle)
        explanation = explain(puzzle, self.wishes, self._watch)
        answered = [answer(question, explanation.way) for question in questions]
        write = self._object if self._is_json else self._text
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        return Row(write(task, explanation, answered), ending)

    def _text(self, task: Task, explanation: Explanation, answered: Sequence[Answer]) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style)) + "\n"
        lines = [line for found in answered for line in answer_lines(found, self.style)]
        return "\n".join(lines) + "\n"

    def _object(self, task: Task, explanation: Explanation, answered: Sequence[Answer]) -> str:
        found = head(task, explanation.puzzle.name) | explanation_object(explanation)
        if self.questions:
            found["why"] = list(map(answer_object, self.questions, answered))
            # The whole way would hide what was asked for.
            found["steps"] = []
        return dump_line(found)
