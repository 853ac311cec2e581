"""The forms of output that tell what was found: in words, as JSON, as a table, or not at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satdoku.answering.facts import COMPLETE, Facts, nothing_found, outcome_line
from satdoku.answering.facts_form import FactsForm, Lines
from satdoku.answering.task import Task
from satdoku.errors import FormatError
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.reading import Parser
from satdoku.notation.record import Record, free_name
from satdoku.notation.spelling import USUAL, Spelling
from satdoku.notation.tables.fields import split_fields
from satdoku.output.ending import Ending, ending_named
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.render.screen import Screen
from satdoku.reporting.columns import COLUMNS, MISMATCH, to_columns
from satdoku.reporting.objects import beside_fields, dump_line

_UNREADABLE = Ending.UNREADABLE.value


@dataclass(frozen=True)
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

    def _before(self, task: Task) -> str:
        return f"{task.place}: " if self.has_places else ""

    def _draw_difference(self, outcome: Outcome) -> str:
        if self.screen is None or outcome.solution is None or outcome.second is None:
            return ""
        from satdoku.picture.making import pictures_of_outcome
        from satdoku.render.text import render_side_by_side

        return render_side_by_side(pictures_of_outcome(outcome, self.spelling), *self.screen)


@dataclass(frozen=True)
class Json(FactsForm):
    """A JSON object on a line.

    `has_statistics` None means those of an only puzzle: of many they would differ from run to run.
    """

    name: ClassVar[str] = "json"

    has_statistics: bool | None = None

    @property
    def needs_statistics(self) -> bool:
        return bool(self.has_statistics)

    @property
    def depends_on_number(self) -> bool:
        return self.has_statistics is None

    def of_number(self, is_single: bool) -> "Json":
        return replace(self, has_statistics=is_single) if self.depends_on_number else self

    def options(self) -> dict[str, Any]:
        return {"--stats": self.has_statistics}

    def of_facts(self, task: Task, facts: Facts) -> str:
        return self._dump(task, {"line": task.record.line, **facts.values})

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        found = {"line": error.line, "verdict": _UNREADABLE, "reason": error.message}
        return self._dump(task, found)

    def ending_of(self, task: Task, line: str) -> Ending | None:
        answer = JsonFormat().fields_of(Record(1, line))
        fields = task.parser.format.fields_of(task.record)
        if task.is_compared and answer.get(free_name(MISMATCH, fields)):
            return Ending.MISMATCH
        # An explanation that a limit cut short may know the verdict all the same.
        if answer.get(free_name(COMPLETE, fields)) is False:
            return Ending.UNDECIDED
        return ending_named(answer.get(free_name("verdict", fields)))

    def _dump(self, task: Task, found: dict[str, Any]) -> str:
        return dump_line(beside_fields(task.parser.format.fields_of(task.record), found))


@dataclass(frozen=True)
class Csv(FactsForm):
    """A row of a table; what came as a table keeps its columns, and `columns` stand behind them."""

    name: ClassVar[str] = "csv"

    columns: tuple[str, ...] = COLUMNS

    @property
    def is_one_table(self) -> bool:
        return True

    def opening(self, parser: Parser) -> str:
        return parser.format.header_with(self._names(parser))

    def of_facts(self, task: Task, facts: Facts) -> str:
        columns = to_columns(facts.values, self._names(task.parser))
        return task.parser.format.row_with(task.record, columns, facts.puzzle)

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return self.of_facts(task, nothing_found(error.message, Ending.UNREADABLE))

    def ending_of(self, task: Task, line: str) -> Ending | None:
        """Our columns are the last ones, whatever the row had before."""
        _, delimiter = task.parser.format.columns or ("", ",")
        names = self._names(task.parser)
        texts = [field.text for field in split_fields(line.rstrip("\n"), delimiter)]
        found = dict(zip(names, texts[-len(names) :], strict=False))
        return Ending.MISMATCH if found.get(MISMATCH) else ending_named(found.get("verdict"))

    def _names(self, parser: Parser) -> list[str]:
        compared = [MISMATCH] if parser.hints.solution_column is not None else []
        return [*self.columns, *compared]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
