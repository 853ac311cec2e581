"""Base class of all forms of output, and the forms that write no more than the verdict.

Further forms are in `fact_finder.py` and `grid_forms.py`.

A form is immutable and is sent to the workers with its answerer. It writes outcomes and unreadable
records, gives the text before the first answer, and says whether each answer is one line, which
resuming an output requires.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from satdoku.answering.asked import ColumnKind
from satdoku.answering.output.ending import Ending, ending_named
from satdoku.answering.task import Facts, Task, outcome_facts, outcome_line
from satdoku.errors import FormatError
from satdoku.notation.outcomes import MISMATCH
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import PlainLines
from satdoku.notation.spelling import USUAL, Spelling
from satdoku.picture import Screen
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.puzzle.verdict import Outcome, Verdict

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

    def of_number(self, is_single: bool) -> "Form":
        """Return this form for a single record, or for one of several."""
        return self

    def of_typed(self) -> "Form":
        """Return this form for records that a person types one after the other."""
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

    def ending_of(self, task: Task, line: str) -> Ending | None:
        """Return how a record with this answer ended; None if the line does not say it."""
        return None

    def of_any(self, task: Task, puzzle: Puzzle, solution: Grid) -> str:
        """The answer to a puzzle of which any solution will do."""
        outcome = Outcome(puzzle, Verdict.UNDECIDED, solution, reason=NOT_ASKED)
        return self.of_outcome(task, outcome)

    def block_writer(self) -> Callable[[PlainLines, bytes], str] | None:
        """Return a function that writes the answers to a block of bare lines, given all solutions.

        All answers have the same length. None if an answer contains more than the solution.
        """
        return None

    def line_writer(self) -> Callable[[Task, str], str] | None:
        """Return a function that writes the answer to a bare line, given its solution as a line.

        None if an answer contains more than the solution.
        """
        return None

    writes_lines: ClassVar[bool] = False
    """Whether `of_line` writes an answer."""

    def of_line(self, text: str, line: str) -> str:
        """Return the answer to a plain line, given its text and the line of its facts."""
        raise NotImplementedError


class FactsForm(Form):
    """A form that writes facts; an outcome is first turned into facts."""

    @abstractmethod
    def of_facts(self, task: Task, facts: Facts) -> str:
        """Return the answer to a puzzle with these facts."""

    def of_outcome(self, task: Task, outcome: Outcome, fault: str = "") -> str:
        compared = {MISMATCH: fault or None} if task.is_compared else {}
        return self.of_facts(task, outcome_facts(outcome, self.needs_statistics, **compared))


class Lines(FactsForm):
    """Text for a person; a line may begin with a word that says how the record ended."""

    def of_facts(self, task: Task, facts: Facts) -> str:
        return f"{facts.line}\n"

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return f"{Ending.UNREADABLE.value}: {error.message}\n"

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

    def block_writer(self) -> Callable[[PlainLines, bytes], str] | None:
        line = f"{Verdict.UNIQUE.value}\n"
        # Places differ from line to line, so the answers have different lengths.
        return None if self.has_places else lambda lines, boards: line * lines.count_boards(boards)

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

    def block_writer(self) -> Callable[[PlainLines, bytes], str] | None:
        return lambda lines, boards: ""

    def of_line(self, text: str, line: str) -> str:
        return ""
