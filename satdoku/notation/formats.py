"""All formats, by name; a new one is a file of its own, and a line here."""

from satdoku.errors import SatdokuError
from satdoku.notation.any_board import AnyBoardFormat
from satdoku.notation.csv_format import CsvFormat
from satdoku.notation.detection import Head
from satdoku.notation.drawings import (
    EulerFormat,
    GridFormat,
    RowsFormat,
    SdkFormat,
    SimpleSudokuFormat,
)
from satdoku.notation.exchange.formats import (
    FPuzzlesFormat,
    FPuzzlesLink,
    IssFormat,
    IssLink,
    SudokuMakerLink,
    SudokuPadLink,
)
from satdoku.notation.format import Format
from satdoku.notation.json_format import JsonFormat
from satdoku.notation.lines import LineFormat, SdmFormat
from satdoku.notation.lines_extended import CandidatesFormat, JigsawFormat
from satdoku.plugins import format_of_packages

# More special formats stand further down: detection asks from the end. `csv` would parse JSON as
# fields between commas; `rows` and `line` accept any remaining text.
_FORMATS: tuple[Format, ...] = (
    LineFormat(),
    RowsFormat(),
    GridFormat(),
    CandidatesFormat(),
    CsvFormat(),
    JigsawFormat(),
    AnyBoardFormat(),
    JsonFormat(),
    SdkFormat(),
    SdmFormat(),
    SimpleSudokuFormat(),
    EulerFormat(),
    FPuzzlesFormat(),
    IssFormat(),
    IssLink(),
    SudokuPadLink(),
    FPuzzlesLink(),
    SudokuMakerLink(),
)
FORMATS: dict[str, Format] = {entry.name: entry for entry in _FORMATS}


def format_named(name: str) -> Format:
    """Return the format of that name, of this package or of another one."""
    if name in FORMATS:
        return FORMATS[name]
    found = format_of_packages(name, Format)  # type: ignore[type-abstract]
    if found is None:
        raise SatdokuError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return found()


def detect_format(head: Head) -> Format | None:
    """Return the format of a text by its first lines; None if more lines are needed.

    At the end of the text there is always one: `rows` or `line` if nothing else fits.
    """
    return next((entry for entry in reversed(_FORMATS) if entry.matches(head)), None)
