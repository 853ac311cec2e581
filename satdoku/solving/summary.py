"""What many trials say of a contestant: a table for people, rows for programs, and a plot.

The plot is as papers on solvers print it: how many puzzles within which time.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from statistics import median, quantiles
from typing import NamedTuple

from satdoku.notation.tables.fields import write_fields
from satdoku.puzzle.verdict import Verdict
from satdoku.solving.compare import Contestant, Trial


class Spread(NamedTuple):
    """The middle of some seconds, and the bounds of the middle half of them."""

    low: float
    middle: float
    high: float


class Summary(NamedTuple):
    """A contestant's figures; sizes, conflicts and propagations are medians over its puzzles.

    `seconds` has the median time of every puzzle that was decided in each round, in rising order.
    What a solver does not count is None, and so is all that has no decided puzzle to speak of.
    """

    contestant: Contestant
    puzzles: int
    seconds: Sequence[float]
    spread: Spread | None
    variables: int | None
    clauses: int | None
    natives: int | None
    conflicts: int | None
    propagations: int | None

    @property
    def decided(self) -> int:
        """How many puzzles were decided in each round."""
        return len(self.seconds)


def summarize(trials: Iterable[Trial]) -> list[Summary]:
    """A summary for each contestant, the one that decided most, and then the fastest, first."""
    found: dict[Contestant, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.contestant, []).append(trial)
    summaries = [_summary(contestant, mine) for contestant, mine in found.items()]
    return sorted(summaries, key=_rank)


def _rank(summary: Summary) -> tuple[int, float, str]:
    # Names decide between equals, so that the order is the same in every run.
    return -summary.decided, sum(summary.seconds), str(summary.contestant)


def _summary(contestant: Contestant, trials: Sequence[Trial]) -> Summary:
    by_puzzle: dict[int, list[Trial]] = {}
    for trial in trials:
        by_puzzle.setdefault(trial.puzzle, []).append(trial)
    # Where a round ran into the limit, its seconds would be those of the limit.
    seconds = sorted(
        median(trial.seconds for trial in rounds)
        for rounds in by_puzzle.values()
        if all(trial.verdict is not Verdict.UNDECIDED for trial in rounds)
    )
    formulas = [trial.formula for trial in trials if trial.formula is not None]
    return Summary(
        contestant,
        len(by_puzzle),
        seconds,
        _spread(seconds),
        _middle(formula.variables for formula in formulas),
        _middle(formula.clauses for formula in formulas),
        _middle(formula.natives for formula in formulas),
        _middle(trial.conflicts for trial in trials),
        _middle(trial.propagations for trial in trials),
    )


def _spread(seconds: Sequence[float]) -> Spread | None:
    if len(seconds) < 2:
        return Spread(seconds[0], seconds[0], seconds[0]) if seconds else None
    # Inclusive, since the puzzles are all that there are, and no sample of more.
    return Spread(*quantiles(seconds, n=4, method="inclusive"))


def _middle(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


_TITLES = (
    "solver",
    "encoding",
    "at most one",
    "decided",
    "variables",
    "clauses",
    "conflicts",
    "propagations",
    "median ms",
    "middle half",
)
_COLUMNS = (
    "puzzle",
    "round",
    "solver",
    "encoding",
    "at_most_one",
    "verdict",
    "seconds",
    "variables",
    "clauses",
    "natives",
    "conflicts",
    "propagations",
)


def write_table(summaries: Sequence[Summary]) -> Iterator[str]:
    """Lines for people: a contestant a line; clauses with native constraints behind a plus."""
    rows = [_TITLES, *(tuple(_cells(summary)) for summary in summaries)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        # Three names, which begin in one column; then figures, which end in one.
        names = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
        figures = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        yield "  ".join(names + figures)


def trials_header() -> str:
    """The first line of the table of trials."""
    return write_fields(_COLUMNS)


def trial_row(trial: Trial) -> str:
    """A line of the table of trials; what is not known is empty."""
    who, formula = trial.contestant, trial.formula
    sizes = (None, None, None) if formula is None else formula
    counts = (trial.conflicts, trial.propagations)
    head = (trial.puzzle, trial.round, who.solver, who.encoding.value, who.method)
    return write_fields((*head, trial.verdict.value, f"{trial.seconds:.6f}", *sizes, *counts))


def _cells(summary: Summary) -> Iterator[str]:
    who = summary.contestant
    yield from (who.solver, who.encoding.value, who.method)
    yield f"{summary.decided}/{summary.puzzles}"
    natives = f"+{summary.natives:,}" if summary.natives else ""
    yield _number(summary.variables)
    yield _number(summary.clauses) + natives
    yield _number(summary.conflicts)
    yield _number(summary.propagations)
    spread = summary.spread
    yield "-" if spread is None else f"{spread.middle * 1000:,.2f}"
    yield "-" if spread is None else f"{spread.low * 1000:,.2f}..{spread.high * 1000:,.2f}"


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


WIDTH, HEIGHT = 960, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 340, 20, 50
"""The margins; the legend stands in that on the right, and not on the curves."""
_LINE = 18
"""Pixels between two lines of the legend."""

# Hues that people with any colour vision tell apart (Okabe and Ito), without the lighter ones: each
# has a contrast of 3:1 and more to white, as lines need. Dashes tell contestants apart in print.
_COLOURS = ("#000000", "#0072b2", "#b34700", "#00795a", "#a1467e")
_DASHES = ("", "7 3", "2 3", "10 3 2 3")


def draw_plot(summaries: Sequence[Summary]) -> str:
    """An SVG with a curve for each contestant: the time that its n fastest puzzles needed each."""
    times = [second for summary in summaries for second in summary.seconds]
    # A microsecond stands for all that is less: no clock tells these apart, and 0 has no logarithm.
    low = floor(log10(max(min(times, default=1e-3), 1e-6)))
    high = max(ceil(log10(max(max(times, default=1.0), 1e-6))), low + 1)
    most = max((summary.puzzles for summary in summaries), default=1)
    return "".join(_lines(summaries, _Axes(low, high, most)))


class _Axes:
    """Turns counts and seconds into places on the picture; seconds on a logarithmic scale."""

    def __init__(self, low: int, high: int, most: int) -> None:
        self.low, self.high, self.most = low, high, most

    def x(self, count: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * count / self.most

    def y(self, seconds: float) -> float:
        share = (log10(max(seconds, 1e-6)) - self.low) / (self.high - self.low)
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share

    def counts(self) -> range:
        """The marks of the lower axis: about five, at round numbers."""
        step = 10 ** max(0, floor(log10(self.most / 2)))
        step *= next(factor for factor in (1, 2, 5, 10) if self.most / (step * factor) <= 6)
        return range(0, self.most + 1, step)


def _lines(summaries: Sequence[Summary], axes: _Axes) -> Iterator[str]:
    height = max(HEIGHT, _TOP + _LINE * (len(summaries) + 1))  # a long legend makes room for itself
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="13">\n'
    )
    yield "<title>Puzzles decided within a time, for each contestant</title>\n"
    yield f'<rect width="{WIDTH}" height="{height}" fill="white"/>\n'
    yield from _scales(axes)
    for index, summary in enumerate(summaries):
        yield from _curve(index, summary, axes)
    yield "</svg>\n"


def _scales(axes: _Axes) -> Iterator[str]:
    bottom, right = HEIGHT - _BOTTOM, WIDTH - _RIGHT
    for power in range(axes.low, axes.high + 1):
        y = axes.y(10.0**power)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#cccccc"/>\n'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_seconds(power)}</text>\n'
    for count in axes.counts():
        x = axes.x(count)
        yield f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="#eeeeee"/>\n'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{count:,}</text>\n'
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>\n'
    middle = (_LEFT + right) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">puzzles decided</text>\n'
    yield (
        f'<text transform="translate(16 {HEIGHT // 2}) rotate(-90)" text-anchor="middle">'
        "processor time for each</text>\n"
    )


def _curve(index: int, summary: Summary, axes: _Axes) -> Iterator[str]:
    colour = _COLOURS[index % len(_COLOURS)]
    dash = _DASHES[index // len(_COLOURS) % len(_DASHES)]
    style = f'fill="none" stroke="{colour}" stroke-width="2"'
    style += f' stroke-dasharray="{dash}"' if dash else ""
    points = " ".join(
        f"{axes.x(count):.1f},{axes.y(seconds):.1f}"
        for count, seconds in enumerate(summary.seconds, 1)
    )
    name = escape(str(summary.contestant))
    if points:
        yield f'<polyline points="{points}" {style}><title>{name}</title></polyline>\n'
    x, y = WIDTH - _RIGHT + 20, _TOP + 14 + index * _LINE
    yield f'<path d="M{x} {y - 4}h28" {style}/>\n'
    yield f'<text x="{x + 36}" y="{y}">{name}: {summary.decided} of {summary.puzzles}</text>\n'


def _seconds(power: int) -> str:
    """A power of ten in a unit that people read easily."""
    if power >= 0:
        return f"{10**power:,} s"
    return f"{10 ** (power + 3)} ms" if power >= -3 else f"{10 ** (power + 6)} µs"
