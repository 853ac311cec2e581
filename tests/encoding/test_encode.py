from itertools import cycle, product
from random import Random

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.encoding.encode import description_of, encode, measure
from satdoku.encoding.variables import variable_count
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.boards import (
    ODD_SHAPES,
    SHAPES,
    USUAL_SHAPES,
    clashing_puzzle,
    full_grid,
    random_puzzle,
    spoil,
    stuck_puzzle,
)
from tests.crossing import crossed
from tests.each import for_each
from tests.formulas import clauses_of_grid, models_of_grid
from tests.oracle import solutions_of

encodings = for_each("encoding", Encoding)
TIDY: list[Method] = [method for method in Method if method is not Method.TEXTBOOK]


def boards(geometry: Geometry) -> list[Grid]:
    """Boards with no, some and all givens, right and wrong ones."""
    rng = Random(str(geometry))
    full = full_grid(rng, geometry)
    grids = [Grid.empty(geometry), full, spoil(rng, full)]
    grids += [random_puzzle(rng, geometry).grid for _ in range(2)]
    if geometry.size > 1:
        grids += [clashing_puzzle(geometry).grid, stuck_puzzle(geometry).grid]
    return grids


def require_clean(clauses: list[tuple[int, ...]]) -> None:
    """No clause twice, none empty, none that holds anyway or repeats a literal."""
    assert len({frozenset(clause) for clause in clauses}) == len(clauses)
    for clause in clauses:
        assert len({abs(literal) for literal in clause}) == len(clause) > 0


@crossed(10, method=Method, encoding=Encoding)
def test_4x4_has_288_models_that_are_the_oracles(encoding: Encoding, method: Method) -> None:
    grid = Grid.empty(Geometry(2, 2))
    models = [model.digits for model in models_of_grid(grid, encoding, method)]
    assert len(models) == 288
    assert sorted(models) == sorted(solutions_of(2, 2, grid.digits))


@crossed(10, method=Method, encoding=Encoding)
def test_models_are_the_solutions_whatever_the_shape(encoding: Encoding, method: Method) -> None:
    rng = Random(f"{encoding} {method}")
    for geometry in (*ODD_SHAPES, Geometry(2, 2), Geometry(2, 3), Geometry(3, 2)):
        for _ in range(2):
            grid = random_puzzle(rng, geometry, fewest=0.45, most=1.0).grid
            models = sorted(model.digits for model in models_of_grid(grid, encoding, method))
            expected = sorted(solutions_of(geometry.box_rows, geometry.box_columns, grid.digits))
            assert models == expected, (geometry, grid.digits)


@crossed(10, geometry=USUAL_SHAPES[:3], method=TIDY, encoding=Encoding)
def test_no_clause_comes_twice_or_says_nothing(
    encoding: Encoding, method: Method, geometry: Geometry
) -> None:
    # Of larger boards every third, beginning with another one for each method.
    first, step = (0, 1) if geometry.size == 4 else (TIDY.index(method) % 3, 3)
    for grid in boards(geometry)[first::step]:
        require_clean(clauses_of_grid(grid, encoding, method))


@pytest.mark.parametrize(
    ("encoding", "method"),
    [
        *zip(cycle(Encoding), TIDY, strict=False),
        *(pytest.param(*both, marks=pytest.mark.slow) for both in product(Encoding, TIDY)),
    ],
)
@pytest.mark.parametrize(
    "geometry",
    [Geometry(3, 3), pytest.param(Geometry(2, 5), marks=pytest.mark.slow)],
    ids=str,
)
def test_no_clause_comes_twice_or_says_nothing_on_larger_boards(
    encoding: Encoding, method: Method, geometry: Geometry
) -> None:
    grid = random_puzzle(Random(f"{encoding} {method}"), geometry).grid
    require_clean(clauses_of_grid(grid, encoding, method))


@encodings
@pytest.mark.parametrize("geometry", [Geometry(2, 2), Geometry(2, 3)], ids=str)
def test_textbooks_state_the_clauses_of_pairwise_and_no_others(
    encoding: Encoding, geometry: Geometry
) -> None:
    for grid in boards(geometry):
        textbook = clauses_of_grid(grid, encoding, Method.TEXTBOOK)
        assert set(textbook) == set(clauses_of_grid(grid, encoding, Method.PAIRWISE))


@pytest.mark.parametrize(
    ("encoding", "clauses"),
    [(Encoding.MINIMAL, 8829), (Encoding.EFFICIENT, 11745), (Encoding.EXTENDED, 11988)],
)
def test_textbooks_have_the_published_number_of_clauses(encoding: Encoding, clauses: int) -> None:
    assert len(clauses_of_grid(Grid.empty(Geometry(3, 3)), encoding, Method.TEXTBOOK)) == clauses


@pytest.mark.slow
@encodings
def test_no_clause_comes_twice_or_says_nothing_in_boxes_of_2x5(encoding: Encoding) -> None:
    for grid in (random_puzzle(Random(1), Geometry(2, 5)).grid, Grid.empty(Geometry(2, 5))):
        require_clean(clauses_of_grid(grid, encoding))


@crossed(5, geometry=ODD_SHAPES, encoding=Encoding)
def test_no_clause_comes_twice_or_says_nothing_with_odd_boxes(
    encoding: Encoding, geometry: Geometry
) -> None:
    for grid in boards(geometry):
        for method in TIDY:
            require_clean(clauses_of_grid(grid, encoding, method))


@pytest.mark.parametrize(
    ("encoding", "variables", "clauses"),
    [
        (Encoding.MINIMAL, 729, 8_829 - 1_458),
        (Encoding.EFFICIENT, 729, 10_287),
        (Encoding.EXTENDED, 729, 11_988 - 1_458),
        (Encoding.TRIADS, 1_215, 7_695),
    ],
    ids=str,
)
def test_9x9_has_the_documented_size(encoding: Encoding, variables: int, clauses: int) -> None:
    assert measure(Puzzle(Grid.empty(Geometry())), encoding) == (variables, clauses)


def test_the_textbook_states_1458_pairs_twice() -> None:
    """Two cells of a box that share a row or column: 18 pairs in 9 boxes for 9 digits."""
    geometry = Geometry()
    pairs = sum(
        geometry.row_of(a) == geometry.row_of(b) or geometry.column_of(a) == geometry.column_of(b)
        for box in geometry.boxes
        for a in box.cells
        for b in box.cells
        if a < b
    )
    assert pairs * geometry.size == 1_458


@crossed(5, geometry=SHAPES, encoding=Encoding)
def test_size_is_measured_as_it_is(encoding: Encoding, geometry: Geometry) -> None:
    method = Method.SEQUENTIAL
    for grid in boards(geometry)[1:4]:
        clauses = clauses_of_grid(grid, encoding, method)
        highest = max(abs(literal) for clause in clauses for literal in clause)
        expected = (max(highest, variable_count(geometry)), len(clauses))
        assert measure(Puzzle(grid), encoding, method) == expected


@crossed(5, method=Method, encoding=Encoding)
def test_encoding_twice_gives_the_same_clauses(encoding: Encoding, method: Method) -> None:
    puzzle = random_puzzle(Random(5), Geometry(2, 3))
    assert list(encode(puzzle, encoding, method)) == list(encode(puzzle, encoding, method))


@crossed(5, geometry=SHAPES, encoding=Encoding)
def test_every_group_has_clauses_and_a_reason_in_words(
    encoding: Encoding, geometry: Geometry
) -> None:
    for grid in boards(geometry)[1:3]:
        for group in encode(Puzzle(grid), encoding):
            assert group.clauses
            assert str(group.reason)
            assert "None" not in str(group.reason)
            assert "{" not in str(group.reason)


def test_encodings_are_told_apart_in_words() -> None:
    descriptions = {description_of(encoding) for encoding in Encoding}
    assert len(descriptions) == len(Encoding)
    assert all(descriptions)
