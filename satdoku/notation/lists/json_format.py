"""JSON: lists of rows, strings, or objects that have a puzzle beside other things."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from satdoku.errors import FormatError, SatdokuError, SolutionError, quote
from satdoku.notation.bounds import require_few_cells
from satdoku.notation.detection import Head
from satdoku.notation.exchange.seen import (
    agreed,
    is_foreign,
    is_link,
    puzzle_of_link,
    unread_of_link,
)
from satdoku.notation.format import Format
from satdoku.notation.hints import Hints
from satdoku.notation.lines.cells import find_cells, read_cells, spelling_of_line
from satdoku.notation.lists.board import list_cells, read_lists, write_lists
from satdoku.notation.lists.json_objects import (
    JsonPlaces,
    around,
    cells_at,
    puzzle_key,
    solution_key,
)
from satdoku.notation.lists.json_split import split_json
from satdoku.notation.record import Place, Record, free_name, with_place
from satdoku.notation.rule_entries import (
    RULE_KEYS,
    refuse_rules_beside,
    regions_size,
    variants_applied,
    with_chosen_rules,
    with_digits,
    with_rule_entries,
    write_rule_entries,
)
from satdoku.notation.sizes import agreed_geometry
from satdoku.notation.spelling import (
    USUAL,
    Spelling,
    spelling_by_symbols,
    spelling_of,
    write_cells,
    write_rows,
)
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.rule import Rule

if TYPE_CHECKING:
    from satdoku.notation.exchange.foreign import ForeignBoard

# What begins like a list, but with a word: a section such as `[Puzzle]`, or prose.
_WORD_IN_BRACKETS = re.compile(r"\[\s*(?!null\b)[A-Za-z]")


class JsonFormat(Format):
    """A JSON value for each puzzle; written as a list of rows, or an object where there is more."""

    name: ClassVar[str] = "json"
    description: ClassVar[str] = "a list of rows, or an object with puzzle, name, comment, box"
    is_linewise: ClassVar[bool] = True
    has_fields: ClassVar[bool] = True
    has_long_records: ClassVar[bool] = True

    def matches(self, head: Head) -> bool:
        text = head.first.text.lstrip()
        return text[0] in "[{" and not _WORD_IN_BRACKETS.match(text)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_json(lines)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        value = _load(record, source)
        place = record.line, record.column
        if is_foreign(value):
            return _read_foreign(value, hints, source, place)
        try:
            key = puzzle_key(value, hints)
            beside = self._beside(value, key, hints)
            hints = self._with_shape(hints, beside)
        except SatdokuError as error:
            raise with_place(error, source, place) from None
        name, comment = _text_of(beside, "name"), _text_of(beside, "comment")
        if (link := _link_in(cells_at(value, key))) is not None:
            puzzle = puzzle_of_link(link, source, place, hints, name, comment)
        else:
            puzzle = Puzzle(_read_grid(value, key, record, hints, source), name, comment)
        try:
            if isinstance(beside, dict):
                refuse_rules_beside(beside, RULE_KEYS)
            return with_rule_entries(puzzle, beside)
        except SatdokuError as error:
            raise with_place(error, source, place) from None

    def parse_solution(self, record: Record, hints: Hints, source: str) -> Grid | None:
        value = _load(record, source)
        place = record.line, record.column
        try:
            key = solution_key(value, hints)
            # A data set may have solutions for some of its puzzles only.
            if key is None or cells_at(value, key) in (None, "", []):
                return None
        except SatdokuError as error:
            raise with_place(error, source, place) from None
        try:
            beside = self._beside(value, key, hints)
            return _read_grid(value, key, record, self._with_shape(hints, beside), source)
        except SatdokuError as error:
            fault = with_place(error, source, place)
            message = f"the known solution: {fault.message}"
            raise SolutionError(message, fault.source, fault.line, fault.column) from None

    def _beside(self, value: object, key: str, hints: Hints) -> object:
        """What stands beside the cells under a key, with the rules where the user says they are."""
        beside = around(value, key)
        return with_chosen_rules(beside, hints) if isinstance(beside, dict) else beside

    def _with_shape(self, hints: Hints, value: object) -> Hints:
        """The hints with the board that the value tells; SatdokuError for a box that is none."""
        if isinstance(value, dict):
            hints = with_digits(hints, value)
        return replace(hints, geometry=agreed_geometry(hints.geometry, _shown_box(value)))

    def unread(self, record: Record, hints: Hints) -> str:
        # Most objects have none of these, and are not read again.
        if not any(sign in record.text for sign in _OF_INTEREST):
            return ""
        value = _load(record, "")
        if is_foreign(value):
            return _foreign_of(value).unread
        key = puzzle_key(value, hints)
        link = _link_in(cells_at(value, key))
        told = "" if link is None else unread_of_link(link)
        beside = self._beside(value, key, hints)
        applied = variants_applied(beside) if isinstance(beside, dict) else ""
        return "; ".join(filter(None, (told, applied)))

    def fields_of(self, record: Record) -> dict[str, Any]:
        try:
            value = _load(record, "")
        except FormatError:
            return {}
        # With our entries beside its own, a board of another program would be neither's.
        return value if isinstance(value, dict) and not is_foreign(value) else {}

    def can_hold(self, rule: Rule) -> bool:
        return True

    def _write(self, puzzle: Puzzle, spelling: Spelling, number: int) -> str:
        """Numbers, whatever the spelling: JSON has them. But if 0 may be a digit, texts."""
        rows: list[object] = [list(row) for row in puzzle.grid.rows]
        shown = spelling_by_symbols(puzzle, spelling)
        if shown.alphabet is not None and shown.alphabet.is_counted:
            rows = list(write_rows(puzzle.grid, shown))
        box = puzzle.geometry
        has_usual_box = box == Geometry.of_size(box.size) and box.box_rows > 1
        more: dict[str, object] = {
            "name": puzzle.name,
            "comment": puzzle.comment,
            "box": "" if has_usual_box or puzzle.regions else str(box),
            **write_rule_entries(puzzle),
        }
        # Rows alone where they say everything: any program can read those.
        if not any(more.values()):
            return _dump(rows)
        return _dump({"puzzle": rows} | {key: entry for key, entry in more.items() if entry})

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """Rows of numbers for rows of numbers, strings for strings, `solution` in an object."""
        value = _load(record, "")
        if isinstance(value, dict) and is_foreign(value):
            return _dump({**value, free_name("solution", value): list(solution.digits)})
        cells = _find_puzzle(value, hints)
        beside = self._beside(value, puzzle_key(value, hints), hints)
        spelling = _spelling_of(cells, self._with_shape(hints, beside), solution.geometry.size)
        answer: object
        if isinstance(cells, str):
            answer = write_cells(solution, spelling)
        else:
            answer = write_lists(cells, solution, spelling)
        if not isinstance(value, dict):
            return _dump(answer)
        # A solution that came with the puzzle stays, as in a table.
        return _dump({**value, free_name("solution", value): answer})

    def missing_answer(self, record: Record | None = None) -> str:
        return "null\n"

    def spelling_of(self, record: Record, hints: Hints, size: int) -> Spelling:
        value = _load(record, "")
        return USUAL if is_foreign(value) else _spelling_of(_find_puzzle(value, hints), hints, size)


# A board of another program, a link, or a word for the kind of puzzle.
_OF_INTEREST = ('"grid"', '"cells"', "/", "ariant", 'ype"', 'ind"')


def _spelling_of(cells: str | Sequence[object], hints: Hints, size: int) -> Spelling:
    if isinstance(cells, str):
        return spelling_of_line(cells.strip(), hints, size)
    return spelling_of(list_cells(cells, size), size, hints.alphabet)


def _load(record: Record, source: str) -> object:
    import json  # slow to import, and only texts in JSON need it

    # Numbers take a hundred times their text in memory.
    require_few_cells(record.text, source, record.line, record.column)
    try:
        return json.loads(record.text)
    except json.JSONDecodeError as error:
        column = error.colno + (record.column - 1 if error.lineno == 1 else 0)
        hint = "; JSON has double quotes" if record.text[error.pos : error.pos + 1] == "'" else ""
        message = f"this is not JSON ({error.msg}{hint})"
        raise FormatError(message, source, record.line + error.lineno - 1, column) from None
    except (ValueError, RecursionError):
        message = "this JSON has more digits or brackets than any puzzle"
        raise FormatError(message, source, record.line, record.column) from None


def _link_in(cells: object) -> str | None:
    """The link that stands in place of cells, if one does."""
    return cells if isinstance(cells, str) and is_link(cells) else None


def _foreign_of(value: Any) -> "ForeignBoard":
    from satdoku.notation.exchange.links import read_object  # most JSON is of no other program

    return read_object(value)


def _read_foreign(value: object, hints: Hints, source: str, place: Place) -> Puzzle:
    """The puzzle of an object that another program has written."""
    try:
        return agreed(_foreign_of(value).puzzle(), hints)
    except SatdokuError as error:
        raise with_place(error, source, place) from None


def dump_line(value: object, is_ascii: bool = True) -> str:
    """A value as JSON on a line of its own."""
    import json

    return json.dumps(value, ensure_ascii=is_ascii) + "\n"


def _dump(value: object) -> str:
    return dump_line(value, is_ascii=False)


def _find_puzzle(value: object, hints: Hints) -> str | Sequence[object]:
    """The cells of a value that was read as a puzzle before."""
    return _require_cells(cells_at(value, puzzle_key(value, hints)))


def _require_cells(cells: object) -> str | Sequence[object]:
    if isinstance(cells, str | list):
        return cells
    raise FormatError(f"{quote(str(cells))} is not a puzzle: a list of rows or a string")


def _read_grid(value: object, key: str, record: Record, hints: Hints, source: str) -> Grid:
    """The board that an object has under a key, or that the value is itself."""
    try:
        cells = _require_cells(cells_at(value, key))
    except SatdokuError as error:
        raise with_place(error, source, (record.line, record.column)) from None
    if isinstance(cells, str):
        return _read_string(cells, record, hints, source)
    return read_lists(cells, hints, JsonPlaces(record, key.rpartition(".")[2], cells), source)


def _shown_box(value: object) -> Geometry | None:
    """The box shape that an object names, as `"2x3"` or `[2, 3]`."""
    if not isinstance(value, dict):
        return None
    box = value.get("box")
    if box is None:
        # Regions say how large the board is; the usual boxes, which they replace, will do.
        size = regions_size(value)
        return None if size is None else Geometry.of_size(size)
    return Geometry.parse("x".join(map(str, box)) if isinstance(box, list) else str(box))


def _text_of(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, dict) else None
    return "" if text is None else str(text)


def _read_string(text: str, record: Record, hints: Hints, source: str) -> Grid:
    """A puzzle in a string; places are right as long as the string has no escapes before them."""
    start = max(record.text.find(text), 0)  # not found where it has escapes
    line = record.line + record.text.count("\n", 0, start)
    column = start - (record.text.rfind("\n", 0, start) + 1)
    column += record.column if line == record.line else 1
    found = find_cells(" ".join(text.split()), hints.size)
    return read_cells(found, hints, source, (line, column))
