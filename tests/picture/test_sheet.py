"""Boards on pages lie side by side on the paper, whatever their number."""

import pytest

from satdoku.picture.figure import draw
from satdoku.picture.making import picture_of
from satdoku.picture.shapes import Figure, Group, Text
from satdoku.picture.sheet import PageText, make_pages, make_poster
from satdoku.puzzle.geometry import Geometry
from satdoku.puzzle.grid import Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each


def figures(count: int, size: int = 9) -> list[Figure]:
    geometry = Geometry.of_size(size)
    return [draw(picture_of(Puzzle(Grid.empty(geometry))).titled(str(n))) for n in range(count)]


def boxes_of(page: Figure, figure: Figure) -> list[tuple[float, float, float, float]]:
    return [
        (g.x, g.y, g.x + g.scale * figure.width, g.y + g.scale * figure.height)
        for g in page.shapes
        if isinstance(g, Group)
    ]


def require_apart(page: Figure, figure: Figure) -> None:
    boxes = boxes_of(page, figure)
    for n, (left, top, right, bottom) in enumerate(boxes):
        assert left >= -0.01
        assert top >= -0.01
        assert right <= page.width + 0.01
        assert bottom <= page.height + 0.01
        for other in boxes[:n]:
            is_apart = right <= other[0] + 0.01 or left >= other[2] - 0.01
            assert is_apart or bottom <= other[1] + 0.01 or top >= other[3] - 0.01


@for_each("per_page", [1, 2, 3, 4, 6, 9, 12])
@for_each("size", [4, 9, 16])
def test_boards_of_a_page_do_not_touch(per_page: int, size: int) -> None:
    some = figures(per_page + 1, size)
    pages = list(make_pages(some, per_page, PageText("A title " * 20, "A footer")))
    assert [len(boxes_of(page, some[0])) for page in pages] == [per_page, 1]
    for page in pages:
        require_apart(page, some[0])


def test_all_boards_of_a_run_are_equally_large() -> None:
    first, last = make_pages(figures(7), 6)
    scales = {g.scale for page in (first, last) for g in page.shapes if isinstance(g, Group)}
    assert len(scales) == 1


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_a_poster_holds_all_boards(count: int) -> None:
    some = figures(count)
    poster = make_poster(some, PageText("title", "footer"))
    require_apart(poster, some[0])
    assert len(boxes_of(poster, some[0])) == count


def test_pages_have_title_footer_and_number() -> None:
    page, _ = make_pages(figures(2), 1, PageText("Above", "Below"))
    texts = [shape.text for shape in page.shapes if isinstance(shape, Text)]
    assert texts == ["Above", "Below", "1 / 2"]
