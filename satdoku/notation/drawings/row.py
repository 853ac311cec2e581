"""What a line of a drawn board is: a row of cells, a border, or something else.

People and programs draw rows in many ways; all of these are the same row:

    53..7....     53. .7. ...     5 3 . . 7 . . . .     |53.|.7.|...|     5,3,,,7,,,,
    | 5 3 . | . 7 . | . . . |     │ 5 3   │   7   │       │

Positions in a line stay what they were, so that errors can name them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_UPRIGHT = "¦│┃║╎╏┆┇┊┋"
_LEVEL = "─━═╌╍┄┅┈┉\u2010\u2013\u2014"
_PLAIN = str.maketrans(
    {chr(code): "+" for code in range(0x2500, 0x2580)}
    | dict.fromkeys(_UPRIGHT, "|")
    | dict.fromkeys(_LEVEL, "-")
    | {"\u00a0": " ", "·": "."}
)
_BORDER = " \t|+-=*:.'`"
_LINE_OF = re.compile("--|==|[+][-=]|[-=][+]")
_HEADER = re.compile(
    r"\W*(grid|board|level|difficulty|solution|rating|title|name|author)\b"
    r"|.*\b(puzzles?|sudokus?)\b",
    re.IGNORECASE,
)
_SHORTEST_PUZZLE = 16
_TOKEN = re.compile(r"[^\s|]+")
_CHARACTER = re.compile(r"[^\s|]")
_MOST_SPACED_BOXES = 36


class Row(NamedTuple):
    """A row of cells: its tokens, how many stand together, and how many cells that may be.

    `size` is the likely number of cells, either one a token or one a character. `group` is the
    number of cells between two bars or gaps, 0 where there are none or they are not regular. With
    an open end, the last token is what stands behind a last comma: nothing, or a blank cell.
    """

    tokens: Sequence[str]
    size: int
    group: int = 0
    has_open_end: bool = False

    def cells(self, size: int) -> Sequence[str] | None:
        """The texts of `size` cells, a string where all are characters; None if not so many."""
        if len(self.tokens) == size:
            return self.tokens
        if self.has_open_end and len(self.tokens) == size + 1:
            return self.tokens[:-1]
        return "".join(self.tokens) if self.size == size else None

    def has_numbers(self, size: int) -> bool:
        """Whether the row has `size` tokens and some of them are longer than a character."""
        return len(self.tokens) == size and len(max(self.tokens, key=len)) > 1


def plain(line: str) -> str:
    """The same line with box drawing characters replaced by `|`, `-` and `+`, place by place."""
    return line if line.isascii() else line.translate(_PLAIN)


def is_border(line: str) -> bool:
    """Whether a plain line is drawn between rows; a line of dashes and bars alone is not sure."""
    return not line.strip(_BORDER) and _LINE_OF.search(line) is not None


def is_dashes(line: str) -> bool:
    """Whether a line has only dashes and bars: a border, or a row of blanks."""
    return "-" in line and not line.strip("-| \t")


def is_header(line: str) -> bool:
    """Whether a line names what follows, as `Grid 01` or `Puzzle 3:` do."""
    if line.upper() == line.lower() or len(line.split(None, 1)[0]) >= _SHORTEST_PUZZLE:
        return False
    return _HEADER.match(line) is not None


def read_row(line: str) -> Row:
    """The cells of a plain line."""
    if "," in line:
        return _read_fields(line.split(","), line)
    if "\t" in line and "" in (fields := line.strip("\r\n").split("\t")) and "|" not in line:
        return _read_fields(fields, line)
    if "|" in line:
        return _read_barred(line)
    return _read_spaced(line.split())


def _read_fields(fields: Sequence[str], line: str) -> Row:
    """Cells between commas or tabs, where nothing is a blank as well."""
    tokens = [field.strip(" \t\"'|") or "." for field in fields]
    has_open_end = "," in line and not fields[-1].strip()
    has_other_blanks = any(not field.strip() for field in fields[:-1])
    return Row(tokens, len(tokens) - (has_open_end and not has_other_blanks), 0, has_open_end)


def _read_barred(line: str) -> Row:
    segments = line.strip().strip("|").split("|")
    tokens = _read_segments_with_spaces(segments)
    if tokens is None:
        tokens = [token for segment in segments for token in segment.split()]
    row = _read_spaced(tokens)
    group, rest = divmod(row.size, len(segments))
    return Row(tokens, row.size, 0 if rest or group == 1 or len(segments) == 1 else group)


def _read_segments_with_spaces(segments: Sequence[str]) -> list[str] | None:
    """The cells of `|   5 6 | 8 3 7 |`, where a space is a blank; None if they are not drawn so."""
    width = len(segments[0])
    if not all(len(segment) == width for segment in segments) or not len(segments) > 1:
        return None
    if width % 2 == 0 or len(segments) > _MOST_SPACED_BOXES:
        return None
    if width > 1 and any(segment[::2].strip() for segment in segments):
        return None
    cells = [cell for segment in segments for cell in (segment[1::2] if width > 1 else segment)]
    return ["." if cell == " " else cell for cell in cells]


def _read_spaced(tokens: Sequence[str]) -> Row:
    """Tokens are cells, or groups of one-character cells such as `53. .7. ...`.

    Groups are equally long; so are numbers with leading zeros, but then there are at least ten
    numbers of two places, or a hundred of three.
    """
    count = len(tokens)
    lengths = set(map(len, tokens))
    width = max(lengths, default=0)
    if width <= 1:
        return Row(tokens, count)
    if len(lengths) == 1 and (count == 1 or count < 10 ** (width - 1)):
        return Row(tokens, count * width, width if count > 1 else 0)
    if all(_is_number_or_blank(token) for token in tokens):
        return Row(tokens, count)
    return Row(tokens, len("".join(tokens)) if count < 10 else count)


def _is_number_or_blank(token: str) -> bool:
    return token.isdigit() or not token.strip(".0_-*?xX")


def column_of_cell(line: str, row: Row, size: int, index: int) -> int:
    """Where the `index`-th cell of a row stands in its line, from 1; its end if it has none."""
    if "," in line:
        return _column_of_field(line, ",", index)
    if len(row.tokens) != size or len(row.tokens) == len("".join(row.tokens)):
        by_character = [match.start() + 1 for match in _CHARACTER.finditer(line)]
        if len(by_character) in (size, len("".join(row.tokens))):
            return by_character[index] if index < len(by_character) else len(line.rstrip()) + 1
    starts = [match.start() + 1 for match in _TOKEN.finditer(line)]
    return starts[index] if index < len(starts) else len(line.rstrip()) + 1


def _column_of_field(line: str, separator: str, index: int) -> int:
    column = 1
    for number, field in enumerate(line.split(separator)):
        if number == index:
            return column + len(field) - len(field.lstrip())
        column += len(field) + 1
    return len(line.rstrip()) + 1
