"""Boards with a bit for each candidate: what the known digits leave open."""

from collections.abc import Iterable
from typing import NamedTuple

from satdoku.encoding.encode import has_segments
from satdoku.encoding.triads import find_segments
from satdoku.encoding.variables import Auxiliaries, variable, variable_count
from satdoku.solving.bulk.places import Places, join


class OpenBoard(NamedTuple):
    """The bits of the candidates that are open, and of those that are placed.

    A candidate that is placed and excluded is not open: `has_clash` tells that this happened.
    """

    open_bits: int
    placed_bits: int
    has_clash: bool


class Crossing(NamedTuple):
    """Where rows, or columns, meet boxes in segments: shifts of bits, and last cells.

    The shifts bring the other `cells` of a segment to its last one, the segments `along` a line to
    the last one of the line, and those `across` a box to the last one of the box.
    """

    cells: range
    segment_ends: int
    along: range
    line_ends: int
    across: range


class Bits:
    """Elimination on the boards of one places.

    An *effect* has the bits of the candidates that a fact excludes and, `width` bits higher, of
    the one that it places.
    """

    def __init__(self, places: Places) -> None:
        geometry, stride, size = places.geometry, places.stride, places.geometry.size
        effects = _effects_of_facts(places)
        self._width = places.width
        self._every_bit = places.bits(places.cells)
        self.effects = [
            [0, *(effects[variable(geometry, cell, digit)] for digit in places.digits)]
            for cell in places.cells
        ]
        """By cell and digit what a given does; 0 for an empty cell."""
        self.effects_of_literal = [0, *(effects[number] for number in range(max(effects), 0, -1))]
        """Of placements and segments, by negative index: entry -v for variable v."""
        columns = geometry.box_columns
        self._digit_shifts = (range(1, columns), range(columns, size, columns))
        self._last_digits = join(places.bit(cell, size) for cell in places.cells)
        by_column = range(stride, stride * columns, stride)
        by_row = range(stride * size, stride * size * geometry.box_rows, stride * size)
        self._box_shifts = (by_column, by_row)
        self._box_ends = places.bits(box.cells[-1] for box in geometry.boxes)
        rows, line = geometry.box_rows, stride * size
        self._crossings = (
            Crossing(
                cells=by_column,
                segment_ends=places.bits(c for c in places.cells if (c + 1) % columns == 0),
                along=range(stride * columns, line, stride * columns),
                line_ends=places.bits(row.cells[-1] for row in geometry.rows),
                across=by_row,
            ),
            Crossing(
                cells=by_row,
                segment_ends=places.bits(c for c in places.cells if (c // size + 1) % rows == 0),
                along=range(line * rows, line * size, line * rows),
                line_ends=places.bits(column.cells[-1] for column in geometry.columns),
                across=by_column,
            ),
        )

    def eliminate(self, effects: Iterable[int]) -> OpenBoard:
        """The candidates that are left by all these effects together."""
        marks = join(effects)
        placed, excluded = marks >> self._width, marks & self._every_bit
        return OpenBoard((placed | excluded) ^ self._every_bit, placed, placed & excluded != 0)

    def exclude_locked(self, open_bits: int) -> int:
        """What is open when a digit that a line has in one box only is nowhere else in that box."""
        excluded = 0
        for crossing in self._crossings:
            occupied = _gather(open_bits, crossing.cells) & crossing.segment_ends
            lines = _singles(occupied, (crossing.along,)) & crossing.line_ends
            locked = occupied & _scatter(lines, crossing.along)
            boxes = _gather(locked, crossing.across) & self._box_ends
            elsewhere = _scatter(boxes, crossing.across)
            excluded |= _scatter(_without(elsewhere, locked), crossing.cells)
        return _without(open_bits, excluded)

    def count_naked_singles(self, open_bits: int) -> int:
        """How many cells have one candidate left."""
        return (_singles(open_bits, self._digit_shifts) & self._last_digits).bit_count()

    def count_hidden_singles(self, open_bits: int) -> int:
        """How often a digit has one place left in a box."""
        return (_singles(open_bits, self._box_shifts) & self._box_ends).bit_count()


def _singles(bits: int, shifts_of_steps: Iterable[Iterable[int]]) -> int:
    """Where exactly one of the bits is set that these shifts bring together, step by step."""
    once, twice = bits, 0
    for shifts in shifts_of_steps:
        here_once, here_twice = once, twice
        for shift in shifts:
            more = here_once >> shift
            twice |= here_twice >> shift | once & more
            once |= more
    return _without(once, twice)


def _without(bits: int, others: int) -> int:
    """Python turns `~` into a negative number, which costs more than a second operation."""
    return bits ^ (bits & others)


def _gather(bits: int, shifts: Iterable[int]) -> int:
    """Each bit, and again further down."""
    gathered = bits
    for shift in shifts:
        gathered |= bits >> shift
    return gathered


def _scatter(bits: int, shifts: Iterable[int]) -> int:
    """Each bit, and again further up."""
    scattered = bits
    for shift in shifts:
        scattered |= bits << shift
    return scattered


def _effects_of_facts(places: Places) -> dict[int, int]:
    """By variable: the effects of placements and, where there are any, of segments."""
    geometry = places.geometry
    first_bits = [places.bit(cell, 1) for cell in places.cells]
    effects = {}
    for cell, first_bit in enumerate(first_bits):
        every_digit = places.bits([cell])
        # The bits of another digit lie so many places lower.
        of_peers = join(first_bits[peer] for peer in geometry.peers_of(cell))
        for digit in places.digits:
            here, elsewhere = first_bit >> digit - 1, of_peers >> digit - 1
            placed = here << places.width
            effects[variable(geometry, cell, digit)] = placed | (every_digit ^ here) | elsewhere
    if has_segments(geometry):
        for segment in find_segments(geometry, Auxiliaries(variable_count(geometry))):
            others = {*segment.line.cells, *segment.box.cells}.difference(segment.cells)
            of_others = join(first_bits[cell] for cell in others)
            for digit in places.digits:
                effects[segment.variable(digit)] = of_others >> digit - 1
    return effects
