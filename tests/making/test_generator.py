import pytest

from satdoku.errors import SatdokuError, TooLargeError
from satdoku.making.full_grid import Chance, random_grid, random_regions
from satdoku.making.generator import Generated, Generator
from satdoku.making.request import Minimality, Request, WantedTechnique
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import limits as limits_module
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from tests.crossing import few_or_many, sampled
from tests.making.requests import make, request
from tests.oracle import count_solutions

SHAPES = [Geometry(2, 2), Geometry(2, 3), Geometry(3, 2), Geometry(3, 3)]


def oracle_count(grid: Grid) -> int:
    geometry = grid.geometry
    return count_solutions(geometry.box_rows, geometry.box_columns, grid.digits, 2)


def is_minimal(made: Generated) -> bool:
    """Whether the oracle finds a second solution without any of the givens."""
    grid = made.puzzle.grid
    return all(oracle_count(grid.with_digits({cell: EMPTY})) == 2 for cell in grid.givens)


def require_minimal_and_unique(wanted: Request, count: int) -> None:
    for made in make(wanted, count):
        assert made.is_minimal
        assert oracle_count(made.puzzle.grid) == 1
        assert is_minimal(made)
        assert find_fault(made.solution, made.puzzle) == ""


@sampled(2, "geometry", SHAPES, ids=str)
def test_puzzles_have_one_solution_and_no_redundant_given(geometry: Geometry) -> None:
    require_minimal_and_unique(request(geometry), 8 if geometry.size < 9 else 1)


@pytest.mark.slow
@pytest.mark.parametrize("geometry", SHAPES, ids=str)
def test_hundreds_have_one_solution_and_no_redundant_given(geometry: Geometry) -> None:
    require_minimal_and_unique(request(geometry, seed="hundreds"), 300)


@pytest.mark.parametrize("geometry", [Geometry(1, 1), Geometry(1, 3), Geometry(4, 1)], ids=str)
def test_odd_shapes_have_puzzles_too(geometry: Geometry) -> None:
    for made in make(request(geometry), 5):
        assert oracle_count(made.puzzle.grid) == 1
        assert is_minimal(made)


def require_symmetric(symmetry: Symmetry, count: int) -> None:
    wanted = request(symmetry=symmetry)
    orbits = symmetry.orbits(wanted.geometry)
    for made in make(wanted, count):
        grid = made.puzzle.grid
        assert made.symmetry is symmetry
        assert oracle_count(grid) == 1
        for orbit in orbits:
            given = [cell in grid.givens for cell in orbit]
            assert all(given) or not any(given)
            if any(given):
                assert oracle_count(grid.with_digits(dict.fromkeys(orbit, EMPTY))) == 2


@sampled(3, "symmetry", Symmetry)
def test_the_pattern_has_the_symmetry_and_no_orbit_too_many(symmetry: Symmetry) -> None:
    require_symmetric(symmetry, 1)


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", Symmetry)
def test_hundreds_have_the_symmetry_and_no_orbit_too_many(symmetry: Symmetry) -> None:
    require_symmetric(symmetry, 100)


def test_a_random_symmetry_is_another_one_for_other_puzzles() -> None:
    found = {made.symmetry for made in make(request(Geometry(2, 3), symmetry=None), 40)}
    assert len(found) > 5


@pytest.mark.slow
def test_a_symmetric_puzzle_can_be_asked_to_be_minimal() -> None:
    wanted = request(symmetry=Symmetry.ROTATE180, minimality=Minimality.GIVENS)
    [made] = make(wanted)
    assert made.is_minimal
    assert is_minimal(made)


def test_no_puzzle_depends_on_those_made_before_it() -> None:
    wanted = request(seed="order")
    forwards = [made.puzzle for made in make(wanted, 15)]
    with Generator(wanted) as generator:
        backwards = [generator.make(index).puzzle for index in reversed(range(15))]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(
    "solver",
    ["glucose4", *(pytest.param(s, marks=pytest.mark.slow) for s in ("minisat22", "cadical195"))],
)
def test_another_solver_makes_the_same_puzzles(solver: str) -> None:
    for wanted in (
        request(seed="x"),
        request(seed="x", symmetry=None),
        request(seed="x", givens=(24, 28), minimality=Minimality.NONE),
        request(Geometry(2, 2), "anti-knight", seed="x"),
        request(Geometry(2, 3), seed="x", has_random_regions=True),
        request(Geometry(2, 3), seed="x", mask=tuple(c for c in range(36) if c % 5 % 2 == 0)),
    ):
        assert make(wanted, 2) == make(wanted, 2, solver)


def test_other_seeds_make_other_puzzles() -> None:
    [one], [other] = make(request(seed="1")), make(request(seed="2"))
    assert one.puzzle != other.puzzle


@pytest.mark.parametrize("minimality", [Minimality.NONE, Minimality.ORBITS])
def test_the_number_of_givens_is_the_wanted_one(minimality: Minimality) -> None:
    for made in make(request(givens=(25, 25), minimality=minimality), 2):
        assert made.givens == 25
        assert oracle_count(made.puzzle.grid) == 1
        if minimality is Minimality.ORBITS:
            assert is_minimal(made)


def test_a_range_of_givens_is_used_from_end_to_end() -> None:
    wanted = request(givens=(28, 31), minimality=Minimality.NONE, symmetry=Symmetry.DIAGONAL)
    assert {made.givens for made in make(wanted, 40)} == {28, 29, 30, 31}


@few_or_many("count", 1, 4)
def test_givens_stand_in_the_cells_of_the_mask(count: int) -> None:
    cells = tuple(cell for cell in range(81) if cell % 9 in (cell // 9, 8 - cell // 9, 4, 0))
    for made in make(request(mask=cells), count):
        assert tuple(made.puzzle.givens) == cells
        assert oracle_count(made.puzzle.grid) == 1


def test_all_puzzles_lead_to_the_grid_that_they_were_made_from() -> None:
    [first] = make(request(Geometry(2, 3)))
    found = make(request(Geometry(2, 3), solution=first.solution, seed="other"), 5)
    assert {made.solution for made in found} == {first.solution}
    assert len({made.puzzle for made in found}) > 1


def solves_by_singles(grid: Grid, has_hidden: bool) -> bool:
    """Plain sets: cells with one candidate, and digits with one place where `has_hidden`."""
    geometry = grid.geometry
    digits = dict(grid.givens)
    open_: dict[int, set[int]] = {}
    while len(digits) < geometry.cell_count:
        open_ = {
            cell: set(range(1, geometry.size + 1))
            - {digits[peer] for peer in geometry.peers_of(cell) if peer in digits}
            for cell in range(geometry.cell_count)
            if cell not in digits
        }
        found = {cell: min(left) for cell, left in open_.items() if len(left) == 1}
        for unit in geometry.units if has_hidden else ():
            for digit in range(1, geometry.size + 1):
                places = [cell for cell in unit.cells if digit in open_.get(cell, ())]
                if len(places) == 1:
                    found[places[0]] = digit
        if not found:
            return False
        digits.update(found)
    return True


@pytest.mark.parametrize("technique", WantedTechnique)
def test_a_technique_that_was_built_in_solves_the_puzzle(technique: WantedTechnique) -> None:
    wanted = request(technique=technique)
    for made in make(wanted, 5):
        assert solves_by_singles(made.puzzle.grid, technique is WantedTechnique.SINGLES)
        assert oracle_count(made.puzzle.grid) == 1
        assert not made.is_minimal


@pytest.mark.parametrize(
    ("rule", "geometry"),
    [
        ("anti-knight", Geometry()),
        ("diagonals", Geometry()),
        ("windoku", Geometry()),
        ("non-consecutive", Geometry(2, 3)),
        pytest.param("non-consecutive", Geometry(), marks=pytest.mark.slow),
    ],
)
def test_rules_are_kept_and_needed(rule: str, geometry: Geometry) -> None:
    [made] = make(request(geometry, rule))
    assert check(made.puzzle).verdict is Verdict.UNIQUE
    for cell in made.puzzle.givens:
        fewer = made.puzzle.with_grid(made.puzzle.grid.with_digits({cell: EMPTY}))
        assert check(fewer).verdict is Verdict.MULTIPLE


def test_random_regions_differ_from_puzzle_to_puzzle() -> None:
    found = make(request(Geometry(2, 3), has_random_regions=True), 4)
    assert len({made.puzzle.regions for made in found}) == 4
    for made in found:
        assert check(made.puzzle).verdict is Verdict.UNIQUE


def test_rules_that_no_grid_keeps_are_refused() -> None:
    impossible = ["candidates:r1c1=1,r1c2=1"]
    with pytest.raises(SatdokuError, match="no grid keeps these rules"):
        make(request(Geometry(2, 2), *impossible))


def test_impatience_is_said_and_leaves_the_puzzle_unique() -> None:
    [made] = make(request(Geometry(3, 4), patience=1))
    assert made.undecided
    assert not made.is_minimal
    assert check(made.puzzle).verdict is Verdict.UNIQUE


def test_impatient_puzzles_can_be_made_again_in_any_order() -> None:
    wanted = request(Geometry(3, 4), patience=1)
    first, second = make(wanted, 2)
    with Generator(wanted) as generator:
        assert generator.make(1) == second
        assert generator.make(0) == first


def test_what_is_not_accepted_is_made_anew() -> None:
    wanted = request(Geometry(2, 3))
    with Generator(wanted, accept=lambda puzzle: puzzle.grid.digits[0] != EMPTY) as generator:
        assert all(generator.make(index).puzzle.grid.digits[0] for index in range(10))


def test_a_budget_ends_a_search_that_cannot_succeed() -> None:
    wanted = request(givens=(17, 17))
    generator = Generator(wanted, budget=Budget(Limits(timeout=0.2)))
    with generator, pytest.raises(LimitReachedError):
        generator.make(0)


def test_the_weight_grows_as_a_random_order_of_deletion_is_rarer() -> None:
    wanted = request(minimality=Minimality.NONE, givens=(24, 25))
    weights = {made.givens: made.weight for made in make(wanted, 10)}
    assert weights[24] == 1
    assert weights[25] == pytest.approx(57 / 25)


def test_large_boards_with_a_mask_are_proven_in_spite_of_impatience() -> None:
    """With a patience of one conflict hardly a question is decided, but these must be."""
    cells = tuple(cell for cell in range(36) if cell % 7 % 3)
    for made in make(request(Geometry(2, 3), mask=cells, patience=1), 5):
        assert tuple(made.puzzle.givens) == cells
        assert oracle_count(made.puzzle.grid) == 1


def test_impatience_does_not_spoil_grids_of_other_rules() -> None:
    [made] = make(request(Geometry(2, 3), "anti-king", patience=1))
    assert check(made.puzzle).verdict is Verdict.UNIQUE


USED_UP = Budget(Limits(timeout=0))


def test_limits_are_looked_at_while_grids_and_regions_are_made() -> None:
    with pytest.raises(LimitReachedError):
        random_grid(Geometry(), Chance("late", 0), USED_UP)
    with pytest.raises(LimitReachedError):
        random_regions(Geometry(6, 6), Chance("late", 0), USED_UP)


def test_a_board_that_does_not_fit_into_memory_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: 60_000_000)
    with pytest.raises(TooLargeError):
        Generator(request(Geometry(8, 8)))


class FewTests(Request):
    """A request that gives up soon, as one for a much larger board does."""

    most_tests = 20


def test_a_huge_puzzle_has_one_solution_and_says_what_was_not_tested() -> None:
    [made] = make(FewTests(request(Geometry(4, 5)).board))
    assert not made.is_minimal
    assert 0 < made.undecided < made.givens < 20 * 20
    assert check(made.puzzle).verdict is Verdict.UNIQUE
