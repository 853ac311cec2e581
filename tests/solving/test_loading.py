"""Small classic boards get small formulas; answers depend on nothing that was asked before."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Outcome, Verdict
from satdoku.solving.compare import measure_formula
from satdoku.solving.limits import Budget
from satdoku.solving.questions import check
from satdoku.solving.session import Session, load
from satdoku.solving.solvers import Settings, find_solver
from tests.boards import HARD, full_grid, random_puzzle, read_grid, thin_out
from tests.commands import AMBIGUOUS, EASY
from tests.crossing import crossed

SHAPES = [Geometry(*shape) for shape in ((1, 2), (2, 2), (2, 3), (3, 3), (5, 2), (3, 5))]
NATIVE = [Settings(), Settings("gluecard4")]


def puzzles_of(geometry: Geometry, count: int) -> Iterator[Puzzle]:
    rng = Random(7)
    yield Puzzle(full_grid(rng, geometry))
    yield Puzzle(Grid.empty(geometry))
    for _ in range(count):
        yield random_puzzle(rng, geometry, 0.35, 0.8)


def told(outcome: Outcome) -> tuple[object, ...]:
    """All of an outcome but the time that it took."""
    return outcome.verdict, outcome.solutions, outcome.statistics.counters


def test_what_singles_place_has_no_variable() -> None:
    puzzle = Puzzle(read_grid(EASY))
    size = measure_formula(puzzle, Settings(), Budget())
    pairs = measure_formula(puzzle, Settings(at_most_one="pairwise"), Budget())
    assert 0 < size.variables * 4 < pairs.variables


@crossed(2, geometry=SHAPES, settings=NATIVE)
def test_verdicts_are_those_of_the_whole_formula(geometry: Geometry, settings: Settings) -> None:
    whole = Settings(encoding="minimal")
    for puzzle in puzzles_of(geometry, 5):
        outcome, expected = check(puzzle, settings), check(puzzle, whole)
        assert outcome.verdict is expected.verdict
        if outcome.verdict is Verdict.UNIQUE:
            assert outcome.solution == expected.solution


def test_answers_depend_on_nothing_that_was_asked_before() -> None:
    puzzles = [Puzzle(read_grid(AMBIGUOUS)), HARD, *puzzles_of(Geometry(), 8)]
    first = [told(check(puzzle)) for puzzle in puzzles]
    again = [told(check(puzzle)) for puzzle in reversed(puzzles)]
    assert first == again[::-1]


def test_threads_get_the_answers_that_one_gets() -> None:
    puzzles = list(puzzles_of(Geometry(), 10)) * 4
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(check, puzzles))
    assert list(map(told, found)) == [told(check(puzzle)) for puzzle in puzzles]


@pytest.mark.parametrize("givens", [0, 30], ids=["lists", "bytes"])
def test_literals_are_those_of_the_open_cells(givens: int) -> None:
    solution = full_grid(Random(3), Geometry())
    puzzle = Puzzle(thin_out(Random(3), solution, givens))
    settings = Settings()
    with Session(find_solver(settings.solver)) as session:
        formula = load(puzzle, settings, session, Budget())
        literals = formula.literals_of(solution)
        for literal in literals:
            session.add_clause([literal])
        session.solve(Budget())
        found, placed = formula.read(session.model())
        assert found == solution
        assert sorted(placed) == literals
        for literal in literals:
            assert puzzle.grid.digits[formula.cell_of(literal)] == 0
