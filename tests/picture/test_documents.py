"""Drawings as PNG and PDF, with the library and without."""

import struct
from xml.etree import ElementTree

import pytest

from satdoku.errors import SatdokuError
from satdoku.picture import documents
from satdoku.picture.documents import (
    DocumentKind,
    kind_of,
    require_library,
    write_document,
    write_sketches,
)
from satdoku.picture.figure import draw
from satdoku.picture.making import picture_of
from satdoku.picture.picture import Sketch
from satdoku.puzzle.puzzle import Puzzle

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
