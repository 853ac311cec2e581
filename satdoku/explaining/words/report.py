"""A report as text with a plot of characters, as an object, and as the bars of a drawn plot."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from satdoku.errors import count_of, join
from satdoku.explaining.explain import Explanation
from satdoku.explaining.report import MANY_SINGLES, Point, Report, report_of
from satdoku.picture.picture import Bar, Plot
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.limits import Budget

# The most bottlenecks to list one by one.
_MOST_NAMED = 8

# How many steps a line of the plot has.
_PER_LINE = 60


def _lines(explanation: Explanation, report: Report) -> Iterator[str]:
    """Yield the line about a way, and a plot with a character for each step."""
    yield _line(explanation, report)
    points = report.points
    for first in range(0, len(points), _PER_LINE):
        yield from _plot(points[first : first + _PER_LINE], report.bottlenecks)


def _line(explanation: Explanation, report: Report) -> str:
    steps = count_of(len(report.points), "step")
    fill = "does not fill" if len(report.points) == 1 else "do not fill"
    if explanation.verdict is not Verdict.UNIQUE:
        end = f", which {fill} the board ({explanation.verdict.value})"
    elif not explanation.way.is_full:
        end = f", which {fill} the board"
    else:
        end = ""
    found = list(map(str, report.bottlenecks))
    bottlenecks = count_of(len(found), "bottleneck")
    if found:
        few = len(found) <= _MOST_NAMED
        named = join(found) if few else f"{', '.join(found[:_MOST_NAMED])}, ..."
        bottlenecks += f" ({'step' if len(found) == 1 else 'steps'} {named})"
    free = f"{report.free:.0%} of the way has {MANY_SINGLES} or more singles open"
    return f"{steps}{end}; {bottlenecks}" + (f"; {free}" if report.points else "")


def _plot(points: Sequence[Point], bottlenecks: Sequence[int]) -> Iterator[str]:
    """Yield lines with a character for each step: digits up to 9, a plus for more."""
    ticks = ""
    for place, point in enumerate(points):
        if place % 10 == 0:
            ticks = ticks.ljust(place) + str(point.number)
    yield f"  step     {ticks}"
    yield f"  singles  {''.join(_sign(point.singles) for point in points)}"
    yield f"  all      {''.join(_sign(point.width) for point in points)}"
    marks = "".join("!" if point.number in bottlenecks else " " for point in points).rstrip()
    if marks:
        yield f"  only one {marks}"


def _sign(count: int) -> str:
    return str(count) if count < 10 else "+"


def _object(report: Report) -> dict[str, Any]:
    """Return the report as a JSON object."""
    return {
        "bottlenecks": list(report.bottlenecks),
        "many_singles": round(report.free, 3),
        "points": [
            {
                "n": point.number,
                "technique": point.taken.value,
                "singles": point.singles,
                "all": point.width,
                "steps": {technique.value: count for technique, count in point.steps.items()},
            }
            for point in report.points
        ],
    }


class ToldReport(NamedTuple):
    """A report as text, as a JSON object and as a plot."""

    text: str
    object: dict[str, Any]
    plot: Plot


def tell_report(explanation: Explanation, budget: Budget) -> ToldReport:
    """Return the report of a complete explanation in all its forms."""
    report = report_of(explanation, budget)
    text = "\n".join(_lines(explanation, report))
    bars = [
        Bar(point.singles, point.width, point.number in report.bottlenecks)
        for point in report.points
    ]
    plot = Plot(explanation.puzzle.name, text.splitlines()[0], bars)
    return ToldReport(text, _object(report), plot)
