from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.symmetry import (
    Symmetry,
    pattern_digit,
    pattern_grid,
    possible_counts,
    symmetries_of,
)
from tests.boards import SHAPES
from tests.each import for_each


@for_each("symmetry", Symmetry)
@for_each("shape", [(2, 2), (2, 3), (3, 3)])
def test_every_cell_is_in_one_orbit(symmetry: Symmetry, shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    cells = [cell for orbit in symmetry.orbits(geometry) for cell in orbit]
    assert sorted(cells) == list(range(geometry.cell_count))


@for_each(
    "symmetry, count",
    [
        (Symmetry.NONE, 81),
        (Symmetry.ROTATE180, 41),
        (Symmetry.ROTATE90, 21),
        (Symmetry.HORIZONTAL, 45),
        (Symmetry.VERTICAL, 45),
        (Symmetry.DIAGONAL, 45),
        (Symmetry.ANTIDIAGONAL, 45),
        (Symmetry.MIRRORS, 25),
        (Symmetry.DIAGONALS, 25),
        (Symmetry.FULL, 15),
    ],
)
def test_the_number_of_orbits_is_that_of_burnside(symmetry: Symmetry, count: int) -> None:
    assert len(symmetry.orbits(Geometry())) == count


def test_boards_of_other_shapes_turn_by_their_places() -> None:
    samurai = Geometry.parse("samurai")
    assert symmetries_of(samurai) == list(Symmetry)
    turned = Symmetry.ROTATE180.orbits(samurai)[0]
    assert [samurai.name_of(cell) for cell in turned] == ["r1c1", "r21c21"]
    wide = Geometry.parse("board:4x6:beside=X*2")
    named = [symmetry.value for symmetry in symmetries_of(wide)]
    assert named == ["none", "rotate180", "horizontal", "vertical", "mirrors"]
    assert Symmetry.MIRRORS.orbits(wide)[0] == (0, 5, 18, 23)
    assert Symmetry.MIRRORS.orbits(wide)[-2:] == ((24,), (25,))


def test_horizontal_mirrors_left_and_right() -> None:
    assert Symmetry.HORIZONTAL.orbits(Geometry(2, 2))[0] == (0, 3)
    assert Symmetry.VERTICAL.orbits(Geometry(2, 2))[0] == (0, 12)
    assert Symmetry.DIAGONAL.orbits(Geometry(2, 2))[1] == (1, 4)
    assert Symmetry.ANTIDIAGONAL.orbits(Geometry(2, 2))[0] == (0, 15)


def test_a_quarter_turn_has_the_centre_or_not() -> None:
    counts = possible_counts(Symmetry.ROTATE90.orbits(Geometry()))
    assert counts == {count for count in range(82) if count % 4 in (0, 1)}


def test_every_symmetry_is_described() -> None:
    assert len({symmetry.description for symmetry in Symmetry}) == len(Symmetry)


@for_each("geometry", [*SHAPES, Geometry(5, 2), Geometry(4, 6)])
def test_the_pattern_is_a_right_grid_of_any_shape(geometry: Geometry) -> None:
    grid = pattern_grid(geometry)
    assert not find_fault(grid, Puzzle(Grid.empty(geometry)))
    assert grid.digits[-1] == pattern_digit(geometry, geometry.cell_count - 1)
