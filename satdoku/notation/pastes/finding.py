"""Find boards in texts of no particular format: copied from mail, pages and programs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from types import UnionType
from typing import ClassVar

from satdoku.errors import FormatError, RuleError, SatdokuError
from satdoku.notation.bounds import MOST_PASTED
from satdoku.notation.csv_format import CsvFormat
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import read_cited_links
from satdoku.notation.format import Format
from satdoku.notation.formats import FORMATS, detect_format
from satdoku.notation.hints import PASTE, Hints
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.line_kind import (
    doubt_about,
    has_cells,
    is_sentence,
    refuse_rules,
)
from satdoku.notation.pastes.cages import looks_caged, read_cages, read_regions_below
from satdoku.notation.pastes.pictures import Pictured, read_pictures
from satdoku.notation.pastes.readings import (
    is_plotted,
    likely_fault,
    names_rules,
    read_plotted,
    read_words,
    readings_of,
    whole_readings_of,
)
from satdoku.notation.pastes.undressing import (
    Order,
    in_order,
    order_of,
    undress,
    with_dots_for,
    with_whole_links,
    without_comments,
    without_labels,
    without_links,
    without_marked_labels,
    without_prefix,
    without_prose,
)
from satdoku.notation.record import Record
from satdoku.notation.spelling import Alphabet, Spelling, write_rows
from satdoku.notation.stated_rules import describe_applied
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.value import value


@value(frozen=True)
class PastedFormat(JsonFormat):
    """The boards found in a pasted text; each record is one board, as JSON."""

    name: ClassVar[str] = PASTE
    description: ClassVar[str] = "a board among other text, as it was copied"
    is_linewise: ClassVar[bool] = False

    boards: tuple[Puzzle, ...] = ()
    told: str = ""
    """Messages about the text beside its boards: rules that are applied, drawings of links."""

    pictured: Pictured | None = None
    """The board of pictures, if there is one; its answer is in the same pictures."""

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        for board in self.boards:
            yield Record(1, JsonFormat().write(board, hints.spelling).rstrip("\n"))

    def unread(self, record: Record, hints: Hints) -> str:
        return self.told

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the symbols of all boards; empty if they are the usual ones, or differ."""
        found = {board.symbols for board in self.boards}
        return found.pop() if len(found) == 1 else ()

    def with_symbols(self, puzzle: Puzzle, record: Record, hints: Hints) -> Puzzle:
        if self.symbols:
            return replace(puzzle, symbols=self.symbols)
        return super().with_symbols(puzzle, record, hints)

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        if self.pictured is not None:
            return self.pictured.write(solution)
        spelling = hints.spelling
        if self.symbols:
            spelling = Spelling(Alphabet("".join(self.symbols)))
        return "\n".join(write_rows(solution, spelling)) + "\n"

    def missing_answer(self, record: Record | None = None) -> str:
        return ""


# Readings that take rules from the text beside the board; a message says so.
_STATING = {"cages": read_cages, "regions": read_regions_below}


def find_pasted(
    lines: Sequence[str], usual: Format | None, hints: Hints, source: str
) -> PastedFormat | None:
    """Return a format for a text as a paste; None if its usual format reads it, or no reading does.

    `usual` is None if the user says that it is a paste. All readings are tried. If two find
    different boards, that is a fault: a board is never guessed.
    """
    if sum(map(len, lines)) > MOST_PASTED:
        return None
    whole = with_whole_links(lines)
    if usual is not None and not whole and _is_read_by(usual, lines, hints):
        return None
    if (pictured := read_pictures(lines, hints, source)) is not None:
        return PastedFormat((pictured.puzzle,), pictured=pictured)
    _refuse_negatives(lines, source)
    _refuse_drawn_rules(lines, source)
    name, boards = _only_boards(lines, hints, source)
    if not boards and not names_rules(lines):
        # Attributes of a page: `<div data-puzzle="...">`.
        boards = _read_all(read_words(lines), hints)
    has_cages = any(not board.is_classic for board in boards) and looks_caged(lines)
    refuse_rules(lines if boards and not has_cages else (), source)
    for board, line in product(boards, undress(lines) if boards else ()):
        if doubt := doubt_about(line, board.grid.rows):
            raise FormatError(doubt, source, 1, 1)
    if not boards and (whole or usual is None or not usual.is_cited):
        boards, unread = read_cited_links(whole or lines, source)
        return PastedFormat(boards, unread) if boards else None
    rules = [rule for board in boards if name in _STATING for rule in board.rule_texts]
    told = describe_applied([rule for rule in rules if rule not in hints.rules])
    return PastedFormat(boards, told) if boards else None


def _only_boards(lines: Sequence[str], hints: Hints, source: str) -> tuple[str, tuple[Puzzle, ...]]:
    """Return the name of the reading, and its boards; a FormatError if two readings differ."""
    # Keyed by what defines the boards: a comment beside a board does not make it another.
    found: dict[tuple[tuple[Grid, object], ...], tuple[str, tuple[Puzzle, ...]]] = {}
    try:
        for name, boards in _try_all(lines, hints):
            key = tuple((board.grid, board.rules) for board in boards)
            found.setdefault(key, (name, boards))
    except RuleError as error:
        place = error.line or 1, error.column or 1
        raise RuleError(error.message, source, *place) from None
    # A board of 81 cells is not found by chance; a few numbers that make a small one may be.
    most = max((_cell_count(boards) for _, boards in found.values()), default=0)
    likely = [entry for entry in found.values() if _cell_count(entry[1]) == most]
    if len(likely) > 1:
        names = " or as ".join(name for name, _ in likely[:2])
        raise FormatError(
            f"this text can be read as {names}, which are different boards; name its format with "
            "--from",
            source,
            1,
            1,
        )
    return likely[0] if likely else ("", ())


# -1 between commas, brackets or spaces; `-1-` and `--1` are cells and blanks side by side.
_NEGATIVE = re.compile(r"(?<![^\s,;\[({])-[1-9][0-9]*(?![^\s,;\])}])")
# Slanted lines, arrows and bulbs, as `draw --text` writes them between and around cells.
_DRAWN = "[\u2571-\u2573\u2190-\u2199]|[(][.][)]"


def _refuse_negatives(lines: Sequence[str], source: str) -> None:
    """Refuse a board with numbers below 0: programs use them not only for blanks.

    A single negative number, as after a name, is no cell.
    """
    for number, line in enumerate(lines, 1):
        found = list(_NEGATIVE.finditer(line))
        if len(found) > 1 or (found and re.search(r"[,\[({]\s*$", line[: found[0].start()])):
            message = f"{found[0][0]} is neither a digit nor a blank; write 0 for an empty cell"
            raise FormatError(message, source, number, found[0].start() + 1)


def _refuse_drawn_rules(lines: Sequence[str], source: str) -> None:
    """Refuse a drawing in characters with arrows, slanted lines or circles of rules."""
    for number, line in enumerate(lines, 1):
        found = re.search(_DRAWN, line)
        if found is not None and line.lstrip()[:1] in ("│", "├"):
            message = (
                f"{found[0]} belongs to a rule of this drawing; only JSON holds both (--to json)"
            )
            raise RuleError(message, source, number, found.start() + 1)


def find_likely_fault(
    lines: Sequence[str], told: str, hints: Hints, source: str
) -> FormatError | None:
    """Return the likely fault of a text that no reading takes; None if `told` is that fault."""
    is_other = sum(map(len, lines)) > MOST_PASTED or hints.size not in (None, 9)
    if is_other or hints.alphabet is not None or names_rules(lines):
        return None

    def is_board(mended: list[str]) -> bool:
        return any(_try_all(mended, hints))

    return likely_fault(lines, told, is_board, source)


def _cell_count(boards: Sequence[Puzzle]) -> int:
    return max(board.geometry.cell_count for board in boards)


def _is_read_by(usual: Format, lines: Sequence[str], hints: Hints) -> bool:
    """Whether the usual format finds a board, and faults only in damaged boards.

    A sentence is no damaged board. So a text with one board among sentences is a paste, and a file
    with a damaged line is not. Faults in rules are raised: a paste would have only the board.
    """
    has_board = has_words = False
    for record in usual.split(lines, hints):
        try:
            usual.parse(record, hints, "")
            has_board = True
        except RuleError:
            return True
        except SatdokuError:
            has_words |= any(map(is_sentence, record.text.split("\n"))) or not has_cells(
                record.text
            )
    # The board of a link often stands beside the link.
    return has_board and not has_words and not usual.is_cited


def _try_all(lines: Sequence[str], hints: Hints) -> Iterator[tuple[str, tuple[Puzzle, ...]]]:
    """Yield the name of each reading without a fault, and its boards."""
    bare = undress(lines)
    for name, first in {"digits in a drawing": read_plotted, **_STATING}.items():
        found = _read_all(() if names_rules(lines) else first(lines), hints)
        if found:
            yield name, found
            return
    if is_plotted(lines):
        return
    for name, reading in whole_readings_of(bare).items():
        boards = _read_all(reading(bare) or reading(without_prose(bare) or bare), hints)
        if boards:
            yield name, boards
            return
    order = order_of(bare)
    if order is Order.UNCLEAR:
        return
    for name, boards in _read_in_rows(bare, lines, hints):
        yield name, tuple(in_order(board, order) for board in boards)


def _read_in_rows(
    bare: list[str], lines: Sequence[str], hints: Hints
) -> Iterator[tuple[str, tuple[Puzzle, ...]]]:
    """Like `_try_all`, for readings of cells that are listed row by row."""
    readings = readings_of(bare)
    kinds = _RULE_FORMATS if names_rules(lines) else Format
    for shown in _shapes(bare):
        boards = _read_usual(shown, hints, kinds)
        if boards:
            yield "a board by itself", _without_solutions(boards)
        for name, reading in readings.items():
            boards = _read_all(reading(shown), hints)
            if boards:
                yield name, boards


def _read_all(texts: Sequence[str], hints: Hints) -> tuple[Puzzle, ...]:
    """Return the boards in texts of usual formats; empty if one of them has a fault."""
    parts = [_read_usual(text.split("\n"), hints) for text in texts]
    return _without_solutions([board for part in parts for board in part]) if all(parts) else ()


def _without_solutions(boards: Sequence[Puzzle]) -> tuple[Puzzle, ...]:
    """Return the boards without those that are a solution of the board before them."""
    return tuple(
        board
        for n, board in enumerate(boards)
        if n == 0 or not _is_solution(board.grid, boards[n - 1].grid)
    )


def _is_solution(grid: Grid, puzzle: Grid) -> bool:
    if grid.geometry != puzzle.geometry or not grid.is_full or puzzle.is_full:
        return False
    return all(
        given in (EMPTY, digit) for given, digit in zip(puzzle.digits, grid.digits, strict=True)
    )


def _shapes(lines: list[str]) -> Iterator[list[str]]:
    """Yield the text without what surrounds a board, in several versions if that is unclear.

    If labels are found, the text with them is not tried: labels are digits, as cells are.
    """
    bare = without_prose(lines) or lines
    bare = without_labels(bare) or without_marked_labels(bare) or bare
    shapes = [bare]
    for strip in (without_links, without_comments, without_prefix):
        stripped = [strip(shape) for shape in shapes]
        shapes += [shape for shape in stripped if shape is not None]
    yield from with_dots_for(lines)
    for shape in shapes:
        yield shape
        yield from with_dots_for(shape)


# Formats that read the rules beside a puzzle.
_RULE_FORMATS = JsonFormat | CsvFormat


def _read_usual(
    lines: Sequence[str], hints: Hints, kinds: type[Format] | UnionType = Format
) -> tuple[Puzzle, ...]:
    """Return all puzzles of a text by the detected format; empty if there is any fault.

    Empty also if the format is not one of `kinds`. Faults in rules are raised.
    """
    head = Head(hints)
    for line in lines:
        head.add(line)
    head.end()
    if not head.has_data:
        return ()
    found = detect_format(head) or FORMATS["line"]
    try:
        prepared = found.prepare(head, "")
        if not isinstance(prepared, kinds):
            return ()
        return tuple(
            prepared.with_symbols(prepared.parse(record, hints, ""), record, hints)
            for record in prepared.split(lines, hints)
        )
    except RuleError:
        # Links are read separately, as replaced characters may have damaged this one.
        if not found.is_cited:
            raise
        return ()
    except SatdokuError:
        return ()
