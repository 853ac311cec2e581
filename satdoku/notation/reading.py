"""From lines to puzzles: the reader splits a text into records, the parser parses them.

The parser may run in another process.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from satdoku.errors import FormatError, RuleError, SatdokuError
from satdoku.notation.any_board import AnyBoardFormat, named_shape
from satdoku.notation.bounds import MOST_LINES, MOST_PASTED, BoundedLines, Bounds
from satdoku.notation.detection import Head, refuse_formula
from satdoku.notation.drawings import Block, Line, RowsFormat
from satdoku.notation.exchange.seen import is_link
from satdoku.notation.fields import MOST_COLUMNS, is_too_wide
from satdoku.notation.format import Format
from satdoku.notation.formats import detect_format, format_named
from satdoku.notation.hints import PASTE, Hints
from satdoku.notation.line_kind import (
    LineKind,
    are_words,
    doubt_about,
    is_border,
    is_data,
    is_empty_header,
    is_remark,
    plain,
    refuse_rules,
)
from satdoku.notation.parser import Parser
from satdoku.notation.record import Record
from satdoku.notation.spelling import remark_on_blanks, speaks_of_no_board
from satdoku.notation.stated_rules import (
    StatedLines,
    describe_applied,
    describe_spoken,
    rules_behind,
    spoken_of_rule,
    stated_rules,
)
from satdoku.puzzle.puzzle import Puzzle

# `,1,2,3`: column labels, with an empty cell above the row labels.
_CORNER = r"\s*[,;\t|] *[\"']?[01][\"']? *[,;\t|] *[\"']?[12]\b"

# With fewer givens, a board with only rows, columns and boxes has several solutions.
_FEWEST_GIVENS = {4: 4, 6: 8, 9: 17}


class PuzzleReader:
    """The puzzles of a text that is read line by line.

    Iterating yields records; `parser` turns them into puzzles. A fault in a record raises its
    FormatError in the parser only, so that the caller can report it and continue.

    >>> reader = PuzzleReader(["1.3.3.12.1.323.1 easy"])
    >>> [reader.parser(record).name for record in reader]
    ['easy']
    """

    def __init__(
        self,
        lines: Iterable[str],
        source: str = "",
        format_name: str | None = None,
        hints: Hints | None = None,
        bounds: Bounds | None = None,
        is_at_hand: Callable[[], bool] | None = lambda: True,
    ) -> None:
        self.source = source
        self.hints = hints or Hints()
        self._format_name = format_name
        self._bounds = bounds or Bounds()
        self._is_at_hand = is_at_hand
        self._stated = StatedLines(lines)
        self._applied: tuple[str, ...] = ()
        self._rest = BoundedLines(self._stated, source, self._bounds)
        self._head = Head(self.hints)
        # The first record and its puzzle, if the format has parsed it already to try the format.
        self._tried: tuple[Record, Puzzle] | None = None
        # A later record and its puzzle, if it was parsed already as it might be words below the
        # board.
        self._tried_behind: tuple[Record, Puzzle] | None = None

    @cached_property
    def parser(self) -> Parser:
        """Return the parser for the format of this text; reads as many lines as detection needs."""
        self._apply_stated_rules()
        if self._format_name == PASTE:
            return Parser(self._read_pasted(), self.source, self.hints)
        named = format_named(self._format_name) if self._format_name else None
        if not self._has_data():
            # All lines are comments: `#` may also precede a board, or be its sign for blanks.
            return Parser(self._read_pasted(), self.source, self.hints)
        found = named or self._detect()
        self._require_fields(found)
        self._rest.has_long_records = found.has_long_records
        while (prepared := found.prepare(self._head, self.source)) is None:
            self._read_line()
        if named is None:
            prepared = self._find_pasted(prepared) or prepared
        return Parser(prepared, self.source, self.hints)

    def _apply_stated_rules(self) -> None:
        """Remove stated rules from a text with only one puzzle, and apply them.

        A RuleError if there are several puzzles, since it is unknown to which of them the rules
        belong. Rules in a comment are then reported, and not applied.
        """
        if self._is_at_hand is None:
            return
        lines = self._stated.look_ahead(self._is_at_hand)
        stated = self._stated.stated
        if not stated:
            return
        if lines is None:
            raise self._not_applied(min(stated))
        # A rule after the cells of a board is also the puzzle's name, so its line stays.
        apart = {number for number in stated if not rules_behind(lines[number - 1])}
        rest = ["" if number in apart else line for number, line in enumerate(lines, 1)]
        rules = tuple(rule for each in stated.values() for rule in each)
        hints = replace(self.hints, rules=tuple(dict.fromkeys((*self.hints.rules, *rules))))
        if self._count_puzzles(rest, hints) > 1:
            place = next((number for number in apart if is_data(lines[number - 1])), None)
            if place is not None:
                raise self._not_applied(place)
            self._stated.spoken += map(spoken_of_rule, rules)
            return
        self._applied = rules
        self.hints = hints
        self._stated.go_on_with(rest)
        self._head = Head(hints)

    def _not_applied(self, line: int) -> RuleError:
        message = "it is not clear to which puzzle this rule belongs; give it by --rule"
        return RuleError(message, self.source, line, 1)

    def _count_puzzles(self, lines: Sequence[str], hints: Hints) -> int:
        """Return how many records a text has; 1 if it cannot be read."""
        bounds = self._bounds
        # The rules are known already, so the inner reader does not look for them.
        reader = PuzzleReader(lines, self.source, self._format_name, hints, bounds, is_at_hand=None)
        try:
            return sum(1 for _ in reader)
        except SatdokuError:
            return 1

    def unread(self, record: Record) -> str:
        """Return a sentence about unread statements beside this record; empty if there are none.

        Called in order; what was reported once is not repeated. A SatdokuError if there is
        something to say about a record that cannot be parsed.
        """
        form = self.parser.format
        told = [form.unread(record, self.hints)]
        if not form.has_fields and (remark := remark_on_blanks(record.text)):
            self.parser(record, self.bare_puzzle(record))
            told.append(remark)
        if self._applied:
            told.insert(0, describe_applied(self._applied))
            self._applied = ()
        spoken = self._stated.take_spoken()
        # Tables and objects have columns and keys for rules; other words in them describe the data,
        # unless a line is labelled as rules.
        if form.has_fields and form.name != PASTE:
            spoken = [each for each in spoken if not each[1]]
        if spoken:
            puzzle = self.parser(record, self.bare_puzzle(record))
            told.append(describe_spoken(spoken, {rule.name for rule in puzzle.rules}))
        return "; ".join(filter(None, told))

    def bare_puzzle(self, record: Record) -> Puzzle | None:
        """Return the puzzle if the format has parsed this record already, else None."""
        for tried in (self._tried, self._tried_behind):
            if tried is not None and tried[0] is record:
                return tried[1]
        return None

    def puzzles(self) -> Iterator[Puzzle]:
        """Yield all puzzles, up to the first fault."""
        for record in self:
            yield self.parser(record, self.bare_puzzle(record))

    def __iter__(self) -> Iterator[Record]:
        parser = self.parser
        records = self._records_of(parser.format)
        if self._tried is None:
            records = self._rest.until_readable(records, self._can_read)
        first = next(records, None)
        if first is None:
            raise self._nothing_found()
        if self._tried is not None:
            # The same record, split from the text a second time.
            self._tried = first, self._tried[1]
        yield first
        is_known = self._format_name or parser.format.has_fields
        may_have_words = self._tried is not None and not is_known
        yield from self._without_last_words(records) if may_have_words else records

    def _records_of(self, found: Format) -> Iterator[Record]:
        lines = self._rest
        for record in found.split(chain(self._head.lines, lines), self.hints):
            lines.records += 1
            yield record

    def _can_read(self, record: Record) -> bool:
        try:
            self.parser(record)
        except SatdokuError:
            return False
        return True

    def _without_last_words(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the records after the first; none if all of them are words below the board.

        In a text with several boards words are a fault, and are kept.
        """
        words: list[Record] = []
        for record in records:
            words.append(record)
            # Only at the end is it known that no board follows; at most MOST_LINES records are
            # buffered.
            if not self._has_only_words(record) or len(words) > MOST_LINES:
                yield from words
                yield from records
                return

    def _has_only_words(self, record: Record) -> bool:
        """Whether a record is words or lone signs, and not a link or a board in letters."""
        lines = record.text.split("\n")
        refuse_rules(lines, self.source, record.line)
        if any(map(stated_rules, lines)):
            raise self._not_applied(record.line)
        if is_link(record.text) or self.parser.plain_board(record) is not None:
            return False
        try:
            bare = self.parser.format.parse(record, self.hints, self.source)
            self.parser(record, bare)
        except SatdokuError:
            # A repetition of the first board in another form counts as words.
            return are_words(record.text) or self._is_repeated(record)
        self._tried_behind = record, bare
        return False

    def _is_repeated(self, record: Record) -> bool:
        """Whether a record that its format cannot parse is the first board in another form."""
        lines = record.text.split("\n")
        try:
            (board,) = PuzzleReader(lines, hints=self.hints).puzzles()
        except (SatdokuError, ValueError):
            return False
        return self._tried is not None and board.grid == self._tried[1].grid

    def _has_data(self) -> bool:
        """Whether a line is neither empty nor a comment; reads up to the first such line."""
        while not (self._head.has_data or self._head.is_whole):
            self._read_line()
        return self._head.has_data

    def _detect(self) -> Format:
        refuse_formula(self._head, self._read_line, self.source)
        first = self._head.first
        if is_too_wide(first.text, first.delimiter):
            message = f"this table has more than {MOST_COLUMNS:,} columns"
            raise FormatError(message, self.source, first.number, 1)
        while (found := detect_format(self._head)) is None:
            self._read_line()
        return found

    def _find_pasted(self, usual: Format) -> Format | None:
        """Return a format for pastes if the text is short and its first record has a fault.

        A first line that is a sentence counts as a fault, as it might be taken for the header of a
        table. Most texts are settled by their first record; only after a fault are further lines
        read.
        """
        record = next(usual.split(self._look_ahead(), self.hints), None)
        is_labelled = self._has_header()
        is_tried = record is not None and not (is_labelled or is_remark(self._head.first.text))
        if record is not None and is_tried and self._try_first(record, usual):
            if not self._has_rules_below(record):
                return None
            self._tried = None
        if usual.is_unmistakable(self._head) or not self._is_short():
            return None
        pasted = self._look_for_boards(None if is_labelled else usual)
        if pasted is None and is_labelled and not self._head.first.text.strip("| "):
            raise FormatError("no board found below the empty header", self.source, 1, 1)
        if pasted is None and not usual.is_cited:
            # If no board is found without the supposed labels, they may be cells.
            if record is not None and is_labelled and self._try_first(record, usual):
                return None
            self._refuse_likely_board(usual)
        return pasted

    def _has_rules_below(self, record: Record) -> bool:
        """Whether the first line below a board may be one of its cages or regions.

        Only checked for boards with too few givens for a classic puzzle: all others are answered
        before the next line arrives.
        """
        assert self._tried is not None
        puzzle = self._tried[1]
        size = puzzle.geometry.size
        if not puzzle.is_classic or len(puzzle.givens) >= _FEWEST_GIVENS.get(size, size - 1):
            return False
        number = record.line + record.text.count("\n")
        while number < len(self._head.lines) or not self._head.is_whole:
            if number == len(self._head.lines):
                self._read_line()
            elif self._head.lines[number].strip():
                # Imported here: nearly all boards have another board below them, or nothing.
                from satdoku.notation.pastes.cages import may_be_beside

                return may_be_beside(self._head.lines[number], size)
            else:
                number += 1
        return False

    def _try_first(self, record: Record, usual: Format) -> bool:
        """Whether the usual format parses the first record (and for links also the second line)."""
        try:
            found = usual.parse(record, self.hints, self.source)
            if usual.is_cited and not self._goes_on_as(usual):
                return False
        except SatdokuError:
            return False  # the parser raises it again, unless the text turns out to be a paste
        if doubt := doubt_about(self._head.first.text, found.grid.rows):
            raise FormatError(doubt, self.source, self._head.first.number, 1)
        self._tried = record, found
        return True

    def _is_short(self) -> bool:
        """Whether the text is short enough for a paste; reads it whole if so."""
        characters = sum(map(len, self._head.lines))
        while characters <= MOST_PASTED and len(self._head.lines) <= MOST_LINES:
            if self._head.is_whole:
                return True
            self._read_line()
            if not self._head.is_whole:
                characters += len(self._head.lines[-1])
        return False

    def _refuse_likely_board(self, usual: Format | None) -> None:
        """Refuse a text without a readable record, with the likeliest fault."""
        told = ""
        if usual is not None:
            for record in usual.split(self._head.lines, self.hints):
                try:
                    usual.parse(record, self.hints, self.source)
                except RuleError:
                    return  # the board was parsed, and there is no doubt about it
                except SatdokuError as error:
                    message = getattr(error, "message", str(error))
                    told = message if not told or speaks_of_no_board(message) else told
                else:
                    return
        # Imported here, like the readers of pastes.
        from satdoku.notation.pastes.finding import find_likely_fault

        fault = find_likely_fault(self._head.lines, told, self.hints, self.source)
        if fault is not None:
            raise fault

    def _has_header(self) -> bool:
        """Whether formats take the first line for a row, although it may be column labels."""
        first, second = self._head.first.text, self._head.second
        is_empty = second is not None and is_empty_header(first, second.text)
        return is_empty or re.match(_CORNER, first) is not None

    def _goes_on_as(self, usual: Format) -> bool:
        """Whether the second line is of the same format as the first, or there is none."""
        while self._head.second is None:
            if self._head.is_whole:
                return True
            self._read_line()
        below = Head(self.hints)
        below.add(self._head.second.text)
        return usual.matches(below)

    def _read_pasted(self) -> Format:
        """Return the format for a paste of the whole text, as the user asks for it."""
        while not self._head.is_whole:
            self._read_line()
            if len(self._head.lines) > MOST_LINES:
                raise FormatError(f"a paste has up to {MOST_LINES} lines", self.source)
        found = self._read_as_found() if self._head.has_data else None
        found = self._look_for_boards(None) or found
        if found is None:
            self._refuse_likely_board(None)
            raise self._nothing_found()
        self._require_fields(found)
        return found

    def _read_as_found(self) -> Format | None:
        """Return the detected format if it reads the whole text: then no other format is better."""
        try:
            found = self._detect().prepare(self._head, self.source)
            if found is None:
                return None
            parser, lines = Parser(found, self.source, self.hints), self._head.lines
            return found if all([parser(r) for r in found.split(lines, self.hints)]) else None
        except SatdokuError:
            return None

    def _look_for_boards(self, usual: Format | None) -> Format | None:
        """Return a format that reads the lines so far as a paste; None if there is none."""
        # Imported here: nearly all texts are not pastes.
        from satdoku.notation.pastes.finding import find_pasted

        if named_shape(self._head.lines) is not None:
            return AnyBoardFormat()
        return find_pasted(self._head.lines, usual, self.hints, self.source)

    def _look_ahead(self) -> Iterator[str]:
        """Yield all lines of the text; those that are read here are also kept in the head."""
        yield from self._head.lines
        while not self._head.is_whole:
            known = len(self._head.lines)
            self._read_line()
            yield from self._head.lines[known:]

    def _require_fields(self, found: Format) -> None:
        """Refuse a chosen column if the format has none, as it must not be ignored."""
        chosen = {
            "--column": self.hints.column,
            "--solution-column": self.hints.solution_column,
            "--rules-column": self.hints.rules_column,
        }
        for option, column in chosen.items():
            if column is not None and not found.has_fields:
                message = f"{option} is for tables and JSON objects; this is read as {found.name}"
                raise FormatError(message, self.source)

    def _read_line(self) -> None:
        """Read a further line into the head, or mark the end."""
        line = next(self._rest, None)
        if line is None:
            self._head.end()
        else:
            self._head.add(line)

    def _nothing_found(self) -> FormatError:
        message = "no puzzle found (a puzzle has a character for every cell)"
        return FormatError(message, self.source or "-")


def read_puzzles(
    lines: Iterable[str],
    source: str = "",
    format_name: str | None = None,
    hints: Hints | None = None,
) -> Iterator[Puzzle]:
    """Yield the puzzles of a text, up to its first fault."""
    return PuzzleReader(lines, source, format_name, hints).puzzles()


# Decide whether a typed or pasted text is complete, so that it can be answered.

# The cells of 9x9, the usual board.
_FEWEST_CELLS = 81


def is_no_paste(text: Sequence[str]) -> bool:
    """Whether a text is longer than any paste, so that it comes from a program."""
    return len(text) > MOST_LINES


def is_whole(lines: Sequence[str], format_name: str | None, hints: Hints) -> bool:
    """Whether these lines hold puzzles to which no further line can belong.

    Two empty lines end every text, and one ends all but a board with gaps between its bands.
    Otherwise a text is complete if its format is certain and its last puzzle is complete: a line of
    81 characters is, and so are nine rows of nine. A line of 16 is not, because it may be the first
    row of a larger board.

    >>> rows = ["1...", "..2.", ".3..", "...4"]
    >>> is_whole(rows[:3], None, Hints()), is_whole(rows, None, Hints())
    (False, True)
    """
    shown = [line for line in lines if line.strip()]
    if not any(map(is_data, shown)):
        return False
    found = _certain_format(lines, format_name, hints)
    if lines[-1].strip():
        return found is not None and _is_complete(lines, found, hints)
    has_two = len(lines) > 1 and not lines[-2].strip()
    return has_two or not (isinstance(found, RowsFormat) and _may_go_on(lines, hints))


def is_whole_paste(lines: Sequence[str], format_name: str | None, hints: Hints) -> bool:
    """Whether lines that came at once hold a board of 9x9 or larger, and no text that is not read.

    A smaller board may be a row of another, or a few numbers.
    """
    reader = PuzzleReader(lines, "", format_name, hints)
    try:
        return all(reader.parser(r).geometry.cell_count >= _FEWEST_CELLS for r in reader)
    except SatdokuError:
        return False


def _certain_format(lines: Sequence[str], format_name: str | None, hints: Hints) -> Format | None:
    """Return the format of the text if no further line can change it, else None."""
    head = Head(hints)
    for line in lines:
        head.add(line)
    try:
        found = format_named(format_name) if format_name else detect_format(head)
        return None if found is None else found.prepare(head, "")
    except SatdokuError:
        return None


def _is_complete(lines: Sequence[str], found: Format, hints: Hints) -> bool:
    """Whether the last puzzle needs no further line; rows of a table may always follow."""
    if found.columns is not None:
        return False
    # A link is complete, even if it is damaged.
    if found.is_linewise and (found.has_bare_lines or found.is_cited):
        return True
    # A board with a border above it still needs a border below it.
    kinds = [LineKind.BORDER if is_border(plain(line)) else None for line in lines if line.strip()]
    if kinds[0] is LineKind.BORDER and kinds[-1] is not LineKind.BORDER:
        return False
    try:
        puzzles = [found.parse(record, hints, "") for record in found.split(lines, hints)]
    except SatdokuError:
        return False
    return bool(puzzles)


def _may_go_on(lines: Sequence[str], hints: Hints) -> bool:
    """Whether the text ends in a band of a board, so that another band may follow."""
    block = Block(hints.size)
    for number, text in enumerate(lines[:-1], 1):
        line = Line.read(number, text)
        if line.kind is LineKind.EMPTY:
            block.add_gap(line)
        else:
            block.add(line)
    return not block.is_complete and block.may_go_on_behind_gap()
