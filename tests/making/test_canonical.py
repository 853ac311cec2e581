from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.making.canonical import (
    Smallest,
    canonical_form,
    canonical_forms,
    find_in_python,
    find_smallest,
)
from satdoku.making.full_grid import Chance, random_grid
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.symmetry import pattern_grid
from satdoku.solving.limits import Budget
from tests.boards import full_grid, read_grid, thin_out
from tests.compiled import needs_library
from tests.crossing import few_or_many
from tests.making.requests import make, request
from tests.random_twins import random_twin


def renamed(digits: tuple[int, ...]) -> tuple[int, ...]:
    """Digits numbered in the order in which they come."""
    names: dict[int, int] = {EMPTY: EMPTY}
    return tuple(names.setdefault(digit, len(names)) for digit in digits)


def orders(size: int, height: int) -> list[list[int]]:
    starts = range(0, size, height)
    return [
        [line for lines in chosen for line in lines]
        for bands in permutations(starts)
        for chosen in product(*(permutations(range(start, start + height)) for start in bands))
    ]


def every_twin(grid: Grid) -> list[tuple[int, ...]]:
    """All twins, with digits numbered in the order in which they come."""
    geometry, size = grid.geometry, grid.geometry.size
    boards = [grid.digits]
    if geometry.box_rows == geometry.box_columns:
        boards.append(tuple(grid.digits[c * size + r] for r in range(size) for c in range(size)))
    return [
        renamed(tuple(digits[row * size + column] for row in rows for column in columns))
        for digits in boards
        for rows in orders(size, geometry.box_rows)
        for columns in orders(size, geometry.box_columns)
    ]


def by_trying(grid: Grid) -> tuple[tuple[int, ...], int]:
    """The smallest of all twins, and how many ways lead to it."""
    twins = every_twin(grid)
    return min(twins), twins.count(min(twins))


@pytest.mark.parametrize("shape", [(2, 2), (1, 3), (3, 1)])
def test_the_form_is_the_smallest_of_all_twins(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    rng = Random(1)
    for givens in range(geometry.cell_count + 1):
        for _ in range(3):
            grid = thin_out(rng, full_grid(rng, geometry), givens)
            found = canonical_form(Puzzle(grid))
            assert (found.grid.digits, found.automorphisms) == by_trying(grid)


def boards(count: int) -> Iterator[Grid]:
    """9x9 boards with few givens, many and all."""
    rng = Random(8)
    for index in range(count):
        full = random_grid(Geometry(), Chance("forms", index))
        for givens in (rng.randint(1, 80), 81, rng.randint(17, 30)):
            yield thin_out(rng, full, givens)


@needs_library
@pytest.mark.parametrize("count", [4, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("blank", [0, 10])
def test_the_compiled_library_finds_the_same_forms(count: int, blank: int) -> None:
    grids = list(boards(count))
    clashing = bytes([5, 5]).ljust(81, b"\0")
    *found, refused = canonical_forms(
        b"".join([bytes(grid.digits) for grid in grids]) + clashing, bool(blank)
    )
    assert refused is None
    for grid, form in zip(grids, found, strict=True):
        assert form is not None
        expected = find_in_python(Geometry(), grid.digits, Budget(), blank)
        digits = tuple(blank - digit if blank else digit for digit in expected.digits)
        assert (tuple(form.digits), form.ways) == (digits, expected.ways)


@needs_library
def test_a_wrong_form_of_the_compiled_library_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.making.canonical.is_sample", lambda board: True)
    monkeypatch.setattr(
        "satdoku.making.canonical.find_in_python", lambda *of: Smallest((0,) * 81, 1)
    )
    with pytest.raises(SatdokuError, match="this is a bug"):
        canonical_form(Puzzle(thin_out(Random(1), full_grid(Random(1), Geometry()), 30)))


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_the_form_is_the_smallest_of_all_twins_of_6x6(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    for made in make(request(geometry), 2):
        found = canonical_form(made.puzzle)
        assert (found.grid.digits, found.automorphisms) == by_trying(made.puzzle.grid)


@few_or_many("count", 5, 12)
@pytest.mark.parametrize(
    "shape", [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), pytest.param((4, 4), marks=pytest.mark.slow)]
)
def test_all_twins_have_the_same_form(shape: tuple[int, int], count: int) -> None:
    geometry = Geometry(*shape)
    rng = Random(2)
    for _ in range(count):
        grid = thin_out(rng, full_grid(rng, geometry), geometry.cell_count * 3 // 10)
        twin = random_twin(rng, grid)
        # Transposing a board of other boxes makes another shape, which is no twin.
        while twin.geometry != geometry:
            twin = random_twin(rng, grid)
        form = canonical_form(Puzzle(grid))
        assert canonical_form(Puzzle(twin)) == form
        assert form.grid.digits <= grid.digits
        assert canonical_form(Puzzle(form.grid)) == form


@pytest.mark.slow
def test_full_grids_have_the_form_that_going_row_by_row_finds() -> None:
    rng = Random(3)
    grid = random_grid(Geometry(), Chance("canonical", 0))
    expected = find_smallest(Geometry(), grid.digits)
    found = canonical_form(Puzzle(grid))
    assert (found.grid.digits, found.automorphisms) == expected
    for _ in range(10):
        assert canonical_form(Puzzle(random_twin(rng, grid))) == found


def test_twins_of_full_grids_have_the_same_form_and_others_do_not() -> None:
    rng = Random(4)
    forms = set()
    for index in range(40):
        grid = random_grid(Geometry(), Chance("canonical", index))
        form = canonical_form(Puzzle(grid))
        assert canonical_form(Puzzle(random_twin(rng, grid))) == form
        assert form.grid.digits[:9] == tuple(range(1, 10))
        forms.add(form.grid)
    assert len(forms) == 40


def test_the_most_symmetric_grid_is_known() -> None:
    """Its form is in the literature, and so is its group of 648 elements."""
    form = canonical_form(Puzzle(MOST_SYMMETRIC))
    assert form.automorphisms == 648
    assert form.grid == MOST_SYMMETRIC


MOST_SYMMETRIC = read_grid(
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
)


def test_there_are_two_classes_of_full_4x4_grids() -> None:
    grids = (random_grid(Geometry(2, 2), Chance("4x4", index)) for index in range(60))
    assert len({canonical_form(Puzzle(grid)).grid for grid in grids}) == 2


def test_an_empty_board_can_be_moved_in_every_way() -> None:
    form = canonical_form(Puzzle(Grid.empty(Geometry())))
    assert form.grid == Grid.empty(Geometry())
    assert form.automorphisms == 2 * 6**8


def test_other_rules_are_refused() -> None:
    geometry = Geometry(2, 2)
    puzzle = Puzzle(Grid.empty(geometry)).with_rules([read_rule("anti-knight", geometry)])
    with pytest.raises(SatdokuError, match="this puzzle has anti-knight"):
        canonical_form(puzzle)


def test_boards_with_too_many_twins_are_refused() -> None:
    grid = pattern_grid(Geometry(2, 5))
    with pytest.raises(TooLargeError, match="more than 50 twins of this board begin alike"):
        find_smallest(grid.geometry, grid.digits, most_twins=50)


def test_large_boards_are_refused() -> None:
    with pytest.raises(TooLargeError, match="up to 16x16, not for 20x20"):
        canonical_form(Puzzle(Grid.empty(Geometry(4, 5))))


@pytest.mark.parametrize("board", [Grid.empty(Geometry()), full_grid(Random(1), Geometry())])
def test_givens_that_clash_are_refused(board: Grid) -> None:
    clashing = Grid(Geometry(), (5, 5, *board.digits[2:]))
    with pytest.raises(SatdokuError, match="clash has no canonical form: r1c1 and r1c2 are both 5"):
        canonical_form(Puzzle(clashing))


def test_twins_and_only_twins_have_one_form() -> None:
    rng = Random(5)
    puzzles = [made.puzzle for made in make(request(Geometry(2, 3), seed="twins"), 5)]
    forms = [canonical_form(puzzle).grid for puzzle in puzzles]
    assert len(set(forms)) == len(puzzles)
    for puzzle, form in zip(puzzles, forms, strict=True):
        twin = random_twin(rng, puzzle.grid)
        # A transposed board has boxes of another shape, so it is no twin.
        is_twin = twin.geometry == puzzle.geometry
        assert (canonical_form(Puzzle(twin)).grid == form) == is_twin


@pytest.mark.parametrize("shape", [(2, 2), (1, 3), (3, 1)])
def test_the_other_form_is_the_largest_of_all_twins(shape: tuple[int, int]) -> None:
    geometry = Geometry(*shape)
    rng = Random(4)
    for givens in range(geometry.cell_count + 1):
        grid = thin_out(rng, full_grid(rng, geometry), givens)
        # In the largest twin the digits come from the highest on.
        turned = (
            tuple(digit and geometry.size + 1 - digit for digit in twin)
            for twin in every_twin(grid)
        )
        assert canonical_form(Puzzle(grid), None, True).grid.digits == max(turned)


@pytest.mark.parametrize("is_largest", [False, True])
def test_the_moves_lead_to_the_form(is_largest: bool) -> None:
    rng = Random(3)
    for shape, givens in (((2, 2), 6), ((2, 3), 12), ((3, 3), 26), ((3, 4), 50), ((2, 3), 36)):
        require_moves(thin_out(rng, full_grid(rng, Geometry(*shape)), givens), is_largest)


@pytest.mark.slow
@pytest.mark.parametrize("is_largest", [False, True])
def test_the_moves_of_larger_full_grids_lead_to_the_form(is_largest: bool) -> None:
    rng = Random(3)
    for shape in ((2, 4), (3, 3)):
        require_moves(full_grid(rng, Geometry(*shape)), is_largest)


def require_moves(grid: Grid, is_largest: bool) -> None:
    form = canonical_form(Puzzle(grid), None, is_largest, with_moves=True)
    assert form.moves is not None
    assert form.moves.apply(grid.digits) == form.grid.digits
    assert sorted(form.moves.names) == list(range(grid.geometry.size + 1))
