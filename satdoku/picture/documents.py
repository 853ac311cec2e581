"""Drawings as files: SVG, boards on a poster or on pages, slides and worksheets as HTML pages.

SVG is written directly, PNG by resvg, PDF by reportlab; both come with `satdoku[draw]`.

These two were chosen among four libraries. resvg-py (3 MB) renders text as browsers do, from fonts
that are passed to it, and needs no system library, whereas cairosvg needs Cairo. reportlab (32 MB
with Pillow) takes shapes one by one, so that no SVG has to be parsed again; fpdf2 takes 55 MB.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from html import escape
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from math import ceil
from types import ModuleType
from typing import Any, NamedTuple
from zlib import crc32

from satdoku.errors import SatdokuError
from satdoku.notation.spelling import split_every
from satdoku.picture.figure import (
    DARK,
    LEADING,
    LIGHT,
    PAINTS,
    Circle,
    Figure,
    Group,
    Paint,
    Path,
    Rect,
    Shape,
    Text,
    arrow_lines,
    draw,
    lines_of,
    outside_room,
    paragraph,
    spots_of,
    writable,
)
from satdoku.picture.picture import Layout, Outside, Picture, Shade, Show, Sketch, Slide
from satdoku.picture.text import draw_characters
from satdoku.puzzle.grid import Geometry

# Figures as SVG: shapes with classes, one style sheet, selectable text.

ROOT = "satdoku"
"""The CSS class of every drawing; the style sheet affects only drawings."""

# Images and PDF files are drawn in Vera; the other fonts look much like it.
FONTS = "Verdana, 'DejaVu Sans', 'Bitstream Vera Sans', Arial, sans-serif"

# Attributes and classes by which notebooks mark the theme that the reader chose.
_DARK_PAGES = ('[data-jp-theme-light="false"]', ".vscode-dark")
_LIGHT_PAGES = ('[data-jp-theme-light="true"]', ".vscode-light")


def escaped(text: str) -> str:
    """Return a text escaped for SVG and HTML."""
    return escape(writable(text))


def write_svg(figure: Figure, has_dark: bool = True) -> str:
    """Return the figure as a complete SVG file."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + svg_element(figure, style=style_sheet(has_dark), has_size=True)
        + "\n"
    )


def svg_element(figure: Figure, prefix: str = "", style: str = "", has_size: bool = False) -> str:
    """Return the figure as an SVG element, for a page that has the style sheet already."""
    width, height = _number(figure.width), _number(figure.height)
    size = f' width="{width}" height="{height}"' if has_size else ""
    title, described = f"{prefix}title", f"{prefix}desc"
    sheet = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" viewBox="0 0 {width} {height}"'
        f'{size} role="img" aria-labelledby="{title} {described}" font-family="{FONTS}">'
        f'<title id="{title}">{escaped(figure.title)}</title>'
        f'<desc id="{described}">{escaped(figure.description)}</desc>'
        f"{sheet}{''.join(_elements(figure.shapes, prefix))}</svg>"
    )


def style_sheet(has_dark: bool = True) -> str:
    """Return the style rules for all paints; with `has_dark`, also the dark scheme for dark
    screens.
    """
    light = "".join(_rules(f".{ROOT} ", LIGHT))
    if not has_dark:
        return light
    dark = "".join(_rules(f".{ROOT} ", DARK))
    return (
        f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"
        + "".join("".join(_rules(f"{page} .{ROOT} ", LIGHT)) for page in _LIGHT_PAGES)
        + "@media screen{"
        + "".join("".join(_rules(f"{page} .{ROOT} ", DARK)) for page in _DARK_PAGES)
        + "}"
    )


def page_style_sheet() -> str:
    """Return the style rules for the drawings on pages of satdoku, which are no notebooks and
    follow the screen.
    """
    dark = "".join(
        f".{ROOT} .{name}{{{';'.join(_colours(paint, DARK))}}}" for name, paint in PAINTS.items()
    )
    return f"{style_sheet(has_dark=False)}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _rules(scope: str, scheme: Mapping[str, str]) -> Iterator[str]:
    for name, paint in PAINTS.items():
        yield f"{scope}.{name}{{{_declarations(paint, scheme)}}}"


def _colours(paint: Paint, scheme: Mapping[str, str]) -> Iterator[str]:
    if paint.fill:
        yield f"fill:{scheme[paint.fill]}"
    if paint.stroke:
        yield f"stroke:{scheme[paint.stroke]}"


def _declarations(paint: Paint, scheme: Mapping[str, str]) -> str:
    parts = [f"fill:{scheme[paint.fill] if paint.fill else 'none'}"]
    if paint.stroke:
        parts.append(f"stroke:{scheme[paint.stroke]};stroke-width:{_number(paint.width)}")
    if paint.dash:
        parts.append(f"stroke-dasharray:{' '.join(map(_number, paint.dash))}")
    if paint.is_bold:
        parts.append("font-weight:bold")
    return ";".join(parts)


def _elements(shapes: Iterable[Shape], prefix: str) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield _group(shape, prefix)
        else:
            yield _element(shape)


def _group(group: Group, prefix: str) -> str:
    moved = ""
    if (group.x, group.y, group.scale) != (0, 0, 1):
        moved = (
            f' transform="translate({_number(group.x)} {_number(group.y)}) '
            f'scale({_number(group.scale)})"'
        )
    inner = f"{prefix}{group.name}-" if group.is_board else prefix
    return f'<g id="{prefix}{group.name}"{moved}>{"".join(_elements(group.shapes, inner))}</g>'


def _element(shape: Rect | Circle | Path | Text) -> str:
    name = f' class="{shape.paint}"'
    if isinstance(shape, Rect):
        x, y, width, height = map(_number, shape[:4])
        return f'<rect{name} x="{x}" y="{y}" width="{width}" height="{height}"/>'
    if isinstance(shape, Circle):
        x, y, radius = map(_number, shape[:3])
        return f'<circle{name} cx="{x}" cy="{y}" r="{radius}"/>'
    if isinstance(shape, Path):
        return f'<path{name} d="{"".join(map(_line, shape.lines))}"/>'
    x, y, size = _number(shape.x), _number(shape.y), _number(shape.size)
    anchor = ' text-anchor="middle"' if shape.is_centred else ""
    return f'<text{name} x="{x}" y="{y}" font-size="{size}"{anchor}>{escaped(shape.text)}</text>'


def _line(points: tuple[tuple[float, float], ...]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """Return a length rounded to two decimals; the difference is invisible."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


# The default of boards on a page of paper: a 9x9 board is then 8 cm wide.
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
    """Return boards drawn in characters, each with its name above and the legend of its shapes
    below.
    """
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
        # Number the boards, so that the reader finds the solution of each.
        sketches = [sketch.numbered(n) for n, sketch in enumerate(sketches, 1)]
    boards = [picture for sketch in sketches for picture in sketch.boards]
    answers = [picture for sketch in sketches for picture in sketch.answers]
    if layout.paper not in PAPERS:
        raise SatdokuError(f"{layout.paper!r} is no paper; there are: {', '.join(PAPERS)}")
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
        document: bytes = _writers().write_pdf(figures)
        return document
    [figure] = figures
    if kind is not DocumentKind.PNG:
        return write_svg(figure).encode()
    image: bytes = _writers().write_png(write_svg(figure, has_dark=False))
    return image


def _writers() -> ModuleType:
    """Import the module that needs the packages for PNG and PDF, as these may be missing."""
    return import_module("satdoku.picture.pdf_and_png")


PAPERS = {"a4": (595.0, 842.0), "letter": (612.0, 792.0)}
"""The width and the height of pages, in points (1/72 inch)."""

_MARGIN = 42.0
_TITLE_SIZE, _FOOTER_SIZE = 17.0, 10.0
# The gap between two boards, as a share of the width of one.
_GAP = 0.07
# Largest scale of a board alone on a page: 9x9 is then 17 cm wide, as in a magazine.
_LARGEST_SCALE = 1.3
# Most boards in a row on a drawing that is not for paper: with more, each board would be too small
# to read on a screen.
_MOST_BESIDE = 3


_NOTHING = Layout()


def make_poster(figures: Sequence[Figure], words: Layout = _NOTHING) -> Figure:
    """Return one drawing with all boards in their full size."""
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
    width, height = PAPERS[words.paper]
    body = width - 2 * _MARGIN
    title = lines_of(words.title, body, _TITLE_SIZE)
    footer = lines_of(words.footer, body, _FOOTER_SIZE)
    top = _MARGIN + LEADING * _TITLE_SIZE * (len(title) + 0.5 if title else 0)
    below = LEADING * _FOOTER_SIZE * max(len(footer), bool(place))
    room = height - top - _MARGIN - below
    shapes: list[Shape] = [
        Rect(0, 0, width, height, "paper"),
        *paragraph(title, _MARGIN, _MARGIN, _TITLE_SIZE, "title"),
        *_fit(figures, before, per_page, top, body, room),
        *paragraph(footer, _MARGIN, height - _MARGIN - below, _FOOTER_SIZE, "words"),
    ]
    if place:
        shapes.append(Text(width / 2, height - _MARGIN / 2, place, _FOOTER_SIZE, "words"))
    return _figure(width, height, shapes, figures, words)


def _fit(
    figures: Sequence[Figure], before: int, per_page: int, top: float, body: float, room: float
) -> Iterator[Group]:
    """Arrange the boards in the number of columns that makes them largest; all boards are equally
    large.

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


# Slides as a self-contained HTML page: no network, no further file, no library.
#
# `SlideObjects` converts slides to JSON objects, for every page that steps through them on one
# board; `boards_html` makes the HTML that a notebook shows.

# In the order of their imports, since they are joined into one script.
_MODULES = ("board.js", "state.js", "walk.js", "still.js")


def write_page(shows: Sequence[Show]) -> str:
    """Return a page that shows one board at a time and steps through the slides of each puzzle."""
    title = shows[0].title if len(shows) == 1 else f"{len(shows)} puzzles"
    filled = _file("still.html").replace("{{title}}", escaped(title))
    styles = _file("cells.css") + _file("style.css") + page_style_sheet()
    filled = filled.replace("{{style}}", styles)
    filled = filled.replace("{{script}}", _script())
    # Texts of puzzles are inserted last, because they may look like a placeholder; "<" is escaped,
    # so that a text cannot end the script element.
    told = json.dumps([_show_object(show) for show in shows], separators=(",", ":"))
    return filled.replace("{{shows}}", told.replace("<", "\\u003c"))


def _file(name: str) -> str:
    return files("satdoku.picture").joinpath("web", name).read_text("utf-8")


def _script() -> str:
    """Join the modules to one script without imports; no two may use one top-level name."""
    text = "\n".join(map(_file, _MODULES))
    return re.sub("^export |^import .*;\n", "", text, flags=re.MULTILINE)


def _show_object(show: Show) -> dict[str, Any]:
    first = show.slides[0].picture
    shades = sum(1 for _ in first.drawn_as(Shade))
    slides = SlideObjects(shades)
    geometry = first.geometry
    empty = replace(first, digits=(0,) * geometry.cell_count, candidates={}, has_labels=False)
    return {
        "title": show.title,
        "verdict": show.verdict,
        "summary": show.summary,
        "givens": sorted(first.givens),
        "captions": list(first.captions),
        **board_object(replace(empty, title="", captions=(), cells={}, places={}, arrows=())),
        "slides": [{"part": "step", **slides.of(slide)} for slide in show.slides],
    }


# With this width, a 9x9 cell is two lines of text high, and one board is as wide as a phone.
_BOARD_WIDTH = 340


def boards_html(pictures: Sequence[Picture], words: str = "") -> str:
    """Return drawings as HTML for a cell of a notebook, side by side if there is room.

    All HTML is in one element, whose style sheet affects nothing else.
    """
    boards = "".join(
        f'<div style="flex:0 1 {_BOARD_WIDTH}px">{_board(picture)}</div>' for picture in pictures
    )
    told = f"<p>{escaped(words)}</p>" if words else ""
    return (
        f"<div><style>{style_sheet()}</style>{told}"
        f'<div style="display:flex;flex-wrap:wrap;gap:24px">{boards}</div></div>'
    )


def _board(picture: Picture) -> str:
    """Return a drawing whose ids are unique on the page, except among equal drawings."""
    figure = draw(picture)
    told = f"{figure.title} {figure.description}"
    # Ids come from a checksum of the drawing, so that a notebook cell that runs again gives the
    # same ids; `hash` would differ from run to run.
    number = crc32(told.encode(errors="replace"))
    return svg_element(figure, f"board-{number:08x}-")


class SlideObjects:
    """The slides of one puzzle as JSON objects, each with the changes on the board.

    Only changes, since a board with all candidates has a thousand numbers, and a step changes few
    of them. `own_shades` is the number of shades that belong to the rules and are always shown.
    """

    def __init__(self, own_shades: int) -> None:
        self._own_shades = own_shades
        self._digits: Sequence[int] = ()
        self._candidates: Mapping[int, Sequence[int]] = {}

    def of(self, slide: Slide) -> dict[str, Any]:
        """Return the texts of a slide, the changes on the board, and the highlights."""
        others = {"number": slide.number, "text": slide.text, "details": slide.details}
        return {
            "heading": slide.heading,
            **{name: value for name, value in others.items() if value},
            "board": self._changes(slide.picture),
            **self._marks(slide.picture),
        }

    def _changes(self, picture: Picture) -> dict[str, Any]:
        """Return the cells whose content has changed: a digit, or the list of candidates."""
        before, known = self._digits, self._candidates
        self._digits, self._candidates = picture.digits, picture.small_digits
        return {
            str(cell): content
            for cell, content in self._contents()
            if not before or content != (before[cell] or list(known.get(cell, ())))
        }

    def _contents(self) -> Iterator[tuple[int, int | list[int]]]:
        for cell, digit in enumerate(self._digits):
            yield cell, digit or list(self._candidates.get(cell, ()))

    def _marks(self, picture: Picture) -> dict[str, Any]:
        shades = [list(shade.cells) for shade in picture.drawn_as(Shade)][self._own_shades :]
        arrows = [[*arrow.start, *arrow.end, int(arrow.is_strong)] for arrow in picture.arrows]
        strokes = [list(map(_line, lines)) for lines in arrow_lines(picture)]
        found: dict[str, Any] = {
            "cells": {str(cell): why.value for cell, why in picture.cells.items()},
            "places": [[*place, why.value] for place, why in picture.places.items()],
            "arrows": arrows,
            "strokes": strokes,
            "shades": shades,
        }
        return {name: value for name, value in found.items() if value}


def board_object(picture: Picture) -> dict[str, Any]:
    """Return the board's shape and drawing, and its cells' place: left, top, width and height.

    Sides that have no clues are cut, so that the cells are as large as a small screen allows.
    """
    figure: Figure = draw(picture)
    clues = list(picture.drawn_as(Outside))
    left, top, wide, high = figure.frame
    room = outside_room(picture) * wide / spots_of(picture.geometry).wide
    is_empty = (
        all(clue.right <= 0 for clue in clues),
        all(clue.down <= 0 for clue in clues),
        all(clue.right >= 0 for clue in clues),
        all(clue.down >= 0 for clue in clues),
    )
    before, above, after, below = (room * is_cut for is_cut in is_empty)
    width, height = figure.width - before - after, figure.height - above - below
    view = f'viewBox="{before:g} {above:g} {width:g} {height:g}"'
    return {
        **shape_object(picture.geometry),
        "svg": re.sub('viewBox="[^"]*"', view, svg_element(figure, "board-"), count=1),
        "width": width,
        "height": height,
        "frame": [left - before, top - above, wide, high],
    }


def shape_object(geometry: Geometry) -> dict[str, Any]:
    """Return the shape of a board: its box, or its text with the place and the name of each cell.

    The places are rows and columns of a field that has cells beside the board too.
    """
    if geometry.is_plain:
        return {"box": [geometry.box_rows, geometry.box_columns]}
    spots = spots_of(geometry)
    layout = {
        "digits": geometry.size,
        "words": geometry.whole_words,
        "wide": spots.wide,
        "high": spots.high,
        "places": spots.places,
        "names": [geometry.name_of(cell) for cell in range(geometry.cell_count)],
    }
    return {"box": str(geometry), "layout": layout}


# Exercises as one HTML page for a screen or for paper: boards, hints to unfold, answers at the end.

_STYLE = """
@media screen { :root { color-scheme: light dark; } }
body { font: 16px/1.4 sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em; }
main, section.answers { display: grid; gap: 2em;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 24em), 1fr)); }
h1, h2.answers { font-size: 1.3em; }
article { break-inside: avoid; }
article h2 { font-size: 1em; margin: 0 0 .5em; }
svg { width: 100%; height: auto; }
ol { padding-left: 1.5em; }
@media print { details { display: none; } h2.answers { break-before: page; } }
"""


class Exercise(NamedTuple):
    """An exercise: a board, hints from vague to full, and the board with the answer."""

    board: Picture
    hints: Sequence[str]
    answer: Picture


def write_worksheet(title: str, task: str, exercises: Sequence[Exercise]) -> str:
    """Return the page; `task` states what the reader has to find on each board."""
    asked = "".join(
        f"<article><h2>{number}. {escaped(task)}</h2>{_drawn(each.board, f'b{number}-')}"
        f"{_hints(each.hints[:-1])}</article>"
        for number, each in enumerate(exercises, 1)
    )
    answers = "".join(
        f"<article><h2>{number}.</h2>{_drawn(each.answer, f'a{number}-')}"
        f"<ol>{''.join(f'<li>{_sentence(hint)}</li>' for hint in each.hints)}</ol></article>"
        for number, each in enumerate(exercises, 1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}{page_style_sheet()}</style></head><body><h1>{escaped(title)}</h1>"
        f'<main>{asked}</main><h2 class="answers">Answers</h2>'
        f'<section class="answers">{answers}</section></body></html>\n'
    )


def _drawn(picture: Picture, prefix: str) -> str:
    return svg_element(draw(picture), prefix)


def _hints(hints: Sequence[str]) -> str:
    """Return the hints as nested elements, to be unfolded one by one."""
    if not hints:
        return ""
    first, *others = hints
    return f"<details><summary>A hint</summary><p>{_sentence(first)}</p>{_hints(others)}</details>"


def _sentence(hint: str) -> str:
    return escaped(hint[:1].upper() + hint[1:])
