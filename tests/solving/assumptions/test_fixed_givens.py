from random import Random

import pytest

from satdoku.encoding.choices import Status
from satdoku.making.full_grid import Chance, random_grid
from satdoku.making.minimizer import Group, delete_redundant, find_needs
from satdoku.puzzle.grid import EMPTY, Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rule
from satdoku.puzzle.symmetry import Symmetry
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.assumptions import FixedGivens, RuleSolver
from satdoku.solving.limits import Budget, LimitReachedError, Limits
from satdoku.solving.questions import check
from tests.crossing import crossed
from tests.making.boards import is_unique, only, rule_solver, thinned

BIG = Geometry(4, 4)
# So much patience never ends, and with any the whole board is asked.
ENDLESS = 10**9


def big_board() -> tuple[Grid, list[int]]:
    """A grid of 16x16, and its cells in a random order."""
    chance = Chance("big", 0)
    return random_grid(BIG, chance), chance.shuffled(range(BIG.cell_count))


@crossed(2, geometry=[Geometry(2, 2), Geometry(2, 3), Geometry(3, 3)], solver=[None, "cadical153"])
def test_answers_are_those_of_the_oracle(geometry: Geometry, solver: str | None) -> None:
    board = Puzzle(Grid.empty(geometry))
    for seed in range(4):
        grid, solution = thinned(seed, geometry, geometry.cell_count * 4 // 10)
        with rule_solver(geometry) as rules:
            literal_of = dict(zip(grid.givens, rules.literals(grid), strict=True))
        rng = Random(seed)
        cells = rng.sample(list(grid.givens), len(grid.givens))
        held_out, fixed = cells[:4], [literal_of[cell] for cell in cells[4:]]
        with FixedGivens(board, solution, fixed, solver, None) as rest:
            for groups in ([(cell,) for cell in held_out], [held_out[:2], held_out[1:]]):
                for group in groups:
                    kept = [literal_of[cell] for cell in grid.givens if cell not in group]
                    found = rest.find_other(kept, [literal_of[cell] for cell in group])
                    left = tuple(cell for cell in grid.givens if cell not in group)
                    is_redundant = is_unique(only(grid, left))
                    assert found is Status[("SATISFIABLE", "UNSATISFIABLE")[is_redundant]]


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2])
def test_what_is_kept_of_16x16_is_the_same_whatever_answers(size: int) -> None:
    solution, cells = big_board()
    groups: list[Group] = [(cell,) for cell in cells]
    if size == 2:
        groups = Chance("big", 1).shuffled(Symmetry.ROTATE180.orbits(BIG))
    kept = set()
    for solver, patience in ((None, None), ("glucose4", None), (None, ENDLESS)):
        with RuleSolver(Puzzle(Grid.empty(BIG)), solver, patience=patience) as rules:
            kept.add(delete_redundant(rules, solution, groups))
    assert len(kept) == 1


def test_what_is_kept_of_16x16_is_unique_and_all_of_it_needed() -> None:
    solution, cells = big_board()
    with RuleSolver(Puzzle(Grid.empty(BIG))) as rules:
        kept = delete_redundant(rules, solution, [(cell,) for cell in cells]).cells
    grid = only(solution, kept)
    assert check(Puzzle(grid)).solution == solution
    for cell in kept[::10]:
        fewer = Puzzle(grid.with_digits({cell: EMPTY}))
        assert check(fewer).verdict is Verdict.MULTIPLE


@pytest.mark.slow
def test_needs_on_16x16_are_those_of_the_whole_board() -> None:
    solution, cells = big_board()
    answers = []
    for patience in (None, ENDLESS):
        with RuleSolver(Puzzle(Grid.empty(BIG)), patience=patience) as rules:
            answers.append(list(find_needs(rules, solution, sorted(cells[:150])).items()))
    assert answers[0] == answers[1]
    assert len({need for _, need in answers[0]}) == 2


def test_a_whole_board_of_16x16_is_asked_only_which_givens_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution, cells = big_board()
    asked: list[int] = []
    decide = RuleSolver.decide

    def counted(self: RuleSolver, literals: list[int], is_patient: bool = False) -> Status:
        asked.append(len(literals))
        return decide(self, literals, is_patient)

    monkeypatch.setattr(RuleSolver, "decide", counted)
    with RuleSolver(Puzzle(Grid.empty(BIG))) as rules:
        delete_redundant(rules, solution, [(cell,) for cell in cells])
        assert len(asked) <= 9  # halving 256 until one is left
        assert rules.find_other(solution, rules.literals(solution)) is Status.UNSATISFIABLE
        assert rules.find_other(solution, rules.literals(solution)[9:20]) is Status.SATISFIABLE
        assert len(asked) <= 9


def test_further_rules_hold() -> None:
    """Without the diagonals, there is another solution."""
    geometry = Geometry(2, 2)
    digits = (1, 2, 3, 4, 3, 4, 1, 2, 4, 3, 2, 1, 2, 1, 4, 3)
    solution = Grid(geometry, digits)
    board = Puzzle(Grid.empty(geometry))
    with RuleSolver(board) as rules:
        literals = rules.literals(solution)
    kept = [literals[cell] for cell in (0, 1, 2, 8, 12)]
    found = []
    for rest in (board, board.with_rules([read_rule("diagonals", geometry)])):
        with FixedGivens(rest, solution, kept, None, None) as fixed:
            found.append(fixed.find_other((), literals))
    assert found == [Status.SATISFIABLE, Status.UNSATISFIABLE]


def test_a_budget_that_ends_is_told() -> None:
    solution, cells = big_board()
    with RuleSolver(Puzzle(Grid.empty(BIG))) as rules:
        literal_of = rules.literals(solution)
        fixed = [literal_of[cell] for cell in cells[:100]]
        budget = Budget(Limits(conflicts=5))
        rest = FixedGivens(Puzzle(Grid.empty(BIG)), solution, fixed, None, budget)
        with rest, pytest.raises(LimitReachedError):
            rest.find_other((), literal_of)
        with pytest.raises(LimitReachedError):
            FixedGivens(Puzzle(Grid.empty(BIG)), solution, fixed, None, Budget(Limits(timeout=0)))
