"""What understands the records of a text."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import PlainBoard, plain_board
from satdoku.notation.record import Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.notation.format import Format

_PLAIN = Hints()


class Parser(NamedTuple):
    """Turns the records of one text into puzzles; small, and can be sent to other processes.

    `detected` is the format of the text; None where it is one line of cells and nothing else, for
    which no format had to be looked for.
    """

    detected: "Format | None" = None
    source: str = ""
    hints: Hints = _PLAIN

    @property
    def format(self) -> "Format":
        """The format in which answers are written, unless another one is wanted."""
        if self.detected is not None:
            return self.detected
        # Imported here: a verdict is no puzzle, and needs no format to be written.
        from satdoku.notation.lines.line import LineFormat

        return LineFormat()

    def __call__(self, record: Record, bare: Puzzle | None = None) -> Puzzle:
        """The puzzle of a record; `bare` is what its format has read already, if it has."""
        if bare is None:
            board = self.plain_board(record)
            if board is not None:
                return Puzzle(board.grid, record.name)
            if self.detected is None:
                return self._typed(record)
            bare = self.format.parse(record, self.hints, self.source)
        return self.format.complete(bare, record, self.hints, self.source)

    def _typed(self, record: Record) -> Puzzle:
        """The puzzle of a typed line of cells to which the user adds rules, and nothing else."""
        board = plain_board(record.text)
        if board is None:
            return self.format.parse(record, self.hints, self.source)
        puzzle = Puzzle(board.grid, record.name)
        return add_rules(puzzle, self.hints.rules, self.source, record.line)

    def plain_board(self, record: Record) -> PlainBoard | None:
        """The board of a record that is nothing but the cells of a small board.

        None for any other record, and wherever the user said how to read it: then its format does.
        """
        has_bare_lines = self.detected is None or self.detected.has_bare_lines
        return plain_board(record.text) if has_bare_lines and self.hints == _PLAIN else None


def add_rules(puzzle: Puzzle, texts: tuple[str, ...], source: str, line: int = 0) -> Puzzle:
    """The puzzle with these rules, written as `--rule` takes them."""
    if not texts:
        return puzzle
    try:
        # What is said of a digit depends on where they begin, which the puzzle may say itself.
        digits = tuple(rule for rule in puzzle.rules if rule.name == "digits")
        return puzzle.with_rules(_read_rules(texts, puzzle.geometry, digits))
    except SatdokuError as error:
        raise FormatError(str(error), source, line) from None


# A run names its rules once, for a million puzzles that nearly always have the same size.
@lru_cache(maxsize=16)
def _read_rules(
    texts: tuple[str, ...], geometry: Geometry, others: tuple[Rule, ...]
) -> tuple[Rule, ...]:
    return read_rules(texts, geometry, others)
