"""Drawings as files: boards arranged on a poster or on pages, and the bytes of the file.

SVG is written directly, PNG by resvg, PDF by reportlab; both come with `satdoku[draw]`.

These two were chosen among four libraries. resvg-py (3 MB) renders text as browsers do, from fonts
that are passed to it, and needs no system library, whereas cairosvg needs Cairo. reportlab (32 MB
with Pillow) takes shapes one by one, so that no SVG has to be parsed again; fpdf2 takes 55 MB.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from math import ceil
from typing import Any

from satdoku.errors import SatdokuError
from satdoku.notation.spelling import split_every
from satdoku.picture.figure import (
    LEADING,
    Figure,
    Group,
    Rect,
    Shape,
    Text,
    draw,
    lines_of,
    paragraph,
)
from satdoku.picture.picture import Layout, Picture, Sketch
from satdoku.picture.svg import write_svg
from satdoku.picture.text import draw_characters

# Pixels for each unit of the board: 84 for the side of a cell, sharp in print and on a screen.
_PIXELS = 2
# Default for boards on a page of paper: a board of 9x9 is then 8 cm wide.
_USUAL_PER_PAGE = 6


class DocumentKind(Enum):
    """A file format, with the suffix of its file names."""

    SVG = ".svg"
    PNG = ".png"
    PDF = ".pdf"
    TEXT = ".txt"

    @property
    def has_pages(self) -> bool:
        """Whether a file may have several pages."""
        return self is DocumentKind.PDF


def kind_of(name: str) -> DocumentKind:
    """Return the file format for the suffix of a file name."""
    for kind in DocumentKind:
        if name.lower().endswith(kind.value):
            return kind
    raise SatdokuError(f"{name} is no name for a drawing; it ends in .svg, .png, .pdf or .txt")


def require_library(kind: DocumentKind) -> None:
    """Raise an error if the library for a file format is missing."""
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
    """Return a file with the boards of all sketches, followed by their answers."""
    if kind is DocumentKind.TEXT:
        return _text(sketches)
    return write_document(_pages(sketches, kind, layout or Layout()), kind)


def _text(sketches: Sequence[Sketch]) -> bytes:
    """Return boards of characters, each with its name above and the legend of its shapes below."""
    pictures = [picture for sketch in sketches for picture in (*sketch.boards, *sketch.answers)]
    boards = (
        [*filter(None, [picture.title]), *draw_characters(picture), *picture.captions]
        for picture in pictures
    )
    # A name from JSON may contain lone surrogates, or characters that the terminal cannot show.
    shown = ("\n".join("".join(map(_printable, line)) for line in board) for board in boards)
    return ("\n\n".join(shown) + "\n").encode()


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else "\ufffd"


def _pages(sketches: Sequence[Sketch], kind: DocumentKind, layout: Layout) -> list[Figure]:
    if len(sketches) > 1:
        # Number the boards, so that a reader finds the solution of each.
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
    return [make_poster([draw(picture) for picture in (*boards, *solved)], layout)]


def _paper(pictures: Sequence[Picture], layout: Layout, heading: str) -> Sequence[Figure]:
    if not pictures:
        return ()
    per_page = layout.per_page or min(len(pictures), _USUAL_PER_PAGE)
    words = layout._replace(title=": ".join(filter(None, (layout.title, heading))))
    return list(make_pages([draw(picture) for picture in pictures], per_page, words))


def write_document(figures: Sequence[Figure], kind: DocumentKind) -> bytes:
    """Return the bytes of a file with a page for each figure; SVG and PNG have one page."""
    if kind is DocumentKind.PDF:
        write_pdf: Any = import_module("satdoku.picture.pdf").write_pdf
        document: bytes = write_pdf(figures)
        return document
    [figure] = figures
    return _png(figure) if kind is DocumentKind.PNG else write_svg(figure).encode()


def _png(figure: Figure) -> bytes:
    import resvg_py

    from satdoku.picture.pdf import font_files

    # Use no system fonts, so that the image is the same on every machine.
    image = resvg_py.svg_to_bytes(
        svg_string=write_svg(figure, has_dark=False),
        zoom=_PIXELS,
        skip_system_fonts=True,
        font_files=font_files(),
        font_family="Bitstream Vera Sans",
    )
    return bytes(image)


# A4, in points (1/72 inch). The content fits on letter paper too, with smaller margins above and
# below.
_PAPER_WIDTH, _PAPER_HEIGHT = 595.0, 842.0
_MARGIN = 42.0
_TITLE_SIZE, _FOOTER_SIZE = 17.0, 10.0
# The gap between two boards, as a share of the width of one.
_GAP = 0.07
# Upper bound for a board alone on a page: 9x9 is then 17 cm wide, as in a magazine.
_LARGEST_SCALE = 1.3
# Most boards in a row on a drawing that is not for paper: with more, each would be too small to
# read on a screen.
_MOST_BESIDE = 3


_NOTHING = Layout()


def make_poster(figures: Sequence[Figure], words: Layout = _NOTHING) -> Figure:
    """Return one drawing with all boards, as large as they need."""
    if len(figures) == 1 and not (words.title or words.footer):
        return figures[0]
    columns = min(len(figures), _MOST_BESIDE)
    width = max(figure.width for figure in figures)
    gap = _GAP * width
    body = columns * (width + gap) - gap
    title = lines_of(words.title, body, _TITLE_SIZE)
    top = LEADING * _TITLE_SIZE * len(title) + (gap / 2 if title else 0)
    boards: list[Shape] = []
    bottom = top - gap
    for row in split_every(figures, columns):
        y = bottom + gap
        for n, figure in enumerate(row):
            boards.append(_place(figure, len(boards) + 1, n * (width + gap), y))
        bottom = y + max(figure.height for figure in row)
    footer = lines_of(words.footer, body, _FOOTER_SIZE)
    full = bottom + LEADING * _FOOTER_SIZE * (len(footer) + 0.5 if footer else 0)
    shapes: list[Shape] = [
        Rect(0, 0, body, full, "paper"),
        *paragraph(title, 0, 0, _TITLE_SIZE, "title"),
        *boards,
        *paragraph(footer, 0, bottom, _FOOTER_SIZE, "words"),
    ]
    return _figure(body, full, shapes, figures, words)


def make_pages(
    figures: Sequence[Figure], per_page: int, words: Layout = _NOTHING
) -> Iterator[Figure]:
    """Yield numbered pages with `per_page` boards on each, as large as fits."""
    pages = split_every(figures, per_page)
    for number, some in enumerate(pages):
        place = f"{number + 1} / {len(pages)}" if len(pages) > 1 else ""
        yield _make_page(some, number * per_page, per_page, words, place)


def _make_page(
    figures: Sequence[Figure], before: int, per_page: int, words: Layout, place: str
) -> Figure:
    body = _PAPER_WIDTH - 2 * _MARGIN
    title = lines_of(words.title, body, _TITLE_SIZE)
    footer = lines_of(words.footer, body, _FOOTER_SIZE)
    top = _MARGIN + LEADING * _TITLE_SIZE * (len(title) + 0.5 if title else 0)
    below = LEADING * _FOOTER_SIZE * max(len(footer), bool(place))
    room = _PAPER_HEIGHT - top - _MARGIN - below
    shapes: list[Shape] = [
        Rect(0, 0, _PAPER_WIDTH, _PAPER_HEIGHT, "paper"),
        *paragraph(title, _MARGIN, _MARGIN, _TITLE_SIZE, "title"),
        *_fit(figures, before, per_page, top, body, room),
        *paragraph(footer, _MARGIN, _PAPER_HEIGHT - _MARGIN - below, _FOOTER_SIZE, "words"),
    ]
    if place:
        shapes.append(
            Text(_PAPER_WIDTH / 2, _PAPER_HEIGHT - _MARGIN / 2, place, _FOOTER_SIZE, "words")
        )
    return _figure(_PAPER_WIDTH, _PAPER_HEIGHT, shapes, figures, words)


def _fit(
    figures: Sequence[Figure], before: int, per_page: int, top: float, body: float, room: float
) -> Iterator[Group]:
    """Arrange the boards in the number of columns that makes them largest, all in a row alike.

    Boards on a page that is not full are placed as on a full one.
    """
    width = max(figure.width for figure in figures)
    height = max(figure.height for figure in figures)

    def scale_of(columns: int) -> float:
        beside = columns + _GAP * (columns - 1)
        rows = ceil(per_page / columns)
        return min(
            _LARGEST_SCALE,
            body / (width * beside),
            room / (height * rows + _GAP * width * (rows - 1)),
        )

    columns = max(range(1, per_page + 1), key=scale_of)
    scale = scale_of(columns)
    column = (body - columns * width * scale) / columns + width * scale
    row = room / ceil(per_page / columns)
    for n, figure in enumerate(figures):
        x = _MARGIN + n % columns * column + (column - figure.width * scale) / 2
        yield _place(figure, before + n + 1, x, top + n // columns * row, scale)


def _place(figure: Figure, number: int, x: float, y: float, scale: float = 1.0) -> Group:
    return Group(f"board-{number}", figure.shapes, x, y, scale, is_board=True)


def _figure(
    width: float,
    height: float,
    shapes: Sequence[Shape],
    figures: Sequence[Figure],
    words: Layout,
) -> Figure:
    told = " ".join(f"{figure.title}: {figure.description}" for figure in figures)
    title = words.title or (figures[0].title if len(figures) == 1 else f"{len(figures)} boards")
    return Figure(width, height, shapes, title, told)
