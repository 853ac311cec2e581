"""Find the cells of a puzzle among the other text of its line, and make a board of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isqrt
from typing import NamedTuple, TypeVar, overload

from satdoku.errors import FormatError, SatdokuError, count_of, quote
from satdoku.notation.hints import Hints
from satdoku.notation.record import Place, PlaceOf, with_place
from satdoku.notation.spelling import (
    CELL_CHARACTERS,
    Spelling,
    boxless_fault,
    count_fault,
    decide_geometry,
    has_boxes,
    is_blank,
    is_number_or_blank,
    nearest_size,
    read_digits,
    row_fault,
    size_of_count,
    spelling_of,
)
from satdoku.puzzle.grid import Geometry, Grid

T = TypeVar("T")

_WORD = re.compile(r"[^\s,:;|\"']+")
_SEPARATORS = " \t,:;|\"'"
_SEPARATOR = re.compile(r"[\s,:;#|\"']")
# A word of digits after other words may be a date, an id or a hash (SHA-1 has 40 digits); it is
# taken for a board only if it has 81 cells or more.
_SURELY_CELLS = 81
# In longer lines the places of words are not kept, as they take 120 times the line's memory.
_LONG = 100_000
_LONGEST_NUMBER = 5


class LineCells(NamedTuple):
    """The cells of a line, where each begins (from 0), and the text beside them.

    `cells` is a string if each cell is one character. `size` is None if the cells do not make a
    board; `rows` are then the lengths of the words that look like its rows, one of them too short
    or too long.
    """

    cells: str | Sequence[str]
    starts: Sequence[int]
    size: int | None
    name: str = ""
    comment: str = ""
    rows: Sequence[int] = ()


def find_cells(text: str, wanted: int | None = None) -> LineCells:
    """Find the cells of a line: a word of 81 characters, 9 words of 9, or 81 numbers or characters.

    >>> find_cells("1.3. 3.12 .1.3 23.1 easy # by hand").name
    'easy'
    >>> find_cells("1.3.3.12.1.323.1,easy").cells
    '1.3.3.12.1.323.1'
    """
    size = size_of_count(len(text), wanted)
    if size is not None and not _SEPARATOR.search(text):  # fast path: most lines have only cells
        return LineCells(text, range(len(text)), size)
    data, _, comment = text.partition("#")
    if len(data) > _LONG and _has_many_words(data):
        return _find_many(data, wanted)._replace(comment=comment.strip())
    words = list(_WORD.finditer(data))
    found = (
        _find_groups(data, words, wanted)
        or _find_word(data, words, wanted)
        or _find_tokens(data, words, wanted)
        or _take_first(words)
    )
    return found._replace(comment=comment.strip())


class _Words(Sequence[T]):
    """A lazily mapped sequence: a function of each word, computed on access (only for faults)."""

    def __init__(self, text: str, count: int, wanted: Callable[["re.Match[str]"], T]) -> None:
        self._text = text
        self._count = count
        self._wanted = wanted

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return list(self)[index]
        place = index % self._count if self._count else index
        return next(islice(iter(self), place, None))

    def __iter__(self) -> Iterator[T]:
        return map(self._wanted, _WORD.finditer(self._text))


def _has_many_words(data: str) -> bool:
    """Whether a long text begins with two short words, as a list of numbers does."""
    words = list(islice(_WORD.finditer(data), 2))
    return len(words) == 2 and all(len(word[0]) < _LONGEST_NUMBER for word in words)


def _find_many(data: str, wanted: int | None) -> LineCells:
    """Find cells that are separated numbers; there may be a million.

    To save memory, equal texts are stored once and the places of cells are not stored. If the cells
    make no board, none are returned.
    """
    end = re.search("[;:]", data)
    shown = data[: end.start()] if end else data
    known: dict[str, str] = {}
    count = 0
    for count, word in enumerate(_WORD.finditer(shown), 1):  # noqa: B007 - the last one is wanted
        known.setdefault(word[0], word[0])
    size = size_of_count(count, wanted)
    if not all(len(cell) == 1 or is_number_or_blank(cell) for cell in known):
        size = None
    starts = _Words(shown, count, lambda word: word.start())
    texts = _Words(shown, count, lambda word: known[word[0]])
    if size is None:
        return LineCells(texts, starts, None)
    return LineCells(list(texts), starts, size, _trim(data[end.end() :] if end else ""))


def _find_groups(
    data: str, words: Sequence["re.Match[str]"], wanted: int | None
) -> LineCells | None:
    """Return the cells of a board whose rows are words; None unless it is square."""
    width = len(words[0][0]) if words else 0
    groups = words[:width]
    size = size_of_count(width * width, wanted)
    if size is None or len(groups) < width or {len(word[0]) for word in groups} != {width}:
        return None
    # A further word like the rows is a fault of the board, not a name.
    if any(len(word[0]) == width and _is_cells(word[0]) for word in words[width : width + 1]):
        return None
    starts = [start for word in groups for start in range(*word.span())]
    name = data[groups[-1].end() :]
    return LineCells("".join(word[0] for word in groups), starts, size, _trim(name))


def _find_word(data: str, words: Sequence["re.Match[str]"], wanted: int | None) -> LineCells | None:
    """Return the first word as long as a board, or a later one that can only be a board."""
    for word in words:
        if word is not words[0] and not _is_surely_cells(word[0]):
            continue
        size = size_of_count(len(word[0]), wanted)
        if size is not None:
            name = f"{_trim(data[: word.start()])} {_trim(data[word.end() :])}"
            return LineCells(word[0], range(*word.span()), size, name.strip())
    return None


def _is_surely_cells(word: str) -> bool:
    """Whether a word after others is a board, and not a long name."""
    return len(word) >= _SURELY_CELLS and _is_cells(word)


def _is_cells(word: str) -> bool:
    return not word.strip(CELL_CHARACTERS)


def _find_tokens(
    data: str, words: Sequence["re.Match[str]"], wanted: int | None
) -> LineCells | None:
    """Return separated numbers or characters as cells; a name may follow after `;` or `:`."""
    end = re.search("[;:]", data)
    if end:
        words = [word for word in words if word.start() < end.start()]
    cells = [word[0] for word in words]
    size = size_of_count(len(cells), wanted)
    if size is None or not all(len(cell) == 1 or is_number_or_blank(cell) for cell in cells):
        return None
    name = data[end.end() :] if end else ""
    return LineCells(cells, [word.start() for word in words], size, _trim(name))


def _take_first(words: Sequence["re.Match[str]"]) -> LineCells:
    """Return the words that look most like cells, so that their fault can be reported."""
    lengths = [len(word[0]) for word in words]
    # Four or more words are rows if most have as many characters as there are words; a row of
    # another length has the fault.
    if len(words) > 3 and lengths.count(len(words)) > len(words) // 2:
        starts = [start for word in words for start in range(*word.span())]
        return LineCells("".join(word[0] for word in words), starts, None, rows=lengths)
    first = words[0][0] if words else ""
    # If there are more words than the first one has characters, each word is a cell.
    if len(words) > len(first):
        return LineCells([word[0] for word in words], [word.start() for word in words], None)
    return LineCells(first, range(*words[0].span()) if words else (), None)


def _trim(text: str) -> str:
    return text.lstrip(_SEPARATORS).rstrip()


def read_cells(
    found: LineCells, hints: Hints, source: str, start: Place, usual_size: int | None = None
) -> Grid:
    """Return the board of the cells found in a text that begins at `start`.

    If there are too few cells for a board of `usual_size`, the error names that size.
    """
    line, column = start

    def place_of(cell: int) -> Place:
        return line, column + (found.starts[cell] if found.starts else 0)

    if hints.geometry is not None and not hints.geometry.is_plain:
        try:
            require_cells(len(found.cells), hints.geometry)
        except SatdokuError as error:
            raise with_place(error, source, place_of(0)) from None
        return grid_of_cells(found.cells, hints.geometry, hints, lambda _: place_of(0), source)
    if found.size is None:
        is_cut_off = usual_size is not None and len(found.cells) < usual_size**2
        wanted = hints.size or (usual_size if is_cut_off else None)
        raise _describe_fault(found, wanted, source, start)
    try:
        geometry = decide_geometry(found.size, hints.geometry)
    except FormatError as error:
        raise with_place(error, source, place_of(0)) from None
    return Grid(geometry, read_digits(found.cells, found.size, hints.alphabet, place_of, source))


def grid_of_cells(
    cells: str | Sequence[str], board: Geometry, hints: Hints, place_of: PlaceOf, source: str
) -> Grid:
    """Return a board of any shape with these cells; cells missing at the end are empty.

    `cells` is one string if each is one character.
    """
    missing = board.cell_count - len(cells)
    every = cells + "." * missing if isinstance(cells, str) else [*cells, *["."] * missing]
    return Grid(board, read_digits(every, board.size, hints.alphabet, place_of, source))


def require_cells(count: int, board: Geometry) -> None:
    """Refuse a line with another number of cells than the board has."""
    if count not in (board.cell_count, board.board_count):
        several = board.cell_count if board.cell_count == board.board_count else ""
        expected = several or f"{board.board_count}, or {board.cell_count} with those beside it"
        found = count_of(count, "cell")
        raise SatdokuError(f"{found} found, a board of {board.board_words} has {expected}")


def _describe_fault(found: LineCells, wanted: int | None, source: str, start: Place) -> FormatError:
    """Return the error for cells that make no board: the first invalid cell, else their number."""
    line, column = start
    # Different values only: there may be a million cells with few of them.
    odd = {cell for cell in set(found.cells) if not (cell.isalnum() or is_blank(cell))}
    for place, cell in zip(found.starts, found.cells if odd else (), strict=bool(odd)):
        if cell in odd:
            message = f"{quote(cell)} is not a digit or a blank"
            return FormatError(message, source, line, column + place)
    for number, length in enumerate(found.rows, 1):
        if length != len(found.rows):
            end = found.starts[sum(found.rows[:number]) - 1] + 1
            message = row_fault(number, length, len(found.rows))
            return FormatError(message, source, line, column + end)
    count = len(found.cells)
    side = isqrt(count)
    if wanted is None and side > _FEWEST_COLUMNS and side**2 == count and not has_boxes(side):
        return FormatError(boxless_fault(side), source, line, column)
    digits = {cell for cell in set(found.cells) if cell.isdecimal() and len(cell) < _LONGEST_NUMBER}
    size = nearest_size(count, wanted, max(map(int, digits), default=0))
    if count > size * size:
        place = found.starts[size * size]
    else:
        place = found.starts[-1] + len(found.cells[-1]) if found.starts else 0
    return FormatError(count_fault(count, size), source, line, column + place)


def spelling_of_line(text: str, hints: Hints, size: int) -> Spelling:
    """Return the spelling of the board of that size in a text."""
    if size < 10:  # the cells need not be found
        return Spelling(hints.alphabet)
    return spelling_of(find_cells(text, size).cells, size, hints.alphabet)


# The cells of one row of a drawn board.
#
# Rows are drawn in many ways; all of these are the same row:
#
#     53..7....     53. .7. ...     5 3 . . 7 . . . .     |53.|.7.|...|     5,3,,,7,,,,
#     | 5 3 . | . 7 . | . . . |     | 5 3   |   7   |       |
#
# All lines here are plain (see `line_kind.plain`), which keeps positions, so that errors can name
# them.

_TOKEN = re.compile(r"[^\s|]+")
_CHARACTER = re.compile(r"[^\s|]")
# 4x4 is the smallest board with boxes.
_FEWEST_COLUMNS = 4


class TokenRow(NamedTuple):
    """The tokens of a row, how they are grouped, and how many cells they may be.

    `size` is the likely number of cells, either one a token or one a character. `group` is the
    number of cells between two bars or gaps, 0 if there are none or they vary. If the row may end
    in a comma, the last token is the text after it: nothing, or a blank cell.
    """

    tokens: Sequence[str]
    size: int
    group: int = 0
    has_open_end: bool = False

    def cells(self, size: int) -> Sequence[str] | None:
        """Return `size` cells, as a string if each is one character; None if that is impossible."""
        if len(self.tokens) == size:
            return self.tokens
        if self.is_open(size):
            return self.tokens[:-1]
        return "".join(self.tokens) if self.size == size else None

    def is_open(self, size: int) -> bool:
        """Whether a comma follows the last of `size` cells, as in lists of programs."""
        return self.has_open_end and len(self.tokens) == size + 1

    def has_numbers(self, size: int) -> bool:
        """Whether the row has `size` tokens and some of them are longer than a character."""
        return len(self.tokens) == size and any(len(token) > 1 for token in self.tokens)


def read_row(line: str) -> TokenRow:
    """Return the cells of a plain line."""
    separator = _separator_of(line)
    if separator:
        return _read_fields(line, separator)
    if "|" in line:
        return _read_barred(line)
    return _read_spaced(line.split())


def _separator_of(line: str) -> str:
    """Return the comma or tab between cells of which some are empty; '' if there is neither."""
    if "," in line:
        return ","
    # Between bars, tabs are only wide spaces.
    if "\t" not in line or "|" in line:
        return ""
    fields = line.split("\t")
    # With fewer fields than the smallest board has columns, tabs indent the row.
    return "\t" if len(fields) >= _FEWEST_COLUMNS and "" in fields else ""


def _read_fields(line: str, separator: str) -> TokenRow:
    """Return cells between commas or tabs, where an empty field is a blank too.

    `5,3,,` is a row of four cells; `5,3,.,.,` has a comma too many, as lists in programs may.
    """
    fields = line.split(separator)
    tokens = [field.strip(" \t\"'|") or "." for field in fields]
    has_open_end = separator == "," and not fields[-1].strip()
    has_empty_fields = any(not field.strip() for field in fields[:-1])
    if has_open_end and not has_empty_fields:
        return TokenRow(tokens, len(tokens) - 1, has_open_end=True)
    return TokenRow(tokens, len(tokens), has_open_end=has_open_end)


def _read_barred(line: str) -> TokenRow:
    segments = line.strip().strip("|").split("|")
    tokens = _read_spaces_as_blanks(segments)
    if tokens is None:
        tokens = [token for segment in segments for token in segment.split()]
    # Without its bars, the line is read like other rows, as cells or as groups of cells.
    row = _read_spaced(tokens)
    group, rest = divmod(row.size, len(segments))
    # Bars around the row, or around each of its cells, show no boxes.
    shows_boxes = len(segments) > 1 and group > 1 and not rest
    return TokenRow(tokens, row.size, group if shows_boxes else 0)


def _read_spaces_as_blanks(segments: Sequence[str]) -> list[str] | None:
    """Return the cells of `| 5 6 | 8 3 7 |`, where a space is a blank; None for other rows.

    Segments are equally wide. Each is one cell, or has a space before, between and after its cells:
    an odd width, with spaces at offsets 0, 2, 4 and so on.
    """
    width = len(segments[0])
    if len(segments) < 2 or width % 2 == 0 or any(len(segment) != width for segment in segments):
        return None
    if width == 1:
        cells = "".join(segments)
    elif any(segment[::2].strip() for segment in segments):
        return None
    else:
        cells = "".join(segment[1::2] for segment in segments)
    return list(cells.replace(" ", "."))


def _read_spaced(tokens: Sequence[str]) -> TokenRow:
    """Return tokens as cells, or as groups of one-character cells such as `53. .7. ...`."""
    count = len(tokens)
    lengths = set(map(len, tokens))
    width = max(lengths, default=0)
    if width <= 1:
        return TokenRow(tokens, count)
    # Words of one length are groups of cells, such as `53. .7. ...`.
    if len(lengths) == 1 and not _may_be_numbers(count, width):
        return TokenRow(tokens, count * width, width if count > 1 else 0)
    if all(map(is_number_or_blank, tokens)):
        return TokenRow(tokens, count)
    # Neither groups nor numbers: a damaged row. Boards with numbers have ten digits or more; with
    # fewer tokens, `53. .7 ...` has more likely lost a character than a cell.
    return TokenRow(tokens, len("".join(tokens)) if count < 10 else count)


def _may_be_numbers(count: int, width: int) -> bool:
    """Whether equally long tokens may be numbers with leading zeros, such as `01 02 ... 16`.

    A board with `count` cells in a row has numbers up to `count`: 10 cells need two places, 100
    three.
    """
    return len(str(count)) >= width


def column_of_cell(line: str, row: TokenRow, size: int, index: int) -> int:
    """Return the column of the `index`-th cell, from 1, or of the line's end if it is missing."""
    starts = _starts_of_cells(line, row, size)
    return (starts[index] if index < len(starts) else len(line.rstrip())) + 1


def _starts_of_cells(line: str, row: TokenRow, size: int) -> list[int]:
    """Return the offsets of the cells of a row, from 0."""
    separator = _separator_of(line)
    if separator:
        return _starts_of_fields(line, separator)
    pattern = _TOKEN if len(row.tokens) == size else _CHARACTER
    starts = [match.start() for match in pattern.finditer(line)]
    # If there are fewer characters than cells, some cells are spaces.
    return starts if len(starts) >= len(row.tokens) else _starts_among_spaces(line)


def _starts_of_fields(line: str, separator: str) -> list[int]:
    """Return the offsets of cells between separators, after leading spaces."""
    starts, start = [], 0
    for field in line.split(separator):
        starts.append(start + len(field) - len(field.lstrip()))
        start += len(field) + 1
    return starts


def _starts_among_spaces(line: str) -> list[int]:
    """Return the offsets of the cells of `| 5 6 | 8 3 7 |`, some of which are spaces."""
    inner = line.strip().strip("|")
    start = line.index(inner)
    width = inner.index("|")
    places = range(1, width, 2) if width > 1 else range(1)
    segments = range(start, start + len(inner), width + 1)
    return [segment + place for segment in segments for place in places]
