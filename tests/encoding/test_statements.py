from random import Random

import pytest

from satdoku.encoding.choices import Encoding
from satdoku.encoding.encode import find_segments, has_segments
from satdoku.encoding.variables import Auxiliaries, variable_count
from satdoku.puzzle.grid import Geometry, Grid
from tests.boards import ODD_SHAPES, USUAL_SHAPES, random_puzzle
from tests.crossing import few_or_many
from tests.each import for_each
from tests.formulas import clauses_of_grid, propagate

usual_shapes = for_each("geometry", USUAL_SHAPES)


@usual_shapes
def test_segments_cover_the_board_once_by_rows_and_once_by_columns(geometry: Geometry) -> None:
    segments = find_segments(geometry, Auxiliaries(variable_count(geometry)))
    for kind, length in (("row", geometry.box_columns), ("column", geometry.box_rows)):
        lines = [segment for segment in segments if segment.line.kind == kind]
        assert {len(segment.cells) for segment in lines} == {length}
        cells = sorted(cell for segment in lines for cell in segment.cells)
        assert cells == list(range(geometry.cell_count))


@usual_shapes
def test_a_segment_is_what_its_line_and_box_share(geometry: Geometry) -> None:
    for segment in find_segments(geometry, Auxiliaries(0)):
        assert set(segment.cells) == set(segment.line.cells) & set(segment.box.cells)


@usual_shapes
def test_segment_variables_lie_above_the_cells_and_are_all_different(geometry: Geometry) -> None:
    first = variable_count(geometry)
    segments = find_segments(geometry, Auxiliaries(first))
    numbers = [s.variable(d) for s in segments for d in range(1, geometry.size + 1)]
    assert sorted(numbers) == list(range(first + 1, first + 1 + len(numbers)))


@for_each("geometry", ODD_SHAPES)
def test_boxes_that_are_lines_fall_back_on_extended(geometry: Geometry) -> None:
    assert not has_segments(geometry)
    grid = Grid.empty(geometry)
    assert clauses_of_grid(grid, Encoding.TRIADS) == clauses_of_grid(grid, Encoding.EXTENDED)


@few_or_many("count", 6, 10)
@pytest.mark.parametrize(
    "geometry",
    [pytest.param(s, marks=[pytest.mark.slow] * (s.size > 9)) for s in USUAL_SHAPES],
    ids=str,
)
def test_unit_propagation_derives_all_that_it_derives_from_extended(
    geometry: Geometry, count: int
) -> None:
    rng = Random(str(geometry))
    more = 0
    for _ in range(count):
        grid = random_puzzle(rng, geometry, fewest=0.3, most=0.45).grid
        extended = propagate(clauses_of_grid(grid, Encoding.EXTENDED))
        triads = propagate(clauses_of_grid(grid, Encoding.TRIADS))
        if triads is not None:
            assert extended is not None
            assert extended <= triads
            triads = {x for x in triads if abs(x) <= variable_count(geometry)}
        more += extended != triads
    assert (more > 0) is (geometry.size > 4)
