"""Laying units side by side gathers what a loop over their cells gathers."""

from random import Random

from satdoku.deducing.layout import NUMBERS
from satdoku.encoding.small.unit_tables import UnitTables
from satdoku.puzzle.geometry import Geometry
from tests.each import for_each
from tests.encoding.small.candidates import SHAPES, layout_of


@for_each("geometry", SHAPES)
def test_each_unit_has_the_numbers_of_its_cells_digit_by_digit(geometry: Geometry) -> None:
    layout = layout_of(geometry)
    every = [place for place in range(layout.width) if (place + 1) % layout.stride]
    places = sorted(Random(1).sample(every, min(len(NUMBERS), len(every)) * 2 // 3))
    numbered = layout.number(places)
    found = UnitTables(layout).split(numbered)
    for kinds, groups in zip((("row", "column"), ("box",)), found, strict=True):
        expected = [
            bytes(numbered[layout.place(cell, digit)] for cell in unit.cells).replace(b"\0", b"")
            for unit in geometry.units
            if unit.kind in kinds
            for digit in range(1, geometry.size + 1)
        ]
        assert sorted(groups) == sorted(filter(None, expected))
