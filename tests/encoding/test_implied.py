"""What is implied excludes no solution, and decides what search alone does not."""

from itertools import combinations
from random import Random

import pytest
from pysat.solvers import Solver

from satdoku.encoding.variables import Auxiliaries
from satdoku.encoding.wider.sums import write_implied
from satdoku.encoding.wider.write import kit_for
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.classic import CLASSIC, arrange
from satdoku.puzzle.rules.regions import Diagonals
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving import questions as search
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings
from tests.crossing import crossed
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid


@crossed(3, seed=range(24))
def test_solutions_stay_the_same(seed: int) -> None:
    rng = Random(seed)
    base = [CLASSIC, LINES_ONLY, (*CLASSIC, Diagonals())][seed % 3]
    grids = every_grid(base)
    digits = rng.choice(grids).digits
    texts = [sum_of(rng, digits) for _ in range(rng.randint(1, 3))]
    texts += [cage_of(rng, digits) for _ in range(rng.randint(0, 3))]
    puzzle = Puzzle(Grid.empty(SMALL), rules=arrange([*base, *read_rules(texts, SMALL)]))
    expected = {grid for grid in grids if not find_fault(grid, puzzle)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_PATIENCE_BEFORE_IMPLIED", 0)
        found = list(find_solutions(puzzle, Settings(solver=["auto", "cadical195"][seed // 2 % 2])))
    assert set(found) == expected
    assert len(found) == len(expected)


def sum_of(rng: Random, digits: tuple[int, ...]) -> str:
    cells = rng.sample(range(16), rng.randint(2, 6))
    # Seldom more than there is, so that nothing may be left.
    total = sum(digits[cell] for cell in cells) + (rng.random() < 0.1)
    return f"sum:{total}=" + ",".join(map(SMALL.name_of, cells))


def cage_of(rng: Random, digits: tuple[int, ...]) -> str:
    """Cells of a row, and mostly another one beside them."""
    start = 4 * rng.randrange(4)
    cells = rng.sample(range(start, start + 4), rng.randint(2, 3))
    known = {digits[cell] for cell in cells}
    cells += [cell for cell in rng.sample(range(16), 3) if digits[cell] not in known][:1]
    return f"killer:{sum(digits[c] for c in cells)}=" + ",".join(map(SMALL.name_of, cells))


def test_a_digit_of_one_cage_is_in_no_other_cage_of_the_row() -> None:
    """It is seen at once, without knowing which of its cells has the digit."""
    wide = Geometry(2, 3)
    rules = read_rules(["killer:10=r1c1,r1c2,r2c4,r2c5", "killer:18=r1c3-6"], wide)
    constraints = Puzzle(Grid.empty(wide)).with_rules(rules).constraints
    kit = kit_for(constraints, lambda cell, digit: 6 * cell + digit, Auxiliaries(216), 6)
    write_implied(constraints, kit)
    clauses, exclusive = kit.take()
    pairs = [(-one, -other) for each in exclusive for one, other in combinations(each, 2)]
    whole, part, rest, other = (
        kit.present(frozenset(cells), 3) for cells in ((0, 1, 9, 10), (0, 1), (9, 10), (2, 3, 4, 5))
    )
    with Solver("glucose4", bootstrap_with=[*clauses, *pairs]) as solver:
        for known, follows in (
            ([part], [whole, -other]),
            ([-part], [other]),
            ([-whole], [-part, -rest, other]),
            ([whole, other], [-part, rest]),
        ):
            possible, found = solver.propagate(known)
            assert possible
            assert {*follows} <= {*found}


def test_diagonals_that_need_more_nines_than_there_are() -> None:
    """Each of them can be; a search alone does not end in minutes."""
    starts = ["r1c8.dl", "r1c9.dl", "r9c2.ur", "r9c3.ur"]
    nine = Geometry(3, 3)
    rules = read_rules([f"little-killer:{start}=50" for start in starts], nine)
    puzzle = Puzzle(Grid.empty(nine)).with_rules(rules)
    assert check(puzzle).verdict is Verdict.NONE


@pytest.mark.parametrize(("total", "is_possible"), [(46, True), (47, False)])
def test_lines_beside_a_long_diagonal_are_added_to_it(total: int, is_possible: bool) -> None:
    """They fill three boxes with it; the other twelve cells, in four boxes, hold at most 96."""
    nine = Geometry(3, 3)
    lines = [f"little-killer:{start}.dr={total}" for start in ("r2c1", "r3c1", "r1c2", "r1c3")]
    rules = read_rules(["diagonals", *lines], nine)
    constraints = Puzzle(Grid.empty(nine)).with_rules(rules).constraints
    kit = kit_for(constraints, lambda cell, digit: 9 * cell + digit, Auxiliaries(729), 9)
    write_implied(constraints, kit)
    assert (() not in kit.take()[0]) == is_possible
