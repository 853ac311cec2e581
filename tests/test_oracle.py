"""The oracle itself, against numbers that are known from elsewhere."""

import re
from pathlib import Path

import pytest

from tests.each import for_each
from tests.oracle import count_solutions, solutions_of


@for_each(
    "box_rows, box_columns, count",
    [(1, 1, 1), (1, 2, 2), (2, 1, 2), (1, 3, 12), (3, 1, 12), (2, 2, 288), (1, 4, 576)],
)
def test_empty_boards_have_their_known_number_of_solutions(
    box_rows: int, box_columns: int, count: int
) -> None:
    """Boards with boxes of one row are Latin squares: 1, 2, 12, 576."""
    assert count_solutions(box_rows, box_columns, [0] * (box_rows * box_columns) ** 2) == count


@pytest.mark.slow
def test_the_first_row_and_box_of_6x6_leave_a_share_of_all_28_200_960_boards() -> None:
    """Relabelling makes all 720 first rows alike, swaps in the band all 36 second rows."""
    first_rows = [1, 2, 3, 4, 5, 6, 4, 5, 6]
    box_given = count_solutions(2, 3, first_rows + [0] * 27)
    assert box_given * 720 * 6 <= 28_200_960
    assert count_solutions(2, 3, [1, 2, 3, 4, 5, 6] + [0] * 30) * 720 == 28_200_960


def test_givens_that_clash_have_no_solution() -> None:
    assert count_solutions(2, 2, [1, 0, 0, 1] + [0] * 12) == 0


def test_givens_stay_and_solutions_differ() -> None:
    solutions = list(solutions_of(2, 2, [3] + [0] * 15))
    assert len(set(solutions)) == 288 // 4
    assert {solution[0] for solution in solutions} == {3}


def test_the_oracle_imports_nothing_from_the_package() -> None:
    source = (Path(__file__).parent / "oracle.py").read_text()
    assert set(re.findall(r"^(?:from|import) (\S+)", source, re.M)) == {
        "collections.abc",
        "itertools",
    }
