"""Figures as SVG: shapes with classes, one style sheet, selectable text."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from satdoku.picture.figure import (
    DARK,
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
    writable,
)

ROOT = "satdoku"
"""The class of every drawing; its style sheet affects nothing outside."""

# Images and PDF files are drawn with Vera; the others look much like it.
FONTS = "Verdana, 'DejaVu Sans', 'Bitstream Vera Sans', Arial, sans-serif"

# Attributes and classes that notebooks set for the theme that the reader chose.
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
    """Return the figure as an element for a page that has the style sheet already."""
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
    """Return the style rules for all paints, with the dark scheme for dark screens."""
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


def _rules(scope: str, scheme: Mapping[str, str]) -> Iterator[str]:
    for name, paint in PAINTS.items():
        yield f"{scope}.{name}{{{_declarations(paint, scheme)}}}"


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
    """Return a length rounded to two decimals, an invisible difference."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
