from satdoku.making.minimizer import Necessity, delete_redundant, find_needs
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.assumptions import RuleSolver
from tests.compiled import needs_library
from tests.crossing import sampled
from tests.making.boards import is_unique, only, rule_solver, thinned

SHAPES = [Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)]


@sampled(2, "geometry", SHAPES, ids=str)
def test_what_is_kept_is_unique_and_all_of_it_needed(geometry: Geometry) -> None:
    with rule_solver(geometry) as rules:
        for seed in range(6):
            grid, solution = thinned(seed, geometry, geometry.cell_count // 2)
            kept = delete_redundant(rules, solution, [(cell,) for cell in grid.givens])
            assert not kept.undecided
            assert is_unique(only(grid, kept.cells))
            for cell in kept.cells:
                assert not is_unique(only(grid, kept.cells).with_digits({cell: EMPTY}))


def test_givens_that_come_first_are_kept_where_possible() -> None:
    geometry = Geometry(2, 3)
    with rule_solver(geometry) as rules:
        grid, solution = thinned(1, geometry, 20)
        minimal = delete_redundant(rules, solution, [(cell,) for cell in grid.givens]).cells
        others = [cell for cell in grid.givens if cell not in minimal]
        order = [(cell,) for cell in (*minimal, *others)]
        assert delete_redundant(rules, solution, order).cells == minimal


def test_groups_stay_or_go_together() -> None:
    geometry = Geometry(2, 2)
    groups = [(cell, 15 - cell) for cell in range(8)]
    with rule_solver(geometry) as rules:
        _, solution = thinned(3, geometry, 16)
        kept = delete_redundant(rules, solution, groups).cells
        assert {15 - cell for cell in kept} == set(kept)
        for group in groups:
            if group[0] in kept:
                left = tuple(cell for cell in kept if cell not in group)
                assert not is_unique(only(solution, left))


def test_deleting_stops_when_enough_are_left() -> None:
    geometry = Geometry(3, 3)
    with rule_solver(geometry) as rules:
        _, solution = thinned(1, geometry, 81)
        kept = delete_redundant(rules, solution, [(cell,) for cell in range(81)], enough=40)
        assert len(kept.cells) == 40
        assert is_unique(only(solution, kept.cells))


def test_without_patience_some_givens_stay_undecided_and_nothing_is_wrong() -> None:
    geometry = Geometry(3, 3)
    _, solution = thinned(1, geometry, 81)
    with RuleSolver(Puzzle(Grid.empty(geometry)), patience=1) as rules:
        kept = delete_redundant(rules, solution, [(cell,) for cell in range(81)])
    assert kept.undecided
    assert set(kept.undecided) <= set(kept.cells)
    assert is_unique(only(solution, kept.cells))


@sampled(2, "geometry", SHAPES, ids=str)
def test_needs_are_those_of_the_oracle(geometry: Geometry) -> None:
    with rule_solver(geometry) as rules:
        for seed in range(6):
            grid, solution = thinned(seed, geometry, geometry.cell_count * 4 // 10)
            needs = find_needs(rules, solution, list(grid.givens))
            for cell, need in needs.items():
                is_redundant = is_unique(grid.with_digits({cell: EMPTY}))
                assert need is (Necessity.REDUNDANT if is_redundant else Necessity.NEEDED)


def test_givens_behind_the_last_test_stay_undecided() -> None:
    geometry = Geometry(3, 3)
    _, solution = thinned(1, geometry, 81)
    groups = [(cell,) for cell in range(81)]
    with rule_solver(geometry) as rules:
        none = delete_redundant(rules, solution, groups, most_tests=0)
        some = delete_redundant(rules, solution, groups, most_tests=10)
    assert none.undecided == none.cells
    assert len(some.cells) > len(some.undecided) == len(none.cells) - 10
    assert is_unique(only(solution, some.cells))


@needs_library
def test_the_library_says_what_solvers_say_of_each_given() -> None:
    for seed, count in ((0, 24), (1, 28), (2, 34)):
        grid, solution = thinned(seed, Geometry(), count)
        cells = list(grid.givens)
        with RuleSolver(Puzzle(Grid.empty(Geometry()))) as rules, rule_solver(Geometry()) as other:
            assert rules.may_ask_lanes
            assert find_needs(rules, solution, cells) == find_needs(other, solution, cells)
