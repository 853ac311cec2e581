"""The answer to one record of the input, ready to be written; runs in workers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from satdoku.batch.row import Row
from satdoku.bulk.quick import WORTH_SIFTING, bulk_solver, check_sifted, is_quick, solve_sifted
from satdoku.errors import FormatError
from satdoku.notation.formats import format_named
from satdoku.notation.record import Hints
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.render.text import render_grid, render_side_by_side
from satdoku.reporting.objects import dump_line, to_columns, to_object
from satdoku.reporting.table import write_row
from satdoku.reporting.task import LINEWISE, MISMATCH, SOLVED, UNREADABLE, Form, Screen, Task
from satdoku.reporting.words import compare, name_of, sentence, verdict_line
from satdoku.solving.limits import LimitReachedError
from satdoku.solving.questions import find_solutions
from satdoku.solving.settings import Settings

_UNIQUE_VERDICT = Row(f"{Verdict.UNIQUE.value}\n", Verdict.UNIQUE.value)


@dataclass(frozen=True)
class Answerer:
    """Checks the puzzle of a task and words the answer.

    `to` names the format of grids; empty means the shape in which the puzzle came. `is_any` takes
    the first solution without asking for another. `screen` is set where a person looks at it.
    """

    form: Form
    settings: Settings = field(default_factory=Settings)
    to: str = ""
    hints: Hints = field(default_factory=Hints)
    has_statistics: bool | None = None
    is_any: bool = False
    screen: Screen | None = None

    @property
    def timeout(self) -> float | None:
        return self.settings.limits.timeout

    def prepare(self, tasks: Sequence[Task]) -> Sequence[Task]:
        """The same tasks; small boards among them may have been sifted together."""
        if not self._is_quick or len(tasks) < WORTH_SIFTING:
            return tasks
        # A single puzzle should not wait for what only many need.
        from satdoku.reporting.sifting import sift_tasks

        takes_lines = self.form in (Form.GRIDS, Form.VERDICTS) and not self.to
        return sift_tasks(tasks, takes_lines)

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
        return self._row(task, check_sifted(puzzle, self.settings, task.sifted), known)

    def _answer_line(self, task: Task) -> Row | None:
        """The row of a line with a unique puzzle that was sifted without being parsed."""
        if task.sifted is None or task.puzzle is not None:
            return None
        solution = solve_sifted(task.sifted)
        if solution is None:
            return None
        if self.form is Form.VERDICTS:
            return _UNIQUE_VERDICT
        return Row(bulk_solver(task.sifted.geometry).write(solution) + "\n", Verdict.UNIQUE.value)

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
        return parser.format.parse_solution(task.record, parser.hints, parser.source)

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
            verdict, *columns, reason = to_columns(outcome)
            row = [MISMATCH if fault else verdict, *columns, fault or reason]
            return write_row(task, row, outcome.puzzle)
        return ""

    def _write_grid(self, task: Task, outcome: Outcome) -> str:
        if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
            return self._write_no_grid(task)
        return self.write_solution(task, outcome.solution)

    def write_solution(self, task: Task, solution: Grid) -> str:
        """A solution in the format asked for, or in the shape in which its puzzle came."""
        if self.form is Form.SCREEN:
            colour = self.screen is not None and self.screen.has_colour
            return render_grid(task.parse(), solution, colour, hints=self.hints)
        if not self.to:
            parser = task.parser
            hints = parser.hints if self.hints.alphabet is None else self.hints
            return parser.format.write_answer(task.record, solution, hints, task.number)
        puzzle = task.parse()
        written = Puzzle(solution, puzzle.name, puzzle.comment)
        return format_named(self.to).write(written, self.hints, task.number)

    def _draw_difference(self, outcome: Outcome) -> str:
        """Two solutions for a person to compare."""
        if self.screen is None or outcome.solution is None or outcome.second is None:
            return ""
        return render_side_by_side(
            outcome.puzzle, outcome.solution, outcome.second, *self.screen, self.hints
        )

    def _write_no_grid(self, task: Task) -> str:
        """What keeps the place of a grid that there is not."""
        name = self.to or task.parser.format.name
        if name == "json":
            return "null\n"
        if name == "csv" and not self.to:
            return write_row(task, [""])
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
            text = write_row(task, [UNREADABLE, "", "", error.message])
        reject = _reject(task, f"{UNREADABLE}: {error}")
        return Row(text, UNREADABLE, message=str(error), reject=reject)


def _reject(task: Task, reason: str) -> str:
    """A line for the file of rejects: where, why, and the text on one line."""
    return f"{task.number}\t{task.place}\t{reason}\t{' '.join(task.record.text.split())}\n"
