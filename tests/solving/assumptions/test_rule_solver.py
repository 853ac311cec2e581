import pytest

from satdoku.encoding.choices import Encoding, Status
from satdoku.errors import TooLargeError
from satdoku.making.full_grid import Chance, random_grid
from satdoku.making.minimizer import delete_redundant
from satdoku.puzzle.constraints import Constraints
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.solving import limits as limits_module
from satdoku.solving.assumptions import GRIDS_A_SESSION, RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from tests.boards import HARD, HARD_SOLUTION, read_grid
from tests.making.boards import rule_solver
from tests.oracle import solutions_of

SMALL = Geometry(2, 2)
LARGE = Geometry(4, 7)
EMPTY_9X9 = Puzzle(Grid.empty(Geometry()))
USED_UP = Budget(Limits(timeout=0))


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
    with rule_solver(SMALL) as rules:
        rules.budget = USED_UP
        with pytest.raises(LimitReachedError):
            rules.decide([1])
        with pytest.raises(LimitReachedError):
            rules.fills([1])


@pytest.mark.parametrize("geometry", [Geometry(), LARGE], ids=str)
def test_a_budget_ends_the_loading_of_the_rules(geometry: Geometry) -> None:
    with pytest.raises(LimitReachedError):
        RuleSolver(Puzzle(Grid.empty(geometry)), budget=USED_UP)


def test_a_large_board_is_asked_without_clauses_for_pairs() -> None:
    solution = random_grid(LARGE, Chance("large", 0))
    with RuleSolver(Puzzle(Grid.empty(LARGE))) as rules:
        literals = rules.literals(solution)
        assert rules.decide(literals) is Status.SATISFIABLE
        assert rules.solution() == solution
        with rules.excluding(solution) as other:
            assert rules.decide([other.literal, *literals[1:]]) is Status.UNSATISFIABLE
            assert rules.fills(literals[1:])
        # Twice the same digit in a row.
        assert rules.decide([1, LARGE.size + 1]) is Status.UNSATISFIABLE


def test_rules_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: 60_000_000)
    with pytest.raises(TooLargeError, match=r"64x64 board has .* would take about 0\.1 GB"):
        RuleSolver(Puzzle(Grid.empty(Geometry(8, 8))))
    RuleSolver(Puzzle(Grid.empty(SMALL))).close()


def test_pairs_of_further_rules_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_free_memory", lambda: 55_000_000)
    geometry = Geometry(5, 5)
    knight = Puzzle(Grid.empty(geometry)).with_rules([read_rule("anti-king", geometry)])
    monkeypatch.setattr(Constraints, "count_pairs", lambda constraints: 10**6)
    with pytest.raises(TooLargeError):
        RuleSolver(knight)


def test_what_watches_is_told_how_far_deleting_is() -> None:
    said: list[str] = []
    with rule_solver(SMALL) as rules:
        rules.watch = said.append
        solution = random_grid(SMALL, Chance("watched", 0))
        delete_redundant(rules, solution, [(cell,) for cell in range(16)])
    assert said[-1].endswith("0 are still to be tested")
