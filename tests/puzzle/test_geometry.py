import pickle
from itertools import combinations

import pytest

from satdoku.errors import SatdokuError
from satdoku.puzzle.grid import Geometry
from tests.boards import SHAPES
from tests.each import for_each

shapes = for_each("geometry", SHAPES)


@shapes
def test_rows_columns_and_boxes_each_cover_the_board_once(geometry: Geometry) -> None:
    for units in (geometry.rows, geometry.columns, geometry.boxes):
        assert len(units) == geometry.size
        assert {len(unit.cells) for unit in units} == {geometry.size}
        assert sorted(c for unit in units for c in unit.cells) == list(range(geometry.cell_count))


@shapes
def test_every_cell_lies_in_the_row_column_and_box_that_name_it(geometry: Geometry) -> None:
    for cell in range(geometry.cell_count):
        assert cell in geometry.rows[geometry.row_of(cell)].cells
        assert cell in geometry.columns[geometry.column_of(cell)].cells
        assert cell in geometry.boxes[geometry.box_of(cell)].cells


@shapes
def test_boxes_have_their_rows_and_columns(geometry: Geometry) -> None:
    for box in geometry.boxes:
        assert len({geometry.row_of(cell) for cell in box.cells}) == geometry.box_rows
        assert len({geometry.column_of(cell) for cell in box.cells}) == geometry.box_columns


@shapes
def test_peers_are_exactly_the_cells_that_share_a_unit(geometry: Geometry) -> None:
    pairs = {pair for unit in geometry.units for pair in combinations(sorted(unit.cells), 2)}
    for cell in range(geometry.cell_count):
        expected = {a + b - cell for a, b in pairs if cell in (a, b)}
        assert geometry.peers_of(cell) == expected


def test_cells_are_numbered_as_in_the_drawing() -> None:
    geometry = Geometry(2, 3)
    assert geometry.boxes[0].cells == (0, 1, 2, 6, 7, 8)
    assert geometry.boxes[1].cells == (3, 4, 5, 9, 10, 11)
    assert geometry.boxes[2].cells[0] == 12
    assert geometry.name_of(13) == "r3c2"
    assert str(geometry.columns[3]) == "column 4"


@for_each("size, box", [(1, "1x1"), (4, "2x2"), (6, "2x3"), (7, "1x7"), (9, "3x3"), (10, "2x5")])
def test_the_usual_box_is_as_square_as_it_goes_and_wide(size: int, box: str) -> None:
    assert str(Geometry.of_size(size)) == box


@pytest.mark.parametrize("box", [(0, 3), (3, 0), (-1, -1)])
def test_a_box_without_cells_is_refused(box: tuple[int, int]) -> None:
    with pytest.raises(SatdokuError, match="has no cells"):
        Geometry(*box)


@pytest.mark.parametrize("size", [0, -9])
def test_a_board_without_digits_is_refused(size: int) -> None:
    with pytest.raises(SatdokuError):
        Geometry.of_size(size)


@shapes
def test_geometry_travels_between_processes_without_its_units(geometry: Geometry) -> None:
    assert geometry.units
    sent = pickle.dumps(geometry)
    assert len(sent) < 100
    assert pickle.loads(sent) == geometry
