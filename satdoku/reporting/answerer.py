"""The answer to one record of the input, ready to be written; runs in workers."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.csv_format import CsvFormat
from satdoku.notation.fields import quote_field, split_fields
from satdoku.notation.formats import format_named
from satdoku.notation.line import LineFormat
from satdoku.notation.reading import Parser
from satdoku.notation.record import Layout, Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.render.text import render_grid, render_side_by_side
from satdoku.reporting.objects import COLUMNS, dump_line, to_columns, to_object
from satdoku.reporting.words import compare, name_of, sentence, verdict_line
from satdoku.solving.limits import LimitReachedError
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.quick import check_quickly, find_line_solver, is_quick
from satdoku.solving.settings import Settings
from satdoku.solving.verdict import Outcome, Verdict

LINEWISE = ("line", "sdm", "csv", "json")
"""The formats that take a line for each puzzle."""

UNREADABLE, MISMATCH, SOLVED = "unreadable", "mismatch", "solved"


_PLAIN = Layout()
_GEOMETRY_OF_LENGTH = {size * size: Geometry.of_size(size) for size in (4, 6, 8, 9)}
_UNIQUE_VERDICT = Row(f"{Verdict.UNIQUE.value}\n", Verdict.UNIQUE.value)


class Form(Enum):
    """What is written of an answer; SCREEN is grids for a person."""

    SCREEN = "screen"
    GRIDS = "grids"
    VERDICTS = "verdicts"
    JSON = "json"
    CSV = "csv"
    NOTHING = "nothing"


class Screen(NamedTuple):
    """What a terminal can show."""

    has_colour: bool = False
    width: int = 80


class Task(NamedTuple):
    """A record with its parser; `number` counts the records of all sources from 1."""

    parser: Parser
    record: Record
    number: int

    @property
    def text(self) -> str:
        return self.record.text

    @property
    def place(self) -> str:
        return f"{self.parser.source}:{self.record.line}"

    def parse(self) -> Puzzle:
        return self.parser(self.record)


@dataclass(frozen=True, slots=True)
class Answerer:
    """Checks the puzzle of a task and words the answer.

    `to` names the format of grids; empty means the shape in which the puzzle came. `is_any` takes
    the first solution without asking for another. `screen` is set where a person looks at it.
    """

    form: Form
    settings: Settings = field(default_factory=Settings)
    to: str = ""
    layout: Layout = field(default_factory=Layout)
    has_statistics: bool | None = None
    is_any: bool = False
    screen: Screen | None = None

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def answer(self, task: Task) -> Row:
        return self._answer_line(task) or self._answer(task)

    def _answer(self, task: Task) -> Row:
        try:
            puzzle = task.parse()
            known = self._known_solution(task)
        except FormatError as error:
            return self._refuse(task, error)
        if self.is_any:
            return self._row_of_any(task, puzzle)
        find_outcome = check_quickly if self._is_quick else check
        return self._row(task, find_outcome(puzzle, self.settings), known)

    def _answer_line(self, task: Task) -> Row | None:
        """The row of a plain line with a unique puzzle, without looking at it as a puzzle."""
        record, parser = task.record, task.parser
        if type(parser.format) is not LineFormat or not self._is_quick or self.to:
            return None
        if self.form not in (Form.GRIDS, Form.VERDICTS) or parser.layout != _PLAIN:
            return None
        geometry = _GEOMETRY_OF_LENGTH.get(len(record.text))
        solver = find_line_solver(geometry) if geometry else None
        if solver is None:
            return None
        try:
            answer = solver.answer_line(record.text)
        except SatdokuError:
            return None  # whoever reads it with care will say what is wrong
        if answer.solution is None or answer.second is not None:
            return None
        if self.form is Form.VERDICTS:
            return _UNIQUE_VERDICT
        return Row(solver.write(answer.solution) + "\n", Verdict.UNIQUE.value)

    @property
    def _is_quick(self) -> bool:
        return not self.has_statistics and not self.is_any and is_quick(self.settings)

    def give_up(self, task: Task, reason: str) -> Row:
        """The answer where solving ended the process that tried."""
        try:
            outcome = Outcome(task.parse(), Verdict.UNDECIDED, reason=reason)
        except FormatError as error:
            return self._refuse(task, error)
        return self._row(task, outcome, None)

    def _known_solution(self, task: Task) -> Grid | None:
        parser = task.parser
        return parser.format.parse_solution(task.record, parser.layout, parser.source)

    def _row(self, task: Task, outcome: Outcome, known: Grid | None) -> Row:
        fault = compare(known, outcome) if known is not None else ""
        text = self._write(task, outcome, fault)
        if outcome.verdict is Verdict.UNIQUE and not fault:
            return Row(text, outcome.verdict.value)
        # Where only grids are written, nobody else says why one is missing.
        is_silent = self.form not in (Form.GRIDS, Form.SCREEN)
        talk = f"{task.place}: {name_of(outcome.puzzle)}{fault or sentence(outcome)}"
        reason = f"{MISMATCH}: {fault}" if fault else verdict_line(outcome)
        tally = MISMATCH if fault else outcome.verdict.value
        return Row(text, tally, "" if is_silent else talk, _reject(task, reason))

    def _row_of_any(self, task: Task, puzzle: Puzzle) -> Row:
        try:
            solution = next(find_solutions(puzzle, self.settings), None)
        except LimitReachedError as limit:
            return self.give_up(task, str(limit))
        if solution is None:
            return self._row(task, Outcome(puzzle, Verdict.NONE), None)
        if self.form in (Form.GRIDS, Form.SCREEN):
            return Row(self.write_solution(task, solution), SOLVED)
        reason = "the first solution was taken, nobody looked for a second one"
        outcome = Outcome(puzzle, Verdict.UNDECIDED, solution, reason=reason)
        return Row(self._write(task, outcome, ""), SOLVED)

    def _write(self, task: Task, outcome: Outcome, fault: str) -> str:
        if self.form in (Form.GRIDS, Form.SCREEN):
            return self._write_grid(task, outcome)
        if self.form is Form.VERDICTS:
            line = f"{MISMATCH}: {fault}" if fault else verdict_line(outcome)
            return f"{line}\n{self._draw_difference(outcome)}"
        if self.form is Form.JSON:
            result = {"line": task.record.line, **to_object(outcome, bool(self.has_statistics))}
            return dump_line(result | ({MISMATCH: fault} if fault else {}))
        if self.form is Form.CSV:
            *columns, reason = to_columns(outcome)
            return _csv_row(task, [*columns, fault or reason])
        return ""

    def _write_grid(self, task: Task, outcome: Outcome) -> str:
        if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
            return self._write_no_grid(task)
        return self.write_solution(task, outcome.solution)

    def write_solution(self, task: Task, solution: Grid) -> str:
        """A solution in the format asked for, or in the shape in which its puzzle came."""
        if self.form is Form.SCREEN:
            colour = self.screen is not None and self.screen.has_colour
            return render_grid(task.parse(), solution, colour, layout=self.layout)
        if not self.to:
            parser = task.parser
            layout = parser.layout if self.layout.alphabet is None else self.layout
            return parser.format.write_answer(task.record, solution, layout, task.number)
        puzzle = task.parse()
        written = Puzzle(solution, puzzle.name, puzzle.comment)
        return format_named(self.to).write(written, self.layout, task.number)

    def _draw_difference(self, outcome: Outcome) -> str:
        """Two solutions for a person to compare."""
        if self.screen is None or outcome.solution is None or outcome.second is None:
            return ""
        return render_side_by_side(
            outcome.puzzle, outcome.solution, outcome.second, *self.screen, self.layout
        )

    def _write_no_grid(self, task: Task) -> str:
        """What keeps the place of a grid that there is not."""
        name = self.to or task.parser.format.name
        if name == "json":
            return "null\n"
        if name == "csv" and not self.to:
            return _csv_row(task, [""])
        return "\n" if name in LINEWISE and self.form is not Form.SCREEN else ""

    def _refuse(self, task: Task, error: FormatError) -> Row:
        text = ""
        if self.form in (Form.GRIDS, Form.SCREEN):
            text = self._write_no_grid(task)
        elif self.form is Form.VERDICTS:
            text = f"{UNREADABLE}: {error.message}\n"
        elif self.form is Form.JSON:
            result = {"line": error.line, "verdict": UNREADABLE, "reason": error.message}
            text = dump_line(result)
        elif self.form is Form.CSV:
            text = _csv_row(task, [UNREADABLE, "", "", error.message])
        reject = _reject(task, f"{UNREADABLE}: {error}")
        return Row(text, UNREADABLE, message=str(error), reject=reject)


def csv_opening(parser: Parser) -> str:
    """The header of the table that `--csv` writes for this input."""
    table = parser.format
    if not isinstance(table, CsvFormat):
        return ",".join(("puzzle", *COLUMNS)) + "\n"
    taken = {field.text.strip() for field in split_fields(table.header, table.delimiter)}
    names = [f"{name}_found" if name in taken else name for name in COLUMNS]
    return table.extend_row(table.header, names) if table.header else ""


def columns_of(parser: Parser) -> tuple[str, str] | None:
    """The header and delimiter of an input that is a table: alike, one table can hold both."""
    table = parser.format
    return (table.header, table.delimiter) if isinstance(table, CsvFormat) else None


def _csv_row(task: Task, columns: list[str]) -> str:
    table = task.parser.format
    if isinstance(table, CsvFormat):
        return table.extend_row(task.record.text, columns)
    return ",".join(map(quote_field, [task.record.text, *columns])) + "\n"


def _reject(task: Task, reason: str) -> str:
    """A line for the file of rejects: where, why, and the text on one line."""
    return f"{task.number}\t{task.place}\t{reason}\t{' '.join(task.record.text.split())}\n"
