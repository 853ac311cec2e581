from collections import Counter

import pytest

from satdoku.generating.random_regions import random_regions
from satdoku.puzzle.chance import Chance
from satdoku.puzzle.geometry import Geometry


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3)])
def test_regions_are_in_one_piece_and_of_the_right_size(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    size = geometry.size
    for index in range(10):
        regions = random_regions(geometry, Chance("regions", index))
        assert set(Counter(regions.region_of).values()) == {size}
        for unit in regions.units(geometry):
            reached, border = set(), [unit.cells[0]]
            while border:
                cell = border.pop()
                if cell in unit.cells and cell not in reached:
                    reached.add(cell)
                    steps = (
                        [-size, size] + [-1] * (cell % size > 0) + [1] * (cell % size < size - 1)
                    )
                    border += [cell + step for step in steps]
            assert reached == set(unit.cells)


def test_regions_leave_the_shape_of_boxes() -> None:
    regions = random_regions(Geometry(), Chance("regions", 1))
    moved = sum(Geometry().box_of(c) != region for c, region in enumerate(regions.region_of))
    assert moved > 20
