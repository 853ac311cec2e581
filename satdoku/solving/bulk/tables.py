"""What is the same for every puzzle of a geometry.

A *field* is one long integer with a byte for every candidate, cell by cell, and one more byte
after each cell that separates it from the next; the first cell is in the highest bytes:

    2x2:  1 2 3 4 | 1 2 3 4 | ...        candidate (cell, digit) is byte 5 * cell + digit - 1

A whole board is then excluded from, counted or numbered by a few operations on one integer, which
costs a hundredth of doing so candidate by candidate.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from satdoku.encoding.encode import has_segments
from satdoku.encoding.triads import find_segments
from satdoku.encoding.variables import Auxiliaries, variable, variable_count
from satdoku.puzzle.geometry import Geometry

EXCLUDED, PLACED = 1, 2
SEPARATOR = 255


def supports(geometry: Geometry) -> bool:
    """Whether a cell's number fits a byte that is not the separator, and there is a choice at all.

    >>> supports(Geometry(3, 5)), supports(Geometry(4, 4)), supports(Geometry(1, 1))
    (True, False, False)
    """
    return geometry.size > 1 and geometry.cell_count <= SEPARATOR


@dataclass(frozen=True, slots=True)
class Tables:
    """Look-up tables of a geometry; literals that place a digit are negative, see `propagator`."""

    geometry: Geometry
    width: int
    ones: int
    """1 for each candidate."""
    separators: int
    digits: int
    """For each candidate its digit."""
    literals: list[list[int]]
    """By cell and digit: the literal of the placement, 0 for an empty cell."""
    effects: list[list[int]]
    """By cell and digit: a field of what the given places and excludes, 0 for an empty cell."""
    effects_of_literal: list[int]
    """The same by negative index, for segments too: entry -v for literal -v."""
    placements: frozenset[int]
    facts: frozenset[int]
    """The literals of all placements, and those with the ones of all segments."""
    numbers: frozenset[int]
    """All numbers that a candidate may get in a small formula."""
    doubling_shifts: tuple[int, ...]
    box_shifts: tuple[tuple[int, ...], tuple[int, ...]]
    """What brings the other columns, then the other rows, of a box over its last cell."""
    box_ends: int


def build_tables(geometry: Geometry) -> Tables:
    size, cells = geometry.size, range(geometry.cell_count)
    digits = range(1, size + 1)
    stride = size + 1
    width = stride * geometry.cell_count
    byte = _byte_of(width, stride)
    effect_of = {
        variable(geometry, cell, digit): _effect_of_given(geometry, cell, digit, byte)
        for cell in cells
        for digit in digits
    }
    if has_segments(geometry):
        effect_of |= _effects_of_segments(geometry, byte)
    highest = max(effect_of)
    return Tables(
        geometry=geometry,
        width=width,
        ones=_join(byte(cell, digit, 1) for cell in cells for digit in digits),
        separators=_join(byte(cell, stride, SEPARATOR) for cell in cells),
        digits=_join(byte(cell, digit, digit) for cell in cells for digit in digits),
        literals=[[0, *(-variable(geometry, cell, d) for d in digits)] for cell in cells],
        effects=[[0, *(effect_of[variable(geometry, cell, d)] for d in digits)] for cell in cells],
        effects_of_literal=[0, *(effect_of[number] for number in range(highest, 0, -1))],
        placements=frozenset(range(-variable_count(geometry), 0)),
        facts=frozenset(range(-highest, 0)),
        numbers=frozenset(range(1, variable_count(geometry) + 1)),
        doubling_shifts=tuple(8 << power for power in range(width.bit_length())),
        box_shifts=(
            tuple(8 * stride * step for step in range(1, geometry.box_columns)),
            tuple(8 * stride * size * step for step in range(1, geometry.box_rows)),
        ),
        box_ends=_join(
            byte(box.cells[-1], digit, SEPARATOR) for box in geometry.boxes for digit in digits
        ),
    )


Byte = Callable[[int, int, int], int]


def _byte_of(width: int, stride: int) -> Byte:
    """A function that makes a field with one byte in it."""

    def byte(cell: int, digit: int, value: int) -> int:
        return value << 8 * (width - stride * cell - digit)

    return byte


def _join(fields: Iterable[int]) -> int:
    return reduce(or_, fields, 0)


def _effect_of_given(geometry: Geometry, cell: int, digit: int, byte: Byte) -> int:
    """The placement itself, and what it excludes: other digits here, this digit at the peers."""
    others = (d for d in range(1, geometry.size + 1) if d != digit)
    return (
        byte(cell, digit, PLACED)
        | _join(byte(cell, other, EXCLUDED) for other in others)
        | _join(byte(peer, digit, EXCLUDED) for peer in geometry.peers_of(cell))
    )


def _effects_of_segments(geometry: Geometry, byte: Byte) -> dict[int, int]:
    """A digit in a segment is nowhere else in its line and its box."""
    effects = {}
    for segment in find_segments(geometry, Auxiliaries(variable_count(geometry))):
        elsewhere = {*segment.line.cells, *segment.box.cells}.difference(segment.cells)
        for digit in range(1, geometry.size + 1):
            effects[segment.variable(digit)] = _join(
                byte(cell, digit, EXCLUDED) for cell in elsewhere
            )
    return effects
