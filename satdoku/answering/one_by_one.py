"""What the answerers of `explain` and `candidates` have in common. They run in workers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from satdoku.answering.form import Form
from satdoku.answering.forms import Json, Verdicts
from satdoku.answering.task import Task
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError
from satdoku.explaining.objects import way_object
from satdoku.explaining.watching import Watch, unwatched
from satdoku.explaining.why import Answer, Question, read_question
from satdoku.explaining.words.explanation import Style, numbered
from satdoku.output.ending import Ending
from satdoku.puzzle.puzzle import Puzzle
from satdoku.reporting.objects import dump_line
from satdoku.solving.limits import Limits

Self = TypeVar("Self", bound="OneByOne")


@dataclass(frozen=True)
class Prose(Verdicts):
    """Paragraphs for a person: several lines a puzzle, so that output cannot be resumed."""

    name: ClassVar[str] = "prose"

    def is_linewise(self, parser: Any) -> bool:
        return False


@dataclass(frozen=True)
class OneByOne(ABC):
    """A puzzle at a time, in a form, within limits.

    `watch` is told how far the work on a puzzle is; a copy that travels to a worker has none.
    """

    form: Form
    watch: Callable[[str], None] | None = field(default=None, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "watch": None}

    @property
    @abstractmethod
    def _limits(self) -> Limits: ...

    @abstractmethod
    def _answer(self, task: Task, puzzle: Puzzle) -> Row: ...

    @property
    def timeout(self) -> float | None:
        return self._limits.timeout

    def in_form(self: Self, form: Form) -> Self:
        return replace(self, form=form)

    def watched(self: Self, watch: Watch) -> Self:
        """The same answerer with somebody who is told how far it is."""
        return replace(self, watch=watch)

    def options(self) -> dict[str, Any]:
        """What changes the answers, by the names that users know."""
        return {"--timeout": self._limits.timeout, "--conflicts": self._limits.conflicts}

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        for task in tasks:
            try:
                yield self._answer(task, task.parse())
            except FormatError as error:
                text = self.form.of_unreadable(task, error)
                yield Row(text, Ending.UNREADABLE, str(error))

    def give_up(self, task: Task, reason: str) -> Row:
        """The answer where the worker died, hung, or ran out of memory."""
        word = Ending.UNDECIDED.value
        found = head(task) | {"verdict": word, "complete": False, "reason": reason}
        text = dump_line(found) if self._is_json else f"{word}: {reason}\n"
        return Row(text, Ending.UNDECIDED, message=f"{task.place}: {word}: {reason}")

    @property
    def _is_json(self) -> bool:
        return isinstance(self.form, Json)

    @property
    def _watch(self) -> Watch:
        return self.watch or unwatched


def head(task: Task, name: str = "") -> dict[str, Any]:
    """Where the puzzle is from, before what is said of it."""
    return {"line": task.record.line, **({"name": name} if name else {})}


def read_questions(texts: Sequence[str], task: Task, puzzle: Puzzle) -> list[Question]:
    """The questions about a puzzle; one that makes no sense is refused before any work."""
    try:
        return [read_question(text, puzzle) for text in texts]
    except SatdokuError as error:
        raise FormatError(str(error), task.place) from None


def answer_lines(answered: Answer, style: Style) -> Iterator[str]:
    """An answer as text: its sentence, and its steps."""
    yield answered.sentence
    if answered.way is not None:
        yield from numbered(answered.way, style)


def answer_object(question: str, answered: Answer) -> dict[str, Any]:
    """An answer as an object."""
    steps = {"steps": []} if answered.way is None else way_object(answered.way)
    return {"question": question, "answer": answered.sentence, **steps}
