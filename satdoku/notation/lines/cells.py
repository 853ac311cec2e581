"""Telling the cells of a puzzle from what else stands on its line."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from satdoku.notation.digits import size_of_count

_WORD = re.compile(r"[^\s,:;|\"']+")
_SEPARATORS = " \t,:;|\"'"
_BLANKS = ".0_-*?xX"


class LineCells(NamedTuple):
    """The cells of a line, where each begins (from 0), and the text beside them.

    `cells` is a string when each cell is one character. `size` is None where the cells do not make
    a board.
    """

    cells: str | Sequence[str]
    starts: Sequence[int]
    size: int | None
    name: str = ""
    comment: str = ""


# Detecting a format asks several times about the same line, and a line may have 160,000 cells.
@lru_cache(maxsize=2)
def find_cells(text: str, wanted: int | None = None) -> LineCells:
    """The cells on a line: a word of 81 characters, 9 words of 9, or 81 numbers or characters.

    >>> find_cells("1.3. 3.12 .1.3 23.1 easy # by hand").name
    'easy'
    >>> find_cells("1.3.3.12.1.323.1,easy").cells
    '1.3.3.12.1.323.1'
    """
    data, _, comment = text.partition("#")
    words = list(_WORD.finditer(data))
    found = (
        _find_groups(data, words, wanted)
        or _find_word(data, words, wanted)
        or _find_tokens(data, wanted)
        or _take_first(words)
    )
    return found._replace(comment=comment.strip())


def _find_groups(
    data: str, words: Sequence["re.Match[str]"], wanted: int | None
) -> LineCells | None:
    width = len(words[0][0]) if words else 0
    groups = words[:width]
    size = size_of_count(width * width, wanted)
    if size is None or len(groups) < width or {len(word[0]) for word in groups} != {width}:
        return None
    starts = [start for word in groups for start in range(*word.span())]
    name = data[groups[-1].end() :]
    return LineCells("".join(word[0] for word in groups), starts, size, _trim(name))


def _find_word(data: str, words: Sequence["re.Match[str]"], wanted: int | None) -> LineCells | None:
    for word in words:
        size = size_of_count(len(word[0]), wanted)
        if size is not None and (word is words[0] or _is_surely_cells(word[0])):
            name = f"{_trim(data[: word.start()])} {_trim(data[word.end() :])}"
            return LineCells(word[0], range(*word.span()), size, name.strip())
    return None


def _is_surely_cells(word: str) -> bool:
    """Whether a word behind others is a board, and not a long name."""
    return len(word) >= 81 and not word.strip("0123456789.*_-?xX")


def _find_tokens(data: str, wanted: int | None) -> LineCells | None:
    """Numbers or characters with something between them, up to a name behind `;` or `:`."""
    end = re.search("[;:]", data)
    words = list(_WORD.finditer(data[: end.start()] if end else data))
    cells = [word[0] for word in words]
    size = size_of_count(len(cells), wanted)
    if size is None or not all(len(c) == 1 or is_number_or_blank(c) for c in cells):
        return None
    name = data[end.end() :] if end else ""
    return LineCells(cells, [word.start() for word in words], size, _trim(name))


def _take_first(words: Sequence["re.Match[str]"]) -> LineCells:
    """What most looks like cells, so that its fault can be reported."""
    first = words[0][0] if words else ""
    if len(words) > len(first):
        return LineCells([word[0] for word in words], [word.start() for word in words], None)
    return LineCells(first, range(*words[0].span()) if words else (), None)


def is_number_or_blank(token: str) -> bool:
    return token.isdecimal() or not token.strip(_BLANKS)


def _trim(text: str) -> str:
    return text.lstrip(_SEPARATORS).rstrip()
