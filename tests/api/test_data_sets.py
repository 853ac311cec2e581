"""`satdoku.grade`, `augment` and `split`: what data sets need."""

from importlib import import_module
from typing import Any

import pytest

import satdoku
from satdoku import Mark
from tests.boards import read_grid
from tests.commands import AMBIGUOUS, CLASHING, EASY, EASY_SOLUTION, SMALL, SMALL_SOLUTION

ANSWERS = [EASY_SOLUTION, EASY_SOLUTION[:-1] + ".", "no", "", None, float("nan")]
MARKS = ["right", "incomplete", "malformed", "missing", "missing", "missing"]


def marks(grades: list[satdoku.Grade]) -> list[str]:
    return [grade.mark.value for grade in grades]


def test_there_is_a_mark_for_every_puzzle() -> None:
    assert marks(satdoku.grade([EASY] * 7, ANSWERS)) == [*MARKS, "missing"]
    with pytest.raises(satdoku.SatdokuError, match="1 answer more than the 5 puzzles"):
        satdoku.grade([EASY] * 5, ANSWERS)
    with pytest.raises(satdoku.SatdokuError, match="a list of puzzles"):
        satdoku.grade(EASY, EASY_SOLUTION)


@pytest.mark.parametrize("library", ["pandas.Series", "polars.Series", "pyarrow.array"])
def test_columns_of_frames_are_lists(library: str) -> None:
    name, _, kind = library.partition(".")
    column: Any = getattr(import_module(name), kind)  # late: not each worker needs it
    texts = [EASY_SOLUTION, None, "no"]
    assert marks(satdoku.grade(column([EASY] * 3), column(texts))) == [
        "right",
        "missing",
        "malformed",
    ]


def test_arrays_and_rows_are_answers() -> None:
    import numpy

    rows = [list(row) for row in read_grid(EASY_SOLUTION).rows]
    answers = [rows, numpy.array(rows), numpy.array(rows).reshape(81), rows[:8]]
    assert marks(satdoku.grade([EASY] * 4, answers)) == ["right"] * 3 + ["malformed"]


def test_wrong_answers_say_where() -> None:
    [grade] = satdoku.grade([EASY], [f"6{EASY_SOLUTION[1:]}"])
    assert grade.mark is Mark.WRONG
    assert not grade.is_right
    assert grade.cells == grade.changed == (0,)
    assert [clash.cells for clash in grade.broken] == [(0, 3), (0, 9)]


def test_rules_and_boards_of_other_shapes() -> None:
    box = satdoku.Geometry(2, 3)
    puzzle = "." * 36
    solution = satdoku.write(next(satdoku.solutions(satdoku.parse(puzzle, box=box)))).strip()
    assert marks(satdoku.grade([puzzle], [solution], box=box)) == ["right"]
    turned = satdoku.Geometry(3, 2)
    assert marks(satdoku.grade([puzzle], [solution], box=turned)) == ["wrong"]
    ruled = satdoku.grade([SMALL], [SMALL_SOLUTION], rules=["anti-knight"])
    assert marks(ruled) == ["wrong"]


def test_twins_lead_back() -> None:
    solution = satdoku.solve(EASY)
    twins = satdoku.augment(EASY, 20, seed="x")
    assert {twin.moves.is_transposed for twin in twins} == {True, False}
    for twin in twins:
        assert twin.apply(satdoku.parse(EASY).grid) == twin.puzzle.grid
        assert twin.undo(twin.puzzle.grid) == satdoku.parse(EASY).grid
        assert satdoku.grade([twin.puzzle], [twin.apply(solution).line])[0].is_right


def test_twins_of_boards_whose_boxes_are_no_squares_keep_their_shape() -> None:
    puzzle = satdoku.parse("1" + "." * 35, box=satdoku.Geometry(2, 3))
    for twin in satdoku.augment(puzzle, 5):
        assert twin.puzzle.geometry == puzzle.geometry
        assert twin.undo(twin.puzzle.grid) == puzzle.grid


def test_a_split_keeps_twins_together() -> None:
    made = [each.puzzle for each in satdoku.generate(8, seed=3, box=satdoku.Geometry(2, 2))]
    puzzles = [twin.puzzle for puzzle in made for twin in satdoku.augment(puzzle, 3)]
    parts = satdoku.split(puzzles, 0.5, seed=1)
    assert sorted(parts.train + parts.test) == list(range(24))
    forms = [{satdoku.canonical(puzzles[n]).grid for n in part} for part in parts]
    assert not forms[0] & forms[1]
    assert satdoku.split(puzzles, 0).test == satdoku.split(puzzles, 1).train == []


def test_what_cannot_be_split_is_refused() -> None:
    with pytest.raises(satdoku.SatdokuError, match="no canonical form"):
        satdoku.split([CLASHING])
    with pytest.raises(satdoku.SatdokuError, match="not between 0 and 1"):
        satdoku.split([AMBIGUOUS], 2)
    with pytest.raises(satdoku.SatdokuError, match="neither"):
        satdoku.split([AMBIGUOUS], of="grid")
