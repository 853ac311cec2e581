"""The fast path gives the oracle's answers, whichever way a puzzle takes through it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random

import pytest

from satdoku.errors import FormatError, SatdokuError, WrongSolutionError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.bulk import LineAnswer, LineSolver, groups, line_solver, supports
from satdoku.solving.bulk.calls import Calls, private_calls, public_calls
from satdoku.solving.verdict import Verdict
from tests.boards import (
    HARD,
    HARD_SOLUTION,
    clashing_puzzle,
    full_grid,
    random_puzzle,
    spoil,
    stuck_puzzle,
    thin_out,
)
from tests.oracle import solutions_of

SHAPES = [
    Geometry(*shape)
    for shape in ((1, 2), (2, 1), (1, 4), (5, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5))
]
shapes = pytest.mark.parametrize("geometry", SHAPES, ids=str)
ways_to_call = pytest.mark.parametrize("new_calls", [private_calls, public_calls])
builders = pytest.mark.parametrize("largest", [254, 0], ids=["bytes", "lists"])


@cache
def solver_of(geometry: Geometry, new_calls: Callable[[], Calls] = private_calls) -> LineSolver:
    return LineSolver(geometry, new_calls())


def puzzles_of(geometry: Geometry, seed: int) -> Iterator[Puzzle]:
    """Puzzles with no, one and several solutions, sparse ones and full ones."""
    rng = Random(seed)
    fewest = 0.2 if geometry.size < 9 else 0.28
    yield from (random_puzzle(rng, geometry, fewest, most=0.8) for _ in range(40))
    yield from (clashing_puzzle(geometry), Puzzle(full_grid(rng, geometry)))
    yield Puzzle(Grid.empty(geometry))
    if geometry.box_rows > 1 and geometry.box_columns > 1:
        yield stuck_puzzle(geometry)


def digits_of(puzzle: Puzzle) -> bytes:
    return bytes(puzzle.grid.digits)


def solutions_in(answer: LineAnswer) -> list[tuple[int, ...]]:
    return [tuple(digits) for digits in answer if digits is not None]


def require_agreement(solver: LineSolver, puzzle: Puzzle) -> int:
    shape = puzzle.geometry.box_rows, puzzle.geometry.box_columns
    expected = list(islice(solutions_of(*shape, puzzle.grid.digits), 2))
    answer = solver.answer(digits_of(puzzle))
    found = solutions_in(answer)
    assert answer.solution_count == len(set(found)) == len(expected), puzzle
    if len(expected) == 1:
        assert found == expected
    return len(expected)


@shapes
@ways_to_call
@builders
def test_answers_are_those_of_the_oracle(
    geometry: Geometry,
    new_calls: Callable[[], Calls],
    largest: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(groups, "LARGEST_BYTE_FORMULA", largest)
    solver = solver_of(geometry, new_calls)
    counts = {require_agreement(solver, puzzle) for puzzle in puzzles_of(geometry, seed=largest)}
    assert counts == {0, 1, 2}


@pytest.mark.parametrize("geometry", [Geometry(3, 3), Geometry(2, 3)], ids=str)
@pytest.mark.parametrize("few", [-1, 99], ids=["propagate first", "search at once"])
def test_both_ways_give_the_same_answers(
    geometry: Geometry, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_solver, "FEW_HIDDEN_SINGLES", few)
    for puzzle in puzzles_of(geometry, seed=5):
        require_agreement(solver_of(geometry), puzzle)


def test_puzzles_that_leave_a_group_without_candidates_have_no_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line_solver, "FEW_HIDDEN_SINGLES", 99)
    rng = Random(7)
    for _ in range(100):
        grid = spoil(rng, thin_out(rng, full_grid(rng, Geometry()), 32))
        require_agreement(solver_of(Geometry()), Puzzle(grid))


def test_hard_puzzles_are_solved() -> None:
    answer = solver_of(Geometry()).answer(digits_of(HARD))
    assert answer == LineAnswer(bytes(HARD_SOLUTION.digits))
    assert answer.verdict is Verdict.UNIQUE


class Spy:
    """Counts what is asked of solvers."""

    def __init__(self) -> None:
        self.propagated = self.solved = 0
        calls = private_calls()

        def propagate(solver: object, literals: Sequence[int]) -> tuple[bool, list[int]]:
            self.propagated += 1
            return calls.propagate(solver, literals)

        def solve(solver: object) -> bool | None:
            self.solved += 1
            return calls.solve(solver)

        self.calls = calls._replace(propagate=propagate, solve=solve)


def test_every_answer_is_a_solvers() -> None:
    ways = set()
    for puzzle in puzzles_of(Geometry(), seed=1):
        spy = Spy()
        LineSolver(puzzle.geometry, spy.calls).answer(digits_of(puzzle))
        ways.add((spy.propagated, spy.solved))
    # By propagation alone, with one or two searches after it, or by two searches at once.
    assert ways >= {(1, 0), (1, 2), (0, 2)}
    assert (0, 0) not in ways


@pytest.mark.parametrize(
    "puzzle",
    [HARD, Puzzle(thin_out(Random(1), full_grid(Random(1), Geometry()), 20))],
    ids=["hard", "several solutions"],
)
def test_wrong_models_are_caught(puzzle: Puzzle) -> None:
    """Each true candidate of a model in turn is exchanged for the next one."""
    calls = private_calls()
    for place in range(5):

        def lie(solver: object, place: int = place) -> list[int]:
            model = calls.read_model(solver)
            first = [number for number in model if number > 0][place]
            return [-n if abs(n) in (first, first + 1) else n for n in model]

        with pytest.raises(WrongSolutionError, match="report"):
            LineSolver(Geometry(), calls._replace(read_model=lie)).answer(digits_of(puzzle))


def test_wrong_propagation_is_caught() -> None:
    """The propagator returns a right grid that is not this puzzle's."""
    calls = private_calls()
    other = full_grid(Random(3), Geometry())

    def lie(solver: object, _: Sequence[int]) -> tuple[bool, list[int]]:
        placements = [-(9 * cell + digit) for cell, digit in enumerate(other.digits)]
        return calls.propagate(solver, placements)

    puzzle = thin_out(Random(2), full_grid(Random(2), Geometry()), 60)
    with pytest.raises(WrongSolutionError, match="report"):
        LineSolver(Geometry(), calls._replace(propagate=lie)).answer(bytes(puzzle.digits))


def ambiguous_lines() -> list[str]:
    rng = Random(8)
    solver = solver_of(Geometry())
    boards = [thin_out(rng, full_grid(rng, Geometry()), rng.randint(14, 34)) for _ in range(100)]
    return [solver.write(bytes(board.digits)) for board in boards]


PROGRAM = """
import sys
from satdoku.puzzle.geometry import Geometry
from satdoku.solving.bulk import LineSolver
solver = LineSolver(Geometry())
for line in sys.stdin.read().split():
    print(line, *solver.answer_line(line))
"""


def test_answers_depend_on_neither_hash_seeds_nor_earlier_puzzles() -> None:
    lines = ambiguous_lines()
    outputs = set()
    for seed in ("0", "1", "2"):
        lines.reverse()
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input="\n".join(lines),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            check=True,
            text=True,
        )
        outputs.add("\n".join(sorted(result.stdout.splitlines())))
    assert len(outputs) == 1
    assert "None" not in outputs.pop().split("\n")[0]


def test_lines_are_read_and_written() -> None:
    solver = solver_of(Geometry(2, 5))
    solution = full_grid(Random(1), Geometry(2, 5))
    line = solver.write(bytes(solution.digits))
    assert set(line) == set("123456789A")
    assert solver.answer_line(line.replace("1", ".").replace("2", "0")).solution_count > 0
    assert solver.answer_line(line).solution == bytes(solution.digits)


@pytest.mark.parametrize("line", ["", "1...", "5" + "." * 15, "x" + "." * 15, "." * 17])
def test_lines_that_are_no_board_are_refused(line: str) -> None:
    with pytest.raises(SatdokuError, match="16 digits, each 0 to 4"):
        solver_of(Geometry(2, 2)).answer_line(line)


def test_other_characters_are_refused() -> None:
    with pytest.raises(FormatError):
        solver_of(Geometry(2, 2)).answer_line("é" + "." * 15)


def test_geometries_beyond_byte_tables_are_refused() -> None:
    assert [supports(Geometry(*shape)) for shape in ((1, 1), (3, 5), (1, 15), (4, 4))] == [
        *(False, True, True, False)
    ]
    with pytest.raises(SatdokuError, match="4x4"):
        LineSolver(Geometry(4, 4))


@pytest.mark.parametrize("geometry", [Geometry(3, 4), Geometry(3, 5)], ids=str)
def test_larger_boards_are_solved(geometry: Geometry) -> None:
    rng = Random(4)
    solution = full_grid(rng, geometry)
    for givens in (geometry.cell_count * 7 // 10, geometry.cell_count * 6 // 10):
        puzzle = thin_out(rng, solution, givens)
        answer = solver_of(geometry).answer(bytes(puzzle.digits))
        found = solutions_in(answer)
        assert answer.solution_count > 1 or found == [solution.digits]
