"""Base class of answerers that find facts (all but `Checker`), and the forms that write facts.

Forms for people write lines, prose, or the text of the record; forms for programs write JSON
objects or a table.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, groupby
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from satdoku.answering.answerer import PuzzleAnswerer, guarded, reject_line, row_of_block
from satdoku.answering.asked import FORMS, RULES, Column, ColumnKind, limit_values
from satdoku.answering.form import FactsForm, Lines, values_of_unique
from satdoku.answering.many import is_patient
from satdoku.answering.output.ending import Ending, ending_named
from satdoku.answering.task import (
    COMPLETE,
    Block,
    Facts,
    Task,
    found_out,
    found_together,
    nothing_found,
)
from satdoku.batch.row import Row
from satdoku.errors import FormatError, SatdokuError, SolverDiedError, TooLargeError
from satdoku.notation.fields import quote_field, split_fields, write_fields
from satdoku.notation.json_format import JsonFormat, dump_line
from satdoku.notation.outcomes import COLUMNS, MISMATCH, beside_fields, contradicts, to_columns
from satdoku.notation.parser import Parser, replace_lost
from satdoku.notation.record import Record, free_name
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value
from satdoku.solving.limits import Budget, LimitReachedError, Limits, unwatched

Self = TypeVar("Self", bound="FactFinder")


class Found(NamedTuple):
    """The findings about one of many boards: the line, the values and the result of its facts."""

    line: str
    values: Mapping[str, Any]
    result: Any = None
    is_compared: bool = False


@value(frozen=True)
class FactFinder(PuzzleAnswerer):
    """Answerer that finds facts about one puzzle at a time, within limits; a form writes them.

    A new question is a subclass with a `command` and a `_find` method. If `_find` raises
    LimitReachedError, the answer is `undecided`; if it raises a SatdokuError, the message says why
    the question does not apply to this puzzle.
    """

    form: FactsForm
    limits: Limits = field(default_factory=Limits)

    command: ClassVar[str]
    """The command of this question; only the same command can resume its output."""

    good: ClassVar[frozenset[Ending]] = frozenset({Ending.UNIQUE, Ending.ANSWERED})
    """Endings of records with the answer that was asked for; all other records are rejects."""

    @property
    def timeout(self) -> float | None:
        return self.limits.timeout

    def options(self) -> dict[str, Any]:
        return {"the command": self.command, **limit_values(self.limits), **super().options()}

    @property
    def usual(self) -> Ending:
        """Return the ending that nearly all records have."""
        return Ending.ANSWERED

    @property
    def takes_blocks(self) -> bool:
        # A block has to finish within the timeout of a single puzzle.
        may_wait = is_patient(self.timeout) and self.limits.conflicts is None
        return may_wait and self._find_in_bulk(b"") is not None

    @property
    def takes_rows(self) -> bool:
        return self.takes_blocks

    def _find_in_bulk(self, boards: bytes) -> "Iterator[Found | None] | None":
        """Return the findings about plain 9x9 boards; None for each that is left to `facts`.

        The boards have a byte for each cell. Return None if there is no faster way for many boards.
        """
        return None

    def answers(self, tasks: Sequence[Task]) -> Iterator[Row]:
        for is_block, some in groupby(tasks, lambda task: task.puzzles > 1):
            alike = list(some)
            yield from map(self._answer_block if is_block else self._answer_alone, alike)

    def _answer_block(self, task: Task) -> Row:
        rows = list(chain.from_iterable(map(self._answer_part, task.parts())))
        return row_of_block(task, rows, self.usual)

    def _answer_part(self, task: Task) -> Iterator[Row]:
        """Yield the row of each puzzle of a block, or of a single one."""
        if task.puzzles == 1:
            yield self._answer_alone(task)
            return
        block = task.block()
        yield from found_together(
            range(task.puzzles),
            self._answer_together(block),
            lambda index: self._answer_alone(block.line(index)),
        )

    def _answer_together(self, block: Block) -> Iterator[Row]:
        is_usual = block.task.geometry == Geometry()
        found = self._find_in_bulk(block.boards) if is_usual else None
        for index, each in enumerate(found or [None] * block.task.puzzles):
            if each is None:
                yield self._answer_alone(block.line(index))
            else:
                yield self._row_of_found(block, index, each)

    def _row_of_found(self, block: Block, index: int, found: Found) -> Row:
        compared = int(found.is_compared)
        if self.form.writes_lines:
            text = self.form.of_line(block, index, found.line)
            return Row(text, self.usual, result=found.result, compared=compared)
        task = block.line(index)
        # A name may be in a column with an unusual name, which the format knows.
        has_names_apart = block.rows is not None and block.rows.keys is None
        puzzle = task.parse() if has_names_apart else block.puzzle(index)
        facts = found_out(puzzle, self.usual, found.line, found.values, result=found.result)
        return self._row(task, facts._replace(compared=compared))

    def _answer_alone(self, task: Task) -> Row:
        return guarded(task, self._answer, self.form)

    def _answer(self, task: Task) -> Row:
        budget = task.budget(self.limits)
        try:
            puzzle = task.parse()
        except FormatError as error:
            return self._refuse(task, error)
        return self._row(task, self._placed(task).facts(puzzle, budget))

    def give_up(self, task: Task, reason: str) -> Row:
        if task.puzzles > 1:
            # A small board never kills a process or fills its memory: another task was the cause.
            return row_of_block(task, list(map(self._answer_alone, task.lines())), self.usual)
        return self._row(task.with_text(), _told(nothing_found(reason)))

    def facts(self, puzzle: Puzzle, budget: Budget | None = None) -> Facts:
        budget = budget or Budget(self.limits)
        try:
            return self._find(puzzle, budget)
        except LimitReachedError as limit:
            # The question had only the rest of the limits; report the limits that the user set.
            reason, ending = budget.why_over() or str(limit), Ending.UNDECIDED
        except (TooLargeError, SolverDiedError):
            # These subclasses of SatdokuError are not the puzzle's fault: the batch calls
            # `give_up`.
            raise
        except SatdokuError as error:
            reason, ending = str(error), Ending.UNREADABLE
        return _told(found_out(puzzle, ending, f"{ending.value}: {reason}", {}, reason))

    @abstractmethod
    def _find(self, puzzle: Puzzle, budget: Budget) -> Facts: ...

    def _row(self, task: Task, facts: Facts) -> Row:
        text = self.form.of_facts(task, facts)
        message = f"{task.place}: {facts.message}" if facts.message else ""
        reject = "" if facts.ending in self.good else reject_line(task, facts.line)
        return Row(text, facts.ending, message, reject, facts.result, task.place, facts.compared)

    def _placed(self: Self, task: Task) -> Self:
        """Return a copy that names the task's place when it reports after an interruption."""
        tell = self.tell
        if tell is unwatched:
            return self
        return replace(self, tell=lambda found: tell(f"{task.place}: {found}"))


def _told(facts: Facts) -> Facts:
    """Return the facts with their line as the message, so that it also appears on stderr."""
    return facts._replace(message=facts.line)


@value(frozen=True)
class Plain(Lines):
    """One line for each puzzle; `usual` is the ending of lines that do not begin with a word."""

    name: ClassVar[str] = "plain"
    writes_lines: ClassVar[bool] = True

    usual: Ending = Ending.ANSWERED

    def of_line(self, block: Block, index: int, line: str) -> str:
        return f"{line}\n"

    def ending_of(self, task: Task, line: str) -> Ending | None:
        return super().ending_of(task, line) or self.usual


class Prose(Lines):
    """Paragraphs: several lines for each puzzle, so that the output cannot be resumed."""

    name: ClassVar[str] = "prose"

    def is_linewise(self, parser: Parser) -> bool:
        return False


@value(frozen=True)
class AsItCame(FactsForm):
    """The unchanged text of each record, for a command that leaves some records out.

    Rows of a Parquet file are written as rows of CSV, as JSON objects, or as their numbers.
    """

    name: ClassVar[str] = "as it came"
    is_one_table: ClassVar[bool] = True
    keeps_text: ClassVar[bool] = True
    writes_lines: ClassVar[bool] = True

    kind: Literal["rows", "objects", "numbers"] = "rows"

    @property
    def picks_rows(self) -> bool:
        return self.kind == "numbers"

    def opening(self, parser: Parser) -> str:
        has_header = parser.format.columns is not None and self.kind != "objects"
        return parser.format.header_with([]) if has_header else ""

    def is_linewise(self, parser: Parser) -> bool:
        return False

    def of_facts(self, task: Task, facts: Facts) -> str:
        return self._of_record(task)

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return self._of_record(task)

    def _of_record(self, task: Task) -> str:
        if self.kind == "numbers":
            return f"{task.record.line}\n"
        if self.kind == "rows":
            return replace_lost(task.parser.format.as_it_came(task.record))
        return task.record.text.rstrip("\n") + "\n"

    def of_line(self, block: Block, index: int, line: str) -> str:
        return self._of_record(block.line(index))


_UNREADABLE = Ending.UNREADABLE.value

# Placeholders in the text of a block's row for the parts that differ from line to line.
_LINE, _PUZZLE, _SOLUTION = "\0line", "\0puzzle", "\0solution"

# The fields besides the cells that define which puzzle it is.
_SHAPE = ("box", RULES.name)


@value(frozen=True)
class Json(FactsForm):
    """One JSON object on each line.

    `has_statistics` says whether objects include the cost of an answer, such as its time. None
    chooses by the input: a single puzzle has statistics, several have none, because the output for
    many puzzles is reproducible.
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
        return {FORMS["has_statistics"].name: self.has_statistics}

    def of_facts(self, task: Task, facts: Facts) -> str:
        return self._dump(task, {"line": task.record.line, **facts.values})

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        found = {"line": error.line, "verdict": _UNREADABLE, "reason": error.message}
        return self._dump(task, found)

    @property
    def writes_blocks(self) -> bool:
        return not self.has_statistics

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        keys = () if block.rows is None else block.rows.keys
        if keys is None:
            return None
        values = values_of_unique(block, solutions) | {"puzzle": _PUZZLE, "solution": _SOLUTION}
        whole = beside_fields(dict.fromkeys(keys), {"line": _LINE, **values})
        ours = dict(list(whole.items())[len(set(keys)) :])
        count = block.task.puzzles
        first = block.task.record.line
        columns = {
            _LINE: ("%d", range(first, first + count)),
            _PUZZLE: ('"%s"', block.puzzles),
            _SOLUTION: ('"%s"', block.written(solutions)),
        }
        template = "%s" + dump_line(ours)[1:].replace("%", "%%")
        begins = ["{"] * count if block.rows is None else block.rows.objects()
        filled: list[Sequence[object]] = [begins]
        for mark, (place, texts) in columns.items():
            if mark in ours.values():
                template = template.replace(dump_line(mark)[:-1], place)
                filled.append(texts)
        return "".join(map(template.__mod__, zip(*filled, strict=True)))

    def ending_of(self, task: Task, line: str) -> Ending | None:
        answer = JsonFormat().fields_of(Record(1, line))
        # If the record has a field of the same name, our value was written under another name.
        fields = task.parser.format.fields_of(task.record)
        if task.is_compared and contradicts(answer.get(free_name(MISMATCH, fields))):
            return Ending.MISMATCH
        # An explanation that a limit cut short may still know the verdict.
        if answer.get(free_name(COMPLETE, fields)) is False:
            return Ending.UNDECIDED
        return ending_named(answer.get(free_name("verdict", fields)))

    def _dump(self, task: Task, found: dict[str, Any]) -> str:
        fields = task.parser.format.fields_of(task.record)
        # Box and rules given as options change the puzzle, so their fields are written, too.
        changed = {name: found[name] for name in _said(task.parser) if name in found}
        return dump_line(beside_fields({**fields, **changed} if fields else fields, found))


@value(frozen=True)
class Csv(FactsForm):
    """A row of a table. Columns of an input table stay; our `columns` are added last.

    With `are_ours` a row has these alone, because the output copies those of the input.
    """

    name: ClassVar[str] = "csv"
    is_one_table: ClassVar[bool] = True

    columns: tuple[Column, ...] = tuple(map(Column, COLUMNS))
    are_ours: bool = False

    def beside_copies(self) -> "Csv":
        return replace(self, are_ours=True)

    @property
    def kinds(self) -> Mapping[str, ColumnKind]:
        return dict((RULES, *self.columns))

    def opening(self, parser: Parser) -> str:
        if RULES.name in _said(parser) and RULES.name in _own_columns(parser):
            raise SatdokuError(
                f"{parser.source} has a column {RULES.name} of its own, so a table cannot show "
                "what --rule adds to it; --json can"
            )
        return parser.format.header_with(self._names(parser))

    def of_facts(self, task: Task, facts: Facts) -> str:
        columns = to_columns(facts.values, self._names(task.parser))
        if self.are_ours:
            return write_fields(columns)
        return task.parser.format.row_with(task.record, columns, facts.puzzle)

    @property
    def writes_blocks(self) -> bool:
        return True

    def of_block(self, block: Block, solutions: bytes) -> str | None:
        values = values_of_unique(block, solutions) | {"solution": _SOLUTION}
        fields = map(quote_field, to_columns(values, self._names(block.task.parser)))
        if self.are_ours:
            before, _, after = ",".join(fields).partition(_SOLUTION)
            return "".join([f"{before}{each}{after}\n" for each in block.written(solutions)])
        rows = None if block.rows is None else block.rows.table_rows()
        delimiter = "," if rows is None or block.rows is None else block.rows.delimiter
        before, _, after = delimiter.join(["", *fields]).partition(_SOLUTION)
        pairs = zip(rows or block.puzzles, block.written(solutions), strict=True)
        return "".join([f"{row}{before}{solved}{after}\n" for row, solved in pairs])

    def of_unreadable(self, task: Task, error: FormatError) -> str:
        return self.of_facts(task, nothing_found(error.message, Ending.UNREADABLE))

    def ending_of(self, task: Task, line: str) -> Ending | None:
        """Return the ending stored in a line. Our columns are the last ones of the row."""
        _, delimiter = task.parser.format.columns or ("", ",")
        names = self._names(task.parser)
        texts = [field.text for field in split_fields(line.rstrip("\n"), delimiter)]
        # A damaged line may have fewer fields than columns. It then has no ending, and its answer
        # is computed again.
        found = dict(zip(names, texts[-len(names) :], strict=False))
        is_wrong = contradicts(found.get(MISMATCH))
        return Ending.MISMATCH if is_wrong else ending_named(found.get("verdict"))

    def _names(self, parser: Parser) -> list[str]:
        compared = [MISMATCH] if parser.hints.solution_column is not None else []
        return [*_names_of_shape(parser), *(column.name for column in self.columns), *compared]


def _names_of_shape(parser: Parser) -> Iterable[str]:
    """Return the columns that the row needs so that it is read again as the same puzzle."""
    has_own_columns = parser.format.columns is not None
    if not has_own_columns and parser.format.shows_shape:
        return _SHAPE
    present = _own_columns(parser)
    return [name for name in _said(parser) if name not in present]


def _said(parser: Parser) -> Iterable[str]:
    """Return the parts of the shape that the user gave for all puzzles: with --box, with --rule."""
    said = (parser.hints.geometry, parser.hints.rules)
    return [name for name, given in zip(_SHAPE, said, strict=True) if given]


def _own_columns(parser: Parser) -> Collection[str]:
    header, delimiter = parser.format.columns or ("", ",")
    return {field.text.strip().lower() for field in split_fields(header, delimiter)}
