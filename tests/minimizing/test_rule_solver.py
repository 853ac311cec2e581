import pytest

from satdoku.dimacs.status import Status
from satdoku.encoding.encode import Encoding
from satdoku.minimizing.rule_solver import GRIDS_A_SESSION, RuleSolver
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.boards import HARD, HARD_SOLUTION, read_grid
from tests.minimizing.boards import rule_solver
from tests.oracle import solutions_of

SMALL = Geometry(2, 2)
EMPTY_9X9 = Puzzle(Grid.empty(Geometry()))


def test_givens_hold_for_one_question_only() -> None:
    with rule_solver(SMALL) as rules:
        assert rules.decide([1, 5]) is Status.UNSATISFIABLE
        assert rules.decide([1, 6]) is Status.SATISFIABLE
        assert rules.solution().digits[:2] == (1, 2)


def test_givens_of_the_puzzle_are_not_loaded() -> None:
    with RuleSolver(HARD) as rules:
        given = HARD.grid.digits[0]
        assert rules.decide([-given]) is Status.SATISFIABLE


def test_an_excluded_grid_is_found_again_afterwards() -> None:
    with RuleSolver(EMPTY_9X9) as rules:
        literals = rules.literals(HARD.grid)
        with rules.excluding(HARD_SOLUTION) as other:
            assert rules.decide([other.literal, *literals]) is Status.UNSATISFIABLE
            assert rules.decide(literals) is Status.SATISFIABLE
        assert rules.decide(literals) is Status.SATISFIABLE
        assert rules.solution() == HARD_SOLUTION


def test_all_grids_are_found_and_no_more_than_wanted() -> None:
    with rule_solver(SMALL) as rules:
        found = {
            tuple(literal - 4 * cell for cell, literal in enumerate(each))
            for each in rules.find_all([1], 100)
        }
        assert found == set(solutions_of(2, 2, [1] + [0] * 15))
        assert len(rules.find_all([], 5)) == 5


def test_a_solver_that_has_excluded_many_grids_is_renewed_and_knows_the_rules() -> None:
    with rule_solver(SMALL) as rules:
        count = len(rules.find_all([1, 6], 300))
        for _ in range(GRIDS_A_SESSION + 2):
            assert len(rules.find_all([1, 6], 300)) == count


def test_an_exclusion_outlives_many_others() -> None:
    with rule_solver(SMALL) as rules, rules.excluding() as known:
        known.add([1])
        for _ in range(GRIDS_A_SESSION + 2):
            rules.find_all([1, 6], 1)
        assert rules.decide([known.literal, 1]) is Status.UNSATISFIABLE


@pytest.mark.parametrize(
    ("encoding", "is_filled"), [(Encoding.EXTENDED, True), (Encoding.EFFICIENT, False)]
)
def test_hidden_singles_need_the_clauses_of_units(encoding: Encoding, is_filled: bool) -> None:
    # All 36 cells follow by hidden singles, but soon no empty cell has only one digit open.
    grid = read_grid("...... ..2.36 .15... .....4 24.1.. ......", Geometry(2, 3))
    with RuleSolver(Puzzle(Grid.empty(grid.geometry)), "glucose4", encoding=encoding) as rules:
        assert rules.fills(rules.literals(grid)) is is_filled


def test_what_contradicts_does_not_fill_the_board() -> None:
    with RuleSolver(Puzzle(Grid.empty(SMALL)), "glucose4") as rules:
        assert not rules.fills([1, 5])


def test_patience_ends_in_unknown() -> None:
    with RuleSolver(HARD, patience=1) as rules, rules.excluding(HARD_SOLUTION) as other:
        question = [other.literal, *rules.literals(HARD.grid)]
        assert rules.decide(question) is Status.UNKNOWN


def test_a_budget_ends_in_an_error() -> None:
    rules = RuleSolver(EMPTY_9X9, budget=Budget(Limits(timeout=0)))
    with rules, pytest.raises(LimitReachedError):
        rules.decide([1])
