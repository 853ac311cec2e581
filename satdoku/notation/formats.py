"""All formats, by name; a new one is a file of its own and a line here."""

from collections.abc import Sequence

from satdoku.errors import SatdokuError
from satdoku.notation.drawings.euler import EulerFormat
from satdoku.notation.drawings.rows import GridFormat, RowsFormat
from satdoku.notation.drawings.sdk import SdkFormat
from satdoku.notation.drawings.simple_sudoku import SimpleSudokuFormat
from satdoku.notation.format import Format
from satdoku.notation.lines.line import LineFormat, SdmFormat
from satdoku.notation.lists.json_format import JsonFormat
from satdoku.notation.record import Hints
from satdoku.notation.tables.csv_format import CsvFormat

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        LineFormat(),
        RowsFormat(),
        GridFormat(),
        JsonFormat(),
        CsvFormat(),
        SdkFormat(),
        SdmFormat(),
        SimpleSudokuFormat(),
        EulerFormat(),
    )
}

_MOST_TELLING_FIRST = ("json", "sdk", "euler", "csv", "ss", "grid", "rows", "line")


def format_named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise SatdokuError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def detect_format(lines: Sequence[str], is_whole: bool, hints: Hints) -> Format | None:
    """The format of a text by its first lines, or None while it cannot be told.

    At the end of the text there is always an answer, so that its faults can be reported.
    """
    for name in _MOST_TELLING_FIRST:
        if FORMATS[name].matches(lines, is_whole, hints):
            return FORMATS[name]
    return FORMATS["line"] if is_whole else None
