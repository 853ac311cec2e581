"""Counting meets every solution once, whatever the size of the region.

So the fillings of some cells are all there are, and the shares of a puzzle have its solutions.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import pytest

import satdoku
from satdoku.encoding.choices import Encoding
from satdoku.errors import WrongSolutionError
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from satdoku.solving.counting import (
    FillingCounter,
    Fillings,
    TooManyDeadEndsError,
    can_count_by_fillings,
    count_in_lanes,
    split_puzzle,
)
from satdoku.solving.limits import Limits
from satdoku.solving.questions import count
from satdoku.solving.solvers import Settings
from tests.boards import (
    HARD,
    clashing_puzzle,
    full_grid,
    random_puzzle,
    stuck_puzzle,
    thin_out,
)
from tests.compiled import needs_library
from tests.crossing import sampled
from tests.each import for_each
from tests.oracle import count_solutions


@for_each("encoding", [Encoding.REDUCED, Encoding.MINIMAL])
@for_each("most_fillings", [1, 2, 5, 40, 100_000])
@for_each("shape", [(2, 2), (2, 3), (3, 2)])
def test_regions_of_any_size_give_the_same_number(
    shape: tuple[int, int], most_fillings: int, encoding: Encoding
) -> None:
    rng = Random(repr(shape))
    for _ in range(6):
        puzzle = random_puzzle(rng, Geometry(*shape), 0.35)
        expected = count_solutions(*shape, puzzle.grid.digits, 100_000)
        counts = FillingCounter(puzzle, Settings(encoding=encoding), most_fillings).counts()
        assert sum(counts) == expected


def test_the_288_boards_of_4x4_are_met_in_pieces_too() -> None:
    puzzle = Puzzle(Grid.empty(Geometry(2, 2)))
    for most in (3, 17, 287, 288):
        assert sum(FillingCounter(puzzle, Settings(), most).counts()) == 288


def test_a_region_that_turns_out_too_large_becomes_smaller() -> None:
    # The first solution has few fillings in the region that is chosen, later ones have more.
    puzzle = satdoku.parse("." * 36)
    counts = list(islice(FillingCounter(puzzle, Settings(), 60).counts(), 300))
    assert max(counts) <= 60
    assert len(counts) == 300


def test_a_full_board_has_itself() -> None:
    assert satdoku.count("1234341221434321").number == 1


def test_a_wrong_filling_is_never_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(fillings: Fillings, board: bytes, cells: Sequence[int]) -> list[bytes]:
        return [board, board[1::-1] + board[2:]]

    monkeypatch.setattr(Fillings, "find", find)
    with pytest.raises(WrongSolutionError):
        satdoku.count("1" + "." * 15)


def test_only_what_the_search_for_fillings_knows_is_counted_so() -> None:
    assert can_count_by_fillings(satdoku.parse("." * 256), Settings())
    assert not can_count_by_fillings(satdoku.parse("." * 625), Settings())
    diagonals = satdoku.parse("." * 81, rules=["diagonals"])
    assert not can_count_by_fillings(diagonals, Settings())
    assert not can_count_by_fillings(satdoku.parse("." * 81), Settings(command="minisat"))


@for_each("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
@for_each("seed", range(5))
def test_as_many_as_plain_backtracking_finds(shape: tuple[int, int], seed: int) -> None:
    geometry = Geometry(*shape)
    rng = Random(seed)
    digits = bytes(full_grid(rng, geometry).digits)
    cells = sorted(rng.sample(range(len(digits)), min(20, len(digits) - seed)))
    board = bytes(0 if cell in cells else digit for cell, digit in enumerate(digits))
    found = list(Fillings(geometry).find(digits, cells))
    assert len(found) == len(set(found)) == count_solutions(*shape, tuple(board), 10_000)
    assert digits in found
    for filling in found:
        assert all(
            filling[cell] == digits[cell] for cell in range(81) if board[cell : cell + 1] > b"\0"
        )


def test_without_cells_the_board_is_its_only_filling() -> None:
    assert list(Fillings(Geometry(2, 2)).find(b"any board", [])) == [b"any board"]


def test_a_search_with_many_dead_ends_is_given_up() -> None:
    geometry = Geometry(5, 5)
    board = bytes(full_grid(Random(1), geometry).digits)
    with pytest.raises(TooManyDeadEndsError):
        list(islice(Fillings(geometry).find(board, range(600)), 100_000))


@for_each("least", [1, 2, 7, 50])
@for_each("shape", [(2, 2), (2, 3)])
def test_numbers_of_solutions_add_up(shape: tuple[int, int], least: int) -> None:
    rng = Random(least)
    for _ in range(5):
        puzzle = random_puzzle(rng, Geometry(*shape), 0.35)
        shares = split_puzzle(puzzle, least)
        assert len({share.grid for share in shares}) == len(shares)
        numbers = [count_solutions(*shape, share.grid.digits, 100_000) for share in shares]
        assert sum(numbers) == count_solutions(*shape, puzzle.grid.digits, 100_000)


def test_there_are_as_many_parts_as_were_asked_for_if_cells_make_them() -> None:
    empty = Puzzle(Grid.empty(Geometry(2, 2)))
    assert [len(split_puzzle(empty, least)) for least in (1, 2, 5, 25)] == [1, 4, 12, 48]
    assert split_puzzle(Puzzle(Grid(Geometry(2, 2), (1, 1) + (0,) * 14)), 5) != []


def test_givens_that_leave_a_cell_empty_leave_no_part() -> None:
    stuck = Grid(Geometry(2, 2), (0, 1, 2, 0, 3, 0, 0, 0, 4, *(0,) * 7))
    assert split_puzzle(Puzzle(stuck), 5) == []


@needs_library
@sampled(2, "limit", [None, 0, 1, 7, 500])
def test_numbers_are_the_same_without_the_compiled_library(
    limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(5)
    grids = [thin_out(rng, full_grid(rng, Geometry()), 27) for _ in range(3)]
    puzzles = [*map(Puzzle, grids), clashing_puzzle(Geometry()), stuck_puzzle(Geometry())]
    counts = [count(puzzle, limit) for puzzle in puzzles]
    assert len({each.number for each in counts}) > 1 or limit in (0, 1)
    monkeypatch.setenv("SATDOKU_LANES", "0")
    assert [count(puzzle, limit) for puzzle in puzzles] == counts


@needs_library
def test_the_compiled_library_counts_within_limits() -> None:
    puzzle = satdoku.parse("." * 81)
    counted = count(puzzle, settings=Settings(limits=Limits(timeout=0.3)))
    assert counted.number > 1000
    assert not counted.is_complete
    assert "0.3 s" in counted.reason
    # Who names a solver is answered by it.
    limited = Settings(limits=Limits(conflicts=1))
    assert count_in_lanes(puzzle, limited, None) is None
    assert count_in_lanes(puzzle, Settings(solver="glucose4"), None) is None
    assert count_in_lanes(satdoku.parse("." * 81, rules=["diagonals"]), Settings(), None) is None


@needs_library
def test_none_and_one_are_said_by_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Puzzle] = []
    counts = FillingCounter.counts

    def note(self: FillingCounter) -> Iterator[int]:
        asked.append(self._puzzle)
        return counts(self)

    monkeypatch.setattr(FillingCounter, "counts", note)
    assert count(HARD).number == 1
    assert count(clashing_puzzle(Geometry())).number == 0
    assert count(satdoku.parse("." * 81), 9).number == 9
    assert [len(puzzle.givens) > 0 for puzzle in asked] == [True, True]
