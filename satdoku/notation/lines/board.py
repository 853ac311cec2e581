"""From the cells of a line to a board, or to the fault of the line."""

from satdoku.errors import FormatError, quote
from satdoku.notation.digits import read_digits
from satdoku.notation.hints import Hints
from satdoku.notation.lines.cells import LineCells, find_cells
from satdoku.notation.places import Place, with_place
from satdoku.notation.sizes import count_fault, decide_geometry, nearest_size, row_fault
from satdoku.notation.spelling import Spelling, spelling_of
from satdoku.notation.symbols import is_blank
from satdoku.puzzle.grid import Grid


def read_cells(
    found: LineCells, hints: Hints, source: str, start: Place, usual_size: int | None = None
) -> Grid:
    """The board of cells that were found in a text that begins at `start`.

    Cells that make none are taken for a board of the usual size if they are fewer than it has.
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
    """Why cells make no board: the first odd one if there is any, else their number."""
    line, column = start
    for place, cell in zip(found.starts, found.cells, strict=True):
        if not (cell.isalnum() or is_blank(cell)):
            message = f"{quote(cell)} is not a digit or a blank"
            return FormatError(message, source, line, column + place)
    for number, length in enumerate(found.rows, 1):
        if length != len(found.rows):
            end = found.starts[sum(found.rows[:number]) - 1] + 1
            message = row_fault(number, length, len(found.rows))
            return FormatError(message, source, line, column + end)
    count = len(found.cells)
    size = nearest_size(count, wanted)
    if count > size * size:
        place = found.starts[size * size]
    else:
        place = found.starts[-1] + len(found.cells[-1]) if found.starts else 0
    return FormatError(count_fault(count, size), source, line, column + place)


def spelling_of_line(text: str, hints: Hints, size: int) -> Spelling:
    """How the board of that size in a text is written."""
    if size < 10:  # there is no need to look for the cells
        return Spelling(hints.alphabet)
    return spelling_of(find_cells(text, size).cells, size, hints.alphabet)
