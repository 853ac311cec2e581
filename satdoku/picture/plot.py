"""A bar for each step of a way, as SVG: how many steps there were, singles among them."""

from collections.abc import Sequence
from typing import NamedTuple

from satdoku.picture.documents import escaped

# Sizes in pixels.
_BAR, _GAP, _UNIT, _MARGIN, _TOP = 7, 1, 6, 40, 40

# A bar for more steps than this is cut, and says so by a plus.
_MOST = 20


class Bar(NamedTuple):
    """How many singles there were, how many steps in all, and whether that was one only."""

    singles: int
    width: int
    is_bottleneck: bool


class Plot(NamedTuple):
    """The bars of one puzzle, with its name and a line about them."""

    name: str
    line: str
    bars: Sequence[Bar]


def write_plots(plots: Sequence[Plot]) -> str:
    """Return an SVG image with the plots below each other."""
    height = _TOP + _MOST * _UNIT + _MARGIN
    longest = max((len(plot.bars) for plot in plots), default=0)
    width = max(2 * _MARGIN + longest * (_BAR + _GAP), 640)
    inside = "".join(_plot(plot, number * height) for number, plot in enumerate(plots))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height * len(plots)}" '
        f'viewBox="0 0 {width} {height * len(plots)}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="#fff"/>{inside}</svg>\n'
    )


def _plot(plot: Plot, top: int) -> str:
    base = top + _TOP + _MOST * _UNIT
    title = f"{plot.name}: {plot.line}" if plot.name else plot.line
    parts = [f'<text x="{_MARGIN}" y="{top + 16}">{escaped(title)}</text>']
    for count in (0, 5, 10, 15, 20):
        y = base - count * _UNIT
        parts.append(
            f'<line x1="{_MARGIN}" x2="{_MARGIN + len(plot.bars) * (_BAR + _GAP)}" y1="{y}" '
            f'y2="{y}" stroke="#ddd"/><text x="{_MARGIN - 6}" y="{y + 4}" text-anchor="end">'
            f"{count}</text>"
        )
    for place, bar in enumerate(plot.bars):
        parts.append(_bar(bar, _MARGIN + place * (_BAR + _GAP), base))
        if (place + 1) % 10 == 0:
            x = _MARGIN + place * (_BAR + _GAP)
            parts.append(f'<text x="{x}" y="{base + 14}">{place + 1}</text>')
    legend = "blue: singles; grey: further steps, no harder than the one taken; red: only one"
    parts.append(f'<text x="{_MARGIN}" y="{base + 30}">{legend}</text>')
    return "".join(parts)


def _bar(bar: Bar, x: int, base: int) -> str:
    """Return the parts of a bar from below: singles, then further steps."""
    singles, width = min(bar.singles, _MOST), min(bar.width, _MOST)
    colour = "#c33" if bar.is_bottleneck else "#36c"
    rest = "#c33" if bar.is_bottleneck else "#aaa"
    cut = f'<text x="{x}" y="{base - _MOST * _UNIT - 2}">+</text>' if bar.width > _MOST else ""
    return (
        f'<rect x="{x}" y="{base - singles * _UNIT}" width="{_BAR}" '
        f'height="{singles * _UNIT}" fill="{colour}"/>'
        f'<rect x="{x}" y="{base - width * _UNIT}" width="{_BAR}" '
        f'height="{(width - singles) * _UNIT}" fill="{rest}"/>{cut}'
    )
