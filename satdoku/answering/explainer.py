"""The answerer of `explain`: why a puzzle has one solution, several or none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.answering.cell_questions import answer_lines, answer_object, read_questions
from satdoku.answering.fact_finder import FactFinder
from satdoku.answering.facts import Facts, named
from satdoku.explaining.explain import Explanation, Scope, explain
from satdoku.explaining.objects import explanation_object
from satdoku.explaining.slides import show_of
from satdoku.explaining.step import Level
from satdoku.explaining.why import Answer, answer
from satdoku.explaining.words.explanation import USUAL, Style, describe
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget


@dataclass(frozen=True)
class Explainer(FactFinder):
    """Explains the puzzle of each task; with `questions`, only what they ask about.

    With `is_shown` a show of all steps is the result beside each answer.
    """

    level: Level = Level.ALL
    assumes_unique: bool = False
    keeps_all_steps: bool = False
    style: Style = USUAL
    questions: tuple[str, ...] = ()
    is_shown: bool = False

    command: ClassVar[str] = "explain"

    def options(self) -> dict[str, Any]:
        """The settings that change the answers, by the names of their options."""
        own = {
            "--level": self.level.value,
            "--assume-unique": self.assumes_unique,
            "--all-steps": self.keeps_all_steps,
            "--why": list(self.questions),
        }
        return own | super().options()

    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts:
        questions = read_questions(self.questions, puzzle)
        scope = Scope(self.level, budget.limits, self.assumes_unique, self.keeps_all_steps)
        explanation = explain(puzzle, scope, self.watch, budget)
        answered = [answer(question, explanation.way) for question in questions]
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        show = show_of(explanation) if self.is_shown else None
        text, found = self._text(explanation, answered), self._object(explanation, answered)
        return Facts(ending, text, found, result=show)

    def _text(self, explanation: Explanation, answered: Sequence[Answer]) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style))
        return "\n".join(line for found in answered for line in answer_lines(found, self.style))

    def _object(self, explanation: Explanation, answered: Sequence[Answer]) -> dict[str, Any]:
        found = named(explanation.puzzle) | explanation_object(explanation)
        if self.questions:
            found["why"] = list(map(answer_object, self.questions, answered))
            # The whole way would hide what was asked for.
            found["steps"] = []
        return found
