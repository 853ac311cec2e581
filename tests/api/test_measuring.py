"""Arrays of boards are counted, rated and arranged as the calls for one puzzle do it."""

from typing import Any

import numpy as np
import pytest

import satdoku
from satdoku import VerdictCode
from satdoku.puzzle.grid import Geometry
from tests.commands import AMBIGUOUS, CLASHING, EASY, HARD, SMALL
from tests.making.requests import make, request

BOARDS = [EASY, "." * 81, CLASHING, HARD, EASY[:-2] + "..", *("1" + "." * 80,)]


def digits_of(texts: list[str]) -> "np.ndarray[Any, Any]":
    rows = [[int(cell) if cell.isdigit() else 0 for cell in text] for text in texts]
    return np.array(rows, np.uint8)


@pytest.fixture(params=["", "0"], ids=["as it is", "without the library"], autouse=True)
def _with_and_without_the_library(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATDOKU_LANES", request.param)


def test_counts_are_those_of_count() -> None:
    expected = [satdoku.count(text, limit=5).number for text in BOARDS]
    numbers = digits_of(BOARDS)
    found = satdoku.count_array(numbers, limit=5)
    assert found.dtype == np.int64
    assert found.tolist() == expected
    assert satdoku.count_array(numbers.tobytes(), limit=5) == expected
    assert satdoku.count_array([*BOARDS, "abc", SMALL][:7], limit=5).tolist() == [*expected, -1]
    assert satdoku.count_array(numbers.reshape(-1, 9, 9)[0]).tolist() == 1
    assert satdoku.count_array([AMBIGUOUS, SMALL], limit=3).tolist() == [3, 1]
    with pytest.raises(satdoku.SatdokuError, match="no number of solutions"):
        satdoku.count_array(numbers, limit=0)


def test_ratings_are_those_of_rate() -> None:
    puzzles = [made.puzzle.grid.line for made in make(request(seed="rates"), 4)]
    texts = [*puzzles, "abc", AMBIGUOUS + "." * 65, CLASHING, HARD]
    found = satdoku.rate_array(texts)
    assert found.verdict.tolist() == [*[VerdictCode.UNIQUE] * 4, 4, 2, 0, 1]
    ratings = [satdoku.rate(text).number for text in (*puzzles, HARD)]
    expected = [255 if number is None else number for number in ratings]
    assert found.rating.tolist() == [*expected[:4], 255, 255, 255, expected[4]]
    of_bytes = satdoku.rate_array(digits_of(puzzles).tobytes())
    assert list(of_bytes.rating) == expected[:4]


def test_forms_are_those_of_canonical() -> None:
    expected = [
        (0,) * 81 if text == CLASHING else satdoku.canonical(text).grid.digits for text in BOARDS
    ]
    numbers = digits_of(BOARDS)
    assert satdoku.canonical_array(numbers).tolist() == [list(digits) for digits in expected]
    assert satdoku.canonical_array(numbers.reshape(-1, 9, 9)).shape == (6, 9, 9)
    assert satdoku.canonical_array(numbers.tobytes()) == b"".join(map(bytes, expected))
    forms = satdoku.canonical_array(["abc", EASY])
    assert forms[0].sum() == 0
    assert forms[1].tolist() == list(expected[0])


def test_puzzles_are_made_as_generate_makes_them() -> None:
    made = satdoku.generate_array(3, seed=7, box=Geometry(2, 2))
    expected = list(satdoku.generate(3, seed=7, box=Geometry(2, 2)))
    assert made.puzzle.tolist() == [list(each.puzzle.grid.digits) for each in expected]
    assert made.solution.tolist() == [list(each.solution.digits) for each in expected]
    assert satdoku.generate_array(0).puzzle.shape == (0, 81)
    assert satdoku.generate_array(0, box=Geometry(2, 2)).solution.shape == (0, 16)
    with pytest.raises(satdoku.SatdokuError, match="is no whole number"):
        satdoku.generate_array(1.5)  # type: ignore[arg-type]
    with pytest.raises(satdoku.SatdokuError, match="cannot hold further rules"):
        satdoku.generate_array(1, rules=["anti-knight"])
