"""The forms that write what was found out as text for people, and the texts that records had."""

from dataclasses import dataclass
from typing import ClassVar

from satdoku.answering.facts import Facts
from satdoku.answering.facts_form import FactsForm, Lines
from satdoku.answering.task import Task
from satdoku.errors import FormatError
from satdoku.notation.parser import Parser
from satdoku.output.ending import Ending


@dataclass(frozen=True)
class Plain(Lines):
    """A line a puzzle; `usual` is the ending of records whose line does not begin with a word."""

    name: ClassVar[str] = "plain"

    usual: Ending = Ending.ANSWERED

    def ending_of(self, task: Task, line: str) -> Ending | None:
        return super().ending_of(task, line) or self.usual


class Prose(Lines):
    """Paragraphs: several lines a puzzle, so that the output cannot be resumed."""

    name: ClassVar[str] = "prose"

    def is_linewise(self, parser: Parser) -> bool:
        return False


class AsItCame(FactsForm):
    """The text of each record, for a command that leaves some of them out."""

    name: ClassVar[str] = "as it came"

    @property
    def is_one_table(self) -> bool:
        return True

    def opening(self, parser: Parser) -> str:
        return parser.format.header_with([]) if parser.format.columns is not None else ""

    def is_linewise(self, parser: Parser) -> bool:
        return False

    def of_facts(self, task: Task, facts: Facts) -> str:
        return task.record.text.rstrip("\n") + "\n"

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return task.record.text.rstrip("\n") + "\n"
