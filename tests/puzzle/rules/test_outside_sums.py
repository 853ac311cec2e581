"""X-sums and sandwiches told by sets of digits: as machines tell them, where digits differ."""

from collections.abc import Callable, Sequence
from random import Random

from satdoku.encoding.choices import Encoding
from satdoku.puzzle.constraints import Either, Enclosed, Machine
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_fault
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.rules.registry import read_rules
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.questions import check, find_solutions
from satdoku.solving.solvers import Settings
from tests.boards import full_grid
from tests.crossing import crossed
from tests.each import for_each
from tests.puzzle.rules.instances import LINES_ONLY, SMALL, every_grid


@crossed(
    3, line=["x-sum:row2", "x-sum:col3.up", "sandwich:row2", "sandwich:col3"], lowest=[0, 1, 2]
)
def test_sets_and_judge_agree_on_every_grid(line: str, lowest: int) -> None:
    for number in range(lowest, sum(range(lowest, lowest + 4)) + 2, 3):
        texts = [f"digits:{lowest}-{lowest + 3}", f"{line}={number}"]
        rules = (*LINES_ONLY, *read_rules(texts, SMALL))
        puzzle = Puzzle(Grid.empty(SMALL), rules=rules)
        expected = {grid for grid in every_grid(LINES_ONLY) if not find_fault(grid, puzzle)}
        assert set(find_solutions(puzzle)) == expected


def _x_sum(digits: Sequence[int]) -> int:
    return sum(digits[: digits[0]])


def _sandwich(digits: Sequence[int]) -> int:
    first, last = sorted((digits.index(1), digits.index(len(digits))))
    return sum(digits[first + 1 : last])


@crossed(4, seed=range(8))
@for_each("rule, clue, up", [("x-sum", _x_sum, ".up"), ("sandwich", _sandwich, "")])
def test_sets_and_machines_agree_on_9x9(
    rule: str, clue: Callable[[Sequence[int]], int], up: str, seed: int
) -> None:
    rng, geometry = Random(seed), Geometry()
    solution = full_grid(rng, geometry)
    lines = [(f"row{n + 1}", solution.digits[9 * n : 9 * n + 9]) for n in range(9)]
    lines += [(f"col{n + 1}{up}", solution.digits[n::9][:: -1 if up else 1]) for n in range(9)]
    texts = [f"{rule}:{name}={clue(digits)}" for name, digits in lines]
    # One clue that may be wrong, and so few givens that there may be several solutions.
    texts[seed] = f"{rule}:{lines[seed][0]}={rng.randint(1, 35)}"
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


def test_ends_that_may_stand_twice_are_met_by_the_machine() -> None:
    """Without columns, nothing else says that 1 and 4 stand once in one."""
    (rule,) = read_rules(["sandwich:col1=2"], SMALL)
    (machine,) = rule.constraints(SMALL)
    assert isinstance(machine, Machine)
    assert isinstance(machine.by_cases, Enclosed)
    rows = Puzzle(Grid.empty(SMALL).with_digits({4: 2}), rules=(LINES_ONLY[0], rule))
    assert not find_fault(next(iter(find_solutions(rows))), rows)
    equal = rows.with_grid(rows.grid.with_digits({8: 2}))
    assert check(equal).verdict is Verdict.NONE


@for_each("line", ["x-sum:row1", "sandwich:row1"])
def test_boards_with_too_many_sets_have_machines_alone(line: str) -> None:
    geometry = Geometry.of_size(16)
    (rule,) = read_rules([f"{line}=20"], geometry)
    (machine,) = rule.constraints(geometry)
    assert isinstance(machine, Machine)
    assert machine.by_cases is None
