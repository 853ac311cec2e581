"""Several boards on one drawing, or on pages for a printer, with a title and a footer."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from satdoku.notation.spelling import split_every
from satdoku.picture.shapes import LEADING, Figure, Group, Rect, Shape, Text, lines_of, paragraph

# A4, in points of a 72nd of an inch; what is meant for it fits on letter paper too, with less
# margin above and below.
_PAPER_WIDTH, _PAPER_HEIGHT = 595.0, 842.0
_MARGIN = 42.0
_TITLE_SIZE, _FOOTER_SIZE = 17.0, 10.0
# Between two boards, as a share of the width of one.
_GAP = 0.07
# A board alone on a page is no larger than this: 9x9 is then 17 cm wide, as in a magazine.
_LARGEST_SCALE = 1.3
# How many boards stand side by side on a drawing that is not for paper: with more of them each
# would be too small to read on a screen.
_MOST_BESIDE = 3


class PageText(NamedTuple):
    """What stands above and below the boards of every page."""

    title: str = ""
    footer: str = ""


NOTHING = PageText()


def make_poster(figures: Sequence[Figure], words: PageText = NOTHING) -> Figure:
    """One drawing with all boards, as large as they need."""
    if len(figures) == 1 and words == NOTHING:
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
    figures: Sequence[Figure], per_page: int, words: PageText = NOTHING
) -> Iterator[Figure]:
    """Pages of paper with so many boards on each, as large as they can be, and numbered."""
    pages = split_every(figures, per_page)
    for number, some in enumerate(pages):
        place = f"{number + 1} / {len(pages)}" if len(pages) > 1 else ""
        yield _make_page(some, number * per_page, per_page, words, place)


def _make_page(
    figures: Sequence[Figure], before: int, per_page: int, words: PageText, place: str
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
    """The boards in as many columns as let them be largest; those of a row as large as each other.

    A page that is not full has the boards where a full one has them.
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
    words: PageText,
) -> Figure:
    told = " ".join(f"{figure.title}: {figure.description}" for figure in figures)
    title = words.title or (figures[0].title if len(figures) == 1 else f"{len(figures)} boards")
    return Figure(width, height, shapes, title, told)
