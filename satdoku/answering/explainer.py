"""The answerers of `explain` and `candidates`. They run in workers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from satdoku.answering.answerer import OneByOne
from satdoku.answering.facts import Facts
from satdoku.answering.task import Task
from satdoku.explaining.explain import Explanation, Wishes, explain
from satdoku.explaining.objects import candidates_object, explanation_object, way_object
from satdoku.explaining.slides import show_of
from satdoku.explaining.step import Level
from satdoku.explaining.true_candidates import TrueCandidates, find_true_candidates
from satdoku.explaining.why import Answer, answer, read_question
from satdoku.explaining.words.explanation import USUAL, Style, describe, numbered
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.render.candidates import render_candidates, write_candidates
from satdoku.solving.limits import Budget


@dataclass(frozen=True)
class Explainer(OneByOne):
    """Explains the puzzle of each task; with `questions`, only what they ask about.

    With `is_shown` a show of all steps is the result beside each answer.
    """

    level: Level = Level.ALL
    style: Style = USUAL
    questions: tuple[str, ...] = ()
    is_shown: bool = False

    command: ClassVar[str] = "explain"

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        own = {"--level": self.level.value, "--why": list(self.questions)}
        return own | super().options()

    def _find(self, task: Task, puzzle: Puzzle, budget: Budget) -> Facts:
        # A question that makes no sense is refused before any work.
        questions = [read_question(question, puzzle) for question in self.questions]
        explanation = explain(puzzle, Wishes(self.level, self.limits))
        answered = [answer(question, explanation) for question in questions]
        ending = Ending.of(explanation.verdict) if explanation.is_complete else Ending.UNDECIDED
        show = show_of(explanation) if self.is_shown else None
        text, found = self._text(explanation, answered), self._object(explanation, answered)
        return Facts(ending, text, found, result=show)

    def _text(self, explanation: Explanation, answered: Sequence[Answer]) -> str:
        if not self.questions:
            return "\n".join(describe(explanation, self.style))
        lines = []
        for sentence, way in answered:
            lines.append(sentence)
            if way is not None:
                lines += numbered(way, self.style)
        return "\n".join(lines)

    def _object(self, explanation: Explanation, answered: Sequence[Answer]) -> dict[str, Any]:
        found = _named(explanation.puzzle) | explanation_object(explanation)
        if self.questions:
            found["why"] = []
            for question, (sentence, way) in zip(self.questions, answered, strict=True):
                steps = {"steps": []} if way is None else way_object(way)
                found["why"].append({"question": question, "answer": sentence, **steps})
            # The whole way would hide what was asked for.
            found["steps"] = []
        return found


@dataclass(frozen=True)
class CandidateFinder(OneByOne):
    """Finds the true candidates of the puzzle of each task.

    `is_flat` writes them as one line of N characters a cell, instead of a board.
    """

    has_witnesses: bool = False
    is_flat: bool = False

    command: ClassVar[str] = "candidates"

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {"--witnesses": self.has_witnesses, "--flat": self.is_flat} | super().options()

    def _find(self, task: Task, puzzle: Puzzle, budget: Budget) -> Facts:
        true = find_true_candidates(puzzle, budget)
        ending, message = _ending(true), ""
        found = candidates_object(true, self.has_witnesses)
        values = _named(puzzle) | {"verdict": ending.value} | found
        if not true.is_complete:
            values["reason"] = budget.why_over()
            message = f"{task.place}: there may be more, the limit was reached"
        return Facts(ending, self._text(true), values, message)

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


def _named(puzzle: Puzzle) -> dict[str, Any]:
    """The name of the puzzle, before what is said of it."""
    return {"name": puzzle.name} if puzzle.name else {}
