"""The forms that tell the verdict alone: in words, or only by the exit code."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from satdoku.answering.facts import Facts, outcome_line
from satdoku.answering.form import FactsForm, Lines
from satdoku.answering.task import Task
from satdoku.errors import FormatError
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import PlainLines
from satdoku.notation.spelling import USUAL, Spelling
from satdoku.output.ending import Ending
from satdoku.picture.screen import Screen
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict


@value(frozen=True)
class Verdicts(Lines):
    """A line with the verdict and its evidence.

    On a `screen` the two solutions of an only puzzle stand below it, for a person to compare. With
    `has_places` a line begins with the source and the line of its puzzle.
    """

    name: ClassVar[str] = "verdicts"

    screen: Screen | None = None
    spelling: Spelling = USUAL
    has_places: bool = False

    @property
    def depends_on_number(self) -> bool:
        return self.screen is not None

    def of_number(self, is_single: bool) -> "Verdicts":
        return self if is_single else replace(self, screen=None)

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        line = outcome_line(outcome, fault)
        return f"{self._before(task)}{line}\n{self._draw_difference(outcome)}"

    def of_facts(self, task: Task, facts: Facts) -> str:
        return self._before(task) + super().of_facts(task, facts)

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return self._before(task) + super().of_unreadable(task, error)

    def ending_of(self, task: Task, line: str) -> Ending | None:
        return super().ending_of(task, line.removeprefix(self._before(task)))

    def options(self) -> dict[str, Any]:
        return {"--with-filename": True} if self.has_places else {}

    def line_writer(self) -> Callable[[Task, str], str] | None:
        line = f"{Verdict.UNIQUE.value}\n"
        return lambda task, solution: self._before(task) + line

    def block_writer(self) -> Callable[[PlainLines, bytes], str] | None:
        line = f"{Verdict.UNIQUE.value}\n"
        # A place is another one on each line.
        return None if self.has_places else lambda lines, boards: line * lines.count_boards(boards)

    def _before(self, task: Task) -> str:
        return f"{task.place}: " if self.has_places else ""

    def _draw_difference(self, outcome: Outcome) -> str:
        if self.screen is None or outcome.solution is None or outcome.second is None:
            return ""
        # Imported here: most runs draw nothing, and start without what draws.
        from satdoku.picture.text import render_outcome

        return render_outcome(outcome, self.spelling, self.screen)


class Nothing(FactsForm):
    """Nothing: the exit code says it all."""

    name: ClassVar[str] = "nothing"

    def is_linewise(self, parser: Parser) -> bool:
        return False

    def of_facts(self, task: Task, facts: Facts) -> str:
        return ""

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        return ""

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return ""

    def line_writer(self) -> Callable[[Task, str], str] | None:
        return lambda task, solution: ""

    def block_writer(self) -> Callable[[PlainLines, bytes], str] | None:
        return lambda lines, boards: ""
