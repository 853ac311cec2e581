"""Arrays of boards are checked and solved: numbers in many shapes, texts, and bytes."""

import threading
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import satdoku
from satdoku import Limits, Settings, VerdictCode
from satdoku.puzzle.grid import Geometry, Grid
from tests.boards import full_grid, thin_out
from tests.commands import EASY, EASY_SOLUTION, SMALL
from tests.crossing import few_or_many
from tests.each import for_each
from tests.lanes.boards import boards_from

CODES = [VerdictCode.UNIQUE, VerdictCode.MULTIPLE, VerdictCode.NONE]


def digits(text: str) -> list[int]:
    return [int(cell) if cell.isdigit() else 0 for cell in text]


def expected_of(board: bytes, geometry: Geometry) -> bytes:
    outcome = satdoku.check(Grid(geometry, tuple(board)))
    is_only = outcome.solution is not None and outcome.second is None
    return bytes(outcome.solution.digits if is_only and outcome.solution else len(board))


@few_or_many("count", 15, 25)
@pytest.mark.parametrize("lanes", ["", "0"], ids=["as it is", "without the library"])
def test_boards_are_solved_as_check_solves_them(
    lanes: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATDOKU_LANES", lanes)
    boards = list(boards_from(3, count))
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
    assert satdoku.check_array([]).verdict.shape == (0,)
    assert list(satdoku.count_array(())) == []


@for_each(
    "make, message",
    [
        (lambda: bytes(80), "80 bytes are no boards of 81 cells"),
        (lambda: bytes(90) + bytes([10]) + bytes(71), r"boards\[1\] has 10"),
        (lambda: np.full((2, 81), 300), "numbers that are no digits"),
        (lambda: np.full((2, 81), -1), "numbers that are no digits"),
        (lambda: np.full((2, 81), 10), r"boards\[0\] has 10"),
        (lambda: np.zeros((2, 80), int), "no boards"),
        (lambda: np.zeros(80, int), "no boards"),
        (lambda: np.zeros((2, 2, 9, 9), int), "an array of boards has the shape"),
        (lambda: np.full((2, 81), 0.5), "numbers that are no digits"),
        (lambda: np.full((2, 81), None), "whole numbers"),
        (lambda: [[0] * 81, [0] * 80], "no boards of one size"),
        (lambda: iter([EASY]), "not list_iterator; check_many takes iterators"),
        (lambda: None, "an array or a list, not NoneType"),
        (lambda: [SMALL, EASY], r"boards\[1\] has boxes of 3x3, and those before it boxes of 2x2"),
    ],
)
def test_what_is_no_array_of_boards_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(satdoku.SatdokuError, match=message):
        satdoku.solve_array(make())


class OfInterface:
    def __init__(self, array: Any) -> None:
        self.__array_interface__ = array.__array_interface__


class OfDlpack:
    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def column(library: str, texts: list[str]) -> Any:
    module = pytest.importorskip(library)
    return module.array(texts) if library == "pyarrow" else module.Series(texts)


TEXTS = [EASY, "." * 81, "11" + "." * 79]


@for_each(
    "make",
    [
        lambda numbers: numbers,
        lambda numbers: numbers.reshape(-1, 9, 9).tolist(),
        lambda numbers: np.where(numbers == 0, np.nan, numbers.astype(float)),
        OfInterface,
        OfDlpack,
        lambda numbers: TEXTS,
        lambda numbers: np.array(TEXTS),
        lambda numbers: column("pandas", TEXTS),
        lambda numbers: column("polars", TEXTS),
        lambda numbers: column("pyarrow", TEXTS),
    ],
)
def test_none_and_several_are_told_apart_whatever_the_boards_come_in(
    make: Callable[[Any], Any],
) -> None:
    numbers = np.array([digits(text) for text in TEXTS], np.uint8)
    checked = satdoku.check_array(make(numbers))
    assert checked.verdict.dtype == checked.solution.dtype == np.uint8
    assert checked.verdict.tolist() == CODES
    expected = [digits(EASY_SOLUTION), [0] * 81, [0] * 81]
    assert checked.solution.reshape(-1, 81).tolist() == expected


def test_bytes_are_checked_to_bytes() -> None:
    checked = satdoku.check_array(b"".join(bytes(digits(text)) for text in TEXTS))
    assert list(checked.verdict) == CODES
    assert checked.solution == bytes(digits(EASY_SOLUTION)) + bytes(162)


def test_one_board_has_one_verdict() -> None:
    for board in (np.array(digits(EASY)), np.array(digits(EASY)).reshape(9, 9), EASY):
        checked = satdoku.check_array(board)
        assert checked.verdict.shape == ()
        assert checked.verdict == VerdictCode.UNIQUE
        assert checked.solution.ravel().tolist() == digits(EASY_SOLUTION)
    square = np.zeros((16, 16), int)
    assert satdoku.check_array(square).verdict.shape == (16,)
    assert satdoku.check_array(square, Geometry(4, 4)).verdict == VerdictCode.MULTIPLE


def test_texts_that_are_no_puzzle_are_told_apart() -> None:
    checked = satdoku.check_array(["x", None, EASY, f"{EASY} # a name"])
    assert checked.verdict.tolist() == [VerdictCode.UNREADABLE] * 2 + [VerdictCode.UNIQUE] * 2
    assert checked.solution.tolist() == [[0] * 81] * 2 + [digits(EASY_SOLUTION)] * 2
    assert satdoku.check_array(["x"]).solution.shape == (1, 0)


@few_or_many("count", 60, 120)
@pytest.mark.parametrize("lanes", ["", "0"], ids=["as it is", "without the library"])
def test_many_boards_are_checked_as_check_checks_them(
    lanes: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATDOKU_LANES", lanes)
    boards = list(boards_from(5, count))
    outcomes = [satdoku.check(Grid(Geometry(), tuple(board))) for board in boards]
    for jobs in (1, 2):
        checked = satdoku.check_array(b"".join(boards), jobs=jobs)
        names = [VerdictCode(code).name.lower() for code in checked.verdict]
        assert names == [outcome.verdict.value for outcome in outcomes]


def test_boards_behind_a_stop_are_undecided() -> None:
    stop = threading.Event()
    stop.set()
    settings = Settings(limits=Limits(stop=stop))
    checked = satdoku.check_array([EASY] * 3, settings=settings)
    assert checked.verdict.tolist() == [VerdictCode.UNDECIDED] * 3
    checked = satdoku.check_array(np.zeros((2, 81), int), settings=settings)
    assert checked.verdict.tolist() == [VerdictCode.UNDECIDED] * 2


def test_a_box_that_is_no_geometry_is_refused_before_puzzles_are_made() -> None:
    with pytest.raises(satdoku.SatdokuError, match="box='2x2' is no Geometry"):
        satdoku.generate_array(1, box="2x2")
