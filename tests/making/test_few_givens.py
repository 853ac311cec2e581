import pytest

from satdoku.making.drafts import Differences, Exchanges
from satdoku.making.full_grid import Chance, random_grid
from satdoku.making.generator import Generator
from satdoku.making.request import Minimality
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions import RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.crossing import few_or_many
from tests.making.requests import make, request
from tests.oracle import count_solutions


def oracle_count(grid: Grid, empty: tuple[int, ...]) -> int:
    """Solutions, up to two, when these cells are emptied."""
    return count_solutions(3, 3, grid.with_digits(dict.fromkeys(empty, EMPTY)).digits, 2)


def test_a_difference_is_met_by_each_of_its_cells() -> None:
    differences = Differences(16)
    assert differences.unmet([]) == 0
    differences.add((1, 2, 5))
    differences.add((2, 5, 7))
    differences.add((7, 9))
    assert differences.unmet([]) == 0b111
    assert differences.unmet([2]) == 0b100
    assert differences.unmet([1, 9]) == 0b010
    assert differences.first(0b110) == (2, 5, 7)
    assert differences.meeting_all(0b011) == [2, 5]
    assert differences.meeting_all(0b101) == []


@pytest.mark.parametrize(
    ("givens", "minimality"),
    [
        pytest.param(20, Minimality.NONE, marks=pytest.mark.slow),
        (21, Minimality.NONE),
        (21, Minimality.GIVENS),
    ],
)
def test_puzzles_have_so_few_givens_and_one_solution(givens: int, minimality: Minimality) -> None:
    for made in make(request(seed="few", givens=(givens, givens), minimality=minimality)):
        assert made.givens == givens
        assert oracle_count(made.puzzle.grid, ()) == 1
        assert find_fault(made.solution, made.puzzle) == ""
        is_minimal = all(oracle_count(made.puzzle.grid, (c,)) == 2 for c in made.puzzle.givens)
        assert made.is_minimal == is_minimal
        assert is_minimal or minimality is Minimality.NONE


@pytest.mark.slow
def test_few_givens_of_a_wanted_solution_are_found() -> None:
    [first] = make(request(seed="wanted"), 1)
    wanted = request(seed="few", givens=(21, 21), solution=first.solution)
    for made in make(wanted, 2):
        assert made.solution == first.solution
        assert made.givens == 21
        assert not made.is_by_deletion
        assert oracle_count(made.puzzle.grid, ()) == 1


def test_a_range_of_few_givens_is_met() -> None:
    for made in make(request(seed="range", givens=(17, 21), minimality=Minimality.NONE)):
        assert made.givens <= 21
        assert oracle_count(made.puzzle.grid, ()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["minisat22", "glucose4"])
def test_another_solver_makes_the_same_exchanges(solver: str) -> None:
    wanted = request(seed="few", givens=(21, 21), minimality=Minimality.NONE)
    assert make(wanted) == make(wanted, 1, solver)


@pytest.mark.slow
def test_what_was_made_before_has_no_influence() -> None:
    wanted = request(seed="few", givens=(21, 21), minimality=Minimality.NONE)
    with Generator(wanted) as generator:
        last, first = generator.make(1), generator.make(0)
    assert [first, last] == make(wanted, 2)


def test_learned_differences_are_what_another_grid_needs_at_least() -> None:
    """Emptied, they have another solution; with any digit back they have none."""
    board = Puzzle(Grid.empty(Geometry()))
    grid = random_grid(Geometry(), Chance("differences", 0))
    with RuleSolver(board) as rules:
        exchanges = Exchanges(rules, grid, Chance("differences", 0))
        exchanges.find(22)
    learned = [exchanges.differences.first(1 << n) for n in range(len(exchanges.differences))]
    assert len(learned) > 20
    assert len(set(learned)) == len(learned)
    for cells in learned:
        assert oracle_count(grid, cells) == 2
        for cell in cells:
            assert oracle_count(grid, tuple(c for c in cells if c != cell)) == 1


@few_or_many("number", 1, 0)
def test_a_grid_that_leads_nowhere_is_left(number: int) -> None:
    """No grid of 9x9 has a puzzle with 16 givens."""
    board = Puzzle(Grid.empty(Geometry()))
    with RuleSolver(board) as rules:
        chance = Chance("nowhere", number)
        assert Exchanges(rules, random_grid(Geometry(), chance), chance).find(16) is None


@pytest.mark.slow
def test_a_grid_with_very_many_puzzles_is_left_too() -> None:
    """Where only two may be looked at, the search ends before it reaches 21 givens."""
    grid = random_grid(Geometry(), Chance("many", 0))
    with RuleSolver(Puzzle(Grid.empty(Geometry()))) as rules:
        told: list[str] = []
        rules.watch = told.append
        found = Exchanges(rules, grid, Chance("many", 0)).find(21)
        assert "no puzzle of 21 givens yet: the last of 2 tried in this grid has " in " ".join(told)
        assert found is not None
        assert len(found) == 21
        assert Exchanges(rules, grid, Chance("many", 0)).find(21, most_puzzles=2) is None


def test_limits_end_the_search() -> None:
    wanted = request(seed="few", givens=(17, 17), minimality=Minimality.NONE)
    for limits in (Limits(conflicts=500), Limits(timeout=0.2)):
        with (
            Generator(wanted, budget=Budget(limits)) as generator,
            pytest.raises(LimitReachedError),
        ):
            generator.make(0)


def test_the_weight_of_few_givens_is_not_known() -> None:
    """It would be that of deletions in a random order, which these puzzles are not made by."""
    [few] = make(request(seed="few", givens=(21, 21), minimality=Minimality.NONE))
    [within] = make(request(Geometry(2, 2), is_fewest=True))
    [masked] = make(request(Geometry(2, 2), mask=tuple(range(0, 16, 2))))
    assert (few.weight, within.weight, masked.weight) == (None, None, None)
