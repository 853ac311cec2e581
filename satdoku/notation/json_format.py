"""JSON: lists of rows, strings, or objects that have a puzzle beside other things."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.cells import Place, quote
from satdoku.notation.fields import PUZZLE_NAMES
from satdoku.notation.format import Format
from satdoku.notation.head import first_data
from satdoku.notation.json_split import split_json
from satdoku.notation.line import alphabet_of, locate_cells, read_grid, write_cells
from satdoku.notation.lists import layout_of_list, read_lists, write_lists
from satdoku.notation.record import Layout, Record
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle

_BOX = re.compile(r"\s*(\d{1,4})\s*[xX]\s*(\d{1,4})\s*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


class JsonFormat(Format):
    """A JSON value for each puzzle; written as a list of rows, or an object where there is more."""

    name: ClassVar[str] = "json"
    is_linewise: ClassVar[bool] = True
    description: ClassVar[str] = "a list of rows, or an object with puzzle, name, comment, box"

    def matches(self, lines: Sequence[str], is_whole: bool, layout: Layout) -> bool:
        first = lines[first_data(lines)].lstrip()
        return first[0] in "[{" and not re.match(r"\[\s*[A-Za-z]", first)

    def split(self, lines: Iterable[str], layout: Layout) -> Iterator[Record]:
        return split_json(lines)

    def parse(self, record: Record, layout: Layout, source: str) -> Puzzle:
        value = _load(record, source)
        try:
            layout = replace(layout, geometry=_find_box(value, layout))
            cells = _find_puzzle(value)
        except SatdokuError as error:
            raise FormatError(str(error), source, record.line, record.column) from None
        if isinstance(cells, str):
            grid = _read_string(cells, record, layout, source)
        else:
            grid = read_lists(cells, layout, _Places(record, cells), source)
        return Puzzle(grid, _text_of(value, "name"), _text_of(value, "comment"))

    def write(self, puzzle: Puzzle, layout: Layout, number: int = 1) -> str:
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

    def write_answer(self, record: Record, solution: Grid, layout: Layout, number: int = 1) -> str:
        """Rows of numbers for rows of numbers, strings for strings, `solution` in an object."""
        value = _load(record, "")
        cells = _find_puzzle(value)
        layout = self.layout_of(record, layout)
        answer: object
        if isinstance(cells, str):
            answer = write_cells(solution, layout)
        else:
            answer = write_lists(cells, solution, layout)
        return _dump({**value, "solution": answer} if isinstance(value, dict) else answer)

    def missing_answer(self, record: Record | None = None) -> str:
        return "null\n"

    def layout_of(self, record: Record, layout: Layout) -> Layout:
        cells = _find_puzzle(_load(record, ""))
        if isinstance(cells, str):
            return alphabet_of(locate_cells(cells.strip(), layout), layout)
        return layout_of_list(cells, layout)


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


def _find_box(value: object, layout: Layout) -> Geometry | None:
    """The box shape an object names, as `2x3` or `[2, 3]`; it must not contradict the user's."""
    box = value.get("box") if isinstance(value, Mapping) else None
    if box is None:
        return layout.geometry
    match = _BOX.fullmatch("x".join(map(str, box)) if isinstance(box, list) else str(box))
    if match is None:
        raise FormatError(f"{quote(str(box))} is not a box shape such as 2x3")
    shape = Geometry(int(match[1]), int(match[2]))
    if layout.geometry not in (None, shape):
        raise FormatError(f"the text shows boxes of {shape}, but --box says {layout.geometry}")
    return shape


def _text_of(value: object, key: str) -> str:
    text = value.get(key) if isinstance(value, Mapping) else None
    return "" if text is None else str(text)


def _read_string(text: str, record: Record, layout: Layout, source: str) -> Grid:
    """A puzzle in a string; places are right as long as the string has no escapes before them."""
    found = locate_cells(" ".join(text.split()), layout)
    start = max(record.text.find(text), 0)
    line = record.line + record.text.count("\n", 0, start)
    column = start - (record.text.rfind("\n", 0, start) + 1)
    return read_grid(
        found, layout, source, line, column + (record.column if line == record.line else 1)
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
