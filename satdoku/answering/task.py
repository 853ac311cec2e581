"""A task (a record to answer), the facts found out about its puzzle, and bugs in finding them.

Facts are the common type between questions and forms: every question yields them, and every form
writes them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from satdoku.answering.output.ending import Ending
from satdoku.errors import SatdokuError, SolutionError, UnlikeLinesError, cut
from satdoku.notation.outcomes import (
    MISMATCH,
    NO_KNOWN_SOLUTION,
    contradicts,
    evidence,
    puzzle_object,
    to_object,
    verdict_line,
)
from satdoku.notation.parser import Parser
from satdoku.notation.plain_lines import FileLines, plain_lines
from satdoku.notation.record import Record
from satdoku.plugins import fault_of_package
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome
from satdoku.solving.limits import Budget, Limits

if TYPE_CHECKING:
    from satdoku.notation.plain_rows import RowsOfBlock, RowsRead

COMPLETE = "complete"
"""Name of the value that says whether an answer is complete, not cut short by a limit."""


class Facts(NamedTuple):
    """The answer to a question about a puzzle.

    `line` is for a person, without its line end; an answer in prose has several lines. `values` are
    for programs: JSON writes all of them in order, a table those that have a column. They always
    include `verdict`, the word of the ending, and `reason` if there is one. `message` is printed on
    stderr after the place of the puzzle. `result` is passed to the command and not written.
    `compared` is 1 if two methods computed the answer and agreed.
    """

    ending: Ending
    line: str
    values: Mapping[str, Any]
    message: str = ""
    puzzle: Puzzle | None = None
    result: Any = None
    compared: int = 0


def found_out(
    puzzle: Puzzle,
    ending: Ending,
    line: str,
    values: Mapping[str, Any],
    reason: str = "",
    message: str = "",
    result: Any = None,
) -> Facts:
    """Return facts with these `values` between the parts that all answers share."""
    found = {**puzzle_object(puzzle), "verdict": ending.value, **values, "reason": reason}
    return Facts(ending, line, found, message, puzzle, result)


def nothing_found(reason: str, ending: Ending = Ending.UNDECIDED) -> Facts:
    """Return the facts of a question without an answer, with the reason."""
    values = {"verdict": ending.value, "reason": reason}
    return Facts(ending, f"{ending.value}: {reason}", values)


def outcome_line(outcome: Outcome, fault: str = "") -> str:
    """Return the verdict with its evidence, or the `fault` of a wrong known solution."""
    is_wrong = contradicts(fault)
    return f"{Ending.MISMATCH.value}: {fault}" if is_wrong else verdict_line(outcome)


def outcome_facts(outcome: Outcome, has_statistics: bool = False, **further: Any) -> Facts:
    """Return a verdict with its evidence, followed by `further` values."""
    fault = further.get(MISMATCH) or ""
    line = outcome_line(outcome, fault)
    ending = Ending.MISMATCH if contradicts(fault) else Ending.of(outcome.verdict)
    values = {**to_object(outcome, has_statistics), **further}
    return Facts(ending, line, values, puzzle=outcome.puzzle)


def not_unique_facts(outcome: Outcome, budget: Budget | None = None) -> Facts:
    """Return the answer to a question that needs one solution, for a puzzle that is not unique.

    If a limit came first, the check had only the rest of the `budget`; the reason names the limits
    that the user set.
    """
    if outcome.reason and budget is not None:
        outcome = replace(outcome, reason=budget.why_over() or outcome.reason)
    line = verdict_line(outcome)
    return found_out(outcome.puzzle, Ending.of(outcome.verdict), line, {}, evidence(outcome))


def named(puzzle: Puzzle) -> dict[str, Any]:
    """Return `{"name": ...}`, which begins the values of an answer; `{}` without a name."""
    # A puzzle without a name gets no such member, as in the input.
    return {"name": puzzle.name} if puzzle.name else {}


class Task(NamedTuple):
    """A record with its parser; `number` counts the records of all sources from 1.

    `bare` is the puzzle if it is parsed already, as the first record of a text is when the format
    is detected. Reading took `seconds`, which count towards the time limit of the answer.

    A task may be a block: `puzzles` neighbouring plain lines of the same kind, which are read,
    answered and written together, or as many rows of a table, which `rows` reads. Only callers that
    ask for blocks get them (`Tasks`). Instead of their text, rows of a file may have their place in
    the file (`FileLines`); so may a single row of a table.

    `beside` is what another source says of the puzzle, such as an answer to grade.
    """

    parser: Parser
    record: Record
    number: int
    bare: Puzzle | None = None
    puzzles: int = 1
    seconds: float = 0
    rows: "RowsOfBlock | FileLines | None" = None
    beside: Any = None

    @property
    def text(self) -> Sized:
        # For lines in a file, a range of the same length is enough: pieces are made by length
        # alone.
        if isinstance(self.rows, FileLines):
            return range(self.rows.size * self.puzzles // self.rows.number)
        return self.record.text

    @property
    def place(self) -> str:
        """Return where the record begins, as messages write it: `puzzles.txt:12`."""
        return f"{self.parser.source}:{self.record.line}"

    @property
    def geometry(self) -> Geometry:
        """Return the geometry that all boards of a block of records share."""
        if self.rows is not None:
            return self.rows.geometry
        # Each line of a block has the cells and one line end.
        size = isqrt(len(self.record.text) // self.puzzles - 1)
        return Geometry.of_size(size)

    def block(self) -> "Block":
        """Return the contents of the rows of a block."""
        if isinstance(self.rows, FileLines) and self.rows.is_table:
            return self.with_text().block()
        plain = plain_lines(self.geometry)
        if self.rows is None or isinstance(self.rows, FileLines):
            text = self.record.text.encode() if self.rows is None else self.rows.read_bytes()
            return Block(self, plain.read_block(text), text)
        read = self.rows.read(self.record.text)
        return Block(self, plain.read_block("\n".join([*read.puzzles, ""]).encode()), b"", read)

    def with_text(self) -> "Task":
        """Return this task with its text, read from the file if the task has only its place."""
        if not isinstance(self.rows, FileLines):
            return self
        if self.puzzles == 1:
            return self._replace(record=self.rows.row(self.record), rows=None)
        part, *others = self.parts()
        if others:
            raise UnlikeLinesError(
                f"{self.place} is a row of another kind, or soon followed by one"
            )
        if part is not self:
            return part
        text = self.rows.read_bytes().decode()
        return self._replace(record=self.record._replace(text=text), rows=self.rows.layout)

    def parts(self) -> "list[Task]":
        """Return the blocks and single tasks of which this block consists; often itself alone."""
        found = self.rows.parts(self.parser) if isinstance(self.rows, FileLines) else None
        if found is None:
            return [self]
        before = self.number - self.record.line
        return [
            Task(self.parser, record, before + record.line, None, puzzles, 0, rows)
            for record, puzzles, rows in found
        ]

    def lines(self) -> "list[Task]":
        """Return the tasks of a block one by one."""
        part, *others = self.parts()
        if part is not self:
            parts = (each.lines() if each.puzzles > 1 else [each] for each in (part, *others))
            return list(chain.from_iterable(parts))
        block = self.block()
        return [block.line(index) for index in range(self.puzzles)]

    def budget(self, limits: Limits) -> Budget:
        """Return the budget of an answer, whose time includes that of reading the record."""
        budget = Budget(limits)
        budget.started -= self.seconds
        return budget

    def parse(self) -> Puzzle:
        """Return the puzzle; raise FormatError if the text is invalid."""
        return self.parser(self.record, self.bare)

    @property
    def is_compared(self) -> bool:
        """Whether the solution beside the puzzle is compared with the one found."""
        return self.parser.hints.solution_column is not None

    def parse_known_solution(self, puzzle: Puzzle) -> Grid | str | None:
        """Return the solution beside the puzzle, or a sentence that says why there is none.

        None if no solutions are compared: a column of solutions is ignored unless the user named
        it.
        """
        if not self.is_compared:
            return None
        parser = self.parser
        # With the geometry of the puzzle, a wrong number of cells is reported as such.
        hints = replace(parser.hints, geometry=puzzle.geometry)
        try:
            known = parser.format.parse_solution(self.record, hints, parser.source)
        except SolutionError as error:
            return error.message
        return NO_KNOWN_SOLUTION if known is None else known


class Block:
    """A block that was read: `boards` have a byte a cell.

    `lines` is the text of plain lines; for rows of a table, `rows` is used instead.
    """

    def __init__(
        self, task: Task, boards: bytes, lines: bytes, rows: "RowsRead | None" = None
    ) -> None:
        self.task = task
        self.boards = boards
        self._lines = lines
        self.rows = rows

    @property
    def puzzles(self) -> list[str]:
        """Return the boards as lines, with dots for empty cells."""
        return self.written(self.boards)

    def written(self, boards: bytes) -> list[str]:
        """Return boards of the same geometry as lines."""
        return plain_lines(self.task.geometry).write_block(boards).split("\n")[:-1]

    def puzzle(self, index: int) -> Puzzle:
        """Return one of the boards as a puzzle."""
        geometry = self.task.geometry
        begin = index * geometry.cell_count
        return Puzzle(Grid(geometry, tuple(self.boards[begin : begin + geometry.cell_count])))

    def line(self, index: int) -> Task:
        """Return the task of one row."""
        task = self.task
        line = task.record.line + index
        if self.rows is not None:
            record = self.rows.record(index, line)
        else:
            width = len(self._lines) // task.puzzles
            text = self._lines[index * width : (index + 1) * width - 1]
            record = Record(line, text.decode())
        return Task(task.parser, record, task.number + index)


# Bugs: errors that nobody expected; they cost one record, and not those behind it

ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")

_NO_BUGS = (SatdokuError, OSError, MemoryError)
"""Errors that are raised on purpose, and those of the system."""

# Most characters of an error that an answer names; the message has all of it.
_LONGEST_NAME = 200


def is_bug(error: Exception) -> bool:
    """Whether an error is a bug of satdoku that may be about one record alone.

    A rule of another package probably fails over every record.
    """
    return not (isinstance(error, _NO_BUGS) or fault_of_package(error))


def describe_bug(error: Exception, record: str = "puzzle") -> str:
    """Return what an answer says of a bug."""
    name = cut(f"{type(error).__name__}: {error}".partition("\n")[0], _LONGEST_NAME)
    return f"this is a bug of satdoku, please report it with the {record} ({name})"


def found_together(
    items: Sequence[ItemT], found: Iterator[FoundT], alone: Callable[[ItemT], FoundT]
) -> Iterator[FoundT]:
    """Yield what is found for many items together, and after a bug there for each one alone."""
    done = 0
    try:
        for each in found:
            yield each
            done += 1
    except Exception as error:
        if not is_bug(error):
            raise
        yield from map(alone, items[done:])
