"""The forms of output that consist of grids only: one grid for each puzzle that has one."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.answering.asked import FORMS
from satdoku.answering.form import Form
from satdoku.answering.output.ending import Ending
from satdoku.answering.task import Block, Task
from satdoku.errors import FormatError
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.record import free_name
from satdoku.notation.spelling import USUAL, Spelling, spelling_by_rules
from satdoku.picture import Screen
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from satdoku.notation.format import Format


class GridForm(Form):
    """Base class of forms that write grids only; other puzzles get a placeholder."""

    needs_message: ClassVar[bool] = True

    between: ClassVar[str] = ""
    """Text between two solutions of one puzzle."""

    @abstractmethod
    def of_solution(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        """Return a solution of the task's puzzle as a grid."""

    def title(self, task: Task, puzzle: Puzzle) -> str:
        """Return the heading above the solutions of a puzzle."""
        return ""

    def end(self) -> str:
        """Return the text below the solutions of a puzzle."""
        return ""

    def of_missing(self, task: Task) -> str:
        """Return the placeholder for a missing grid, so that line numbers match puzzle numbers."""
        return ""

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        if outcome.verdict is not Verdict.UNIQUE or outcome.solution is None:
            return self.of_missing(task)
        return self.of_any(task, outcome.puzzle, outcome.solution)

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return self.of_missing(task)

    def of_any(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        return self.title(task, puzzle) + self.of_solution(task, puzzle, solution) + self.end()


@value(frozen=True)
class Grids(GridForm):
    """Grids in the format `to`; by default in the format of each puzzle."""

    name: ClassVar[str] = "grids"

    to: str = ""
    spelling: Spelling = USUAL

    @property
    def is_one_table(self) -> bool:
        return self.takes_shape_of_input

    @property
    def takes_shape_of_input(self) -> bool:
        return not self.to

    def options(self) -> dict[str, Any]:
        return {FORMS["to"].name: self.to}

    def opening(self, parser: Parser) -> str:
        if self.to:
            return self._format(parser).opening()
        return parser.format.answer_opening()

    def is_linewise(self, parser: Parser) -> bool:
        return self._format(parser).is_linewise

    def of_solution(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        parser = task.parser
        if self.to:
            target = self._format(parser)
            return target.write_solution(puzzle, solution, self.spelling, task.number)
        hints = parser.hints
        spelling = spelling_by_rules(puzzle, self.spelling)
        if spelling.alphabet is not None:
            hints = replace(hints, alphabet=spelling.alphabet)
        return parser.format.write_answer(task.record, solution, hints, task.number)

    def of_missing(self, task: Task) -> str:
        record = None if self.to else task.record
        return self._format(task.parser).missing_answer(record)

    def ending_of(self, task: Task, line: str) -> Ending | None:
        """Return UNIQUE for a grid.

        None for a placeholder, which does not say why the grid is missing.
        """
        # A grid in letters has no digit, and neither has any other text. In doubt the answer is
        # computed again, which is slower but always right.
        is_grid = line != self.of_missing(task) and any(map(str.isdigit, line))
        return Ending.UNIQUE if is_grid else None

    def line_writer(self) -> Callable[[Task, str], str] | None:
        # Lines are written as they are read, whether or not the format was named.
        is_same = self.to in ("", "line") and self.spelling == USUAL
        return (lambda task, solution: solution + "\n") if is_same else None

    @property
    def writes_blocks(self) -> bool:
        return self.line_writer() is not None

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        if self.line_writer() is None:
            return None
        if block.rows is None:
            return plain_lines(block.task.geometry).write_block(solutions)
        if self.to:
            return None  # a name behind the solution is that of its row
        rows, solved = block.rows.table_rows(), block.written(solutions)
        if rows is not None:
            delimiter = block.rows.delimiter
            pairs = zip(rows, solved, strict=True)
            return "".join([f"{row}{delimiter}{each}\n" for row, each in pairs])
        name = free_name("solution", block.rows.keys or ())
        pairs = zip(block.rows.objects(is_ascii=False), solved, strict=True)
        return "".join([f'{begin}"{name}": "{each}"}}\n' for begin, each in pairs])

    def _format(self, parser: Parser) -> "Format":
        if not self.to:
            return parser.format
        # Imported here: boards for a person need no format.
        from satdoku.notation.formats import format_named

        return format_named(self.to)


@value(frozen=True)
class Boards(GridForm):
    """Boards with boxes for a person.

    Where there are several, each has its place above and an empty line below.
    """

    name: ClassVar[str] = "screen"
    between: ClassVar[str] = "\n"
    depends_on_number: ClassVar[bool] = True

    screen: Screen = field(default_factory=Screen)
    spelling: Spelling = USUAL
    has_titles: bool = False

    def of_number(self, is_single: bool) -> "Boards":
        return replace(self, has_titles=not is_single)

    def of_typed(self) -> "Boards":
        return replace(self, has_titles=True)

    def is_linewise(self, parser: Parser) -> bool:
        return False

    def of_solution(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        # Imported here: most runs draw nothing, and drawing modules are slow to import.
        from satdoku.picture.text import render_solution

        screen = self.screen
        return render_solution(puzzle, solution, self.spelling, screen.has_colour, screen.is_ascii)

    def title(self, task: Task, puzzle: Puzzle) -> str:
        name = f": {puzzle.name}" if puzzle.name else ""
        return f"{task.place}{name}\n" if self.has_titles else ""

    def end(self) -> str:
        return "\n" if self.has_titles else ""
