"""X-sums told by cases: the same as by machines, on lines whose digits differ and on no others."""

from random import Random

import pytest

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.constraints import Either, Machine
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import full_grid
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid


@for_each("lowest", [0, 1, 2])
@for_each("line", ["row2", "col3.up"])
def test_cases_and_judge_agree_on_every_grid(line: str, lowest: int) -> None:
    rng = range(sum(range(lowest, lowest + 4)) + 2)
    for number in rng:
        texts = [f"digits:{lowest}-{lowest + 3}", f"x-sum:{line}={number}"]
        rules = (*LINES_ONLY, *read_rules(texts, SMALL))
        puzzle = Puzzle(Grid.empty(SMALL), rules=rules)
        expected = {grid for grid in every_grid(LINES_ONLY) if not find_fault(grid, puzzle)}
        assert set(find_solutions(puzzle)) == expected


@pytest.mark.parametrize("seed", range(6))
def test_cases_and_machines_agree_on_9x9(seed: int) -> None:
    rng, geometry = Random(seed), Geometry()
    solution = full_grid(rng, geometry)
    lines = [(f"row{n + 1}", solution.digits[9 * n : 9 * n + 9]) for n in range(9)]
    lines += [(f"col{n + 1}.up", solution.digits[n::9][::-1]) for n in range(9)]
    texts = [f"x-sum:{name}={sum(digits[: digits[0]])}" for name, digits in lines]
    # One clue that may be wrong, and so few givens that there may be several solutions.
    texts[seed] = f"x-sum:{lines[seed][0]}={rng.randint(1, 45)}"
    empty = dict.fromkeys(rng.sample(range(81), 60), 0)
    puzzle = Puzzle(solution.with_digits(empty)).with_rules(read_rules(texts, geometry))
    by_cases, by_machines = check(puzzle), check(puzzle, Settings(encoding=Encoding.EXTENDED))
    assert by_cases.verdict is by_machines.verdict


def test_cells_that_may_be_equal_are_read_by_the_machine() -> None:
    """Without columns, 2 and 2 are the first two digits of one."""
    (rule,) = read_rules(["x-sum:col1=4"], SMALL)
    (machine,) = rule.constraints(SMALL)
    assert isinstance(machine, Machine)
    assert isinstance(machine.by_cases, Either)
    puzzle = Puzzle(Grid.empty(SMALL).with_digits({0: 2, 4: 2}), rules=(LINES_ONLY[0], rule))
    solution = next(iter(find_solutions(puzzle)))
    assert not find_fault(solution, puzzle)


def test_boards_with_too_many_sets_have_no_cases() -> None:
    geometry = Geometry.of_size(16)
    (rule,) = read_rules(["x-sum:row1=20"], geometry)
    (machine,) = rule.constraints(geometry)
    assert isinstance(machine, Machine)
    assert machine.by_cases is None
