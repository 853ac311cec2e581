"""Numbering and filling whole boards agrees with a loop over candidates."""

from random import Random

from satdoku.deducing.sifter import MARK, NUMBERS
from satdoku.puzzle.grid import Geometry
from tests.boards import full_grid, thin_out
from tests.each import for_each
from tests.encoding.small_boards import SHAPES, layout_of

shapes = for_each("geometry", SHAPES)


@shapes
def test_every_candidate_has_a_place_of_its_own(geometry: Geometry) -> None:
    layout = layout_of(geometry)
    places = [
        layout.place(cell, digit)
        for cell in range(geometry.cell_count)
        for digit in range(1, geometry.size + 1)
    ]
    marks = range(geometry.size, layout.width, layout.stride)
    assert sorted([*places, *marks]) == list(range(layout.width))


@shapes
def test_candidates_are_numbered_in_order(geometry: Geometry) -> None:
    layout = layout_of(geometry)
    every = [place for place in range(layout.width) if (place + 1) % layout.stride]
    places = sorted(Random(1).sample(every, min(len(NUMBERS), len(every))))
    numbered = layout.number(places)
    assert bytes(numbered[place] for place in places) == NUMBERS[: len(places)]
    rest = numbered.translate(None, NUMBERS)
    assert rest.count(MARK) == geometry.cell_count == len(numbered[geometry.size :: layout.stride])
    assert set(numbered[geometry.size :: layout.stride]) == set(MARK)


def test_numbers_are_no_white_space() -> None:
    assert len(NUMBERS) == 249
    assert NUMBERS.split() == [NUMBERS]
    assert not set(MARK) & set(NUMBERS)


@shapes
def test_a_grid_is_filled_with_what_is_missing(geometry: Geometry) -> None:
    layout, grid = layout_of(geometry), full_grid(Random(1), geometry)
    some = thin_out(Random(1), grid, geometry.cell_count // 2)
    for known in (bytes(geometry.cell_count), bytes(some.digits), bytes(grid.digits)):
        missing = [
            layout.place(cell, digit) for cell, digit in enumerate(grid.digits) if not known[cell]
        ]
        assert layout.fill(known, missing) == bytes(grid.digits)
