"""JSON: lists of rows, strings, or objects that have a puzzle beside other things."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.detection import first_data
from satdoku.notation.digits import Place, quote
from satdoku.notation.format import Format, cell_separator, cell_texts
from satdoku.notation.lines.cells import LineCells
from satdoku.notation.lines.line import alphabet_of, locate_cells, read_grid, write_cells
from satdoku.notation.lists.board import list_cells, read_lists
from satdoku.notation.lists.json_split import split_json
from satdoku.notation.record import Hints, Record
from satdoku.notation.tables.fields import PUZZLE_NAMES
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_BOX = re.compile(r"\s*(\d{1,4})\s*[xX]\s*(\d{1,4})\s*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


class JsonFormat(Format):
    """A JSON value for each puzzle; written as a list of rows, or an object where there is more."""

    name: ClassVar[str] = "json"
    description: ClassVar[str] = "a list of rows, or an object with puzzle, name, comment, box"

    def matches(self, lines: Sequence[str], is_whole: bool, hints: Hints) -> bool:
        first = lines[first_data(lines)].lstrip()
        return first[0] in "[{" and not re.match(r"\[\s*[A-Za-z]", first)

    def split(self, lines: Iterable[str], hints: Hints) -> Iterator[Record]:
        return split_json(lines)

    def parse(self, record: Record, hints: Hints, source: str) -> Puzzle:
        value = _load(record, source)
        try:
            hints = replace(hints, geometry=_find_box(value, hints))
            cells = _find_puzzle(value)
        except SatdokuError as error:
            raise FormatError(str(error), source, record.line, record.column) from None
        if isinstance(cells, str):
            grid = _read_string(cells, record, hints, source)
        else:
            grid = read_lists(cells, hints, _Places(record, cells), source)
        return Puzzle(grid, _text_of(value, "name"), _text_of(value, "comment"))

    def write(self, puzzle: Puzzle, hints: Hints, number: int = 1) -> str:
        rows = [list(row) for row in puzzle.grid.rows]
        box = puzzle.geometry
        more = {
            "name": puzzle.name,
            "comment": puzzle.comment,
            "box": "" if box == Geometry.of_size(box.size) and box.box_rows > 1 else str(box),
        }
        if not any(more.values()):
            return _dump(rows)
        return _dump({"puzzle": rows} | {key: text for key, text in more.items() if text})

    def write_answer(self, record: Record, solution: Grid, hints: Hints, number: int = 1) -> str:
        """Rows of numbers for rows of numbers, strings for strings, `solution` in an object."""
        value = _load(record, "")
        cells = _find_puzzle(value)
        answer = _shape_like(cells, solution, self.hints_of(record, hints))
        return _dump({**value, "solution": answer} if isinstance(value, dict) else answer)

    def hints_of(self, record: Record, hints: Hints) -> Hints:
        cells = _find_puzzle(_load(record, ""))
        if isinstance(cells, str):
            return alphabet_of(locate_cells(cells.strip(), hints), hints)
        texts = list_cells(cells)
        if all(len(text) == 1 for text in texts) and any(text.isalpha() for text in texts):
            size = locate_cells("." * len(texts), hints).size
            return alphabet_of(LineCells("".join(texts), (), size), hints)
        return hints


def _load(record: Record, source: str) -> object:
    import json

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


def _dump(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False) + "\n"


def _find_puzzle(value: object) -> "str | Sequence[object]":
    """The cells in a value: itself, or what an object has under one of the usual names."""
    if isinstance(value, Mapping):
        names = [name for name in PUZZLE_NAMES if name in value]
        if not names:
            raise FormatError(f"this object has no {PUZZLE_NAMES[0]!r}")
        value = value[names[0]]
    if isinstance(value, str | list):
        return value
    raise FormatError(f"{quote(str(value))} is not a puzzle: a list of rows or a string")


def _find_box(value: object, hints: Hints) -> Geometry | None:
    """The box shape an object names, as `2x3` or `[2, 3]`; it must not contradict the user's."""
    box = value.get("box") if isinstance(value, Mapping) else None
    if box is None:
        return hints.geometry
    match = _BOX.fullmatch("x".join(map(str, box)) if isinstance(box, list) else str(box))
    if match is None:
        raise FormatError(f"{quote(str(box))} is not a box shape such as 2x3")
    shape = Geometry(int(match[1]), int(match[2]))
    if hints.geometry not in (None, shape):
        raise FormatError(f"the text shows boxes of {shape}, but --box says {hints.geometry}")
    return shape


def _text_of(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, Mapping) else None
    return "" if text is None else str(text)


def _read_string(text: str, record: Record, hints: Hints, source: str) -> Grid:
    """A puzzle in a string; places are right as long as the string has no escapes before them."""
    found = locate_cells(" ".join(text.split()), hints)
    start = max(record.text.find(text), 0)
    line = record.line + record.text.count("\n", 0, start)
    column = start - (record.text.rfind("\n", 0, start) + 1)
    return read_grid(
        found, hints, source, line, column + (record.column if line == record.line else 1)
    )


@dataclass(frozen=True)
class _Places:
    """Finds the cells of a list in its text, when a fault has to be reported."""

    record: Record
    rows: Sequence[object]

    def __call__(self, cell: int) -> Place:
        text = self.record.text
        key = re.search(rf'"(?:{"|".join(PUZZLE_NAMES)})"\s*:', text)
        is_object = text.lstrip().startswith("{")
        for scalar in _SCALAR.finditer(text, key.end() if key and is_object else 0):
            width = (
                len(scalar[0]) - 2
                if scalar[0][0] == '"' and isinstance(next(iter(self.rows), None), str)
                else 1
            )
            if cell < width:
                return self._place(scalar.start() + (cell + 1 if width > 1 else 0))
            cell -= width
        return self._place(len(text.rstrip()) - 1)

    def _place(self, index: int) -> Place:
        above = self.record.text.count("\n", 0, index)
        column = index - self.record.text.rfind("\n", 0, index)
        return self.record.line + above, column + (0 if above else self.record.column - 1)


def _shape_like(cells: "str | Sequence[object]", solution: Grid, hints: Hints) -> object:
    """A solution in the shape of its puzzle's cells."""
    if isinstance(cells, str):
        return write_cells(solution, hints)
    size = solution.geometry.size
    texts = cell_texts(solution, hints)
    rows = [texts[start : start + size] for start in range(0, len(texts), size)]
    if all(isinstance(row, str) for row in cells) and len(cells) == size:
        separator = cell_separator(size, hints)
        return [separator.join(row) for row in rows]
    is_flat = len(cells) != size
    flat = list(cells) if is_flat else [c for row in cells if isinstance(row, list) for c in row]
    has_strings = any(isinstance(cell, str) and cell not in ("", ".") for cell in flat)
    wanted = rows if has_strings else [list(row) for row in solution.rows]
    return [cell for row in wanted for cell in row] if is_flat else wanted
