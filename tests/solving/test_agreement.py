"""Every way to ask gives the oracle's answer, on hundreds of random puzzles."""

from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random

import pytest

from satdoku.encoding.choices import Encoding, Method
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import (
    HARD,
    HARD_SOLUTION,
    SHAPES,
    clashing_puzzle,
    full_grid,
    pigeonhole_puzzle,
    random_puzzle,
    spoil,
    stuck_puzzle,
    thin_out,
)
from tests.crossing import crossed, few_or_many
from tests.each import for_each
from tests.oracle import solutions_of
from tests.solvers import INSTALLED, every_solver

encodings = for_each("encoding", Encoding)
VERDICTS = [Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE]


def ways(solver: str) -> Iterator[Settings]:
    """Every encoding with every at-most-one method and with the solver's own, again and again."""
    choices = list(product(Encoding, (None, *Method)))
    Random(solver).shuffle(choices)
    for encoding, method in cycle(choices):
        yield Settings(solver=solver, encoding=encoding, at_most_one=method)


def require_agreement(puzzle: Puzzle, settings: Settings, enough: int = 10) -> Verdict:
    """Verdict, evidence and solutions are those of the oracle."""
    shape = puzzle.geometry.box_rows, puzzle.geometry.box_columns
    expected = list(islice(solutions_of(*shape, puzzle.grid.digits), enough + 1))
    outcome = check(puzzle, settings)
    evidence = [grid for grid in (outcome.solution, outcome.second) if grid is not None]
    assert outcome.verdict is VERDICTS[min(len(expected), 2)], (puzzle, settings)
    assert len({grid.digits for grid in evidence}) == min(len(expected), 2)
    assert bool(outcome.differences) == (len(expected) > 1)
    found = [solution.digits for solution in islice(find_solutions(puzzle, settings), enough + 1)]
    if len(expected) <= enough:
        assert sorted(found) == sorted(expected), (puzzle, settings)
    assert len(set(found)) == len(found) == len(expected)
    return outcome.verdict


@every_solver
def test_small_random_puzzles_have_the_oracles_solutions(solver: str) -> None:
    rng, settings = Random(solver), ways(solver)
    shapes = [Geometry(2, 2), Geometry(2, 2), Geometry(2, 3), Geometry(3, 2)]
    seen = [require_agreement(random_puzzle(rng, shape), next(settings)) for shape in shapes]
    assert len(set(seen)) > 1


@crossed(3, solver=INSTALLED)
def test_a_random_9x9_puzzle_has_the_oracles_solutions(solver: str) -> None:
    rng, settings = Random(solver), ways(solver)
    require_agreement(random_puzzle(rng, Geometry(), 0.4, 0.65), next(settings), 3)


@pytest.mark.slow
@every_solver
def test_many_more_puzzles_have_the_oracles_solutions(solver: str) -> None:
    rng, settings = Random(f"{solver} again"), ways(solver)
    numbers = {Geometry(2, 2): 100, Geometry(2, 3): 100, Geometry(3, 3): 30, Geometry(2, 5): 5}
    for geometry, number in numbers.items():
        for _ in range(number):
            puzzle = random_puzzle(rng, geometry, 0.35, 0.65)
            require_agreement(puzzle, next(settings), 4)


@few_or_many("number", 60, 800)
def test_small_puzzles_by_default(number: int) -> None:
    rng = Random(4)
    shapes = cycle([Geometry(2, 2), Geometry(2, 3), Geometry(3, 2), Geometry(1, 4)])
    puzzles = [random_puzzle(rng, geometry) for geometry in islice(shapes, number)]
    seen = [require_agreement(puzzle, Settings()) for puzzle in puzzles]
    assert min(seen.count(verdict) for verdict in VERDICTS) > number // 8


@few_or_many("number", 40, 800)
def test_hundreds_of_9x9_puzzles_by_default(number: int) -> None:
    rng = Random(9)
    puzzles = [random_puzzle(rng, Geometry(), 0.33, 0.6) for _ in range(number)]
    seen = [require_agreement(puzzle, Settings()) for puzzle in puzzles]
    assert min(seen.count(verdict) for verdict in VERDICTS) > number // 16


@every_solver
def test_boards_at_the_edge_get_right_answers(solver: str) -> None:
    """One shape in one encoding; the next solvers have others, and other encodings."""
    first = INSTALLED.index(solver)
    geometry = SHAPES[:-2][first % len(SHAPES[:-2])]
    encoding = list(Encoding)[first % len(Encoding)]
    require_right_at_the_edge(geometry, Settings(solver=solver, encoding=encoding))


@pytest.mark.slow
@every_solver
@encodings
def test_so_they_do_in_every_encoding(solver: str, encoding: Encoding) -> None:
    for geometry in SHAPES[:-2]:
        require_right_at_the_edge(geometry, Settings(solver=solver, encoding=encoding))


@encodings
def test_larger_boards_at_the_edge_get_right_answers(encoding: Encoding) -> None:
    for geometry in SHAPES[-2:]:
        require_right_at_the_edge(geometry, Settings(encoding=encoding))


@pytest.mark.slow
@encodings
@pytest.mark.parametrize("solver", ["cadical195", "kissat404"])
def test_so_they_do_by_other_solvers(solver: str, encoding: Encoding) -> None:
    for geometry in SHAPES[-2:]:
        require_right_at_the_edge(geometry, Settings(solver=solver, encoding=encoding))


def require_right_at_the_edge(geometry: Geometry, settings: Settings) -> None:
    """Full, nearly full and empty boards, and boards that are wrong at first sight."""
    rng = Random(settings.solver)
    full = full_grid(rng, geometry)
    almost = thin_out(rng, full, geometry.cell_count - 1)
    right = check(Puzzle(full), settings)
    assert (right.verdict, right.solution) == (Verdict.UNIQUE, full)
    assert check(Puzzle(almost), settings).solution == full
    is_single = geometry.size == 1
    empty = check(Puzzle(Grid.empty(geometry)), settings)
    assert empty.verdict is (Verdict.UNIQUE if is_single else Verdict.MULTIPLE)
    if not is_single:
        wrong = Puzzle(spoil(rng, full))
        for puzzle in (wrong, clashing_puzzle(geometry), stuck_puzzle(geometry)):
            outcome = check(puzzle, settings)
            assert (outcome.verdict, outcome.solution) == (Verdict.NONE, None)


@for_each(
    "solver, encoding",
    [*product(INSTALLED, [Encoding.REDUCED]), *product(["auto", "cadical195"], Encoding)],
)
def test_the_hard_puzzle_is_solved(solver: str, encoding: Encoding) -> None:
    outcome = check(HARD, Settings(solver=solver, encoding=encoding))
    assert (outcome.verdict, outcome.solution) == (Verdict.UNIQUE, HARD_SOLUTION)


@every_solver
def test_an_impossible_board_without_a_visible_clash_has_no_solution(solver: str) -> None:
    outcome = check(pigeonhole_puzzle(4, 9), Settings(solver=solver))
    assert outcome.verdict is Verdict.NONE
    assert outcome.clashes == ()


@for_each(
    "method, encoding",
    [*product([None], Encoding), *zip(Method, cycle(Encoding), strict=False)],
)
def test_empty_4x4_has_288_solutions(encoding: Encoding, method: Method | None) -> None:
    settings = Settings(encoding=encoding, at_most_one=method)
    solutions = list(find_solutions(Puzzle(Grid.empty(Geometry(2, 2))), settings))
    assert len(solutions) == len(set(solutions)) == 288
