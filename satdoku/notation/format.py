"""What every format can do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satdoku.errors import SatdokuError
from satdoku.notation.detection import Head
from satdoku.notation.hints import Hints
from satdoku.notation.line_kind import is_data
from satdoku.notation.parser import add_rules
from satdoku.notation.record import Record
from satdoku.notation.spelling import (
    LARGEST_SIZE,
    MOST_SYMBOLS,
    ONES,
    USUAL,
    Spelling,
    spelling_by_symbols,
    symbol_table,
    write_cells,
)
from satdoku.notation.tables.fields import write_fields
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC, Boxes
from satdoku.puzzle.rules.rule import Rule


@dataclass(frozen=True)
class Format(ABC):
    """A way to write puzzles as text; a value, so that it can travel to other processes."""

    name: ClassVar[str]
    description: ClassVar[str]

    is_linewise: ClassVar[bool] = False
    """Whether each puzzle is written on a line of its own."""

    has_bare_lines: ClassVar[bool] = False
    """Whether cells alone on a line are a whole record, and cells alone on a line its answer."""

    shows_shape: ClassVar[bool] = True
    """Whether a record may show boxes other than the usual ones, or rules of its own."""

    can_lack_boxes: ClassVar[bool] = False
    """Whether it has a way to say that there are no boxes, and no regions in their place."""

    is_cited: ClassVar[bool] = False
    """Whether its records often stand beside a board in another format, as links do."""

    has_fields: ClassVar[bool] = False
    """Whether a record has fields, of which the user may choose that of the puzzle."""

    largest_size: ClassVar[int] = LARGEST_SIZE
    """The size of the largest board that can be written."""

    has_long_records: ClassVar[bool] = False
    """Whether a cell may have a line of its own, so that much text may come without a record."""

    between: ClassVar[str] = ""
    """What stands between two puzzles, besides the line end that each has."""

    draws_boxes: ClassVar[bool] = False
    """Whether lines are drawn between the boxes, which a puzzle with irregular regions has not."""

    writes_symbols: ClassVar[bool] = True
    """Whether digits may be written by other symbols than 1, 2, 3, such as those from 0 on."""

    # Reading

    def matches(self, head: Head) -> bool:
        """Return whether a text that begins like this can only be of this format.

        Formats of other packages are never asked: they are read where `--from` names them.
        """
        return False

    def prepare(self, head: Head, source: str) -> "Format | None":
        """This format with what the head of a text tells about all its puzzles.

        None while more lines are needed to tell.
        """
        return self

    def is_unmistakable(self, head: Head) -> bool:
        """Whether a text that it cannot read is of this format all the same, and no paste."""
        return False

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        """The text of each puzzle as soon as its last line is seen, in constant memory."""
        for number, line in enumerate(lines, 1):
            if is_data(line):
                yield Record(number, line)

    @abstractmethod
    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        """The puzzle of a record; a FormatError names source, line and column of its fault."""

    def complete(self, bare: Puzzle, record: Record, hints: Hints, source: str) -> Puzzle:
        """A puzzle that was parsed, with the symbols of its text and the rules of the hints."""
        return add_rules(self.with_symbols(bare, record, hints), hints.rules, source, record.line)

    def with_symbols(self, puzzle: Puzzle, record: Record, hints: Hints) -> Puzzle:
        """The puzzle with the symbols of its text, for messages and answers to use them too.

        Up to nine digits are 1-9 unless the user says otherwise, and no series of symbols is long
        enough for more than 36; so most records are not looked at again.
        """
        size = puzzle.geometry.size
        if hints.alphabet is None and not 10 <= size <= MOST_SYMBOLS:
            return puzzle
        alphabet = self.spelling_of(record, hints, size).alphabet_for(size)
        if alphabet.is_numbers or (alphabet == ONES and size < 10):
            return puzzle
        return replace(puzzle, symbols=symbol_table(alphabet, size).text_of[1:])

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        """The known solution that the record holds beside its puzzle, if it was asked for."""
        return None

    def unread(self, record: Record, hints: Hints) -> str:
        """A sentence about what a record shows beside its puzzle that was not read; or nothing.

        Asked of records that can be read.
        """
        return ""

    def fields_of(self, record: Record) -> dict[str, Any]:
        """The named fields of a record as they came, puzzle included; empty where there are none.

        A record that cannot be read has none either.
        """
        return {}

    # Writing

    def opening(self) -> str:
        """What stands before the first puzzle of a file."""
        return ""

    def write(self, puzzle: Puzzle, spelling: Spelling = USUAL, number: int = 1) -> str:
        """The text of a puzzle, with its line end; `number` counts the puzzles of a file.

        A puzzle with a rule that the format cannot hold is refused: without it, it is another one.
        """
        size = puzzle.geometry.size
        if size > self.largest_size:
            raise SatdokuError(
                f"the format {self.name} is for boards up to {self.largest_size}x"
                f"{self.largest_size}, not {size}x{size}"
            )
        self._require_rules_held(puzzle)
        return self._write(puzzle, spelling, number)

    def write_solution(
        self, puzzle: Puzzle, solution: Grid, spelling: Spelling = USUAL, number: int = 1
    ) -> str:
        """The text of a solution of the puzzle, with those of its rules that the format can hold.

        The others are left out: a full grid is read without them.
        """
        if self.draws_boxes and Boxes() not in puzzle.rules:
            raise SatdokuError(
                f"the format {self.name} draws boxes, which this puzzle has not; --to rows does not"
            )
        if puzzle.symbols_of_rules and not self.writes_symbols:
            raise SatdokuError(
                f"the format {self.name} has digits from 1 on, and this puzzle has "
                f"{' '.join(puzzle.symbols_of_rules)}; --to rows has them"
            )
        spelling = spelling_by_symbols(puzzle, spelling)
        solved = Puzzle(solution, puzzle.name, puzzle.comment)
        held = [rule for rule in puzzle.further_rules if self.can_hold(rule)]
        return self.write(solved.with_rules(held), spelling, number)

    @abstractmethod
    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        """The text of a puzzle whose rules the format can hold."""

    def can_hold(self, rule: Rule) -> bool:
        """Whether the format has a place for a rule beyond rows, columns and boxes."""
        return False

    def _require_rules_held(self, puzzle: Puzzle) -> None:
        if puzzle.is_classic:
            return
        missing = [rule.name for rule in puzzle.further_rules if not self.can_hold(rule)]
        is_replaced = any(rule.stands_in_for_boxes for rule in puzzle.rules)
        replaced = {Boxes()} if is_replaced or self.can_lack_boxes else set()
        # What a format does not say is taken for classic, boxes included.
        lacking = [rule.name for rule in CLASSIC if rule not in (*puzzle.rules, *replaced)]
        if missing:
            raise SatdokuError(
                f"the format {self.name} cannot hold the rule {missing[0]}; --to json can"
            )
        if lacking:
            raise SatdokuError(f"the format {self.name} cannot say that {lacking[0]} are free")

    # Answering in the shape in which a puzzle came

    def answer_opening(self) -> str:
        """What stands before the first answer, as `write_answer` shapes them."""
        return ""

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """A solution in the shape in which its puzzle came."""
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.write(Puzzle(solution), spelling, number)

    def missing_answer(self, record: Record | None = None) -> str:
        """The text in place of a grid where there is none, so that lines count puzzles.

        Empty where a puzzle takes several lines. With a record, it has the shape of the answer that
        `write_answer` would give.
        """
        return "\n" if self.is_linewise else ""

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        """Return how the board in the record, of that size, is written: as the hints say."""
        return hints.spelling

    # Answering as a table

    @property
    def columns(self) -> tuple[str, str] | None:
        """The header and the delimiter of a table, None for what is no table.

        One table can hold the answers to several inputs if these are alike.
        """
        return None

    def header_with(self, names: Sequence[str]) -> str:
        """The header of a table with the puzzles of this text and further columns."""
        return ",".join(("puzzle", *names)) + "\n"

    def row_with(self, record: Record, texts: Sequence[str], puzzle: Puzzle | None = None) -> str:
        """The row of a record in that table: its puzzle, or its text where that is none."""
        first = (
            record.text if puzzle is None else write_cells(puzzle.grid, spelling_by_symbols(puzzle))
        )
        return write_fields([first, *texts])


class AnsweredInCells(Format):
    """A format whose answers are cells alone: of a full grid nobody needs regions, or a link."""

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return write_cells(solution, spelling) + "\n"


class AnsweredInRows(Format):
    """A format whose answers are the rows of a table, each with the solution behind it."""

    def answer_opening(self) -> str:
        return self.header_with(["solution"])

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.row_with(record, [write_cells(solution, spelling)])

    def missing_answer(self, record: Record | None = None) -> str:
        return "\n" if record is None else self.row_with(record, [""])
