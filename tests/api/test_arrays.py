"""Arrays of boards come back solved, as `check` solves each."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import satdoku
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from tests.boards import full_grid, thin_out
from tests.lanes.boards import boards_from


def expected_of(board: bytes, geometry: Geometry) -> bytes:
    outcome = satdoku.check(Grid(geometry, tuple(board)))
    is_only = outcome.solution is not None and outcome.second is None
    return bytes(outcome.solution.digits if is_only and outcome.solution else len(board))


@pytest.mark.parametrize("lanes", ["", "0"], ids=["as it is", "without the library"])
def test_boards_are_solved_as_check_solves_them(
    lanes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATDOKU_LANES", lanes)
    boards = list(boards_from(3, 60))
    expected = b"".join(expected_of(board, Geometry()) for board in boards)
    data = b"".join(boards)
    assert satdoku.solve_array(data) == expected
    assert satdoku.solve_array(bytearray(data)) == expected
    rows = np.frombuffer(data, np.uint8).reshape(-1, 81)
    for array in (
        rows,
        rows.reshape(-1, 9, 9),
        rows.astype(np.int64),
        np.asfortranarray(rows),
        np.repeat(rows, 2, axis=0)[::2],
    ):
        before = array.copy()
        solved = satdoku.solve_array(array)
        assert solved.dtype == np.uint8
        assert solved.shape == array.shape
        assert solved.tobytes() == expected
        assert (array == before).all()


def test_other_sizes_are_solved_too() -> None:
    rng, geometry = Random(1), Geometry(2, 3)
    boards = [bytes(thin_out(rng, full_grid(rng, geometry), 14).digits) for _ in range(30)]
    expected = b"".join(expected_of(board, geometry) for board in boards)
    assert satdoku.solve_array(b"".join(boards), geometry) == expected


def test_no_boards_have_no_solutions() -> None:
    assert satdoku.solve_array(b"") == b""
    assert satdoku.solve_array(np.zeros((0, 81), int)).shape == (0, 81)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bytes(80), "80 bytes are no boards of 81 cells"),
        (lambda: bytes(90) + bytes([10]) + bytes(71), r"boards\[1\] has 10"),
        (lambda: np.full((2, 81), 300), "numbers that are no digits"),
        (lambda: np.full((2, 81), -1), "numbers that are no digits"),
        (lambda: np.full((2, 81), 10), r"boards\[0\] has 10"),
        (lambda: np.zeros((2, 80), int), "no boards"),
        (lambda: np.zeros(81, int), "an array of boards has the shape"),
        (lambda: np.zeros((2, 256), int), "up to 9x9"),
        (lambda: np.zeros((2, 81)), "whole numbers"),
        (lambda: [[0] * 81], "whole numbers"),
        (lambda: "." * 81, "whole numbers"),
    ],
)
def test_what_is_no_array_of_boards_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(satdoku.SatdokuError, match=message):
        satdoku.solve_array(make())
