import multiprocessing
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.errors import SolverError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import LimitReachedError, Limits
from satdoku.solving.questions import Count, check, count, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import (
    HARD,
    HARD_SOLUTION,
    TOO_HARD,
    USUAL_SHAPES,
    pigeonhole_puzzle,
    random_puzzle,
)
from tests.crossing import sampled
from tests.each import for_each
from tests.solvers import INSTALLED
from tests.waiting import SOON

LIMIT = 40
seeds = st.integers(0, 2**32)
usual_shapes = st.sampled_from(USUAL_SHAPES[:4])


def board(seed: int, geometry: Geometry) -> Grid:
    return random_puzzle(Random(seed), geometry, fewest=0.35, most=0.6).grid


def number_of_solutions(grid: Grid) -> Count:
    return count(Puzzle(grid), limit=LIMIT)


def transposed(grid: Grid) -> Grid:
    turned = Geometry(grid.geometry.box_columns, grid.geometry.box_rows)
    return Grid(turned, tuple(digit for column in zip(*grid.rows, strict=True) for digit in column))


def with_rows(grid: Grid, order: list[int]) -> Grid:
    rows = grid.rows
    return Grid(grid.geometry, tuple(digit for row in order for digit in rows[row]))


@settings(deadline=None)
@given(seeds, usual_shapes, st.data())
def test_relabelling_the_digits_keeps_the_count(
    seed: int, geometry: Geometry, data: st.DataObject
) -> None:
    grid = board(seed, geometry)
    names = [0, *data.draw(st.permutations(range(1, geometry.size + 1)))]
    relabelled = Grid(geometry, tuple(names[digit] for digit in grid.digits))
    assert number_of_solutions(relabelled) == number_of_solutions(grid)


@settings(deadline=None)
@given(seeds, usual_shapes, st.data())
def test_permuting_bands_and_the_rows_in_them_keeps_the_count(
    seed: int, geometry: Geometry, data: st.DataObject
) -> None:
    grid = board(seed, geometry)
    height = geometry.box_rows
    order = [
        band * height + row
        for band in data.draw(st.permutations(range(geometry.box_columns)))
        for row in data.draw(st.permutations(range(height)))
    ]
    assert number_of_solutions(with_rows(grid, order)) == number_of_solutions(grid)


@settings(deadline=None)
@given(seeds, usual_shapes)
def test_transposing_keeps_the_count(seed: int, geometry: Geometry) -> None:
    grid = board(seed, geometry)
    assert number_of_solutions(transposed(grid)) == number_of_solutions(grid)


@settings(deadline=None)
@given(seeds, usual_shapes, st.data())
def test_taking_a_given_away_never_takes_a_solution(
    seed: int, geometry: Geometry, data: st.DataObject
) -> None:
    grid = board(seed, geometry)
    cell = data.draw(st.sampled_from(sorted(grid.givens)))
    fewer = grid.with_digits({cell: 0})
    assert number_of_solutions(fewer).number >= number_of_solutions(grid).number


def test_every_given_of_the_hard_puzzle_is_needed() -> None:
    for cell in HARD.givens:
        without = Puzzle(HARD.grid.with_digits({cell: 0}))
        assert check(without).verdict is Verdict.MULTIPLE


@for_each(
    "limit, number, is_complete",
    [(None, 288, True), (1_000, 288, True), (288, 288, True), (287, 287, False), (1, 1, False)],
)
def test_counting_stops_at_its_limit_and_says_so(
    limit: int | None, number: int, is_complete: bool
) -> None:
    counted = count(Puzzle(Grid.empty(Geometry(2, 2))), limit)
    assert (counted.number, counted.is_complete) == (number, is_complete)
    assert counted.is_at_limit is not is_complete
    assert str(counted) == (str(number) if is_complete else f"{number}+")
    assert bool(counted.reason) is not is_complete


def test_solutions_are_lazy() -> None:
    """The empty 9x9 board has more solutions than anybody could wait for."""
    solutions = find_solutions(Puzzle(Grid.empty(Geometry())))
    assert next(solutions) != next(solutions)


def test_the_outcome_carries_its_evidence() -> None:
    outcome = check(HARD)
    assert (outcome.verdict, outcome.solution, outcome.second) == (
        Verdict.UNIQUE,
        HARD_SOLUTION,
        None,
    )
    assert outcome.puzzle is HARD
    assert outcome.statistics.seconds > 0
    assert outcome.statistics.counters["conflicts"] > 0
    assert outcome.statistics.encoding == "reduced"


def test_two_solutions_are_shown_with_the_cells_in_which_they_differ() -> None:
    outcome = check(Puzzle(HARD.grid.with_digits({0: 0})))
    assert outcome.solution is not None
    assert outcome.second is not None
    assert outcome.differences == outcome.solution.differences(outcome.second) != ()


@sampled(2, "solver", ["lingeling", "kissat404"])
def test_solvers_that_only_death_stops_enumerate_in_a_process_of_their_own(solver: str) -> None:
    limited = Settings(solver=solver, limits=Limits(timeout=60))
    small = Puzzle(Grid.empty(Geometry(2, 2)).with_digits({0: 1, 5: 2}))
    assert count(small, settings=limited).number == 288 // 4 // 3
    assert list(find_solutions(HARD, Settings(solver=solver))) == [HARD_SOLUTION]
    assert list(find_solutions(pigeonhole_puzzle(5, 12), Settings(solver=solver))) == []
    few = find_solutions(Puzzle(Grid.empty(Geometry())), limited)
    assert next(few) != next(few)
    del few
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("solver", ["lingeling", "kissat404"])
def test_their_time_limit_holds(solver: str) -> None:
    limited = Settings(solver=solver, limits=Limits(timeout=0.3))
    begin = time.monotonic()
    with pytest.raises(LimitReachedError, match=r"not decided within 0.3 s"):
        next(find_solutions(TOO_HARD, limited))
    assert time.monotonic() - begin < SOON
    assert not multiprocessing.active_children()


@pytest.mark.skipif("cryptosat" in INSTALLED, reason="pycryptosat is installed")
def test_their_errors_arrive() -> None:
    with pytest.raises(SolverError, match="has no cryptosat"):
        next(find_solutions(HARD, Settings(solver="cryptosat")))


def test_a_portfolio_does_not_enumerate() -> None:
    with pytest.raises(SolverError, match="several solutions need one solver"):
        next(find_solutions(HARD, Settings(portfolio=("minicard", "cadical195"))))


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(SolverError, match="there is no solver 'minisudoku'"):
        check(HARD, Settings(solver="minisudoku"))
