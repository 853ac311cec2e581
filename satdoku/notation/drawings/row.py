"""The cells of one row of a drawn board.

Rows are drawn in many ways; all of these are the same row:

    53..7....     53. .7. ...     5 3 . . 7 . . . .     |53.|.7.|...|     5,3,,,7,,,,
    | 5 3 . | . 7 . | . . . |     | 5 3   |   7   |       |

All lines here are plain (see `line_kind.plain`), which keeps positions, so that errors can name
them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from satdoku.notation.spelling import is_number_or_blank

_TOKEN = re.compile(r"[^\s|]+")
_CHARACTER = re.compile(r"[^\s|]")
# 4x4 is the smallest board with boxes.
_FEWEST_COLUMNS = 4


class TokenRow(NamedTuple):
    """The tokens of a row, how they are grouped, and how many cells they may be.

    `size` is the likely number of cells, either one a token or one a character. `group` is the
    number of cells between two bars or gaps, 0 if there are none or they vary. With an open end,
    the last token is the text after a last comma: nothing, or a blank cell.
    """

    tokens: Sequence[str]
    size: int
    group: int = 0
    has_open_end: bool = False

    def cells(self, size: int) -> Sequence[str] | None:
        """Return the texts of `size` cells, a string if all are characters; None if not so many."""
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
    """Return the comma or tab between cells, some of which are empty; empty text if none is."""
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
    # Without the bars it is read as other rows, of cells or of groups of cells.
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
    """Return the column of the `index`-th cell in its line, from 1; the line's end without one."""
    starts = _starts_of_cells(line, row, size)
    return (starts[index] if index < len(starts) else len(line.rstrip())) + 1


def _starts_of_cells(line: str, row: TokenRow, size: int) -> list[int]:
    """Return the offsets of the cells of a row, from 0."""
    separator = _separator_of(line)
    if separator:
        return _starts_of_fields(line, separator)
    pattern = _TOKEN if len(row.tokens) == size else _CHARACTER
    starts = [match.start() for match in pattern.finditer(line)]
    # Fewer characters than cells: some cells are spaces.
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
