"""The line around cells encloses just these cells."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.picture.outlines import outline_of

Line = tuple[tuple[float, float], ...]


def area(line: Line) -> float:
    """What a closed line encloses, by the shoelace formula; holes count against it."""
    pairs = pairwise(line)
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs) / 2


@given(cells=st.sets(st.integers(0, 35)))
@settings(max_examples=80, deadline=None)
def test_it_encloses_as_much_as_there_are_cells(cells: set[int]) -> None:
    lines = list(outline_of(cells, 6, 0.0))
    assert sum(map(area, lines)) == len(cells)
    assert all(line[0] == line[-1] for line in lines)


@given(cells=st.sets(st.integers(0, 35), min_size=1))
@settings(max_examples=40, deadline=None)
def test_moved_inside_it_encloses_less(cells: set[int]) -> None:
    assert sum(map(area, outline_of(cells, 6, 0.1))) < len(cells)


def test_cells_that_only_touch_have_a_line_each() -> None:
    assert len(list(outline_of({0, 7}, 6, 0.1))) == 2
    assert len(list(outline_of({0, 1}, 6, 0.1))) == 1
