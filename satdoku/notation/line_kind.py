"""What a line of a text is: cells, a border, a title, a comment, or nothing."""

import re
from enum import Enum

from satdoku.notation.sizes import FEWEST_CELLS

_UPRIGHT = "¦│┃║╎╏┆┇┊┋"
_LEVEL = "─━═╌╍┄┅┈┉\u2010\u2013\u2014"  # with the hyphens and dashes of word processors
_PLAIN = str.maketrans(
    {chr(code): "+" for code in range(0x2500, 0x2580)}  # the Unicode block "Box Drawing"
    | dict.fromkeys(_UPRIGHT, "|")
    | dict.fromkeys(_LEVEL, "-")
    | {"\u00a0": " ", "·": "."}
)
# What borders are made of; the dot, the colon and the quotes are corners in HoDoKu and elsewhere.
_BORDER = " \t|+-=*:.'`"
_LINE_OF = re.compile("--|==|[+][-=]|[-=][+]")
_TITLE = re.compile(
    r"\W*(grid|board|level|difficulty|solution|rating|title|name|author)\b"
    r"|.*\b(puzzles?|sudokus?)\b",
    re.IGNORECASE,
)

# An empty header above a rule, as tables in Markdown have it: `|   |   |` and `|---|---|`.
_EMPTY_HEADER = re.compile(r"[\s|]*\|[\s|]*")
_HEADER_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")


class LineKind(Enum):
    """What a line is, judged by itself."""

    EMPTY = "nothing, or spaces"
    TITLE = "names what follows, as `Grid 01` or `Puzzle 3:` do"
    COMMENT = "begins with #"
    DASHES = "dashes and bars alone: a border, or a row of blanks"
    BORDER = "drawn between rows"
    CELLS = "cells, or what nobody can tell"


def kind_of(line: str) -> LineKind:
    """What a plain line is.

    >>> kind_of("Grid 01").name, kind_of("5 3 . | . 7 .").name, kind_of("+---+---+").name
    ('TITLE', 'CELLS', 'BORDER')
    """
    stripped = line.strip()
    if not stripped:
        return LineKind.EMPTY
    if is_title(line):
        return LineKind.TITLE
    if stripped[0] == "#":
        return LineKind.COMMENT
    if line.strip(_BORDER):  # as most lines; what follows is rarely asked
        return LineKind.CELLS
    if "-" in line and not line.strip("-| \t"):
        return LineKind.DASHES
    return LineKind.BORDER if is_border(line) else LineKind.CELLS


def is_data(line: str) -> bool:
    """Whether a line is neither empty nor a comment."""
    stripped = line.lstrip()
    return bool(stripped) and stripped[0] != "#"


def is_title(line: str) -> bool:
    """Whether a line names what follows: it has a word that titles have, and no cells in front.

    `53..7....6..195.... # my hardest puzzle` is a puzzle with a comment.
    """
    has_letters = line.upper() != line.lower()
    if not has_letters or len(line.split(None, 1)[0]) >= FEWEST_CELLS:
        return False
    return _TITLE.match(line) is not None


def is_border(line: str) -> bool:
    """Whether a plain line looks drawn; one of dashes and bars alone may be a row of blanks."""
    return not line.strip(_BORDER) and _LINE_OF.search(line) is not None


def plain(line: str) -> str:
    """The same line with box drawing characters replaced by `|`, `-` and `+`, place by place."""
    return line if line.isascii() else line.translate(_PLAIN)


def is_empty_header(line: str, below: str) -> bool:
    """Whether a line is the empty header of a table in Markdown, by itself and the line below it.

    >>> is_empty_header("| | |", "|-|-|"), is_empty_header("|1| |", "|-|-|")
    (True, False)
    """
    is_empty = _EMPTY_HEADER.fullmatch(line) is not None
    return is_empty and _HEADER_RULE.fullmatch(below) is not None
