"""Drawings as files: SVG as it is, PNG by resvg, PDF by reportlab; both come with `satdoku[draw]`.

They were chosen among four. resvg-py (3 MB) paints text as browsers do, from fonts that it is
handed, and needs nothing of the system, where cairosvg needs its Cairo. reportlab (32 MB with
Pillow) takes shapes one by one, so that no SVG has to be read again; fpdf2 takes 55 MB.
"""

from collections.abc import Sequence
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.picture.figure import draw
from satdoku.picture.picture import Layout, Picture, Sketch
from satdoku.picture.shapes import Figure
from satdoku.picture.sheet import PageText, make_pages, make_poster
from satdoku.picture.svg import write_svg

# Pixels for each unit of the board: 84 for the side of a cell, sharp on a page and on a screen.
_PIXELS = 2
# On paper, where nobody says otherwise: a board of 9x9 is then 8 cm wide.
_USUAL_PER_PAGE = 6


class DocumentKind(Enum):
    """A kind of file, by the suffix of its name."""

    SVG = ".svg"
    PNG = ".png"
    PDF = ".pdf"
    TEXT = ".txt"

    @property
    def has_pages(self) -> bool:
        """Whether a file may have several pages."""
        return self is DocumentKind.PDF


def kind_of(name: str) -> DocumentKind:
    """The kind of file that a name asks for."""
    for kind in DocumentKind:
        if name.lower().endswith(kind.value):
            return kind
    raise SatdokuError(f"{name} is no name for a drawing; it ends in .svg, .png, .pdf or .txt")


def require_library(kind: DocumentKind) -> None:
    """Refuses a kind of file for which a library is missing."""
    names = {
        DocumentKind.SVG: (),
        DocumentKind.TEXT: (),
        DocumentKind.PNG: ("resvg_py", "reportlab"),
        DocumentKind.PDF: ("reportlab",),
    }
    if not all(find_spec(name) for name in names[kind]):
        raise SatdokuError(
            f"{kind.value[1:].upper()} files need a library that is not installed: "
            "pip install 'satdoku[draw]'"
        )


def write_sketches(
    sketches: Sequence[Sketch], kind: DocumentKind, layout: Layout | None = None
) -> bytes:
    """A file with the boards of all sketches, and behind them their answers."""
    if kind is DocumentKind.TEXT:
        return _text(sketches)
    return write_document(_pages(sketches, kind, layout or Layout()), kind)


def _text(sketches: Sequence[Sketch]) -> bytes:
    """Boards of characters, each with its name above and what its shapes mean below."""
    from satdoku.picture.characters import draw_characters

    pictures = [picture for sketch in sketches for picture in (*sketch.boards, *sketch.answers)]
    boards = (
        [*filter(None, [picture.title]), *draw_characters(picture), *picture.captions]
        for picture in pictures
    )
    # A name from JSON may have characters that no terminal takes, and half of a pair.
    shown = ("\n".join("".join(map(_printable, line)) for line in board) for board in boards)
    return ("\n\n".join(shown) + "\n").encode()


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else "\ufffd"


def _pages(sketches: Sequence[Sketch], kind: DocumentKind, layout: Layout) -> list[Figure]:
    if len(sketches) > 1:
        # So that a reader finds the solution of a board.
        sketches = [sketch.numbered(n) for n, sketch in enumerate(sketches, 1)]
    boards = [picture for sketch in sketches for picture in sketch.boards]
    answers = [picture for sketch in sketches for picture in sketch.answers]
    if kind.has_pages or layout.per_page is not None:
        pages = [*_paper(boards, layout, ""), *_paper(answers, layout, "Solutions")]
        if len(pages) > 1 and not kind.has_pages:
            raise SatdokuError(
                f"{len(boards) + len(answers)} boards need {len(pages)} pages, and such a file "
                "has one: name a file that ends in .pdf, or leave out --per-page"
            )
        return pages
    solved = [picture.titled(f"Solution {picture.title}".strip()) for picture in answers]
    words = PageText(layout.title, layout.footer)
    return [make_poster([draw(picture) for picture in (*boards, *solved)], words)]


def _paper(pictures: Sequence[Picture], layout: Layout, heading: str) -> Sequence[Figure]:
    if not pictures:
        return ()
    per_page = layout.per_page or min(len(pictures), _USUAL_PER_PAGE)
    words = PageText(": ".join(filter(None, (layout.title, heading))), layout.footer)
    return list(make_pages([draw(picture) for picture in pictures], per_page, words))


def write_document(figures: Sequence[Figure], kind: DocumentKind) -> bytes:
    """The bytes of a file with a page for each figure; SVG and PNG have one."""
    if kind is DocumentKind.PDF:
        write_pdf: Any = import_module("satdoku.picture.pdf").write_pdf
        document: bytes = write_pdf(figures)
        return document
    [figure] = figures
    return _png(figure) if kind is DocumentKind.PNG else write_svg(figure).encode()


def _png(figure: Figure) -> bytes:
    import resvg_py

    from satdoku.picture.pdf import font_files

    # No font of the system: the same image on every machine.
    image = resvg_py.svg_to_bytes(
        svg_string=write_svg(figure, has_dark=False),
        zoom=_PIXELS,
        skip_system_fonts=True,
        font_files=font_files(),
        font_family="Bitstream Vera Sans",
    )
    return bytes(image)
