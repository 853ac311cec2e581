"""Base class of all forms of output, and the forms that write verdicts or grids.

Further forms are in `fact_finder.py`.

A form is immutable and is sent to the workers with its answerer. It writes outcomes and unreadable
records, gives the text before the first answer, and says whether each answer is one line, which
resuming an output requires.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.answering.asked import FORMS, ColumnKind
from satdoku.answering.many import unique_outcome
from satdoku.answering.output.ending import Ending, ending_named
from satdoku.answering.task import Block, Facts, Task, nothing_found, outcome_facts, outcome_line
from satdoku.errors import FormatError
from satdoku.notation.outcomes import MISMATCH
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import plain_lines
from satdoku.notation.record import free_name
from satdoku.notation.spelling import USUAL, Spelling, spelling_by_rules
from satdoku.picture import Screen
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.solvers import Settings

if TYPE_CHECKING:
    from satdoku.notation.format import Format


NOT_ASKED = "the first solution was taken, without a search for a second one"


class Form(ABC):
    """Base class of the forms of output; forms with options are frozen dataclasses."""

    name: ClassVar[str]
    """Name of the form in the identity of a resumable run."""

    needs_message: ClassVar[bool] = False
    """Whether a message has to say how a record ended, because the output does not."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return 0  # the same in every process; collisions do not matter, as few forms are compared

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @property
    def kinds(self) -> Mapping[str, ColumnKind]:
        """Return the types of table columns that do not hold text, by column name."""
        return {}

    @property
    def needs_statistics(self) -> bool:
        """Whether the form writes the cost of an answer."""
        return False

    @property
    def depends_on_number(self) -> bool:
        """Whether the form writes the answer to a single record differently from one of several."""
        return False

    @property
    def is_one_table(self) -> bool:
        """Whether all answers are rows of one table if the input is a table."""
        return False

    @property
    def takes_shape_of_input(self) -> bool:
        """Whether the form writes each answer in the format of its record."""
        return False

    @property
    def picks_rows(self) -> bool:
        """Whether answers are numbers of the input's rows, which are copied from it."""
        return False

    def beside_copies(self) -> "Form":
        """Return this form for an output that copies the columns of the input by itself."""
        return self

    def of_number(self, is_single: bool) -> "Form":
        """Return this form for a single record, or for one of several."""
        return self

    def of_typed(self) -> "Form":
        """Return the variant of this form for records that a person types one after the other."""
        return self.of_number(is_single=True)

    def options(self) -> dict[str, Any]:
        """Return the options that change the output; only a run with the same ones is resumed."""
        return {}

    def opening(self, parser: Parser) -> str:
        """Return the text before the first answer; `parser` is that of the first record."""
        return ""

    def is_linewise(self, parser: Parser) -> bool:
        """Whether the answer to each record of this parser is one line."""
        return True

    @abstractmethod
    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        """Return the answer to a puzzle; `fault` says how it contradicts a known solution."""

    @abstractmethod
    def of_unreadable(self, task: Task, error: FormatError) -> str:
        """Return the answer to a record that holds no valid puzzle."""

    @abstractmethod
    def of_fault(self, task: Task, reason: str) -> str:
        """Return the answer to a record whose answer was ended by a bug."""

    def ending_of(self, task: Task, line: str) -> Ending | None:
        """Return how a record with this answer ended; None if the line does not say it."""
        return None

    def of_any(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        """Return the answer to a puzzle for which any solution was asked, unique or not."""
        outcome = Outcome(puzzle, Verdict.UNDECIDED, solution, reason=NOT_ASKED)
        return self.of_outcome(task, outcome)

    @property
    def writes_blocks(self) -> bool:
        """Whether the answers to a block can be written together."""
        return False

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        """Return the answers to a block, a line each or nothing at all, given all solutions.

        None if the rows of this block have to be written one by one.
        """
        return None

    def line_writer(self) -> Callable[[Task, str], str] | None:
        """Return a function that writes the answer to a bare line, given its solution as a line.

        None if an answer contains more than the solution.
        """
        return None

    keeps_text: ClassVar[bool] = False
    """Whether records are written as they came."""

    writes_lines: ClassVar[bool] = False
    """Whether `of_line` writes an answer."""

    def of_line(self, block: Block, index: int, line: str) -> str:
        """Return the answer to a plain board of a block, given the line of its facts."""
        raise NotImplementedError


class FactsForm(Form):
    """A form that writes facts; an outcome is first turned into facts."""

    @abstractmethod
    def of_facts(self, task: Task, facts: Facts) -> str:
        """Return the answer to a puzzle with these facts."""

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        compared = {MISMATCH: fault or None} if task.is_compared else {}
        return self.of_facts(task, outcome_facts(outcome, self.needs_statistics, **compared))

    def of_fault(self, task: Task, reason: str) -> str:
        return self.of_facts(task, nothing_found(reason, Ending.FAULT))


def values_of_unique(block: Block, solutions: bytes) -> dict[str, Any]:
    """Return the values of a block's first row; callers use those that all rows share."""
    geometry, count = block.task.geometry, block.task.geometry.cell_count
    puzzle = Puzzle(Grid(geometry, tuple(block.boards[:count])))
    outcome = unique_outcome(puzzle, solutions[:count], Settings())
    further: dict[str, Any] = {MISMATCH: None} if block.task.is_compared else {}
    return dict(outcome_facts(outcome, **further).values)


@value(frozen=True)
class Lines(FactsForm):
    """Text for a person; a line may begin with a word that says how the record ended.

    If `faults_are_told` on the same terminal, the line of a fault is that word alone.
    """

    faults_are_told: bool = field(default=False, kw_only=True)

    def of_facts(self, task: Task, facts: Facts) -> str:
        is_told = self.faults_are_told and facts.message == facts.line
        return f"{facts.ending.value if is_told else facts.line}\n"

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        told = "" if self.faults_are_told else f": {error.message}"
        return f"{Ending.UNREADABLE.value}{told}\n"

    def ending_of(self, task: Task, line: str) -> Ending | None:
        return ending_named(line.rstrip("\n").partition(":")[0])


@value(frozen=True)
class Verdicts(Lines):
    """One line with the verdict and its evidence.

    On a `screen` the two solutions of a single puzzle are drawn below it for comparison. With
    `has_places` a line begins with the source and the line number of its puzzle.
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

    @property
    def writes_blocks(self) -> bool:
        return not self.has_places

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        return None if self.has_places else f"{Verdict.UNIQUE.value}\n" * block.task.puzzles

    def _before(self, task: Task) -> str:
        return f"{task.place}: " if self.has_places else ""

    def _draw_difference(self, outcome: Outcome) -> str:
        if self.screen is None or outcome.solution is None or outcome.second is None:
            return ""
        # Imported here: most runs draw nothing, and drawing modules are slow to import.
        from satdoku.picture.text import render_outcome

        return render_outcome(outcome, self.spelling, self.screen)


class Nothing(FactsForm):
    """Empty output: the exit code is the answer."""

    name: ClassVar[str] = "nothing"
    writes_lines: ClassVar[bool] = True

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

    @property
    def writes_blocks(self) -> bool:
        return True

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        return ""

    def of_line(self, block: Block, index: int, line: str) -> str:
        return ""


# Forms that consist of grids only: one for each puzzle that has one


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

    def of_fault(self, task: Task, reason: str) -> str:
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
        # The format `line` writes solutions of lines unchanged, whether or not it was named.
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
            return None  # a name behind the solution differs from row to row
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
