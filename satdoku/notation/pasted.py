"""Texts that are no file of any format, but hold a board: copied from mail, pages and programs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import ClassVar

from satdoku.errors import FormatError, RuleError, SatdokuError
from satdoku.notation.bounds import MOST_PASTED
from satdoku.notation.detection import Head
from satdoku.notation.exchange.cited import read_cited_links
from satdoku.notation.format import Format
from satdoku.notation.formats import FORMATS, PASTE, detect_format
from satdoku.notation.hints import Hints
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.paste_lines import undress, without_labels, without_links, without_prose
from satdoku.notation.paste_readings import names_rules, readings_of
from satdoku.notation.record import Record
from satdoku.notation.sentences import is_sentence
from satdoku.notation.spelling import write_rows
from satdoku.notation.tables.csv_format import CsvFormat
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle


@dataclass(frozen=True)
class PastedFormat(JsonFormat):
    """The boards that were found in a pasted text; each record is one of them, as JSON."""

    name: ClassVar[str] = PASTE
    description: ClassVar[str] = "a board among other text, as it was copied"
    is_linewise: ClassVar[bool] = False

    boards: tuple[Puzzle, ...] = ()

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        for board in self.boards:
            yield Record(1, JsonFormat().write(board).rstrip("\n"))

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        return "\n".join(write_rows(solution, hints.spelling)) + "\n"

    def missing_answer(self, record: Record | None = None) -> str:
        return ""


def find_pasted(
    lines: Sequence[str], usual: Format | None, hints: Hints, source: str
) -> PastedFormat | None:
    """How to read a text as a paste; None where its usual format reads it, or no reading does.

    `usual` is None where the user says that it is a paste.

    All readings are tried. Where two find different boards, that is a fault: a board is never
    guessed.
    """
    is_too_long = sum(map(len, lines)) > MOST_PASTED
    if is_too_long or (usual is not None and _is_read_by(usual, lines, hints)):
        return None
    found: dict[tuple[Puzzle, ...], str] = {}
    try:
        for name, boards in _try_all(undress(lines), hints):
            found.setdefault(boards, name)
    except RuleError as error:
        place = error.line or 1, error.column or 1
        raise RuleError(error.message, source, *place) from None
    if len(found) > 1:
        names = " or as ".join(list(found.values())[:2])
        raise FormatError(
            f"this text can be read as {names}, which are different boards; name its format with "
            "--from",
            source,
            1,
            1,
        )
    boards = next(iter(found), ())
    if not boards and (usual is None or not usual.is_cited):
        boards = read_cited_links(lines, source)
    return PastedFormat(boards) if boards else None


def _is_read_by(usual: Format, lines: Sequence[str], hints: Hints) -> bool:
    """Whether the usual format finds a board, and faults in nothing but damaged boards.

    A sentence is no damaged board. So a text with one board among sentences is a paste, and a file
    in which a line is damaged is not. Faults in rules are told: a paste would have the board alone.
    """
    has_board = has_sentence = False
    for record in usual.split(lines, hints):
        try:
            usual.parse(record, hints, "")
            has_board = True
        except RuleError:
            return True
        except SatdokuError:
            has_sentence |= any(map(is_sentence, record.text.split("\n")))
    # Beside a link there is often the board itself.
    return has_board and not has_sentence and not usual.is_cited


def _try_all(lines: list[str], hints: Hints) -> Iterator[tuple[str, tuple[Puzzle, ...]]]:
    """The boards that each reading finds without a fault, with its name."""
    readings = readings_of(lines)
    kinds = _RULE_FORMATS if names_rules(lines) else Format
    for shown in _shapes(lines):
        boards = _read_usual(shown, hints, kinds)
        if boards:
            yield "a board by itself", boards
        for name, reading in readings.items():
            texts = reading(shown)
            parts = [_read_usual(text.split("\n"), hints) for text in texts]
            if parts and all(parts):
                yield name, tuple(board for part in parts for board in part)


def _shapes(lines: list[str]) -> Iterator[list[str]]:
    """The text without sentences and labels, and the same without its links.

    Where labels are found the text with them is not tried: they are digits, as cells are.
    """
    bare = without_prose(lines) or lines
    bare = without_labels(bare) or bare
    yield bare
    without = without_links(bare)
    if without is not None:
        yield without


# Those that read the rules beside a puzzle.
_RULE_FORMATS = JsonFormat | CsvFormat


def _read_usual(
    lines: Sequence[str], hints: Hints, kinds: type[Format] | UnionType = Format
) -> tuple[Puzzle, ...]:
    """All puzzles of a text, by the format that detection finds; none if there is any fault.

    None as well where the format is not one of `kinds`. Faults in rules are raised.
    """
    head = Head(hints)
    for line in lines:
        head.add(line)
    head.end()
    if not head.has_data:
        return ()
    try:
        found = (detect_format(head) or FORMATS["line"]).prepare(head, "")
        if not isinstance(found, kinds):
            return ()
        return tuple(found.parse(record, hints, "") for record in found.split(lines, hints))
    except RuleError:
        raise
    except SatdokuError:
        return ()
