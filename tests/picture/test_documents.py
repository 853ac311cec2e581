"""Drawings as PNG and PDF, with the library and without; boards lie side by side on their pages."""

import struct
from xml.etree import ElementTree

import pytest

from satdoku.errors import SatdokuError
from satdoku.picture import documents
from satdoku.picture.documents import (
    DocumentKind,
    kind_of,
    make_pages,
    make_poster,
    require_library,
    write_document,
    write_sketches,
)
from satdoku.picture.figure import Figure, Group, Text, draw
from satdoku.picture.picture import Layout, Sketch, picture_of
from satdoku.puzzle.grid import Geometry, Grid
from satdoku.puzzle.puzzle import Puzzle
from tests.each import for_each

FIGURE = draw(picture_of(Puzzle.from_line("1.....2..3.....4", rules=["odd:r1c2"], name="Żółć ≠")))


@pytest.mark.parametrize("name", ["a.svg", "b.PNG", "folder.svg/c.pdf", "d.txt"])
def test_the_suffix_names_the_kind(name: str) -> None:
    assert kind_of(name).value == name[-4:].lower()


@pytest.mark.parametrize("name", ["a", "a.gif", "svg", "a.svg.gz"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SatdokuError, match=r"ends in \.svg, \.png, \.pdf or \.txt"):
        kind_of(name)


@pytest.mark.parametrize("kind", [DocumentKind.PNG, DocumentKind.PDF], ids=lambda kind: kind.name)
def test_a_missing_library_is_named_with_its_extra(
    kind: DocumentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "find_spec", lambda name: None)
    with pytest.raises(SatdokuError, match=rf"{kind.name} files need .*'satdoku\[draw\]'"):
        require_library(kind)
    require_library(DocumentKind.SVG)


def test_an_image_has_two_pixels_for_each_unit() -> None:
    pytest.importorskip("resvg_py")
    data = write_document([FIGURE], DocumentKind.PNG)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert abs(width - 2 * FIGURE.width) <= 2
    assert abs(height - 2 * FIGURE.height) <= 2


def test_a_pdf_has_a_page_for_each_figure_and_the_same_bytes_each_time() -> None:
    pytest.importorskip("reportlab")
    data = write_document([FIGURE, FIGURE, FIGURE], DocumentKind.PDF)
    assert data.startswith(b"%PDF-")
    assert b"/Count 3" in data
    assert data == write_document([FIGURE, FIGURE, FIGURE], DocumentKind.PDF)


@pytest.mark.parametrize("kind", DocumentKind, ids=lambda kind: kind.name)
def test_a_name_with_characters_that_no_file_can_hold_is_drawn(kind: DocumentKind) -> None:
    """As JSON may contain them: a control character, and half of a pair."""
    if kind in (DocumentKind.PNG, DocumentKind.PDF):
        pytest.importorskip("resvg_py" if kind is DocumentKind.PNG else "reportlab")
    puzzle = Puzzle.from_line("1.....2..3.....4", name="before\x01between\ud800after")
    data = write_sketches([Sketch((picture_of(puzzle),))], kind)
    if kind is DocumentKind.TEXT:
        assert data.decode().startswith("before\ufffdbetween\ufffdafter\n┌")
    elif kind is DocumentKind.SVG:
        title = ElementTree.fromstring(data).findtext("{http://www.w3.org/2000/svg}title")
        assert title == "before\ufffdbetween\ufffdafter"
    else:
        assert data.startswith((b"\x89PNG", b"%PDF"))


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
    pages = list(make_pages(some, per_page, Layout(title="A title " * 20, footer="A footer")))
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
    poster = make_poster(some, Layout(title="title", footer="footer"))
    require_apart(poster, some[0])
    assert len(boxes_of(poster, some[0])) == count


def test_pages_have_title_footer_and_number() -> None:
    page, _ = make_pages(figures(2), 1, Layout(title="Above", footer="Below"))
    texts = [shape.text for shape in page.shapes if isinstance(shape, Text)]
    assert texts == ["Above", "Below", "1 / 2"]
