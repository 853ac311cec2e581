"""The bulk solver gives the oracle's answers, whichever way a board takes through it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from satdoku.encoding.small_formula import FormulaTuning, supports
from satdoku.errors import SatdokuError, WrongSolutionError
from satdoku.lanes.bank import Answers, Found
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.judge import find_clashes
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.bulk import Bulk
from satdoku.solving.pysat_private import BareMinicard, new_minicard, public_minicard
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
from tests.crossing import crossed, few_or_many
from tests.each import for_each
from tests.oracle import solutions_of

SHAPES = [
    Geometry(*shape)
    for shape in ((1, 2), (2, 1), (1, 4), (5, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5))
]
shapes = for_each("geometry", SHAPES)
ways_to_call = for_each("new_solver", [new_minicard, public_minicard])
builders = for_each("largest", [249, 0])


bulk_of = cache(Bulk)


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


def require_agreement(bulk: Bulk, puzzles: Sequence[Puzzle]) -> set[int]:
    """The numbers of solutions, with 2 for several."""
    counts = set()
    for puzzle in puzzles:
        shape = puzzle.geometry.box_rows, puzzle.geometry.box_columns
        expected = list(islice(solutions_of(*shape, puzzle.grid.digits), 2))
        solutions = list(map(tuple, bulk.solve(digits_of(puzzle))))
        assert len(solutions) == len(set(solutions)) == len(expected), puzzle
        assert len(expected) != 1 or solutions == expected
        counts.add(len(expected))
    return counts


@shapes
@ways_to_call
@builders
def test_answers_are_those_of_the_oracle(
    geometry: Geometry, new_solver: Callable[[bool], Any], largest: int
) -> None:
    tuning = FormulaTuning(largest_byte_formula=largest)
    bulk = Bulk(geometry, new_solver, tuning)
    counts = require_agreement(bulk, list(puzzles_of(geometry, seed=largest)))
    assert counts == {0, 1, 2}


def test_no_tuning_puts_more_candidates_into_bytes_than_these_hold() -> None:
    bulk = Bulk(Geometry(), tuning=FormulaTuning(largest_byte_formula=1000))
    assert require_agreement(bulk, [Puzzle(Grid.empty(Geometry()))]) == {2}


@crossed(2, geometry=[Geometry(3, 3), Geometry(2, 3)], share=[0, 99], few_pairs=[0, 2, 10])
def test_answers_do_not_depend_on_tuning(geometry: Geometry, share: int, few_pairs: int) -> None:
    tuning = FormulaTuning(hard_share=share, few_pairs=few_pairs)
    require_agreement(Bulk(geometry, tuning=tuning), list(puzzles_of(geometry, 6)))


@shapes
def test_the_only_solution_leaves_by_the_door_and_nothing_else(geometry: Geometry) -> None:
    boards = [digits_of(puzzle) for puzzle in puzzles_of(geometry, seed=9)]
    for board, only in zip(boards, bulk_of(geometry).solutions(boards), strict=True):
        found = bulk_of(geometry).solve(board)
        assert ([only.solution] if only else []) == found * (len(found) == 1)


def test_puzzles_that_leave_a_group_without_candidates_have_no_solution() -> None:
    rng = Random(7)
    spoilt = [spoil(rng, thin_out(rng, full_grid(rng, Geometry()), 32)) for _ in range(100)]
    assert 0 in require_agreement(bulk_of(Geometry()), [Puzzle(grid) for grid in spoilt])


def test_hard_puzzles_are_solved() -> None:
    assert bulk_of(Geometry()).solve(digits_of(HARD)) == [bytes(HARD_SOLUTION.digits)]


def test_every_answer_is_a_solvers() -> None:
    """A solver of its own is asked about each puzzle, once if it has no solution, or twice."""
    said: list[list[bool | None]] = []

    class Heard(BareMinicard):
        def __init__(self, is_warm: bool) -> None:
            super().__init__(is_warm)
            said.append([])

        def solve(self, assumptions: Iterable[int] = ()) -> bool | None:
            said[-1].append(super().solve(assumptions))
            return said[-1][-1]

    bulk = Bulk(Geometry(), Heard)
    puzzles = list(puzzles_of(Geometry(), seed=1))
    answers = [bulk.solve(digits_of(puzzle)) for puzzle in puzzles]
    expected = {0: [False], 1: [True, False], 2: [True, True]}
    # Where givens clash there is no formula that could show it.
    asked = [
        found
        for found, puzzle in zip(answers, puzzles, strict=True)
        if not any(find_clashes(puzzle))
    ]
    assert said == [expected[len(found)] for found in asked]


@pytest.mark.parametrize(
    "puzzle",
    [HARD, Puzzle(thin_out(Random(1), full_grid(Random(1), Geometry()), 20))],
    ids=["hard", "several solutions"],
)
def test_wrong_models_are_caught(puzzle: Puzzle) -> None:
    """Each true candidate of a model in turn is exchanged for the next one."""

    class Liar(BareMinicard):
        place = 0

        def get_model(self) -> list[int]:
            model = super().get_model() or []
            first = [number for number in model if number > 0][self.place]
            return [-n if abs(n) in (first, first + 1) else n for n in model]

    for place in range(5):
        Liar.place = place
        with pytest.raises(WrongSolutionError, match="report"):
            Bulk(Geometry(), Liar).solve(digits_of(puzzle))


PROGRAM = """
import sys
from satdoku.solving.bulk import Bulk
from satdoku.puzzle.grid import Geometry
boards = list(map(bytes.fromhex, sys.stdin.read().split()))
bulk = Bulk(Geometry())
for board in boards:
    print(board, bulk.solve(board))
"""


@few_or_many("amount", (40, "01"), (100, "012"))
def test_answers_depend_on_neither_hash_seeds_nor_earlier_puzzles(amount: tuple[int, str]) -> None:
    rng = Random(8)
    count, seeds = amount
    grids = [thin_out(rng, full_grid(rng, Geometry()), rng.randint(14, 34)) for _ in range(count)]
    boards = [bytes(grid.digits).hex() for grid in grids]
    outputs = set()
    for seed in seeds:
        boards.reverse()
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input="\n".join(boards),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            check=True,
            text=True,
        )
        outputs.add("\n".join(sorted(result.stdout.splitlines())))
    assert len(outputs) == 1


@pytest.mark.parametrize("board", [b"", bytes(15), bytes(17), bytes([5]) + bytes(15)])
def test_what_is_no_board_is_refused(board: bytes) -> None:
    with pytest.raises(SatdokuError, match="16 digits, each 0 to 4"):
        list(bulk_of(Geometry(2, 2)).solutions([bytes(16), board]))


def test_geometries_beyond_byte_tables_are_refused() -> None:
    assert [supports(Geometry(*shape)) for shape in ((1, 1), (3, 5), (1, 15), (4, 4))] == [
        *(False, True, True, False)
    ]
    with pytest.raises(SatdokuError, match="4x4"):
        Bulk(Geometry(4, 4))


@pytest.mark.parametrize("geometry", [Geometry(3, 4), Geometry(3, 5)], ids=str)
def test_larger_boards_are_solved(geometry: Geometry) -> None:
    rng = Random(4)
    solution = full_grid(rng, geometry)
    counts = (geometry.cell_count * 7 // 10, geometry.cell_count * 6 // 10)
    boards = [bytes(thin_out(rng, solution, givens).digits) for givens in counts]
    for board in boards:
        found = bulk_of(geometry).solve(board)
        assert len(found) > 1 or found == [bytes(solution.digits)]


class _Wrong:
    """In place of a bank: it says of every board that this is its only solution."""

    def __init__(self, solution: bytes) -> None:
        self.solution = solution

    def answer(self, boards: bytes) -> Answers:
        count = len(boards) // len(self.solution)
        return Answers(bytearray([Found.CHOSEN]) * count, bytearray(self.solution * count))


@pytest.mark.parametrize("puzzle", [Puzzle(Grid.empty(Geometry())), clashing_puzzle(Geometry())])
def test_a_difference_to_a_solver_ends_the_run(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = _Wrong(bytes(HARD_SOLUTION.digits))
    monkeypatch.setattr("satdoku.solving.bulk.own_bank", lambda: wrong)
    bulk, right = Bulk(Geometry()), digits_of(HARD)
    assert list(bulk.solutions([right])) == [(wrong.solution, True)]
    assert [solved.compared for solved in bulk.blocks([right * 3, right])] == [3, 1]
    for ask in (
        lambda: list(bulk.solutions([right, digits_of(puzzle)])),
        lambda: list(bulk.blocks([right, digits_of(puzzle)])),
    ):
        with pytest.raises(SatdokuError, match="report it: the compiled library says"):
            ask()
