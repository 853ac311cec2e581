"""What the forms have in common that can write whatever was found out about a puzzle."""

from abc import abstractmethod

from satdoku.answering.facts import Facts, outcome_facts
from satdoku.answering.form import Form
from satdoku.answering.task import Task
from satdoku.errors import FormatError
from satdoku.output.columns import MISMATCH
from satdoku.output.ending import Ending, ending_named
from satdoku.puzzle.verdict import Outcome


class FactsForm(Form):
    """A form that writes facts; an outcome is written as the facts that it consists of."""

    @abstractmethod
    def of_facts(self, task: Task, facts: Facts) -> str:
        """The answer to a puzzle."""

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        compared = {MISMATCH: fault or None} if task.is_compared else {}
        return self.of_facts(task, outcome_facts(outcome, self.needs_statistics, **compared))


class Lines(FactsForm):
    """Text for a person; a line that begins with the word for an ending says how it ended."""

    def of_facts(self, task: Task, facts: Facts) -> str:
        return f"{facts.line}\n"

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return f"{Ending.UNREADABLE.value}: {error.message}\n"

    def ending_of(self, task: Task, line: str) -> Ending | None:
        return ending_named(line.rstrip("\n").partition(":")[0])
