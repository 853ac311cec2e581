"""The interface of all formats."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.detection import Head
from satdoku.notation.fields import write_fields
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
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC, Boxes
from satdoku.puzzle.rules.rule import Rule, board_of
from satdoku.puzzle.value import value

if TYPE_CHECKING:
    from satdoku.notation.plain_rows import TextRows


@value(frozen=True)
class Format(ABC):
    """A text format: how to detect, split, parse, write and answer puzzles; a picklable value."""

    name: ClassVar[str]
    description: ClassVar[str]

    is_linewise: ClassVar[bool] = False
    """Whether each puzzle is written on one line."""

    has_bare_lines: ClassVar[bool] = False
    """Whether a line of cells alone is a whole record, and its answer is a line of cells alone."""

    shows_shape: ClassVar[bool] = True
    """Whether a record may have boxes other than the usual ones, or its own rules."""

    can_lack_boxes: ClassVar[bool] = False
    """Whether the format can state that there are no boxes, and no regions in their place."""

    is_cited: ClassVar[bool] = False
    """Whether its records often stand beside a board in another format, as links do."""

    has_fields: ClassVar[bool] = False
    """Whether records have fields, so that the user may choose the field with the puzzle."""

    largest_size: ClassVar[int] = LARGEST_SIZE
    """The size of the largest board that can be written."""

    has_long_records: ClassVar[bool] = False
    """Whether a cell may have its own line, so that a record may be very long."""

    between: ClassVar[str] = ""
    """The separator of two puzzles, besides the line end of each."""

    takes_any_board: ClassVar[bool] = False
    """Whether boards that are no plain squares can be written."""

    draws_boxes: ClassVar[bool] = False
    """Whether lines are drawn between boxes, so that irregular regions cannot be written."""

    writes_symbols: ClassVar[bool] = True
    """Whether digits may be written with other symbols than 1, 2, 3, such as those from 0 on."""

    # Reading

    def matches(self, head: Head) -> bool:
        """Return whether a text that begins like this can only be of this format.

        Formats of other packages are never detected: they are used only if `--from` names them.
        """
        return False

    def prepare(self, head: Head, source: str) -> "Format | None":
        """Return this format with the settings that the head of a text shows for all its puzzles.

        None if more lines are needed.
        """
        return self

    def is_unmistakable(self, head: Head) -> bool:
        """Whether a text is surely of this format, and no paste, even if it cannot be parsed."""
        return False

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        """Yield the text of each puzzle as soon as its last line is read, in constant memory."""
        for number, line in enumerate(lines, 1):
            if is_data(line):
                yield Record(number, line)

    @abstractmethod
    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        """Return the puzzle of a record; a FormatError has source, line and column of a fault."""

    def complete(self, bare: Puzzle, record: Record, hints: Hints, source: str) -> Puzzle:
        """Return a parsed puzzle with the symbols of its text and the rules of the hints."""
        puzzle = self.with_symbols(bare, record, hints)
        completed = add_rules(puzzle, hints.rules, source, record.line)
        if not completed.geometry.is_plain:
            _require_named(completed, source, record.line)
        return completed

    def with_symbols(self, puzzle: Puzzle, record: Record, hints: Hints) -> Puzzle:
        """Return the puzzle with the symbols of its text, for messages and answers.

        Most records are skipped: up to nine digits are 1-9 unless the user says otherwise, and more
        than 36 have no symbols.
        """
        size = puzzle.geometry.size
        if hints.alphabet is None and not 10 <= size <= MOST_SYMBOLS:
            return puzzle
        alphabet = self.spelling_of(record, hints, size).alphabet_for(size)
        if alphabet.is_numbers or (alphabet == ONES and size < 10):
            return puzzle
        return replace(puzzle, symbols=symbol_table(alphabet, size).text_of[1:])

    def rows_like(self, record: Record, hints: Hints) -> "TextRows | None":
        """Return the layout of rows like this record, which are then read in blocks; see `Parser`.

        The record can be parsed. None if rows of this format are not read in blocks.
        """
        return None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        """Return the known solution in the record, if there is one and it was asked for."""
        return None

    def unread(self, record: Record, hints: Hints) -> str:
        """Return a sentence about a part of the record that was not read; empty if there is none.

        Only called for records that can be parsed.
        """
        return ""

    def fields_of(self, record: Record) -> dict[str, Any]:
        """Return all named fields of a record, unchanged, with the puzzle; empty without fields.

        Empty also if the record cannot be parsed.
        """
        return {}

    # Writing

    def opening(self) -> str:
        """Return the text before the first puzzle of a file."""
        return ""

    def write(self, puzzle: Puzzle, spelling: Spelling = USUAL, number: int = 1) -> str:
        """Return the text of a puzzle with its line end; `number` counts the puzzles of a file.

        A puzzle with a rule that the format cannot hold is refused: without the rule it would be
        another puzzle.
        """
        size = puzzle.geometry.size
        if not (puzzle.geometry.is_plain or self.takes_any_board):
            raise SatdokuError(
                f"the format {self.name} holds plain boards, not one of "
                f"{puzzle.geometry.board_words}; --to json and --to board can"
            )
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
        """Return the text of a solution, with the rules that the format can hold.

        Other rules are left out, as a full grid can be read without them. So are rules about
        values, if the format cannot hold what makes cells count otherwise than their digits.
        """
        if self.draws_boxes and Boxes() not in puzzle.rules:
            raise SatdokuError(
                f"the format {self.name} draws boxes, which this puzzle lacks; use --to rows"
            )
        if puzzle.symbols_of_rules and not self.writes_symbols:
            raise SatdokuError(
                f"the format {self.name} can only write digits from 1 on, and this puzzle has "
                f"{' '.join(puzzle.symbols_of_rules)}; use --to rows"
            )
        spelling = spelling_by_symbols(puzzle, spelling)
        about = puzzle.publication
        solved = Puzzle(solution, puzzle.name, puzzle.comment, publication=about)
        held = [rule for rule in puzzle.further_rules if self.can_hold(rule)]
        if any(rule.makes_values and rule not in held for rule in puzzle.further_rules):
            held = [rule for rule in held if rule.reading is None]
        return self.write(solved.with_rules(held), spelling, number)

    @abstractmethod
    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        """Return the text of a puzzle whose rules the format can hold."""

    def can_hold(self, rule: Rule) -> bool:
        """Whether the format can hold a rule beyond rows, columns and boxes."""
        return False

    def _require_rules_held(self, puzzle: Puzzle) -> None:
        if puzzle.is_classic:
            return
        missing = [rule.name for rule in puzzle.further_rules if not self.can_hold(rule)]
        is_replaced = any(rule.stands_in_for_boxes for rule in puzzle.rules)
        replaced = {Boxes()} if is_replaced or self.can_lack_boxes else set()
        # A format that states no rules is read as classic, boxes included.
        lacking = [rule.name for rule in CLASSIC if rule not in (*puzzle.rules, *replaced)]
        if missing:
            raise SatdokuError(
                f"the format {self.name} cannot hold the rule {missing[0]}; --to json can"
            )
        if lacking:
            raise SatdokuError(
                f"the format {self.name} cannot say that digits may repeat in {lacking[0]}"
            )

    # Answering in the form of the puzzle's own text

    def answer_opening(self) -> str:
        """Return the text before the first answer of `write_answer`."""
        return ""

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """Return a solution in the form in which its puzzle was given."""
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.write(Puzzle(solution), spelling, number)

    def missing_answer(self, record: Record | None = None) -> str:
        """Return the text in place of a missing grid, so that line n still answers puzzle n.

        Empty if a puzzle takes several lines. With a record, the text has the form that
        `write_answer` would give.
        """
        return "\n" if self.is_linewise else ""

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        """Return the spelling of the record's board; by default the spelling of the hints."""
        return hints.spelling

    def as_it_came(self, record: Record) -> str:
        """Return the text of a record, unchanged, with its line end."""
        return record.text.rstrip("\n") + "\n"

    # Answering as a table

    @property
    def columns(self) -> tuple[str, str] | None:
        """Return the header and the delimiter of a table; None if the format is no table.

        Answers to several inputs can share one table if these are equal.
        """
        return None

    def header_with(self, names: Sequence[str]) -> str:
        """Return the header of a table with the puzzles of this text and further columns."""
        return ",".join(("puzzle", *names)) + "\n"

    def row_with(self, record: Record, texts: Sequence[str], puzzle: Puzzle | None = None) -> str:
        """Return a record's row in the table of `header_with`: its puzzle or text, and `texts`."""
        first = (
            record.text if puzzle is None else write_cells(puzzle.grid, spelling_by_symbols(puzzle))
        )
        return write_fields([first, *texts])


class AnsweredInCells(Format):
    """A format whose answers are only cells: a full grid needs no regions and no link."""

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return write_cells(solution, spelling) + "\n"


class AnsweredInRows(Format):
    """A format whose answers are its table rows, with the solution added."""

    def answer_opening(self) -> str:
        return self.header_with(["solution"])

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        spelling = self.spelling_of(record, hints, solution.geometry.size)
        return self.row_with(record, [write_cells(solution, spelling)])

    def missing_answer(self, record: Record | None = None) -> str:
        return "\n" if record is None else self.row_with(record, [""])


def _require_named(puzzle: Puzzle, source: str, line: int) -> None:
    """Refuse a cell beside the board that no rule names; a board without rules is no puzzle yet."""
    board = puzzle.geometry
    named = {cell for rule in puzzle.further_rules for cell in rule.cells(board_of(rule, board))}
    for cell in range(board.board_count, board.cell_count) if named else ():
        if cell not in named and cell not in puzzle.givens:
            message = f"no rule names {board.name_of(cell)}, so that any digit fits it"
            raise FormatError(message, source, line)
