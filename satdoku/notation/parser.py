"""The parser of the records of a text."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.hints import Hints
from satdoku.notation.plain_lines import PlainBoard, plain_board
from satdoku.notation.record import Record
from satdoku.puzzle.grid import Geometry
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.notation.format import Format
    from satdoku.notation.plain_rows import TextRows

_PLAIN = Hints()

_ZERO = "\u2400"
LOST = _ZERO * 17
"""Where zero bytes were in a line, a text has this, and then one more of these characters for each.

No board has as many cells, whatever reads it.
"""
NO_TEXT_LEFT = "zero bytes are in place of text, as after a power cut"


def mark_lost(count: int) -> str:
    """Return what stands for so many zero bytes.

    >>> replace_lost(f"1{mark_lost(3)}2", "?"), replace_lost(f"1{mark_lost(3)}2")
    ('1?2', '1\\x00\\x00\\x002')
    """
    return LOST + _ZERO * count


def replace_lost(text: str, sign: str | None = None) -> str:
    """Return a text with a sign where zero bytes were; by default with these bytes."""
    if LOST not in text:
        return text
    lost = re.compile(f"{LOST}{_ZERO}*")
    return lost.sub(lambda run: sign or "\0" * (len(run[0]) - len(LOST)), text)


class Parser(NamedTuple):
    """Parser from records of one text to puzzles; small, and picklable for other processes.

    `detected` is the format of the text; None if the text is one line of cells and no format had to
    be detected.
    """

    detected: "Format | None" = None
    source: str = ""
    hints: Hints = _PLAIN

    @property
    def format(self) -> "Format":
        """Return the format in which answers are written, unless another one is wanted."""
        if self.detected is not None:
            return self.detected
        # Imported here, as writing a verdict needs no format.
        from satdoku.notation.lines import LineFormat

        return LineFormat()

    def __call__(self, record: Record, bare: Puzzle | None = None) -> Puzzle:
        """Return the puzzle of a record; `bare` is the puzzle if it is parsed already."""
        if bare is None:
            board = self.plain_board(record)
            if board is not None:
                return Puzzle(board.grid, record.name)
            if self.detected is None:
                return self._typed(record)
            if LOST in record.text:
                raise FormatError(NO_TEXT_LEFT, self.source, record.line, 1)
            bare = self.format.parse(record, self.hints, self.source)
        return self.format.complete(bare, record, self.hints, self.source)

    def _typed(self, record: Record) -> Puzzle:
        """Return the puzzle of a typed line that is only cells, with the user's rules."""
        board = plain_board(record.text)
        if board is None:
            return self.format.parse(record, self.hints, self.source)
        puzzle = Puzzle(board.grid, record.name)
        return add_rules(puzzle, self.hints.rules, self.source, record.line)

    def plain_board(self, record: Record) -> PlainBoard | None:
        """Return the board of a record that is only the cells of a small board.

        None if the record has anything else, or if hints say how to read it; the format parses
        these.
        """
        has_bare_lines = self.detected is None or self.detected.has_bare_lines
        return plain_board(record.text) if has_bare_lines and self.hints == _PLAIN else None

    def rows_like(self, record: Record) -> "TextRows | None":
        """Return the layout of table rows like this record, which are then read in blocks.

        None if the record's puzzle is more than a plain board, or if hints say more about all
        puzzles.
        """
        hints = self.hints
        if self.detected is None or hints.rules or hints.geometry or hints.alphabet:
            return None
        try:
            rows = self.detected.rows_like(record, hints)
            if rows is None:
                return None
            puzzle = self(record)
        except SatdokuError:
            return None
        if not puzzle.is_classic or puzzle.geometry != rows.geometry:
            return None
        # The pattern was made from this row and should match it; otherwise it matches no other
        # either.
        data = f"{record.text}\n".encode(errors="replace")
        return rows if rows.measure(data, 1)[0] else None


def add_rules(puzzle: Puzzle, texts: tuple[str, ...], source: str, line: int = 0) -> Puzzle:
    """Return the puzzle with these rules, written as `--rule` takes them."""
    if not texts:
        return puzzle
    try:
        # The rules depend on the lowest digit, which the puzzle may define itself.
        digits = tuple(rule for rule in puzzle.rules if rule.name == "digits")
        return puzzle.with_rules(_read_rules(texts, puzzle.geometry, digits))
    except SatdokuError as error:
        raise FormatError(str(error), source, line) from None


# Cached: a run has the same rules for a million puzzles, nearly always of one size.
@lru_cache(maxsize=16)
def _read_rules(
    texts: tuple[str, ...], geometry: Geometry, others: tuple[Rule, ...]
) -> tuple[Rule, ...]:
    return read_rules(texts, geometry, others)
