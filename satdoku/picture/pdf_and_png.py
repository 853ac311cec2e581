"""Figures as the pages of a PDF file, or as a PNG image. Importing this module needs reportlab."""

import io
from collections.abc import Sequence
from pathlib import Path as FilePath

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from satdoku.picture.figure import (
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
    channels,
    writable,
)

# Fonts that come with reportlab; they have the letters of most European languages.
_PLAIN, _BOLD = "Vera", "VeraBd"

# Pixels per unit of the board: 84 for the side of a cell, sharp in print and on a screen.
_PIXELS = 2


def write_png(svg: str) -> bytes:
    """Return the PNG image of an SVG document."""
    import resvg_py

    # Use no system fonts, so that the image is the same on every machine.
    image = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=_PIXELS,
        skip_system_fonts=True,
        font_files=_font_files(),
        font_family="Bitstream Vera Sans",
    )
    return bytes(image)


def _font_files() -> list[str]:
    """Return the files of the plain and the bold font."""
    folder = FilePath(reportlab.__file__).parent / "fonts"
    return [str(folder / f"{name}.ttf") for name in (_PLAIN, _BOLD)]


def write_pdf(figures: Sequence[Figure]) -> bytes:
    """Return a PDF with a page for each figure; equal figures give equal bytes."""
    for name, path in zip((_PLAIN, _BOLD), _font_files(), strict=True):
        pdfmetrics.registerFont(TTFont(name, path))
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1, lang="en")
    canvas.setTitle(writable(figures[0].title))
    # The subject is limited to a line or two: the description of a page of many boards has ten
    # thousand characters.
    canvas.setSubject(writable(figures[0].description[:1000]))
    canvas.setCreator("satdoku")
    for figure in figures:
        canvas.setPageSize((figure.width, figure.height))
        # The y axis of PDF points upwards.
        canvas.translate(0, figure.height)
        canvas.scale(1, -1)
        _paint_all(canvas, figure.shapes)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _paint_all(canvas: Canvas, shapes: Sequence[Shape]) -> None:
    for shape in shapes:
        canvas.saveState()
        if isinstance(shape, Group):
            canvas.translate(shape.x, shape.y)
            canvas.scale(shape.scale, shape.scale)
            _paint_all(canvas, shape.shapes)
        else:
            _paint(canvas, shape, PAINTS[shape.paint])
        canvas.restoreState()


def _paint(canvas: Canvas, shape: Rect | Circle | Path | Text, paint: Paint) -> None:
    fill, stroke = int(bool(paint.fill)), int(bool(paint.stroke))
    if fill:
        canvas.setFillColorRGB(*channels(LIGHT[paint.fill]))
    if stroke:
        canvas.setStrokeColorRGB(*channels(LIGHT[paint.stroke]))
        canvas.setLineWidth(paint.width)
        canvas.setDash(list(paint.dash))
    if isinstance(shape, Rect):
        canvas.rect(shape.x, shape.y, shape.width, shape.height, stroke, fill)
    elif isinstance(shape, Circle):
        canvas.circle(shape.x, shape.y, shape.radius, stroke, fill)
    elif isinstance(shape, Path):
        path = canvas.beginPath()
        for line in shape.lines:
            path.moveTo(*line[0])
            for point in line[1:]:
                path.lineTo(*point)
        canvas.drawPath(path, stroke, fill)
    else:
        _write(canvas, shape, _BOLD if paint.is_bold else _PLAIN)


def _write(canvas: Canvas, text: Text, font: str) -> None:
    canvas.setFont(font, text.size)
    canvas.translate(text.x, text.y)
    # Flip the text back: the whole page is flipped, so that y grows downwards as in SVG.
    canvas.scale(1, -1)
    draw = canvas.drawCentredString if text.is_centred else canvas.drawString
    draw(0, 0, writable(text.text))
