"""The fast path gives the oracle's answers, whichever way a puzzle takes through it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random

import pytest

from satdoku.bulk import BulkAnswer, BulkSolver, groups, sieve, supports
from satdoku.errors import FormatError, SatdokuError, WrongSolutionError
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.pysat_private import Calls, private_calls, public_calls
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
builders = pytest.mark.parametrize("largest", [249, 0], ids=["bytes", "lists"])


@cache
def solver_of(geometry: Geometry, new_calls: Callable[[], Calls] = private_calls) -> BulkSolver:
    return BulkSolver(geometry, new_calls())


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


def solutions_in(answer: BulkAnswer) -> list[tuple[int, ...]]:
    return [tuple(digits) for digits in answer if digits is not None]


def answer(solver: BulkSolver, puzzle: Puzzle) -> BulkAnswer:
    (found,) = solver.answer([digits_of(puzzle)])
    return found


def require_agreement(solver: BulkSolver, puzzles: Sequence[Puzzle]) -> set[int]:
    """Asked together; the numbers of solutions, with 2 for several."""
    counts = set()
    answers = solver.answer([digits_of(puzzle) for puzzle in puzzles])
    for puzzle, found in zip(puzzles, answers, strict=True):
        shape = puzzle.geometry.box_rows, puzzle.geometry.box_columns
        expected = list(islice(solutions_of(*shape, puzzle.grid.digits), 2))
        solutions = solutions_in(found)
        assert found.solution_count == len(set(solutions)) == len(expected), puzzle
        assert len(expected) != 1 or solutions == expected
        counts.add(len(expected))
    return counts


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
    counts = require_agreement(solver, list(puzzles_of(geometry, seed=largest)))
    assert counts == {0, 1, 2}


@pytest.mark.parametrize("geometry", [Geometry(3, 3), Geometry(2, 3)], ids=str)
@pytest.mark.parametrize("rounds", [0, 1, 3, 50])
@pytest.mark.parametrize("share", [0, 99], ids=["hard", "easy"])
def test_answers_do_not_depend_on_how_much_the_sieve_does(
    geometry: Geometry, rounds: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sieve, "MOST_ROUNDS", rounds)
    monkeypatch.setattr(groups, "HARD_SHARE", share)
    require_agreement(BulkSolver(geometry), list(puzzles_of(geometry, seed=5)))


def test_puzzles_that_leave_a_group_without_candidates_have_no_solution() -> None:
    rng = Random(7)
    spoilt = [spoil(rng, thin_out(rng, full_grid(rng, Geometry()), 32)) for _ in range(100)]
    assert 0 in require_agreement(solver_of(Geometry()), [Puzzle(grid) for grid in spoilt])


def test_hard_puzzles_are_solved() -> None:
    found = answer(solver_of(Geometry()), HARD)
    assert found == BulkAnswer(bytes(HARD_SOLUTION.digits))
    assert found.verdict is Verdict.UNIQUE


def test_every_answer_is_a_solvers() -> None:
    """A solver of its own is asked about each puzzle, once if it has no solution, or twice."""
    calls, said = private_calls(), list[list[bool | None]]()

    def new_solver() -> object:
        said.append([])
        return calls.new_solver()

    def solve(solver: object) -> bool | None:
        said[-1].append(calls.solve(solver))
        return said[-1][-1]

    solver = BulkSolver(Geometry(), calls._replace(new_solver=new_solver, solve=solve))
    puzzles = list(puzzles_of(Geometry(), seed=1))
    answers = list(solver.answer([digits_of(puzzle) for puzzle in puzzles]))
    expected = {0: [False], 1: [True, False], 2: [True, True]}
    assert said == [expected[found.solution_count] for found in answers]


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
            answer(BulkSolver(Geometry(), calls._replace(read_model=lie)), puzzle)


def ambiguous_lines() -> list[str]:
    rng = Random(8)
    solver = solver_of(Geometry())
    boards = [thin_out(rng, full_grid(rng, Geometry()), rng.randint(14, 34)) for _ in range(100)]
    return [solver.write(bytes(board.digits)) for board in boards]


PROGRAM = """
import sys
from satdoku.puzzle.geometry import Geometry
from satdoku.bulk import BulkSolver
solver = BulkSolver(Geometry())
lines = sys.stdin.read().split()
for line, answer in zip(lines, solver.answer(list(map(solver.read, lines))), strict=True):
    print(line, *answer)
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
    fewer = solver.read(line.replace("1", ".").replace("2", "0"))
    some, only = solver.answer([fewer, solver.read(line)])
    assert some.solution_count > 0
    assert only.solution == bytes(solution.digits)


@pytest.mark.parametrize("line", ["", "1...", "5" + "." * 15, "x" + "." * 15, "." * 17])
def test_lines_that_are_no_board_are_refused(line: str) -> None:
    with pytest.raises(SatdokuError, match="16 digits, each 0 to 4"):
        solver_of(Geometry(2, 2)).read(line)


def test_other_characters_are_refused() -> None:
    with pytest.raises(FormatError):
        solver_of(Geometry(2, 2)).read("é" + "." * 15)


def test_geometries_beyond_byte_tables_are_refused() -> None:
    assert [supports(Geometry(*shape)) for shape in ((1, 1), (3, 5), (1, 15), (4, 4))] == [
        *(False, True, True, False)
    ]
    with pytest.raises(SatdokuError, match="4x4"):
        BulkSolver(Geometry(4, 4))


@pytest.mark.parametrize("geometry", [Geometry(3, 4), Geometry(3, 5)], ids=str)
def test_larger_boards_are_solved(geometry: Geometry) -> None:
    rng = Random(4)
    solution = full_grid(rng, geometry)
    counts = (geometry.cell_count * 7 // 10, geometry.cell_count * 6 // 10)
    boards = [bytes(thin_out(rng, solution, givens).digits) for givens in counts]
    for found in solver_of(geometry).answer(boards):
        assert found.solution_count > 1 or solutions_in(found) == [solution.digits]
