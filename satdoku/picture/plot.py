"""Plots of solution paths, as SVG: a bar for each step shows how many steps there were, and how
many singles among them.
"""

from collections.abc import Sequence

from satdoku.picture.documents import escaped
from satdoku.picture.picture import Bar, Plot

# Sizes in pixels.
_BAR, _GAP, _UNIT, _MARGIN, _TOP = 7, 1, 6, 40, 40

# Most steps that a bar shows; a longer bar is cut and marked by a plus.
_MOST = 20


# Colours on paper and light screens, and on dark screens. For those who cannot tell these colours
# apart, a bottleneck also has a triangle above it, and singles are darker than further steps.
_LIGHT = (
    ".back{fill:#fff}text{fill:#222}line{stroke:#ddd}"
    ".single{fill:#2457c5}.further{fill:#aab2c0}.only{fill:#c02828}"
)
_DARK = (
    ".back{fill:#16181d}text{fill:#e8e8e8}line{stroke:#3a3f48}"
    ".single{fill:#6f9bf5}.further{fill:#5b6472}.only{fill:#ff7b72}"
)
_STYLE = f"{_LIGHT}@media screen and (prefers-color-scheme:dark){{{_DARK}}}"

_LEGEND = (
    ("single", "singles"),
    ("further", "further steps, no harder than the one taken"),
    ("only", "the only step"),
)
"""The parts of a bar, as CSS class and meaning."""


def write_plots(plots: Sequence[Plot]) -> str:
    """Return an SVG image with the plots one below the other."""
    height = _TOP + _MOST * _UNIT + _MARGIN
    longest = max((len(plot.bars) for plot in plots), default=0)
    width = max(2 * _MARGIN + longest * (_BAR + _GAP), 640)
    inside = "".join(_plot(plot, number * height) for number, plot in enumerate(plots))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height * len(plots)}" '
        f'viewBox="0 0 {width} {height * len(plots)}" font-family="sans-serif" font-size="11">'
        f"<style>{_STYLE}</style>"
        f'<rect class="back" width="100%" height="100%"/>{inside}</svg>\n'
    )


def _plot(plot: Plot, top: int) -> str:
    base = top + _TOP + _MOST * _UNIT
    title = f"{plot.name}: {plot.line}" if plot.name else plot.line
    parts = [f'<text x="{_MARGIN}" y="{top + 16}">{escaped(title)}</text>']
    for count in (0, 5, 10, 15, 20):
        y = base - count * _UNIT
        parts.append(
            f'<line x1="{_MARGIN}" x2="{_MARGIN + len(plot.bars) * (_BAR + _GAP)}" y1="{y}" '
            f'y2="{y}"/><text x="{_MARGIN - 6}" y="{y + 4}" text-anchor="end">{count}</text>'
        )
    for place, bar in enumerate(plot.bars):
        parts.append(_bar(bar, _MARGIN + place * (_BAR + _GAP), base))
        if (place + 1) % 10 == 0:
            x = _MARGIN + place * (_BAR + _GAP) + _BAR // 2
            parts.append(f'<text x="{x}" y="{base + 14}" text-anchor="middle">{place + 1}</text>')
    return "".join([*parts, _legend(base + 30)])


def _legend(y: int) -> str:
    parts, x = [], _MARGIN
    for kind, words in _LEGEND:
        mark = _triangle(x, y - 9) if kind == "only" else ""
        parts.append(
            f'<rect class="{kind}" x="{x}" y="{y - 7}" width="{_BAR}" height="{_BAR}"/>{mark}'
            f'<text x="{x + 12}" y="{y}">{words}</text>'
        )
        x += 12 + len(words) * 6
    return "".join(parts)


def _bar(bar: Bar, x: int, base: int) -> str:
    """Return the parts of a bar, from the bottom: singles, then further steps."""
    singles, width = min(bar.singles, _MOST), min(bar.width, _MOST)
    cut = f'<text x="{x}" y="{base - _MOST * _UNIT - 2}">+</text>' if bar.width > _MOST else ""
    if bar.is_bottleneck:
        cut += _triangle(x, base - width * _UNIT - 2)
    return (
        _part("only" if bar.is_bottleneck else "single", x, base, 0, singles)
        + _part("only" if bar.is_bottleneck else "further", x, base, singles, width)
        + cut
    )


def _part(kind: str, x: int, base: int, low: int, high: int) -> str:
    if low == high:
        return ""
    height = (high - low) * _UNIT
    return (
        f'<rect class="{kind}" x="{x}" y="{base - high * _UNIT}" width="{_BAR}" height="{height}"/>'
    )


def _triangle(x: int, y: int) -> str:
    """Return a triangle that points down to a bottleneck, with its tip at `y`."""
    return f'<path class="only" d="M{x} {y - 6}h{_BAR}l-{_BAR / 2} 6z"/>'
