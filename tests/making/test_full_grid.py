from collections import Counter

from satdoku.making.full_grid import Chance, random_grid, random_regions
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from tests.crossing import few_or_many, sampled
from tests.each import for_each


@for_each("shape", [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4), (5, 5)])
def test_grids_of_any_shape_are_right(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    for index in range(5):
        grid = random_grid(geometry, Chance("shapes", index))
        assert find_fault(grid, Puzzle(Grid.empty(geometry))) == ""


@few_or_many("count", 3000, 6000)
def test_all_288_grids_of_4x4_come_about_as_often(count: int) -> None:
    seen = Counter(random_grid(Geometry(2, 2), Chance("4x4", i)).digits for i in range(count))
    assert len(seen) == 288
    # Of 6,000 the mean is 21; twelve standard deviations above it would be 76.
    assert max(seen.values()) < count // 100


def has_pure_band(digits: tuple[int, ...]) -> bool:
    """Whether the first two boxes consist of the same three triples."""
    triples = [{frozenset(digits[row + at : row + at + 3]) for row in (0, 9, 18)} for at in (0, 3)]
    return triples[0] == triples[1]


@few_or_many("count", 300, 600)
def test_bands_of_equal_triples_are_about_as_frequent_as_among_all_grids(count: int) -> None:
    grids = [random_grid(Geometry(), Chance("bands", index)).digits for index in range(count)]
    share = sum(map(has_pure_band, grids)) / len(grids)
    # 2/56 = 0.0357 among all grids; the standard deviation of 600 is 0.0076.
    assert 0.01 < share < 0.065


@sampled(2, "shape", [(2, 2), (2, 3), (3, 3)])
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
