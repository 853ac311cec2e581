"""Answers to grade or to judge: one for each puzzle of another file, in the same order.

People and models write them in many ways, so hardly anything is refused here: a text that is no
answer is graded as such. A plain text is one answer if there is one puzzle; otherwise each line is
an answer, and an empty line is a missing one.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from satdoku.errors import FormatError, SatdokuError
from satdoku.notation.fields import find_delimiter, has_puzzle_name, split_fields
from satdoku.notation.hints import Hints
from satdoku.notation.parquet_file import open_parquet, read_batches, rows_of
from satdoku.notation.plain_lines import plain_board
from satdoku.notation.reading import read_puzzles
from satdoku.notation.record import find_name
from satdoku.notation.spelling import spelling_by_symbols
from satdoku.puzzle.grid import EMPTY, Grid
from satdoku.puzzle.puzzle import Puzzle

ANSWER_NAMES = (
    "answer",
    "answers",
    "response",
    "completion",
    "prediction",
    "predicted",
    "output",
    "model",
    "claims",
    "solution",
)
"""Usual names of columns and keys that hold answers, the likeliest first."""

# Signs that a line is more than cells: three letters in a row, or brackets of JSON.
_OTHER = re.compile(r"[^\W\d]{3}|[\[{]")

LONGEST_ANSWER = 1_000_000
"""Most characters of an answer that are read; no sensible answer of a model is longer."""


_LONGEST_FIELD = 1 << 24
"""Most characters of a field of a table; an open quote would take the rest of a file."""


def read_answers(
    lines: Iterable[str], source: str, column: str | None, is_single: bool
) -> Iterator[str | None]:
    """Yield the answers of a text: CSV, JSON or plain; None for a missing one.

    `column` names the column or the key; None stands for one of the usual names. With `is_single` a
    plain text is a single answer of several lines.
    """
    lines = iter(lines)
    # Without a header, an empty first line is a missing answer.
    is_begun = column is None and not is_single
    first = next((line for line in lines if is_begun or line.strip()), "")
    if first.lstrip().startswith(("{", "[")):
        yield from _of_json(first, lines, source, column, is_single)
        return
    delimiter = find_delimiter(first)
    fields = split_fields(first.rstrip("\n"), delimiter)
    names = [field.text.strip() for field in fields]
    found = _find_column(names, column)
    if found is not None:
        try:
            yield from _of_table(lines, delimiter, names.index(found))
        except csv.Error as error:
            raise FormatError(f"this table cannot be read: {error}", source) from None
    elif column is not None:
        raise FormatError(f"there is no column {column!r} for the answers", source, 1)
    elif len(names) > 1 and has_puzzle_name(fields):
        # Read as text, its header would be the answer to the first puzzle.
        wanted = ", ".join(ANSWER_NAMES)
        message = f"this table has no column {wanted}; --answer-column names one"
        raise FormatError(message, source, 1)
    elif is_single:
        yield _known("".join(chain([first], lines)))
    else:
        yield from map(_known, chain([first] if first else [], lines))


def read_answers_of_table(path: Path, column: str | None) -> Iterator[str | None]:
    """Yield the answers of a Parquet file, like `read_answers`."""
    with open_parquet(path) as file:
        names = file.schema_arrow.names
    found = _find_column(names, column)
    if found is None:
        wanted = repr(column) if column else f"with a usual name such as {ANSWER_NAMES[0]!r}"
        message = f"there is no column {wanted} for the answers, only {', '.join(names)}"
        raise FormatError(message, str(path))
    for batch in read_batches(path):
        for row in rows_of(batch):
            yield text_of_answer(row[found])


def _find_column(names: list[str], column: str | None) -> str | None:
    if column is not None:
        return find_name(names, column)
    return next((found for name in ANSWER_NAMES if (found := find_name(names, name))), None)


def _of_table(lines: Iterable[str], delimiter: str, place: int) -> Iterator[str | None]:
    # Python's usual limit is shorter than what models think before they answer.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    for row in csv.reader(lines, delimiter=delimiter):
        yield _known(row[place] if place < len(row) else "")


def _of_json(
    first: str, lines: Iterable[str], source: str, column: str | None, is_single: bool
) -> Iterator[str | None]:
    """Yield the answers of JSON lines, or of one list."""
    value = _loaded(first)
    if value is None:
        # The first line alone is no JSON: the text is one value on several lines, or no JSON at
        # all.
        text = "".join(chain([first], lines))
        value, lines = _loaded(text), text.splitlines()
        if value is None and is_single:
            yield _known(text)
            return
        lines = lines if value is None else []
    if isinstance(value, list) and not _is_board(value):
        yield from (_of_value(each, source, column) for each in value)
    elif value is not None:
        yield _of_value(value, source, column)
    for line in lines:
        value = _loaded(line)
        yield _known(line) if value is None else _of_value(value, source, column)


def _loaded(text: str) -> Any:
    """Return the value of a JSON text; None if the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_board(value: list[Any]) -> bool:
    """Whether a list is a single board: its cells, or rows of cells, as numbers."""
    cells = [cell for row in value for cell in (row if isinstance(row, list) else [row])]
    return bool(cells) and all(cell is None or isinstance(cell, int) for cell in cells)


def _of_value(value: Any, source: str, column: str | None) -> str | None:
    if isinstance(value, dict):
        key = _find_column(list(value), column)
        if key is None:
            wanted = repr(column) if column else f"one of {', '.join(ANSWER_NAMES)}"
            raise FormatError(f"this object has no {wanted}; --answer-column names a key", source)
        value = value[key]
    return text_of_answer(value)


def text_of_answer(value: Any) -> str | None:
    """Return an answer from JSON or from a column as text; None for a missing one."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, str):
        return _known(value)
    # Values of Arrow and numpy are recognised by their methods, as neither library is imported.
    for name in ("as_py", "tolist"):
        if hasattr(value, name):
            return text_of_answer(getattr(value, name)())
    return json.dumps(value, default=str)


def _known(text: str) -> str | None:
    # One character more is kept, so that `require_short` sees that the answer is too long.
    return text[: LONGEST_ANSWER + 1] if text.strip() else None


def require_short(text: str) -> None:
    """Raise SatdokuError if an answer was cut because it is too long."""
    if len(text) > LONGEST_ANSWER:
        raise SatdokuError(f"the answer is longer than {LONGEST_ANSWER:,} characters")


def grid_of_answer(text: str, puzzle: Puzzle) -> Grid:
    """Return the board of an answer; raise SatdokuError with the reason if it has none."""
    require_short(text)
    if not puzzle.symbols:
        board = plain_board(text.strip())
        if board is not None and board.grid.geometry.size == puzzle.geometry.size:
            return replace(board.grid, geometry=puzzle.geometry)
    text = _after_thinking(text)
    is_usual = puzzle.geometry.is_plain and not puzzle.symbols
    cells = _last_board(text, puzzle.geometry.size) if is_usual else None
    if cells is not None:
        return Grid(puzzle.geometry, tuple(int(c) if c.isdigit() else 0 for c in cells))
    spelling = spelling_by_symbols(puzzle)
    hints = Hints(puzzle.geometry, spelling.alphabet if puzzle.symbols else None)
    signs = puzzle.symbols or ("1", "2", "3", "4", "5", "6", "7", "8", "9")
    if not any(sign in text for sign in signs):
        raise SatdokuError("there is no board in the answer")
    # A line of cells is not searched for a board among words.
    form = None if len(text.strip().split("\n")) > 1 or _OTHER.search(text) else "line"
    boards = list(read_puzzles(text.splitlines(), "answer", form, hints))
    if len(boards) != 1:
        raise SatdokuError(f"{len(boards)} boards found, expected one")
    grid = boards[0].grid
    if grid.geometry.size != puzzle.geometry.size:
        size, wanted = grid.geometry.size, puzzle.geometry.size
        raise SatdokuError(f"a board of {size}x{size}, expected {wanted}x{wanted}")
    return Grid(puzzle.geometry, grid.digits)


def _after_thinking(text: str) -> str:
    """Return the text without what a model thought before its answer."""
    return text.rpartition("</think>")[2].partition("<think>")[0]


# What may be between the cells of a row, and alone on a line between two rows.
_BETWEEN = str.maketrans("", "", " \t|,;\"'[]")
_BORDER = re.compile(r"[-+=|\s]*")
_DIGITS_OF_BOARDS = 9


def _last_board(text: str, size: int) -> str | None:
    """Return the cells of the last board of digits in a text: on one line, or a line for each row.

    None if there is none, or if a line below has as many digits as a row: they may be another
    board, which has to be looked for. Raise SatdokuError if its own line goes on like a board, or
    offers several full boards.

    >>> _last_board("No, 1234341221434321 is wrong.\\n**2143123443213412**", 4)
    '2143123443213412'
    """
    if size > _DIGITS_OF_BOARDS:
        return None
    lines = text.splitlines()
    *_, (last, boards, behind) = [(0, [""], ""), *_boards_of(lines, size)]
    full = {board for board in boards if board.isdigit() and "0" not in board}
    if len(full) > 1:
        raise SatdokuError(f"{len(full)} boards found, expected one")
    digits = [len(re.findall(f"[1-{size}]", line)) for line in (behind, *lines[last + 1 :])]
    if digits[0] >= size**2 // 2:
        raise SatdokuError(f"{digits[0]} more digits behind the board in the answer")
    return None if any(count >= size for count in digits[1:]) else boards[-1] or None


def _boards_of(lines: Sequence[str], size: int) -> Iterator[tuple[int, list[str], str]]:
    """Yield the index of each line with boards, or with a board's last row; and what is behind."""
    cell = f"[0-{size}._]"
    whole = re.compile(rf"(?<![0-9A-Za-z.]){cell}{{{size**2}}}(?![0-9A-Za-z]|\.[0-9A-Za-z.])")
    rows: list[str] = []
    for number, line in enumerate(lines):
        bare = line.translate(_BETWEEN)
        if re.fullmatch(f"{cell}{{{size}}}", bare):
            rows.append(bare)
        elif not _BORDER.fullmatch(line) or len(rows) >= size:
            rows = []
        if boards := list(whole.finditer(line)):
            yield number, [board[0] for board in boards], line[boards[-1].end() :]
        elif len(rows) == size:
            yield number, ["".join(rows)], ""


# Claims about cells as people and models write them: `r3c6: 5`, `r3c6 is not 4`, or a grid
#
# A claim may stand anywhere in a text. Suppositions ("if r3c6 is 5, ...") are not claims.


class Claim(NamedTuple):
    """A digit in a cell, or with `holds` False a digit that the cell does not have."""

    cell: int
    digit: int
    holds: bool = True

    def name(self, puzzle: Puzzle) -> str:
        """Return the claim as satdoku writes it: `r3c6=5` or `r3c6≠4`."""
        relation = "=" if self.holds else "≠"
        name = puzzle.geometry.name_of(self.cell)
        return f"{name}{relation}{puzzle.name_of_digit(self.digit)}"


class Claims(NamedTuple):
    """The claims of a text in its order; the claims of a grid have no order.

    `faults` are claims that cannot be about the puzzle; `suppositions` is the number of clauses
    that were skipped because they begin with "if" or the like.
    """

    claims: Sequence[Claim]
    is_grid: bool = False
    faults: Sequence[str] = ()
    suppositions: int = 0


_SUPPOSED = re.compile(
    r"\b(?:if|suppose|supposing|assume|assuming|were|imagine|try|trying)\b[^.;!?\n]*", re.IGNORECASE
)
_CELLS = (
    r"\bR ?{row}[ ,]{{0,2}}C ?{column}(?!\d)",
    r"\brow ?{row},? (?:and )?col(?:umn)? ?{column}(?!\d)",
    r"\({row} ?, ?{column}\)",
)
_NOT = (
    r"\s*(?:!=|≠|<>|\\ne\b|(?:is|are) (?:not|no|never)(?: an?| the)?|isn't(?: an?)?"
    r"|can(?:not|'t| not) (?:be|hold|have|contain)(?: an?| the)?|excludes)\s*"
)
_IS = (
    r"\s*(?::=|==|=>|->|→|⇒|←|:|=|\b(?:is|must be|has to be|can only be|should be|becomes|holds"
    r"|contains|gets|equals)\b)\s*"
)
_ARTICLE = r"(?:(?:only|an?|the|digit|number|value)\s+)*"
_LIST = r"(?P<{name}>{digit}(?:(?:\s*(?:/|,|\bor\b|\band\b|,\s*or)\s*){digit})*)(?!\w)"
_ONE = r"(?P<{name}>{digit})(?!\w|\s*(?:/|\||,?\s*or)\s*{digit}|{counted})"
_COUNTED = r"\s*(?:candidate|option|possib|choice|cell|place|way|digit|other)"
# Marks of Markdown, quotes of JSON, and apostrophes as word processors write them.
_PLAIN = str.maketrans({"*": " ", "`": " ", '"': " ", "$": " ", "\u2019": "'"})


@lru_cache(maxsize=8)
def _pattern(symbols: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all claims; digits are numbers, or symbols of the puzzle."""
    # Longer symbols come first, as a shorter one may be their beginning. Numbers that are no
    # symbols are found too, as faults.
    known = map(re.escape, sorted(symbols, key=len, reverse=True))
    digit = f"(?:{'|'.join([*known, r'[0-9]{1,3}'])})"

    def at(way: int) -> str:
        # A pattern may use each group name once, so each way to write a cell has names of its own.
        texts = (
            text.format(
                row=rf"(?P<r{way}{place}>\d{{1,3}})", column=rf"(?P<c{way}{place}>\d{{1,3}})"
            )
            for place, text in enumerate(_CELLS)
        )
        return f"(?:{'|'.join(texts)})"

    ways = (
        at(1) + _NOT + _ARTICLE + _LIST.format(name="not1", digit=digit),
        r"\b(?:remove|eliminate|exclude|delete|no)\s+"
        + _ARTICLE
        + _LIST.format(name="not2", digit=digit)
        + r"\s+(?:from|in|at)\s+"
        + at(2),
        at(3) + _IS + _ARTICLE + _ONE.format(name="one3", digit=digit, counted=_COUNTED),
        r"(?<!\w)"
        + _ONE.format(name="one4", digit=digit, counted=_COUNTED)
        + r"\s+(?:must go |goes |belongs |has to go |is placed |can only go )?"
        r"(?:in|into|at|to)\s+(?:cell )?" + at(4),
    )
    return re.compile("|".join(f"(?:{way})" for way in ways), re.IGNORECASE)


def read_claims(text: str, puzzle: Puzzle) -> Claims:
    """Return the claims of a text about a puzzle, or else the digits of a grid in it.

    Raise SatdokuError if there are neither claims nor a grid, or if the text is too long.
    """
    require_short(text)
    suppositions = 0

    def blank(found: re.Match[str]) -> str:
        nonlocal suppositions
        suppositions += 1
        return " " * len(found[0])

    claims: list[Claim] = []
    faults: list[str] = []
    plain = _SUPPOSED.sub(blank, text.translate(_PLAIN))
    for found in _pattern(puzzle.symbols).finditer(plain):
        for claim in _claims_of(found, puzzle):
            if isinstance(claim, str):
                faults.append(claim)
            else:
                claims.append(claim)
    if claims or faults:
        return Claims(claims, faults=faults, suppositions=suppositions)
    try:
        grid = grid_of_answer(text, puzzle)
    except SatdokuError:
        raise SatdokuError("there is no claim in the answer, such as r3c6: 5") from None
    given = puzzle.grid.digits
    filled = enumerate(grid.digits)
    changes = [(cell, digit) for cell, digit in filled if digit not in (EMPTY, given[cell])]
    return Claims([Claim(cell, digit) for cell, digit in changes], is_grid=True)


def _claims_of(found: re.Match[str], puzzle: Puzzle) -> Iterator[Claim | str]:
    """Yield the claims of a match; for an impossible one, a sentence about what is wrong."""
    groups = {name: text for name, text in found.groupdict().items() if text is not None}
    row, column = (int(next(t for n, t in groups.items() if n[0] == axis)) for axis in "rc")
    kind, digits = next((n, t) for n, t in groups.items() if n[0] in "no")
    board = puzzle.geometry
    told = " ".join(found[0].split())
    cell = board.cell_at(row - 1, column - 1)
    if cell is None:
        yield f"{told!r} is about no cell of a board of {board.board_words}"
        return
    names = {puzzle.name_of_digit(digit).lower(): digit for digit in range(1, board.size + 1)}
    for name in re.findall(r"[^\s/,]+", re.sub(r"\b(or|and)\b", " ", digits)):
        digit = names.get(name.lower())
        if digit is None:
            yield f"{told!r} names no digit of this puzzle"
        else:
            yield Claim(cell, digit, kind.startswith("one"))
