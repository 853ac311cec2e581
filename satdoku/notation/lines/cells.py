"""Find the cells of a puzzle among the other text of its line, and make a board of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar, overload

from satdoku.errors import FormatError, quote
from satdoku.notation.hints import Hints
from satdoku.notation.record import Place, with_place
from satdoku.notation.spelling import (
    CELL_CHARACTERS,
    Spelling,
    count_fault,
    decide_geometry,
    is_blank,
    is_number_or_blank,
    nearest_size,
    read_digits,
    row_fault,
    size_of_count,
    spelling_of,
)
from satdoku.puzzle.grid import Grid

T = TypeVar("T")

_WORD = re.compile(r"[^\s,:;|\"']+")
_SEPARATORS = " \t,:;|\"'"
_SEPARATOR = re.compile(r"[\s,:;#|\"']")
# A word of digits after other words may be a date, an id or a hash (SHA-1 has 40 digits); only from
# 9x9 on is it taken for a board.
_SURELY_CELLS = 81
# In longer lines words are not kept with their places, which takes 120 times the line's size.
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
    # One more row is a fault of the board, not a name.
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
    # Four or more words, most of them with as many characters as there are words, are rows; the
    # fault is in a row of another length.
    if len(words) > 3 and lengths.count(len(words)) > len(words) // 2:
        starts = [start for word in words for start in range(*word.span())]
        return LineCells("".join(word[0] for word in words), starts, None, rows=lengths)
    first = words[0][0] if words else ""
    # More words than the first one has characters: the words are single cells.
    if len(words) > len(first):
        return LineCells([word[0] for word in words], [word.start() for word in words], None)
    return LineCells(first, range(*words[0].span()) if words else (), None)


def _trim(text: str) -> str:
    return text.lstrip(_SEPARATORS).rstrip()


def read_cells(
    found: LineCells, hints: Hints, source: str, start: Place, usual_size: int | None = None
) -> Grid:
    """Return the board of the cells found in a text that begins at `start`.

    If they make no board, and are fewer than one of the usual size has, the error assumes that
    size.
    """
    line, column = start

    def place_of(cell: int) -> Place:
        return line, column + (found.starts[cell] if found.starts else 0)

    if found.size is None:
        is_cut_off = usual_size is not None and len(found.cells) < usual_size**2
        wanted = hints.size or (usual_size if is_cut_off else None)
        raise _describe_fault(found, wanted, source, start)
    try:
        geometry = decide_geometry(found.size, hints.geometry)
    except FormatError as error:
        raise with_place(error, source, place_of(0)) from None
    return Grid(geometry, read_digits(found.cells, found.size, hints.alphabet, place_of, source))


def _describe_fault(found: LineCells, wanted: int | None, source: str, start: Place) -> FormatError:
    """Return the error for cells that make no board: the first invalid cell, else their number."""
    line, column = start
    # As a set: there may be a million cells with few different values.
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
