"""The call for many boards in an array: numbers in, numbers out, and no object for each puzzle."""

from typing import Any

from satdoku.answering.many import LARGEST_SIZE, solve_blocks
from satdoku.api.sources import library_of, shape_of_boards
from satdoku.errors import SatdokuError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check

# A megabyte of 9x9 boards: enough to be quick, and Ctrl-C is heard in between.
_BOARDS_AT_ONCE = 1 << 14


def solve_array(boards: Any, box: Geometry | None = None) -> Any:
    """The only solution of each of many boards, in an array of the same shape.

    `boards` is an array of numpy of whole numbers, (n, 81) or (n, 9, 9), with 0 for empty cells;
    what comes back is one of `uint8`. Or it is bytes, a digit each, of boards behind one another,
    of 9x9 without a `box`; then bytes come back. A board without solution, or with several, has
    zeros in its place: `check` says which. 9x9 boards are the quickest where the compiled library
    is there.

    >>> boards = bytes([1,0,0,0, 0,0,2,0, 0,3,0,0, 0,0,0,4]) + bytes(16)
    >>> solve_array(boards, Geometry(2, 2)).hex(" ", 16)
    '01020403030402010403010202010304 00000000000000000000000000000000'
    """
    if isinstance(boards, bytes | bytearray | memoryview):
        data, geometry = bytes(boards), box or Geometry()
        _require_digits(data, geometry)
        return _solve(data, geometry)
    if library_of(boards) != "numpy" or boards.dtype.kind not in "iu":
        raise SatdokuError("solve_array takes an array of numpy with whole numbers, or bytes")
    geometry = shape_of_boards(boards, box)
    solved = boards.astype("uint8", order="C")
    # A number that is too large for a byte is another one there.
    if (solved != boards).any():
        raise SatdokuError("these boards have numbers that are no digits")
    data = solved.tobytes()
    _require_digits(data, geometry)
    if data:  # else there is no memory to write to
        memoryview(solved).cast("B")[:] = _solve(data, geometry)
    return solved


def _require_digits(data: bytes, geometry: Geometry) -> None:
    if not 1 < geometry.size <= LARGEST_SIZE:
        raise SatdokuError(
            f"solve_array takes boards of up to 9x9, and {geometry} makes others; check_many does"
        )
    count = geometry.cell_count
    if len(data) % count:
        raise SatdokuError(f"{len(data):,} bytes are no boards of {count} cells each")
    possible = bytes(range(geometry.size + 1))
    if data.translate(None, possible):
        place = next(place for place, digit in enumerate(data) if digit not in possible)
        raise SatdokuError(f"boards[{place // count}] has {data[place]}, which is no digit there")


def _solve(data: bytes, geometry: Geometry) -> bytes:
    step = _BOARDS_AT_ONCE * geometry.cell_count
    parts = (data[begin : begin + step] for begin in range(0, len(data), step))
    return b"".join(_solve_part(part, geometry) for part in parts)


def _solve_part(part: bytes, geometry: Geometry) -> bytes:
    [(cells, is_unique, _)] = solve_blocks(geometry, [part])
    if 0 not in is_unique:
        return cells
    solved, width = bytearray(cells), geometry.cell_count
    number = is_unique.find(0)
    while number >= 0:
        here = slice(number * width, (number + 1) * width)
        # What the compiled library gives up may have one solution all the same.
        outcome = check(Puzzle(Grid(geometry, tuple(part[here]))))
        only = outcome.solution if outcome.verdict is Verdict.UNIQUE else None
        solved[here] = bytes(width) if only is None else bytes(only.digits)
        number = is_unique.find(0, number + 1)
    return bytes(solved)
